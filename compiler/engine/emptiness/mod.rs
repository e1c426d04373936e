//! LTL on a state space: is there a fair run that violates a formula?
//!
//! The runs that satisfy the assumptions and the negation of the formula are watched by an
//! [`Observer`](crate::engine::ltl::Observer); a counterexample is a cycle of the product ([`product`]) on
//! which every automaton accepts and every process is treated fairly ([`search`]), shown as a short run
//! ([`lasso`]), which is made as short as possible ([`shortest`]): the fewest fault injections, then the fewest steps, in prefix
//! and loop together. If that takes too much effort the run is not said to be the shortest. Before it leaves this folder every run
//! is looked at once more, without automata ([`satisfies`], [`is_fair`]).
//!
//! Read [`marks`] (what has to happen again and again), [`watch`] (the automata at work) and [`product`] before [`search`];
//! [`refine`] and [`movers`] are about strong fairness, [`ball`] and [`rounds`] are what [`shortest`] needs.

pub mod ball;
pub mod components;
#[cfg(test)]
pub mod graph_space;
pub mod lasso;
pub mod marks;
pub mod movers;
pub mod product;
pub mod refine;
pub mod rounds;
pub mod search;
pub mod shortest;
#[cfg(test)]
mod tests;
pub mod watch;

use std::fmt;

pub use lasso::Lasso;
pub use search::Stats;
pub use shortest::Effort;

use super::ltl::{TooLarge, observe};
use super::space::{Exhausted, Space, Transition};
use crate::system::lasso::holds_on_lasso;
use crate::system::{Formula, Happening};
use product::Product;

/// How much a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The bytes that it and the state space may occupy.
    pub memory: usize,
    /// What is done to find a cheaper run.
    pub effort: Effort,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The state space ended before its end, or the memory did.
    Exhausted(Exhausted),
    /// The automata are too large.
    TooLarge(TooLarge),
    /// A counterexample was found that is none: a mistake of ours.
    Unsound,
    /// A CTL formula, and a model with fair choices.
    FairChoice,
    /// An operator of LTL in a CTL formula: a mistake of ours.
    Misplaced,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Stop::Exhausted(Exhausted::States) => f.write_str("too many states"),
            Stop::Exhausted(Exhausted::Faults) => f.write_str("too many faults"),
            Stop::Exhausted(Exhausted::Memory) => f.write_str("not enough memory"),
            Stop::Exhausted(Exhausted::Disk) => f.write_str("the disk cannot be read"),
            Stop::Exhausted(Exhausted::Stopped) => f.write_str("stopped"),
            Stop::TooLarge(too_large) => too_large.fmt(f),
            Stop::FairChoice => f.write_str("`ctl` does not know fair choices (`fair`); use `ltl`"),
            Stop::Misplaced => f.write_str("the formula is not one of CTL"),
            Stop::Unsound => f.write_str("a run was found that does not refute the formula"),
        }
    }
}

/// A fair run that satisfies all the assumptions but not the formula, if there is one; it has been checked by
/// direct evaluation. [`Stats::minimal`] tells whether it is known to be the cheapest.
pub fn counterexample(
    space: &mut (impl Space + ?Sized),
    formula: &Formula,
    assumptions: &[&Formula],
    limits: Limits,
    stats: &mut Stats,
) -> Result<Option<Lasso>, Stop> {
    let mut wanted = vec![(formula, false)];
    wanted.extend(assumptions.iter().map(|a| (*a, true)));
    find(space, &wanted, limits, stats)
}

/// A fair run that satisfies all the assumptions, if there is one.
pub fn witness(
    space: &mut (impl Space + ?Sized),
    assumptions: &[&Formula],
    limits: Limits,
    stats: &mut Stats,
) -> Result<Option<Lasso>, Stop> {
    let wanted: Vec<(&Formula, bool)> = assumptions.iter().map(|a| (*a, true)).collect();
    find(space, &wanted, limits, stats)
}

/// A fair run on which each formula has the value asked for.
fn find(
    space: &mut (impl Space + ?Sized),
    wanted: &[(&Formula, bool)],
    limits: Limits,
    stats: &mut Stats,
) -> Result<Option<Lasso>, Stop> {
    let observer = observe(wanted).map_err(Stop::TooLarge)?;
    let mut product = Product::new(space, observer);
    let memory = limits.memory;
    let Some(found) = search::search(&mut product, memory, stats)? else {
        return Ok(None);
    };
    let mut lasso = lasso::lasso(&mut product, &found)?.ok_or(Stop::Unsound)?;
    stats.minimal = false;
    if limits.effort != Effort::NONE {
        // What was found without faults in its loop needs the fewest of all such runs, and others need one at least.
        let faults = lasso.cost().faults();
        let fewest = faults <= 1 || (!found.with_faults && !product.space.faults_recur());
        drop(found);
        let known = lasso.clone();
        match shortest::shortest(&mut product, known, fewest, limits.effort, memory) {
            Ok((best, minimal)) => {
                stats.minimal = minimal;
                lasso = best;
            }
            // The one that is known will do.
            Err(Stop::Exhausted(_)) => {}
            Err(stop) => return Err(stop),
        }
    }
    drop(product);
    let right = wanted
        .iter()
        .all(|(formula, value)| satisfies(space, &lasso, formula) == *value);
    if !right || !is_fair(space, &lasso)? {
        return Err(Stop::Unsound);
    }
    Ok(Some(lasso))
}

/// Whether a formula holds on a run, by direct evaluation.
pub fn satisfies(space: &mut (impl Space + ?Sized), lasso: &Lasso, formula: &Formula) -> bool {
    holds_on_lasso(formula, lasso.states.len(), lasso.loop_start, |i, expr| {
        let atom = space.atom(expr);
        space.holds(lasso.states[i], atom)
    })
}

/// Whether a run is one of the state space and treats every process fairly, by asking the state space again.
pub fn is_fair(space: &mut (impl Space + ?Sized), lasso: &Lasso) -> Result<bool, Stop> {
    let mut out = Vec::new();
    let len = lasso.states.len();
    for (i, (state, transition)) in lasso.states.iter().zip(&lasso.transitions).enumerate() {
        space
            .successors(*state, &mut out)
            .map_err(Stop::Exhausted)?;
        let next = if i + 1 < len { i + 1 } else { lasso.loop_start };
        if !out.contains(transition) || transition.target != lasso.states[next] {
            return Ok(false);
        }
    }
    for process in 0..space.processes() {
        let round = lasso.loop_start..len;
        let moves = |i: usize| lasso.transitions[i].process as usize == process;
        let mut waits = |i: usize| !space.can_move(lasso.states[i], process);
        if !round.into_iter().any(|i| moves(i) || waits(i)) {
            return Ok(false);
        }
    }
    Ok(space
        .strong_fairness()
        .iter()
        .all(|pair| !recurs(space, lasso, &pair.given) || recurs(space, lasso, &pair.then)))
}

/// Whether something happens in the loop of a run.
fn recurs(space: &mut (impl Space + ?Sized), lasso: &Lasso, what: &Happening) -> bool {
    let atom = space.atom(&what.when);
    (lasso.loop_start..lasso.states.len()).any(|i| {
        let Transition { process, edge, .. } = lasso.transitions[i];
        let by_edge = |edges: &Vec<(u32, u32)>| edges.contains(&(process, edge));
        what.edges.as_ref().is_none_or(by_edge) && space.holds(lasso.states[i], atom)
    })
}
