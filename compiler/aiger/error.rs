//! What can go wrong. In none of these cases is there a verdict.

use std::fmt;
use std::path::PathBuf;

use crate::tool;

/// A property is too large to be written as bits, or nobody wants to know any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is too large to be written as bits")
    }
}

impl std::error::Error for TooLarge {}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// There is no ABC; where it was looked for.
    Missing(Vec<String>),
    /// It cannot be started.
    CannotStart(PathBuf, String),
    /// It does not even say what it is.
    Silent(PathBuf),
    /// A file or pipe failed.
    Io(String),
    /// The user interrupted it.
    Cancelled,
    /// A signal ended it.
    Killed(i32),
    /// It ran out of memory.
    OutOfMemory,
    /// It answered something we do not understand.
    Nonsense(String),
    /// Its counterexample for this property is none: our mistake, or ABC's.
    NotARun(String),
}

impl Error {
    /// Whether it is a mistake of `sandalc`, to be reported to its authors.
    pub fn is_internal(&self) -> bool {
        matches!(self, Error::NotARun(_))
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Missing(_) | Error::CannotStart(..) => Some(
                "install ABC (Debian's package `berkeley-abc`, or `yosys`), and put it on the PATH or name it with `--abc PATH` \
                 or the environment variable `SANDAL_ABC`",
            ),
            Error::OutOfMemory => Some("give it more memory, or make the model smaller"),
            Error::Killed(9) => Some("the system may have been out of memory"),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing(tried) => {
                write!(f, "ABC is not installed (looked for {})", tried.join(", "))
            }
            Error::CannotStart(path, why) => write!(f, "cannot start `{}`: {why}", path.display()),
            Error::Silent(path) => write!(f, "`{}` did not answer in time", path.display()),
            Error::Io(why) => write!(f, "cannot talk to ABC: {why}"),
            Error::Cancelled => write!(f, "interrupted"),
            Error::Killed(signal) => write!(f, "ABC was ended by signal {signal}"),
            Error::OutOfMemory => write!(f, "ABC ran out of memory"),
            Error::Nonsense(what) => write!(f, "ABC gave an answer that makes no sense: {what}"),
            Error::NotARun(property) => write!(
                f,
                "ABC's counterexample for `{property}` is no run of the model"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<tool::Error> for Error {
    fn from(error: tool::Error) -> Error {
        match error {
            tool::Error::CannotStart(path, why) => Error::CannotStart(path, why),
            tool::Error::Io(why) => Error::Io(why),
            tool::Error::TooLong(size) => {
                Error::Nonsense(format!("an answer of more than {size} MiB"))
            }
        }
    }
}
