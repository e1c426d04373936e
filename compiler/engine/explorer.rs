//! A compiled System together with what has been found of its state space.

use super::code::Scratch;
use super::model::CompiledSystem;
use super::outlook::Outlook;
use super::recent::Recent;
use super::shortcuts::Shortcuts;
use super::space::{Exhausted, StateId};
use super::store::{Batch, Limits, Refused, Store, hash};
use crate::system::System;
use crate::system::state::{self, State};

/// A model and its states, in levels.
///
/// While the safety search runs, each thread numbers the states that it finds by the fewest faults that lead to them and
/// then the fewest steps: each [`Level`] is a range of the states of each thread. So the distance of a state costs no memory
/// of its own.
pub struct Explorer<'a, const W: usize> {
    /// What is explored.
    pub system: &'a System,
    /// Its code.
    pub model: CompiledSystem,
    /// How its search is made smaller.
    pub shortcuts: Shortcuts,
    /// The states.
    pub store: Store<W>,
    /// For each thread what it has lately come across.
    pub recent: Vec<Recent<W>>,
    /// The levels, in order of (faults, steps).
    pub levels: Vec<Level>,
    /// For each level and each thread, one past the last state that it found.
    ends: Vec<u32>,
    /// How many initial states there are.
    pub starts: u32,
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

impl<'a, const W: usize> Explorer<'a, W> {
    /// One that knows the initial states only, to be explored by so many threads.
    pub fn new(
        system: &'a System,
        model: CompiledSystem,
        shortcuts: Shortcuts,
        limits: Limits,
        threads: usize,
    ) -> Result<Self, Exhausted> {
        Self::of_part(system, model, shortcuts, limits, threads, |_| true)
    }

    /// One that is to have only the states with some hashes.
    pub fn of_part(
        system: &'a System,
        model: CompiledSystem,
        shortcuts: Shortcuts,
        limits: Limits,
        threads: usize,
        owns: impl Fn(u64) -> bool,
    ) -> Result<Self, Exhausted> {
        let store = Store::new(model.layout.bytes, limits, threads)?;
        let mut explorer = Explorer {
            system,
            scratch: model.scratch(),
            model,
            shortcuts,
            store,
            recent: (0..threads).map(|_| Recent::default()).collect(),
            levels: Vec::new(),
            ends: Vec::new(),
            starts: 0,
            transitions: 0,
            complete: false,
            peak: 0,
            batch: Batch::default(),
        };
        let mut room = explorer.shortcuts.room();
        for state in state::initials(system) {
            let mut words = explorer.pack(&state);
            explorer.shortcuts.arrange(&mut words, &mut room);
            let hash = hash(&words);
            if !owns(hash) {
                continue;
            }
            while let Err(refused) = explorer.store.insert(0, &words, hash) {
                match refused {
                    Refused::Full => explorer.store.grow()?,
                    Refused::Limit(limit) => return Err(limit),
                }
            }
        }
        explorer.starts = explorer.store.added(0);
        explorer.end_level(Level {
            faults: 0,
            steps: 0,
        })?;
        Ok(explorer)
    }

    /// A state, packed.
    pub fn pack(&self, state: &State) -> [u64; W] {
        let mut words = [0; W];
        let layout = &self.model.layout;
        layout.pack(state, &mut words[..layout.words]);
        words
    }

    /// The initial states: thread 0 has added them before all others.
    pub fn initials(&self) -> impl Iterator<Item = StateId> + use<W> {
        self.store.numbers(0, 0..self.starts)
    }

    /// The first initial state that a state stands for, and the codes that tell it from the others.
    pub fn start(&self, words: &[u64; W]) -> Option<(Vec<i64>, [u64; W])> {
        let mut room = self.shortcuts.room();
        state::initials(self.system).find_map(|state| {
            let packed = self.pack(&state);
            let mut arranged = packed;
            self.shortcuts.arrange(&mut arranged, &mut room);
            (arranged == *words).then(|| (state::start_codes(self.system, &state), packed))
        })
    }

    /// How many states have been found.
    pub fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// The memory in use.
    pub fn memory(&self) -> usize {
        let recent: usize = self.recent.iter().map(Recent::memory).sum();
        self.store.memory()
            + recent
            + self.levels.capacity() * size_of::<Level>()
            + self.ends.capacity() * 4
    }

    /// Ends a level: it has all states that have been found since the last one. Returns whether there are any.
    pub fn add_level(&mut self, level: Level) -> Result<bool, Exhausted> {
        let threads = self.store.threads();
        let begins = self.ends.len() - self.ends.len().min(threads);
        let known: u64 = self.ends[begins..].iter().map(|e| u64::from(*e)).sum();
        if known == self.states() {
            return Ok(false);
        }
        self.end_level(level)?;
        Ok(true)
    }

    /// Ends a level, which may have no states here.
    pub fn end_level(&mut self, level: Level) -> Result<(), Exhausted> {
        let threads = self.store.threads();
        let room = self.levels.try_reserve(1);
        room.and_then(|()| self.ends.try_reserve(threads))
            .map_err(|_| Exhausted::Memory)?;
        self.levels.push(level);
        self.ends.extend((0..threads).map(|t| self.store.added(t)));
        self.peak = self.peak.max(self.memory());
        Ok(())
    }

    /// How large the search will be, as far as its levels tell: if it goes by steps alone.
    pub fn outlook(&self) -> Option<Outlook> {
        let threads = self.store.threads();
        let ends = self.ends.chunks(threads);
        let ends = ends.map(|ends| ends.iter().map(|end| u64::from(*end)).sum());
        let sizes: Vec<u64> = ends
            .scan(0, |before, end: u64| {
                Some(end - std::mem::replace(before, end))
            })
            .collect();
        (self.levels.last()?.faults == 0).then(|| Outlook::new(&sizes))
    }

    /// The position of the level at a distance, if there is one.
    pub fn level(&self, level: Level) -> Option<usize> {
        self.levels.binary_search(&level).ok()
    }

    /// The states of a level that a thread found, as it counts them.
    pub fn range(&self, level: usize, thread: usize) -> std::ops::Range<u32> {
        let threads = self.store.threads();
        let start = match level {
            0 => 0,
            _ => self.ends[(level - 1) * threads + thread],
        };
        start..self.ends[level * threads + thread]
    }

    /// Whether a state belongs to a level.
    pub fn is_in(&self, level: usize, number: StateId) -> bool {
        let (thread, index) = self.store.origin(number);
        self.range(level, thread).contains(&index)
    }

    /// The states of a level.
    pub fn states_of(&self, level: usize) -> impl Iterator<Item = StateId> + use<W> {
        let threads = 0..self.store.threads();
        let found: Vec<_> = threads
            .map(|thread| self.store.numbers(thread, self.range(level, thread)))
            .collect();
        found.into_iter().flatten()
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
