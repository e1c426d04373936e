//! What a step can do, as timing and specifications speak of it.

use super::{Expr, Pattern};
use crate::vocabulary::{ChannelId, FaultId, LabelId, ProcessId};

/// An event that specifications ask about; every place where one is written has its own number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

/// What a step can do.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// `p@label`: p comes to the start of the statement.
    Reached(ProcessId, LabelId),
    /// `sent(ch, pattern..)`
    Sent(Transfer),
    /// `received(ch, pattern..)`
    Received(Transfer),
    /// `injected(f)`: one of these faults is injected.
    Injected(Vec<FaultId>),
    /// `crashed_now(p)`: one of these processes crashes.
    Crashed(Vec<ProcessId>),
}

/// A message that is sent or received.
#[derive(Clone, PartialEq, Debug)]
pub struct Transfer {
    /// By one of these processes, if it matters.
    pub by: Option<Vec<ProcessId>>,
    /// On one of these channels.
    pub channels: Vec<ChannelId>,
    /// What each field must be; none at all, if it does not matter. They have no targets, and are compared with the state
    /// after the step.
    pub patterns: Vec<Pattern>,
}

impl Transfer {
    /// Whether a process that sends or receives on a channel can do it.
    pub fn concerns(&self, process: ProcessId, channel: ChannelId) -> bool {
        let by = self.by.as_ref().is_none_or(|by| by.contains(&process));
        by && self.channels.contains(&channel)
    }
}

impl Happening {
    /// The expressions that it compares with.
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            Happening::Sent(passing) | Happening::Received(passing) => {
                passing.patterns.iter().flat_map(Pattern::values).collect()
            }
            _ => Vec::new(),
        }
    }
}
