//! What a protocol allows, for those who tell why a run does not keep to it. That it is violated, a variable says.

use super::Expr;
use crate::source::Span;
use crate::vocabulary::{ChannelId, ProcessId};

/// A protocol: events, and which of them may follow each other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conduct {
    /// The channels whose messages it is about.
    pub channels: Vec<ChannelId>,
    /// The processes whose messages it is about, whatever the channel.
    pub processes: Vec<ProcessId>,
    /// The events.
    pub letters: Vec<Letter>,
    /// Those that may come first.
    pub first: Vec<u32>,
    /// For each, those that may follow.
    pub follow: Vec<Vec<u32>>,
    /// Whether each may be the last.
    pub last: Vec<bool>,
    /// Whether it may end at once.
    pub empty: bool,
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

    /// The events that fit after some, of which the last was one of these; at the beginning before all of them.
    pub fn after(&self, at: Option<&[u32]>) -> Vec<u32> {
        let Some(at) = at else {
            return self.first.clone();
        };
        let mut next: Vec<u32> = (at.iter())
            .flat_map(|event| self.follow[*event as usize].iter().copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Whether it may end there.
    pub fn may_end(&self, at: Option<&[u32]>) -> bool {
        match at {
            None => self.empty,
            Some(at) => at.iter().any(|event| self.last[*event as usize]),
        }
    }
}
