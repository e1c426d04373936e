//! For every state the smallest sets of faults with which it is reached, all in one search: a featured transition system
//! whose features are the faults.
//!
//! Classen et al., "Featured Transition Systems", 2013. Pairs of a state and a set are found by the size of the set: first
//! all that is reached without faults, then with one fault, and so on. So a set that is noted for a state is never
//! made superfluous by a later one, and every pair is expanded once. Where every open question is answered by a
//! part of the set already, nothing new can come.

use super::fault_set::{FaultSet, Minimal};
use super::recorded::{NO_FAULT, Recorded};
use crate::engine::space::{Exhausted, Space, StateId};

/// What is sought: states, or steps out of them.
#[derive(Clone, Default, Debug)]
pub struct Goal {
    /// Each a state and the fault of the step, or [`NO_FAULT`]; sorted.
    pub places: Vec<(StateId, u8)>,
}

/// What a search found.
#[derive(Debug)]
pub struct SmallestSets {
    /// For each goal the smallest sets of faults with which it is met.
    pub sets: Vec<Minimal>,
    /// All sets with fewer faults than this are settled.
    pub settled: u32,
    /// Why the search ended early, if it did.
    pub ended: Option<Exhausted>,
    /// How many pairs of a state and a set there were.
    pub pairs: usize,
}

/// A set with which a state is reached.
struct Pair {
    state: StateId,
    /// The next one of the same state, plus 1.
    next: u32,
    set: FaultSet,
}

struct Search<'s, 'a> {
    space: &'s Recorded<'a>,
    goals: &'s [Goal],
    /// For each state its last pair, plus 1.
    heads: Vec<u32>,
    pairs: Vec<Pair>,
    sets: Vec<Minimal>,
}

/// After so many pairs the caller is asked whether to go on.
const POLL: usize = 1 << 16;

/// Searches for goals with all sets of `count` faults at once, within so many bytes.
pub fn search(
    space: &Recorded<'_>,
    goals: &[Goal],
    count: usize,
    memory: usize,
    stop: &dyn Fn() -> bool,
) -> SmallestSets {
    let mut search = Search {
        heads: vec![0; space.count()],
        pairs: Vec::new(),
        sets: vec![Minimal::default(); goals.len()],
        space,
        goals,
    };
    let mut found = SmallestSets {
        sets: Vec::new(),
        settled: u32::MAX,
        ended: None,
        pairs: 0,
    };
    let mut below = 0..0;
    for size in 0..=count as u32 {
        let first = search.pairs.len();
        if let Err(why) = search.layer(below, memory, stop) {
            found.ended = Some(why);
            found.settled = size;
            break;
        }
        below = first..search.pairs.len();
        if below.is_empty() {
            break;
        }
    }
    found.pairs = search.pairs.len();
    found.sets = search.sets;
    found
}

impl Search<'_, '_> {
    /// Finds all pairs with sets of a size from those that are smaller by one.
    fn layer(
        &mut self,
        below: std::ops::Range<usize>,
        memory: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Exhausted> {
        let mut next = self.pairs.len();
        if below.is_empty() {
            for initial in 0..self.space.starts() {
                self.note(initial, FaultSet::NONE);
            }
        }
        for index in below {
            let Pair { state, set, .. } = self.pairs[index];
            for step in self.space.steps(state) {
                let fault = self.space.fault(*step);
                if fault != NO_FAULT {
                    let more = set.and(FaultSet::one(fault.into()));
                    if more != set {
                        self.note(step.target, more);
                    }
                }
            }
        }
        while next < self.pairs.len() {
            if next.is_multiple_of(POLL) {
                let bytes = size_of::<Pair>() * self.pairs.capacity() + 4 * self.heads.capacity();
                if bytes > memory || self.pairs.len() >= u32::MAX as usize {
                    return Err(Exhausted::Memory);
                }
                if stop() {
                    return Err(Exhausted::Stopped);
                }
            }
            let Pair { state, set, .. } = self.pairs[next];
            next += 1;
            for step in self.space.steps(state) {
                let fault = self.space.fault(*step);
                if fault == NO_FAULT || set.includes(FaultSet::one(fault.into())) {
                    self.note(step.target, set);
                }
            }
        }
        Ok(())
    }

    /// Notes that a state is reached with a set, unless that is known or no longer of interest.
    fn note(&mut self, state: StateId, set: FaultSet) {
        let mut at = self.heads[state as usize];
        while at != 0 {
            let pair = &self.pairs[at as usize - 1];
            if set.includes(pair.set) {
                return;
            }
            at = pair.next;
        }
        if !self.sets.is_empty() && self.sets.iter().all(|sets| sets.covers(set)) {
            return;
        }
        for (goal, sets) in self.goals.iter().zip(&mut self.sets) {
            let from = goal.places.partition_point(|(place, _)| *place < state);
            for (_, fault) in goal.places[from..].iter().take_while(|(p, _)| *p == state) {
                let needs = match *fault {
                    NO_FAULT => set,
                    fault => set.and(FaultSet::one(fault.into())),
                };
                sets.add(needs);
            }
        }
        self.pairs.push(Pair {
            state,
            next: self.heads[state as usize],
            set,
        });
        self.heads[state as usize] = self.pairs.len() as u32;
    }
}

/// For each goal the fewest injections with which it is met, whichever faults they are of.
pub fn fewest_injections(space: &Recorded<'_>, goals: &[Goal]) -> Vec<Option<u32>> {
    const FAR: u32 = u32::MAX;
    let mut distance = vec![FAR; space.count()];
    let mut here: Vec<StateId> = (0..space.starts()).collect();
    here.iter().for_each(|state| distance[*state as usize] = 0);
    let mut injections = 0;
    while !here.is_empty() {
        let mut later = Vec::new();
        while let Some(state) = here.pop() {
            if distance[state as usize] != injections {
                continue;
            }
            for step in space.steps(state) {
                let more = injections + u32::from(space.injects(*step));
                if more < distance[step.target as usize] {
                    distance[step.target as usize] = more;
                    match more == injections {
                        true => here.push(step.target),
                        false => later.push(step.target),
                    }
                }
            }
        }
        here = later;
        injections += 1;
    }
    goals
        .iter()
        .map(|goal| {
            let places = goal.places.iter();
            let costs = places.map(|(state, fault)| {
                let needed = u32::from(*fault != NO_FAULT);
                distance[*state as usize].saturating_add(needed)
            });
            costs.min().filter(|cost| *cost < FAR)
        })
        .collect()
}
