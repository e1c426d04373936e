//! Reading models and writing results.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::shell::describe;
use super::{problem, replace};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::{FileId, Sources, Span};

/// No model is larger; `/dev/zero` is.
const LARGEST: u64 = 64 << 20;

/// The name that stands for standard input or output.
const STANDARD: &str = "-";

/// A file that cannot be read or written, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The file, as the user names it.
    pub path: String,
    /// Why not.
    pub why: String,
    /// A file that may be meant.
    pub meant: Option<String>,
}

impl Failure {
    fn new(path: &Path, error: &io::Error) -> Self {
        Failure {
            path: display(path),
            why: describe(error),
            meant: None,
        }
    }
}

/// Reads a file, a pipe, or standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if is_standard(path) {
        read_all(path, io::stdin().lock())
    } else {
        read_anything(path)
    }
}

/// Reads a file; a pipe, which might never end, is none.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() && !kind.is_dir() => Err(Failure {
            path: display(path),
            why: "it is not a regular file".to_owned(),
            meant: None,
        }),
        _ => read_anything(path),
    }
}

fn read_anything(path: &Path) -> Result<Vec<u8>, Failure> {
    match File::open(path) {
        Ok(file) => read_all(path, file),
        Err(error) => Err(Failure {
            meant: match error.kind() {
                io::ErrorKind::NotFound => near(path),
                _ => None,
            },
            ..Failure::new(path, &error)
        }),
    }
}

fn read_all(path: &Path, file: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(path, &error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure {
            path: display(path),
            why: format!("it has more than {} MiB", LARGEST >> 20),
            meant: None,
        });
    }
    Ok(bytes)
}

/// All models in a folder and its folders, in order. Hidden folders are left out, and so are links: they may lead out of
/// the folder, and what they lead to within it is found anyway.
pub fn models(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| Failure::new(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::new(&folder, &error))?;
            let kind = entry.file_type();
            let kind = kind.map_err(|error| Failure::new(&entry.path(), &error))?;
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
        return Err(Failure {
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

/// Adds what was read to the sources. A byte order mark is dropped; bytes that are not UTF-8 are
/// replaced, and the first of them is the message.
pub fn add(sources: &mut Sources, path: String, bytes: Vec<u8>) -> (FileId, Option<Diagnostic>) {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    match String::from_utf8(bytes) {
        Ok(text) => (sources.add(path, text), None),
        Err(error) => {
            let start = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let end = match error.utf8_error().error_len() {
                Some(length) => start + length,
                None => bytes.len(),
            };
            let bad = bytes[start..end].to_vec();
            let file = sources.add(path, String::from_utf8_lossy(bytes));
            let place = Span::new(file, start, start + char::REPLACEMENT_CHARACTER.len_utf8());
            (file, Some(problem::not_utf8(place, &bad)))
        }
    }
}

/// Writes a file in one step: it has its old contents or all of the new, never a part.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    replace::write(path, contents).map_err(|error| Failure::new(path, &error))
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
