//! `ltl` and `ctl` properties, and whether time goes on, on what the safety search has found and whatever else they ask for.

use super::ctl::{self, Labelling};
use super::emptiness::{self, Effort, Stop};
use super::explorer::Explorer;
use super::packed_space::PackedSpace;
use super::safety::explored;
use super::space::{Exhausted, Space};
use super::time;
use super::{Notice, Options};
use crate::system::{Formula, Property, PropertyKind, System};
use crate::verdict::{Outcome, Run, Verdict};

/// Answers the `ltl` and `ctl` properties among those wanted, and whether time goes on, in order.
pub fn search<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    wanted: &[usize],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Answers {
    let mut answers = Answers::default();
    let system = explorer.system;
    let mut labelling = None;
    for &property in wanted {
        let limits = emptiness::Limits {
            memory: options.limits.memory,
            effort: options.effort,
        };
        let space: &mut dyn Space = &mut PackedSpace::new(explorer, options.stop);
        let answer = match &system.properties[property].kind {
            PropertyKind::Ltl(formula) => {
                ltl(system, space, formula, limits, &mut answers.possible)
            }
            PropertyKind::Time => time(system, space, limits),
            PropertyKind::Ctl(formula)
                if !system.fair.is_empty()
                    && !knows_fair(&system.properties[property], formula) =>
            {
                Err(Stop::FairChoice)
            }
            PropertyKind::Ctl(formula) => ctl(space, formula, limits, &mut labelling),
            _ => continue,
        };
        let (outcome, run, minimal) = answer.unwrap_or_else(|stop| match stop {
            Stop::Exhausted(why) => {
                answers.exhausted = Some(why);
                (
                    Outcome::Unknown(explored(explorer.states(), explorer.depth())),
                    None,
                    false,
                )
            }
            other => (Outcome::Unknown(other.to_string()), None, false),
        });
        let verdict = Verdict {
            property,
            outcome,
            run,
            minimal,
        };
        notice(Notice::Verdict(&verdict));
        answers.verdicts.push(verdict);
    }
    answers
}

/// Whether a formula of branching time can be answered where there are fair choices. That is so for all questions of `tolerant`: what
/// they say of all runs is a formula of linear time, and the others ask only where some run gets.
fn knows_fair(property: &Property, formula: &Formula) -> bool {
    property.is_level() && (!formula.asks_fairness() || ctl::linear(formula).is_some())
}

/// The verdict, a run that shows it, and whether that is known to be the cheapest.
type Answer = Result<(Outcome, Option<Run>, bool), Stop>;

fn ltl(
    system: &System,
    space: &mut dyn Space,
    formula: &Formula,
    limits: emptiness::Limits,
    possible: &mut Option<bool>,
) -> Answer {
    let assumptions: Vec<&Formula> = system.assumptions.iter().map(|a| &a.formula).collect();
    if possible.is_none() && !assumptions.is_empty() {
        // A property holds on no runs at all, but nobody wants to hear that.
        let run = emptiness::witness(
            space,
            &assumptions,
            emptiness::Limits {
                effort: Effort::NONE,
                ..limits
            },
            &mut Default::default(),
        )?;
        *possible = Some(run.is_some());
    }
    if *possible == Some(false) {
        let why = "no run satisfies the assumptions";
        return Ok((Outcome::Unknown(why.into()), None, false));
    }
    refuted(space, formula, &assumptions, limits)
}

/// Holds, or is violated by a run.
fn refuted(
    space: &mut dyn Space,
    formula: &Formula,
    assumptions: &[&Formula],
    limits: emptiness::Limits,
) -> Answer {
    let stats = &mut emptiness::Stats::default();
    let found = emptiness::counterexample(space, formula, assumptions, limits, stats)?;
    Ok(match found {
        None => (Outcome::Holds, None, false),
        Some(lasso) => (Outcome::Violated, Some(lasso.to_run(space)), stats.minimal),
    })
}

/// Whether time goes on.
fn time(system: &System, space: &mut dyn Space, limits: emptiness::Limits) -> Answer {
    Ok(match time::stopped(space, system, limits)? {
        None => (Outcome::Holds, None, false),
        Some((lasso, minimal)) => (Outcome::Violated, Some(lasso.to_run(space)), minimal),
    })
}

fn ctl(
    space: &mut dyn Space,
    formula: &Formula,
    limits: emptiness::Limits,
    labelling: &mut Option<Labelling>,
) -> Answer {
    // What says the same as an LTL formula is refuted by a run, which can be shown.
    if let Some(formula) = ctl::linear(formula) {
        return refuted(space, &formula, &[], limits);
    }
    let labelling = match labelling {
        Some(known) => known,
        None => labelling.insert(Labelling::new(space, limits.memory)?),
    };
    let holds = labelling.holds(space, formula)?;
    if holds {
        return Ok((Outcome::Holds, None, false));
    }
    let run = labelling.way(space, formula)?;
    let minimal = run.is_some();
    Ok((Outcome::Violated, run, minimal))
}

/// What was found out.
#[derive(Default)]
pub struct Answers {
    /// A verdict per property.
    pub verdicts: Vec<Verdict>,
    /// Whether some run satisfies all the assumptions, if that was asked and is known.
    pub possible: Option<bool>,
    /// Why some answer is missing.
    pub exhausted: Option<Exhausted>,
}
