//! A compiled System together with what has been found of its state space.

use super::code::Scratch;
use super::disk::Disk;
use super::known::Known;
use super::model::CompiledSystem;
use super::outlook::Outlook;
use super::recent::Recent;
use super::shortcuts::Shortcuts;
use super::space::{Exhausted, StateId};
use super::store::{Batch, Limits, Refused, hash};
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
    pub known: Known<'a, W>,
    /// For each thread what it has lately come across.
    pub recent: Vec<Recent<W>>,
    /// Where states go that do not fit into memory.
    pub disk: Option<&'a dyn Disk>,
    /// With more states than this they are stored in few bytes, if they may be at all.
    pub few: Option<u64>,
    /// The levels, in order of (faults, steps).
    pub levels: Vec<Level>,
    /// One of the initial states, if there is any.
    pub first: Option<[u64; W]>,
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
        let known = Known::new(model.layout.bytes, limits, threads)?;
        let mut explorer = Explorer {
            system,
            scratch: model.scratch(),
            model,
            shortcuts,
            known,
            recent: (0..threads).map(|_| Recent::default()).collect(),
            disk: None,
            few: None,
            levels: Vec::new(),
            first: None,
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
            explorer.first.get_or_insert(words);
            while let Err(refused) = explorer.known.store.insert(0, &words, hash) {
                match refused {
                    Refused::Full => explorer.known.grow()?,
                    Refused::Limit(limit) => return Err(limit),
                }
            }
        }
        explorer.starts = explorer.known.store.added(0);
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

    /// The numbers of the initial states, in the order of their declaration; of two that count as one that comes twice.
    pub fn initials(&self) -> Vec<u64> {
        let mut room = self.shortcuts.room();
        let initials = state::initials(self.system).filter_map(|state| {
            let mut words = self.pack(&state);
            self.shortcuts.arrange(&mut words, &mut room);
            self.known.find(&words, hash(&words))
        });
        initials.collect()
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
        self.known.len()
    }

    /// The memory in use.
    pub fn memory(&self) -> usize {
        let recent: usize = self.recent.iter().map(Recent::memory).sum();
        self.known.memory() + recent + self.levels.capacity() * size_of::<Level>()
    }

    /// Ends a level: it has all states that have been found since the last one. Returns whether there are any.
    pub fn add_level(&mut self, level: Level) -> Result<bool, Exhausted> {
        self.peak = self.peak.max(self.memory());
        let room = self.levels.try_reserve(1);
        room.map_err(|_| Exhausted::Memory)?;
        let added = self.known.end_level(false)?;
        if added > 0 {
            self.levels.push(level);
        }
        Ok(added > 0)
    }

    /// Ends a level, which may have no states here.
    pub fn end_level(&mut self, level: Level) -> Result<(), Exhausted> {
        let room = self.levels.try_reserve(1);
        room.map_err(|_| Exhausted::Memory)?;
        self.known.end_level(true)?;
        self.levels.push(level);
        self.peak = self.peak.max(self.memory());
        Ok(())
    }

    /// Stores states in few bytes from now on, if they have become many.
    pub fn make_compact(&mut self) -> Result<(), Exhausted> {
        let share = if self.disk.is_some() { 16 } else { 4 };
        match self.few {
            Some(few) if self.known.are_many(few, share) => {
                self.known.make_compact(self.levels.len(), self.disk)
            }
            _ => Ok(()),
        }
    }

    /// The numbered states of a level.
    pub fn states_of(&self, level: usize) -> impl Iterator<Item = StateId> + use<W> {
        let threads = 0..self.known.threads();
        let found: Vec<_> = threads
            .map(|thread| {
                let range = self.known.range(level, thread);
                self.known.store.numbers(thread, range)
            })
            .collect();
        found.into_iter().flatten()
    }

    /// How large the search will be, as far as its levels tell: if it goes by steps alone.
    pub fn outlook(&self) -> Option<Outlook> {
        let size = |level: usize| {
            let pieces = self.known.pieces(level).into_iter();
            pieces
                .map(|piece| u64::from(self.known.states_of(&piece)))
                .sum()
        };
        let sizes: Vec<u64> = (0..self.levels.len()).map(size).collect();
        (self.levels.last()?.faults == 0).then(|| Outlook::new(&sizes))
    }

    /// The position of the level at a distance, if there is one.
    pub fn level(&self, level: Level) -> Option<usize> {
        self.levels.binary_search(&level).ok()
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
