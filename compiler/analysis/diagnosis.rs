//! Which process can tell which fault, and when (`sandalc diagnose`): what is asked of a model that need not say it.

use crate::check::{Options, Seen, World, seen};
use crate::engine;
use crate::engine::knowledge::Unknown;
use crate::engine::knowledge::diagnose::{self, Question, diagnose};
use crate::engine::knowledge::moments::Count;
use crate::simplify::{Rules, simplify_until};
use crate::system::{Expr, PropertyKind, System};
use crate::vocabulary::FaultId;

/// So many faults can be told apart at most.
pub const MOST_FAULTS: usize = 64;

/// Where steps have to be counted one by one, there may be so many times as many states as where they are merged.
const MORE_STATES: u64 = 4;

/// So many there may be in any case.
const FEW_STATES: u64 = 200_000;

/// What has been found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnosis {
    /// How many states there are.
    pub states: u64,
    /// What is counted from a fault on, if anything is.
    pub unit: Option<Unit>,
    /// For each fault and each process the smallest sets of faults, that one among them, of which the process comes to know
    /// that one has begun: smaller ones first, then in the order of the faults.
    pub told: Vec<Vec<Vec<Told>>>,
}

/// What is counted from a fault to the moment at which it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Ticks of the clock.
    Ticks,
    /// Steps of any process, in models without a clock.
    Steps,
}

/// A set of faults of which a process comes to know that one has begun.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    /// Their numbers.
    pub faults: Vec<usize>,
    /// What it sees when it first knows.
    pub views: Vec<Seen>,
    /// How late that can be, if there is a bound that is known.
    pub latest: Option<u64>,
}

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
    let merged = match options.simplify {
        true => Rules::default(),
        false => Rules::NONE,
    };
    let found = explored(system, faults, options, &merged, world)?;
    let by_steps = system.clock().is_none() && found.unit.is_none();
    if !by_steps || found.told.iter().flatten().all(Vec::is_empty) {
        return Ok(found);
    }
    // That takes every step as it is. What takes too long is not said.
    let mut options = options.clone();
    let most = found.states.saturating_mul(MORE_STATES).max(FEW_STATES);
    options.limits.states = options.limits.states.min(most);
    let counted = explored(system, faults, &options, &Rules::EVERY_STEP, world);
    Ok(match counted {
        Ok(counted) => Diagnosis {
            states: found.states,
            ..counted
        },
        Err(_) => found,
    })
}

/// Explores a System that has been simplified by some rules.
fn explored(
    system: &System,
    faults: &[FaultId],
    options: &Options,
    rules: &Rules,
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
    let views = system.knowledge.iter().map(|operator| {
        let view = operator.views.first();
        view.map(Vec::as_slice).unwrap_or_default()
    });
    let views: Vec<_> = views.collect();
    let sights = views.iter().flat_map(|view| view.iter());
    probe.kept = sights.map(|sight| sight.value(system)).collect();
    probe.kept.extend(conditions);
    let stop = || world.is_over();
    let simplified = simplify_until(&probe, rules, &stop);
    let simplified = &simplified.system;
    let count = match simplified.clock() {
        Some(clock) => Count::Ticks(clock),
        None if *rules == Rules::default() => Count::Nothing,
        None => Count::Steps,
    };
    let mut kept = simplified.kept.iter().cloned();
    let each = views.iter();
    let each = each.map(|view| kept.by_ref().take(view.len()).collect());
    let question = Question {
        views: each.collect(),
        begun: kept.collect(),
        faults: faults.to_vec(),
        count,
    };
    let options = engine::Options {
        limits: options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    let found = diagnose(simplified, &question, &options)?;
    let told = found.told.into_iter().map(|processes| {
        let processes = processes.into_iter().zip(&views);
        let processes = processes.map(|(sets, view)| {
            let in_words = |told: diagnose::Told| Told {
                faults: told.faults,
                views: told.views.iter().map(|codes| seen(view, codes)).collect(),
                latest: told.latest,
            };
            sets.into_iter().map(in_words).collect()
        });
        processes.collect()
    });
    Ok(Diagnosis {
        states: found.states,
        unit: match count {
            Count::Ticks(_) => Some(Unit::Ticks),
            Count::Steps => Some(Unit::Steps),
            Count::Nothing => None,
        },
        told: told.collect(),
    })
}
