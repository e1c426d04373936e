//! Statements: all that is known of their form. Nothing else in `syntax`, `load` and the declarations lists them.

use super::{CaseItem, Const, Expr, Message, Name, SwitchCase, Type, written};
use crate::source::Span;
use crate::syntax::dump::{const_text, list, message_text, prefix};
use crate::syntax::print;
use crate::vocabulary::BinaryOp;

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

/// A part of a statement.
pub enum Part<'a> {
    /// A declared constant, known from here on.
    Const(&'a Const),
    /// A type.
    Type(&'a Type),
    /// An expression.
    Expr(&'a Expr),
    /// A name that is known from here on.
    Declares(&'a Name),
    /// A block.
    Block(&'a Block),
    /// A block in which a name is known.
    Loop(&'a Name, &'a Block),
    /// A statement after a label, or after `fair`.
    Stmt(&'a Stmt),
    /// What follows `else`.
    Else(&'a Else),
    /// A channel operation.
    Message(&'a Message),
    /// A case of `select`.
    Case(&'a CaseItem),
    /// A case of `switch`.
    SwitchCase(&'a SwitchCase),
}

/// A part of a statement that may be changed.
#[allow(missing_docs)]
pub enum PartMut<'a> {
    Const(&'a mut Const),
    Type(&'a mut Type),
    Expr(&'a mut Expr),
    Declares(&'a mut Name),
    Block(&'a mut Block),
    Loop(&'a mut Name, &'a mut Block),
    Stmt(&'a mut Stmt),
    Else(&'a mut Else),
    Message(&'a mut Message),
    Case(&'a mut CaseItem),
    SwitchCase(&'a mut SwitchCase),
}

/// What a statement can be made of, and the method that finds it: for reading and, with `mut`, for changing. The two are
/// the same text, which Rust cannot say in another way.
macro_rules! made_of {
    ($(#[$doc:meta])* $parts:ident, $Part:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub fn $parts<'a>(&'a $($mut)? self, visit: &mut dyn FnMut($Part<'a>)) {
            match self {
                StmtKind::Const(constant) => visit($Part::Const(constant)),
                StmtKind::Var { name, ty, init, .. } => {
                    visit($Part::Type(ty));
                    if let Some(init) = init {
                        visit($Part::Expr(init));
                    }
                    visit($Part::Declares(name));
                }
                StmtKind::Assign { target, value, .. } => {
                    visit($Part::Expr(target));
                    visit($Part::Expr(value));
                }
                StmtKind::AssignAll {
                    targets, values, ..
                } => {
                    for e in targets {
                        visit($Part::Expr(e));
                    }
                    for e in values {
                        visit($Part::Expr(e));
                    }
                }
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    visit($Part::Expr(condition));
                    visit($Part::Block(then));
                    if let Some(otherwise) = otherwise {
                        visit($Part::Else(otherwise));
                    }
                }
                StmtKind::Block(block) | StmtKind::Atomic(block) => visit($Part::Block(block)),
                StmtKind::While { condition, body } => {
                    if let Some(condition) = condition {
                        visit($Part::Expr(condition));
                    }
                    visit($Part::Block(body));
                }
                StmtKind::ForIn { var, array, body } => {
                    visit($Part::Expr(array));
                    visit($Part::Loop(var, body));
                }
                StmtKind::ForRange {
                    var,
                    from,
                    to,
                    body,
                } => {
                    visit($Part::Expr(from));
                    visit($Part::Expr(to));
                    visit($Part::Loop(var, body));
                }
                StmtKind::Labelled(_, Some(inner)) | StmtKind::Fair(inner) => {
                    visit($Part::Stmt(inner));
                }
                StmtKind::Choice(blocks) => {
                    for block in blocks {
                        visit($Part::Block(block));
                    }
                }
                StmtKind::Select(cases) => {
                    for case in cases {
                        visit($Part::Case(case));
                    }
                }
                StmtKind::Switch { subject, cases } => {
                    visit($Part::Expr(subject));
                    for case in cases {
                        visit($Part::SwitchCase(case));
                    }
                }
                StmtKind::Message(message) => visit($Part::Message(message)),
                StmtKind::Assert(e)
                | StmtKind::Await(e)
                | StmtKind::Expr(e)
                | StmtKind::Return(Some(e)) => visit($Part::Expr(e)),
                StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Labelled(_, None)
                | StmtKind::Return(None)
                | StmtKind::Skip
                | StmtKind::Error => {}
            }
        }
    };
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

    made_of!(
        /// Calls `visit` for everything the statement is made of, in the order of the text.
        parts, Part
    );
    made_of!(
        /// The same, to change it.
        parts_mut, PartMut, mut
    );

    /// Its first line in `sandalc dump ast`, without what stands in its blocks.
    pub fn head(&self) -> String {
        match self {
            StmtKind::Const(constant) => const_text(constant),
            StmtKind::Var {
                durable,
                name,
                ty,
                init,
            } => {
                let durable = if *durable { "durable " } else { "" };
                let init = init
                    .as_ref()
                    .map(|init| format!(" = {}", prefix(init)))
                    .unwrap_or_default();
                format!("{durable}var {} {}{init}", name.text, print::ty(ty))
            }
            StmtKind::Assign { target, op, value } => {
                let op = op.map_or("", BinaryOp::as_str);
                format!("{} {op}= {}", prefix(target), prefix(value))
            }
            StmtKind::AssignAll {
                targets,
                op,
                values,
            } => {
                let op = op.map_or("", BinaryOp::as_str);
                format!("all{} {op}={}", list(targets), list(values))
            }
            StmtKind::If { condition, .. } => format!("if {}", prefix(condition)),
            StmtKind::Block(_) => "block".to_owned(),
            StmtKind::While {
                condition: None, ..
            } => "for".to_owned(),
            StmtKind::While {
                condition: Some(condition),
                ..
            } => format!("for {}", prefix(condition)),
            StmtKind::ForIn { var, array, .. } => format!("for {} in {}", var.text, prefix(array)),
            StmtKind::ForRange { var, from, to, .. } => {
                let (from, to) = (prefix(from), prefix(to));
                format!("for {} in range {from} to {to}", var.text)
            }
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Goto(label) => format!("goto {}", label.text),
            StmtKind::Labelled(label, _) => format!("label {}", label.text),
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", prefix(value)),
            StmtKind::Skip => "skip".to_owned(),
            StmtKind::Choice(_) => "choice".to_owned(),
            StmtKind::Select(_) => "select".to_owned(),
            StmtKind::Fair(_) => "fair".to_owned(),
            StmtKind::Switch { subject, .. } => format!("switch {}", prefix(subject)),
            StmtKind::Message(message) => message_text(message),
            StmtKind::Assert(condition) => format!("assert {}", prefix(condition)),
            StmtKind::Atomic(_) => "atomic".to_owned(),
            StmtKind::Await(condition) => format!("await {}", prefix(condition)),
            StmtKind::Expr(expr) => format!("expression {}", prefix(expr)),
            StmtKind::Error => "error".to_owned(),
        }
    }
}

/// What follows `else`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Else {
    /// `else if ..`: the statement is an `If`.
    If(Box<Stmt>),
    /// `else { .. }`
    Block(Block),
}
