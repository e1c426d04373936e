//! What can go wrong. In none of these cases is there a verdict.

use std::fmt;

use super::run::WANTED;
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
    /// What can go wrong with any program.
    Tool(tool::Error),
    /// Its counterexample for this property is none: our mistake, or ABC's.
    NotARun(String),
}

impl Error {
    /// It answered something we do not understand.
    pub fn nonsense(what: impl Into<String>) -> Error {
        Error::Tool(tool::Error::Nonsense(what.into()))
    }

    /// Whether it is a mistake of `sandalc`, to be reported to its authors.
    pub fn is_internal(&self) -> bool {
        matches!(self, Error::NotARun(_))
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Tool(error) => error.hint(
                "install ABC (Debian's package `berkeley-abc`, or `yosys`), and put it on the PATH or name it with `--abc PATH` \
                 or the environment variable `SANDAL_ABC`",
            ),
            Error::NotARun(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Tool(error) => f.write_str(&error.about(WANTED.name)),
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
        Error::Tool(error)
    }
}
