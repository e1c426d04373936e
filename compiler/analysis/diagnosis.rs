//! Which process can tell which fault (`sandalc diagnose`): what is asked of a model that need not say it.

use crate::check::{Options, World};
use crate::engine;
use crate::engine::knowledge::Unknown;
pub use crate::engine::knowledge::diagnose::Diagnosis;
use crate::engine::knowledge::diagnose::{Question, diagnose};
use crate::simplify::{Rules, simplify_until};
use crate::system::{Expr, PropertyKind, System};
use crate::vocabulary::FaultId;

/// So many faults can be told apart at most.
pub const MOST_FAULTS: usize = 64;

/// Answers the questions that a System has been woven with.
///
/// # Errors
/// Why nobody knows.
pub fn answers(
    system: &System,
    faults: &[FaultId],
    options: &Options,
    world: &dyn World,
) -> Result<Diagnosis, Unknown> {
    let conditions = system.properties.iter().filter(|p| p.span.is_some());
    let conditions = conditions.filter_map(|property| match &property.kind {
        PropertyKind::Invariant(e) => Some(e.clone()),
        _ => None,
    });
    let conditions: Vec<Expr> = conditions.skip(system.knowledge.len()).collect();
    let mut probe = system.clone();
    probe.properties.clear();
    probe.assumptions.clear();
    probe.knowledge.clear();
    let sights = system.knowledge.iter().map(|operator| {
        let view = operator.views.first();
        let view = view.map(Vec::as_slice).unwrap_or_default();
        view.iter().map(|sight| sight.value(system)).collect()
    });
    let sights: Vec<Vec<Expr>> = sights.collect();
    probe.kept = sights.iter().flatten().cloned().collect();
    probe.kept.extend(conditions);
    let stop = || world.is_over();
    let rules = match options.simplify {
        true => Rules::default(),
        false => Rules::NONE,
    };
    let simplified = simplify_until(&probe, &rules, &stop);
    let mut kept = simplified.system.kept.iter().cloned();
    let views = sights.iter();
    let views = views.map(|view| kept.by_ref().take(view.len()).collect());
    let views = views.collect();
    let question = Question {
        views,
        begun: kept.collect(),
        faults: faults.to_vec(),
    };
    let options = engine::Options {
        limits: options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    diagnose(&simplified.system, &question, &options)
}
