//! An answer: a verdict whose run has been replayed.

use std::sync::Arc;
use std::time::Duration;

use crate::system::knowledge::{Sight, SightKind};
use crate::system::{LocId, Scalar, System};
use crate::trace;
use crate::trace::{Cause, Trace};
use crate::verdict::{Outcome, Verdict};
use crate::vocabulary::{FaultId, Knowing, Level, ProcessId};

/// The answer to one property, with its trace replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Which property: an index into `System::properties`.
    pub property: usize,
    /// The answer.
    pub outcome: Outcome,
    /// The counterexample, or the witness of a reachable state; shared, for it may be long.
    pub trace: Option<Arc<Trace>>,
    /// What the trace is known to be.
    pub shows: Shows,
    /// Why the property can be violated, if that is certain.
    pub cause: Option<Cause>,
    /// When it was too late, and who is to blame, if that was asked and is known.
    pub blame: Option<Blame>,
    /// Of an answer about one level of `tolerant`, or about the one that has to be reached: which.
    pub level: Option<Level>,
    /// Of `tolerant`: what is known about each level.
    pub levels: Vec<Answer>,
    /// If it turns on what somebody does not know: what cannot be told from the end of the run.
    pub twin: Option<Twin>,
    /// What else is to be said about it.
    pub notes: Vec<String>,
    /// How long it took, if that is to be told.
    pub time: Option<Duration>,
    /// Why it holds in every state, if another engine has shown that; shared, for it may be long.
    pub proof: Option<Arc<Proof>>,
}

/// Why nothing bad can happen: conditions that hold at the start, that every step keeps, and that nothing bad satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who has found them: `ABC 1.01`.
    pub engine: String,
    /// In the model's names; `None` if they cannot be said so.
    pub conditions: Option<Vec<String>>,
}

/// A second run, to a state that somebody cannot tell from the last one of the first, in which what he would know is false.
#[derive(Clone, PartialEq, Debug)]
pub struct Twin {
    /// The run.
    pub trace: Arc<Trace>,
    /// Who cannot tell.
    pub processes: Vec<ProcessId>,
    /// Whose knowledge it is.
    pub how: Knowing,
    /// What they see in both states; of `common` in the first.
    pub seen: Seen,
}

/// What is seen: each part of a view, by its name.
pub type Seen = Vec<(String, SeenValue)>;

/// What a process sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeenValue {
    /// A value.
    Value(Scalar),
    /// Where it is.
    At(ProcessId, LocId),
}

/// Each part of a view with what is seen of it, given as codes.
pub fn seen(view: &[Sight], codes: &[i64]) -> Seen {
    let told = view.iter().zip(codes).map(|(sight, code)| {
        let value = match &sight.kind {
            SightKind::Value(_, domain) => SeenValue::Value(domain.scalar(*code)),
            SightKind::Location(p) => SeenValue::At(*p, LocId(*code as u32)),
        };
        (sight.name.clone(), value)
    });
    told.collect()
}

/// When it was too late for a run, and which faults are to blame.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blame {
    /// Before the step with this number from 0 (the number of steps: at the end): the first state from which, without further
    /// faults, the violation cannot be avoided.
    pub no_return: Option<usize>,
    /// The faults without which the others of the run do not suffice.
    pub but_for: Vec<FaultId>,
}

/// What the run of a verdict is known to be, besides a run that shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shows {
    /// Nothing more.
    Any,
    /// One with the fewest faults.
    Fewest,
    /// One with the fewest faults, and of these the fewest steps.
    Best,
}

impl Answer {
    /// The second run alone, as an answer.
    pub fn other_run(&self) -> Option<Answer> {
        let twin = self.twin.as_ref()?;
        Some(Answer {
            trace: Some(Arc::clone(&twin.trace)),
            ..Answer::unknown(self.property, String::new())
        })
    }

    /// Replays a verdict's run on the System. Nothing is said about a cause.
    ///
    /// # Errors
    /// If the run does not show what the verdict says: then the verdict is worth nothing.
    pub fn new(system: &System, verdict: &Verdict, shows: Shows) -> Result<Answer, String> {
        let trace = match &verdict.run {
            None => None,
            Some(run) => {
                let replayed = trace::replay(system, verdict.property, run).map_err(|why| {
                    let name = &system.properties[verdict.property].name;
                    format!("the trace for `{name}` does not replay: {why}")
                });
                Some(Arc::new(replayed?))
            }
        };
        Ok(Answer {
            property: verdict.property,
            outcome: verdict.outcome.clone(),
            trace,
            shows,
            cause: None,
            blame: None,
            level: None,
            levels: Vec::new(),
            twin: None,
            notes: Vec::new(),
            time: None,
            proof: None,
        })
    }

    /// A verdict as it is.
    pub fn unreplayed(verdict: &Verdict) -> Answer {
        Answer {
            outcome: verdict.outcome.clone(),
            ..Answer::unknown(verdict.property, String::new())
        }
    }

    /// A verdict whose run is not yet replayed, which is told only if that is the last thing known: it has many steps.
    pub fn not_replayed(verdict: &Verdict) -> Answer {
        let steps = verdict.run.as_ref().map_or(0, |run| run.moves.len());
        Answer {
            outcome: verdict.outcome.clone(),
            notes: vec![Answer::too_long(steps)],
            ..Answer::unknown(verdict.property, String::new())
        }
    }

    /// The note about a run that is left out.
    pub fn too_long(steps: usize) -> String {
        let steps = crate::vocabulary::thousands(steps as u64);
        format!("its run has {steps} steps, which cannot be told within the limits")
    }

    /// Whether the violation is known to need a fault, or known not to.
    pub fn needs_fault(&self) -> Option<bool> {
        let trace = self.trace.as_ref().filter(|_| self.is_violated())?;
        let needs = trace.faults() > 0;
        (!needs || self.shows > Shows::Any).then_some(needs)
    }

    /// Whether there is a trace, and no smaller one.
    pub fn is_minimal(&self) -> bool {
        self.trace.is_some() && self.shows == Shows::Best
    }

    /// An answer that nobody knows; why.
    pub fn unknown(property: usize, why: String) -> Answer {
        Answer {
            property,
            outcome: Outcome::Unknown(why),
            trace: None,
            shows: Shows::Any,
            cause: None,
            blame: None,
            level: None,
            levels: Vec::new(),
            twin: None,
            notes: Vec::new(),
            time: None,
            proof: None,
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
