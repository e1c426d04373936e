//! `switch` as a statement of a process. What its cases are for is found out with expressions, as in pure functions.

use super::Statements;
use crate::program::elaborate::expr::{ANY_INT, Covered, fits};
use crate::program::problem::{DataProblem, TypeProblem};
use crate::program::{Expr, ExprKind, StmtKind, SwitchCase, Type};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Statements<'_, 'a> {
    /// `switch m { .. }`
    pub fn switch(
        &mut self,
        subject: &'a ast::Expr,
        cases: &'a [ast::SwitchCase],
        span: Span,
    ) -> Option<StmtKind> {
        let mut checked = self
            .exprs_without_messages("the value of a `switch`")
            .expr(subject, None);
        // A parameter is a constant of its instance, but cases are for all its values; how large a timer is, is known at the end.
        let own = checked.as_ref().map(|checked| checked.ty.clone());
        if let Some(checked) = &mut checked
            && (checked.as_int().is_some() || self.reads_timer(checked))
        {
            checked.ty = ANY_INT;
        }
        let checked = checked.filter(|checked| {
            let fits = !matches!(checked.ty, Type::Array(..) | Type::Record(_));
            if !fits {
                self.log.report(TypeProblem::Mismatch {
                    wanted: "a value of a `data` type, a `bool` or an integer".into(),
                    found: self.decls.describe(&checked.ty),
                    span: subject.span,
                    because: None,
                    hint: None,
                });
            }
            fits
        });
        let mut covered = Covered::default();
        let mut arms = Vec::with_capacity(cases.len());
        let mut sound = checked.is_some();
        self.switches.push(self.loops.len());
        for case in cases {
            match self.switch_case(checked.as_ref(), subject, case, &mut covered) {
                Some(arm) => arms.push(arm),
                None => sound = false,
            }
        }
        self.switches.pop();
        let mut checked = checked?;
        let is_timer = self.reads_timer(&checked);
        if let Some(value) = checked.as_const() {
            checked.ty = value.type_of();
        }
        if sound && covered.default.is_none() {
            let missing = covered.missing(&checked.ty, &self.decls.data);
            if !missing.is_empty() {
                let head = Span {
                    end: subject.span.end,
                    ..span
                };
                self.log.report(DataProblem::NotCovered {
                    missing,
                    span: head,
                });
                return None;
            }
        }
        if let (true, Some(own)) = (is_timer, own) {
            checked.ty = own;
        }
        sound.then_some(StmtKind::Switch {
            subject: checked,
            cases: arms,
        })
    }

    /// Whether a timer is in it.
    fn reads_timer(&self, e: &Expr) -> bool {
        let mut found = false;
        e.visit(&mut |part| {
            if let ExprKind::Variable(id) = part.kind {
                found |= e.ty.range().is_some() && self.variables.get(id).timer;
            }
        });
        found
    }

    fn switch_case(
        &mut self,
        subject: Option<&Expr>,
        written: &'a ast::Expr,
        case: &'a ast::SwitchCase,
        covered: &mut Covered,
    ) -> Option<SwitchCase> {
        let head = Span {
            end: case.body.span.start,
            ..case.span
        };
        let Some(values) = &case.values else {
            if let Some(first) = covered.default.replace(head) {
                self.log.report(DataProblem::CoveredTwice {
                    value: "default".to_owned(),
                    span: head,
                    first,
                });
            }
            let body = self.block(&case.body);
            return Some(SwitchCase {
                patterns: None,
                body,
                span: head,
            });
        };
        self.scope.enter();
        let fixed = self.scope.fixed.len();
        let patterns = subject.and_then(|subject| {
            self.exprs()
                .case_patterns(subject, written, values, covered)
        });
        let known = subject.and_then(Expr::as_const);
        let never = match (known, &patterns) {
            (Some(value), Some(patterns)) => !patterns.iter().any(|p| fits(p, value)),
            _ => false,
        };
        let body = self.possibly_dead(never, |stmts| stmts.block(&case.body));
        self.scope.fixed.truncate(fixed);
        self.scope.leave();
        let span = match values.as_slice() {
            [] => head,
            [first, ..] => first.span.to(values[values.len() - 1].span),
        };
        Some(SwitchCase {
            patterns: Some(patterns?),
            body,
            span,
        })
    }
}
