//! Finding an installed NuSMV or nuXmv and learning its version.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::nusmv::error::Error;
use crate::tool;
use crate::tool::{End, Limits, Workplace};

/// The environment variable that names it.
pub const VARIABLE: &str = "SANDAL_NUSMV";

/// What it may be called on the `PATH`.
const WANTED: tool::Wanted = tool::Wanted {
    variable: VARIABLE,
    programs: &["NuSMV", "nusmv", "nuXmv"],
};

/// An installed NuSMV or nuXmv.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub version: Version,
    /// The number of the plugin that writes traces as XML elements.
    pub xml_plugin: u32,
    /// The number of the plugin that writes nothing.
    pub empty_plugin: u32,
}

/// Its name and version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// `NuSMV` or `nuXmv`
    pub name: String,
    /// 2.6.0 is `[2, 6, 0]`.
    pub numbers: Vec<u32>,
}

impl Version {
    /// `2.6.0`
    pub fn number(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(ToString::to_string).collect();
        numbers.join(".")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.number())
    }
}

/// Longer than this it does not get to say which NuSMV it is.
const PATIENCE: Duration = Duration::from_secs(20);

/// Finds NuSMV: the path that was `asked` for, else the one in `SANDAL_NUSMV`, else the first on the `PATH`
/// of `NuSMV`, `nusmv`, `nuXmv`. A bare name is looked up on the `PATH` only.
pub fn find(asked: Option<&Path>, limits: Limits<'_>) -> Result<Tool, Error> {
    let variable = env::var_os(VARIABLE);
    let path = env::var_os("PATH");
    let found = look_up(asked, variable.as_deref(), path.as_deref())?;
    probe(&found, limits)
}

/// Where NuSMV is in a given environment.
pub fn look_up(
    asked: Option<&Path>,
    variable: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<PathBuf, Error> {
    tool::look_up(WANTED, asked, variable, path).map_err(Error::Missing)
}

/// Starts it once to learn its version and the numbers of its trace plugins.
pub fn probe(path: &Path, limits: Limits<'_>) -> Result<Tool, Error> {
    let io = |e: std::io::Error| Error::Io(e.to_string());
    // The run happens in a folder of its own.
    let path = std::path::absolute(path).map_err(io)?;
    if !path.exists() {
        return Err(Error::Missing(vec![format!("`{}`", path.display())]));
    }
    let folder = Workplace::new()?;
    folder.write("probe.cmd", "show_plugins\nquit\n")?;
    let limits = Limits {
        time: Some(limits.time.map_or(PATIENCE, |time| time.min(PATIENCE))),
        ..limits
    };
    let ended = tool::run(
        &path,
        &["-source", "probe.cmd"],
        &folder,
        limits,
        &mut |_| {},
    )?;
    match ended.end {
        End::Exit(_) => {}
        End::OutOfTime => return Err(Error::Silent(path)),
        End::Cancelled => return Err(Error::Cancelled),
    }
    let Some(version) = version(&ended.output) else {
        let first = ended.output.lines().next().unwrap_or("nothing");
        return Err(Error::Nonsense(format!(
            "`{}` does not say which NuSMV it is but answers: {first}",
            path.display()
        )));
    };
    if version.name == "NuSMV" && version.numbers < vec![2, 6] {
        return Err(Error::TooOld(path, version.to_string()));
    }
    let plugin = |words: [&str; 2], default: u32| {
        (ended.output.lines())
            .find(|line| words.iter().all(|w| line.to_lowercase().contains(w)))
            .and_then(|line| {
                let digits = line.trim_start_matches("[D]").trim_start();
                digits.split_whitespace().next()?.parse().ok()
            })
            .unwrap_or(default)
    };
    Ok(Tool {
        path,
        version,
        xml_plugin: plugin(["xml", "embedded"], 6),
        empty_plugin: plugin(["empty", "plugin"], 7),
    })
}

/// The version in a banner: `This is NuSMV 2.6.0`, `an extension of NuSMV 2.6.0`, `This is nuXmv 2.0.0`.
fn version(banner: &str) -> Option<Version> {
    for name in ["nuXmv", "NuSMV"] {
        for (at, _) in banner.match_indices(name) {
            let rest = banner[at + name.len()..].trim_start_matches([' ', '-', 'v']);
            let number: &str = rest
                .split(|c: char| !c.is_ascii_digit() && c != '.')
                .next()
                .unwrap_or("");
            let numbers: Option<Vec<u32>> = number
                .trim_end_matches('.')
                .split('.')
                .map(|n| n.parse().ok())
                .collect();
            if let Some(numbers) = numbers {
                return Some(Version {
                    name: name.to_string(),
                    numbers,
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_are_understood() {
        let of = |text: &str| version(text).map(|v| v.to_string());
        assert_eq!(
            of("*** This is NuSMV 2.6.0 (compiled on Wed Oct 14 15:36:56 2015)").as_deref(),
            Some("NuSMV 2.6.0")
        );
        assert_eq!(
            of("*** This is NuSMV-A (compiled on Mon)\n*** NuSMV-A is an extension of NuSMV 2.6.0")
                .as_deref(),
            Some("NuSMV 2.6.0")
        );
        assert_eq!(
            of("*** This is nuXmv 2.0.0 (compiled on Mon Oct 14)\n*** based on NuSMV 2.6.0")
                .as_deref(),
            Some("nuXmv 2.0.0")
        );
        assert_eq!(of("usage: nusmv"), None);
    }
}
