//! Where an installed program is, and what it says that it is.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{End, Error, Limits, Workplace, run};

/// Longer than this a program does not get to say what it is.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that may be installed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// What it is called in messages.
    pub name: &'static str,
    /// The environment variable that names it.
    pub variable: &'static str,
    /// What it may be called on the `PATH`.
    pub programs: &'static [&'static str],
}

/// A question to which any version of a program answers with what it is.
#[derive(Clone, Copy, Debug)]
pub struct Introduction<'a> {
    /// What it is started with.
    pub arguments: &'a [&'a str],
    /// A file that it finds where it works, with what is in it.
    pub file: Option<(&'a str, &'a str)>,
}

/// Where a program is here; see [`look_up`].
///
/// # Errors
/// If it is not there.
pub fn find(wanted: Wanted, asked: Option<&Path>) -> Result<PathBuf, Error> {
    let variable = env::var_os(wanted.variable);
    let path = env::var_os("PATH");
    look_up(wanted, asked, variable.as_deref(), path.as_deref())
}

/// Starts a program to hear what it is, which is what `read` finds in its answer. With that comes its path from the root, because it
/// will be run in other folders.
///
/// # Errors
/// If it is not there, or does not say what it is.
pub fn introduce<T>(
    wanted: Wanted,
    path: &Path,
    question: Introduction<'_>,
    limits: Limits<'_>,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<(PathBuf, T), Error> {
    let path = std::path::absolute(path).map_err(|e| Error::Io(e.to_string()))?;
    if !path.exists() {
        return Err(Error::Missing(vec![format!("`{}`", path.display())]));
    }
    let folder = Workplace::new()?;
    if let Some((name, text)) = question.file {
        folder.write(name, text)?;
    }
    let limits = Limits {
        time: Some(limits.time.map_or(PATIENCE, |time| time.min(PATIENCE))),
        ..limits
    };
    let ended = run(&path, question.arguments, &folder, limits, &mut |_| {})?;
    match ended.end {
        End::Exit(_) => {}
        End::OutOfTime => return Err(Error::Silent(path)),
        End::Cancelled => return Err(Error::Cancelled),
    }
    match read(&ended.output) {
        Some(answer) => Ok((path, answer)),
        None => Err(Error::Nonsense(format!(
            "`{}` does not say which {} it is but answers: {}",
            path.display(),
            wanted.name,
            ended.output.lines().next().unwrap_or("nothing")
        ))),
    }
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
) -> Result<PathBuf, Error> {
    let variable = variable.filter(|v| !v.is_empty());
    let Some(given) = asked.or(variable.map(Path::new)) else {
        let mut programs = wanted.programs.iter();
        return programs
            .find_map(|name| on_path(OsStr::new(name), path))
            .ok_or_else(|| {
                let names = std::iter::once(wanted.variable).chain(wanted.programs.iter().copied());
                Error::Missing(names.map(|name| format!("`{name}`")).collect())
            });
    };
    if is_bare(given) {
        on_path(given.as_os_str(), path)
            .ok_or_else(|| Error::Missing(vec![format!("`{}` on the PATH", given.display())]))
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
