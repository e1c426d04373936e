//! Where states go that do not fit into memory. The engine itself knows no files: whoever asks it for a search may bring one.

/// A file of its own for searches that follow one another.
pub trait Disk: Sync {
    /// A search begins: what was written is not needed any more.
    fn clear(&self);

    /// Writes some bytes behind everything that was written before; where they begin. None if that is impossible, for example
    /// because the disk is full.
    fn append(&self, bytes: &[u8]) -> Option<u64>;

    /// Reads as many bytes as there is room for from a place on. Says whether they could be read.
    fn read(&self, place: u64, bytes: &mut [u8]) -> bool;
}
