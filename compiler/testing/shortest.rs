//! The trace that the language promises, found by trying runs in order of what it promises.

use std::collections::{BTreeSet, HashSet};

use crate::system::state;
use crate::system::state::State;
use crate::system::{Edge, System};
use crate::verdict::{Move, Run};

/// Faults, steps, switches, where it starts, and then the moves: process, edge, picks.
type Rank = (
    usize,
    usize,
    usize,
    (usize, Vec<i64>),
    Vec<(u32, usize, Vec<i64>)>,
);

/// The best run to a state that is a goal, or whose last move takes an edge that is one.
pub fn shortest(
    system: &System,
    is_goal: impl Fn(&State) -> bool,
    is_last: impl Fn(&Edge) -> bool,
) -> Option<Run> {
    // Runs by rank; a state with the process that moved last is left once, by the best run that leads there.
    let mut waiting: BTreeSet<(Rank, bool, Vec<i64>)> = BTreeSet::new();
    let mut left: HashSet<(Vec<i64>, Option<u32>)> = HashSet::new();
    for (position, first) in state::initials(system).enumerate() {
        let start = (position, state::start_codes(system, &first));
        waiting.insert(((0, 0, 0, start, Vec::new()), false, encode(&first)));
    }
    while let Some((rank, ended, code)) = waiting.pop_first() {
        let state = decode(system, &code);
        if ended || is_goal(&state) {
            return Some(to_run(rank));
        }
        let last = rank.4.last().map(|m| m.0);
        if !left.insert((code, last)) {
            continue;
        }
        for (step, next) in state::successors(system, &state) {
            let Move::Step {
                process,
                edge,
                picks,
            } = step
            else {
                continue;
            };
            let next = encode(&next);
            let ends = is_last(&system.process(process).edges[edge]);
            if !ends && left.contains(&(next.clone(), Some(process.0))) {
                continue;
            }
            let taken = &system.process(process).edges[edge];
            let fault = taken.injection().is_some();
            let switch = last.is_some_and(|p| p != process.0);
            let mut moves = rank.4.clone();
            moves.push((process.0, edge, picks));
            let rank = (
                rank.0 + usize::from(fault),
                rank.1 + 1,
                rank.2 + usize::from(switch),
                rank.3.clone(),
                moves,
            );
            waiting.insert((rank, ends, next));
        }
    }
    None
}

fn to_run(rank: Rank) -> Run {
    let moves = rank.4.into_iter().map(|(process, edge, picks)| Move::Step {
        process: crate::vocabulary::ProcessId(process),
        edge,
        picks,
    });
    Run {
        start: rank.3.1,
        moves: moves.collect(),
        loop_start: None,
    }
}

fn encode(state: &State) -> Vec<i64> {
    let locations = state.locations.iter().map(|l| i64::from(l.0));
    locations.chain(state.values.iter().copied()).collect()
}

fn decode(system: &System, code: &[i64]) -> State {
    let (locations, values) = code.split_at(system.processes.len());
    State {
        locations: locations
            .iter()
            .map(|l| crate::system::LocId(*l as u32))
            .collect(),
        values: values.to_vec(),
    }
}
