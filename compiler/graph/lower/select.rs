//! `select`: one of the cases that can go, and then its block.

use super::value::Values;
use super::{Lowerer, Node, Outcome};
use crate::graph::{Edge, Expr, FairCase};
use crate::program::{Case, CaseKind};
use crate::source::Span;
use crate::system::EdgeKind;
use crate::system::event::{Declined, Event};
use crate::vocabulary::FairId;

impl Lowerer<'_> {
    pub(super) fn select(&mut self, cases: &[Case], fair: bool, span: Span, next: Node) -> Node {
        let bodies: Vec<Node> = cases
            .iter()
            .map(|case| self.block(&case.body, next))
            .collect();
        let from = self.begin(span);
        let first_edge = self.nodes.edges();
        let mut possible = Vec::new();
        for (case, body) in cases.iter().zip(&bodies) {
            let since = self.nodes.edges();
            match &case.kind {
                CaseKind::Message(_) => possible.push(self.case(case, from, *body)),
                CaseKind::If => possible.push(self.condition_case(case, from, *body)),
                CaseKind::Timeout | CaseKind::Default | CaseKind::After(_) => continue,
            }
            if fair {
                self.fair_case("select", since, from, case.span);
            }
        }
        let possible = Expr::or(possible);
        let deadlines = self.deadlines(cases, from, span);
        // What comes at a deadline is late.
        let in_time = Expr::and(deadlines.iter().map(|deadline| deadline.over.clone().not()));
        self.nodes.restrict(first_edge, from, &in_time);
        let mut deadlines = deadlines.into_iter();
        for (case, body) in cases.iter().zip(&bodies) {
            let (guard, kind, event) = match &case.kind {
                CaseKind::Message(_) | CaseKind::If => continue,
                CaseKind::After(_) => {
                    let deadline = deadlines.next().expect("each has its own");
                    (
                        deadline.over,
                        EdgeKind::Timeout,
                        Event::Expired(deadline.what),
                    )
                }
                CaseKind::Timeout => (
                    self.case_condition(case, from).0,
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
                events: match event {
                    Event::Expired(_) => vec![Event::TimedOut(Expr::no()), event],
                    event => vec![event],
                },
                ..Edge::new(case.span)
            };
            let since = self.nodes.edges();
            self.nodes.connect(from, *body, edge);
            if fair {
                self.fair_case("select", since, from, case.span);
            }
        }
        from
    }

    /// When the condition of a case lets it go, and when one of its checks fails, which leads to *failed*.
    fn case_condition(&mut self, case: &Case, from: Node) -> (Expr, Expr) {
        let Some(condition) = &case.condition else {
            return (Expr::yes(), Expr::no());
        };
        let mut values = Values::default();
        let condition = self.eval(&mut values).scalar(condition);
        let ok = self.fail_unless(from, Expr::yes(), &values.checks, case.span);
        (Expr::and([ok.clone(), condition]), ok.not())
    }

    /// `case if e`: there is nothing else to wait for. Returns whether it can go.
    fn condition_case(&mut self, case: &Case, from: Node, body: Node) -> Expr {
        let (guard, failing) = self.case_condition(case, from);
        let written = case.condition.as_ref().map_or(case.span, |e| e.span);
        if !guard.is_no() {
            let edge = Edge {
                guard: guard.clone(),
                events: vec![Event::Decided(true, written)],
                ..Edge::new(case.span)
            };
            self.nodes.connect(from, body, edge);
        }
        Expr::or([failing, guard])
    }

    /// Makes one fair choice of the edges that were added since there were some and that begin at a location.
    pub(super) fn fair_case(&mut self, of: &'static str, since: usize, from: Node, span: Span) {
        let id = FairId(self.fair.len() as u32);
        self.nodes.tell(since, from, &Event::Granted(id));
        self.fair.push(FairCase {
            process: self.process,
            of,
            span,
        });
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
