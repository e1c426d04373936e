//! `if` and `choice`: decisions are steps.

use super::value::Values;
use super::{Lowerer, Node, Outcome};
use crate::graph::{Edge, Expr};
use crate::program;
use crate::program::{ExprKind, Stmt, SwitchCase};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{EdgeKind, LocationKind};
use crate::vocabulary::UnaryOp;

impl Lowerer<'_> {
    /// A decision of `if` or `for c`; returns where it begins.
    ///
    /// A messaging expression as the whole condition, or its negation, is one step: its outcomes lead
    /// straight to the branches.
    pub(super) fn decide(
        &mut self,
        condition: &program::Expr,
        then: Node,
        otherwise: Node,
        span: Span,
    ) -> Node {
        let mut outcome = true;
        let mut inner = condition;
        while let ExprKind::Unary(UnaryOp::Not, e) = &inner.kind {
            outcome = !outcome;
            inner = e;
        }
        if let ExprKind::Message(message) = &inner.kind {
            let (yes, no) = if outcome {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            let (yes, no) = (Outcome::to(yes), Outcome::to(no));
            return self.whole_message(message, &Values::default(), span, yes, Some(no));
        }
        let written = condition.span;
        self.step_after_messages(&[condition], span, |this, values, from| {
            let condition = this.eval(values).scalar(condition);
            let ok = this.fail_unless(from, Expr::yes(), &values.checks, span);
            for (value, to) in [(true, then), (false, otherwise)] {
                let decided = if value {
                    condition.clone()
                } else {
                    condition.clone().not()
                };
                let guard = Expr::and([ok.clone(), decided]);
                if guard.is_no() {
                    continue;
                }
                let updates = this.forget_results(values);
                let events = vec![Event::Decided(value, written)];
                this.nodes.connect(
                    from,
                    to,
                    Edge {
                        guard,
                        updates,
                        events,
                        ..Edge::new(span)
                    },
                );
            }
        })
    }

    /// `switch`: a decision with as many outcomes as it has cases.
    pub(super) fn switch(
        &mut self,
        subject: &program::Expr,
        cases: &[SwitchCase],
        span: Span,
        next: Node,
    ) -> Node {
        let bodies: Vec<Node> = cases
            .iter()
            .map(|case| self.block(&case.body, next))
            .collect();
        let from = self.nodes.add(LocationKind::Statement, span);
        let mut values = Values::default();
        let scalars = self.eval(&mut values).flat(subject);
        let ok = self.fail_unless(from, Expr::yes(), &values.checks, span);
        let fits: Vec<Option<Expr>> = cases
            .iter()
            .map(|case| {
                let patterns = case.patterns.as_ref()?.iter();
                let fits: Vec<Expr> = patterns
                    .map(|pattern| self.fits(pattern, &subject.ty, &scalars, &mut values))
                    .collect();
                Some(Expr::or(fits))
            })
            .collect();
        let none = Expr::or(fits.iter().flatten().cloned()).not();
        for ((case, body), fits) in cases.iter().zip(bodies).zip(fits) {
            let guard = Expr::and([ok.clone(), fits.unwrap_or_else(|| none.clone())]);
            if guard.is_no() {
                continue;
            }
            let written = case.patterns.is_some().then_some(case.span);
            let edge = Edge {
                guard,
                events: vec![Event::Switched(subject.span, written)],
                ..Edge::new(span)
            };
            self.nodes.connect(from, body, edge);
        }
        from
    }

    /// `choice`: entering a block is a step, whatever it does then.
    pub(super) fn choice(
        &mut self,
        blocks: &[Vec<Stmt>],
        fair: bool,
        span: Span,
        next: Node,
    ) -> Node {
        let begins: Vec<Node> = blocks.iter().map(|block| self.block(block, next)).collect();
        let from = self.nodes.add(LocationKind::Statement, span);
        for (i, begin) in begins.into_iter().enumerate() {
            let events = vec![Event::Chose(i as u32)];
            let since = self.nodes.edges();
            self.nodes.connect(
                from,
                begin,
                Edge {
                    events,
                    ..Edge::new(span)
                },
            );
            if fair {
                self.fair_case("choice", since, from, span);
            }
        }
        from
    }

    /// Adds the edges to *failed* of checks that are made under a guard before anything else, and returns
    /// the condition that all of them hold.
    pub(super) fn fail_unless(
        &mut self,
        from: Node,
        guard: Expr,
        checks: &[(crate::system::Check, Expr)],
        span: Span,
    ) -> Expr {
        let mut so_far = guard;
        for (check, ok) in checks {
            let guard = Expr::and([so_far.clone(), ok.clone().not()]);
            let events = vec![Event::Failed(*check)];
            self.nodes.connect(
                from,
                self.failed,
                Edge {
                    guard,
                    events,
                    ..Edge::new(span)
                },
            );
            so_far = Expr::and([so_far, ok.clone()]);
        }
        Expr::and(checks.iter().map(|(_, ok)| ok.clone()))
    }
}

impl Edge {
    /// An ordinary step that changes nothing.
    pub fn new(span: Span) -> Edge {
        Edge {
            guard: Expr::yes(),
            picks: Vec::new(),
            updates: Vec::new(),
            checks: Vec::new(),
            kind: EdgeKind::Normal,
            events: Vec::new(),
            exit: None,
            checked: false,
            span,
        }
    }
}
