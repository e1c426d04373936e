//! A state space as a stored graph with its edges in both directions.

use super::bits::Bits;
use crate::engine::emptiness::Stop;
use crate::engine::emptiness::components::{NOWHERE, components};
use crate::engine::emptiness::marks::{includes, insert, join, remove};
use crate::engine::space::{Exhausted, Space, StateId};
use crate::vocabulary::ProcessId;

/// All states and transitions.
pub struct Graph {
    processes: u32,
    /// The edges of state s are those from `first[s]` to `first[s + 1]`.
    first: Vec<u64>,
    edges: Vec<Edge>,
    /// The predecessors of state s are those from `first_in[s]` to `first_in[s + 1]`.
    first_in: Vec<u64>,
    sources: Vec<StateId>,
}

#[derive(Clone, Copy)]
struct Edge {
    target: StateId,
    /// Who moves, with [`FORCED`] if the edge is no fault.
    who: u32,
}

const FORCED: u32 = 1 << 31;
const NOBODY: u32 = FORCED - 1;

impl Graph {
    /// Explores everything.
    pub fn explore(space: &mut (impl Space + ?Sized), memory: usize) -> Result<Self, Stop> {
        let processes = space.processes() as u32;
        let words = (processes as usize).div_ceil(64);
        let mut first = vec![0];
        let mut edges = Vec::new();
        let mut out = Vec::new();
        while first.len() <= space.states() {
            let state = first.len() as u32 - 1;
            space.successors(state, &mut out).map_err(Stop::Exhausted)?;
            edges.extend(out.iter().map(|t| Edge {
                target: t.target,
                who: match t.is_stutter() {
                    true => NOBODY,
                    false if t.forced => t.process | FORCED,
                    false => t.process,
                },
            }));
            first.push(edges.len() as u64);
            // Both directions, and what a labelling needs for a while.
            let own = 12 * edges.len() + (64 + 8 * words) * first.len();
            if space.bytes() + own > memory {
                return Err(Stop::Exhausted(Exhausted::Memory));
            }
        }
        let states = first.len() - 1;
        let mut first_in = vec![0u64; states + 1];
        for edge in &edges {
            first_in[edge.target as usize + 1] += 1;
        }
        for s in 0..states {
            first_in[s + 1] += first_in[s];
        }
        let mut next = first_in.clone();
        let mut sources = vec![0; edges.len()];
        for s in 0..states {
            for edge in &edges[first[s] as usize..first[s + 1] as usize] {
                let at = &mut next[edge.target as usize];
                sources[*at as usize] = s as StateId;
                *at += 1;
            }
        }
        Ok(Graph {
            processes,
            first,
            edges,
            first_in,
            sources,
        })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.first.len() - 1
    }

    fn out(&self, state: StateId) -> &[Edge] {
        let s = state as usize;
        &self.edges[self.first[s] as usize..self.first[s + 1] as usize]
    }

    /// Where the moves out of a state lead, and who makes them, if anybody.
    pub fn moves(&self, state: StateId) -> impl Iterator<Item = (StateId, Option<ProcessId>)> + '_ {
        self.out(state).iter().map(|edge| {
            let process = edge.who & NOBODY;
            let process = (process != NOBODY).then_some(ProcessId(process));
            (edge.target, process)
        })
    }

    fn sources(&self, state: StateId) -> &[StateId] {
        let s = state as usize;
        &self.sources[self.first_in[s] as usize..self.first_in[s + 1] as usize]
    }

    /// The states that are reached from some states without leaving a set, those of them in it included.
    pub fn reached(&self, starts: impl Iterator<Item = StateId>, inside: &Bits) -> Bits {
        let mut found = Bits::none(self.states());
        let mut rest: Vec<StateId> = starts.filter(|s| inside.contains(*s)).collect();
        rest.retain(|start| found.insert(*start));
        while let Some(state) = rest.pop() {
            for edge in self.out(state) {
                if inside.contains(edge.target) && found.insert(edge.target) {
                    rest.push(edge.target);
                }
            }
        }
        found
    }

    /// The states with a transition into a set.
    pub fn before(&self, set: &Bits) -> Bits {
        let mut found = Bits::none(self.states());
        for state in set.iter() {
            for source in self.sources(state) {
                found.insert(*source);
            }
        }
        found
    }

    /// The states from which a way through `via` leads to the goal, that included.
    pub fn reaching(&self, via: &Bits, goal: Bits) -> Bits {
        let mut rest: Vec<StateId> = goal.iter().collect();
        let mut found = goal;
        while let Some(state) = rest.pop() {
            for source in self.sources(state) {
                if via.contains(*source) && found.insert(*source) {
                    rest.push(*source);
                }
            }
        }
        found
    }

    /// The states from which a way without faults leads to the goal, that included.
    pub fn reaching_without_faults(&self, goal: Bits) -> Bits {
        let mut rest: Vec<StateId> = goal.iter().collect();
        let mut found = goal;
        while let Some(state) = rest.pop() {
            let leads = |edge: &Edge| edge.target == state && edge.who & FORCED != 0;
            for source in self.sources(state) {
                if !found.contains(*source) && self.out(*source).iter().any(leads) {
                    found.insert(*source);
                    rest.push(*source);
                }
            }
        }
        found
    }

    /// The states from which a fair run stays inside a set for ever.
    pub fn fair(&self, inside: &Bits) -> Bits {
        let (component, count) = components(
            self.states(),
            |s| inside.contains(s),
            |s, cursor| {
                let edge = self.out(s).get(*cursor as usize)?;
                *cursor += 1;
                Some(edge.target)
            },
        );
        let words = (self.processes as usize).div_ceil(64);
        let mut everyone = vec![0; words];
        (0..self.processes).for_each(|process| insert(&mut everyone, process));
        // Who moves, or has a state where he cannot, in each component that has edges.
        let mut treated = vec![0; count as usize * words];
        let mut cyclic = Bits::none(count as usize);
        let mut here = vec![0; words];
        for state in inside.iter() {
            let c = component[state as usize];
            let set = &mut treated[c as usize * words..][..words];
            here.copy_from_slice(&everyone);
            let mut stays = false;
            for edge in self.out(state) {
                let process = edge.who & NOBODY;
                if edge.who & FORCED != 0 {
                    remove(&mut here, process);
                }
                if component[edge.target as usize] == c {
                    stays = true;
                    if process != NOBODY {
                        insert(set, process);
                    }
                }
            }
            if stays {
                join(set, &here);
                cyclic.insert(c);
            }
        }
        let is_fair = |c: u32| includes(&treated[c as usize * words..][..words], &everyone);
        let mut seeds = Bits::none(self.states());
        for state in inside.iter() {
            let c = component[state as usize];
            if c != NOWHERE && cyclic.contains(c) && is_fair(c) {
                seeds.insert(state);
            }
        }
        self.reaching(inside, seeds)
    }
}
