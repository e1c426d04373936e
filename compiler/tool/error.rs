//! What can go wrong with a program that is not ours. In none of these cases is there an answer.

use std::path::PathBuf;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// It is not there; where it was looked for.
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
}

impl Error {
    /// The same in words, for a program of this name.
    pub fn about(&self, name: &str) -> String {
        match self {
            Error::Missing(tried) => {
                format!("{name} is not installed (looked for {})", tried.join(", "))
            }
            Error::CannotStart(path, why) => format!("cannot start `{}`: {why}", path.display()),
            Error::Silent(path) => format!("`{}` did not answer in time", path.display()),
            Error::Io(why) => format!("cannot talk to {name}: {why}"),
            Error::Cancelled => "interrupted".to_owned(),
            Error::Killed(signal) => format!("{name} was ended by signal {signal}"),
            Error::OutOfMemory => format!("{name} ran out of memory"),
            Error::Nonsense(what) => format!("{name} gave an answer that makes no sense: {what}"),
        }
    }

    /// What the user can do about it, given how one installs the program.
    pub fn hint(&self, install: &'static str) -> Option<&'static str> {
        match self {
            Error::Missing(_) | Error::CannotStart(..) => Some(install),
            Error::OutOfMemory => Some("give it more memory, or make the model smaller"),
            Error::Killed(9) => Some("the system may have been out of memory"),
            _ => None,
        }
    }
}
