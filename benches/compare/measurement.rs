//! What was measured of one competitor on one model.

use crate::process::{Cost, Over};

/// The answer to the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds.
    Holds,
    /// It is violated.
    Violated,
    /// A limit was hit before there was an answer.
    Over(Over),
}

impl Answer {
    /// For the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Holds => "holds",
            Answer::Violated => "violated",
            Answer::Over(Over::Time) => "time out",
            Answer::Over(Over::Memory) => "memory out",
        }
    }

    /// Whether a limit was hit.
    pub fn is_over(self) -> bool {
        matches!(self, Answer::Over(_))
    }
}

/// One run, or the best of several.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What was found.
    pub answer: Answer,
    /// From the model to the answer, all steps together.
    pub seconds: f64,
    /// The steps, such as `spin`, `gcc` and `pan`, in this order.
    pub parts: Vec<(&'static str, f64)>,
    /// The last of them, the search itself.
    pub search: Cost,
    /// The time of the search.
    pub search_seconds: f64,
    /// States stored.
    pub states: Option<u64>,
    /// Transitions taken.
    pub transitions: Option<u64>,
    /// Memory that the program needs even for a tiny model.
    pub base: u64,
}

/// Fewer states than this say nothing about throughput, because everything is in a cache.
const ENOUGH_FOR_TIME: u64 = 100_000;

/// Fewer states than this say nothing about memory, because programs get it in large pieces.
const ENOUGH_FOR_MEMORY: u64 = 500_000;

impl Measurement {
    /// Transitions per second of the search.
    pub fn throughput(&self) -> Option<f64> {
        let transitions = self.transitions.filter(|_| self.has(ENOUGH_FOR_TIME))?;
        Some(transitions as f64 / self.search_seconds)
    }

    /// Bytes per stored state, everything included.
    pub fn bytes_per_state(&self) -> Option<f64> {
        let states = self.states.filter(|_| self.has(ENOUGH_FOR_MEMORY))?;
        Some(self.search.memory.saturating_sub(self.base) as f64 / states as f64)
    }

    fn has(&self, states: u64) -> bool {
        !self.answer.is_over() && self.states >= Some(states)
    }

    /// The better of two runs of the same thing: the shorter time, and the smaller memory.
    pub fn best(self, other: Measurement) -> Measurement {
        let (mut best, worse) = match other.seconds < self.seconds {
            true => (other, self),
            false => (self, other),
        };
        best.search.memory = best.search.memory.min(worse.search.memory);
        best
    }
}
