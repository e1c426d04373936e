//! One state graph per process instance.
//!
//! A [`ProcessGraph`] says what a process does by itself: which location follows which, what it assigns, and
//! which messages it sends and receives, the latter only as [`Event`]s and symbolic leaves
//! ([`Leaf::Head`], [`Leaf::CanReceive`]). What a channel *is* comes in `weave`.

pub mod expr;
mod lower;
pub mod print;

pub use expr::{Domain, Op, Scalar};
pub use lower::{Layout, lower, spec_value};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::program::{ChannelId, FaultId, LabelId, ProcessId};
use crate::source::Span;

/// A scalar variable: of a process, or added by weaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

/// What an expression of a process graph reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A variable.
    Var(VarId),
    /// The value picked by the edge's pick with this index.
    Pick(u32),
    /// Whether a process is done.
    Done(ProcessId),
    /// Whether a process has crashed.
    Crashed(ProcessId),
    /// Whether a process has failed a run-time check (specifications only).
    Failed(ProcessId),
    /// Whether a process is at a label (specifications only).
    AtLabel(ProcessId, LabelId),
    /// How many messages a buffered channel holds (specifications only).
    Len(ChannelId),
    /// Whether a send on a channel can go now.
    CanSend(ChannelId),
    /// Whether a receive on a channel can go now.
    CanReceive(ChannelId),
    /// A scalar of the message that a receive would take.
    Head(ChannelId, u32),
}

/// An expression of a process graph.
pub type Expr = expr::Expr<Leaf>;

/// All process graphs of a model.
#[derive(Clone, Debug)]
pub struct Graphs {
    /// The scalars the processes' variables consist of, hidden ones included.
    pub vars: Vec<Var>,
    /// Where the variables and messages of the [`Program`](crate::program::Program) went.
    pub layout: Layout,
    /// One graph per process.
    pub processes: Vec<ProcessGraph>,
}

/// A scalar of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its name without the process's: `resp`, `a[2]`.
    pub name: String,
    /// Its process.
    pub process: ProcessId,
    /// Its values.
    pub domain: Domain,
    /// Its code at the start of the run.
    pub init: i64,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether traces leave it out.
    pub hidden: bool,
}

/// A process graph: what one process instance does by itself.
#[derive(Clone, Debug)]
pub struct ProcessGraph {
    /// The process.
    pub process: ProcessId,
    /// Locations and edges.
    pub graph: DiGraph<Location, Edge>,
    /// Where it starts.
    pub initial: NodeIndex,
    /// Where it is done.
    pub done: NodeIndex,
    /// Where it is after a failed run-time check.
    pub failed: NodeIndex,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// What it is.
    pub kind: LocationKind,
    /// The labels whose `p@label` holds here.
    pub labels: Vec<LabelId>,
    /// The statement that begins here, or that the process is inside of.
    pub span: Span,
}

/// What a location is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// A statement begins here: a crash point.
    Statement,
    /// In the middle of a statement.
    Inside,
    /// The end of the body.
    Done,
    /// After a crash.
    Crashed,
    /// After a failed run-time check.
    Failed,
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// When the process itself is ready to take it; its channel's part comes from its events.
    pub guard: Expr,
    /// The values chosen freely.
    pub picks: Vec<Domain>,
    /// What changes, all at once, read in the state before.
    pub updates: Vec<(VarId, Expr)>,
    /// The run-time checks, in evaluation order; the first that is false leads to *failed* instead.
    pub checks: Vec<(Check, Expr)>,
    /// Why it may be taken.
    pub kind: EdgeKind,
    /// What happens.
    pub events: Vec<Event<Leaf>>,
    /// For an edge that begins a send in two steps: where the send leads and what it changes then.
    pub exit: Option<Exit>,
    /// The statement.
    pub span: Span,
}

/// Where a statement of several steps leads.
#[derive(Clone, PartialEq, Debug)]
pub struct Exit {
    /// The location after it.
    pub to: NodeIndex,
    /// What the process itself changes by then.
    pub updates: Vec<(VarId, Expr)>,
}

/// Why an edge may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EdgeKind {
    /// An ordinary step.
    Normal,
    /// A timeout: ordinary too, but attributed.
    Timeout,
    /// The injection of a fault.
    Fault(FaultId),
    /// The recovery from a crash; never forced, and no injection.
    Recovery(FaultId),
}

impl EdgeKind {
    /// Whether weak fairness counts it, and its absence makes a System quiescent.
    pub fn is_forced(self) -> bool {
        matches!(self, EdgeKind::Normal | EdgeKind::Timeout)
    }
}

/// What happens on an edge. Expressions are read in the state before it.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<L> {
    /// A variable is assigned.
    Wrote(VarId),
    /// A message is offered on a rendezvous channel.
    Offered(ChannelId, Vec<expr::Expr<L>>),
    /// An offered message that was taken leaves the channel: the send is complete.
    Completed(ChannelId),
    /// An offered message that was not taken is withdrawn.
    Withdrew(ChannelId),
    /// A message is appended to a buffered channel.
    Sent(ChannelId, Vec<expr::Expr<L>>),
    /// A message is taken.
    Received(ChannelId, Vec<expr::Expr<L>>),
    /// A message is looked at.
    Peeked(ChannelId, Vec<expr::Expr<L>>),
    /// A condition was found to be true or false.
    Decided(bool),
    /// A block of `choice` is entered, by its position from 0.
    Chose(u32),
    /// `assert` held.
    Asserted,
    /// A timeout; the expression says whether the operation could have gone (then it is untimely).
    TimedOut(expr::Expr<L>),
    /// A nonblocking operation or a `select` with `default` found nothing to do.
    Declined,
    /// A run-time check failed.
    Failed(Check),
    /// A message is lost: what would have been sent.
    Dropped(ChannelId, Vec<expr::Expr<L>>),
    /// A message is received and stays.
    Duplicated(ChannelId, Vec<expr::Expr<L>>),
    /// A message behind the head is received or looked at, by its distance from the head.
    Reordered(ChannelId, u32, Vec<expr::Expr<L>>),
    /// Another message is sent instead: the one meant, the one sent.
    Corrupted(ChannelId, Vec<expr::Expr<L>>, Vec<expr::Expr<L>>),
    /// The process crashes.
    Crashed,
    /// The process recovers from a crash.
    Recovered,
    /// A fault is injected.
    Injected(FaultId),
}

impl<L: Clone + PartialEq> Event<L> {
    /// The same event over other leaves.
    pub fn map<M: Clone + PartialEq>(
        &self,
        leaf: &mut impl FnMut(&L) -> expr::Expr<M>,
    ) -> Event<M> {
        let mut all = |values: &[expr::Expr<L>]| values.iter().map(|e| e.map(leaf)).collect();
        match self {
            Event::Wrote(var) => Event::Wrote(*var),
            Event::Offered(c, values) => Event::Offered(*c, all(values)),
            Event::Completed(c) => Event::Completed(*c),
            Event::Withdrew(c) => Event::Withdrew(*c),
            Event::Sent(c, values) => Event::Sent(*c, all(values)),
            Event::Received(c, values) => Event::Received(*c, all(values)),
            Event::Peeked(c, values) => Event::Peeked(*c, all(values)),
            Event::Decided(value) => Event::Decided(*value),
            Event::Chose(block) => Event::Chose(*block),
            Event::Asserted => Event::Asserted,
            Event::TimedOut(could) => Event::TimedOut(could.map(leaf)),
            Event::Declined => Event::Declined,
            Event::Failed(check) => Event::Failed(*check),
            Event::Dropped(c, values) => Event::Dropped(*c, all(values)),
            Event::Duplicated(c, values) => Event::Duplicated(*c, all(values)),
            Event::Reordered(c, k, values) => Event::Reordered(*c, *k, all(values)),
            Event::Corrupted(c, meant, sent) => Event::Corrupted(*c, all(meant), all(sent)),
            Event::Crashed => Event::Crashed,
            Event::Recovered => Event::Recovered,
            Event::Injected(fault) => Event::Injected(*fault),
        }
    }
}

/// The run-time checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Check {
    Assert,
    Range,
    Division,
    Index,
}

impl Check {
    /// All of them, in the order they are listed.
    pub const ALL: [Check; 4] = [Check::Assert, Check::Range, Check::Division, Check::Index];

    /// The name of its built-in property.
    pub fn as_str(self) -> &'static str {
        match self {
            Check::Assert => "assert",
            Check::Range => "range",
            Check::Division => "division",
            Check::Index => "index",
        }
    }
}
