//! The narrow waist: a [`System`] is data, and both engines read it and nothing earlier.

pub use crate::graph::{Check, Domain, EdgeKind, Location, LocationKind, Op, Scalar, VarId};
pub use crate::program::{
    ChannelId, DataType, Fault, FaultId, LabelId, PathOp, ProcessId, TemporalOp,
};
use crate::source::Span;

/// A location of one process; an index into its `locations`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocId(pub u32);

/// What an expression of a System reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A variable.
    Var(VarId),
    /// The value picked by the edge's pick with this index.
    Pick(u32),
    /// Whether a process is at one of these locations (sorted, not empty).
    At(ProcessId, Vec<LocId>),
}

/// An expression of a System.
pub type Expr = crate::graph::expr::Expr<Leaf>;

/// A model with everything woven in: what channels and faults mean is ordinary edges by now.
///
/// In a state where no process has an enabled edge of kind [`EdgeKind::Normal`] or [`EdgeKind::Timeout`]
/// the System may also stay as it is (stutter). Every process is weakly fair: from no moment on it can
/// always take such an edge without taking any edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct System {
    /// Names of values.
    pub data: Vec<DataType>,
    /// The variables; with the locations they are the state.
    pub vars: Vec<Var>,
    /// The processes.
    pub processes: Vec<Process>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The faults.
    pub faults: Vec<Fault>,
    /// What is to be checked, built-ins first.
    pub properties: Vec<Property>,
    /// What every run must satisfy to count for the `ltl` properties.
    pub assumptions: Vec<Assumption>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its name without the owner's: `resp`, `a[2]`, `ready`.
    pub name: String,
    /// Whose it is.
    pub owner: Owner,
    /// Its values.
    pub domain: Domain,
    /// Its code at the start of the run.
    pub init: i64,
    /// If it is not stored but a function of others; no edge updates it then.
    pub derived: Option<Expr>,
    /// Whether traces leave it out.
    pub hidden: bool,
}

/// Whose a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// A process's.
    Process(ProcessId),
    /// A channel's.
    Channel(ChannelId),
    /// A fault's: its budget.
    Fault(FaultId),
    /// A shared budget's (`limit`), by its position.
    Limit(u32),
}

/// A channel, for those who print states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// `req[1]`
    pub name: String,
    /// Its variables.
    pub vars: ChannelVars,
    /// Its entry in `init`.
    pub span: Span,
}

/// The variables of a channel. A field that is an array has one value per element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChannelVars {
    /// Of a rendezvous channel.
    Rendezvous {
        /// A message is offered.
        ready: VarId,
        /// It has been taken.
        received: VarId,
        /// The message.
        values: Vec<VarId>,
    },
    /// Of a buffered channel.
    Buffered {
        /// How many messages there are.
        len: VarId,
        /// For each slot, from the head, the message.
        slots: Vec<Vec<VarId>>,
    },
}

/// A process.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// `worker[1]`
    pub name: String,
    /// The proc it is an instance of.
    pub proc_name: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges, in source order, added ones last.
    pub edges: Vec<Edge>,
    /// Where it starts.
    pub initial: LocId,
    /// Where it is done.
    pub done: LocId,
    /// Where it is after a failed run-time check.
    pub failed: LocId,
    /// Where it is after a crash, if it can crash.
    pub crashed: Option<LocId>,
    /// Whether it may recover from a crash.
    pub restarts: bool,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// Its entry in `init`.
    pub span: Span,
}

/// A step of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// From here.
    pub from: LocId,
    /// To here.
    pub to: LocId,
    /// When it can be taken; may mention picks: then for the picks that satisfy it.
    pub guard: Expr,
    /// The values chosen freely.
    pub picks: Vec<Domain>,
    /// What changes, all at once, read in the state before.
    pub updates: Vec<(VarId, Expr)>,
    /// Why it may be taken.
    pub kind: EdgeKind,
    /// What happens, for those who print traces or weave.
    pub events: Vec<Event>,
    /// The statement.
    pub span: Span,
}

/// What happens on an edge of a System.
pub type Event = crate::graph::Event<Leaf>;

/// Something to be checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// Where it is written; built-ins have no place.
    pub span: Option<Span>,
}

/// What a property says.
#[derive(Clone, PartialEq, Debug)]
pub enum PropertyKind {
    /// No reachable state is a deadlock ([`System::deadlock`]).
    Deadlock,
    /// No edge with `Event::Failed` of this check can be taken ([`System::fails`]).
    Check(Check),
    /// It holds in every reachable state.
    Invariant(Expr),
    /// It holds in some reachable state.
    Reachable(Expr),
    /// It holds on every fair run that satisfies the assumptions.
    Ltl(Formula),
    /// It holds in the initial state, paths being fair runs.
    Ctl(Formula),
}

impl PropertyKind {
    /// `invariant`, `ltl`, ... or `builtin`.
    pub fn as_str(&self) -> &'static str {
        match self {
            PropertyKind::Deadlock | PropertyKind::Check(_) => "builtin",
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::Reachable(_) => "reachable",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Ctl(_) => "ctl",
        }
    }
}

/// `assume name { .. }`
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What every run satisfies.
    pub formula: Formula,
    /// Where it is written.
    pub span: Span,
}

/// A temporal formula; its propositional parts are single atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// A state formula without temporal operators.
    Atom(Expr),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Vec<Formula>),
    /// `f || g`
    Or(Vec<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Iff(Box<Formula>, Box<Formula>),
    /// `G f`, `AX f` and so on.
    Unary(TemporalOp, Box<Formula>),
    /// `f U g` and so on.
    Binary(BinaryTemporal, Box<Formula>, Box<Formula>),
    /// `A (f U g)`, `E (f U g)`
    Path(PathOp, Box<Formula>, Box<Formula>),
}

/// Infix temporal operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryTemporal {
    /// `U`
    Until,
    /// `V`: the dual of `U`.
    Releases,
    /// `S`
    Since,
    /// `T`: the dual of `S`.
    Triggered,
}

impl BinaryTemporal {
    /// Its letter.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryTemporal::Until => "U",
            BinaryTemporal::Releases => "V",
            BinaryTemporal::Since => "S",
            BinaryTemporal::Triggered => "T",
        }
    }
}

impl System {
    /// A process by its id.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.0 as usize]
    }

    /// A variable by its id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// A channel by its id.
    pub fn channel(&self, id: ChannelId) -> &Channel {
        &self.channels[id.0 as usize]
    }

    /// A fault by its id.
    pub fn fault(&self, id: FaultId) -> &Fault {
        &self.faults[id.0 as usize]
    }

    /// The processes with their ids.
    pub fn processes(&self) -> impl Iterator<Item = (ProcessId, &Process)> {
        self.processes
            .iter()
            .enumerate()
            .map(|(i, p)| (ProcessId(i as u32), p))
    }

    /// `worker1.resp`, `req.ready`: a variable's full name.
    pub fn var_name(&self, id: VarId) -> String {
        let var = self.var(id);
        match var.owner {
            Owner::Process(p) => format!("{}.{}", self.process(p).name, var.name),
            Owner::Channel(c) => format!("{}.{}", self.channel(c).name, var.name),
            Owner::Fault(_) | Owner::Limit(_) => var.name.clone(),
        }
    }

    /// `worker1@shutdown`: a fault's name.
    pub fn fault_name(&self, id: FaultId) -> String {
        use crate::program::FaultTarget;
        let fault = self.fault(id);
        let target = match fault.target {
            FaultTarget::Process(p) => &self.process(p).name,
            FaultTarget::Channel(c) => &self.channel(c).name,
        };
        format!("{target}@{}", fault.kind.as_str())
    }
}
