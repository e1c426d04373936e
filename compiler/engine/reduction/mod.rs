//! Partial-order reduction: in a state it is enough to let some of the processes move, if what the others do meanwhile
//! makes no difference.
//!
//! ```text
//! p: x = 1        q: y = 1        the property reads neither
//!
//! all orders      p then q, q then p: 4 states
//! reduced         p then q only:      3 states
//! ```
//!
//! The sets of steps taken here are weak stubborn sets (A. Valmari, "Stubborn Sets for Reduced State Space
//! Generation", 1989; the *key* of a set is his, too), cut along processes like the persistent sets of P. Godefroid
//! ("Partial-Order Methods for the Verification of Concurrent Systems", 1996). What is ours is that the sets come from
//! trying pairs of steps symbolically ([`order`]) and that fault edges belong to the process that they hit.
//!
//! Sought are states that decide a property: an invariant violated, a `reachable` reached, a deadlock, a run-time
//! check about to fail. In each state the search takes either all steps or those of a set `A` of processes, chosen so
//! that one of their steps is a *key*, and
//!
//! 1. *Faithful.* Whatever the other processes do by themselves from here, a step of a process of `A` that can be
//!    taken then could also have been taken first, with the same result ([`order::Order::e_may_go_first`]).
//! 2. *Key.* The key is forced (no fault, no recovery), can be taken now, and whatever the others do by themselves it
//!    can still be taken, with the same result ([`order::Order::commute`]).
//! 3. *Unseen.* The key makes no sought state an unsought one ([`visible`]).
//! 4. *Progress.* The key does not close a loop in its process, or that loop cannot go on for ever ([`progress`]).
//!
//! Then the smaller search finds a sought state if there is one. Take a run of `n` steps from a state `s` that the
//! search meets to a sought state; by induction over `n`:
//!
//! - If all steps of `s` are taken, the search meets its first successor, and the rest has `n - 1` steps.
//! - If the run contains a step of `A`, then by (1) the first such could be taken first of all; the search takes it, and
//!   the rest has `n - 1` steps and ends in the same state, or in the same failing step.
//! - Otherwise all its steps are others'. By (2) the key can be taken before them, and after it they lead to
//!   the state where the key leads to from their end. By (3) that is still sought; if a failing step is sought, it is
//!   still taken; if a deadlock is, there is none, for the key could be taken there. So from the state that the
//!   key leads to there is a run of `n` steps again. But keys cannot follow one another for ever: there are finitely many
//!   states, a cycle of states is a cycle in each process that moves, and by (4) no cycle is made of keys alone. So
//!   this case ends in another.
//!
//! A step of the others that is taken after one of `A` instead of before it may be replaced by a *stand-in*: another step of
//! its process, from and to the same locations, that can be taken then and does the same. That a message is lost because the buffer
//! is full is the same as that it is lost by a fault, and after a receive only the fault can do it. Runs stay as long; but they
//! may come to have more faults, so where a search goes by faults none stands in for a step that is no fault.
//!
//! The rivals of a step ([`rivals`]) are the processes that could break (1) or (2) for it, each with the locations from
//! which it can come to do so by itself. `A` is the closure of a single process under "rivals of its steps at
//! its location, if they are where that matters". A step that cannot be taken has fewer rivals while another one of its process can
//! be that needs what no other process can take away: if there is a message, and it is not for this step, nothing that is
//! sent behind it will change that. Faults are steps of the process that they hit, and of `A` all are taken.
//!
//! With symmetry the states that follow are replaced by others that stand for them. These have runs of the same length to
//! sought states, which is all that the induction needs, but for the last argument: there a process may go on at the
//! place of another, or at a location that stands for its own. So loops are closed in all processes of a shape together,
//! such locations being taken for one ([`progress`]): then the keys of a shape can be ranked by their locations, every
//! key goes up in rank, and exchanging does not change the sum.
//!
//! For `ltl` and `ctl` nothing is reduced. A run that is moved about like this has the same steps of each
//! process in the same order, but a fair run may become an unfair one: a process of the others that waits for ever in the
//! reduced space, while a loop of `A` goes on, was never asked whether it could move, and weak fairness asks just that.
//! To keep it, every process that can move would have to be in `A` at least once in every loop, and then next to nothing is
//! saved in models where processes loop.

mod choose;
mod loops;
mod order;
mod progress;
mod rivals;
mod steps;
mod visible;

#[cfg(test)]
mod tests;

pub use choose::ChoiceScratch;

use super::code::Range;
use super::layout::Layout;
use super::model::CompiledSystem;
use super::symmetry::Symmetry;
use crate::system::{Expr, System};
use rivals::Rivals;
use steps::{Step, Steps};
use visible::Atom;

/// Which processes are enough, for each state.
pub struct Reduction {
    /// All edges, process by process.
    edges: Vec<EdgePlan>,
    /// For each process where its edges begin in `edges`.
    first: Vec<u32>,
    /// For each process and location of it the edges that leave it, by their index in the process.
    leaving: Vec<Vec<Vec<u32>>>,
}

/// What the reduction knows about an edge.
struct EdgePlan {
    rivals: Rivals,
    /// How to see that it does no harm, if it may be a key at all.
    key: Option<Harmless>,
}

/// What must be true of a step that is a key.
struct Harmless {
    /// Conditions that must not turn from true to false.
    kept: Vec<Range>,
    /// Words and the parts of them that must not change.
    unchanged: Vec<(u16, u64)>,
}

impl Reduction {
    /// The reduction of a System for a search for states that satisfy one of the conditions `sought`, deadlocks and
    /// failing steps. None if there is hardly anything to gain, or it would take long to find out.
    pub fn find(
        system: &System,
        model: &mut CompiledSystem,
        sought: &[Expr],
        symmetry: Option<&Symmetry>,
        by_faults: bool,
    ) -> Option<Reduction> {
        if system.processes.len() < 2 {
            return None;
        }
        // A fault that begins on an ordinary step: that step is both, and the sets know of no such thing.
        let both = |e: &crate::system::Edge| e.kind.is_forced() && e.injection().is_some();
        if system.processes.iter().any(|p| p.edges.iter().any(both)) {
            return None;
        }
        let steps = Steps::new(system);
        let rivals = rivals::rivals(system, &steps, by_faults)?;
        let atoms = visible::atoms(system, sought);
        let kept: Vec<Range> = atoms
            .iter()
            .map(|atom| model.condition(system, &atom.expr))
            .collect();
        let mut keys = keys(&steps, &atoms, &kept, &model.layout);
        progress::close_loops(system, &steps, &rivals, symmetry, &mut keys);
        if keys.iter().flatten().all(Option::is_none) {
            return None;
        }
        let mut edges = Vec::new();
        let mut first = Vec::new();
        for (rivals, keys) in rivals.into_iter().zip(keys) {
            first.push(edges.len() as u32);
            let both = rivals.into_iter().zip(keys);
            edges.extend(both.map(|(rivals, key)| EdgePlan { rivals, key }));
        }
        let leaving = system
            .processes
            .iter()
            .map(|process| {
                let mut leaving = vec![Vec::new(); process.locations.len()];
                for (index, edge) in process.edges.iter().enumerate() {
                    leaving[edge.from.0 as usize].push(index as u32);
                }
                leaving
            })
            .collect();
        Some(Reduction {
            edges,
            first,
            leaving,
        })
    }
}

/// For each process and step, what must be true if it is to be a key, if it may be one at all.
type Keys = Vec<Vec<Option<Harmless>>>;

/// The keys before loops are closed.
fn keys(steps: &Steps, atoms: &[Atom], kept: &[Range], layout: &Layout) -> Keys {
    let key = |step: &Step| {
        let watch = visible::watch(steps, atoms, step);
        (step.forced && !watch.always).then(|| Harmless {
            kept: watch.atoms.iter().map(|atom| kept[*atom]).collect(),
            unchanged: watch
                .vars
                .iter()
                .filter_map(|v| layout.vars[v.0 as usize])
                .map(|field| (field.word, field.mask()))
                .collect(),
        })
    };
    let of_process = |own: &Vec<Step>| own.iter().map(key).collect();
    steps.of.iter().map(of_process).collect()
}
