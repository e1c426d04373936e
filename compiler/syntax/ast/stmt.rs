//! Statements.

use super::{Const, Expr, Name, Type};
use crate::source::Span;
use crate::vocabulary::{BinaryOp, MessageOp};

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
    /// `a, b = b, a`: all at once.
    AssignAll {
        /// Names or elements.
        targets: Vec<Expr>,
        /// The operator before `=`, which does not belong here.
        op: Option<BinaryOp>,
        /// The right sides.
        values: Vec<Expr>,
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
    /// `return`, `return e`
    Return(Option<Expr>),
    /// `skip`
    Skip,
    /// `choice {..}, {..}`
    Choice(Vec<Block>),
    /// `select { .. }`
    Select(Vec<CaseItem>),
    /// `fair choice ..`, `fair select ..`
    Fair(Box<Stmt>),
    /// `switch m { case A {..} default {..} }`
    Switch {
        /// `m`
        subject: Expr,
        /// The cases.
        cases: Vec<SwitchCase>,
    },
    /// `send`, `recv`, `peek`, or a messaging expression alone.
    Message(Message),
    /// `assert(e)`
    Assert(Expr),
    /// `await e`
    Await(Expr),
    /// `atomic { .. }`
    Atomic(Block),
    /// An expression that is not a statement, such as `x` or `f(x)` alone; `program` says so.
    Expr(Expr),
    /// A syntax error, reported already.
    Error,
}

/// How control goes through a statement.
pub enum Flow<'a> {
    /// On to the next statement.
    On,
    /// Somewhere else: a jump.
    Away,
    /// Into one of these blocks and then on; if they are not complete, perhaps past all of them.
    Branches {
        /// In source order.
        blocks: Vec<&'a Block>,
        /// Whether one of them is always taken.
        complete: bool,
    },
    /// Into this block again and again.
    Loop {
        /// The body.
        body: &'a Block,
        /// Whether only a jump leads out of it.
        endless: bool,
    },
    /// As through the statement after the label (or after `fair`).
    Labelled(&'a Stmt),
}

impl StmtKind {
    /// How control goes through it: all there is to know of a statement's form to find what lies inside.
    pub fn flow(&self) -> Flow<'_> {
        match self {
            StmtKind::Const(_)
            | StmtKind::Var { .. }
            | StmtKind::Assign { .. }
            | StmtKind::AssignAll { .. }
            | StmtKind::Labelled(_, None)
            | StmtKind::Skip
            | StmtKind::Message(_)
            | StmtKind::Assert(_)
            | StmtKind::Await(_)
            | StmtKind::Expr(_)
            | StmtKind::Error => Flow::On,
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(_) => {
                Flow::Away
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                let mut blocks = vec![then];
                let mut rest = otherwise.as_ref();
                while let Some(Else::If(stmt)) = rest
                    && let StmtKind::If {
                        then, otherwise, ..
                    } = &stmt.kind
                {
                    blocks.push(then);
                    rest = otherwise.as_ref();
                }
                let last = match rest {
                    Some(Else::Block(block)) => Some(block),
                    _ => None,
                };
                blocks.extend(last);
                Flow::Branches {
                    blocks,
                    complete: last.is_some(),
                }
            }
            StmtKind::Block(block) | StmtKind::Atomic(block) => Flow::Branches {
                blocks: vec![block],
                complete: true,
            },
            StmtKind::While { condition, body } => Flow::Loop {
                body,
                endless: condition.is_none(),
            },
            StmtKind::ForIn { body, .. } | StmtKind::ForRange { body, .. } => Flow::Loop {
                body,
                endless: false,
            },
            StmtKind::Labelled(_, Some(inner)) | StmtKind::Fair(inner) => Flow::Labelled(inner),
            StmtKind::Choice(blocks) => Flow::Branches {
                complete: !blocks.is_empty(),
                blocks: blocks.iter().collect(),
            },
            // What is not covered is an error.
            StmtKind::Switch { cases, .. } => Flow::Branches {
                complete: !cases.is_empty(),
                blocks: cases.iter().map(|case| &case.body).collect(),
            },
            StmtKind::Select(cases) => Flow::Branches {
                complete: !cases.is_empty(),
                blocks: written(cases).map(|case| &case.body).collect(),
            },
        }
    }
}

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

/// What follows `else`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Else {
    /// `else if ..`: the statement is an `If`.
    If(Box<Stmt>),
    /// `else { .. }`
    Block(Block),
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
