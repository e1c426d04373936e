//! `protocol`: which messages may follow each other, as an automaton that reads them.
//!
//! The body is a regular expression over letters ([`Course`]); [`Automaton`] is what it becomes: positions (Glushkov), sets of
//! them (the subset construction), and as few states as possible (Moore). A message is read as the set of letters that it is
//! ([`letters`]), since patterns may overlap.

mod automaton;
mod course;
mod letters;
#[cfg(test)]
mod tests;

pub use automaton::Automaton;
pub use course::Course;

use super::{Channel, Happening};
use crate::source::Span;
use crate::vocabulary::{ChannelId, DataType, Positions, ProcessId};

/// A protocol.
#[derive(Clone, PartialEq, Debug)]
pub struct Protocol {
    /// Whether it must be at its end wherever nobody can move.
    pub complete: bool,
    /// The channels whose messages are letters.
    pub channels: Vec<ChannelId>,
    /// The processes whose messages are letters, whatever the channel.
    pub processes: Vec<ProcessId>,
    /// The events of the body: one for each place, unrolled ones several times.
    pub letters: Vec<Letter>,
    /// Which of them may follow each other.
    pub positions: Positions,
    /// What reads them.
    pub automaton: Automaton,
}

/// An event in the body of a protocol.
#[derive(Clone, PartialEq, Debug)]
pub struct Letter {
    /// What is sent or received.
    pub event: Happening,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// Why there is no automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// The body has too many events.
    Body,
    /// The automaton has too many states.
    States,
}

/// What a protocol is about.
pub struct Subject<'a> {
    /// The data types of the model.
    pub data: &'a [DataType],
    /// All channels of the model.
    pub all: &'a [Channel],
    /// How many processes the model has.
    pub count: usize,
    /// The channels after `on`.
    pub channels: Vec<ChannelId>,
    /// The processes after `on`.
    pub processes: Vec<ProcessId>,
}

impl Protocol {
    /// The protocol of a body.
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(
        complete: bool,
        subject: Subject<'_>,
        course: &Course,
        letters: Vec<Letter>,
    ) -> Result<Protocol, TooLarge> {
        let positions = course.positions(letters.len())?;
        let events: Vec<&Happening> = letters.iter().map(|letter| &letter.event).collect();
        let classes = letters::classes(&subject, &events).ok_or(TooLarge::States)?;
        let automaton = Automaton::new(&positions, classes, complete)?;
        Ok(Protocol {
            complete,
            channels: subject.channels,
            processes: subject.processes,
            letters,
            positions,
            automaton,
        })
    }

    /// Whether what is received is a letter.
    pub fn receives(&self) -> bool {
        let mut letters = self.letters.iter();
        letters.any(|letter| matches!(letter.event, Happening::Received(_)))
    }

    /// Whether a message that a process sends (or receives) on a channel is a letter.
    pub fn reads(&self, sent: bool, process: ProcessId, channel: ChannelId) -> bool {
        let listed = self.channels.contains(&channel);
        match sent {
            true => listed || self.processes.contains(&process),
            false => listed && self.receives(),
        }
    }
}
