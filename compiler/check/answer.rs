//! An answer: a verdict whose run has been replayed.

use std::time::Duration;

use crate::system::System;
use crate::trace;
use crate::trace::Trace;
use crate::verdict::{Outcome, Verdict};

/// The answer to one property, with its trace replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Which property: an index into `System::properties`.
    pub property: usize,
    /// The answer.
    pub outcome: Outcome,
    /// The counterexample, or the witness of a reachable state.
    pub trace: Option<Trace>,
    /// Whether the violation is known to need a fault, or known not to.
    pub needs_fault: Option<bool>,
    /// How long it took, if that is to be told.
    pub time: Option<Duration>,
}

/// What the run of a verdict shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// The fewest faults that it takes, and the fewest steps.
    Best,
    /// That it is so.
    Any,
    /// That it is so; another engine has found it, in this time.
    Foreign(Option<Duration>),
}

impl Answer {
    /// Replays a verdict's run on the System.
    ///
    /// # Errors
    /// If the run does not show what the verdict says: then the verdict is worth nothing.
    pub fn new(system: &System, verdict: &Verdict, shows: Shows) -> Result<Answer, String> {
        let trace = match &verdict.run {
            None => None,
            Some(run) => Some(trace::replay(system, verdict.property, run).map_err(|why| {
                let name = &system.properties[verdict.property].name;
                format!("the trace for `{name}` does not replay: {why}")
            })?),
        };
        let violated = verdict.outcome == Outcome::Violated;
        Ok(Answer {
            property: verdict.property,
            outcome: verdict.outcome.clone(),
            needs_fault: trace
                .as_ref()
                .filter(|_| violated)
                .map(|trace| trace.faults() > 0)
                .filter(|needs| !needs || matches!(shows, Shows::Best)),
            trace,
            time: match shows {
                Shows::Foreign(time) => time,
                Shows::Best | Shows::Any => None,
            },
        })
    }

    /// An answer that nobody knows; why.
    pub fn unknown(property: usize, why: String) -> Answer {
        Answer {
            property,
            outcome: Outcome::Unknown(why),
            trace: None,
            needs_fault: None,
            time: None,
        }
    }

    /// Whether the property is violated.
    pub fn is_violated(&self) -> bool {
        self.outcome == Outcome::Violated
    }

    /// `holds`, `violated` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.outcome {
            Outcome::Holds | Outcome::HoldsStatically => "holds",
            Outcome::Violated => "violated",
            Outcome::Unknown(_) => "unknown",
        }
    }
}
