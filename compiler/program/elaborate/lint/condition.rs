//! Conditions that are always the same.

use crate::program::elaborate::declare::names_in;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::lint::uses::Question;
use crate::program::elaborate::scope::Binding;
use crate::program::problem::Lint;
use crate::program::range::{self};
use crate::program::{Expr, ExprKind, Value};
use crate::syntax::ast;
use crate::vocabulary::{BinaryOp, UnaryOp};

impl<'a> Expressions<'_, 'a> {
    /// Asks whether a condition is always the same, unless a constant makes it so on purpose.
    pub fn note_condition(&mut self, written: &'a ast::Expr, condition: &Expr) {
        let written = unparenthesised(written);
        let value = decide(condition);
        let literal = matches!(written.kind, ast::ExprKind::Bool(_));
        let answer = match value {
            Some(value) if !literal && !self.mentions_constant(written) => {
                Some(Lint::ConstantCondition {
                    value,
                    span: written.span,
                })
            }
            _ => None,
        };
        self.log.agree(
            written.span,
            Question::Condition,
            answer.map(|lint| lint.into()),
        );
    }

    fn mentions_constant(&self, expr: &'a ast::Expr) -> bool {
        let mut found = false;
        names_in(expr, &mut |name, _| {
            found = found
                || self
                    .find(name)
                    .is_some_and(|local| matches!(local.binding, Binding::Value(_)));
        });
        found
    }
}

/// What a truth value must be, if ranges tell.
pub fn decide(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Const(Value::Bool(value)) => Some(*value),
        ExprKind::Unary(UnaryOp::Not, e) => decide(e).map(|value| !value),
        ExprKind::Binary(BinaryOp::And, a, b) => match (decide(a), decide(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => match (decide(a), decide(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Binary(
            op @ (BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge),
            a,
            b,
        ) => range::compare(*op, a.ty.range()?, b.ty.range()?),
        _ => None,
    }
}
