//! Finding an installed NuSMV or nuXmv and learning its version.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::nusmv::error::Error;
use crate::tool;
use crate::tool::{Introduction, Limits};

/// The environment variable that names it.
pub const VARIABLE: &str = "SANDAL_NUSMV";

/// What it may be called on the `PATH`.
pub const WANTED: tool::Wanted = tool::Wanted {
    name: "NuSMV",
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

/// Finds NuSMV: the path that was `asked` for, else the one in `SANDAL_NUSMV`, else the first on the `PATH`
/// of `NuSMV`, `nusmv`, `nuXmv`. A bare name is looked up on the `PATH` only.
///
/// # Errors
/// If there is none, or it is not fit for use.
pub fn find(asked: Option<&Path>, limits: Limits<'_>) -> Result<Tool, Error> {
    probe(&tool::find(WANTED, asked)?, limits)
}

/// Starts it once to learn its version and the numbers of its trace plugins.
///
/// # Errors
/// If it does not say that it is NuSMV, or is too old.
pub fn probe(path: &Path, limits: Limits<'_>) -> Result<Tool, Error> {
    let question = Introduction {
        arguments: &["-source", "probe.cmd"],
        file: Some(("probe.cmd", "show_plugins\nquit\n")),
    };
    let (path, (version, xml_plugin, empty_plugin)) =
        tool::introduce(WANTED, path, question, limits, |answer| {
            Some((
                version(answer)?,
                plugin(answer, ["xml", "embedded"]).unwrap_or(6),
                plugin(answer, ["empty", "plugin"]).unwrap_or(7),
            ))
        })?;
    if version.name == "NuSMV" && version.numbers < vec![2, 6] {
        return Err(Error::TooOld(path, version.to_string()));
    }
    Ok(Tool {
        path,
        version,
        xml_plugin,
        empty_plugin,
    })
}

/// The number of the plugin in whose line these words are.
fn plugin(answer: &str, words: [&str; 2]) -> Option<u32> {
    let mut lines = answer.lines();
    let line = lines.find(|line| words.iter().all(|w| line.to_lowercase().contains(w)))?;
    let digits = line.trim_start_matches("[D]").trim_start();
    digits.split_whitespace().next()?.parse().ok()
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
