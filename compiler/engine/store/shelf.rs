//! The states that one thread has found, one after another, cut to whole bytes.
//!
//! Only that thread adds states; any thread may read those it has been told of. States lie in chunks, which never
//! move.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A chunk has about so many bytes.
const CHUNK: usize = 1 << 16;

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
    /// As many as can be needed before anybody has it for itself again.
    chunks: Vec<OnceLock<Chunk>>,
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
            chunks: Vec::new(),
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

    /// How many words a chunk has. All that a state touches are read at once: one more than it has itself.
    fn chunk_words(&self) -> usize {
        (self.bytes << self.chunk_shift).div_ceil(8) + 1
    }

    /// How much memory a chunk takes.
    pub fn chunk_memory(&self) -> usize {
        self.chunk_words() * 8 + size_of::<OnceLock<Chunk>>()
    }

    /// How much memory it takes.
    pub fn memory(&self) -> usize {
        (self.len() as usize).div_ceil(1 << self.chunk_shift) * self.chunk_memory()
    }

    /// Can from now on be given so many states without anybody having it for itself. Says whether there was memory.
    pub fn expect(&mut self, states: usize) -> bool {
        let chunks = (states >> self.chunk_shift) + 1;
        let more = chunks.saturating_sub(self.chunks.len());
        let there_is = self.chunks.try_reserve(more).is_ok();
        if there_is && more > 0 {
            self.chunks.resize_with(chunks, OnceLock::new);
        }
        there_is
    }

    /// Whether the next state begins a chunk that is not there.
    #[inline]
    pub fn lacks_room(&self) -> bool {
        let len = self.len();
        len & ((1 << self.chunk_shift) - 1) == 0 && self.chunk(len).is_none()
    }

    /// Adds the chunk that the next state begins. Says whether there was memory.
    pub fn make_room(&self) -> bool {
        let mut words = Vec::new();
        if words.try_reserve_exact(self.chunk_words()).is_err() {
            return false;
        }
        words.resize_with(self.chunk_words(), AtomicU64::default);
        let chunk = self.chunks.get((self.len() >> self.chunk_shift) as usize);
        chunk.is_some_and(|chunk| chunk.set(words.into_boxed_slice()).is_ok())
    }

    #[inline]
    fn chunk(&self, number: u32) -> Option<&[AtomicU64]> {
        let chunk = self.chunks.get((number >> self.chunk_shift) as usize)?;
        chunk.get().map(|chunk| &**chunk)
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
