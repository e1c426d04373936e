//! A model together with what has been found of its state space.

use super::code::Scratch;
use super::model::Model;
use super::space::{Exhausted, INITIAL};
use super::store::{Batch, Limits, Store, hash};
use crate::weave::System;

/// A model and its states, in layers.
///
/// As long as the safety search runs, states are numbered by the fewest faults that lead to them and then the fewest
/// steps: each [`Level`] is a range of numbers. So the distance of a state costs no memory of its own.
pub struct Explorer<'a, const W: usize> {
    /// What is explored.
    pub system: &'a System,
    /// Its code.
    pub model: Model,
    /// The states.
    pub store: Store<W>,
    /// The levels, in order of (faults, steps).
    pub levels: Vec<Level>,
    /// How many transitions have been taken.
    pub transitions: u64,
    /// Whether all states have been found.
    pub complete: bool,
    /// The most memory it has used.
    pub peak: usize,
    /// Room for running code.
    pub scratch: Scratch,
    /// Successors to be looked up.
    pub batch: Batch<W>,
}

/// The states at one distance from the initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The fewest fault injections that lead to them.
    pub faults: u32,
    /// The fewest steps with so many faults.
    pub steps: u32,
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl<'a, const W: usize> Explorer<'a, W> {
    /// One that knows the initial state only.
    pub fn new(system: &'a System, model: Model, limits: Limits) -> Result<Self, Exhausted> {
        let mut store = Store::new(model.layout.bytes, limits)?;
        let mut words = [0; W];
        words[..model.initial.len()].copy_from_slice(&model.initial);
        let (id, _) = store.insert(&words, hash(&words))?;
        debug_assert_eq!(id, INITIAL);
        Ok(Explorer {
            system,
            scratch: model.scratch(),
            model,
            peak: store.memory(),
            store,
            levels: vec![Level {
                faults: 0,
                steps: 0,
                start: 0,
                end: 1,
            }],
            transitions: 0,
            complete: false,
            batch: Batch::default(),
        })
    }

    /// The memory in use.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.levels.capacity() * size_of::<Level>()
    }

    /// The level at a distance, if there is one.
    pub fn level(&self, faults: u32, steps: u32) -> Option<Level> {
        let found = self
            .levels
            .binary_search_by_key(&(faults, steps), |l| (l.faults, l.steps));
        found.ok().map(|i| self.levels[i])
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
