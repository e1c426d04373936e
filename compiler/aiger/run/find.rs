//! Finding an installed ABC and learning its version.

use std::path::{Path, PathBuf};

use crate::aiger::error::Error;
use crate::tool;
use crate::tool::{Introduction, Limits};

/// The environment variable that names it.
pub const VARIABLE: &str = "SANDAL_ABC";

/// What it may be called on the `PATH`: in Debian, as a part of Yosys, and by itself.
pub const WANTED: tool::Wanted = tool::Wanted {
    name: "ABC",
    variable: VARIABLE,
    programs: &["berkeley-abc", "yosys-abc", "abc"],
};

/// An installed ABC.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// Its version: `1.01`.
    pub version: String,
}

/// Finds ABC: the path that was `asked` for, else the one in `SANDAL_ABC`, else the first on the `PATH` of `berkeley-abc`,
/// `yosys-abc`, `abc`. A bare name is looked up on the `PATH` only.
///
/// # Errors
/// If there is none, or it is not fit for use.
pub fn find(asked: Option<&Path>, limits: Limits<'_>) -> Result<Tool, Error> {
    probe(&tool::find(WANTED, asked)?, limits)
}

/// Starts it once to learn its version.
///
/// # Errors
/// If it does not say that it is ABC.
pub fn probe(path: &Path, limits: Limits<'_>) -> Result<Tool, Error> {
    let question = Introduction {
        arguments: &["-s", "-q", "version"],
        file: None,
    };
    let (path, version) = tool::introduce(WANTED, path, question, limits, version)?;
    Ok(Tool { path, version })
}

/// The version in `UC Berkeley, ABC 1.01 (compiled Feb  7 2023 01:39:45)`.
fn version(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("UC Berkeley, ABC ")?;
    let version = rest.split_whitespace().next()?;
    let is_number = version.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_number.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_are_understood() {
        let banner = "UC Berkeley, ABC 1.01 (compiled Feb  7 2023 01:39:45)\n";
        assert_eq!(version(banner).as_deref(), Some("1.01"));
        assert_eq!(version("** cmd error: unknown command 'version'"), None);
        assert_eq!(version("UC Berkeley, ABC "), None);
        assert_eq!(version("UC Berkeley, ABC \u{1b}[2J"), None);
    }
}
