//! The marks of strong fairness that is about edges: who takes one of them does more than to move.

use rustc_hash::FxHashMap;

use super::marks::{Marks, Side, insert};
use crate::engine::space::{Space, StateId, StrongFairness, Transition};

/// Numbers for a process that moves, together with the marks of pairs that its step has.
pub struct Movers {
    /// Smaller numbers are processes, and there is nothing more to their steps.
    pub processes: u32,
    /// The marks of edges: where the atom holds.
    of_edge: FxHashMap<(u32, u32), Vec<(u32, usize)>>,
    /// The marks of whatever step.
    of_any: Vec<(u32, usize)>,
    process_marks: Vec<u32>,
    words: usize,
    ids: FxHashMap<(u32, Vec<u32>), u32>,
    /// Sets of marks, one after the other.
    sets: Vec<u64>,
}

impl Movers {
    /// Those of some pairs, whose marks begin with those of pair number `first`.
    pub fn new(
        pairs: &[StrongFairness],
        first: usize,
        marks: &Marks,
        space: &mut (impl Space + ?Sized),
    ) -> Movers {
        let processes = space.processes() as u32;
        let mut movers = Movers {
            processes,
            of_edge: FxHashMap::default(),
            of_any: Vec::new(),
            process_marks: (0..processes).map(|p| marks.process(p)).collect(),
            words: marks.words,
            ids: FxHashMap::default(),
            sets: Vec::new(),
        };
        for (i, pair) in pairs.iter().enumerate() {
            for (side, what) in [(Side::Given, &pair.given), (Side::Then, &pair.then)] {
                let mark = (marks.pair(first + i, side), space.atom(&what.when));
                match &what.edges {
                    None => movers.of_any.push(mark),
                    Some(edges) => {
                        for edge in edges {
                            movers.of_edge.entry(*edge).or_default().push(mark);
                        }
                    }
                }
            }
        }
        movers
    }

    /// Whether there are no such marks.
    pub fn is_empty(&self) -> bool {
        self.of_edge.is_empty() && self.of_any.is_empty()
    }

    /// The number for a transition out of a state.
    pub fn id(
        &mut self,
        state: StateId,
        transition: &Transition,
        space: &mut (impl Space + ?Sized),
    ) -> u32 {
        let edge = (transition.process, transition.edge);
        let of_edge = (!transition.is_stutter())
            .then(|| self.of_edge.get(&edge))
            .flatten();
        let marks: Vec<u32> = (of_edge.into_iter().flatten())
            .chain(&self.of_any)
            .filter(|(_, atom)| space.holds(state, *atom))
            .map(|(mark, _)| *mark)
            .collect();
        if marks.is_empty() {
            return transition.process;
        }
        let fresh = self.processes + self.ids.len() as u32;
        let id = *self
            .ids
            .entry((transition.process, marks.clone()))
            .or_insert(fresh);
        if id == fresh {
            let mut set = vec![0; self.words];
            marks.iter().for_each(|mark| insert(&mut set, *mark));
            if !transition.is_stutter() {
                insert(&mut set, self.process_marks[transition.process as usize]);
            }
            self.sets.extend(set);
        }
        id
    }

    /// The marks of a number that is no process.
    pub fn marks(&self, mover: u32) -> &[u64] {
        let at = (mover - self.processes) as usize;
        &self.sets[at * self.words..(at + 1) * self.words]
    }
}
