//! Assignments.

use super::Statements;
use crate::program::elaborate::message::overlaps;
use crate::program::problem::TypeProblem;
use crate::program::{ExprKind, Rhs, StmtKind, Type};
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
                        .flatten()
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
}
