//! The file to which a search moves states that do not fit into memory.
//!
//! It has no name, so nobody else can come upon it, and the system removes it when the process ends, however it ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::files::FileError;
use super::shell::describe;
use crate::engine::Disk;

/// A file in a folder.
pub struct Spill {
    folder: String,
    file: Mutex<Open>,
    /// What has gone wrong first.
    trouble: OnceLock<String>,
}

struct Open {
    file: File,
    /// How many bytes have been written.
    end: u64,
}

impl Spill {
    /// A new file in a folder, which has to be there.
    pub fn new(folder: &Path) -> Result<Spill, FileError> {
        let file = tempfile::tempfile_in(folder).map_err(|error| FileError {
            path: folder.display().to_string(),
            why: describe(&error),
            meant: None,
        })?;
        Ok(Spill {
            folder: folder.display().to_string(),
            file: Mutex::new(Open { file, end: 0 }),
            trouble: OnceLock::new(),
        })
    }

    /// What has gone wrong, in words.
    pub fn trouble(&self) -> Option<String> {
        let why = self.trouble.get()?;
        Some(format!(
            "`--spill`: `{}` could not be used to the end: {why}",
            self.folder
        ))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result, if there is one.
    fn note<T>(&self, result: io::Result<T>) -> Option<T> {
        result
            .map_err(|error| self.trouble.set(describe(&error)))
            .ok()
    }
}

impl Disk for Spill {
    fn clear(&self) {
        let mut open = self.open();
        open.end = 0;
        self.note(open.file.set_len(0));
    }

    fn append(&self, bytes: &[u8]) -> Option<u64> {
        let mut open = self.open();
        let start = open.end;
        let written = open
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| open.file.write_all(bytes));
        self.note(written)?;
        open.end += bytes.len() as u64;
        Some(start)
    }

    fn read(&self, place: u64, bytes: &mut [u8]) -> bool {
        let mut open = self.open();
        let read = open
            .file
            .seek(SeekFrom::Start(place))
            .and_then(|_| open.file.read_exact(bytes));
        self.note(read).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_no_name_and_do_not_meet() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (
            Spill::new(folder.path()).unwrap(),
            Spill::new(folder.path()).unwrap(),
        );
        assert_eq!(
            (one.append(b"one"), other.append(b"other")),
            (Some(0), Some(0))
        );
        assert_eq!(one.append(b"more"), Some(3));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut bytes = [0; 4];
        assert!(one.read(3, &mut bytes));
        assert_eq!(&bytes, b"more");
        assert!(other.read(1, &mut bytes));
        assert_eq!(&bytes, b"ther");
        assert_eq!(one.trouble(), None);
        assert!(!one.read(4, &mut bytes));
        assert!(
            one.trouble()
                .is_some_and(|trouble| trouble.contains("to the end"))
        );
        one.clear();
        assert_eq!(one.append(b"again"), Some(0));
    }

    #[test]
    fn the_folder_has_to_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Spill::new(&folder.path().join("nowhere")).err().unwrap();
        assert!(failure.path.ends_with("nowhere"));
    }
}
