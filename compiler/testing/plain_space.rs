//! A [`Space`] with no cleverness, over [`system::state`](crate::system::state).

use indexmap::IndexSet;

use crate::engine::space::{Exhausted, Space, StateId, Transition};
use crate::system::state;
use crate::system::state::State;
use crate::system::{Edge, Expr, System};
use crate::verdict::Move;
use crate::vocabulary::ProcessId;

/// The plain state space of a System.
pub struct PlainSpace<'a> {
    system: &'a System,
    atoms: IndexSet<Expr>,
    /// What has been found, by number.
    pub found: IndexSet<State>,
    limit: usize,
}

impl<'a> PlainSpace<'a> {
    /// The state space of `system`, which is exhausted beyond `limit` states.
    pub fn new(system: &'a System, limit: usize) -> Self {
        PlainSpace {
            system,
            atoms: IndexSet::new(),
            found: state::initials(system).collect(),
            limit,
        }
    }
}

impl Space for PlainSpace<'_> {
    fn processes(&self) -> usize {
        self.system.processes.len()
    }

    fn starts(&self) -> u32 {
        state::initials(self.system).count() as u32
    }

    fn start(&self, state: StateId) -> Vec<i64> {
        state::start_codes(self.system, &self.found[state as usize])
    }

    fn states(&self) -> usize {
        self.found.len()
    }

    fn atom(&mut self, formula: &Expr) -> usize {
        self.atoms.insert_full(formula.clone()).0
    }

    fn holds(&mut self, state: StateId, atom: usize) -> bool {
        self.found[state as usize].holds(&self.atoms[atom])
    }

    fn successors(&mut self, from: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted> {
        out.clear();
        for (step, next) in state::successors(self.system, &self.found[from as usize]) {
            if !self.found.contains(&next) && self.found.len() == self.limit {
                return Err(Exhausted::States);
            }
            let target = self.found.insert_full(next).0 as StateId;
            out.push(match step {
                Move::Stutter => Transition::stutter(from),
                Move::Step {
                    process,
                    edge,
                    picks,
                } => {
                    let e = &self.system.process(process).edges[edge];
                    Transition {
                        target,
                        process: process.0,
                        edge: edge as u32,
                        picks: rank(e, &picks),
                        forced: e.kind.is_forced(),
                        fault: e.injection().is_some(),
                    }
                }
            });
        }
        Ok(())
    }

    fn can_move(&mut self, state: StateId, process: usize) -> bool {
        let can = self
            .system
            .can_move_without_fault(ProcessId(process as u32));
        self.found[state as usize].holds(&can)
    }

    fn bytes(&self) -> usize {
        0
    }

    fn to_move(&self, transition: &Transition) -> Move {
        if transition.is_stutter() {
            return Move::Stutter;
        }
        let process = ProcessId(transition.process);
        let edge = &self.system.process(process).edges[transition.edge as usize];
        Move::Step {
            process,
            edge: transition.edge as usize,
            picks: unrank(edge, transition.picks),
        }
    }
}

/// The position of a combination of picks.
fn rank(edge: &Edge, picks: &[i64]) -> u32 {
    let pairs = edge.picks.iter().zip(picks);
    pairs.fold(0, |rank, (domain, code)| {
        rank * domain.size() as u32 + (code - domain.bounds().0) as u32
    })
}

/// The combination of picks at a position.
fn unrank(edge: &Edge, rank: u32) -> Vec<i64> {
    let mut rest = u64::from(rank);
    let mut picks: Vec<i64> = edge
        .picks
        .iter()
        .rev()
        .map(|domain| {
            let digit = rest % domain.size();
            rest /= domain.size();
            domain.bounds().0 + digit as i64
        })
        .collect();
    picks.reverse();
    picks
}
