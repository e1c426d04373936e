//! Faults that a model defines itself: when they happen, and what they do. Names of parameters are values, variables and places by now.

use super::{Expr, FaultVariable, LocalId, Rhs};
use crate::source::Span;
use crate::vocabulary::{ChannelId, LabelId, ProcessId};

/// `at write(x, v) if e { x = !v }` for one entry that is marked.
#[derive(Clone, PartialEq, Debug)]
pub struct Join {
    /// When.
    pub trigger: Trigger,
    /// `e`
    pub condition: Option<Expr>,
    /// What happens instead.
    pub effect: Effect,
    /// All of it.
    pub span: Span,
}

/// When a fault happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Trigger {
    /// A process writes a variable.
    Write {
        /// The process.
        process: ProcessId,
        /// The variable.
        variable: FaultVariable,
        /// The name of what would be stored.
        value: LocalId,
    },
    /// A message is sent on a channel.
    Send(Passing),
    /// A message is received from a channel.
    Receive(Passing),
    /// A process is at the start of the statement.
    Reached(ProcessId, LabelId),
    /// A process is where a statement begins.
    Anytime(ProcessId),
}

/// A message on its way.
#[derive(Clone, PartialEq, Debug)]
pub struct Passing {
    /// Who sends or receives; everybody, if the channel itself is marked.
    pub process: Option<ProcessId>,
    /// Where.
    pub channel: ChannelId,
    /// The names of its fields, if they have names.
    pub fields: Vec<LocalId>,
}

/// What happens, in the place of what the trigger would do. Nothing of it: the write or the message is lost.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Effect {
    /// What is stored, all at once.
    pub stores: Vec<(FaultVariable, Rhs)>,
    /// The message that is sent, field by field.
    pub message: Option<Vec<Rhs>>,
    /// Whether the process crashes.
    pub crashes: bool,
}
