//! `ltl` and `ctl` properties, on what the safety search has found and whatever else they ask for.

use super::emptiness::{self, Stop};
use super::explorer::Explorer;
use super::packed_space::PackedSpace;
use super::safety::explored;
use super::space::{Exhausted, Space};
use super::{Notice, Options};
use crate::verdict::{Outcome, Verdict};
use crate::weave::{Formula, PropertyKind};

/// Answers the `ltl` properties among those wanted, in order.
pub fn search<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    wanted: &[usize],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Answers {
    let mut answers = Answers::default();
    let system = explorer.system;
    let assumptions: Vec<&Formula> = system.assumptions.iter().map(|a| &a.formula).collect();
    let mut stats = emptiness::Stats::default();
    for &property in wanted {
        let PropertyKind::Ltl(formula) = &system.properties[property].kind else {
            continue;
        };
        let memory = options.limits.memory.saturating_sub(explorer.memory());
        if answers.possible.is_none() && !assumptions.is_empty() {
            // A property holds on no runs at all, but nobody wants to hear that.
            let space: &mut dyn Space = &mut PackedSpace::new(explorer, options.stop);
            let found = emptiness::witness(space, &assumptions, memory, &mut stats);
            answers.possible = found.ok().map(|run| run.is_some());
        }
        let (outcome, run) = if answers.possible == Some(false) {
            let why = "no run satisfies the assumptions";
            (Outcome::Unknown(why.into()), None)
        } else {
            let space: &mut dyn Space = &mut PackedSpace::new(explorer, options.stop);
            let found = emptiness::counterexample(space, formula, &assumptions, memory, &mut stats);
            match found {
                Ok(None) => (Outcome::Holds, None),
                Ok(Some(lasso)) => (Outcome::Violated, Some(lasso.to_run(space))),
                Err(Stop::Exhausted(why)) => {
                    answers.exhausted = Some(why);
                    (Outcome::Unknown(explored(explorer)), None)
                }
                Err(other) => (Outcome::Unknown(other.to_string()), None),
            }
        };
        let verdict = Verdict {
            property,
            outcome,
            run,
        };
        notice(Notice::Verdict(&verdict));
        answers.verdicts.push(verdict);
    }
    answers
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
