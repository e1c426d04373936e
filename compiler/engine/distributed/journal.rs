//! What a process writes down while it searches with others.

/// A place to write records to, one at the end of each level, and to read them from again. A record consists of pieces.
///
/// What cannot be written is not written, and nothing after it: the search goes on, and whoever keeps the journal says so at the
/// end.
pub trait Journal {
    /// Turns to the records of a search, the first of which is read next; how many there are.
    fn open(&mut self, search: u64) -> u64;

    /// Forgets all but so many records of this search.
    fn keep(&mut self, records: u64);

    /// The next piece of the record that is read; nothing at its end.
    ///
    /// # Errors
    /// If what was there before cannot be read any more.
    fn read(&mut self) -> Result<Option<Vec<u8>>, Unreadable>;

    /// Adds a piece to the record that is written.
    fn write(&mut self, piece: &[u8]);

    /// Ends the record that is written.
    fn end(&mut self);
}

/// A journal that cannot be read any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreadable;
