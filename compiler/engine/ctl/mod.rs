//! Fair CTL by labelling: which states of the whole state space satisfy a formula.
//!
//! Clarke, Emerson and Sistla, "Automatic Verification of Finite-State Concurrent Systems Using Temporal Logic
//! Specifications", 1986. Path quantifiers range over fair runs: `EG f` holds where a way through `f` leads to a
//! component of `f` in which every process is treated fairly, and `EX` and `EU` count a state only if a fair run
//! starts there.

pub mod bits;
pub mod graph;
pub mod linear;
#[cfg(test)]
mod tests;
pub mod way;

pub use linear::linear;

use super::emptiness::Stop;
use super::space::{Space, StateId};
use crate::system::Formula;
use crate::verdict::Run;
use crate::vocabulary::{PathOp, TemporalOp};
use bits::Bits;
use graph::Graph;

/// A state space, all of it, ready for CTL formulas.
pub struct Labelling {
    graph: Graph,
    /// Where a fair run starts.
    fair: Bits,
}

impl Labelling {
    /// Explores a state space; `memory` is how many bytes may be used beside it.
    pub fn new(space: &mut (impl Space + ?Sized), memory: usize) -> Result<Self, Stop> {
        let graph = Graph::explore(space, memory)?;
        let fair = graph.fair(&Bits::all(graph.states()));
        Ok(Labelling { graph, fair })
    }

    /// Whether a formula holds in all initial states.
    pub fn holds(
        &self,
        space: &mut (impl Space + ?Sized),
        formula: &Formula,
    ) -> Result<bool, Stop> {
        let states = self.states(space, formula)?;
        Ok((0..space.starts()).all(|start| states.contains(start)))
    }

    /// A run to a state that shows why a formula is false, if it is of the form `AG f`.
    pub fn way(
        &self,
        space: &mut (impl Space + ?Sized),
        formula: &Formula,
    ) -> Result<Option<Run>, Stop> {
        let wanted = way::everywhere(formula).filter(|(_, f)| f.is_about_what_can_happen());
        let Some((when, everywhere)) = wanted else {
            return Ok(None);
        };
        let bad = self.states(space, everywhere)?.not();
        let asked = match when {
            Some(when) => self.states(space, when)?,
            None => Bits::all(self.graph.states()),
        };
        let starts = |start| asked.contains(start);
        way::cheapest(space, self.graph.states(), starts, |_| true, &bad)
    }

    /// The states that runs reach from some initial states without ever leaving a set.
    pub fn within(&self, starts: impl Iterator<Item = StateId>, inside: &Bits) -> Bits {
        self.graph.reached(starts, inside)
    }

    /// The states from which some fair run never leaves a set.
    pub fn forever(&self, inside: &Bits) -> Bits {
        self.graph.fair(inside)
    }

    /// All states and transitions.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How many states there are.
    pub fn count(&self) -> usize {
        self.graph.states()
    }

    /// The states in which a formula holds.
    pub fn states(
        &self,
        space: &mut (impl Space + ?Sized),
        formula: &Formula,
    ) -> Result<Bits, Stop> {
        let none = || Bits::none(self.graph.states());
        Ok(match formula {
            Formula::Atom(expr) => {
                let atom = space.atom(expr);
                let mut set = none();
                for state in 0..self.graph.states() as u32 {
                    if space.holds(state, atom) {
                        set.insert(state);
                    }
                }
                set
            }
            Formula::Not(f) => self.states(space, f)?.not(),
            Formula::And(parts) => {
                let mut set = none().not();
                for part in parts {
                    set = set.and(&self.states(space, part)?);
                }
                set
            }
            Formula::Or(parts) => {
                let mut set = none();
                for part in parts {
                    set = set.or(&self.states(space, part)?);
                }
                set
            }
            Formula::Implies(f, g) => {
                let f = self.states(space, f)?;
                f.not().or(&self.states(space, g)?)
            }
            Formula::Iff(f, g) => {
                let f = self.states(space, f)?;
                f.xor(&self.states(space, g)?).not()
            }
            Formula::Unary(op, f) => {
                let f = self.states(space, f)?;
                match op {
                    TemporalOp::EX => self.next(&f),
                    TemporalOp::EF => self.until(&none().not(), &f),
                    TemporalOp::EG => self.graph.fair(&f),
                    TemporalOp::AX => self.next(&f.not()).not(),
                    TemporalOp::AG => self.until(&none().not(), &f.not()).not(),
                    TemporalOp::AF => self.graph.fair(&f.not()).not(),
                    _ => return Err(Stop::Misplaced),
                }
            }
            Formula::Path(op, f, g) => {
                let f = self.states(space, f)?;
                let g = self.states(space, g)?;
                match op {
                    PathOp::Exists => self.until(&f, &g),
                    PathOp::All => {
                        // Not if some run has neither, or never the second.
                        let no_g = g.not();
                        let neither = self.until(&no_g, &f.not().and(&no_g));
                        neither.or(&self.graph.fair(&no_g)).not()
                    }
                }
            }
            Formula::Binary(..) => return Err(Stop::Misplaced),
        })
    }

    /// `EX f`
    fn next(&self, f: &Bits) -> Bits {
        self.graph.before(&f.and(&self.fair))
    }

    /// `E (f U g)`
    fn until(&self, f: &Bits, g: &Bits) -> Bits {
        self.graph.reaching(f, g.and(&self.fair))
    }
}
