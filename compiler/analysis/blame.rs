//! When it was too late, and which faults were to blame.
//!
//! The *point of no return* of a run is its first state from which, without further faults, the violation can no longer be
//! avoided: every fair run from there shows it. A fault of the run is a *but-for cause* if the other faults of the run alone do not
//! suffice for a violation.

use super::each::{Quiet, answers};
use super::question::is_additive;
use crate::check::{Answer, Blame, Options, Shows, World};
use crate::system::state::State;
use crate::system::{
    BinaryTemporal, Domain, EdgeKind, Event, Expr, Formula, Leaf, Property, PropertyKind, Starts,
    System,
};
use crate::trace::Trace;
use crate::verdict::Outcome;
use crate::vocabulary::{FaultId, TemporalOp};
use std::time::Duration;

/// Who and when is to blame for a violation, as far as that can be found out; nothing if the run needs no fault.
pub fn blame(
    system: &System,
    answer: &Answer,
    options: &Options,
    world: &dyn World,
) -> Option<Blame> {
    let trace = answer.trace.as_ref().filter(|_| answer.is_violated())?;
    let used = trace.faults_used();
    let knows = !system.knowledge_of(answer.property).is_empty();
    if knows || used.is_empty() || answer.shows == Shows::Any {
        return None;
    }
    let options = Options {
        minimise: Duration::ZERO,
        ..options.clone()
    };
    Some(Blame {
        no_return: no_return(system, answer.property, trace, &options, world),
        but_for: match used.as_slice() {
            // No run without faults shows it, for this one has the fewest.
            [only] => vec![*only],
            _ => but_for(system, answer.property, &used, &options, world),
        },
    })
}

/// The first state of a run from which the violation cannot be avoided without further faults: that before the step with this
/// number from 0; the number of steps: only the last one.
fn no_return(
    system: &System,
    property: usize,
    trace: &Trace,
    options: &Options,
    world: &dyn World,
) -> Option<usize> {
    // A run with the fewest faults needs its last one. After it there are ordinary steps only: once it is too late it stays so.
    let last = trace.steps.iter().rposition(|step| step.fault.is_some())?;
    if trace.loop_start.is_some_and(|start| start <= last) {
        return None;
    }
    let too_late = |at: usize| is_too_late(system, property, trace, at, options, world);
    let (mut early, mut late) = (last + 1, trace.steps.len());
    if !too_late(late)? {
        return None;
    }
    while early < late {
        let middle = early + (late - early) / 2;
        match too_late(middle)? {
            true => late = middle,
            false => early = middle + 1,
        }
    }
    Some(late)
}

/// Whether every fair run from a state of the run without further faults shows the violation, if that is known.
fn is_too_late(
    system: &System,
    property: usize,
    trace: &Trace,
    at: usize,
    options: &Options,
    world: &dyn World,
) -> Option<bool> {
    let rest = continuation(system, property, trace, at)?;
    let found = answers(&rest, &[0], options, &Quiet(world)).ok()?;
    match found.first()?.outcome {
        Outcome::Holds | Outcome::HoldsStatically => Some(true),
        Outcome::Violated => Some(false),
        Outcome::Unknown(_) => None,
    }
}

/// The System from a state of a run on, without faults; its only property says that the violation comes. `None` if that
/// cannot be said.
pub fn continuation(system: &System, property: usize, trace: &Trace, at: usize) -> Option<System> {
    let mut rest = system.clone();
    for process in &mut rest.processes {
        process
            .edges
            .retain(|edge| !matches!(edge.kind, EdgeKind::Fault(_)));
    }
    let here: &State = trace.before(at);
    for (process, location) in rest.processes.iter_mut().zip(&here.locations) {
        process.initial = *location;
    }
    for (var, value) in rest.vars.iter_mut().zip(&here.values) {
        var.init = *value;
    }
    rest.starts = Starts::default();
    let comes = |e: Expr| Formula::Unary(TemporalOp::F, Box::new(Formula::Atom(e)));
    let assumptions = std::mem::take(&mut rest.assumptions);
    let formula = match &system.properties[property].kind {
        PropertyKind::Invariant(e) => comes(e.clone().not()),
        PropertyKind::Deadlock => comes(rest.deadlock()),
        PropertyKind::Check(check) => {
            let failed = at == trace.steps.len();
            comes(watched(&mut rest, &Event::Failed(*check), failed))
        }
        PropertyKind::Ltl(formula) => {
            for mut assumption in assumptions {
                assumption.formula = after(&assumption.formula, trace, at)?;
                rest.assumptions.push(assumption);
            }
            Formula::Not(Box::new(after(formula, trace, at)?))
        }
        _ => return None,
    };
    rest.properties = vec![Property {
        form: None,
        name: "too_late".to_owned(),
        kind: PropertyKind::Ltl(formula),
        tolerant: None,
        span: None,
    }];
    Some(rest)
}

/// Adds a variable that says whether something has happened, or had from the start.
fn watched(system: &mut System, event: &Event, already: bool) -> Expr {
    let var = system.declare_hidden("happened", Domain::Bool, i64::from(already));
    for edge in system.processes.iter_mut().flat_map(|p| &mut p.edges) {
        if edge.events.contains(event) {
            edge.updates.push((var, Expr::yes()));
        }
    }
    Expr::Leaf(Leaf::Var(var))
}

/// What is left of a formula after the first states of a run; `None` if it looks back.
///
/// Bacchus and Kabanza, "Using temporal logics to express search control knowledge for planning", 2000: progression.
pub fn after(formula: &Formula, trace: &Trace, states: usize) -> Option<Formula> {
    let mut left = formula.clone();
    for state in 0..states {
        left = progress(&left, trace.before(state))?;
    }
    Some(left)
}

fn constant(value: bool) -> Formula {
    Formula::Atom(Expr::bool(value))
}

fn known(formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Atom(e) if e.is_yes() => Some(true),
        Formula::Atom(e) if e.is_no() => Some(false),
        _ => None,
    }
}

fn all(parts: Vec<Formula>) -> Formula {
    let mut left: Vec<Formula> = Vec::new();
    for part in parts {
        match known(&part) {
            Some(true) => {}
            Some(false) => return part,
            None if left.contains(&part) => {}
            None => left.push(part),
        }
    }
    match left.len() {
        0 => constant(true),
        1 => left.remove(0),
        _ => Formula::And(left),
    }
}

fn not(formula: Formula) -> Formula {
    match known(&formula) {
        Some(value) => constant(!value),
        None => Formula::Not(Box::new(formula)),
    }
}

fn some(parts: Vec<Formula>) -> Formula {
    let mut left: Vec<Formula> = Vec::new();
    for part in parts {
        match known(&part) {
            Some(false) => {}
            Some(true) => return part,
            None if left.contains(&part) => {}
            None => left.push(part),
        }
    }
    match left.len() {
        0 => constant(false),
        1 => left.remove(0),
        _ => Formula::Or(left),
    }
}

/// What is left of a formula after one state.
fn progress(formula: &Formula, state: &State) -> Option<Formula> {
    let next = |f: &Formula| progress(f, state);
    Some(match formula {
        Formula::Atom(e) => constant(state.holds(e)),
        Formula::Not(f) => not(next(f)?),
        Formula::And(fs) => all(fs.iter().map(next).collect::<Option<_>>()?),
        Formula::Or(fs) => some(fs.iter().map(next).collect::<Option<_>>()?),
        Formula::Implies(f, g) => some(vec![not(next(f)?), next(g)?]),
        Formula::Iff(f, g) => {
            let (f, g) = (next(f)?, next(g)?);
            match (known(&f), known(&g)) {
                (Some(true), _) => g,
                (_, Some(true)) => f,
                (Some(false), _) => not(g),
                (_, Some(false)) => not(f),
                _ => Formula::Iff(Box::new(f), Box::new(g)),
            }
        }
        Formula::Unary(TemporalOp::X, f) => (**f).clone(),
        Formula::Unary(TemporalOp::G, f) => all(vec![next(f)?, formula.clone()]),
        Formula::Unary(TemporalOp::F, f) => some(vec![next(f)?, formula.clone()]),
        Formula::Binary(BinaryTemporal::Until, f, g) => {
            some(vec![next(g)?, all(vec![next(f)?, formula.clone()])])
        }
        Formula::Binary(BinaryTemporal::Releases, f, g) => {
            all(vec![next(g)?, some(vec![next(f)?, formula.clone()])])
        }
        _ => return None,
    })
}

/// The faults of a run without which the others do not suffice.
fn but_for(
    system: &System,
    property: usize,
    used: &[FaultId],
    options: &Options,
    world: &dyn World,
) -> Vec<FaultId> {
    let kind = &system.properties[property].kind;
    let additive = |fault: u32| is_additive(system, FaultId(fault), kind);
    if !(0..system.faults.len() as u32).all(additive) {
        return Vec::new();
    }
    let is_needed = |fault: &FaultId| {
        let mut others = system.clone();
        for process in &mut others.processes {
            process.edges.retain(|edge| match edge.kind {
                EdgeKind::Fault(f) | EdgeKind::Recovery(f) => used.contains(&f) && f != *fault,
                _ => true,
            });
        }
        let found = answers(&others, &[property], options, &Quiet(world));
        let outcome = found.ok().and_then(|found| found.into_iter().next());
        outcome.is_some_and(|answer| answer.verdict() == "holds")
    };
    used.iter().copied().filter(is_needed).collect()
}
