//! What can go wrong with NuSMV. In none of these cases is there a verdict.

use std::fmt;
use std::path::PathBuf;

use crate::tool;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// There is no NuSMV; where it was looked for.
    Missing(Vec<String>),
    /// It cannot be started.
    CannotStart(PathBuf, String),
    /// It is older than what we can work with.
    TooOld(PathBuf, String),
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
    /// It warned that its answers may be worthless.
    Vacuous(String),
    /// It refused the model: our mistake.
    Rejected(String),
    /// Its counterexample for this property is none: our mistake, or NuSMV's.
    NotARun(String),
}

impl Error {
    /// Whether it is a mistake of `sandalc`, to be reported to its authors.
    pub fn is_internal(&self) -> bool {
        matches!(
            self,
            Error::Rejected(_) | Error::NotARun(_) | Error::Vacuous(_)
        )
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Missing(_) | Error::CannotStart(..) | Error::TooOld(..) => Some(
                "install NuSMV 2.6 or nuXmv from nusmv.fbk.eu, and put it on the PATH or name it with \
                 `--nusmv PATH` or the environment variable `SANDAL_NUSMV`",
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
                write!(
                    f,
                    "NuSMV is not installed (looked for {})",
                    tried.join(", ")
                )
            }
            Error::CannotStart(path, why) => write!(f, "cannot start `{}`: {why}", path.display()),
            Error::TooOld(path, version) => write!(
                f,
                "`{}` is {version}, which is too old: NuSMV 2.6.0 or later is needed",
                path.display()
            ),
            Error::Silent(path) => {
                write!(f, "`{}` did not answer in time", path.display())
            }
            Error::Io(why) => write!(f, "cannot talk to NuSMV: {why}"),
            Error::Cancelled => write!(f, "interrupted"),
            Error::Killed(signal) => write!(f, "NuSMV was ended by signal {signal}"),
            Error::OutOfMemory => write!(f, "NuSMV ran out of memory"),
            Error::Nonsense(what) => write!(f, "NuSMV gave an answer that makes no sense: {what}"),
            Error::Vacuous(warning) => write!(
                f,
                "NuSMV warns that its answers may be worthless: {warning}"
            ),
            Error::Rejected(message) => write!(f, "NuSMV refused the emitted model: {message}"),
            Error::NotARun(property) => write!(
                f,
                "NuSMV's counterexample for `{property}` is no run of the model"
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
