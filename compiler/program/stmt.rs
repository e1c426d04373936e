//! The checked statements: what they are made of, when they are well made, and how `sandalc dump program` shows them.
//! `elaborate/stmt` makes them and `graph/lower` takes them apart; nothing else lists them.

use super::dump::Dump;
use super::verify::{Verify, require};
use super::{Deadline, Expr, ExprKind, LoopId, Message, Pattern, Place, VariableId};
use crate::source::Span;
use crate::vocabulary::{LabelId, MessageOp};

/// A statement with the labels before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// The labels that stand before it.
    pub labels: Vec<LabelCopy>,
    /// All of it.
    pub span: Span,
}

/// One copy of a label: a label in an unrolled loop has one per iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LabelCopy {
    /// The label.
    pub label: LabelId,
    /// Which copy.
    pub copy: u32,
}

/// The statements. `const` and `durable var` are gone.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `{ .. }`
    Block(Vec<Stmt>),
    /// `atomic { .. }`: one step, whatever it does.
    Atomic(Vec<Stmt>),
    /// `skip`
    Skip,
    /// `x = e` and `var x T = e` (without an initialiser: the zero value).
    Assign {
        /// What is written.
        target: Place,
        /// The right side; `x += e` has become `x = x + e`.
        value: Rhs,
    },
    /// `a, b = b, a`: everything is read before anything is written.
    AssignAll {
        /// What is written.
        targets: Vec<Place>,
        /// The right sides, as many.
        values: Vec<Expr>,
    },
    /// `if`
    If {
        /// The condition.
        condition: Expr,
        /// If true.
        then: Vec<Stmt>,
        /// If false.
        otherwise: Vec<Stmt>,
    },
    /// `for {}` and `for c {}`
    While {
        /// Which loop.
        id: LoopId,
        /// The condition.
        condition: Option<Expr>,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `for x in xs` and `for i in range` with constant bounds: the iterations one after the other.
    Unrolled {
        /// For each iteration its loop (`continue` leaves the iteration) and body.
        iterations: Vec<(LoopId, Vec<Stmt>)>,
        /// The whole loop (`break` leaves it).
        id: LoopId,
    },
    /// `for i in range a to b` with other bounds.
    Range {
        /// Which loop.
        id: LoopId,
        /// The variable that holds i.
        counter: VariableId,
        /// The hidden variable that holds b; like `counter` it keeps its value after the loop.
        bound: VariableId,
        /// `a`
        from: Expr,
        /// `b`
        to: Expr,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `break` out of a loop.
    Break(LoopId),
    /// `continue` with the next iteration of a loop.
    Continue(LoopId),
    /// `goto`
    Goto(LabelCopy),
    /// `return`
    Return,
    /// `choice`
    Choice(Vec<Vec<Stmt>>),
    /// `select`
    Select(Vec<Case>),
    /// `sleep(e)` for as many ticks as a first step finds out: not a constant, which is a `select`.
    Sleep(Rhs),
    /// `fair choice`, `fair select`: what can be taken again and again is.
    Fair(Box<Stmt>),
    /// `send`, `recv`, `peek`, or a messaging expression alone.
    Message(Message),
    /// `switch`: one step into the first case that fits; one always does.
    Switch {
        /// What is looked at.
        subject: Expr,
        /// The cases.
        cases: Vec<SwitchCase>,
    },
    /// `assert(e)`
    Assert(Expr),
}

/// A case of `switch`.
#[derive(Clone, PartialEq, Debug)]
pub struct SwitchCase {
    /// What it is for; nothing twice, and no targets. `None` for `default`.
    pub patterns: Option<Vec<Pattern>>,
    /// Its block.
    pub body: Vec<Stmt>,
    /// What stands between `case` and its block, or `default`.
    pub span: Span,
}

/// A case of `select`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// What it waits for.
    pub kind: CaseKind,
    /// `if condition`
    pub condition: Option<Expr>,
    /// Its block.
    pub body: Vec<Stmt>,
    /// All of it.
    pub span: Span,
}

/// What a case of `select` waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum CaseKind {
    /// `recv`, `peek` or (buffered) `send`.
    Message(Message),
    /// `case if e`, and `await e`: the condition is all it waits for.
    If,
    /// `case timeout`
    Timeout,
    /// `case after e`
    After(Deadline),
    /// `default`
    Default,
}

/// The right side of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum Rhs {
    /// A value.
    Expr(Expr),
    /// `any`: every value of the target's (element) type.
    Any,
    /// `any(lo..hi)`
    AnyRange(i64, i64),
    /// `any(e1, e2)`; at least one.
    AnyOf(Vec<Expr>),
}

impl Rhs {
    /// The expressions in it.
    fn exprs(&self) -> &[Expr] {
        match self {
            Rhs::Expr(e) => std::slice::from_ref(e),
            Rhs::AnyOf(all) => all,
            Rhs::Any | Rhs::AnyRange(..) => &[],
        }
    }
}

/// A part of a statement.
pub enum Part<'a> {
    /// An expression that is evaluated.
    Expr(&'a Expr),
    /// A place that is written.
    Place(&'a Place),
    /// A channel operation.
    Message(&'a Message),
    /// Statements that may be reached from it.
    Block(&'a [Stmt]),
    /// The statement after `fair`.
    Stmt(&'a Stmt),
}

impl StmtKind {
    /// Calls `visit` for everything the statement is made of, in the order of the text.
    pub fn parts<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        match self {
            StmtKind::Block(body) | StmtKind::Atomic(body) => visit(Part::Block(body)),
            StmtKind::Assign { target, value } => {
                visit(Part::Place(target));
                value.exprs().iter().for_each(|e| visit(Part::Expr(e)));
            }
            StmtKind::Sleep(ticks) => ticks.exprs().iter().for_each(|e| visit(Part::Expr(e))),
            StmtKind::AssignAll { targets, values } => {
                targets.iter().for_each(|target| visit(Part::Place(target)));
                values.iter().for_each(|e| visit(Part::Expr(e)));
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                visit(Part::Expr(condition));
                visit(Part::Block(then));
                visit(Part::Block(otherwise));
            }
            StmtKind::While {
                condition, body, ..
            } => {
                condition.iter().for_each(|e| visit(Part::Expr(e)));
                visit(Part::Block(body));
            }
            StmtKind::Unrolled { iterations, .. } => {
                let bodies = iterations.iter().map(|(_, body)| body);
                bodies.for_each(|body| visit(Part::Block(body)));
            }
            StmtKind::Range { from, to, body, .. } => {
                visit(Part::Expr(from));
                visit(Part::Expr(to));
                visit(Part::Block(body));
            }
            StmtKind::Choice(blocks) => blocks.iter().for_each(|body| visit(Part::Block(body))),
            StmtKind::Select(cases) => {
                for case in cases {
                    match &case.kind {
                        CaseKind::Message(message) => visit(Part::Message(message)),
                        CaseKind::After(Deadline::Timer(timer)) => visit(Part::Expr(timer)),
                        _ => {}
                    }
                    case.condition.iter().for_each(|e| visit(Part::Expr(e)));
                    visit(Part::Block(&case.body));
                }
            }
            StmtKind::Fair(inner) => visit(Part::Stmt(inner)),
            StmtKind::Message(message) => visit(Part::Message(message)),
            StmtKind::Switch { subject, cases } => {
                visit(Part::Expr(subject));
                cases.iter().for_each(|case| visit(Part::Block(&case.body)));
            }
            StmtKind::Assert(e) => visit(Part::Expr(e)),
            StmtKind::Skip | StmtKind::Return | StmtKind::Goto(_) => {}
            StmtKind::Break(_) | StmtKind::Continue(_) => {}
        }
    }
}

impl Verify<'_> {
    /// Whether a statement is well made.
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Return => Ok(()),
            StmtKind::Block(stmts) | StmtKind::Atomic(stmts) => self.block(stmts),
            StmtKind::Assign { target, value } => {
                self.place(target)?;
                self.rhs(target, value)
            }
            StmtKind::AssignAll { targets, values } => {
                require(targets.len() == values.len(), "each target has a value")?;
                for (target, value) in targets.iter().zip(values) {
                    self.place(target)?;
                    self.expr(value, false)?;
                    require(value.ty.same_shape(&target.ty), "what is stored fits")?;
                }
                Ok(())
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition)?;
                self.block(then)?;
                self.block(otherwise)
            }
            StmtKind::While {
                id,
                condition,
                body,
            } => {
                self.new_loop(*id)?;
                condition.iter().try_for_each(|c| self.condition(c))?;
                self.in_loop(&[*id], |v| v.block(body))
            }
            StmtKind::Unrolled { iterations, id } => {
                self.new_loop(*id)?;
                for (next, body) in iterations {
                    self.new_loop(*next)?;
                    self.in_loop(&[*id, *next], |v| v.block(body))?;
                }
                Ok(())
            }
            StmtKind::Range {
                id,
                counter,
                bound,
                from,
                to,
                body,
            } => {
                self.new_loop(*id)?;
                for hidden in [counter, bound] {
                    self.variable(*hidden)?;
                    let variable = &self.program.variables[hidden.0 as usize];
                    require(variable.counter, "loop variables are hidden")?;
                }
                self.integer(from)?;
                self.integer(to)?;
                self.in_loop(&[*id], |v| v.block(body))
            }
            StmtKind::Break(id) | StmtKind::Continue(id) => {
                require(self.loops.contains(id), "the loop is around its `break`")
            }
            StmtKind::Goto(label) => {
                self.gotos.push(*label);
                Ok(())
            }
            StmtKind::Fair(inner) => {
                let choice = matches!(inner.kind, StmtKind::Choice(_) | StmtKind::Select(_));
                require(choice, "only a choice is fair")?;
                self.stmt(inner)
            }
            StmtKind::Choice(blocks) => blocks.iter().try_for_each(|block| self.block(block)),
            StmtKind::Select(cases) => {
                let mut alternatives = 0;
                for case in cases {
                    if let CaseKind::Message(message) = &case.kind {
                        require(!message.op.is_expression(), "cases wait")?;
                        self.message(message)?;
                        case.condition.iter().try_for_each(|c| self.condition(c))?;
                        if message.op == MessageOp::Send {
                            self.buffered(&message.channel)?;
                        }
                    } else {
                        let waits = matches!(case.kind, CaseKind::If | CaseKind::After(_));
                        alternatives += usize::from(!waits);
                        match (&case.kind, &case.condition) {
                            (CaseKind::If, None) => return Err("a condition is waited for".into()),
                            (CaseKind::Default, Some(_)) => return Err("`default` is free".into()),
                            (CaseKind::After(deadline), condition) => {
                                require(condition.is_none(), "a deadline has no condition")?;
                                self.deadline(deadline)?;
                            }
                            (_, condition) => {
                                condition.iter().try_for_each(|c| self.condition(c))?;
                            }
                        }
                    }
                    self.block(&case.body)?;
                }
                require(!cases.is_empty(), "`select` has cases")?;
                require(alternatives <= 1, "alternatives exclude each other")
            }
            StmtKind::Switch { subject, cases } => {
                self.expr(subject, false)?;
                require(!cases.is_empty(), "`switch` has cases")?;
                for case in cases {
                    let mut patterns = case.patterns.iter().flatten();
                    patterns.try_for_each(|pattern| {
                        require(pattern.places().is_empty(), "cases store nothing")?;
                        self.pattern(pattern, &subject.ty)
                    })?;
                    self.block(&case.body)?;
                }
                Ok(())
            }
            StmtKind::Sleep(ticks) => {
                let free = matches!(ticks, Rhs::Any);
                require(!free, "how long is known")?;
                ticks.exprs().iter().try_for_each(|e| self.integer(e))
            }
            StmtKind::Message(message) => self.message(message),
            StmtKind::Assert(condition) => self.condition(condition),
        }
    }

    fn deadline(&mut self, deadline: &Deadline) -> Result<(), String> {
        match deadline {
            Deadline::Ticks(ticks) => require(*ticks >= 0, "ticks are counted from 0"),
            Deadline::Timer(timer) => {
                let mut timers = 0;
                timer.visit(&mut |e| {
                    if let ExprKind::Variable(id) = e.kind {
                        timers += usize::from(self.program.variables[id.0 as usize].timer);
                    }
                });
                require(timers == 1, "a deadline is a timer")?;
                self.integer(timer)
            }
        }
    }

    fn rhs(&self, target: &Place, value: &Rhs) -> Result<(), String> {
        let of_type = |expr: &Expr| {
            self.expr(expr, true)?;
            require(expr.ty.same_shape(&target.ty), "what is stored fits")
        };
        match value {
            Rhs::Expr(expr) => of_type(expr),
            Rhs::Any => Ok(()),
            Rhs::AnyRange(lo, hi) => require(
                lo <= hi && target.ty.range().is_some(),
                "choices are integers",
            ),
            Rhs::AnyOf(set) => {
                require(!set.is_empty(), "there is a choice")?;
                set.iter().try_for_each(of_type)
            }
        }
    }
}

impl Dump<'_> {
    /// Writes a statement.
    pub(super) fn stmt(&mut self, depth: usize, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => self.braces(depth, format_args!("block"), stmts),
            StmtKind::Atomic(stmts) => self.braces(depth, format_args!("atomic"), stmts),
            StmtKind::Skip => self.line(depth, format_args!("skip")),
            StmtKind::Assign { target, value } => {
                let (target, value) = (self.place(target), self.rhs(value));
                self.line(depth, format_args!("{target} = {value}"));
            }
            StmtKind::AssignAll { targets, values } => {
                let targets: Vec<String> = targets.iter().map(|place| self.place(place)).collect();
                let (targets, values) = (targets.join(", "), self.exprs(values));
                self.line(depth, format_args!("{targets} = {values}"));
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(condition);
                self.braces(depth, format_args!("if {condition}"), then);
                if !otherwise.is_empty() {
                    self.braces(depth, format_args!("else"), otherwise);
                }
            }
            StmtKind::While {
                id,
                condition,
                body,
            } => {
                let condition = condition
                    .as_ref()
                    .map_or(String::new(), |c| format!(" {}", self.expr(c)));
                self.braces(depth, format_args!("for #{}{condition}", id.0), body);
            }
            StmtKind::Unrolled { iterations, id } => {
                self.line(depth, format_args!("unrolled #{} {{", id.0));
                for (id, body) in iterations {
                    self.braces(depth + 1, format_args!("iteration #{}", id.0), body);
                }
                self.line(depth, format_args!("}}"));
            }
            StmtKind::Range {
                id,
                counter,
                from,
                to,
                body,
                ..
            } => {
                let counter = self.variable(*counter);
                let (from, to) = (self.expr(from), self.expr(to));
                self.braces(
                    depth,
                    format_args!("for #{} {counter} in range {from} to {to}", id.0),
                    body,
                );
            }
            StmtKind::Break(id) => self.line(depth, format_args!("break #{}", id.0)),
            StmtKind::Continue(id) => self.line(depth, format_args!("continue #{}", id.0)),
            StmtKind::Goto(label) => {
                let label = self.label(*label);
                self.line(depth, format_args!("goto {label}"));
            }
            StmtKind::Return => self.line(depth, format_args!("return")),
            StmtKind::Choice(blocks) => {
                for block in blocks {
                    self.braces(depth, format_args!("choice"), block);
                }
            }
            StmtKind::Fair(inner) => {
                self.line(depth, format_args!("fair"));
                self.stmt(depth, inner);
            }
            StmtKind::Sleep(ticks) => {
                let ticks = self.rhs(ticks);
                self.line(depth, format_args!("sleep({ticks})"));
            }
            StmtKind::Select(cases) => {
                self.line(depth, format_args!("select {{"));
                for case in cases {
                    let kind = match &case.kind {
                        CaseKind::Message(message) => format!("case {}", self.message(message)),
                        CaseKind::If => "case".to_owned(),
                        CaseKind::Timeout => "case timeout".to_owned(),
                        CaseKind::After(Deadline::Ticks(ticks)) => format!("case after {ticks}"),
                        CaseKind::After(Deadline::Timer(timer)) => {
                            format!("case after {}", self.expr(timer))
                        }
                        CaseKind::Default => "default".to_owned(),
                    };
                    let condition = case
                        .condition
                        .as_ref()
                        .map_or(String::new(), |c| format!(" if {}", self.expr(c)));
                    self.braces(depth + 1, format_args!("{kind}{condition}"), &case.body);
                }
                self.line(depth, format_args!("}}"));
            }
            StmtKind::Switch { subject, cases } => {
                let shown = self.expr(subject);
                self.line(depth, format_args!("switch {shown} {{"));
                for case in cases {
                    let head = match &case.patterns {
                        None => "default".to_owned(),
                        Some(patterns) => {
                            let patterns = patterns.iter();
                            let shown: Vec<String> =
                                patterns.map(|p| self.pattern(p, &subject.ty)).collect();
                            format!("case {}", shown.join(", "))
                        }
                    };
                    self.braces(depth + 1, format_args!("{head}"), &case.body);
                }
                self.line(depth, format_args!("}}"));
            }
            StmtKind::Message(message) => {
                let message = self.message(message);
                self.line(depth, format_args!("{message}"));
            }
            StmtKind::Assert(condition) => {
                let condition = self.expr(condition);
                self.line(depth, format_args!("assert({condition})"));
            }
        }
    }

    fn rhs(&self, rhs: &Rhs) -> String {
        match rhs {
            Rhs::Expr(expr) => self.expr(expr),
            Rhs::Any => "any".into(),
            Rhs::AnyRange(lo, hi) => format!("any({lo}..{hi})"),
            Rhs::AnyOf(set) => format!("any({})", self.exprs(set)),
        }
    }
}
