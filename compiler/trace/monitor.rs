//! What one finite run can show while it is taken: deadlocks, failed checks, false invariants. What is about all runs or
//! about infinite ones, no step can show.

use super::TraceStep;
use crate::system::state::State;
use crate::system::{Check, Event, Expr, PropertyKind, System};

/// The properties that a step or a state can decide.
#[derive(Debug)]
pub struct Monitor {
    /// Violated in a state where the expression is true.
    bad: Vec<(usize, Expr)>,
    /// Violated by a step that fails such a check.
    checks: Vec<(usize, Check)>,
    /// `reachable` that are reached where it is true.
    goals: Vec<(usize, Expr)>,
    /// How many properties there are that it cannot decide.
    pub undecided: usize,
}

impl Monitor {
    /// Watches all properties of a System for which that makes sense.
    pub fn new(system: &System) -> Monitor {
        let mut monitor = Monitor {
            bad: Vec::new(),
            checks: Vec::new(),
            goals: Vec::new(),
            undecided: 0,
        };
        for (index, property) in system.properties.iter().enumerate() {
            match &property.kind {
                PropertyKind::Deadlock => monitor.bad.push((index, system.deadlock())),
                PropertyKind::Check(check) => monitor.checks.push((index, *check)),
                PropertyKind::Invariant(e) => monitor.bad.push((index, e.clone().not())),
                PropertyKind::Reachable(e) => monitor.goals.push((index, e.clone())),
                PropertyKind::Ltl(formula) if system.assumptions.is_empty() => {
                    match formula.everywhere() {
                        Some(e) => monitor.bad.push((index, e.not())),
                        None => monitor.undecided += 1,
                    }
                }
                _ => monitor.undecided += 1,
            }
        }
        monitor
    }

    /// The properties that a state violates, or the step that led to it, in order.
    pub fn violated(&self, step: Option<&TraceStep>, state: &State) -> Vec<usize> {
        let failed =
            |check: Check| step.is_some_and(|step| step.events.contains(&Event::Failed(check)));
        let checks = self.checks.iter().filter(|(_, check)| failed(*check));
        let states = self.bad.iter().filter(|(_, e)| state.holds(e));
        let mut found: Vec<usize> = (checks.map(|(index, _)| *index))
            .chain(states.map(|(index, _)| *index))
            .collect();
        found.sort_unstable();
        found
    }

    /// The `reachable` properties that are reached in a state.
    pub fn reached(&self, state: &State) -> Vec<usize> {
        let reached = self.goals.iter().filter(|(_, e)| state.holds(e));
        reached.map(|(index, _)| *index).collect()
    }
}
