//! `atomic { .. }`: what may stand in it, and how many ways lead through it.
//!
//! It is checked when everything is written out, loops and functions included. The first statement may wait; what follows cannot.

use super::Statements;
use crate::program::problem::AtomicProblem;
use crate::program::{
    Case, CaseKind, Expr, ExprKind, LabelCopy, Message, Rhs, Stmt, StmtKind, limits,
};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::MessageOp;

impl<'a> Statements<'_, 'a> {
    pub fn atomic(&mut self, span: Span, block: &'a ast::Block) -> Option<StmtKind> {
        let errors = self.log.problems.errors();
        let stmts = self.block(block);
        if self.log.problems.errors() > errors {
            return Some(StmtKind::Atomic(stmts));
        }
        let mut inside = Inside {
            made: self.made,
            problems: Vec::new(),
            labels: Vec::new(),
            sends: false,
        };
        let ways = inside.block(&stmts, true);
        let Inside {
            mut problems,
            sends,
            ..
        } = inside;
        self.log.uses.room |= sends;
        if problems.is_empty() && ways > limits::WAYS {
            problems.push(AtomicProblem::Ways {
                count: ways,
                span: Span {
                    end: block.span.start,
                    ..span
                },
            });
        }
        for problem in problems {
            self.log.report(problem);
        }
        Some(StmtKind::Atomic(stmts))
    }
}

struct Inside<'c, 'a> {
    made: &'c crate::program::elaborate::init::Instances<'a>,
    problems: Vec<AtomicProblem>,
    /// The labels that have been passed.
    labels: Vec<LabelCopy>,
    /// Whether a send must find room.
    sends: bool,
}

impl Inside<'_, '_> {
    /// In how many ways a block can be gone through. `first` says whether its first statement may wait.
    fn block(&mut self, stmts: &[Stmt], first: bool) -> u64 {
        let mut ways = 1u64;
        for (i, stmt) in stmts.iter().enumerate() {
            ways = ways.saturating_mul(self.stmt(stmt, first && i == 0));
        }
        ways
    }

    fn stmt(&mut self, stmt: &Stmt, first: bool) -> u64 {
        self.labels.extend(&stmt.labels);
        let wrong = |what| AtomicProblem::Waits {
            what,
            span: stmt.span,
        };
        match &stmt.kind {
            StmtKind::Block(stmts) | StmtKind::Atomic(stmts) => self.block(stmts, first),
            StmtKind::Skip | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return => 1,
            StmtKind::Goto(label) => {
                if self.labels.contains(label) {
                    self.problems.push(AtomicProblem::Loop { span: stmt.span });
                }
                1
            }
            StmtKind::Assign { target, value } => {
                let indices: Vec<Expr> = target.indices().cloned().collect();
                let mut ways = self.exprs(&indices);
                match value {
                    Rhs::Expr(e) => ways *= self.exprs(std::slice::from_ref(e)),
                    Rhs::AnyOf(es) => ways *= self.exprs(es),
                    Rhs::Any | Rhs::AnyRange(..) => {}
                }
                ways
            }
            StmtKind::AssignAll { .. } => 1,
            StmtKind::Sleep(_) => {
                self.problems.push(wrong("`sleep`"));
                1
            }
            StmtKind::Assert(e) => self.exprs(std::slice::from_ref(e)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let ways = self.exprs(std::slice::from_ref(condition));
                let then = self.block(then, false);
                let otherwise = self.block(otherwise, false);
                ways.saturating_mul(then.saturating_add(otherwise))
            }
            StmtKind::Switch { cases, .. } => {
                let ways = cases.iter().map(|case| self.block(&case.body, false));
                ways.fold(0, u64::saturating_add)
            }
            StmtKind::Choice(blocks) => {
                let ways = blocks.iter().map(|block| self.block(block, false));
                ways.fold(0, u64::saturating_add)
            }
            StmtKind::Unrolled { iterations, .. } => {
                let mut ways = 1u64;
                for (i, (_, body)) in iterations.iter().enumerate() {
                    ways = ways.saturating_mul(self.block(body, first && i == 0));
                }
                ways
            }
            StmtKind::While { .. } | StmtKind::Range { .. } => {
                self.problems.push(AtomicProblem::Loop { span: stmt.span });
                1
            }
            StmtKind::Select(cases) => {
                if !first {
                    self.problems.push(wrong(match cases.as_slice() {
                        [only] if only.span == stmt.span => match only.kind {
                            CaseKind::If => "`await`",
                            _ => "`sleep`",
                        },
                        _ => "`select`",
                    }));
                }
                let ways = cases.iter().map(|case| self.case(case));
                ways.fold(0, u64::saturating_add)
            }
            StmtKind::Message(message) => {
                self.message(message, first);
                self.ways(message)
            }
            StmtKind::Fair(_) => {
                let span = stmt.span;
                self.problems.push(AtomicProblem::Fair { span });
                1
            }
        }
    }

    fn case(&mut self, case: &Case) -> u64 {
        let ways = match &case.kind {
            CaseKind::Message(message) => self.ways(message),
            _ => 1,
        };
        ways.saturating_mul(self.block(&case.body, false))
    }

    /// An operation that is a statement.
    fn message(&mut self, message: &Message, first: bool) {
        let (op, span) = (message.op.as_str(), message.span);
        match message.op {
            MessageOp::Send => {
                let buffered = |id: &crate::vocabulary::ChannelId| {
                    self.made.channels[id.0 as usize].capacity.is_some()
                };
                if !message.channel.channels.iter().all(buffered) {
                    self.problems.push(AtomicProblem::Rendezvous { span });
                }
                // What overflows loses what does not fit.
                let needs_room =
                    |id: &crate::vocabulary::ChannelId| !self.made.channels[id.0 as usize].overflow;
                self.sends |= !first && message.channel.channels.iter().any(needs_room);
            }
            MessageOp::Recv | MessageOp::Peek if !first => {
                let what = if op == "recv" { "`recv`" } else { "`peek`" };
                self.problems.push(AtomicProblem::Waits { what, span });
            }
            MessageOp::TimeoutSend | MessageOp::TimeoutRecv | MessageOp::TimeoutPeek => {
                self.problems.push(AtomicProblem::Timeout { op, span });
            }
            _ => {}
        }
    }

    /// Messaging expressions, which have two outcomes.
    fn exprs(&mut self, exprs: &[Expr]) -> u64 {
        let mut ways = 1u64;
        for e in exprs {
            ways = ways.saturating_mul(match &e.kind {
                ExprKind::Message(message) => {
                    self.message(message, false);
                    self.ways(message).saturating_add(1)
                }
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                    let a = self.exprs(std::slice::from_ref(a));
                    a.saturating_mul(self.exprs(std::slice::from_ref(b)))
                }
                ExprKind::Unary(_, e) => self.exprs(std::slice::from_ref(e)),
                ExprKind::Array(items) => self.exprs(items),
                _ => 1,
            });
        }
        ways
    }

    /// On how many channels an operation may be, and how many of their messages it may take.
    fn ways(&self, message: &Message) -> u64 {
        let of = |id: &crate::vocabulary::ChannelId| {
            let channel = &self.made.channels[id.0 as usize];
            match channel.capacity {
                Some(n) if channel.bag && !message.op.is_send() => u64::from(n),
                _ => 1,
            }
        };
        message.channel.channels.iter().map(of).sum()
    }
}
