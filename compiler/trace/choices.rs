//! What can happen next: every move out of a state, as a step that may be shown.

use super::{TraceStep, step};
use crate::system::state::State;
use crate::system::{Edge, Leaf, System};
use crate::verdict::Move;
use crate::vocabulary::ProcessId;

/// With more ways than this to choose the values of one edge, only the first ones are listed.
pub const MOST_PICKS: usize = 4_096;

/// A move that is possible, and what it does.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub taken: Move,
    /// What it does.
    pub step: TraceStep,
}

/// The edges of a process that can go in a state, each with values of its picks for which it can, in declaration order.
pub fn enabled(system: &System, state: &State, process: ProcessId) -> Vec<(usize, Vec<i64>)> {
    let here = state.locations[process.0 as usize];
    let edges = system.process(process).edges.iter().enumerate();
    edges
        .filter(|(_, edge)| edge.from == here)
        .filter_map(|(index, edge)| Some((index, find_picks(state, edge, &mut |_| 0)?)))
        .collect()
}

/// Values of an edge's picks for which it can go. Where they begin to be looked for, `start` chooses: below the number that
/// it is given.
pub fn find_picks(
    state: &State,
    edge: &Edge,
    start: &mut dyn FnMut(u64) -> u64,
) -> Option<Vec<i64>> {
    let mut picks: Vec<i64> = (edge.picks.iter())
        .map(|domain| domain.bounds().0 + start(domain.size()) as i64)
        .collect();
    let mut used = vec![false; picks.len()];
    edge.guard.leaves(&mut |leaf| {
        if let Leaf::Pick(pick) = leaf {
            used[*pick as usize] = true;
        }
    });
    let counts: u64 = (edge.picks.iter().zip(&used))
        .filter(|(_, used)| **used)
        .map(|(domain, _)| domain.size())
        .product();
    for _ in 0..counts {
        if state.eval_with(&edge.guard, &picks) != 0 {
            return Some(picks);
        }
        // The next values of those picks that matter, the last one varying fastest.
        for pick in (0..picks.len()).rev().filter(|pick| used[*pick]) {
            let (lo, hi) = edge.picks[pick].bounds();
            if picks[pick] < hi {
                picks[pick] += 1;
                break;
            }
            picks[pick] = lo;
        }
    }
    None
}

/// Every move of a process out of a state, in declaration order.
pub fn of_process(system: &System, state: &State, process: ProcessId) -> Vec<Choice> {
    let mut found = Vec::new();
    for (edge, _) in enabled(system, state, process) {
        let domains = &system.process(process).edges[edge].picks;
        let mut picks: Vec<i64> = domains.iter().map(|domain| domain.bounds().0).collect();
        for _ in 0..MOST_PICKS {
            let taken = Move::Step {
                process,
                edge,
                picks: picks.clone(),
            };
            if let Some(step) = step(system, state, &taken) {
                found.push(Choice { taken, step });
            }
            let Some(pick) =
                (0..picks.len()).rfind(|pick| picks[*pick] < domains[*pick].bounds().1)
            else {
                break;
            };
            picks[pick] += 1;
            for later in pick + 1..picks.len() {
                picks[later] = domains[later].bounds().0;
            }
        }
    }
    found
}

/// Every move out of a state, in declaration order. Where nobody has to move the last one is that nobody does.
pub fn all(system: &System, state: &State) -> Vec<Choice> {
    let mut found: Vec<Choice> = system
        .processes()
        .flat_map(|(process, _)| of_process(system, state, process))
        .collect();
    let taken = Move::Stutter;
    if let Some(step) = step(system, state, &taken) {
        found.push(Choice { taken, step });
    }
    found
}
