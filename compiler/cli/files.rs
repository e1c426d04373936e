//! Reading models and writing results.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::replace;
use super::shell::describe;
use crate::diagnostic::did_you_mean;
use crate::load::{Files, Unreadable};

/// No model is larger; `/dev/zero` is.
const LARGEST: u64 = 64 << 20;

/// The name that stands for standard input or output.
const STANDARD: &str = "-";

/// A file that cannot be read or written, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The file, as the user names it.
    pub path: String,
    /// Why not.
    pub why: String,
    /// A file that may be meant.
    pub meant: Option<String>,
}

impl FileError {
    fn new(path: &Path, error: &io::Error) -> Self {
        FileError {
            path: display(path),
            why: describe(error),
            meant: None,
        }
    }
}

/// The files of this machine, as a model imports them. The main file may be standard input.
pub struct FileSystem<'a> {
    /// The main file.
    pub main: &'a Path,
}

impl Files for FileSystem<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let bytes = match path == self.main {
            true => read(path),
            false => read_file(path),
        };
        bytes.map_err(|failure| Unreadable {
            why: failure.why,
            meant: failure.meant,
        })
    }

    fn identity(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn display(&self, path: &Path) -> String {
        display(path)
    }

    /// The folder that `sandalc` runs in, if the model is in it, else that of the model.
    fn project(&self, main: &Path) -> PathBuf {
        let folder = main.parent().map(Path::to_owned).unwrap_or_default();
        let named = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder.as_path(),
        };
        let here = fs::canonicalize(".").ok();
        match (here, fs::canonicalize(named).ok()) {
            (Some(here), Some(there)) if there.starts_with(&here) => match folder.is_absolute() {
                true => here,
                false => PathBuf::new(),
            },
            _ => folder,
        }
    }
}

/// Reads a file, a pipe, or standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    if is_standard(path) {
        read_all(path, io::stdin().lock())
    } else {
        read_anything(path)
    }
}

/// Reads a file; a pipe, which might never end, is none.
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() && !kind.is_dir() => Err(FileError {
            path: display(path),
            why: "it is not a regular file".to_owned(),
            meant: None,
        }),
        _ => read_anything(path),
    }
}

fn read_anything(path: &Path) -> Result<Vec<u8>, FileError> {
    match File::open(path) {
        Ok(file) => read_all(path, file),
        Err(error) => Err(FileError {
            meant: match error.kind() {
                io::ErrorKind::NotFound => near(path),
                _ => None,
            },
            ..FileError::new(path, &error)
        }),
    }
}

fn read_all(path: &Path, file: impl Read) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| FileError::new(path, &error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(FileError {
            path: display(path),
            why: format!("it has more than {} MiB", LARGEST >> 20),
            meant: None,
        });
    }
    Ok(bytes)
}

/// All models in a folder and its folders, in order. Hidden folders are left out, and so are links: they may lead out of
/// the folder, and what they lead to within it is found anyway.
pub fn models(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| FileError::new(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| FileError::new(&folder, &error))?;
            let kind = entry.file_type();
            let kind = kind.map_err(|error| FileError::new(&entry.path(), &error))?;
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !hidden {
                folders.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|e| e == "sdl") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(FileError {
            path: display(folder),
            why: "there is no `.sdl` file in it".to_owned(),
            meant: None,
        });
    }
    Ok(found)
}

/// A path as messages show it.
pub fn display(path: &Path) -> String {
    if is_standard(path) {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// The model file that a missing one may stand for.
fn near(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let with_extension = path.with_added_extension("sdl");
    if with_extension.is_file() {
        return Some(with_extension.display().to_string());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".sdl"))
        .collect();
    names.sort();
    let meant = did_you_mean(wanted, names.iter().map(String::as_str))?;
    Some(path.with_file_name(meant).display().to_string())
}

/// Writes a file in one step: it has its old contents or all of the new, never a part.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    replace::write(path, contents).map_err(|error| FileError::new(path, &error))
}

/// Whether two paths are the same file.
pub fn same(a: &Path, b: &Path) -> bool {
    let same_name = match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => return false,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
            return a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
    }
    same_name
}
