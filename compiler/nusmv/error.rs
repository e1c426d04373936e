//! What can go wrong with NuSMV. In none of these cases is there a verdict.

use std::fmt;
use std::path::PathBuf;

use super::run::WANTED;
use crate::tool;

/// How one comes by a NuSMV that is fit for use.
const INSTALL: &str = "install NuSMV 2.6 or nuXmv from nusmv.fbk.eu, and put it on the PATH or name it with \
                       `--nusmv PATH` or the environment variable `SANDAL_NUSMV`";

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// What can go wrong with any program.
    Tool(tool::Error),
    /// It is older than what we can work with.
    TooOld(PathBuf, String),
    /// It warned that its answers may be worthless.
    Vacuous(String),
    /// It refused the model: our mistake.
    Rejected(String),
    /// Its counterexample for this property is none: our mistake, or NuSMV's.
    NotARun(String),
}

impl Error {
    /// It answered something we do not understand.
    pub fn nonsense(what: impl Into<String>) -> Error {
        Error::Tool(tool::Error::Nonsense(what.into()))
    }

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
            Error::Tool(error) => error.hint(INSTALL),
            Error::TooOld(..) => Some(INSTALL),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Tool(error) => f.write_str(&error.about(WANTED.name)),
            Error::TooOld(path, version) => write!(
                f,
                "`{}` is {version}, which is too old: NuSMV 2.6.0 or later is needed",
                path.display()
            ),
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
        Error::Tool(error)
    }
}
