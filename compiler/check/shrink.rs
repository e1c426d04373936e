//! A run without the steps that it does not need.
//!
//! Steps are left out, first all of a process, then one by one, and what is not possible without them is left out with
//! them. What still shows the same is kept. So bystanders disappear, and rounds that lead nowhere. In the manner of A. Zeller and
//! R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002: in the end no single step can be left out.

use crate::system::state;
use crate::system::state::State;
use crate::system::{Event, Expr, PropertyKind, System};
use crate::trace;
use crate::verdict::{Move, Run};
use crate::vocabulary::ProcessId;

/// A finite run with some of the same steps that shows the same about a property; ends early if `stop` says so.
pub fn shrink(system: &System, property: usize, run: &Run, stop: &dyn Fn() -> bool) -> Run {
    let end = match &system.properties[property].kind {
        PropertyKind::Invariant(e) => End::State(e.clone().not()),
        PropertyKind::Reachable(e) => End::State(e.clone()),
        PropertyKind::Deadlock => End::State(system.deadlock()),
        PropertyKind::Check(check) => End::Step(Event::Failed(*check)),
        // These are infinite, or say what they say in their order.
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => return run.clone(),
    };
    let mut best = run.clone();
    let shorter = |moves: Vec<&Move>, best: &mut Run| {
        let found = replay(system, &run.start, &moves, &end);
        let better = found.filter(|found| found.moves.len() < best.moves.len());
        match better {
            Some(better) if trace::replay(system, property, &better).is_ok() => {
                *best = better;
                true
            }
            _ => false,
        }
    };
    for process in 0..system.processes.len() {
        if stop() {
            return best;
        }
        let process = ProcessId(process as u32);
        let others = |m: &&Move| !matches!(m, Move::Step { process: p, .. } if *p == process);
        let before = best.clone();
        shorter(before.moves.iter().filter(others).collect(), &mut best);
    }
    // From the end, where what is left out takes the least with it; until nothing can be left out any more.
    loop {
        let mut improved = false;
        let mut index = best.moves.len();
        while index > 0 {
            if stop() {
                return best;
            }
            index = (index - 1).min(best.moves.len() - 1);
            let before = best.clone();
            let rest = before.moves.iter().enumerate();
            let rest = rest.filter(|(i, _)| *i != index).map(|(_, m)| m);
            improved |= shorter(rest.collect(), &mut best);
            if best.moves.is_empty() {
                return best;
            }
        }
        if !improved {
            return best;
        }
    }
}

/// What a run leads to.
enum End {
    /// A state in which this holds.
    State(Expr),
    /// A step with this event.
    Step(Event),
}

/// Takes those of some steps that are possible, one after another, until the end is reached.
fn replay(system: &System, start: &[i64], moves: &[&Move], end: &End) -> Option<Run> {
    let mut at: State = state::start(system, start)?;
    let mut taken = Run {
        start: start.to_vec(),
        ..Run::default()
    };
    let is_there = |at: &State| matches!(end, End::State(e) if at.holds(e));
    if is_there(&at) {
        return Some(taken);
    }
    for step in moves {
        let Move::Step {
            process,
            edge,
            picks,
        } = step
        else {
            continue;
        };
        let edge = system.process(*process).edges.get(*edge)?;
        let Some(next) = state::take(system, &at, *process, edge, picks) else {
            continue;
        };
        at = next;
        taken.moves.push((*step).clone());
        let fails = matches!(end, End::Step(event) if edge.events.contains(event));
        if fails || is_there(&at) {
            return Some(taken);
        }
    }
    None
}
