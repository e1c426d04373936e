//! A model together with what has been found of its state space.

use super::code::Scratch;
use super::model::Model;
use super::shortcuts::Shortcuts;
use super::space::Exhausted;
use super::store::{Batch, Limits, Store, hash};
use crate::weave::System;

/// A model and its states, in levels.
///
/// Each state belongs to one of a few stores, which its hash tells, so that as many threads can fill them without
/// asking each other. While the safety search runs, the states of a store are numbered by the fewest faults that lead
/// to them and then the fewest steps: each [`Level`] is a range of numbers. So the distance of a state costs no
/// memory of its own.
pub struct Explorer<'a, const W: usize> {
    /// What is explored.
    pub system: &'a System,
    /// Its code.
    pub model: Model,
    /// How its search is made smaller.
    pub shortcuts: Shortcuts,
    /// The states.
    pub stores: Vec<Store<W>>,
    /// How many threads fill the stores, at most as many as there are stores.
    pub threads: usize,
    /// The levels, in order of (faults, steps).
    pub levels: Vec<Level>,
    /// For each level and each store, one past its last state there.
    ends: Vec<u32>,
    /// How many transitions have been taken.
    pub transitions: u64,
    /// Whether all states have been found.
    pub complete: bool,
    /// The most memory it has used.
    pub peak: usize,
    /// Room for running code.
    pub scratch: Scratch,
    /// States to be looked up together.
    pub batch: Batch<W>,
}

/// The distance of states from the initial state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level {
    /// The fewest fault injections that lead to them.
    pub faults: u32,
    /// The fewest steps with so many faults.
    pub steps: u32,
}

/// Where a state is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// In which store.
    pub store: u32,
    /// Its number there.
    pub id: u32,
}

/// The store to which a state with a hash belongs.
#[inline]
pub fn store_of(hash: u64, stores: usize) -> usize {
    // Neither the bits that choose the bucket nor those of the tag.
    ((((hash >> 8) & 0xffff) * stores as u64) >> 16) as usize
}

impl<'a, const W: usize> Explorer<'a, W> {
    /// One that knows the initial state only, with a store for each thread.
    pub fn new(
        system: &'a System,
        model: Model,
        shortcuts: Shortcuts,
        limits: Limits,
        threads: usize,
    ) -> Result<Self, Exhausted> {
        let share = Limits {
            // All states together have numbers of 32 bits.
            states: limits.states.min(u64::from(u32::MAX - 1) / threads as u64),
            memory: limits.memory / threads,
        };
        let stores: Result<Vec<Store<W>>, Exhausted> = (0..threads)
            .map(|_| Store::new(model.layout.bytes, share))
            .collect();
        let mut explorer = Explorer {
            system,
            scratch: model.scratch(),
            model,
            shortcuts,
            stores: stores?,
            threads,
            levels: Vec::new(),
            ends: Vec::new(),
            transitions: 0,
            complete: false,
            peak: 0,
            batch: Batch::default(),
        };
        let mut words = explorer.initial();
        explorer
            .shortcuts
            .arrange(&mut words, &mut explorer.shortcuts.room());
        let hash = hash(&words);
        let store = store_of(hash, explorer.stores.len());
        explorer.stores[store].insert(&words, hash)?;
        explorer.add_level(Level {
            faults: 0,
            steps: 0,
        })?;
        Ok(explorer)
    }

    /// The initial state.
    pub fn initial(&self) -> [u64; W] {
        let mut words = [0; W];
        words[..self.model.initial.len()].copy_from_slice(&self.model.initial);
        words
    }

    /// How many states have been found.
    pub fn states(&self) -> u64 {
        self.stores.iter().map(|s| s.len() as u64).sum()
    }

    /// The memory in use.
    pub fn memory(&self) -> usize {
        let stores: usize = self.stores.iter().map(Store::memory).sum();
        stores + self.levels.capacity() * size_of::<Level>() + self.ends.capacity() * 4
    }

    /// Where a state is, if it is known.
    #[inline]
    pub fn find(&self, words: &[u64; W], hash: u64) -> Option<Place> {
        let store = store_of(hash, self.stores.len());
        self.stores[store].find(words, hash).map(|id| Place {
            store: store as u32,
            id,
        })
    }

    /// The state at a place.
    #[inline]
    pub fn load(&self, place: Place) -> [u64; W] {
        self.stores[place.store as usize].load(place.id)
    }

    /// Ends a level: it has all states that have been found since the last one. Returns whether there are any.
    pub fn add_level(&mut self, level: Level) -> Result<bool, Exhausted> {
        let begins = self.ends.len() - self.ends.len().min(self.stores.len());
        let known: u64 = self.ends[begins..].iter().map(|e| u64::from(*e)).sum();
        if known == self.states() {
            return Ok(false);
        }
        let room = self.levels.try_reserve(1);
        room.and_then(|()| self.ends.try_reserve(self.stores.len()))
            .map_err(|_| Exhausted::Memory)?;
        self.levels.push(level);
        self.ends.extend(self.stores.iter().map(|s| s.len() as u32));
        self.peak = self.peak.max(self.memory());
        Ok(true)
    }

    /// The position of the level at a distance, if there is one.
    pub fn level(&self, level: Level) -> Option<usize> {
        self.levels.binary_search(&level).ok()
    }

    /// The states of a level that are in a store.
    pub fn range(&self, level: usize, store: usize) -> std::ops::Range<u32> {
        let stores = self.stores.len();
        let start = match level {
            0 => 0,
            _ => self.ends[(level - 1) * stores + store],
        };
        start..self.ends[level * stores + store]
    }

    /// The states of a level.
    pub fn places(&self, level: usize) -> impl Iterator<Item = Place> + use<W> {
        let ranges: Vec<_> = (0..self.stores.len())
            .map(|store| (store as u32, self.range(level, store)))
            .collect();
        ranges
            .into_iter()
            .flat_map(|(store, ids)| ids.map(move |id| Place { store, id }))
    }

    /// The most steps of any level.
    pub fn depth(&self) -> u32 {
        self.levels.iter().map(|l| l.steps).max().unwrap_or(0)
    }

    /// Whether a state can be left by an edge that is no fault and no recovery.
    pub fn is_forced(&mut self, words: &[u64; W]) -> bool {
        (0..self.model.processes()).any(|p| self.model.can_move(words, p, &mut self.scratch))
    }
}
