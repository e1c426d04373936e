//! Expressions.

use super::{Message, Name, Quantifier};
use crate::source::Span;
use crate::vocabulary::{BinaryOp, PathOp, TemporalOp, UnaryOp};

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
    /// `p@stuck(x)`: a fault by its entry, marker and arguments.
    Marked(Box<Expr>, Name, Vec<Expr>),
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
    /// `everybody(p, q: e)`: a name before `(`, with an expression behind a colon.
    Group(Name, Vec<Expr>, Box<Expr>),
    /// `D.A(x)`: a name after a dot and before `(`.
    CallOf(Box<Expr>, Name, Vec<Expr>),
    /// `Entry{term: 1}`
    Literal {
        /// The record's type.
        name: Name,
        /// The opening brace.
        brace: Span,
        /// Its fields.
        fields: Vec<LiteralField>,
    },
    /// `== e`: a pattern.
    EqualTo(Box<Expr>),
    /// `e is A`; the constructor may be written `D.A`.
    Is(Box<Expr>, Box<Expr>),
    /// `forall i in range a to b { e }`
    Quantified {
        /// `forall` and so on
        quantifier: Quantifier,
        /// `i`; at least one
        vars: Vec<Name>,
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

/// A field of a literal: `term: 1`, or its value alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralField {
    /// `term`
    pub name: Option<Name>,
    /// `1`
    pub value: Expr,
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
