//! Symmetry: states that differ only by exchanging identical processes count once.
//!
//! ```text
//! arbiter crashed, worker[0] has Commit, worker[1] has Abort     one state
//! arbiter crashed, worker[0] has Abort,  worker[1] has Commit    stands for both
//! ```
//!
//! Exchanging identical processes is due to C. N. Ip and D. L. Dill ("Better Verification Through Symmetry", 1996) and
//! E. A. Emerson and A. P. Sistla ("Symmetry and Model Checking", 1996), who ask that the whole model is symmetric. Like
//! Emerson and R. J. Trefler ("From Asymmetry to Full Symmetry", 1999) we ask for less: an arbiter that talks to its
//! workers in a fixed order breaks the symmetry only while that order still matters.
//!
//! A *unit* is a process with the variables, channels and further processes that are its alone; units with the same
//! parts form a *family* ([`units`]). A permutation of the units of a family acts on states: unit `i` gets what unit
//! `j` held, the locations of its processes and the values of its variables. Processes outside of all units, such as the
//! arbiter, talk to several units, often in a fixed order; such a process is *outside*. Which permutations may be
//! applied depends on where the outside processes are: an arbiter that sends its last order to worker 0 and then
//! to worker 1 treats them differently until it has done so, and alike ever after.
//!
//! # Why it is sound
//!
//! A permutation `a` of units acts on expressions and edges by renaming. Call it *good* if
//!
//! - it maps the edges of every unit's process onto the edges of the process at the same place in the unit that takes its
//!   place, from and to the same locations ([`classes`]; two edges are the same if guard, picks, updates, the failing
//!   checks, and whether they are faults and forced are);
//! - it maps every condition that is asked about to itself.
//!
//! Derived variables are not part of a state; most are replaced by what they stand for. A variable of a unit that is a
//! function of where an outside process is (whether it offers something on a channel) is kept, and said to be *shown*
//! to the unit.
//!
//! For an outside process let `R(a)` be the largest relation between its locations such that `l R(a) m` implies: no
//! expression of the System or of the conditions tells `l` from `m`; what is shown to a unit at `l` is shown at `m` to
//! the unit that `a` brings it to; and `a` maps the edges out of `l` onto the edges out of `m`, each to one whose
//! target is `R(a)`-related to its own ([`moves`]). Say that state `t` is `a`-like
//! state `s` if `a` is good, every unit holds in `t` what `a` brings there from `s`, all other variables are equal,
//! and every outside process is in `t` at a location that is `R(a)`-related to where it is in `s`.
//!
//! *Then `s` and `t` are bisimilar, and agree on all conditions.* A guard or value that the step of a unit's
//! process reads in `s` has the value of its renamed twin in `t`: variables and locations of units are renamed alike,
//! those outside are equal or cannot be told apart, and what is shown is renamed along. So the renamed edge, which exists as `a` is good, can be taken in
//! `t` too, and leads to a state that is `a`-like the one that the original leads to; the outside processes have not
//! moved. If an outside process moves from `l` in `s`, then from `m` in `t` there is an edge that
//! does the same renamed, and its target is `R(a)`-related to the original's, so the states after it are `a`-like again. The
//! other direction is the same with the inverse of `a`. Conditions are mapped to themselves and cannot tell
//! related locations apart. The steps that match are faults, forced, and failing checks alike; so a state is quiescent
//! or about to fail a check if and only if its double is, and needs as many faults and steps to be reached. ∎
//!
//! `canonical` replaces a state by one that is `a`-like it, for some `a`: exploring only what it yields finds a bisimilar
//! state for every reachable one, at the same distance, and nothing else. The initial state need not be symmetric.
//! Good permutations are composed of exchanges of two units: the search for them only looks at those, since
//! being good, and `R`, are closed under composition. Exchanges that leave all outside processes where they
//! are form an equivalence, whose classes are sorted by contents; exchanges that take an outside process from one
//! location to another are used to reach the first of all such combinations of locations ([`plan`]). If all
//! permutations that lead from there to there are composed of exchanges that do, canonical forms are unique.
//!
//! Where no outside process is ever taken elsewhere, only the locations count that it can still come to, given what has
//! become of the units ([`blocked`]).

mod blocked;
mod canonical;
mod classes;
mod contents;
mod moves;
mod plan;
mod terms;
mod units;

#[cfg(test)]
pub mod tests;

pub use canonical::ArrangeScratch;
pub use units::Units;

use rustc_hash::FxHashMap;

use super::layout::Layout;
use crate::system::{Expr, System, VarId};
use crate::vocabulary::ProcessId;
use blocked::Blocking;
use canonical::Arranger;
use classes::Graph;
use moves::Moves;
use plan::Plans;
use terms::Terms;
use units::Place;

/// After looking at so many terms the search for symmetry is given up.
const MOST_WORK: usize = 1_000_000;

/// Which states stand for others.
#[derive(Clone, Debug)]
pub struct Symmetry {
    arranger: Arranger,
    /// For each process that may be taken to be elsewhere, by its number, and each of its locations the first one that
    /// is taken for it.
    related: FxHashMap<usize, Vec<u32>>,
    /// For each variable the first of those that exchanging units may take it to.
    classes: Vec<VarId>,
}

/// The search for symmetry would take too long.
#[derive(Debug)]
struct TooMuch;

impl TooMuch {
    fn check(work: usize) -> Result<(), TooMuch> {
        if work > MOST_WORK {
            return Err(TooMuch);
        }
        Ok(())
    }
}

impl Symmetry {
    /// The symmetry of a System as far as none of the conditions can tell; none if there is nothing to exchange.
    pub fn find(system: &System, conditions: &[Expr], layout: &Layout) -> Option<Symmetry> {
        let units = Units::find(system);
        if units.families.is_empty() {
            return None;
        }
        let mut terms = Terms::new(system, &units);
        Self::of_units(system, &units, &mut terms, conditions, layout).ok()?
    }

    fn of_units(
        system: &System,
        units: &Units,
        terms: &mut Terms<'_>,
        conditions: &[Expr],
        layout: &Layout,
    ) -> Result<Option<Symmetry>, TooMuch> {
        let graph = Graph::new(system, terms)?;
        let partition = classes::interchangeable(units, &graph, conditions, terms)?;
        if (0..).zip(&partition).all(|(unit, class)| unit == *class) {
            return Ok(None);
        }
        let outside: Vec<usize> = (0..system.processes.len())
            .filter(|p| {
                let place = units.process(ProcessId(*p as u32));
                place.unit == Place::NOBODY && moves::mentions(*p, &graph, terms) != 0
            })
            .collect();
        let moves = outside
            .iter()
            .map(|p| Moves::new(*p, &graph, &partition, terms))
            .collect::<Result<Vec<_>, _>>()?;
        let plans = Plans::new(&partition, &moves);
        let blocking = Blocking::new(
            system,
            units,
            &graph,
            &partition,
            (&outside, &moves),
            terms,
            layout,
        );
        let arranger = Arranger::new(units, &outside, &plans, (&partition, blocking), layout);
        let related = outside
            .iter()
            .zip(&moves)
            .map(|(process, moves)| (*process, moves.related()))
            .collect();
        let vars = (0..system.vars.len() as u32).map(VarId);
        let classes: Vec<VarId> = vars.map(|var| units.first_like(var)).collect();
        Ok(arranger.map(|arranger| Symmetry {
            arranger,
            related,
            classes,
        }))
    }

    /// The first of the variables that exchanging units may take this one to.
    pub fn class(&self, var: VarId) -> VarId {
        self.classes[var.0 as usize]
    }

    /// The first location of a process that may stand for this one, or for one that this one stands for, and so on.
    pub fn related(&self, process: usize, location: u32) -> u32 {
        let of_process = self.related.get(&process);
        of_process.map_or(location, |of| of[location as usize])
    }

    /// Replaces a state by the one that stands for it.
    #[inline]
    pub fn canonical<const W: usize>(&self, words: &mut [u64; W], room: &mut ArrangeScratch) {
        self.arranger.arrange(words, room);
    }
}
