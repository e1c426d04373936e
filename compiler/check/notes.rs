//! Remarks on answers that say less than they seem to.

use super::minimise::Deadline;
use super::strategy::Strategy;
use crate::engine;
use crate::simplify::{Rules, simplify_until};
use crate::system::System;
use crate::system::{Domain, EdgeKind, Expr, Formula, Leaf, Property, PropertyKind};
use crate::verdict::Outcome;
use crate::vocabulary::TemporalOp;

/// What is said of an `ltl` property that holds where no run with a fault satisfies the assumptions.
pub const NO_FAULTY_RUN: &str =
    "no run with a fault satisfies the assumptions, so this says nothing about faults";

/// Whether it is certain that every run that satisfies the assumptions is one without faults, although there are faults.
pub fn assumptions_rule_out_faults(strategy: &Strategy) -> bool {
    let system = strategy.task.system;
    let edges = || system.processes.iter().flat_map(|p| &p.edges);
    let is_faulty = edges().any(|edge| matches!(edge.kind, EdgeKind::Fault(_)));
    if !is_faulty || system.assumptions.is_empty() {
        return false;
    }
    let (asked, property) = never_faulty(system);
    let thresholds = &strategy.task.options.thresholds;
    let deadline = Deadline::new(strategy.world, strategy.task.options.minimise);
    let stop = || deadline.is_over();
    let rules = match strategy.task.options.simplify {
        true => Rules::default(),
        false => Rules::NONE,
    };
    let simplified = simplify_until(&asked, &rules, &stop);
    let mut options = strategy.options(&stop);
    options.effort = engine::emptiness::Effort::NONE;
    options.limits.states = options.limits.states.min(thresholds.worth_a_lasso);
    // The search whose answer this is about is still there.
    options.limits.memory /= 4;
    let report = engine::check(&simplified.system, &[property], &options, &mut |_| {});
    let outcome = report.verdicts.first().map(|verdict| &verdict.outcome);
    matches!(outcome, Some(Outcome::Holds | Outcome::HoldsStatically))
        && report.possible != Some(false)
}

/// The same System with a variable that tells whether a fault has happened, and the property that none ever does.
fn never_faulty(system: &System) -> (System, usize) {
    let mut asked = system.clone();
    let happened = asked.declare_hidden("__faulty", Domain::Bool, 0);
    let edges = asked.processes.iter_mut().flat_map(|p| &mut p.edges);
    for edge in edges.filter(|edge| matches!(edge.kind, EdgeKind::Fault(_))) {
        edge.updates.push((happened, Expr::yes()));
    }
    let never = Formula::Atom(Expr::Leaf(Leaf::Var(happened)).not());
    let formula = Formula::Unary(TemporalOp::G, Box::new(never));
    asked.properties = vec![Property {
        form: None,
        name: "never faulty".to_owned(),
        kind: PropertyKind::Ltl(formula),
        tolerant: None,
        span: None,
    }];
    (asked, 0)
}
