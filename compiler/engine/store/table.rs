//! Which states are there: an open hash table of their numbers that threads fill together, after A. Laarman,
//! J. van de Pol and M. Weber, "Boosting Multi-Core Reachability Performance with Shared Hash Tables", 2010.
//!
//! Buckets have one cache line each: twelve numbers of states, and for each eight bits of its hash, so that a state
//! that is not there is hardly ever compared with another. Whoever adds a state first claims a lane, by setting its
//! tag in a word that has not changed since it was searched; then it writes the state; then the number. So of two
//! threads that add the same state one finds the other's tag, and waits for the number.

use std::convert::Infallible;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// States per bucket.
pub const LANES: usize = 12;

/// Lanes whose tags are in the first and the second word.
const HALVES: [usize; 2] = [8, 4];

/// Memory of a bucket.
pub const BUCKET: usize = size_of::<Bucket>();

/// The buckets.
#[derive(Default)]
pub struct Table {
    buckets: Vec<Bucket>,
}

#[repr(C, align(64))]
#[derive(Default)]
struct Bucket {
    /// A byte per lane, 0 if it is free; lanes are taken in order.
    tags: [AtomicU64; 2],
    /// One more than the number of the state, 0 while it is not known.
    numbers: [AtomicU32; LANES],
}

/// What a table says about a state.
pub enum Lookup<'t> {
    /// Its number.
    Known(u32),
    /// It is new, and its number belongs here.
    New(Claim<'t>),
}

/// A lane that has been claimed.
pub struct Claim<'t>(&'t AtomicU32);

impl Claim<'_> {
    /// Makes the number of a state known that has been written.
    #[inline]
    pub fn settle(self, number: u32) {
        self.0.store(number + 1, Release);
    }
}

#[inline]
fn tag(hash: u64) -> u64 {
    (hash & 0xff).max(1)
}

/// A bit for each byte of a word that may be the tag; sometimes also for one that is not.
#[inline]
fn matches(tags: u64, tag: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let differs = tags ^ tag.wrapping_mul(ONES);
    differs.wrapping_sub(ONES) & !differs & TOPS
}

impl Bucket {
    /// The number in a lane that has been claimed.
    #[inline]
    fn number(&self, lane: usize) -> u32 {
        let mut tries = 0;
        loop {
            match self.numbers[lane].load(Acquire) {
                // Whoever has claimed it is about to write it.
                0 if tries < 64 => std::hint::spin_loop(),
                0 => std::thread::yield_now(),
                number => return number - 1,
            }
            tries += 1;
        }
    }

    /// Claims the first free lane of those whose tags are in a word, if they are still these.
    #[inline]
    fn claim(&self, half: usize, tags: u64, tag: u64) -> Result<Claim<'_>, u64> {
        let taken = taken(tags);
        let with = tags | tag << (taken * 8);
        self.tags[half].compare_exchange(tags, with, Relaxed, Relaxed)?;
        Ok(Claim(&self.numbers[half * HALVES[0] + taken]))
    }

    /// The state among those whose tags are in a word that `is` says it is.
    #[inline]
    fn search(&self, half: usize, tags: u64, tag: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut candidates = matches(tags, tag);
        while candidates != 0 {
            let bit = candidates.trailing_zeros() & !7;
            if (tags >> bit) & 0xff == tag {
                let number = self.number(half * HALVES[0] + bit as usize / 8);
                if is(number) {
                    return Some(number);
                }
            }
            candidates &= candidates - 1;
        }
        None
    }
}

/// How many lanes of a word of tags are taken.
#[inline]
fn taken(tags: u64) -> usize {
    8 - tags.leading_zeros() as usize / 8
}

impl Table {
    /// An empty table, if there is memory.
    pub fn new(buckets: usize) -> Option<Table> {
        let mut table = Table::default();
        table.buckets.try_reserve_exact(buckets).ok()?;
        table.buckets.resize_with(buckets, Bucket::default);
        Some(table)
    }

    /// How many buckets there are.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The bucket to look into after one that is full.
    #[inline]
    fn after(&self, bucket: usize) -> usize {
        match bucket + 1 {
            next if next == self.buckets.len() => 0,
            next => next,
        }
    }

    /// The state with a hash that `is` says it is.
    pub fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut home = self.home(hash);
        loop {
            let bucket = self.buckets.get(home)?;
            for (half, lanes) in HALVES.into_iter().enumerate() {
                let tags = bucket.tags[half].load(Relaxed);
                if let Some(number) = bucket.search(half, tags, tag(hash), &is) {
                    return Some(number);
                }
                if taken(tags) < lanes {
                    return None;
                }
            }
            home = self.after(home);
        }
    }

    /// The state with a hash that `is` says it is, or a lane for it, of which there must be a free one. Before it is
    /// claimed `prepare` is asked.
    #[inline]
    pub fn find_or_claim<E>(
        &self,
        hash: u64,
        is: impl Fn(u32) -> bool,
        prepare: impl Fn() -> Result<(), E>,
    ) -> Result<Lookup<'_>, E> {
        let mut home = self.home(hash);
        loop {
            let bucket = &self.buckets[home];
            for (half, lanes) in HALVES.into_iter().enumerate() {
                let mut tags = bucket.tags[half].load(Relaxed);
                loop {
                    if let Some(number) = bucket.search(half, tags, tag(hash), &is) {
                        return Ok(Lookup::Known(number));
                    }
                    if taken(tags) == lanes {
                        break;
                    }
                    prepare()?;
                    match bucket.claim(half, tags, tag(hash)) {
                        Ok(claim) => return Ok(Lookup::New(claim)),
                        Err(now) => tags = now,
                    }
                }
            }
            home = self.after(home);
        }
    }

    /// A lane for a state that is not there.
    #[inline]
    pub fn claim(&self, hash: u64) -> Claim<'_> {
        let nothing = |_| false;
        match self.find_or_claim(hash, nothing, || Ok::<(), Infallible>(())) {
            Ok(Lookup::New(claim)) => claim,
            Ok(Lookup::Known(_)) => unreachable!("nothing was sought"),
        }
    }

    /// Adds a state that is not there, with the only access to the table.
    #[inline]
    pub fn add(&mut self, hash: u64, number: u32) {
        let mut home = self.home(hash);
        loop {
            let bucket = &mut self.buckets[home];
            for (half, lanes) in HALVES.into_iter().enumerate() {
                let tags = bucket.tags[half].get_mut();
                let taken = taken(*tags);
                if taken < lanes {
                    *tags |= tag(hash) << (taken * 8);
                    *bucket.numbers[half * HALVES[0] + taken].get_mut() = number + 1;
                    return;
                }
            }
            home = self.after(home);
        }
    }

    /// The first state that may be the one with a hash, judging by its home bucket alone.
    #[inline]
    pub fn candidate(&self, hash: u64) -> Option<u32> {
        let bucket = &self.buckets[self.home(hash)];
        for half in 0..2 {
            let lanes = matches(bucket.tags[half].load(Relaxed), tag(hash));
            if lanes != 0 {
                let lane = half * HALVES[0] + lanes.trailing_zeros() as usize / 8;
                return bucket.numbers[lane].load(Acquire).checked_sub(1);
            }
        }
        None
    }

    /// Reads a word of each bucket that is about to be needed: nothing depends on these reads, so the processor
    /// waits for all of them at the same time.
    #[inline]
    pub fn touch(&self, hashes: &[u64]) {
        let mut seen = 0;
        for hash in hashes {
            seen ^= self.buckets[self.home(*hash)].tags[0].load(Relaxed);
        }
        std::hint::black_box(seen);
    }
}
