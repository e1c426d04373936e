//! What a process does anywhere in its body.

use rustc_hash::FxHashSet;

use super::{Expr, ExprKind, Message, Part, Place, Stmt, StmtKind, VariableId};
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
        self.goes_back |= matches!(
            stmt.kind,
            StmtKind::While { .. } | StmtKind::Range { .. } | StmtKind::Goto(_)
        );
        stmt.kind.parts(&mut |part| match part {
            Part::Expr(e) => self.expr(e),
            Part::Place(place) => self.place(place),
            Part::Message(message) => self.message(message),
            Part::Block(body) => self.all(body),
            Part::Stmt(stmt) => self.stmt(stmt),
        });
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
