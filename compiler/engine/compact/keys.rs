//! A state as one number: its two halves are numbered, each by itself.
//!
//! What processes and variables do is mostly not decided by each other, so ten million states have some ten thousand left
//! and right halves. (This is tree compression with a tree of one level: A. Laarman, J. van de Pol and M. Weber, "Parallel
//! Recursive State Compression for Free", 2011.) Where the states are cut is found by trying with those that there are.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Refused;
use crate::engine::space::Exhausted;
use crate::engine::store::{Limits, Store, hash};

/// So many states are looked at to find where to cut.
const SAMPLE: usize = 20_000;

/// Where to cut is found for so many states.
const MANY: f64 = 16e6;

/// So many cuts are tried.
const CUTS: usize = 16;

/// States as numbers: that of the left half above, that of the right one in the lower 32 bits.
pub struct Keys<const W: usize> {
    /// The bits of each half.
    masks: [[u64; W]; 2],
    halves: [Store<W>; 2],
    /// Whether a half has no room for more.
    full: [AtomicBool; 2],
    /// How many bits of either number are mixed.
    widths: [u32; 2],
    /// The bits above them that are in use, in the order in which they came: of which half, and its weight in a key.
    upper: Vec<u64>,
    /// The bits of a key that are not in use yet.
    beyond: u64,
    /// Whether there are mixed keys.
    is_in_use: bool,
}

impl<const W: usize> Keys<W> {
    /// For states of so many bytes like these.
    pub fn new(bytes: usize, like: &[[u64; W]], threads: usize) -> Result<Self, Exhausted> {
        let left = cut(bytes, like);
        let mut right = left.map(|word| !word);
        right[bytes.div_ceil(8)..].fill(0);
        let half = || Store::new(bytes, Limits::NONE, threads);
        Ok(Keys {
            masks: [left, right],
            halves: [half()?, half()?],
            full: Default::default(),
            widths: [1, 1],
            upper: Vec::new(),
            beyond: u64::MAX,
            is_in_use: false,
        })
    }

    /// How many halves there are.
    pub fn halves(&self) -> usize {
        self.halves[0].len() + self.halves[1].len()
    }

    /// The memory it takes.
    pub fn memory(&self) -> usize {
        self.halves[0].memory() + self.halves[1].memory()
    }

    /// Makes the halves of states known, whatever numbers they get.
    pub fn learn(&mut self, words: &[u64; W]) -> Result<(), Exhausted> {
        for (half, mask) in self.halves.iter_mut().zip(&self.masks) {
            let masked = and(words, mask);
            while let Err(refused) = half.insert(0, &masked, hash(&masked)) {
                match refused {
                    Refused::Full => half.grow()?,
                    Refused::Limit(limit) => return Err(limit),
                }
            }
        }
        Ok(())
    }

    /// The key of a state, whose halves are added by a thread if they are new.
    #[inline]
    pub fn insert(&self, thread: usize, words: &[u64; W]) -> Result<u64, Refused> {
        let mut key = 0;
        for half in 0..2 {
            let masked = and(words, &self.masks[half]);
            match self.halves[half].insert(thread, &masked, hash(&masked)) {
                Ok((number, _)) => key = key << 32 | u64::from(number),
                Err(refused) => return Err(self.refuse(half, refused)),
            }
        }
        match key & self.beyond {
            0 => Ok(key),
            _ => Err(Refused::Full),
        }
    }

    /// Notes which half is full.
    #[cold]
    fn refuse(&self, half: usize, refused: Refused) -> Refused {
        if refused == Refused::Full {
            self.full[half].store(true, Relaxed);
        }
        refused
    }

    /// The key of a state whose halves are known.
    pub fn find(&self, words: &[u64; W]) -> Option<u64> {
        let mut key = 0;
        for (half, mask) in self.halves.iter().zip(&self.masks) {
            let masked = and(words, mask);
            key = key << 32 | u64::from(half.find(&masked, hash(&masked))?);
        }
        Some(key)
    }

    /// The state with a key.
    #[inline]
    pub fn words(&self, key: u64) -> [u64; W] {
        let mut words = self.halves[0].load((key >> 32) as u32);
        let right = self.halves[1].load(key as u32);
        words
            .iter_mut()
            .zip(right)
            .for_each(|(word, other)| *word |= other);
        words
    }

    /// How many bits a mixed key has.
    pub fn bits(&self) -> u32 {
        self.widths[0] + self.widths[1] + self.upper.len() as u32
    }

    /// A key of so many bits for each key, such that all are about equally likely. Bits that came into use later are the
    /// lowest: keys that were mixed before only get zeros behind.
    #[inline]
    pub fn mix(&self, key: u64) -> u64 {
        let [left, right] = self.widths;
        let bits = left + right;
        let mask = u64::MAX >> (64 - bits);
        let low = (key >> 32 & ((1 << left) - 1)) << right | key & ((1 << right) - 1);
        let half = bits.div_ceil(2);
        let mut mixed = low;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        if self.upper.is_empty() {
            return mixed;
        }
        let (mut above, mut other) = (0, 0);
        for (bit, weight) in self.upper.iter().enumerate() {
            let is_set = u64::from(key & weight != 0);
            // The bit that came last is the lowest one; what shifts the rest about does not depend on those to come.
            above = above << 1 | is_set;
            other |= is_set << bit;
        }
        // So nothing piles up.
        let shift = other.wrapping_mul(0xa24b_aed4_963e_e407) >> (64 - bits);
        (mixed.wrapping_add(shift) & mask) << self.upper.len() | above
    }

    /// Takes as many bits into use as the numbers that there are need, and `slack` more for those to come; how many more than
    /// before. As long as nobody has a mixed key, all are mixed.
    pub fn widen(&mut self, slack: u32) -> u32 {
        let first = !std::mem::replace(&mut self.is_in_use, true);
        let mut more = 0;
        for half in 0..2 {
            let store = &self.halves[half];
            let highest = (0..store.threads())
                .filter_map(|thread| {
                    Some(store.number(thread, store.added(thread).checked_sub(1)?))
                })
                .max();
            let needed = (32 - highest.unwrap_or(0).leading_zeros() + slack).clamp(1, 32);
            let place = 32 * (1 - half as u32);
            if first {
                self.widths[half] = needed;
            }
            for bit in 0..needed {
                let weight = 1 << (place + bit);
                if self.beyond & weight != 0 {
                    self.beyond &= !weight;
                    if !first {
                        self.upper.push(weight);
                        more += 1;
                    }
                }
            }
        }
        more
    }

    /// Whether a number of a half needs a bit that is not in use.
    pub fn is_narrow(&self) -> bool {
        [32, 0].into_iter().zip(&self.halves).any(|(place, store)| {
            (0..store.threads()).any(|thread| match store.added(thread) {
                0 => false,
                added => u64::from(store.number(thread, added - 1)) << place & self.beyond != 0,
            })
        })
    }

    /// Lets the tables of halves grow that have to.
    pub fn grow(&mut self) -> Result<(), Exhausted> {
        for (half, full) in self.halves.iter_mut().zip(&mut self.full) {
            if std::mem::take(full.get_mut()) {
                half.grow()?;
            }
        }
        Ok(())
    }
}

#[inline]
fn and<const W: usize>(words: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|i| words[i] & mask[i])
}

/// The bits of the left half.
fn cut<const W: usize>(bytes: usize, like: &[[u64; W]]) -> [u64; W] {
    let bits = bytes * 8;
    let step = (like.len() / SAMPLE).max(1);
    let below = |cut: usize| -> [u64; W] {
        std::array::from_fn(|word| match cut.saturating_sub(word * 64) {
            0 => 0,
            64.. => u64::MAX,
            some => (1 << some) - 1,
        })
    };
    let sample: Vec<&[u64; W]> = like.iter().step_by(step).collect();
    let cost = |mask: &[u64; W]| {
        let others = mask.map(|word| !word);
        let [left, right] = [mask, &others].map(|mask| expected(&sample, mask));
        // Bits of a key, and what each state has to bear of the halves.
        let shared = (left + right) * ((bytes + 8) * 8) as f64 / MANY;
        (left.log2() + right.log2() + shared) as u64
    };
    let cuts = (1..CUTS).map(|part| below(bits * part / CUTS));
    cuts.min_by_key(cost).unwrap_or_else(|| below(bits / 2))
}

/// How many different halves many states may have, judging by how their number grew among the states that there are.
fn expected<const W: usize>(sample: &[&[u64; W]], mask: &[u64; W]) -> f64 {
    let mut halves = HashSet::new();
    let mut early = 1;
    for (place, words) in sample.iter().enumerate() {
        halves.insert(and(words, mask));
        if place < sample.len() / 4 {
            early = halves.len();
        }
    }
    let all = halves.len().max(1) as f64;
    // Four times as many states, so many times as many halves.
    let growth = all / early as f64;
    let fourfold = (MANY / sample.len().max(1) as f64).log2() / 2.0;
    (all * growth.powf(fourfold)).min(MANY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn keys_are_states_and_mixed_keys_are_keys() {
        let mut random = Random::new(3);
        let mut state = || {
            let mut part = |count: u64| random.any() % count;
            let low = part(40) | part(30) << 11 | part(60) << 40;
            [low, part(90) << 3]
        };
        let like: Vec<[u64; 2]> = (0..100).map(|_| state()).collect();
        let mut keys = Keys::new(9, &like, 3).unwrap();
        keys.widen(0);
        let mut mixed = HashSet::new();
        let mut states = HashSet::new();
        let mut ever = Vec::new();
        for round in 0..4000 {
            let words = [state()[0] & 0xffff_ffff_ffff, state()[1] & 0x7f];
            let key = loop {
                match keys.insert(round % 3, &words) {
                    Ok(key) => break key,
                    Err(_) => {
                        keys.grow().unwrap();
                        let more = keys.widen(0);
                        mixed = mixed.into_iter().map(|key: u64| key << more).collect();
                        for (key, words) in &ever {
                            assert_eq!(keys.words(*key), *words);
                            assert!(mixed.contains(&keys.mix(*key)));
                        }
                    }
                }
            };
            assert_eq!(keys.find(&words), Some(key));
            assert!(keys.mix(key) < 1 << keys.bits());
            if states.insert(words) {
                ever.push((key, words));
            }
            mixed.insert(keys.mix(key));
            assert_eq!(mixed.len(), states.len());
        }
        assert!(keys.upper.len() > 3, "{:?}", keys.upper);
    }
}
