//! The states found so far: an exact set, numbered in order of discovery.
//!
//! Packed states lie one after another, cut to whole bytes, in chunks that never move. The set is an open
//! hash table of buckets of one cache line each: twelve numbers of states, and for each eight bits of its
//! hash, so that a state that is not there is hardly ever compared with another. A table that is full is thrown away
//! and built anew from the states, so that growing never needs two tables at a time.

mod batch;

pub use batch::Batch;

use super::recent::Recent;
use super::space::Exhausted;

/// States per bucket.
const LANES: usize = 12;

/// A chunk has about so many bytes.
const CHUNK: usize = 1 << 20;

/// So many states are put into a new table at a time.
const ROUND: usize = 64;

/// At most so many states are looked up at a time.
const PART: usize = 128;

/// The table grows when so many of 100 lanes are taken, or `FULLEST` if memory is short.
const FULL: usize = 85;
const FULLEST: usize = 95;

/// Which states are known; `W` is at least the number of words that the layout needs.
///
/// Aligned so that threads with a store each do not write to the same line of their caches.
#[repr(align(128))]
pub struct Store<const W: usize> {
    /// Bytes of a stored state.
    bytes: usize,
    /// Words of a stored state.
    words: usize,
    /// The part of the last word that is stored.
    last_mask: u64,
    chunk_shift: u32,
    chunks: Vec<Box<[u8]>>,
    len: u32,
    table: Vec<Bucket>,
    /// The number of states at which the table grows.
    grow_at: usize,
    limits: Limits,
    /// What the thread that fills it has lately come across, in this store or another.
    pub recent: Recent<W>,
}

/// How much a store may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// States; there are never more than 4,294,967,294.
    pub states: u64,
    /// Bytes.
    pub memory: usize,
}

impl Limits {
    /// As much as there is.
    pub const NONE: Limits = Limits {
        states: u64::MAX,
        memory: usize::MAX,
    };
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Bucket {
    /// A byte per lane, 0 if it is free; lanes are taken in order.
    tags: [u64; 2],
    ids: [u32; LANES],
}

impl Bucket {
    const EMPTY: Bucket = Bucket {
        tags: [0; 2],
        ids: [0; LANES],
    };

    /// A bit per lane that may have a tag; sometimes also for one that has not.
    #[inline]
    fn matches(&self, tag: u64) -> u128 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x8080_8080_8080_8080;
        let wanted = tag.wrapping_mul(ONES);
        let (low, high) = (self.tags[0] ^ wanted, self.tags[1] ^ wanted);
        let low = low.wrapping_sub(ONES) & !low & TOPS;
        let high = high.wrapping_sub(ONES) & !high & 0x8080_8080;
        u128::from(low) | u128::from(high) << 64
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.tags[1] & 0xff00_0000 != 0
    }

    #[inline]
    fn add(&mut self, tag: u64, id: u32) {
        let free = self.tags[0].leading_zeros() as usize / 8;
        let taken = match free {
            0 => 16 - self.tags[1].leading_zeros() as usize / 8,
            _ => 8 - free,
        };
        self.tags[taken / 8] |= tag << (taken % 8 * 8);
        self.ids[taken] = id;
    }
}

const SEEDS: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash of a packed state: the upper half chooses the bucket, the lowest byte is the tag.
#[inline]
pub fn hash<const W: usize>(words: &[u64; W]) -> u64 {
    let mut acc = SEEDS[0];
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        acc = fold(acc ^ pair[0], SEEDS[1] ^ pair[1]);
    }
    for word in pairs.remainder() {
        acc = fold(acc ^ word, SEEDS[2]);
    }
    fold(acc, SEEDS[3])
}

#[inline]
fn tag(hash: u64) -> u64 {
    (hash & 0xff).max(1)
}

impl<const W: usize> Store<W> {
    /// An empty store for states of `bytes` bytes.
    pub fn new(bytes: usize, limits: Limits) -> Result<Self, Exhausted> {
        let words = bytes.div_ceil(8);
        assert!(words <= W, "a state fits into its words");
        let mut store = Store {
            bytes,
            words,
            last_mask: u64::MAX >> (words * 64 - bytes * 8),
            chunk_shift: (CHUNK / bytes).max(1).ilog2(),
            chunks: Vec::new(),
            len: 0,
            table: Vec::new(),
            grow_at: 0,
            limits,
            recent: Recent::default(),
        };
        store.rebuild(64)?;
        Ok(store)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// The memory it uses.
    pub fn memory(&self) -> usize {
        self.chunks.len() * (self.chunk_bytes() + size_of::<Box<[u8]>>())
            + self.table.capacity() * size_of::<Bucket>()
            + self.recent.memory()
    }

    fn chunk_bytes(&self) -> usize {
        // The last word is read and written as a whole.
        (self.bytes << self.chunk_shift) + 8
    }

    /// Where a state is: its chunk and the bytes from its first.
    #[inline]
    fn stored(&self, id: u32) -> &[u8] {
        let within = id as usize & ((1 << self.chunk_shift) - 1);
        &self.chunks[(id >> self.chunk_shift) as usize][within * self.bytes..]
    }

    /// A stored state.
    #[inline]
    pub fn load(&self, id: u32) -> [u64; W] {
        let stored = self.stored(id);
        let mut words = [0; W];
        for (i, word) in words.iter_mut().enumerate().take(self.words) {
            *word = read(stored, i);
        }
        words[self.words - 1] &= self.last_mask;
        words
    }

    /// Whether a stored state is this one.
    #[inline]
    pub fn is(&self, id: u32, words: &[u64; W]) -> bool {
        let stored = self.stored(id);
        let last = self.words - 1;
        let mut differs = (read(stored, last) & self.last_mask) ^ words[last];
        for (i, word) in words.iter().enumerate().take(last) {
            differs |= read(stored, i) ^ word;
        }
        differs == 0
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.table.len() as u64) >> 32) as usize
    }

    /// The number of a state, if it is known.
    #[inline]
    pub fn find(&self, words: &[u64; W], hash: u64) -> Option<u32> {
        self.find_or_bucket(words, hash).ok()
    }

    /// The number of a state, or the bucket it belongs into.
    #[inline]
    fn find_or_bucket(&self, words: &[u64; W], hash: u64) -> Result<u32, usize> {
        let mut home = self.home(hash);
        loop {
            let bucket = &self.table[home];
            let mut lanes = bucket.matches(tag(hash));
            while lanes != 0 {
                let id = bucket.ids[lanes.trailing_zeros() as usize / 8];
                if self.is(id, words) {
                    return Ok(id);
                }
                lanes &= lanes - 1;
            }
            if !bucket.is_full() {
                return Err(home);
            }
            home += 1;
            if home == self.table.len() {
                home = 0;
            }
        }
    }

    /// The first state that may be the one with a hash, judging by its home bucket alone.
    #[inline]
    fn candidate(&self, hash: u64) -> Option<u32> {
        let bucket = &self.table[self.home(hash)];
        let lanes = bucket.matches(tag(hash));
        (lanes != 0).then(|| bucket.ids[lanes.trailing_zeros() as usize / 8])
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub fn insert(&mut self, words: &[u64; W], hash: u64) -> Result<(u32, bool), Exhausted> {
        match self.find_or_bucket(words, hash) {
            Ok(id) => Ok((id, false)),
            Err(bucket) => Ok((self.add(words, hash, bucket)?, true)),
        }
    }

    #[inline]
    fn add(&mut self, words: &[u64; W], hash: u64, mut bucket: usize) -> Result<u32, Exhausted> {
        let id = self.len;
        if id as usize >= self.grow_at {
            self.grow()?;
            bucket = self.free_bucket(hash);
        }
        let within = id as usize & ((1 << self.chunk_shift) - 1);
        if within == 0 {
            self.add_chunk()?;
        }
        if u64::from(id) >= self.limits.states || id == u32::MAX {
            return Err(Exhausted::States);
        }
        let chunk = &mut self.chunks[(id >> self.chunk_shift) as usize];
        let stored = &mut chunk[within * self.bytes..];
        for (i, word) in words.iter().enumerate().take(self.words) {
            stored[i * 8..i * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
        self.table[bucket].add(tag(hash), id);
        self.len += 1;
        Ok(id)
    }

    #[inline(never)]
    fn add_chunk(&mut self) -> Result<(), Exhausted> {
        // After a limit the chunk for the next state may be there already.
        if self.chunks.len() > (self.len >> self.chunk_shift) as usize {
            return Ok(());
        }
        let bytes = self.chunk_bytes();
        if self.memory().saturating_add(bytes) > self.limits.memory {
            return Err(Exhausted::Memory);
        }
        // Only a trial may fail; what is then made of zeros takes no memory until it is written to.
        let trial = Vec::<u8>::new().try_reserve_exact(bytes);
        trial
            .and_then(|()| self.chunks.try_reserve(1))
            .map_err(|_| Exhausted::Memory)?;
        self.chunks.push(vec![0; bytes].into_boxed_slice());
        Ok(())
    }

    #[inline(never)]
    fn grow(&mut self) -> Result<(), Exhausted> {
        let buckets = self.table.len();
        // Large tables grow by less: the room is worth more than the time.
        let wanted = match buckets {
            0..0x4000 => buckets * 4,
            0x4000..0x4_0000 => buckets * 2,
            _ => buckets + buckets / 2,
        };
        let others = self.chunks.len() * self.chunk_bytes();
        // Room for the states that the larger table is for.
        let spare = self.limits.memory.saturating_sub(others);
        let affordable = spare / (size_of::<Bucket>() + LANES * self.bytes);
        let new = wanted.min(affordable.max(buckets + buckets / 16));
        if new * size_of::<Bucket>() <= spare && self.rebuild(new).is_ok() {
            return Ok(());
        }
        // What is there is filled up before giving up.
        self.rebuild(buckets)?;
        let fullest = buckets * LANES * FULLEST / 100;
        if self.len as usize >= fullest {
            return Err(Exhausted::Memory);
        }
        self.grow_at = fullest;
        Ok(())
    }

    /// Grows now if with so many more states it would have to.
    pub fn expect(&mut self, states: usize) -> Result<(), Exhausted> {
        if self.len as usize + states > self.grow_at {
            self.grow()?;
        }
        Ok(())
    }

    /// The bucket into which a state with a hash belongs that is not there.
    #[inline]
    fn free_bucket(&self, hash: u64) -> usize {
        let mut home = self.home(hash);
        while self.table[home].is_full() {
            home += 1;
            if home == self.table.len() {
                home = 0;
            }
        }
        home
    }

    /// Replaces the table by one with as many buckets. Never two tables at a time.
    fn rebuild(&mut self, buckets: usize) -> Result<(), Exhausted> {
        if buckets != self.table.len() {
            self.table = Vec::new();
            self.grow_at = 0;
            if self.table.try_reserve_exact(buckets).is_err() {
                // Nothing is found any more, and nothing can be added.
                self.table.push(Bucket::EMPTY);
                return Err(Exhausted::Memory);
            }
            self.table.resize(buckets, Bucket::EMPTY);
            let mut hashes = [0; ROUND];
            for start in (0..self.len).step_by(ROUND) {
                let ids = start..self.len.min(start + ROUND as u32);
                for (id, known) in ids.clone().zip(&mut hashes) {
                    *known = hash(&self.load(id));
                }
                self.touch_buckets(&hashes);
                for (id, hash) in ids.zip(hashes) {
                    let bucket = self.free_bucket(hash);
                    self.table[bucket].add(tag(hash), id);
                }
            }
        }
        self.grow_at = buckets * LANES * FULL / 100;
        Ok(())
    }

    /// Reads a word of each bucket that is about to be needed: nothing depends on these reads, so the processor
    /// waits for all of them at the same time.
    #[inline]
    fn touch_buckets(&self, hashes: &[u64]) {
        let mut seen = 0;
        for hash in hashes {
            seen ^= self.table[self.home(*hash)].tags[0];
        }
        std::hint::black_box(seen);
    }

    /// Finds or inserts the states of a batch. Afterwards `batch.ids` has their numbers; `new` is called with those
    /// that are new.
    ///
    /// The work is done in steps over a part of the batch, so that the processor can wait for the memory that each
    /// state needs at the same time.
    #[inline]
    pub fn insert_all(
        &mut self,
        batch: &mut Batch<W>,
        mut new: impl FnMut(u32, &[u64; W]),
    ) -> Result<(), Exhausted> {
        batch.ids.clear();
        batch.ids.resize(batch.words.len(), UNKNOWN);
        let parts = batch.words.chunks(PART).zip(batch.hashes.chunks(PART));
        for ((words, hashes), ids) in parts.zip(batch.ids.chunks_mut(PART)) {
            self.find_all(words, hashes, ids);
            for ((words, hash), id) in words.iter().zip(hashes).zip(ids) {
                if *id == UNKNOWN {
                    let (number, is_new) = self.insert(words, *hash)?;
                    *id = number;
                    if is_new {
                        new(number, words);
                    }
                }
            }
        }
        Ok(())
    }

    /// The numbers of those states that are found at once, [`UNKNOWN`] for the others.
    #[inline]
    fn find_all(&self, words: &[[u64; W]], hashes: &[u64], ids: &mut [u32]) {
        self.touch_buckets(hashes);
        let mut seen = 0;
        for (id, hash) in ids.iter_mut().zip(hashes) {
            if let Some(candidate) = self.candidate(*hash) {
                *id = candidate;
                seen ^= self.stored(candidate)[0];
            }
        }
        std::hint::black_box(seen);
        for (id, words) in ids.iter_mut().zip(words) {
            if *id != UNKNOWN && !self.is(*id, words) {
                *id = UNKNOWN;
            }
        }
    }
}

/// No state has this number.
pub const UNKNOWN: u32 = u32::MAX;

#[inline]
fn read(stored: &[u8], word: usize) -> u64 {
    let bytes = &stored[word * 8..word * 8 + 8];
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;
    use std::collections::HashMap;

    fn numbers<const W: usize>(bytes: usize, count: usize) {
        let mut random = Random::new(bytes as u64);
        let mut store = Store::<W>::new(bytes, Limits::NONE).unwrap();
        let mut known: HashMap<[u64; W], u32> = HashMap::new();
        let mut batch = Batch::default();
        let used = bytes.div_ceil(8);
        for _ in 0..count / 16 {
            batch.clear();
            let mut states = Vec::new();
            for _ in 0..16 {
                let mut words = [0; W];
                // Few distinct values, and those in the corners of the words.
                for (i, word) in words.iter_mut().enumerate().take(used) {
                    let bits = if i + 1 == used {
                        bytes * 8 - i * 64
                    } else {
                        64
                    };
                    *word = (random.any() & 0x8888_8888_8888_888f) >> (64 - bits);
                }
                states.push(words);
                batch.push(words);
            }
            let mut fresh = Vec::new();
            store
                .insert_all(&mut batch, |id, _| fresh.push(id))
                .unwrap();
            for (words, id) in states.iter().zip(&batch.ids) {
                let next = known.len() as u32;
                let wanted = *known.entry(*words).or_insert_with(|| {
                    assert_eq!(fresh.remove(0), next);
                    next
                });
                assert_eq!(*id, wanted);
                assert_eq!(store.load(*id), *words);
            }
            assert!(fresh.is_empty());
        }
        assert_eq!(store.len(), known.len());
        for (words, id) in known {
            assert_eq!(store.find(&words, hash(&words)), Some(id));
        }
    }

    #[test]
    fn states_keep_their_numbers() {
        numbers::<1>(1, 1000);
        numbers::<1>(3, 20_000);
        numbers::<1>(8, 20_000);
        numbers::<2>(9, 20_000);
        numbers::<3>(24, 20_000);
        numbers::<6>(37, 20_000);
        numbers::<64>(300, 5_000);
    }

    #[test]
    fn limits_are_kept() {
        let mut store = Store::<1>::new(
            4,
            Limits {
                states: 1000,
                ..Limits::NONE
            },
        )
        .unwrap();
        let mut insert = |i: u64| store.insert(&[i], hash(&[i])).map(|(id, _)| id);
        for i in 0..1000 {
            assert_eq!(insert(i), Ok(i as u32));
        }
        assert_eq!(insert(1000), Err(Exhausted::States));
        assert_eq!(insert(999), Ok(999));
        assert_eq!(store.len(), 1000);
    }

    #[test]
    fn memory_is_filled_and_not_exceeded() {
        for megabytes in [3, 5] {
            let memory = megabytes << 20;
            let limits = Limits {
                memory,
                ..Limits::NONE
            };
            let mut store = Store::<1>::new(5, limits).unwrap();
            let mut count = 0u64;
            loop {
                match store.insert(&[count], hash(&[count])) {
                    Ok((id, new)) => assert_eq!((u64::from(id), new), (count, true)),
                    Err(why) => {
                        assert_eq!(why, Exhausted::Memory);
                        break;
                    }
                }
                assert!(store.memory() <= memory);
                count += 1;
            }
            // What is there is still found, and most of the memory holds states.
            for i in 0..store.len() as u64 {
                assert_eq!(store.find(&[i], hash(&[i])), Some(i as u32));
            }
            let each = memory as f64 / store.len() as f64;
            assert!(each < 20.0, "{each} bytes per state");
        }
    }
}
