//! The cases of `select` and `switch`, and what they wait for.

use super::{Block, Expr, Name};
use crate::source::Span;
use crate::vocabulary::MessageOp;

/// A case of `switch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchCase {
    /// The values or constructors it is for; `None` for `default`.
    pub values: Option<Vec<Expr>>,
    /// Its block.
    pub body: Block,
    /// All of it.
    pub span: Span,
}

/// What stands in the braces of a `select`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseItem {
    /// A case.
    Case(Case),
    /// `for i in range a to b { cases }`, `for ch in chs { cases }`: the cases once for each.
    For {
        /// `i`
        var: Name,
        /// What it ranges over.
        over: Over,
        /// What is replicated.
        cases: Vec<CaseItem>,
        /// All of it.
        span: Span,
    },
}

/// What the variable of replicated cases ranges over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// `xs`
    Array(Expr),
    /// `range a to b`
    Range(Expr, Expr),
}

/// The cases as they are written, those in a `for` once.
pub fn written(items: &[CaseItem]) -> Box<dyn Iterator<Item = &Case> + '_> {
    Box::new(items.iter().flat_map(|item| match item {
        CaseItem::Case(case) => Box::new(std::iter::once(case)) as Box<dyn Iterator<Item = &Case>>,
        CaseItem::For { cases, .. } => written(cases),
    }))
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
    /// `case if e`: the condition.
    If,
    /// `case timeout`
    Timeout,
    /// `case after e`: a timer, or a number of ticks.
    After(Expr),
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
