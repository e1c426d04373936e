//! `select`: one of the cases that can go, and then its block.

use super::value::Values;
use super::{Lowerer, Node, Outcome};
use crate::graph::{Edge, Expr};
use crate::program::{Case, CaseKind};
use crate::source::Span;
use crate::system::EdgeKind;
use crate::system::event::{Declined, Event};

impl Lowerer<'_> {
    pub(super) fn select(&mut self, cases: &[Case], span: Span, next: Node) -> Node {
        let bodies: Vec<Node> = cases
            .iter()
            .map(|case| self.block(&case.body, next))
            .collect();
        let from = self.begin(span);
        let mut possible = Vec::new();
        for (case, body) in cases.iter().zip(&bodies) {
            if let CaseKind::Message(_) = &case.kind {
                possible.push(self.case(case, from, *body));
            }
        }
        let possible = Expr::or(possible);
        for (case, body) in cases.iter().zip(&bodies) {
            let (guard, kind, event) = match &case.kind {
                CaseKind::Message(_) => continue,
                CaseKind::Timeout => (
                    Expr::yes(),
                    EdgeKind::Timeout,
                    Event::TimedOut(possible.clone()),
                ),
                CaseKind::Default => (
                    possible.clone().not(),
                    EdgeKind::Normal,
                    Event::Declined(Declined::Cases),
                ),
            };
            let edge = Edge {
                guard,
                kind,
                events: vec![event],
                ..Edge::new(case.span)
            };
            self.nodes.connect(from, *body, edge);
        }
        from
    }

    /// Adds the edges of a case; returns whether it can go.
    fn case(&mut self, case: &Case, from: Node, body: Node) -> Expr {
        let CaseKind::Message(message) = &case.kind else {
            unreachable!("only messages wait")
        };
        let mut values = Values::default();
        let condition = match &case.condition {
            Some(condition) => self.eval(&mut values).scalar(condition),
            None => Expr::yes(),
        };
        let checked = Expr::and(values.checks.iter().map(|(_, ok)| ok.clone()));
        let guard = Expr::and([checked, condition]);
        let resolved = self.resolve(message, &Values::default(), from, guard.clone());
        // The condition's own checks are those of an operation that may block: they wait with it.
        self.fail_unless(from, resolved.could.clone(), &values.checks, case.span);
        let failing = Expr::or(values.checks.iter().map(|(_, ok)| ok.clone().not()));
        let outcome = Outcome::to(body);
        self.perform(
            message,
            &Values::default(),
            from,
            &resolved,
            guard.clone(),
            outcome,
            None,
        );
        Expr::and([Expr::or([failing, guard]), resolved.could])
    }
}
