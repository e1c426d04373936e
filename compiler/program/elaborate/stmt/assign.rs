//! Assignments.

use super::Statements;
use crate::program::elaborate::message::overlaps;
use crate::program::problem::{ProcessProblem, TypeProblem};
use crate::program::{ExprKind, Pattern, Place, Rhs, StmtKind, Type};
use crate::source::Span;
use crate::syntax::{ast, print};
use crate::vocabulary::BinaryOp;

impl<'a> Statements<'_, 'a> {
    pub fn assignment(
        &mut self,
        span: Span,
        target: &'a ast::Expr,
        op: Option<BinaryOp>,
        value: &'a ast::Expr,
    ) -> Option<StmtKind> {
        let place = self.exprs().target(target);
        let Some(place) = place else {
            if !matches!(value.kind, ast::ExprKind::Any(_)) {
                self.exprs().expr(value, None);
            }
            return None;
        };
        let variable = self.variables.get(place.variable);
        let (timer, declared) = (variable.timer, variable.span);
        if timer && self.any_timer(value, declared) {
            return None;
        }
        if op.is_none()
            && let Some((_, arguments, unit, func)) = self.called_with_steps(value)
        {
            return self.call(value.span, arguments, unit, func, Some(place));
        }
        let because = (
            target.span,
            format!("this is {}", self.decls.describe(&place.ty)),
        );
        let value = match op {
            None if self.exprs().received_value(&print::expr(target), value) => {
                return None;
            }
            None => self.exprs().right_side(value, &place.ty, because)?,
            Some(op) => {
                if place.ty.range().is_none() {
                    self.exprs().expr(value, None);
                    self.log.report(TypeProblem::Operand {
                        op: op.as_str(),
                        wanted: "integers",
                        found: self.decls.describe(&place.ty),
                        span: target.span,
                        hint: None,
                    });
                    return None;
                }
                let right = self.exprs().integer(value, "an integer")?;
                let left = self.exprs().value_of(&place);
                Rhs::Expr(self.exprs().arithmetic_of(span, op, left, right)?)
            }
        };
        match &value {
            Rhs::Expr(expr) => {
                self.exprs()
                    .note_store(&place.ty, &expr.ty, expr.span, "the variable");
                if let ExprKind::Message(message) = &expr.kind
                    && let Some(twice) = message
                        .targets
                        .iter()
                        .flat_map(Pattern::places)
                        .find(|other| overlaps(other, &place))
                {
                    self.exprs()
                        .target_twice(place.variable, twice.span, place.span);
                    return None;
                }
            }
            Rhs::AnyRange(lo, hi) => {
                let set = Type::Int { lo: *lo, hi: *hi };
                self.exprs()
                    .note_store(&place.ty, &set, span, "the variable");
            }
            Rhs::Any | Rhs::AnyOf(_) => {}
        }
        Some(StmtKind::Assign {
            target: place,
            value,
        })
    }

    /// `a, b = b, a`
    pub fn assign_all(
        &mut self,
        span: Span,
        targets: &'a [ast::Expr],
        op: Option<BinaryOp>,
        values: &'a [ast::Expr],
    ) -> Option<StmtKind> {
        const PLACE: &str = "an assignment of several values";
        let mut places: Vec<Option<Place>> = Vec::with_capacity(targets.len());
        for target in targets {
            places.push(self.exprs_without_messages(PLACE).target(target));
        }
        let mut checked = Vec::with_capacity(values.len());
        for (i, value) in values.iter().enumerate() {
            let place = places.get(i).and_then(Option::as_ref);
            let Some(place) = place else {
                self.exprs_without_messages(PLACE).expr(value, None);
                continue;
            };
            let because = (
                targets[i].span,
                format!("this is {}", self.decls.describe(&place.ty)),
            );
            let ty = place.ty.clone();
            let value = self
                .exprs_without_messages(PLACE)
                .expr_of(value, &ty, Some(because));
            if let Some(value) = &value {
                self.exprs()
                    .note_store(&ty, &value.ty, value.span, "the variable");
            }
            checked.extend(value);
        }
        if let Some(op) = op {
            self.log.report(ProcessProblem::AssignAllOperator {
                op: op.as_str(),
                span,
            });
            return None;
        }
        if targets.len() != values.len() {
            self.log.report(ProcessProblem::AssignCount {
                targets: targets.len(),
                values: values.len(),
                span,
            });
            return None;
        }
        let places: Vec<Place> = places.into_iter().collect::<Option<_>>()?;
        for (i, place) in places.iter().enumerate() {
            if let Some(first) = places[..i].iter().find(|other| overlaps(other, place)) {
                let (span, first) = (place.span, first.span);
                self.exprs().target_twice(place.variable, span, first);
                return None;
            }
        }
        (checked.len() == places.len()).then_some(StmtKind::AssignAll {
            targets: places,
            values: checked,
        })
    }
}
