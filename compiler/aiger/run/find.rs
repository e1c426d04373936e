//! Finding an installed ABC and learning its version.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::aiger::error::Error;
use crate::tool;
use crate::tool::{End, Limits, Workplace};

/// The environment variable that names it.
pub const VARIABLE: &str = "SANDAL_ABC";

/// What it may be called on the `PATH`: in Debian, as a part of Yosys, and by itself.
const WANTED: tool::Wanted = tool::Wanted {
    variable: VARIABLE,
    programs: &["berkeley-abc", "yosys-abc", "abc"],
};

/// Longer than this it does not get to say which ABC it is.
const PATIENCE: Duration = Duration::from_secs(20);

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
    let variable = env::var_os(VARIABLE);
    let path = env::var_os("PATH");
    probe(
        &look_up(asked, variable.as_deref(), path.as_deref())?,
        limits,
    )
}

/// Where ABC is in a given environment.
pub fn look_up(
    asked: Option<&Path>,
    variable: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<PathBuf, Error> {
    tool::look_up(WANTED, asked, variable, path).map_err(Error::Missing)
}

/// Starts it once to learn its version.
///
/// # Errors
/// If it does not say that it is ABC.
pub fn probe(path: &Path, limits: Limits<'_>) -> Result<Tool, Error> {
    // The run happens in a folder of its own.
    let path = std::path::absolute(path).map_err(|e| Error::Io(e.to_string()))?;
    if !path.exists() {
        return Err(Error::Missing(vec![format!("`{}`", path.display())]));
    }
    let folder = Workplace::new()?;
    let limits = Limits {
        time: Some(limits.time.map_or(PATIENCE, |time| time.min(PATIENCE))),
        ..limits
    };
    let ended = tool::run(
        &path,
        &["-s", "-q", "version"],
        &folder,
        limits,
        &mut |_| {},
    )?;
    match ended.end {
        End::Exit(_) => {}
        End::OutOfTime => return Err(Error::Silent(path)),
        End::Cancelled => return Err(Error::Cancelled),
    }
    match version(&ended.output) {
        Some(version) => Ok(Tool { path, version }),
        None => {
            let first = ended.output.lines().next().unwrap_or("nothing");
            Err(Error::Nonsense(format!(
                "`{}` does not say which ABC it is but answers: {first}",
                path.display()
            )))
        }
    }
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
