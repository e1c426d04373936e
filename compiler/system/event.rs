//! What happens on an edge, as data: patterns of faults, traces and words read the same vocabulary.

use super::VarId;
use super::expr::{Expr, Leaves, Memo};
use crate::source::Span;
use crate::vocabulary::{ChannelId, FairId, FaultId, ProcessId};

/// What happens on an edge. Expressions are read in the state before it.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<L> {
    /// A variable is assigned.
    Wrote(VarId),
    /// A message is offered on a rendezvous channel.
    Offered(ChannelId, Vec<Expr<L>>),
    /// An offered message that was taken leaves the channel: the send is complete.
    Completed(ChannelId),
    /// An offered message that was not taken is withdrawn.
    Withdrew(ChannelId),
    /// A message is appended to a buffered channel.
    Sent(ChannelId, Vec<Expr<L>>),
    /// A message is lost, because the buffered channel it was for is full and overflows.
    Overflowed(ChannelId, Vec<Expr<L>>),
    /// A message is taken.
    Received(ChannelId, Vec<Expr<L>>),
    /// A message is looked at.
    Peeked(ChannelId, Vec<Expr<L>>),
    /// A condition, written here, was found to be true or false.
    Decided(bool, Span),
    /// What is written at the first place was found to be what is written at the second, or nothing of the kind.
    Switched(Span, Option<Span>),
    /// A loop over a range goes on with its next round, or is over.
    Looped(bool),
    /// A block of `choice` is entered, by its position from 0.
    Chose(u32),
    /// `assert` held.
    Asserted,
    /// A timeout; the expression says whether the operation could have gone (then it is untimely).
    TimedOut(Expr<L>),
    /// What a timeout waited for, if it was for a time.
    Expired(Expiry),
    /// A process goes to sleep for so many ticks.
    Slept(Expr<L>),
    /// Time passes.
    Ticked,
    /// A nonblocking operation or a `select` with `default` found nothing to do.
    Declined(Declined),
    /// A run-time check failed.
    Failed(Check),
    /// A fault acts, or a process recovers from one. What that is, only the fault's own file knows.
    Acted(Act<L>),
    /// A fault is injected.
    Injected(FaultId),
    /// What a fair choice is about could be done, and something else is.
    Denied(FairId),
    /// What a fair choice is about is done.
    Granted(FairId),
    /// A fault that happens at every occasion becomes active: that is its injection.
    Began(FaultId),
    /// A message arrives by a fault, which has its own way of taking it.
    Delivered(ChannelId, Vec<Expr<L>>),
}

/// What a fault does, in the words of its own file.
#[derive(Clone, PartialEq, Debug)]
pub struct Act<L> {
    /// In one word, for names of steps: `drops`.
    pub verb: &'static str,
    /// In a sentence: `req drops Commit`.
    pub sentence: Vec<Word<L>>,
    /// If it decides what becomes of a message and the contents of the channel do not show it.
    pub passage: Option<Passage<L>>,
}

/// What a fault makes of a message, for those who draw it.
#[derive(Clone, PartialEq, Debug)]
pub struct Passage<L> {
    /// The channel.
    pub channel: ChannelId,
    /// The message.
    pub message: Vec<Expr<L>>,
    /// Whether it reaches the process that takes the step; otherwise that process has sent it and nobody gets it.
    pub arrives: bool,
}

/// A part of a sentence about a fault.
#[derive(Clone, PartialEq, Debug)]
pub enum Word<L> {
    /// A plain word.
    Plain(&'static str),
    /// The process that takes the step.
    Actor,
    /// A process.
    Process(ProcessId),
    /// A channel.
    Channel(ChannelId),
    /// A message.
    Message(Vec<Expr<L>>),
    /// How many of something.
    Count(u32),
    /// A fault, by its name.
    Fault(FaultId),
    /// A variable, with its owner's name.
    Variable(VarId),
    /// A variable or a part of one, with its owner's name: its first scalar, and how many it has.
    Part(VarId, u32),
    /// A value of the part that begins with this scalar.
    Value(VarId, Vec<Expr<L>>),
}

impl<L: Leaves> Event<L> {
    /// The same event over other leaves.
    pub fn map<M: Leaves>(&self, leaf: &mut impl FnMut(&L) -> Expr<M>) -> Event<M> {
        let memo = &mut Memo::default();
        self.over(&mut |e| e.map_in(memo, leaf))
    }

    /// The same event with other expressions.
    pub fn over<M>(&self, expr: &mut impl FnMut(&Expr<L>) -> Expr<M>) -> Event<M> {
        let mut all = |values: &[Expr<L>]| values.iter().map(&mut *expr).collect();
        match self {
            Event::Wrote(var) => Event::Wrote(*var),
            Event::Offered(c, values) => Event::Offered(*c, all(values)),
            Event::Completed(c) => Event::Completed(*c),
            Event::Withdrew(c) => Event::Withdrew(*c),
            Event::Sent(c, values) => Event::Sent(*c, all(values)),
            Event::Overflowed(c, values) => Event::Overflowed(*c, all(values)),
            Event::Received(c, values) => Event::Received(*c, all(values)),
            Event::Peeked(c, values) => Event::Peeked(*c, all(values)),
            Event::Decided(value, condition) => Event::Decided(*value, *condition),
            Event::Switched(subject, case) => Event::Switched(*subject, *case),
            Event::Looped(again) => Event::Looped(*again),
            Event::Chose(block) => Event::Chose(*block),
            Event::Asserted => Event::Asserted,
            Event::TimedOut(could) => Event::TimedOut(expr(could)),
            Event::Expired(what) => Event::Expired(*what),
            Event::Slept(ticks) => Event::Slept(expr(ticks)),
            Event::Ticked => Event::Ticked,
            Event::Declined(what) => Event::Declined(*what),
            Event::Failed(check) => Event::Failed(*check),
            Event::Acted(act) => Event::Acted(Act {
                verb: act.verb,
                sentence: act.sentence.iter().map(|word| word.over(expr)).collect(),
                passage: act.passage.as_ref().map(|passage| Passage {
                    channel: passage.channel,
                    message: passage.message.iter().map(&mut *expr).collect(),
                    arrives: passage.arrives,
                }),
            }),
            Event::Injected(fault) => Event::Injected(*fault),
            Event::Denied(fair) => Event::Denied(*fair),
            Event::Granted(fair) => Event::Granted(*fair),
            Event::Began(fault) => Event::Began(*fault),
            Event::Delivered(c, values) => Event::Delivered(*c, all(values)),
        }
    }
}

impl<L: Leaves> Word<L> {
    fn over<M>(&self, expr: &mut impl FnMut(&Expr<L>) -> Expr<M>) -> Word<M> {
        match self {
            Word::Plain(word) => Word::Plain(word),
            Word::Actor => Word::Actor,
            Word::Process(p) => Word::Process(*p),
            Word::Channel(c) => Word::Channel(*c),
            Word::Message(values) => Word::Message(values.iter().map(expr).collect()),
            Word::Count(n) => Word::Count(*n),
            Word::Fault(f) => Word::Fault(*f),
            Word::Variable(v) => Word::Variable(*v),
            Word::Part(first, count) => Word::Part(*first, *count),
            Word::Value(v, values) => Word::Value(*v, values.iter().map(expr).collect()),
        }
    }
}

/// What is over when a process has waited for a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expiry {
    /// Its sleep.
    Sleep,
    /// So many ticks.
    Ticks(i64),
    /// A timer.
    Timer(VarId),
}

/// What could not be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declined {
    /// None of the cases of a `select`.
    Cases,
    /// A receive: there was no message (on this channel, if it is always the same).
    Receive(Option<ChannelId>),
    /// A send: there was no room.
    Send(Option<ChannelId>),
}

/// The run-time checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Check {
    Assert,
    Range,
    Division,
    Index,
    Room,
}

impl Check {
    /// All of them, in the order they are listed.
    pub const ALL: [Check; 5] = [
        Check::Assert,
        Check::Range,
        Check::Division,
        Check::Index,
        Check::Room,
    ];

    /// The name of its built-in property.
    pub fn as_str(self) -> &'static str {
        match self {
            Check::Assert => "assert",
            Check::Range => "range",
            Check::Division => "division",
            Check::Index => "index",
            Check::Room => "room",
        }
    }
}
