//! What an engine answers, the same for every engine.
//!
//! An engine reports a [`Run`]: which edges were taken, with which picks. Replaying it on the System
//! (`trace::replay`) is what makes it a trace that may be shown.

use crate::vocabulary::ProcessId;

/// The answer to one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Which property: an index into `System::properties`.
    pub property: usize,
    /// The answer.
    pub outcome: Outcome,
    /// For a violated property the counterexample, for a reachable state the witness.
    pub run: Option<Run>,
    /// Whether the run is known to have the fewest faults, and of those with as many the fewest steps.
    pub minimal: bool,
}

/// Whether a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It does.
    Holds,
    /// It does, as is plain without a search.
    HoldsStatically,
    /// It does not.
    Violated,
    /// Nobody knows; why.
    Unknown(String),
}

/// A finite run, or an infinite one that repeats its end for ever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Where it starts: the code of each variable that may start with several ([`Starts`](crate::system::Starts)).
    pub start: Vec<i64>,
    /// The steps from there.
    pub moves: Vec<Move>,
    /// If infinite: after the last move the run goes on with the move of this index.
    pub loop_start: Option<usize>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Nobody moves.
    Stutter,
    /// A process takes an edge.
    Step {
        /// The process.
        process: ProcessId,
        /// The edge: an index into its `edges`.
        edge: usize,
        /// The codes picked, one for each of the edge's picks.
        picks: Vec<i64>,
    },
}
