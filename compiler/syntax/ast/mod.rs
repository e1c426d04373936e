//! A model as written: names unresolved, every node with its place.
//!
//! Nothing here is checked beyond the grammar. Parentheses are kept ([`ExprKind::Paren`]) because the
//! formatter prints what the user wrote. Where a syntax error was, there is an `Error` node; `program`
//! passes over it in silence, because it has been reported.

mod case;
mod expr;
mod op;
mod stmt;

pub use case::*;
pub use expr::*;
pub use op::*;
pub use stmt::*;

use crate::source::Span;
use crate::vocabulary::SpecKind;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its declarations, in order.
    pub decls: Vec<Decl>,
}

/// A declaration at top level or in a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// All of it.
    pub span: Span,
}

/// What can be declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `import "path"`
    Import(Import),
    /// `data D { A, B }`
    Data(Data),
    /// `type T = ..`
    Type(TypeDecl),
    /// `const N = 3`; also a statement.
    Const(Const),
    /// `proc P(params) { .. }`
    Proc(Proc),
    /// `func f(params) T { .. }`
    Func(Func),
    /// `predicate p(params) { e }`
    Predicate(Predicate),
    /// `module M(params) { .. }`
    Module(Module),
    /// `init { .. }`
    Init(Init),
    /// `limit k { a @drop, .. }`
    Limit(Limit),
    /// `inject { a @drop as lost, .. }`
    Inject(Inject),
    /// `fault lie(x var) on process { .. }`
    Fault(FaultDecl),
    /// `ltl name { .. }` and its kin.
    Spec(Spec),
    /// `protocol name on ch { .. }`
    Protocol(Protocol),
    /// `view P { x, y }`
    View(View),
    /// `diagnosable f by p as { f, g }`
    Diagnosable(Diagnosable),
    /// A syntax error, reported already.
    Error,
}

/// `import "path"`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The path between the quotes, and where the literal stands.
    pub path: Name,
}

/// `data D { A, B(x T) }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    /// `D`
    pub name: Name,
    /// `A`, `B(x T)`
    pub constructors: Vec<Constructor>,
}

/// A constructor of a data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Name,
    /// What its values carry.
    pub fields: Vec<Param>,
}

/// `type NAME = T`, `type NAME struct { .. }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDecl {
    /// `NAME`
    pub name: Name,
    /// What it stands for.
    pub kind: TypeDeclKind,
}

/// What a name of a type stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeDeclKind {
    /// Another type.
    Alias(Type),
    /// A record with these fields.
    Struct(Vec<Param>),
}

/// `const NAME [type] = expr`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type, if written.
    pub ty: Option<Type>,
    /// Its value.
    pub value: Expr,
}

/// `proc Name(params) { body }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proc {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Block,
}

/// `func name(params) result { body }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Func {
    /// Its name, parameters and body.
    pub proc: Proc,
    /// The type of what it returns, if it returns something.
    pub result: Option<Type>,
}

/// `predicate name(params) { e }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it stands for.
    pub body: Expr,
}

/// `name type` in a parameter list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// `module Name(params) { decls }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its declarations; `program` rejects those that do not belong in a module.
    pub decls: Vec<Decl>,
}

/// `init { entries }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    /// The keyword `init`.
    pub keyword: Span,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// An entry of `init`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it creates.
    pub kind: EntryKind,
    /// All of it, markers included.
    pub span: Span,
}

/// What an entry of `init` creates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// `name: Callee(args) markers`, of a proc or a module.
    Instance {
        /// `name` or `name[i]`
        name: EntryName,
        /// The proc or module.
        callee: Name,
        /// Its arguments.
        args: Vec<Expr>,
        /// Its markers.
        markers: Vec<Marker>,
    },
    /// `name: channel .. markers`, also an array of channels.
    Channel {
        /// `name` or `name[i]`
        name: EntryName,
        /// A channel type or an array of it.
        ty: Type,
        /// Its markers.
        markers: Vec<Marker>,
    },
    /// `for i in range a to b { entries }`
    For {
        /// `i`
        var: Name,
        /// `a`
        from: Expr,
        /// `b`
        to: Expr,
        /// What is replicated.
        entries: Vec<Entry>,
    },
    /// A syntax error, reported already.
    Error,
}

/// `name` or `name[index]`, the latter inside a replicating `for`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryName {
    /// The name.
    pub name: Name,
    /// The index.
    pub index: Option<Expr>,
}

/// `@name`, `@name(x, max = k)`, `@name as lost`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The name after `@`.
    pub name: Name,
    /// What stands in parentheses.
    pub args: Vec<MarkerArg>,
    /// What the fault is called: the name after `as`.
    pub alias: Option<Name>,
    /// From `@` to the end, without `as ..`.
    pub span: Span,
}

/// `x`, `once` or `max = k` in a marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkerArg {
    /// `max` of `max = k`.
    pub name: Option<Name>,
    /// `k`, or the whole argument.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `inject { items }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inject {
    /// The keyword `inject`.
    pub keyword: Span,
    /// What is marked.
    pub items: Vec<InjectItem>,
}

/// `target @fault` or `[a, b] @fault as name` in an `inject`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InjectItem {
    /// The entries: names, `a[i]` or `m.w`.
    pub targets: Vec<Expr>,
    /// Whether they stand in brackets: then they suffer one fault together.
    pub list: bool,
    /// The marker.
    pub marker: Marker,
    /// All of it.
    pub span: Span,
}

/// `fault name(params) on process { joins }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters; the type of a variable is called `var`, that of a constant of any type `const`.
    pub params: Vec<Param>,
    /// What can be marked with it.
    pub on: FaultOn,
    /// When it happens, and what it does then.
    pub joins: Vec<Join>,
}

/// What a fault can be a fault of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultOn {
    /// `on process`
    Process,
    /// `on channel`
    Channel,
}

/// `at write(x, v) if e { effect }`, `anytime { effect }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// `at`, `anytime`
    pub word: Name,
    /// `write(x, v)`
    pub trigger: Option<Trigger>,
    /// `e`
    pub condition: Option<Expr>,
    /// What it does instead.
    pub body: Block,
    /// All of it.
    pub span: Span,
}

/// `write(x, v)`, `send(m)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// `write`
    pub word: Name,
    /// What stands in parentheses.
    pub names: Option<Vec<Name>>,
}

/// `limit k { items }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The keyword `limit`.
    pub keyword: Span,
    /// `k`
    pub bound: Expr,
    /// The faults it counts together.
    pub items: Vec<LimitItem>,
}

/// `target @fault`, or the name of a fault, in a `limit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitItem {
    /// The entry or the fault: a name, `a[i]` or `m.w`.
    pub target: Expr,
    /// The marker; none after the name of a fault.
    pub marker: Option<Marker>,
    /// All of it.
    pub span: Span,
}

/// A specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its kind.
    pub kind: SpecKind,
    /// The keyword.
    pub keyword: Span,
    /// Its name, if written.
    pub name: Option<Name>,
    /// Of `tolerant`: what is to be borne, and how well.
    pub tolerated: Option<Tolerated>,
    /// What it says; several, one after the other, are a sequence. At least one.
    pub lines: Vec<Expr>,
}

/// `protocol name for i in range a to b on ch, p { .. }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protocol {
    /// The keyword.
    pub keyword: Span,
    /// Whether `complete` stands before the name.
    pub complete: bool,
    /// Its name.
    pub name: Name,
    /// The variable and the bounds, if there is one for each number of a range.
    pub over: Option<(Name, Expr, Expr)>,
    /// The channels and processes whose messages it is about; at least one.
    pub on: Vec<Expr>,
    /// The messages, written as statements.
    pub body: Block,
}

/// `view P { x, y }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The keyword.
    pub keyword: Span,
    /// A proc, or an instance: a name, `a[i]` or `m.w`.
    pub of: Expr,
    /// What it sees.
    pub seen: Vec<Expr>,
}

/// `diagnosable f by p as { f, g }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosable {
    /// The keyword.
    pub keyword: Span,
    /// The fault.
    pub fault: Expr,
    /// Who has to find out.
    pub process: Expr,
    /// Which of several it may take it for, if not only for itself.
    pub among: Option<Vec<Expr>>,
}

/// `to f, g at level`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tolerated {
    /// The faults, or `any`.
    pub faults: Vec<Expr>,
    /// `at`, or what stands there instead, and the level.
    pub level: Option<(Name, Name)>,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    /// Which.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `bit`
    Bit,
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
    /// `D`
    Named(Name),
    /// `[n]T`, or `[]T` without a length.
    Array(Option<Box<Expr>>, Box<Type>),
    /// `channel { T, .. }` and its buffered kin.
    Channel(Capacity, Vec<Field>),
    /// `process`
    Process,
    /// A syntax error, reported already.
    Error,
}

/// A field of a channel's messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, if written.
    pub name: Option<Name>,
    /// Its type.
    pub ty: Type,
}

/// What stands between `channel` and `{`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Capacity {
    /// Nothing: a rendezvous channel.
    Rendezvous,
    /// `[]`: a buffered channel of any capacity (parameters only).
    Any,
    /// `[n]`: a buffered channel of capacity n.
    Buffered(Box<Expr>),
    /// `bag [n]`, and with `overflow` behind the fields.
    Network {
        /// `n`; without it there is no buffer, which `program` complains about.
        length: Option<Box<Expr>>,
        /// Whether any message may be received.
        bag: bool,
        /// Whether a send to a full buffer loses the message.
        overflow: bool,
    },
}
