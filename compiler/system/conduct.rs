//! What a protocol allows, for those who tell why a run does not keep to it. That it is violated, a variable says.

use super::Expr;
use crate::source::Span;
use crate::vocabulary::{ChannelId, Positions, ProcessId};

/// A protocol: events, and which of them may follow each other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conduct {
    /// The channels whose messages it is about.
    pub channels: Vec<ChannelId>,
    /// The processes whose messages it is about, whatever the channel.
    pub processes: Vec<ProcessId>,
    /// The events.
    pub letters: Vec<Letter>,
    /// Which of them may follow each other.
    pub positions: Positions,
}

/// An event of a protocol.
#[derive(Clone, PartialEq, Debug)]
pub struct Letter {
    /// Whether something is sent; else received.
    pub sent: bool,
    /// By one of these, if it matters.
    pub by: Option<Vec<ProcessId>>,
    /// On one of these channels.
    pub channels: Vec<ChannelId>,
    /// Whether a message fits, whose scalars are the picks, in the state after the step.
    pub fits: Expr,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Conduct {
    /// Whether it is about a message that a process sends (or receives) on a channel.
    pub fn reads(&self, sent: bool, process: ProcessId, channel: ChannelId) -> bool {
        let listed = self.channels.contains(&channel);
        match sent {
            true => listed || self.processes.contains(&process),
            false => listed && self.letters.iter().any(|letter| !letter.sent),
        }
    }
}
