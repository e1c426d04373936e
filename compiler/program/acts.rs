//! What a process does anywhere in its body.

use rustc_hash::FxHashSet;

use super::{CaseKind, Expr, ExprKind, Message, Place, Rhs, Stmt, StmtKind, VariableId};
use crate::vocabulary::{ChannelId, LabelId};

/// What a process does anywhere in its body, whether it comes there or not.
#[derive(Default)]
pub struct Acts {
    /// The channels that it sends on.
    pub sends: FxHashSet<ChannelId>,
    /// The channels that it receives from.
    pub receives: FxHashSet<ChannelId>,
    /// The variables that it writes, or parts of which.
    pub writes: FxHashSet<VariableId>,
    /// The labels of its statements.
    pub labels: FxHashSet<LabelId>,
    /// Whether it has a loop that is not unrolled, or a `goto`.
    pub goes_back: bool,
}

impl Acts {
    /// What a body does.
    pub fn of(body: &[Stmt]) -> Acts {
        let mut acts = Acts::default();
        acts.all(body);
        acts
    }

    fn all(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.labels
            .extend(stmt.labels.iter().map(|copy| copy.label));
        match &stmt.kind {
            StmtKind::Block(body) | StmtKind::Atomic(body) => self.all(body),
            StmtKind::Assign { target, value } => {
                self.place(target);
                match value {
                    Rhs::Expr(e) => self.expr(e),
                    Rhs::AnyOf(all) => all.iter().for_each(|e| self.expr(e)),
                    Rhs::Any | Rhs::AnyRange(..) => {}
                }
            }
            StmtKind::AssignAll { targets, values } => {
                targets.iter().for_each(|target| self.place(target));
                values.iter().for_each(|e| self.expr(e));
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.all(then);
                self.all(otherwise);
            }
            StmtKind::While {
                condition, body, ..
            } => {
                self.goes_back = true;
                condition.iter().for_each(|e| self.expr(e));
                self.all(body);
            }
            StmtKind::Unrolled { iterations, .. } => {
                iterations.iter().for_each(|(_, body)| self.all(body));
            }
            StmtKind::Range { from, to, body, .. } => {
                self.goes_back = true;
                self.expr(from);
                self.expr(to);
                self.all(body);
            }
            StmtKind::Choice(blocks) => blocks.iter().for_each(|body| self.all(body)),
            StmtKind::Select(cases) => {
                for case in cases {
                    if let CaseKind::Message(message) = &case.kind {
                        self.message(message);
                    }
                    case.condition.iter().for_each(|e| self.expr(e));
                    self.all(&case.body);
                }
            }
            StmtKind::Fair(inner) => self.stmt(inner),
            StmtKind::Message(message) => self.message(message),
            StmtKind::Switch { subject, cases } => {
                self.expr(subject);
                cases.iter().for_each(|case| self.all(&case.body));
            }
            StmtKind::Assert(e) => self.expr(e),
            StmtKind::Goto(_) => self.goes_back = true,
            StmtKind::Skip | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return => {}
        }
    }

    fn place(&mut self, place: &Place) {
        self.writes.insert(place.variable);
    }

    fn message(&mut self, message: &Message) {
        let channels = match message.op.is_send() {
            true => &mut self.sends,
            false => &mut self.receives,
        };
        channels.extend(&message.channel.channels);
        message.values.iter().for_each(|e| self.expr(e));
        for place in message.targets.iter().flat_map(|pattern| pattern.places()) {
            self.place(place);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let mut messages: Vec<&Message> = Vec::new();
        expr.visit(&mut |e| {
            if let ExprKind::Message(message) = &e.kind {
                messages.push(message);
            }
        });
        for message in messages {
            self.message(message);
        }
    }
}
