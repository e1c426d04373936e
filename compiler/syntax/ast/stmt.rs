//! Statements.

use super::{BinaryOp, Const, Expr, MessageOp, Name, Type};
use crate::source::Span;

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
