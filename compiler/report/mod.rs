//! Verdicts as people and programs want to see them. `report` never knows which engine spoke.

mod json;
mod text;

pub use json::{Figures, json};
pub use text::{Style, plural, property, summary, thousands, trace};

use std::time::Duration;

use crate::trace::Trace;
use crate::verdict::Outcome;

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

impl Answer {
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

/// The counts of a run of the checker.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Properties that hold.
    pub hold: usize,
    /// Properties that are violated.
    pub violated: usize,
    /// Properties nobody knows about.
    pub unknown: usize,
}

impl Counts {
    /// Counts answers.
    pub fn of(answers: &[Answer]) -> Counts {
        let mut counts = Counts::default();
        for answer in answers {
            match answer.outcome {
                Outcome::Holds | Outcome::HoldsStatically => counts.hold += 1,
                Outcome::Violated => counts.violated += 1,
                Outcome::Unknown(_) => counts.unknown += 1,
            }
        }
        counts
    }
}
