//! What a process writes down while it searches with others: a file per search, with a record per level.
//!
//! A record is some pieces, each with its length before it, then an empty piece and a checksum of it all. What was being written
//! when the process was lost has no checksum that fits, and is not there when it is read again.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::engine::distributed::{Journal, Unreadable};

/// A folder with what one process has written.
pub struct Folder {
    path: PathBuf,
    /// Whether what was written by an earlier run counts.
    resume: bool,
    /// Searches that this run has begun.
    begun: HashSet<u64>,
    open: Option<Open>,
    /// What went wrong first.
    failure: Option<String>,
}

/// The file of a search.
struct Open {
    path: PathBuf,
    /// Where each record ends.
    ends: Vec<u64>,
    reading: Option<BufReader<File>>,
    writing: Option<BufWriter<File>>,
    /// Of the record that is written.
    sum: u64,
    length: u64,
}

/// No piece is longer.
const LONGEST: u32 = 1 << 24;

/// What comes first in every file.
const MAGIC: &[u8; 8] = b"sandalj1";

impl Folder {
    /// The part of a process in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(folder: &Path, process: usize, resume: bool) -> io::Result<Folder> {
        let path = folder.join(format!("process-{process}"));
        fs::create_dir_all(&path)?;
        Ok(Folder {
            path,
            resume,
            begun: HashSet::new(),
            open: None,
            failure: None,
        })
    }

    /// What went wrong, if anything did.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Does something with the file of the search; what goes wrong ends the writing.
    fn with<R>(&mut self, work: impl FnOnce(&mut Open) -> io::Result<R>) -> Option<R> {
        let done = work(self.open.as_mut()?);
        match done {
            Ok(done) => Some(done),
            Err(why) => {
                self.failure.get_or_insert(why.to_string());
                self.open = None;
                None
            }
        }
    }
}

impl Journal for Folder {
    fn open(&mut self, search: u64) -> u64 {
        self.open = None;
        let counts = !self.begun.insert(search) || self.resume;
        let path = self.path.join(format!("{search:016x}.levels"));
        match Open::new(&path, counts) {
            Ok(open) => {
                let records = open.ends.len();
                self.open = Some(open);
                records as u64
            }
            Err(why) => {
                self.failure.get_or_insert(why.to_string());
                0
            }
        }
    }

    fn keep(&mut self, records: u64) {
        self.with(|open| open.keep(records as usize));
    }

    fn read(&mut self) -> Result<Option<Vec<u8>>, Unreadable> {
        self.with(Open::read).ok_or(Unreadable)
    }

    fn write(&mut self, piece: &[u8]) {
        self.with(|open| open.write(piece));
    }

    fn end(&mut self) {
        self.with(Open::end);
    }
}

impl Open {
    /// Opens a file, and finds the records that are whole; a new file if they do not count.
    fn new(path: &Path, counts: bool) -> io::Result<Open> {
        let mut open = Open {
            path: path.to_owned(),
            ends: Vec::new(),
            reading: None,
            writing: None,
            sum: SUM,
            length: 0,
        };
        if counts && path.exists() {
            open.ends = whole_records(&mut BufReader::new(File::open(path)?))?;
        }
        Ok(open)
    }

    /// Cuts the file after so many records, and turns to the first.
    fn keep(&mut self, records: usize) -> io::Result<()> {
        self.ends.truncate(records);
        let end = self.ends.last().copied();
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&self.path)?;
        file.set_len(end.unwrap_or(0))?;
        let mut writing = BufWriter::new(file);
        match end {
            Some(end) => drop(writing.seek(SeekFrom::Start(end))?),
            None => writing.write_all(MAGIC)?,
        }
        writing.flush()?;
        self.writing = Some(writing);
        let mut reading = BufReader::new(File::open(&self.path)?);
        reading.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        self.reading = Some(reading);
        Ok(())
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let reading = self.reading.as_mut().ok_or(io::ErrorKind::NotFound)?;
        let piece = piece(reading)?;
        if piece.is_empty() {
            number(reading)?;
            return Ok(None);
        }
        Ok(Some(piece))
    }

    fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        if piece.is_empty() {
            return Ok(());
        }
        self.put(&(piece.len() as u32).to_le_bytes())?;
        self.put(piece)
    }

    fn end(&mut self) -> io::Result<()> {
        self.put(&[0; 4])?;
        let sum = self.sum;
        self.put(&sum.to_le_bytes())?;
        self.sum = SUM;
        match &mut self.writing {
            Some(writing) => writing.flush(),
            None => Ok(()),
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum = add(self.sum, bytes);
        self.length += bytes.len() as u64;
        match &mut self.writing {
            Some(writing) => writing.write_all(bytes),
            None => Ok(()),
        }
    }
}

/// Where each record of a file ends, up to the first that is not whole.
fn whole_records(file: &mut impl Read) -> io::Result<Vec<u64>> {
    let mut ends = Vec::new();
    let mut magic = [0; MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
        return Ok(ends);
    }
    let mut at = MAGIC.len() as u64;
    'records: loop {
        let mut sum = SUM;
        loop {
            let Ok(piece) = piece(file) else {
                break 'records;
            };
            sum = add(sum, &(piece.len() as u32).to_le_bytes());
            sum = add(sum, &piece);
            at += 4 + piece.len() as u64;
            if piece.is_empty() {
                break;
            }
        }
        match number(file) {
            Ok(written) if written == sum => at += 8,
            _ => break,
        }
        ends.push(at);
    }
    Ok(ends)
}

fn piece(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    file.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut piece = vec![0; length as usize];
    file.read_exact(&mut piece)?;
    Ok(piece)
}

fn number(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The checksum of nothing.
const SUM: u64 = 0xcbf2_9ce4_8422_2325;

/// The checksum with some more bytes, eight at a time.
fn add(sum: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(sum, |sum, part| {
        let mut all = [0; 8];
        all[..part.len()].copy_from_slice(part);
        (sum ^ u64::from_le_bytes(all))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(folder: &Path, records: &[&[&[u8]]]) -> Folder {
        let mut journal = Folder::new(folder, 1, false).expect("a folder");
        assert_eq!(journal.open(7), 0);
        journal.keep(0);
        for record in records {
            record.iter().for_each(|piece| journal.write(piece));
            journal.end();
        }
        assert_eq!(journal.failure(), None);
        journal
    }

    fn read(journal: &mut Folder) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| journal.read().expect("it is there")).collect()
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(written(
            folder.path(),
            &[&[b"one", b"two"], &[], &[b"three"]],
        ));
        let mut journal = Folder::new(folder.path(), 1, true).expect("a folder");
        assert_eq!(journal.open(8), 0);
        assert_eq!(journal.open(7), 3);
        journal.keep(3);
        assert_eq!(read(&mut journal), [b"one", b"two"]);
        assert_eq!(read(&mut journal).len(), 0);
        assert_eq!(read(&mut journal), [b"three"]);
        // It goes on after that, also within one run.
        journal.write(b"four");
        journal.end();
        assert_eq!(journal.open(7), 4);
        // Without `--resume` it begins anew.
        let mut journal = Folder::new(folder.path(), 1, false).expect("a folder");
        assert_eq!(journal.open(7), 0);
    }

    #[test]
    fn what_is_not_whole_is_not_there() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(written(folder.path(), &[&[b"one"], &[b"two"], &[b"three"]]));
        let path = folder.path().join("process-1/0000000000000007.levels");
        let whole = fs::read(&path).expect("a file");
        let records = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("a file");
            let mut journal = Folder::new(folder.path(), 1, true).expect("a folder");
            let records = journal.open(7);
            journal.keep(records);
            for _ in 0..records {
                read(&mut journal);
            }
            records
        };
        assert_eq!(records(&whole), 3);
        for cut in 0..whole.len() {
            let left = records(&whole[..cut]);
            assert!(left < 3, "cut to {cut} bytes, it has {left} records");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x40;
            assert!(records(&changed) < 3, "byte {at}");
        }
    }
}
