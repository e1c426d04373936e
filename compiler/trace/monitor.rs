//! What one finite run can show while it is taken: deadlocks, failed checks, false invariants, and `ltl` formulas that no
//! continuation satisfies any more. A run that has come to rest stays as it is for ever, so that its end tells of every `ltl`
//! formula whether it is violated. What is about all runs, no run can show.

use super::prefix::Prefix;
use super::{Trace, TraceStep, shows, stutter};
use crate::system::state::State;
use crate::system::{Check, Event, Expr, Formula, PropertyKind, Sought, System};
use crate::verdict::{Move, Run};
use crate::vocabulary::TemporalOp;

/// The properties that a run can decide.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Violated in a state where the expression is true.
    bad: Vec<(usize, Expr)>,
    /// Violated by a step that fails such a check.
    checks: Vec<(usize, Check)>,
    /// Violated when no continuation satisfies it.
    formulas: Vec<(usize, Prefix)>,
    /// `reachable` that are reached where it is true.
    goals: Vec<(usize, Expr)>,
    /// All `ltl` properties: a run without end decides them.
    linear: Vec<usize>,
    /// The properties that no finite run decides: those about all runs, and `ltl` under assumptions.
    pub undecided: Vec<usize>,
}

/// What is left of the formulas after a part of a run.
#[derive(Clone, Debug, Default)]
pub struct Course(Vec<(usize, Prefix)>);

impl Monitor {
    /// Watches all properties of a System for which that makes sense.
    pub fn new(system: &System) -> Monitor {
        let mut monitor = Monitor {
            bad: Vec::new(),
            checks: Vec::new(),
            formulas: Vec::new(),
            goals: Vec::new(),
            linear: Vec::new(),
            undecided: Vec::new(),
        };
        for (index, property) in system.properties.iter().enumerate() {
            // Who knows what, one run does not tell.
            if !system.knowledge_of(index).is_empty() {
                monitor.undecided.push(index);
                continue;
            }
            let found = match property.kind.holds_if_found() {
                true => &mut monitor.goals,
                false => &mut monitor.bad,
            };
            match property.kind.sought(system) {
                Sought::State(e, value) => found.push((index, if value { e } else { e.not() })),
                Sought::Rest(e) => found.push((index, Expr::and([e, system.quiescent()]))),
                Sought::Failure(check) => monitor.checks.push((index, check)),
                Sought::Run => monitor.watch(system, index, &property.kind),
            }
        }
        monitor
    }

    /// Watches a property about whole runs as far as a part of one can tell.
    fn watch(&mut self, system: &System, index: usize, kind: &PropertyKind) {
        match kind {
            PropertyKind::Ltl(formula) => {
                self.linear.push(index);
                // Whether the rest of a run can satisfy the assumptions, a finite one does not tell.
                let prefix = (system.assumptions.is_empty()).then(|| Prefix::new(formula));
                match prefix.flatten() {
                    Some(prefix) => self.formulas.push((index, prefix)),
                    None => self.undecided.push(index),
                }
            }
            PropertyKind::Ctl(Formula::Unary(TemporalOp::AG, inner)) => match &**inner {
                Formula::Atom(e) => self.bad.push((index, e.clone().not())),
                _ => self.undecided.push(index),
            },
            _ => self.undecided.push(index),
        }
    }

    /// At the beginning of a run, before its first state is read.
    pub fn begin(&self) -> Course {
        Course(self.formulas.clone())
    }

    /// The properties that the next state violates, or the step that led to it, in order.
    pub fn read(&self, course: &mut Course, step: Option<&TraceStep>, state: &State) -> Vec<usize> {
        let failed =
            |check: Check| step.is_some_and(|step| step.events.contains(&Event::Failed(check)));
        let checks = self.checks.iter().filter(|(_, check)| failed(*check));
        let states = self.bad.iter().filter(|(_, e)| state.holds(e));
        let mut found: Vec<usize> = (checks.map(|(index, _)| *index))
            .chain(states.map(|(index, _)| *index))
            .collect();
        for (index, prefix) in &mut course.0 {
            if prefix.read(&|e| state.holds(e)) {
                found.push(*index);
            }
        }
        found.sort_unstable();
        found
    }

    /// The properties that some state of a run violates, in order.
    pub fn of(&self, trace: &Trace) -> Vec<usize> {
        let mut course = self.begin();
        let mut found = self.read(&mut course, None, &trace.initial);
        for step in &trace.steps {
            found.extend(self.read(&mut course, Some(step), &step.state));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The `reachable` properties that are reached in a state.
    pub fn reached(&self, state: &State) -> Vec<usize> {
        let reached = self.goals.iter().filter(|(_, e)| state.holds(e));
        reached.map(|(index, _)| *index).collect()
    }

    /// The `ltl` properties that a run violates, if it has no end or stays where it is for ever, with that endless run.
    pub fn at_rest(&self, system: &System, run: &Run, trace: &Trace) -> (Vec<usize>, Run, Trace) {
        let (mut run, mut trace) = (run.clone(), trace.clone());
        if run.loop_start.is_none() {
            let Some(rest) = stutter(system, trace.last()) else {
                return (Vec::new(), run, trace);
            };
            run.loop_start = Some(run.moves.len());
            run.moves.push(Move::Stutter);
            trace.loop_start = run.loop_start;
            trace.steps.push(rest);
        }
        let violated =
            |index: &usize| shows(system, &system.properties[*index].kind, &trace).is_ok();
        let found = self.linear.iter().copied().filter(|index| violated(index));
        (found.collect(), run, trace)
    }
}
