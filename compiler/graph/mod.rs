//! One state graph per process instance.
//!
//! A [`ProcessGraph`] says what a process does by itself: which location follows which, what it assigns, and
//! which messages it sends and receives, the latter only as [`Event`]s and symbolic leaves
//! ([`Leaf::Head`], [`Leaf::CanReceive`]). What a channel *is* comes in `weave`.

mod lower;
pub mod print;
pub mod verify;

pub use lower::{Layout, constants, lower, seen_values, spec_fits, spec_value};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::program::{EventId, FaultAspect, KnowsId, Trigger};
use crate::source::Span;
use crate::system::{self, Check, Domain, EdgeKind, Location, VarId, event::Event};
use crate::vocabulary::{ChannelId, DetectorId, FaultId, LabelId, ProcessId};

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
    /// Whether a detector suspects its process.
    Suspects(DetectorId),
    /// Whether a process has failed a run-time check (specifications only).
    Failed(ProcessId),
    /// Whether a process cannot move without a fault and has not ended (specifications only).
    Waiting(ProcessId),
    /// Whether no process but this one has to move.
    Quiet(ProcessId),
    /// Whether nobody has to move that time waits for.
    Still,
    /// Whether the last step was a tick (specifications only).
    Ticked,
    /// Whether a process is where a statement begins.
    Begins(ProcessId),
    /// Whether the last step was an event (specifications only).
    Event(EventId),
    /// What processes know (specifications only).
    Known(KnowsId),
    /// What there is to say about a fault (specifications only).
    OfFault(FaultAspect, FaultId),
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
    /// A scalar of the message at a position of a buffer, the head being at 0.
    Stored(ChannelId, u32, u32),
    /// Whether a buffer holds more than so many messages.
    HoldsMore(ChannelId, u32),
    /// What the trigger of a fault would store or send: this scalar of it (faults that a model defines only).
    Given(u32),
}

/// An expression of a process graph.
pub type Expr = system::expr::Expr<Leaf>;

/// All process graphs of a model.
#[derive(Clone, Debug)]
pub struct Graphs {
    /// The scalars the processes' variables consist of, hidden ones included.
    pub vars: Vec<Var>,
    /// Where the variables and messages of the [`Program`](crate::program::Program) went.
    pub layout: Layout,
    /// One graph per process.
    pub processes: Vec<ProcessGraph>,
    /// The cases of `fair select` and the blocks of `fair choice`: what each is a part of. Their edges say so.
    pub fair: Vec<FairCase>,
    /// The faults that the model defines: for each fault of the program, when it happens and what it does.
    pub joins: Vec<Vec<Join>>,
}

/// When a fault happens that the model defines, and what it does, over [`Leaf::Given`].
#[derive(Clone, Debug)]
pub struct Join {
    /// When.
    pub trigger: Trigger,
    /// Under which condition, if there is one.
    pub condition: Option<Expr>,
    /// The values chosen freely.
    pub picks: Vec<Domain>,
    /// What is stored.
    pub stores: Vec<(VarId, Expr)>,
    /// The message that is sent.
    pub message: Option<Vec<Expr>>,
    /// The run-time checks of what is stored and sent.
    pub checks: Vec<(Check, Expr)>,
    /// Whether the process crashes.
    pub crashes: bool,
}

/// A case of `fair select`, or a block of `fair choice`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairCase {
    /// Of which process.
    pub process: ProcessId,
    /// `select`, `choice`
    pub of: &'static str,
    /// The case, or the statement.
    pub span: Span,
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
    /// All codes it may start with, if there are several; the first is `init`.
    pub starts: Vec<i64>,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether time counts it down.
    pub timer: bool,
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
    /// The locations inside of `atomic` blocks: weaving makes one edge of each way through them.
    pub atomic: Vec<NodeIndex>,
    /// The hidden timers that count at locations.
    pub deadlines: Vec<Deadline>,
    /// The hidden variables in which results of messaging expressions wait, inside of statements.
    pub results: Vec<VarId>,
}

/// A hidden timer that counts while a process is at a location, and is 0 elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline {
    /// The location.
    pub at: NodeIndex,
    /// The timer.
    pub timer: VarId,
    /// What it is set to when the location is reached; `None` if the edge to it says so.
    pub ticks: Option<i64>,
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
    /// Whether it must not wait for room: then a full channel is a failing check.
    pub checked: bool,
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
