//! A model as written: names unresolved, every node with its place.
//!
//! Nothing here is checked beyond the grammar. Parentheses are kept ([`ExprKind::Paren`]) because the
//! formatter prints what the user wrote. Where a syntax error was, there is an `Error` node; `program`
//! passes over it in silence, because it has been reported.

use crate::source::Span;

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
    /// `const N = 3`; also a statement.
    Const(Const),
    /// `proc P(params) { .. }`
    Proc(Proc),
    /// `module M(params) { .. }`
    Module(Module),
    /// `init { .. }`
    Init(Init),
    /// `limit k { a @drop, .. }`
    Limit(Limit),
    /// `ltl name { .. }` and its kin.
    Spec(Spec),
    /// A syntax error, reported already.
    Error,
}

/// `import "path"`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The path between the quotes, and where the literal stands.
    pub path: Name,
}

/// `data D { A, B }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    /// `D`
    pub name: Name,
    /// `A`, `B`
    pub constructors: Vec<Name>,
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

/// `@name` or `@name(max = k)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The name after `@`.
    pub name: Name,
    /// `k`
    pub max: Option<Expr>,
    /// From `@` to the end.
    pub span: Span,
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

/// `target @fault` in a `limit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitItem {
    /// The entry: a name, `a[i]` or `m.w`.
    pub target: Expr,
    /// The marker.
    pub marker: Marker,
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
    /// What it says.
    pub formula: Expr,
}

/// The kinds of specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecKind {
    /// `invariant`
    Invariant,
    /// `reachable`
    Reachable,
    /// `ltl`
    Ltl,
    /// `ctl`
    Ctl,
    /// `assume`
    Assume,
}

impl SpecKind {
    /// The keyword.
    pub fn as_str(self) -> &'static str {
        match self {
            SpecKind::Invariant => "invariant",
            SpecKind::Reachable => "reachable",
            SpecKind::Ltl => "ltl",
            SpecKind::Ctl => "ctl",
            SpecKind::Assume => "assume",
        }
    }
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
    Channel(Capacity, Vec<Type>),
    /// `process`
    Process,
    /// A syntax error, reported already.
    Error,
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
}

/// `{ statements }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// From `{` to `}`.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// The statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `const N = 3` inside a proc.
    Const(Const),
    /// `var x T = e`, also `durable var`.
    Var {
        /// Whether `durable` stands before it.
        durable: bool,
        /// Its name.
        name: Name,
        /// Its type.
        ty: Type,
        /// Its initialiser.
        init: Option<Expr>,
    },
    /// `target = e` or `target op= e`
    Assign {
        /// A name or an element.
        target: Expr,
        /// The operator before `=`, if any.
        op: Option<BinaryOp>,
        /// The right side.
        value: Expr,
    },
    /// `if c {} else {}`; an `else if` is an `if` alone in `otherwise`.
    If {
        /// The condition.
        condition: Expr,
        /// The first block.
        then: Block,
        /// What follows `else`.
        otherwise: Option<Else>,
    },
    /// `{ .. }`
    Block(Block),
    /// `for {}` and `for c {}`
    While {
        /// `c`
        condition: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `for x in xs {}`
    ForIn {
        /// `x`
        var: Name,
        /// `xs`
        array: Expr,
        /// The body.
        body: Block,
    },
    /// `for i in range a to b {}`
    ForRange {
        /// `i`
        var: Name,
        /// `a`
        from: Expr,
        /// `b`
        to: Expr,
        /// The body.
        body: Block,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `goto L`
    Goto(Name),
    /// `L: stmt`; at the end of a block the statement may be missing.
    Labelled(Name, Option<Box<Stmt>>),
    /// `return`
    Return,
    /// `skip`
    Skip,
    /// `choice {..}, {..}`
    Choice(Vec<Block>),
    /// `select { .. }`
    Select(Vec<Case>),
    /// `send`, `recv`, `peek`, or a messaging expression alone.
    Message(Message),
    /// `assert(e)`
    Assert(Expr),
    /// An expression that is not a statement, such as `x` or `f(x)` alone; `program` says so.
    Expr(Expr),
    /// A syntax error, reported already.
    Error,
}

/// What follows `else`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Else {
    /// `else if ..`: the statement is an `If`.
    If(Box<Stmt>),
    /// `else { .. }`
    Block(Block),
}

/// A case of `select`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What it waits for.
    pub kind: CaseKind,
    /// `if condition`
    pub condition: Option<Expr>,
    /// Its block.
    pub body: Block,
    /// All of it.
    pub span: Span,
}

/// What a case of `select` waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseKind {
    /// `case recv(..)`, `case peek(..)`, `case send(..)`; `program` rejects the others.
    Message(Message),
    /// `case timeout`
    Timeout,
    /// `default`
    Default,
    /// A syntax error, reported already.
    Error,
}

/// A channel operation with its arguments, the channel first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Which.
    pub op: MessageOp,
    /// Where the operation's word stands.
    pub keyword: Span,
    /// The channel, then the values or targets; `_` is an ordinary name here.
    pub args: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// The channel operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageOp {
    /// `send`
    Send,
    /// `recv`
    Recv,
    /// `peek`
    Peek,
    /// `timeout_send`
    TimeoutSend,
    /// `nonblock_send`
    NonblockSend,
    /// `timeout_recv`
    TimeoutRecv,
    /// `timeout_peek`
    TimeoutPeek,
    /// `nonblock_recv`
    NonblockRecv,
    /// `nonblock_peek`
    NonblockPeek,
}

impl MessageOp {
    /// All of them, in the order of the reference.
    pub const ALL: [MessageOp; 9] = [
        MessageOp::Send,
        MessageOp::Recv,
        MessageOp::Peek,
        MessageOp::TimeoutSend,
        MessageOp::NonblockSend,
        MessageOp::TimeoutRecv,
        MessageOp::TimeoutPeek,
        MessageOp::NonblockRecv,
        MessageOp::NonblockPeek,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageOp::Send => "send",
            MessageOp::Recv => "recv",
            MessageOp::Peek => "peek",
            MessageOp::TimeoutSend => "timeout_send",
            MessageOp::NonblockSend => "nonblock_send",
            MessageOp::TimeoutRecv => "timeout_recv",
            MessageOp::TimeoutPeek => "timeout_peek",
            MessageOp::NonblockRecv => "nonblock_recv",
            MessageOp::NonblockPeek => "nonblock_peek",
        }
    }

    /// Whether it puts a message into the channel.
    pub fn is_send(self) -> bool {
        matches!(
            self,
            MessageOp::Send | MessageOp::TimeoutSend | MessageOp::NonblockSend
        )
    }

    /// Whether it looks without taking.
    pub fn is_peek(self) -> bool {
        matches!(
            self,
            MessageOp::Peek | MessageOp::TimeoutPeek | MessageOp::NonblockPeek
        )
    }

    /// Whether it yields a `bool`.
    pub fn is_expression(self) -> bool {
        !matches!(self, MessageOp::Send | MessageOp::Recv | MessageOp::Peek)
    }
}

/// An expression: of a process, a constant, a specification or an argument. One grammar serves all
/// places; `program` rejects what does not belong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    /// Height of the tree, limited by the parser so that no later walk runs out of stack.
    pub depth: u16,
}

/// The expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `42`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `x`
    Name(String),
    /// `(e)`
    Paren(Box<Expr>),
    /// `[1, 2, 3]`
    Array(Vec<Expr>),
    /// `e.name`; with `#k` as in `p.x#2`.
    Field(Box<Expr>, Name, Option<u32>),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `p@label`
    At(Box<Expr>, Name),
    /// `!e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A messaging expression.
    Message(Box<Message>),
    /// `any`, `any(lo..hi)`, `any(a, b)`
    Any(AnySet),
    /// `len(ch)` and so on: any name before `(`.
    Call(Name, Vec<Expr>),
    /// `forall i in range a to b { e }`
    Quantified {
        /// `forall` or `exists`
        quantifier: Quantifier,
        /// `i`
        var: Name,
        /// `a`
        from: Box<Expr>,
        /// `b`
        to: Box<Expr>,
        /// `e`
        body: Box<Expr>,
    },
    /// `G e`, `AX e` and so on.
    Temporal(TemporalOp, Box<Expr>),
    /// `A (e)`, `E (e)`: the expression is `p U q`.
    Path(PathOp, Box<Expr>),
    /// A syntax error, reported already.
    Error,
}

/// The values `any` ranges over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnySet {
    /// `any`: all values of the type.
    All,
    /// `any(lo..hi)`
    Range(Box<Expr>, Box<Expr>),
    /// `any(e1, e2)`
    Of(Vec<Expr>),
}

/// Prefix operators of section 5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Infix operators, temporal ones included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Releases,
    Since,
    Triggered,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    BitOr,
    BitXor,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
}

impl BinaryOp {
    /// Its token.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<->",
            BinaryOp::Implies => "->",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Until => "U",
            BinaryOp::Releases => "V",
            BinaryOp::Since => "S",
            BinaryOp::Triggered => "T",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
        }
    }
}

/// Prefix temporal operators of LTL and CTL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TemporalOp {
    X,
    G,
    F,
    Y,
    Z,
    H,
    O,
    AX,
    AG,
    AF,
    EX,
    EG,
    EF,
}

impl TemporalOp {
    /// Its letters.
    pub fn as_str(self) -> &'static str {
        match self {
            TemporalOp::X => "X",
            TemporalOp::G => "G",
            TemporalOp::F => "F",
            TemporalOp::Y => "Y",
            TemporalOp::Z => "Z",
            TemporalOp::H => "H",
            TemporalOp::O => "O",
            TemporalOp::AX => "AX",
            TemporalOp::AG => "AG",
            TemporalOp::AF => "AF",
            TemporalOp::EX => "EX",
            TemporalOp::EG => "EG",
            TemporalOp::EF => "EF",
        }
    }
}

/// CTL path quantifiers before `( p U q )`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathOp {
    /// `A`
    All,
    /// `E`
    Exists,
}

/// Bounded quantifiers of specifications.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}
