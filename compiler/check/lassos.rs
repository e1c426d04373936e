//! The runs that refute `ltl` properties, as cheap as they can be.

use super::Trouble;
use super::answer::Shows;
use super::minimise::{Deadline, cost, is_counted_by_searches};
use super::search::restored;
use super::strategy::Strategy;
use crate::engine;
use crate::verdict::Verdict;

/// Verdicts with runs of the model, made to have the fewest faults, then the fewest of the user's
/// own steps: those of merged steps may have more. Where that is not certain a good run is shown.
pub fn with_lassos(
    strategy: &Strategy,
    lassos: Vec<Verdict>,
) -> Result<Vec<(Verdict, Shows)>, Trouble> {
    if lassos.is_empty() {
        return Ok(Vec::new());
    }
    let deadline = Deadline::new(strategy.world, strategy.task.options.minimise);
    let stop = || deadline.is_over();
    let mut options = strategy.options(&stop);
    let worth = strategy.task.options.thresholds.worth_a_lasso;
    options.limits.states = options.limits.states.min(worth);
    let properties: Vec<usize> = lassos.iter().map(|verdict| verdict.property).collect();
    let stepwise = strategy.stepwise();
    let report = engine::check(&stepwise.system, &properties, &options, &mut |_| {});
    let system = strategy.task.system;
    let mut shown = Vec::new();
    for verdict in lassos {
        let other = (report.verdicts.iter())
            .find(|v| v.property == verdict.property && v.run.is_some())
            .cloned();
        let mut best = verdict;
        best.minimal = false;
        if let Some(other) = other {
            let other = restored(strategy, stepwise, other)?;
            let price = |v: &Verdict| v.run.as_ref().map(|run| cost(system, run));
            if best.run.is_none() || price(&other) < price(&best) {
                best = other;
            } else {
                best.minimal = other.minimal;
            }
        }
        let run = best.run.as_ref();
        best.minimal &= run.is_none_or(|run| is_counted_by_searches(system, run));
        let shows = match best.minimal {
            true => Shows::Best,
            false => Shows::Any,
        };
        shown.push((best, shows));
    }
    Ok(shown)
}
