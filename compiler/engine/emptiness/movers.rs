//! The marks of strong fairness that is about edges: who takes one of them does more than to move.

use rustc_hash::FxHashMap;

use super::marks::{Marks, Side, insert};
use crate::engine::space::{Space, StateId, Transition};
use crate::system::StrongFairness;

/// Numbers for a process that moves, together with the marks of pairs that its step has.
pub struct Movers {
    /// Smaller numbers are processes, and there is nothing more to their steps.
    pub processes: u32,
    /// By process and edge, as far as there are any: its marks, and where each atom of them holds.
    of_edge: Vec<Vec<Option<OfEdge>>>,
    /// The marks of whatever step out of a state in which an atom holds.
    of_state: Vec<(u32, usize)>,
    process_marks: Vec<u32>,
    words: usize,
    ids: FxHashMap<(u32, Vec<u32>), u32>,
    /// Sets of marks, one after the other.
    sets: Vec<u64>,
}

/// What there is to an edge.
#[derive(Clone, Default)]
struct OfEdge {
    /// Its number, if that is the same in every state.
    fixed: Option<u32>,
    /// Marks, with the atom that must hold if there is one.
    marks: Vec<(u32, Option<usize>)>,
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
            of_edge: vec![Vec::new(); processes as usize],
            of_state: Vec::new(),
            process_marks: (0..processes).map(|p| marks.process(p)).collect(),
            words: marks.words,
            ids: FxHashMap::default(),
            sets: Vec::new(),
        };
        for (i, pair) in pairs.iter().enumerate() {
            for (side, what) in [(Side::Given, &pair.given), (Side::Then, &pair.then)] {
                let mark = marks.pair(first + i, side);
                let Some(edges) = &what.edges else {
                    movers.of_state.push((mark, space.atom(&what.when)));
                    continue;
                };
                let atom = (!what.when.is_yes()).then(|| space.atom(&what.when));
                for (process, edge) in edges {
                    let of = &mut movers.of_edge[*process as usize];
                    of.resize(of.len().max(*edge as usize + 1), None);
                    let of = of[*edge as usize].get_or_insert_default();
                    of.marks.push((mark, atom));
                }
            }
        }
        for process in 0..processes {
            for edge in 0..movers.of_edge[process as usize].len() {
                let Some(of) = &movers.of_edge[process as usize][edge] else {
                    continue;
                };
                if of.marks.iter().all(|(_, atom)| atom.is_none()) {
                    let marks = of.marks.iter().map(|(mark, _)| *mark).collect();
                    let id = movers.number(process, marks);
                    movers.of_edge[process as usize][edge] = Some(OfEdge {
                        fixed: Some(id),
                        marks: Vec::new(),
                    });
                }
            }
        }
        movers
    }

    /// Adds the marks of whatever step out of a state.
    pub fn add_state(&self, state: StateId, set: &mut [u64], space: &mut (impl Space + ?Sized)) {
        for (mark, atom) in &self.of_state {
            if space.holds(state, *atom) {
                insert(set, *mark);
            }
        }
    }

    /// The number for a transition out of a state.
    #[inline]
    pub fn id(
        &mut self,
        state: StateId,
        transition: &Transition,
        space: &mut (impl Space + ?Sized),
    ) -> u32 {
        if transition.is_stutter() {
            return transition.process;
        }
        let edges = &self.of_edge[transition.process as usize];
        let Some(Some(of)) = edges.get(transition.edge as usize) else {
            return transition.process;
        };
        if let Some(fixed) = of.fixed {
            return fixed;
        }
        let marks: Vec<u32> = (of.marks.iter())
            .filter(|(_, atom)| atom.is_none_or(|atom| space.holds(state, atom)))
            .map(|(mark, _)| *mark)
            .collect();
        match marks.is_empty() {
            true => transition.process,
            false => self.number(transition.process, marks),
        }
    }

    /// The number of a process and marks.
    fn number(&mut self, process: u32, marks: Vec<u32>) -> u32 {
        let fresh = self.processes + self.ids.len() as u32;
        let id = *self.ids.entry((process, marks.clone())).or_insert(fresh);
        if id == fresh {
            let mut set = vec![0; self.words];
            marks.iter().for_each(|mark| insert(&mut set, *mark));
            insert(&mut set, self.process_marks[process as usize]);
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
