//! The states that one thread has found, one after another, cut to whole bytes.
//!
//! Only that thread adds states; any thread may read those it has been told of. Nothing ever moves: states lie
//! in chunks, and chunks are listed in directories, each twice as long as the one before.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A chunk has about so many bytes.
const CHUNK: usize = 1 << 16;

/// The first directory lists so many chunks.
const FIRST: usize = 64;

/// With so many directories no number of 32 bits is without a place.
const DIRECTORIES: usize = 27;

/// States lie close together: their bytes are spread over whole words.
type Chunk = Box<[AtomicU64]>;

/// States of one thread. Aligned so that threads do not write to the same line of their caches.
#[repr(align(128))]
pub struct Shelf<const W: usize> {
    /// Bytes of a stored state.
    bytes: usize,
    /// Words of a stored state.
    words: usize,
    /// The part of the last word that is stored.
    last_mask: u64,
    /// How many states a chunk has: a power of two.
    chunk_shift: u32,
    directories: [OnceLock<Box<[OnceLock<Chunk>]>>; DIRECTORIES],
    len: AtomicU32,
}

impl<const W: usize> Shelf<W> {
    /// An empty one for states of `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let words = bytes.div_ceil(8);
        assert!(words <= W, "a state fits into its words");
        Shelf {
            bytes,
            words,
            last_mask: u64::MAX >> (words * 64 - bytes * 8),
            chunk_shift: (CHUNK / bytes).max(1).ilog2(),
            directories: [const { OnceLock::new() }; DIRECTORIES],
            len: AtomicU32::new(0),
        }
    }

    /// How many states there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len.load(Relaxed)
    }

    /// Bytes of a stored state.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How much memory a chunk takes.
    pub fn chunk_memory(&self) -> usize {
        // All words that a state touches are read at once: one more than it has.
        let words = (self.bytes << self.chunk_shift).div_ceil(8) + 1;
        words * 8 + size_of::<OnceLock<Chunk>>()
    }

    /// How much memory it takes, but for what directories have to spare.
    pub fn memory(&self) -> usize {
        (self.len() as usize).div_ceil(1 << self.chunk_shift) * self.chunk_memory()
    }

    /// Whether the next state begins a chunk that is not there.
    #[inline]
    pub fn lacks_room(&self) -> bool {
        let len = self.len();
        len & ((1 << self.chunk_shift) - 1) == 0 && self.chunk(len).is_none()
    }

    /// Adds the chunk that the next state begins. Says whether there was memory.
    pub fn make_room(&self) -> bool {
        let (directory, entry) = self.entry(self.len());
        let listed = self.directories[directory].get().map(|d| &**d);
        let listed = listed.or_else(|| {
            let empty = zeroed(FIRST << directory, OnceLock::new)?;
            Some(&**self.directories[directory].get_or_init(|| empty))
        });
        let words = (self.bytes << self.chunk_shift).div_ceil(8) + 1;
        match (listed, zeroed(words, AtomicU64::default)) {
            (Some(listed), Some(chunk)) => listed[entry].set(chunk).is_ok(),
            _ => false,
        }
    }

    /// The directory that lists the chunk of a state, and where.
    #[inline]
    fn entry(&self, number: u32) -> (usize, usize) {
        let chunk = (number >> self.chunk_shift) as usize + FIRST;
        let directory = (chunk.ilog2() - FIRST.ilog2()) as usize;
        (directory, chunk - (FIRST << directory))
    }

    #[inline]
    fn chunk(&self, number: u32) -> Option<&[AtomicU64]> {
        let (directory, entry) = self.entry(number);
        Some(self.directories[directory].get()?[entry].get()?)
    }

    /// The words over which a state is spread, and at which bit of the first it begins.
    #[inline]
    fn spread(&self, number: u32) -> (&[AtomicU64], u32) {
        let within = number as usize & ((1 << self.chunk_shift) - 1);
        let byte = within * self.bytes;
        let chunk = self.chunk(number).unwrap_or_default();
        (
            &chunk[byte / 8..byte / 8 + self.words + 1],
            (byte % 8 * 8) as u32,
        )
    }

    /// Adds a state, for which there must be room, and yields its number.
    #[inline]
    pub fn add(&self, words: &[u64; W]) -> u32 {
        let number = self.len();
        let (spread, shift) = self.spread(number);
        // Nobody else writes here, and nothing but zeros has been written here before.
        let set = |place: &AtomicU64, bits: u64| place.store(place.load(Relaxed) | bits, Relaxed);
        for (places, word) in spread.windows(2).zip(words) {
            set(&places[0], word << shift);
            set(&places[1], word >> 1 >> (63 - shift));
        }
        self.len.store(number + 1, Relaxed);
        number
    }

    /// A word of a state, with whatever lies behind it if it is the last.
    #[inline]
    fn word(spread: &[AtomicU64], shift: u32, word: usize) -> u64 {
        let low = spread[word].load(Relaxed) >> shift;
        let high = spread[word + 1].load(Relaxed) << 1 << (63 - shift);
        low | high
    }

    /// A state.
    #[inline]
    pub fn load(&self, number: u32) -> [u64; W] {
        let (spread, shift) = self.spread(number);
        let mut words = [0; W];
        for (i, word) in words.iter_mut().enumerate().take(self.words) {
            *word = Self::word(spread, shift, i);
        }
        words[self.words - 1] &= self.last_mask;
        words
    }

    /// Whether a state is this one.
    #[inline]
    pub fn is(&self, number: u32, words: &[u64; W]) -> bool {
        let (spread, shift) = self.spread(number);
        let last = self.words - 1;
        let mut differs = (Self::word(spread, shift, last) & self.last_mask) ^ words[last];
        for (i, word) in words.iter().enumerate().take(last) {
            differs |= Self::word(spread, shift, i) ^ word;
        }
        differs == 0
    }

    /// Something of a state: reading it brings it close.
    #[inline]
    pub fn touch(&self, number: u32) -> u64 {
        self.spread(number).0[0].load(Relaxed)
    }
}

/// A list of so many, if there is memory.
fn zeroed<T>(len: usize, zero: impl FnMut() -> T) -> Option<Box<[T]>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    list.resize_with(len, zero);
    Some(list.into_boxed_slice())
}
