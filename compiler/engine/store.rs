//! The states found so far: an exact set that threads fill together.
//!
//! Each thread puts the states that it finds on a [`Shelf`] of its own, and all look them up in one [`Table`]. Nobody
//! waits for a lock. When the table is full all stop, and whoever has the store for itself replaces the table by a
//! larger one. The old one is thrown away first and the new one is built from the states, so that growing never needs two
//! tables at a time.

mod batch;
mod hash;
mod shelf;
mod table;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

pub use batch::Batch;
pub use hash::hash;

use super::space::Exhausted;
use shelf::Shelf;
use table::{BUCKET, LANES, Lookup, Table};

/// So many states are put into a new table at a time.
const ROUND: usize = 64;

/// At most so many states are looked up at a time.
const PART: usize = 128;

/// The table grows when so many of 100 lanes are taken, or `FULLEST` if memory is short.
const FULL: usize = 85;
const FULLEST: usize = 95;

/// A thread that adds states reserves so many lanes at a time, if there are many.
const BLOCK: usize = 1024;

/// With fewer states a new table is filled by one thread.
const MANY: usize = if cfg!(test) { 100 } else { 100_000 };

/// No state has this number.
pub const UNKNOWN: u32 = u32::MAX;

/// Which states are known; `W` is at least the number of words that the layout needs.
///
/// With one thread states are numbered in the order of their discovery. With several each numbers its own: the lowest
/// bits of a number tell the thread.
pub struct Store<const W: usize> {
    hands: Vec<Hand<W>>,
    /// How many bits of a number tell the thread.
    hand_bits: u32,
    table: Table,
    /// How many states the table is made for.
    full_at: usize,
    /// For how many more nobody has reserved a lane.
    spare: AtomicUsize,
    /// The most states of a thread.
    most: u32,
    limits: Limits,
}

/// What belongs to one thread.
struct Hand<const W: usize> {
    shelf: Shelf<W>,
    /// How many lanes of the table are kept for its next states.
    reserved: AtomicUsize,
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

/// Why a state cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The table has to grow first.
    Full,
    /// There is a limit.
    Limit(Exhausted),
}

impl<const W: usize> Store<W> {
    /// An empty store for states of `bytes` bytes that so many threads will fill.
    pub fn new(bytes: usize, limits: Limits, threads: usize) -> Result<Self, Exhausted> {
        let hand_bits = threads.next_power_of_two().ilog2();
        let most = (UNKNOWN - 1) >> hand_bits;
        let hands = (0..threads).map(|_| Hand {
            shelf: Shelf::new(bytes),
            reserved: AtomicUsize::new(0),
        });
        let mut store = Store {
            hands: hands.collect(),
            hand_bits,
            table: Table::default(),
            full_at: 0,
            spare: AtomicUsize::new(0),
            most: limits.states.min(u64::from(most)) as u32,
            limits,
        };
        store.rebuild(64)?;
        Ok(store)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.hands.iter().map(|h| h.shelf.len() as usize).sum()
    }

    /// How much it may hold.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many threads can fill it.
    pub fn threads(&self) -> usize {
        self.hands.len()
    }

    /// How many states a thread has added.
    pub fn added(&self, thread: usize) -> u32 {
        self.hands[thread].shelf.len()
    }

    /// The memory it uses.
    pub fn memory(&self) -> usize {
        let shelves: usize = self.hands.iter().map(|h| h.shelf.memory()).sum();
        shelves + self.table.len() * BUCKET
    }

    /// The number of the state that a thread has added after so many others.
    #[inline]
    pub fn number(&self, thread: usize, index: u32) -> u32 {
        index << self.hand_bits | thread as u32
    }

    /// The numbers of states of a thread, which counts them like this.
    pub fn numbers(
        &self,
        thread: usize,
        indexes: Range<u32>,
    ) -> impl Iterator<Item = u32> + use<W> {
        let bits = self.hand_bits;
        indexes.map(move |index| index << bits | thread as u32)
    }

    /// The thread that has added a state, and how many it had added before.
    #[inline]
    pub fn origin(&self, number: u32) -> (usize, u32) {
        let thread = number & ((1 << self.hand_bits) - 1);
        (thread as usize, number >> self.hand_bits)
    }

    /// A state.
    #[inline]
    pub fn load(&self, number: u32) -> [u64; W] {
        let (thread, index) = self.origin(number);
        self.hands[thread].shelf.load(index)
    }

    #[inline]
    fn is(&self, number: u32, words: &[u64; W]) -> bool {
        let (thread, index) = self.origin(number);
        self.hands[thread].shelf.is(index, words)
    }

    /// The number of a state, if it is known.
    #[inline]
    pub fn find(&self, words: &[u64; W], hash: u64) -> Option<u32> {
        self.table.find(hash, |number| self.is(number, words))
    }

    /// The number of a state, and whether it is new; then it is added by a thread.
    #[inline]
    pub fn insert(
        &self,
        thread: usize,
        words: &[u64; W],
        hash: u64,
    ) -> Result<(u32, bool), Refused> {
        let hand = &self.hands[thread];
        let is = |number: u32| self.is(number, words);
        Ok(
            match self.table.find_or_claim(hash, is, || self.prepare(hand))? {
                Lookup::Known(number) => (number, false),
                Lookup::New(claim) => {
                    let number = self.number(thread, hand.shelf.add(words));
                    let reserved = hand.reserved.load(Relaxed);
                    hand.reserved.store(reserved - 1, Relaxed);
                    claim.settle(number);
                    (number, true)
                }
            },
        )
    }

    /// Sees to it that the next state of a thread can be added.
    #[inline]
    fn prepare(&self, hand: &Hand<W>) -> Result<(), Refused> {
        if hand.shelf.len() >= self.most {
            return Err(Refused::Limit(Exhausted::States));
        }
        if hand.shelf.lacks_room() {
            self.add_chunk(hand)?;
        }
        if hand.reserved.load(Relaxed) == 0 {
            self.reserve(hand)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn add_chunk(&self, hand: &Hand<W>) -> Result<(), Refused> {
        let memory = self.memory().saturating_add(hand.shelf.chunk_memory());
        match memory <= self.limits.memory && hand.shelf.make_room() {
            true => Ok(()),
            false => Err(Refused::Limit(Exhausted::Memory)),
        }
    }

    #[inline(never)]
    fn reserve(&self, hand: &Hand<W>) -> Result<(), Refused> {
        // The last ones are shared out in small blocks, so that they are all used.
        let share = |spare: usize| spare.min((spare / self.hands.len() / 2).clamp(1, BLOCK));
        let less = |spare: usize| (spare > 0).then(|| spare - share(spare));
        match self.spare.fetch_update(Relaxed, Relaxed, less) {
            Ok(spare) => {
                hand.reserved.store(share(spare), Relaxed);
                Ok(())
            }
            Err(_) => Err(Refused::Full),
        }
    }

    /// Makes the table larger.
    #[inline(never)]
    pub fn grow(&mut self) -> Result<(), Exhausted> {
        let buckets = self.table.len();
        // Large tables grow by less: the room is worth more than the time.
        let wanted = match buckets {
            0..0x4000 => buckets * 4,
            0x4000..0x4_0000 => buckets * 2,
            _ => buckets + buckets / 2,
        };
        let shelves = self.memory() - buckets * BUCKET;
        // Room for the states that the larger table is for.
        let spare = self.limits.memory.saturating_sub(shelves);
        let affordable = spare / (BUCKET + LANES * self.hands[0].shelf.bytes());
        let new = wanted.min(affordable.max(buckets + buckets / 16));
        if new * BUCKET <= spare && self.rebuild(new).is_ok() {
            return Ok(());
        }
        // What is there is filled up before giving up.
        self.rebuild(buckets)?;
        let fullest = buckets * LANES * FULLEST / 100;
        if self.len() >= fullest {
            return Err(Exhausted::Memory);
        }
        self.make_for(fullest)
    }

    /// Grows now if with so many more states it would have to.
    pub fn expect(&mut self, states: usize) -> Result<(), Exhausted> {
        match self.len() + states > self.full_at {
            true => self.grow(),
            false => Ok(()),
        }
    }

    /// From now on the table is full with so many states.
    fn make_for(&mut self, states: usize) -> Result<(), Exhausted> {
        let more = states.saturating_sub(self.len());
        self.full_at = states;
        *self.spare.get_mut() = more;
        for hand in &mut self.hands {
            *hand.reserved.get_mut() = 0;
            if !hand.shelf.expect(hand.shelf.len() as usize + more) {
                return Err(Exhausted::Memory);
            }
        }
        Ok(())
    }

    /// Replaces the table by one with as many buckets. Never two tables at a time.
    fn rebuild(&mut self, buckets: usize) -> Result<(), Exhausted> {
        if buckets != self.table.len() {
            self.table = Table::default();
            self.make_for(0)?;
            self.table = Table::new(buckets).ok_or(Exhausted::Memory)?;
            if self.hands.len() > 1 && self.len() >= MANY {
                self.fill_together();
            } else {
                self.fill();
            }
        }
        self.make_for(buckets * LANES * FULL / 100)
    }

    /// Puts all states into an empty table.
    fn fill(&mut self) {
        for thread in 0..self.hands.len() {
            for start in (0..self.added(thread)).step_by(ROUND) {
                let (indexes, hashes) = self.round(thread, start);
                for (index, hash) in indexes.zip(hashes) {
                    let number = self.number(thread, index);
                    self.table.add(hash, number);
                }
            }
        }
    }

    /// As [`Store::fill`], each thread its own states.
    fn fill_together(&self) {
        let fill = |thread: usize| {
            for start in (0..self.added(thread)).step_by(ROUND) {
                let (indexes, hashes) = self.round(thread, start);
                for (index, hash) in indexes.zip(hashes) {
                    self.table.claim(hash).settle(self.number(thread, index));
                }
            }
        };
        thread::scope(|scope| {
            for thread in 1..self.hands.len() {
                let started = thread::Builder::new()
                    .name("search".into())
                    .spawn_scoped(scope, move || fill(thread));
                if started.is_err() {
                    fill(thread);
                }
            }
            fill(0);
        });
    }

    /// Some states of a thread and their hashes, for which the buckets are near.
    fn round(&self, thread: usize, start: u32) -> (Range<u32>, [u64; ROUND]) {
        let indexes = start..self.added(thread).min(start + ROUND as u32);
        let mut hashes = [0; ROUND];
        for (index, known) in indexes.clone().zip(&mut hashes) {
            *known = hash(&self.hands[thread].shelf.load(index));
        }
        self.table.touch(&hashes);
        (indexes, hashes)
    }

    /// As [`Store::insert_all`] by the only thread there is; the table grows.
    pub fn add_all(
        &mut self,
        batch: &mut Batch<W>,
        mut new: impl FnMut(u32, &[u64; W]),
    ) -> Result<(), Exhausted> {
        loop {
            match self.insert_all(0, batch, &mut new) {
                Ok(()) => return Ok(()),
                Err(Refused::Full) => self.grow()?,
                Err(Refused::Limit(limit)) => return Err(limit),
            }
        }
    }

    /// Finds or inserts the states of a batch. Afterwards `batch.ids` has their numbers; `new` is called with those
    /// that are new. If that ends early the same batch can be given again.
    ///
    /// The work is done in steps over a part of the batch, so that the processor can wait for the memory that each
    /// state needs at the same time.
    #[inline]
    pub fn insert_all(
        &self,
        thread: usize,
        batch: &mut Batch<W>,
        mut new: impl FnMut(u32, &[u64; W]),
    ) -> Result<(), Refused> {
        batch.ids.clear();
        batch.ids.resize(batch.words.len(), UNKNOWN);
        let parts = batch.words.chunks(PART).zip(batch.hashes.chunks(PART));
        for ((words, hashes), ids) in parts.zip(batch.ids.chunks_mut(PART)) {
            self.find_all(words, hashes, ids);
            for ((words, hash), id) in words.iter().zip(hashes).zip(ids) {
                if *id == UNKNOWN {
                    let (number, is_new) = self.insert(thread, words, *hash)?;
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
        self.table.touch(hashes);
        let mut seen = 0;
        for (id, hash) in ids.iter_mut().zip(hashes) {
            if let Some(candidate) = self.table.candidate(*hash) {
                *id = candidate;
                let (thread, index) = self.origin(candidate);
                seen ^= self.hands[thread].shelf.touch(index);
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

#[cfg(test)]
mod tests;
