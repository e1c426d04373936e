//! What each fault does by itself, and where it shows first.

use super::each::{Quiet, answers};
use super::fault_set::FaultSet;
use super::survey::{Inquiry, Survey};
use crate::check::{Answer, Trouble, World};
use crate::system::System;

/// What a fault does.
pub struct Effect {
    /// Its position among the faults.
    pub fault: usize,
    /// The System with this fault alone, in whose words the run is told.
    pub system: System,
    /// Of the properties that it breaks by itself the one that shows it first, with its run.
    pub first: Option<Answer>,
}

/// What each fault does by itself.
///
/// # Errors
/// If a run cannot be relied on: a bug.
pub fn effects(
    task: &Inquiry<'_>,
    survey: &Survey,
    world: &dyn World,
) -> Result<Vec<Effect>, Trouble> {
    let mut effects = Vec::new();
    for fault in 0..task.faults.len() {
        let system = (task.weave)(&[task.faults[fault]]);
        let breaks: Vec<usize> = survey
            .properties
            .iter()
            .filter(|surveyed| {
                let with = |set: FaultSet| surveyed.violations.with(set);
                with(FaultSet::one(fault)) == Some(true) && with(FaultSet::NONE) == Some(false)
            })
            .map(|surveyed| surveyed.property)
            .collect();
        let mut found = match world.is_over() {
            true => Vec::new(),
            false => answers(&system, &breaks, &task.options, &Quiet(world))?,
        };
        found.retain(|answer| answer.is_violated() && answer.trace.is_some());
        let length = |answer: &Answer| {
            let trace = answer.trace.as_ref();
            trace.map_or(usize::MAX, |trace| trace.steps.len())
        };
        effects.push(Effect {
            fault,
            first: found.into_iter().min_by_key(length),
            system,
        });
    }
    Ok(effects)
}
