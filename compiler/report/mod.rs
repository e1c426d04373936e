//! Verdicts as people and programs want to see them. `report` never knows which engine spoke.

mod json;
mod text;

pub use json::{About, Figures, json};
pub use text::{Detail, Style, confirmation, plural, property, summary, thousands, trace};

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

/// What a second engine, asked about the same properties, has to say.
#[derive(Clone, PartialEq, Debug)]
pub struct Confirmation {
    /// Its name.
    pub engine: String,
    /// Its version, if it was found.
    pub version: Option<String>,
    /// What became of it. That it disagrees is no outcome but a bug.
    pub outcome: Agreement,
    /// How long it took, if it was asked.
    pub time: Option<Duration>,
}

/// What became of a [`Confirmation`].
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// Every answer is confirmed.
    Agrees,
    /// It ran out of time; what it has answered agrees.
    Undecided,
    /// It is not installed.
    NotFound,
    /// It could not be asked: why.
    Failed(String),
}

impl Agreement {
    /// Whether it could not be asked.
    pub fn is_trouble(&self) -> bool {
        matches!(self, Agreement::NotFound | Agreement::Failed(_))
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
