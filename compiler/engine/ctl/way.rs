//! A run to a state that shows why `AG f` is false, where no run alone can show it: `AG (p -> EF q)` is false because of what
//! cannot happen after some state, and the run to that state is what a person wants to see.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bits::Bits;
use crate::engine::emptiness::Stop;
use crate::engine::emptiness::ball::Cost;
use crate::engine::space::{Space, StateId, Transition};
use crate::system::Formula;
use crate::verdict::Run;
use crate::vocabulary::TemporalOp;

/// What `AG f` or `p -> AG f` wants everywhere, and what it wants of an initial state to ask for that.
pub fn everywhere(formula: &Formula) -> Option<(Option<&Formula>, &Formula)> {
    match formula {
        Formula::Unary(TemporalOp::AG, f) => Some((None, f)),
        Formula::Implies(p, f) => match &**f {
            Formula::Unary(TemporalOp::AG, f) => Some((Some(p), f)),
            _ => None,
        },
        _ => None,
    }
}

/// The run with the fewest faults, then the fewest steps, from one of these initial states through others into a set.
pub fn cheapest(
    space: &mut (impl Space + ?Sized),
    states: usize,
    starts: impl Fn(StateId) -> bool,
    through: impl Fn(StateId) -> bool,
    goal: &Bits,
) -> Result<Option<Run>, Stop> {
    const NOWHERE: StateId = StateId::MAX;
    let mut before: Vec<(StateId, u32)> = vec![(NOWHERE, 0); states];
    let mut settled = Bits::none(states);
    let starts = (0..space.starts()).filter(|start| starts(*start));
    let mut heap: BinaryHeap<_> = starts
        .map(|start| Reverse((Cost::default(), 0u64, start, NOWHERE, 0u32)))
        .collect();
    let mut order = 0;
    let mut out = Vec::new();
    while let Some(Reverse((cost, _, state, from, via))) = heap.pop() {
        if !settled.insert(state) {
            continue;
        }
        before[state as usize] = (from, via);
        if goal.contains(state) {
            return way_back(space, &before, state).map(Some);
        }
        space.successors(state, &mut out).map_err(Stop::Exhausted)?;
        for (index, step) in out.iter().enumerate() {
            if !through(step.target) {
                continue;
            }
            order += 1;
            let cost = cost.and(Cost::step(step.fault));
            heap.push(Reverse((cost, order, step.target, state, index as u32)));
        }
    }
    Ok(None)
}

fn way_back(
    space: &mut (impl Space + ?Sized),
    before: &[(StateId, u32)],
    end: StateId,
) -> Result<Run, Stop> {
    let mut steps: Vec<Transition> = Vec::new();
    let mut out = Vec::new();
    let mut state = end;
    loop {
        let (from, via) = before[state as usize];
        if from == StateId::MAX {
            break;
        }
        space.successors(from, &mut out).map_err(Stop::Exhausted)?;
        steps.push(out[via as usize]);
        state = from;
    }
    steps.reverse();
    Ok(Run {
        start: space.start(state),
        moves: steps.iter().map(|step| space.to_move(step)).collect(),
        loop_start: None,
    })
}
