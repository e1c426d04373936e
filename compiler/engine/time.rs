//! Does time go on? From every reachable state, by steps that are no faults, a state must be reached in which time passes or nobody has to
//! move.
//!
//! The states from which none is are closed under such steps, and in each of them somebody has to move: so there is a loop in
//! them, which takes no time. It is shown with the run that leads to it, of all such runs one with the fewest faults, then the fewest
//! steps, those of the loop included.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

use super::ctl::bits::Bits;
use super::ctl::graph::Graph;
use super::emptiness::lasso::Lasso;
use super::emptiness::{Limits, Stop};
use super::space::{Space, StateId, Transition};
use crate::system::{Expr, System};

/// A run after which time never passes again, if there is one, and whether none has fewer faults or steps.
pub fn stopped(
    space: &mut dyn Space,
    system: &System,
    limits: Limits,
) -> Result<Option<(Lasso, bool)>, Stop> {
    let graph = Graph::explore(space, limits.memory)?;
    let states = graph.states();
    let mut select = |expr: &Expr| {
        let atom = space.atom(expr);
        let mut set = Bits::none(states);
        for state in (0..states as StateId).filter(|state| space.holds(*state, atom)) {
            set.insert(state);
        }
        set
    };
    let passes = select(&system.lets_time_pass());
    let mut stuck = graph.reaching_without_faults(passes).not();
    if let Some(ordinary) = &system.ordinary {
        stuck = stuck.and(&select(ordinary));
    }
    if stuck.iter().next().is_none() {
        return Ok(None);
    }
    Finder {
        space,
        stuck,
        from: vec![None; states],
        left: MOST_LOOKED_AT,
    }
    .best()
}

/// So many states are looked at in search of the shortest loop; then the shortest so far is good enough.
const MOST_LOOKED_AT: usize = 5_000_000;

/// Faults, then steps.
type Cost = (u32, u32);

struct Finder<'a> {
    space: &'a mut dyn Space,
    /// Where time has stopped.
    stuck: Bits,
    /// For each state the one before it on the cheapest way, and the step between.
    from: Vec<Option<(StateId, Transition)>>,
    left: usize,
}

impl Finder<'_> {
    fn best(mut self) -> Result<Option<(Lasso, bool)>, Stop> {
        let mut costs: Vec<Option<Cost>> = vec![None; self.from.len()];
        let mut open = BinaryHeap::new();
        for start in 0..self.space.starts() {
            costs[start as usize] = Some((0, 0));
            open.push(Reverse(((0, 0), start)));
        }
        let mut best: Option<(Cost, StateId, Vec<Transition>)> = None;
        let mut out = Vec::new();
        while let Some(Reverse((cost, state))) = open.pop() {
            if costs[state as usize] != Some(cost) {
                continue;
            }
            if best.as_ref().is_some_and(|(known, ..)| cost >= *known) {
                break;
            }
            if self.stuck.contains(state) && (self.left > 0 || best.is_none()) {
                let most = match &best {
                    Some((known, ..)) if known.0 == cost.0 => known.1 - cost.1 - 1,
                    _ => u32::MAX,
                };
                if let Some(cycle) = self.cycle(state, most)? {
                    let total = (cost.0, cost.1 + cycle.len() as u32);
                    if best.as_ref().is_none_or(|(known, ..)| total < *known) {
                        best = Some((total, state, cycle));
                    }
                }
            }
            self.successors(state, &mut out)?;
            for transition in out.iter().filter(|t| !t.is_stutter()) {
                let next = (cost.0 + u32::from(transition.fault), cost.1 + 1);
                let known = &mut costs[transition.target as usize];
                if known.is_none_or(|known| next < known) {
                    *known = Some(next);
                    self.from[transition.target as usize] = Some((state, *transition));
                    open.push(Reverse((next, transition.target)));
                }
            }
        }
        Ok(best.map(|(_, state, cycle)| (self.lasso(state, cycle), self.left > 0)))
    }

    /// The shortest loop without a fault through a state where time has stopped, if it is not too long.
    fn cycle(&mut self, start: StateId, most: u32) -> Result<Option<Vec<Transition>>, Stop> {
        let mut before: FxHashMap<StateId, (StateId, Transition)> = FxHashMap::default();
        let mut open = VecDeque::from([(start, 0u32)]);
        let mut out = Vec::new();
        while let Some((state, depth)) = open.pop_front() {
            if depth >= most {
                return Ok(None);
            }
            self.left = self.left.saturating_sub(1);
            self.successors(state, &mut out)?;
            for transition in out.iter().filter(|t| t.forced && !t.fault) {
                let target = transition.target;
                if target == start {
                    let mut cycle = vec![*transition];
                    let mut at = state;
                    while at != start {
                        let (earlier, step) = before[&at];
                        cycle.push(step);
                        at = earlier;
                    }
                    cycle.reverse();
                    return Ok(Some(cycle));
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = before.entry(target) {
                    entry.insert((state, *transition));
                    open.push_back((target, depth + 1));
                }
            }
        }
        Ok(None)
    }

    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Stop> {
        (self.space.successors(state, out)).map_err(Stop::Exhausted)
    }

    fn lasso(&self, state: StateId, cycle: Vec<Transition>) -> Lasso {
        let mut transitions = Vec::new();
        let mut states = Vec::new();
        let mut at = state;
        while let Some((before, transition)) = self.from[at as usize] {
            transitions.push(transition);
            states.push(before);
            at = before;
        }
        transitions.reverse();
        states.reverse();
        let loop_start = transitions.len();
        let mut at = state;
        for transition in cycle {
            states.push(at);
            at = transition.target;
            transitions.push(transition);
        }
        Lasso {
            states,
            transitions,
            loop_start,
        }
    }
}
