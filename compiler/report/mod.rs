//! Verdicts as people and programs want to see them. `report` never knows which engine spoke.

pub mod analysis;
pub mod chart;
mod drawing;
pub mod graph;
pub mod html;
mod json;
mod text;

pub use json::{About, Figures, json};
pub use text::{Detail, Style, confirmation, plural, property, summary, thousands, trace};

use crate::check::Answer;
use crate::verdict::Outcome;

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
