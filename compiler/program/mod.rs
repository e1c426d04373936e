//! From [`ast::File`] to [`Program`]: names, types, constants, instances and
//! properties. The last place a user can be wrong.
//!
//! [`check`] is the way in; [`check_with`] leads to `time`, which elaborates a model until its timers are large enough (without
//! timers: once), and that to `elaborate`, which has the phases. The other files are what a program is made of, and what can be
//! said about it: `stmt`, `message`, [`data`], `property`, `protocol`, [`timing`] and so on; [`problem`] has all messages, `verify`
//! what always holds.
//!
//! A `Program` is *elaborated*: every process instance has its own body in which value parameters and
//! constants are values, channel parameters are channels, and loops with constant bounds are unrolled.
//! A declaration is nevertheless one variable of its instance, however often it is unrolled, and a label
//! one label.

mod acts;
pub mod data;
mod dump;
mod elaborate;
pub mod fault;
mod fold;
mod happening;
mod knowledge;
pub mod limits;
mod marked;
mod message;
mod own;
pub mod problem;
mod property;
mod protocol;
pub mod range;
mod stmt;
#[cfg(test)]
mod tests;
mod time;
pub mod timing;
mod values;
mod verify;

pub use acts::Acts;
pub use dump::dump;
pub use happening::{EventId, Happening, Transfer};
pub use knowledge::{Knows, KnowsId, Seen, View, diagnosable};
pub use knowledge::{ask_whether_told, ask_who_sees, seers};
pub use marked::{Fault, FaultTarget, Limit};
pub use message::{ChannelRef, Message, Pattern, Place, Step};
pub use own::{Effect, Join, Passing, Trigger};
pub use property::{Property, Says};
pub use protocol::{Automaton, Letter, Protocol};
pub use stmt::{Case, CaseKind, LabelCopy, Part, Rhs, Stmt, StmtKind, SwitchCase};
pub use time::Deadline;
pub use timing::{FaultAspect, FaultVariable, Moment, Timing, Tolerated, Within};
pub use verify::verify;

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::program::data::{RecordType, TaggedType};
use crate::program::fault::FaultKind;
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{
    BinaryOp, ChannelId, DataId, DataType, DetectorId, FaultId, LabelId, PathOp, ProcessId,
    TemporalOp, UnaryOp,
};

/// What [`check`] found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The checked model; `None` if and only if there is an error, here or (as an `Error` node) in the
    /// syntax tree.
    pub program: Option<Program>,
    /// Errors and warnings, by place; one per code and place.
    pub diagnostics: Vec<Diagnostic>,
}

/// `-D NAME=VALUE`: another value for a top-level constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// The constant.
    pub name: String,
    /// A number, `true`, `false`, a constructor, or an array of these.
    pub value: String,
}

/// Checks a model: names, types, ranges, instances, markers and specifications. In: the main file, the files
/// it imports (which add `data`, `const`, `proc` and `module` declarations to one flat top level),
/// constants to override and the kinds of faults that can be marked (`weave::FAULTS`). Out: a [`Program`] unless something is
/// wrong, and everything there is to say. It goes on after the first error. A `-D` that names no constant is reported at the
/// start of the main file.
pub fn check(
    main: &ast::File,
    imported: &[ast::File],
    defines: &[Define],
    faults: &[&'static FaultKind],
) -> Checked {
    check_with(main, imported, &[], defines, faults)
}

/// As [`check`], with the files of `--with`, which add markers (`inject`), budgets, constants and specifications and see the
/// names of the model.
pub fn check_with(
    main: &ast::File,
    imported: &[ast::File],
    scenarios: &[ast::File],
    defines: &[Define],
    faults: &[&'static FaultKind],
) -> Checked {
    // How large a timer is depends on the whole model, so this is where elaborating begins, again and again if need be.
    let (program, diagnostics) = time::elaborate(main, imported, scenarios, defines, faults);
    if cfg!(debug_assertions)
        && let Some(program) = &program
        && let Err(why) = verify(program)
    {
        panic!("a mistake of the compiler: {why}");
    }
    Checked {
        program,
        diagnostics,
    }
}

/// A declared variable of one process instance; numbered through the whole [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// A loop of one process body, for `break` and `continue`; every unrolled copy has its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(pub u32);

/// A checked model. All lists are in declaration order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// The `data` types.
    pub data: Vec<DataType>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The process instances.
    pub processes: Vec<Process>,
    /// The failure detectors.
    pub detectors: Vec<Detector>,
    /// The variables of all processes.
    pub variables: Vec<Variable>,
    /// The marked faults.
    pub faults: Vec<Fault>,
    /// The shared budgets.
    pub limits: Vec<Limit>,
    /// What processes see, of those for which the model says it.
    pub views: Vec<View>,
    /// The specifications, assumptions included, without the built-in ones.
    pub properties: Vec<Property>,
}

/// A type of values. All are finite.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// `lo..hi`; as the type of an expression, the range of its values.
    Int {
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// A `data` type.
    Data(DataId),
    /// `[n]T`
    Array(Box<Type>, u32),
    /// A record.
    Record(Arc<RecordType>),
    /// A `data` type whose constructors carry fields.
    Tagged(Arc<TaggedType>),
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The constructor with this index.
    Data(DataId, u32),
    /// An array.
    Array(Vec<Value>),
    /// A record, field by field.
    Record(Arc<RecordType>, Vec<Value>),
    /// The constructor with this index and its fields.
    Tagged(Arc<TaggedType>, u32, Vec<Value>),
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// As specifications name it: `req`, `req[1]`, `m.req`.
    pub name: String,
    /// `None` for a rendezvous channel.
    pub capacity: Option<u32>,
    /// Whether a receive takes any message, not only the oldest; only of a buffer.
    pub bag: bool,
    /// Whether a send to a full buffer loses the message; only of a buffer.
    pub overflow: bool,
    /// `@delay(lo..hi)`: how many ticks a message is under way; only of a buffer.
    pub delay: Option<(i64, i64)>,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
    /// The names of the fields, if they have names.
    pub field_names: Vec<String>,
    /// Its entry in `init`.
    pub span: Span,
}

/// A process instance.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// As specifications name it: `worker1`, `worker[1]`, `m.worker`.
    pub name: String,
    /// The proc it is an instance of.
    pub proc_name: String,
    /// Its labels, in source order.
    pub labels: Vec<Label>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Where its body ends (the closing brace).
    pub end: Span,
    /// Its entry in `init`.
    pub span: Span,
}

/// A failure detector: it suspects a process of having crashed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detector {
    /// As specifications name it: `d`, `d[1]`, `m.d`.
    pub name: String,
    /// Whom it watches.
    pub process: ProcessId,
    /// Its entry in `init`.
    pub span: Span,
}

/// A label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A variable of a process instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its process.
    pub process: ProcessId,
    /// Its name; `x#2` if the proc declares several `x`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value at the start of the run (`docs/language.md`, section 6, initial values).
    pub initial: Value,
    /// The values it may start with (of an array: each element), if there are several initial states; else none.
    pub starts: Vec<Value>,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether time counts it down.
    pub timer: bool,
    /// Whether it is the counter or the bound of a `for i in range` with bounds that are not constant:
    /// specifications cannot name it.
    pub counter: bool,
    /// Where its name is declared.
    pub span: Span,
}

/// A typed expression. Inside specifications it may be temporal.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type; for integers the range of its values.
    pub ty: Type,
    /// As written.
    pub span: Span,
}

/// The expressions. Quantifiers have been expanded (to balanced trees of `&&`, `||`, `+`), value
/// parameters, constants and constructors are values.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A value.
    Const(Value),
    /// A variable, of the process itself or (in specifications) of any.
    Variable(VariableId),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// A record, field by field.
    Record(Vec<Expr>),
    /// The constructor with this index of a `data` type, with its fields.
    Build(u32, Vec<Expr>),
    /// `e.f`: of a record the field at this position, of a `data` type the one at this position among all fields;
    /// zero if the constructor has none.
    Field(Box<Expr>, u32),
    /// `e is A`: whether it is the constructor with this index.
    Is(Box<Expr>, u32),
    /// `!e`, `-e`; `!` also of temporal formulas.
    Unary(UnaryOp, Box<Expr>),
    /// Any infix operator, temporal ones included.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`: only the one that is asked for is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `max(a, b)`
    Max(Box<Expr>, Box<Expr>),
    /// `min(a, b)`
    Min(Box<Expr>, Box<Expr>),
    /// A parameter or variable of the pure function it is in.
    Local(LocalId),
    /// The value, checked to be one of this expression's type.
    Fit(Box<Expr>),
    /// A call of a pure function.
    Call(Box<Call>),
    /// A messaging expression (processes only).
    Message(Box<Message>),
    /// `q.done`
    Done(ProcessId),
    /// `q.crashed`
    Crashed(ProcessId),
    /// `suspects(d)`
    Suspects(DetectorId),
    /// `q.failed` (specifications only)
    Failed(ProcessId),
    /// `q.waiting` (specifications only): it cannot move without a fault, and has not ended.
    Waiting(ProcessId),
    /// `clock.ticked` (specifications only): the last step was a tick.
    Ticked,
    /// `p@label` (specifications only)
    At(ProcessId, LabelId),
    /// `sent(ch)` and the like: the last step did it (specifications only).
    Event(EventId, Box<Happening>),
    /// `injected(f)` and the like: of one of these faults (specifications only).
    OfFault(FaultAspect, Vec<FaultId>),
    /// `len(ch)`
    Len(ChannelId),
    /// `full(ch)`
    Full(ChannelId),
    /// `empty(ch)`
    Empty(ChannelId),
    /// `G e`, `AX e` and so on.
    Temporal(TemporalOp, Box<Expr>),
    /// `A (p U q)`, `E (p U q)`
    Path(PathOp, Box<Expr>, Box<Expr>),
    /// `K(p, e)`, `common(p, q: e)`, `distributed(p, q: e)`; `everybody` is a conjunction.
    Knows(Box<Knows>),
}

/// A parameter or variable of a pure function; every call has its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// A call of a pure function, with its body: no step, and no part of the state.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The function.
    pub name: String,
    /// What the parameters are that are not constant here.
    pub arguments: Vec<(LocalId, Expr)>,
    /// What it does; it always ends in a `return`.
    pub body: Vec<PureStmt>,
}

/// A statement of a pure function. Loops are unrolled, constants are values.
#[derive(Clone, PartialEq, Debug)]
pub enum PureStmt {
    /// `x = e`, `a[i] = e`, `var x T = e`
    Assign {
        /// The variable.
        local: LocalId,
        /// Its type.
        ty: Type,
        /// The indices, outermost first.
        indices: Vec<Expr>,
        /// What is stored; it fits.
        value: Expr,
    },
    /// `if`
    If {
        /// The condition.
        condition: Expr,
        /// If true.
        then: Vec<PureStmt>,
        /// If false.
        otherwise: Vec<PureStmt>,
    },
    /// `return e`
    Return(Expr),
}
