//! Why a property can be violated: a cause is named only if the property holds without it.

use std::time::Duration;

use super::answer::{Answer, Shows};
use super::minimise::Deadline;
use super::strategy::Strategy;
use super::{Engines, Options, Task, World, check};
use crate::system::{EdgeKind, Event, Expr, Leaf, Owner, System, VarId};
use crate::trace::{Cause, Trace};
use crate::verdict::Outcome;

/// The cause of a violation that a trace shows, if it is certain.
pub fn cause(strategy: &Strategy, property: usize, trace: &Trace, shows: Shows) -> Option<Cause> {
    match trace.cause() {
        Cause::None => Some(Cause::None),
        Cause::Fault => (shows > Shows::Any).then_some(Cause::Fault),
        Cause::UntimelyTimeout => match in_time(strategy, property)? {
            Outcome::Holds | Outcome::HoldsStatically => Some(Cause::UntimelyTimeout),
            Outcome::Violated => Some(Cause::None),
            Outcome::Unknown(_) => None,
        },
    }
}

/// The verdict where no fault happens and no timeout comes too early.
fn in_time(strategy: &Strategy, property: usize) -> Option<Outcome> {
    let system = without_trouble(strategy.task.system);
    let task = Task {
        system: &system,
        wanted: &[property],
        options: Options {
            minimise: Duration::ZERO,
            full_space: false,
            ..strategy.task.options.clone()
        },
    };
    let budget = strategy.task.options.minimise;
    let quiet = Quiet(Deadline::new(strategy.world, budget));
    let found = check(&task, Engines::Embedded, &quiet).ok()?;
    let answer: Option<Answer> = found.answers.into_iter().next();
    answer.map(|answer| answer.outcome)
}

/// The same System without faults, and with timeouts only where their operations cannot go.
fn without_trouble(system: &System) -> System {
    let mut calm = system.clone();
    for fault in &system.faults {
        if let Some(phase) = fault.phase {
            calm.vars[phase.0 as usize].init = crate::system::phase::NEVER;
            calm.starts.choices.retain(|choice| choice.var != phase);
        }
    }
    // What depended on the phases is chosen freely.
    let of_limit = |var: VarId| matches!(system.var(var).owner, Owner::Shared(_));
    calm.starts.choices.retain(|choice| !of_limit(choice.var));
    calm.starts.only = (calm.starts.only.take()).and_then(|only| {
        let mut rules = match only {
            Expr::And(rules) => rules.to_vec(),
            rule => vec![rule],
        };
        let chosen = |var: &VarId| calm.starts.choices.iter().any(|choice| choice.var == *var);
        rules.retain(|rule| {
            rule.all_leaves(&mut |leaf| matches!(leaf, Leaf::Var(var) if chosen(var)))
        });
        (!rules.is_empty()).then(|| Expr::and(rules))
    });
    calm.ordinary = None;
    for process in &mut calm.processes {
        process
            .edges
            .retain(|edge| !matches!(edge.kind, EdgeKind::Fault(_)));
        for edge in &mut process.edges {
            let could = edge.events.iter().find_map(|event| match event {
                Event::TimedOut(could) => Some(could.clone()),
                _ => None,
            });
            if let Some(could) = could {
                edge.guard = Expr::and([edge.guard.clone(), could.not()]);
            }
        }
    }
    calm
}

/// A world that hears nothing and ends with a budget.
struct Quiet<'a>(Deadline<'a>);

impl World for Quiet<'_> {
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}
