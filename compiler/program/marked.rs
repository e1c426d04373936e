//! What is marked with a fault, and the budgets that faults share.

use std::sync::Arc;

use super::fault::FaultKind;
use super::{FaultVariable, Join, Program, Timing, Value};
use crate::source::Span;
use crate::vocabulary::{ChannelId, DetectorId, FaultId, ProcessId};

/// A fault that the model marks.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// What it is called: the name after `as`, or that of its entry and marker, as in `worker1@shutdown`.
    pub name: String,
    /// Which.
    pub kind: Arc<FaultKind>,
    /// What may suffer it; several entries of a list share one fault.
    pub targets: Vec<FaultTarget>,
    /// For a fault of a variable: that of each of the targets.
    pub variables: Vec<FaultVariable>,
    /// The values in its marker.
    pub values: Vec<Value>,
    /// `at = v`
    pub at: Option<Value>,
    /// `p = 0.001`: how likely it is to be possible, a number from 0 to 1 as written. For fault trees only.
    pub probability: Option<String>,
    /// Its positional arguments, as they are a part of its name.
    pub shown: Vec<String>,
    /// The same, as they stand in the marker.
    pub written: Vec<String>,
    /// `max = k`, `once`
    pub max: Option<u32>,
    /// `fair`: where it is injected again and again although the operation could go, that is performed again and again.
    pub fair: bool,
    /// What it does, if the model defines it: for each of the targets.
    pub joins: Vec<Join>,
    /// `loses = [x]`: the durable variables that do not survive it, with the places where they are named.
    pub loses: Vec<(String, Span)>,
    /// When it may happen.
    pub timing: Timing,
    /// The marker.
    pub span: Span,
}

impl Fault {
    /// `worker1@shutdown`: what it is called on an entry if it has no other name.
    pub fn marked_name(&self, entry: &str) -> String {
        match self.shown.as_slice() {
            [] => format!("{entry}@{}", self.kind.name),
            shown => format!("{entry}@{}({})", self.kind.name, shown.join(", ")),
        }
    }

    /// Whether these are its positional arguments, as its name or as its marker has them: blanks do not matter, and a constructor may
    /// have its type or not. None stand for whatever it has.
    pub fn takes_also(&self, arguments: &[String]) -> bool {
        let are = |own: &[String]| {
            let mut both = arguments.iter().zip(own);
            own.len() == arguments.len() && both.all(|(one, own)| is_argument(one, own))
        };
        arguments.is_empty() || are(&self.shown) || are(&self.written)
    }
}

/// Whether an argument is another one. (A name has a point only in a part of a variable, and that is no type.)
fn is_argument(one: &str, own: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let (one, own) = (plain(one), plain(own));
    one == own || (!own.contains('.') && without_types(&one) == own)
}

/// `Put(X)` of `Kind.Put(Value.X)`.
fn without_types(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars() {
        match character {
            '.' => {
                let name = plain.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
                plain.truncate(name.len());
            }
            other => plain.push(other),
        }
    }
    plain
}

impl Program {
    /// What a fault would be called without `as`, on each of its entries.
    pub fn marked_names(&self, fault: &Fault) -> Vec<String> {
        let targets = fault.targets.iter();
        targets
            .map(|target| fault.marked_name(self.entry_name(*target)))
            .collect()
    }

    /// The name of the entry that a fault happens to.
    pub fn entry_name(&self, target: FaultTarget) -> &str {
        match target {
            FaultTarget::Process(id) => &self.processes[id.0 as usize].name,
            FaultTarget::Channel(id) => &self.channels[id.0 as usize].name,
            FaultTarget::Detector(id) => &self.detectors[id.0 as usize].name,
        }
    }
}

/// What a fault happens to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultTarget {
    /// A process.
    Process(ProcessId),
    /// A channel.
    Channel(ChannelId),
    /// A failure detector.
    Detector(DetectorId),
}

/// `limit k { .. }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// `k`
    pub bound: u32,
    /// The faults counted together.
    pub faults: Vec<FaultId>,
    /// The keyword.
    pub span: Span,
}
