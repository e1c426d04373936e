//! `switch` in pure functions: it becomes an `if` for each case.

use crate::program::elaborate::expr::{Covered, Expressions, fits};
use crate::program::elaborate::scope::Fixed;
use crate::program::problem::{DataProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Pattern, PureStmt, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::BinaryOp;

use super::ends;

/// A case: what it is for (`None` for `default`), and what is done.
struct Arm {
    patterns: Option<Vec<Pattern>>,
    body: Vec<PureStmt>,
}

impl<'a> Expressions<'_, 'a> {
    /// `switch m { .. }`
    pub(super) fn pure_switch(
        &mut self,
        written: &'a ast::Expr,
        cases: &'a [ast::SwitchCase],
        span: Span,
        result: Option<&Type>,
        out: &mut Vec<PureStmt>,
    ) -> Option<()> {
        let mut subject = self.expr(written, None)?;
        if matches!(subject.ty, Type::Array(..) | Type::Record(_)) {
            self.log.report(TypeProblem::Mismatch {
                wanted: "a value of a `data` type, a `bool` or an integer".into(),
                found: self.decls.describe(&subject.ty),
                span: written.span,
                because: None,
                hint: None,
            });
            return None;
        }
        let known = subject.as_const().cloned();
        if known
            .as_ref()
            .is_some_and(|value| matches!(value, Value::Int(_)))
        {
            // A parameter may be a constant in this call, but cases are for all its values.
            subject.ty = super::super::ANY_INT;
        } else if known.is_none() && Fixed::of(&subject, written.span).is_none() {
            subject = self.pure_copy(subject, out);
        }
        let mut covered = Covered::default();
        let mut arms = Vec::with_capacity(cases.len());
        let mut sound = true;
        let before = self.log.local_types.clone();
        let mut after = None;
        for case in cases {
            self.log.local_types.clone_from(&before);
            let arm = self.pure_case(&subject, written, case, &mut covered, result);
            let Some(arm) = arm else {
                sound = false;
                continue;
            };
            let never = match (&known, &arm.patterns) {
                (Some(value), Some(patterns)) => !patterns.iter().any(|p| fits(p, value)),
                _ => false,
            };
            if never {
                continue;
            }
            if !ends(&arm.body) {
                let types = std::mem::take(&mut self.log.local_types);
                after = Some(match after.take() {
                    None => types,
                    Some(mut joined) => {
                        join(&mut joined, &types);
                        joined
                    }
                });
            }
            arms.push(arm);
        }
        self.log.local_types = after.unwrap_or(before);
        if let Some(value) = &known {
            subject.ty = value.type_of();
        }
        if sound && covered.default.is_none() {
            let missing = covered.missing(&subject.ty, &self.decls.data);
            if !missing.is_empty() {
                let head = Span {
                    end: written.span.end,
                    ..span
                };
                self.log.report(DataProblem::NotCovered {
                    missing,
                    span: head,
                });
                return None;
            }
        }
        if !sound {
            return None;
        }
        // What is left if no other fits is `default`, or the last case.
        let default = arms.iter().position(|arm| arm.patterns.is_none());
        let rest = match (default, &known) {
            (Some(_), Some(_)) if arms.len() > 1 => {
                arms.retain(|arm| arm.patterns.is_some());
                arms.pop()
            }
            (Some(default), _) => Some(arms.remove(default)),
            (None, _) => arms.pop(),
        };
        let mut otherwise = rest.map_or(Vec::new(), |arm| arm.body);
        for arm in arms.into_iter().rev() {
            let patterns = arm.patterns.unwrap_or_default();
            otherwise = vec![PureStmt::If {
                condition: condition(&subject, &patterns),
                then: arm.body,
                otherwise,
            }];
        }
        out.extend(otherwise);
        Some(())
    }

    fn pure_case(
        &mut self,
        subject: &Expr,
        written: &'a ast::Expr,
        case: &'a ast::SwitchCase,
        covered: &mut Covered,
        result: Option<&Type>,
    ) -> Option<Arm> {
        let mut body = Vec::new();
        let Some(values) = &case.values else {
            let head = Span {
                end: case.body.span.start,
                ..case.span
            };
            if let Some(first) = covered.default.replace(head) {
                self.log.report(DataProblem::CoveredTwice {
                    value: "default".to_owned(),
                    span: head,
                    first,
                });
            }
            let sound = self.pure_block(&case.body, result, &mut body);
            return sound.then_some(Arm {
                patterns: None,
                body,
            });
        };
        self.scope.enter();
        let fixed = self.scope.fixed.len();
        let patterns = self.case_patterns(subject, written, values, covered);
        let never = match (subject.as_const(), &patterns) {
            (Some(value), Some(patterns)) => !patterns.iter().any(|p| fits(p, value)),
            _ => false,
        };
        self.log.dead += u32::from(never);
        let sound = self.pure_block(&case.body, result, &mut body);
        self.log.dead -= u32::from(never);
        self.scope.fixed.truncate(fixed);
        self.scope.leave();
        let patterns = Some(patterns?);
        sound.then_some(Arm { patterns, body })
    }
}

fn join(
    types: &mut rustc_hash::FxHashMap<crate::program::LocalId, Type>,
    others: &rustc_hash::FxHashMap<crate::program::LocalId, Type>,
) {
    for (local, ty) in types {
        if let Some(other) = others.get(local) {
            *ty = ty.join(other);
        }
    }
}

/// Whether a value fits one of the patterns of a case.
fn condition(subject: &Expr, patterns: &[Pattern]) -> Expr {
    let one = |pattern: &Pattern| match pattern {
        Pattern::Equal(value) => truth(
            ExprKind::Binary(BinaryOp::Eq, boxed(subject), boxed(value)),
            subject.span,
        ),
        Pattern::Between(lo, hi) => {
            let bound = |value: i64| boxed(&Expr::constant(Value::Int(value), subject.span));
            let ends = [(BinaryOp::Ge, *lo), (BinaryOp::Le, *hi)];
            let [low, high] = ends.map(|(op, value)| {
                truth(
                    ExprKind::Binary(op, boxed(subject), bound(value)),
                    subject.span,
                )
            });
            truth(
                ExprKind::Binary(BinaryOp::And, Box::new(low), Box::new(high)),
                subject.span,
            )
        }
        Pattern::Constructor(index, _) => truth(ExprKind::Is(boxed(subject), *index), subject.span),
        Pattern::Either(all) => condition(subject, all),
        Pattern::Any | Pattern::Into(_) => Expr::constant(Value::Bool(true), subject.span),
    };
    let all = patterns.iter().map(one);
    let either = |a: Expr, b: Expr| {
        let span = a.span;
        truth(
            ExprKind::Binary(BinaryOp::Or, Box::new(a), Box::new(b)),
            span,
        )
    };
    all.reduce(either)
        .unwrap_or_else(|| Expr::constant(Value::Bool(false), subject.span))
}

fn boxed(expr: &Expr) -> Box<Expr> {
    Box::new(expr.clone())
}

fn truth(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        ty: Type::Bool,
        span,
    }
}
