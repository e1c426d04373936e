//! The narrow waist: a [`System`] is data, and the engines read it and nothing earlier.
//!
//! `weave` makes it, `simplify` makes it smaller, the engines search it, `trace` replays runs on it. What it
//! means is [`state`]: its states, one plain step at a time; [`lasso`] says what a formula means on a run.
//! [`predicates`] are the questions that every engine asks of a state, [`verify`] what always holds.
//!
//! The rest is what a System is made of: expressions ([`expr`]), what happens on edges ([`event`]), formulas and properties
//! ([`property`]), strong fairness ([`fairness`]); and for those who tell about it [`print`](mod@print), [`shape`] (how scalars
//! make up values) and [`conduct`] (what a protocol allows).

pub mod conduct;
pub mod event;
pub mod expr;
pub mod fairness;
mod formula;
pub mod knowledge;
pub mod lasso;
pub mod predicates;
pub mod print;
pub mod property;
pub mod shape;
pub mod state;
pub mod verify;

pub use event::Check;
pub use expr::{Domain, Op, Scalar};
pub use fairness::{Fair, Happening, StrongFairness};
pub use formula::{BinaryTemporal, Formula};
pub use property::{Assumption, Form, Property, PropertyKind, Sought, Tolerant};

use crate::source::Span;
use crate::vocabulary::{ChannelId, DataType, FaultId, LabelId, ProcessId};

/// A scalar variable: of a process, or added by weaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

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
pub type Expr = expr::Expr<Leaf>;

/// A model with everything woven in: what channels and faults mean is ordinary edges by now.
///
/// In a state where no process has an enabled edge of kind [`EdgeKind::Normal`] or [`EdgeKind::Timeout`]
/// the System may also stay as it is (stutter). Every process is weakly fair: from no moment on it can
/// always take such an edge without taking any edge. Fair choices are strongly fair ([`fairness`]).
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
    /// Which runs the built-in properties are about, if not about all: it reads variables that never change in a run.
    pub ordinary: Option<Expr>,
    /// Where runs may start otherwise than the variables say: one initial state for each combination.
    pub starts: Starts,
    /// What no run passes over for ever.
    pub fair: Vec<Fair>,
    /// How scalars make up the values that a model writes.
    pub shapes: shape::Shapes,
    /// The operators about knowledge in its properties, inner ones first; none once they are replaced.
    pub knowledge: Vec<knowledge::Operator>,
    /// What else is read in states: values that must stay as they are, also together.
    pub kept: Vec<Expr>,
}

/// The variables that start with one of several values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Starts {
    /// In declaration order; no variable twice.
    pub choices: Vec<StartChoice>,
    /// Which combinations there are, if not all; it reads these variables only, and some combination satisfies it.
    pub only: Option<Expr>,
}

/// A variable that starts with one of several values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartChoice {
    /// The variable.
    pub var: VarId,
    /// The codes it may start with, in order; at least one, of which the first is its `init`.
    pub codes: Vec<i64>,
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
    /// Nobody's in particular, each with a number of its own: a budget that several faults share (`limit`), by its position; behind
    /// those what is kept for a specification ([`System::declare_hidden`]).
    Shared(u32),
}

impl Owner {
    /// The owner of one more variable that is nobody's in particular. Owners are counted when symmetry is looked for, so it is the next
    /// number and not just any that is free.
    pub fn free(vars: &[Var]) -> Owner {
        let shared = vars.iter().filter_map(|var| match var.owner {
            Owner::Shared(number) => Some(number + 1),
            _ => None,
        });
        Owner::Shared(shared.max().unwrap_or(0))
    }
}

/// A fault, for those who tell about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `worker1@shutdown`
    pub name: String,
    /// The marker.
    pub span: Span,
    /// The variable that says how far it is ([`phase`]), if it is not active all the time.
    pub phase: Option<VarId>,
    /// Whether it happens at every occasion, so that its becoming active is its injection.
    pub always: bool,
}

/// The codes of the variable that says how far a fault is.
pub mod phase {
    /// This run does not inject it.
    pub const NEVER: i64 = 0;
    /// It has not begun.
    pub const WAITING: i64 = 1;
    /// It can be injected.
    pub const ACTIVE: i64 = 2;
    /// It is over for good.
    pub const OVER: i64 = 3;
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
        /// For each slot how many ticks its message is still under way, if the channel delays messages.
        ages: Vec<VarId>,
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
    pub recovers: bool,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// Its entry in `init`.
    pub span: Span,
}

impl Process {
    /// Whether no model has it: weaving has added it, for something that nobody does. (A detector has no statements either, but a
    /// model has it.)
    pub fn is_added(&self) -> bool {
        let start = self.locations[self.initial.0 as usize].kind;
        start == LocationKind::Idle && self.proc_name != "detector"
    }
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
    /// Where a process that weaving adds (a clock, a detector) waits for what it acts on: it counts as done.
    Idle,
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
    /// A fault at work that happens at every occasion: an ordinary step, and no injection, for that was its beginning.
    Acting(FaultId),
    /// A fault begins or ends at a free moment; never forced, and no injection.
    Moment(FaultId),
}

impl EdgeKind {
    /// Whether weak fairness counts it, and its absence makes a System quiescent.
    pub fn is_forced(self) -> bool {
        matches!(
            self,
            EdgeKind::Normal | EdgeKind::Timeout | EdgeKind::Acting(_)
        )
    }
}

impl Edge {
    /// How many injections it is: one fault at most acts, but others may become active with it.
    pub fn injections(&self) -> usize {
        let acts = match self.kind {
            EdgeKind::Fault(fault) => Some(fault),
            _ => None,
        };
        let began = |e: &&Event| matches!(e, Event::Began(fault) if Some(*fault) != acts);
        usize::from(acts.is_some()) + self.events.iter().filter(began).count()
    }

    /// The fault whose injection it is, if it counts as one.
    pub fn injection(&self) -> Option<FaultId> {
        let began = self.events.iter().find_map(|event| match event {
            Event::Began(fault) => Some(*fault),
            _ => None,
        });
        match self.kind {
            EdgeKind::Fault(fault) => Some(fault),
            _ => began,
        }
    }
}

/// What happens on an edge of a System.
pub type Event = event::Event<Leaf>;

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
            Owner::Fault(_) | Owner::Shared(_) => var.name.clone(),
        }
    }

    /// Adds a variable for a question about the System: it is not part of the model, and nobody is shown it.
    pub fn declare_hidden(&mut self, name: &str, domain: Domain, init: i64) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name: name.to_owned(),
            owner: Owner::free(&self.vars),
            domain,
            init,
            derived: None,
            hidden: true,
        });
        id
    }

    /// The codes a variable may start with.
    pub fn start_codes(&self, id: VarId) -> Vec<i64> {
        let choice = self.starts.choices.iter().find(|choice| choice.var == id);
        choice.map_or_else(|| vec![self.var(id).init], |choice| choice.codes.clone())
    }

    /// `worker1@shutdown`: a fault's name.
    pub fn fault_name(&self, id: FaultId) -> &str {
        &self.fault(id).name
    }
}
