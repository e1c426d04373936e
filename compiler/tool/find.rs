//! Where an installed program is.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A program that may be installed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The environment variable that names it.
    pub variable: &'static str,
    /// What it may be called on the `PATH`.
    pub programs: &'static [&'static str],
}

/// Where a program is: at the path that was `asked` for, else that of its `variable`, else the first of its names on the `PATH`. A bare
/// name is looked up on the `PATH` only.
///
/// # Errors
/// If it is not there: where it was looked for.
pub fn look_up(
    wanted: Wanted,
    asked: Option<&Path>,
    variable: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<PathBuf, Vec<String>> {
    let variable = variable.filter(|v| !v.is_empty());
    let Some(given) = asked.or(variable.map(Path::new)) else {
        let mut programs = wanted.programs.iter();
        return programs
            .find_map(|name| on_path(OsStr::new(name), path))
            .ok_or_else(|| {
                let names = std::iter::once(wanted.variable).chain(wanted.programs.iter().copied());
                names.map(|name| format!("`{name}`")).collect()
            });
    };
    if is_bare(given) {
        on_path(given.as_os_str(), path)
            .ok_or_else(|| vec![format!("`{}` on the PATH", given.display())])
    } else {
        Ok(given.to_path_buf())
    }
}

/// Whether this is a name, not a path: `NuSMV`, but not `./NuSMV`.
fn is_bare(given: &Path) -> bool {
    given.file_name() == Some(given.as_os_str())
}

/// The first program of a name on the `PATH`. Folders that depend on where we happen to be are left out: whoever wrote
/// the files there did not mean them to be run.
fn on_path(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    let file = |folder: PathBuf| {
        let plain = folder.join(name);
        let suffixed = folder.join(format!("{}{}", name.display(), env::consts::EXE_SUFFIX));
        [plain, suffixed].into_iter().find(|f| is_executable(f))
    };
    env::split_paths(path?)
        .filter(|folder| folder.is_absolute())
        .find_map(file)
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
