//! Operators that yield truth values of truth values, and equality.

use super::operator::infix;
use super::{Context, Expressions, Messages, Site};
use crate::program::problem::TypeProblem;
use crate::program::{Expr, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::BinaryOp;

impl<'a> Expressions<'_, 'a> {
    pub fn connective(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let a = self.operand(left, op.as_str(), &Type::Bool);
        let decided = op == BinaryOp::Implies
            && matches!(
                a.as_ref().and_then(Expr::as_const),
                Some(Value::Bool(false))
            );
        self.log.dead += u32::from(decided);
        let b = self.operand(right, op.as_str(), &Type::Bool);
        self.log.dead -= u32::from(decided);
        if decided {
            // Nothing need follow from what is never true: `i < n - 1 -> w[i + 1].x`.
            return Some(Expr::constant(Value::Bool(true), span));
        }
        let (a, b) = (a?, b?);
        if let (Some(Value::Bool(x)), Some(Value::Bool(y))) = (a.as_const(), b.as_const()) {
            let value = match op {
                BinaryOp::And => *x && *y,
                BinaryOp::Or => *x || *y,
                BinaryOp::Implies => !*x || *y,
                _ => x == y,
            };
            return Some(Expr::constant(Value::Bool(value), span));
        }
        Some(infix(op, a, b, Type::Bool, span))
    }

    pub fn short_circuit(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        // Chains lean to the left; following them in a loop keeps long ones off the stack.
        let mut chain = vec![(span, right)];
        let mut first = left;
        while let ast::ExprKind::Binary(inner, a, b) = &first.kind {
            if *inner != op {
                break;
            }
            chain.push((first.span, b));
            first = a;
        }
        let mut result = self.operand(first, op.as_str(), &Type::Bool);
        for (span, right) in chain.into_iter().rev() {
            let decided = match result.as_ref().and_then(|e| e.as_const()) {
                Some(Value::Bool(value)) => *value == (op == BinaryOp::Or),
                _ => false,
            };
            let outer = self.context;
            if outer.site == Site::Process && outer.messages == Messages::Allowed {
                self.context.messages = Messages::RightOf(op);
            }
            self.log.dead += u32::from(decided);
            let b = self.operand(right, op.as_str(), &Type::Bool);
            self.log.dead -= u32::from(decided);
            self.context = outer;
            result = match (result, b) {
                (Some(a), Some(b)) => Some(match (a.as_const(), b.as_const()) {
                    (Some(Value::Bool(x)), Some(Value::Bool(y))) => {
                        let value = if op == BinaryOp::And {
                            *x && *y
                        } else {
                            *x || *y
                        };
                        Expr::constant(Value::Bool(value), span)
                    }
                    _ => infix(op, a, b, Type::Bool, span),
                }),
                // What a constant makes superfluous need not have a value: `n == 0 || 6 / n > 1`.
                (Some(a), None) if decided => Some(a),
                _ => None,
            };
        }
        result
    }

    pub fn equality(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let outer = self.enter(Context {
            comparing: true,
            ..self.context.timeless()
        });
        let right_type = self.probe(right);
        let a = self.expr(left, right_type.as_ref());
        let b = self.expr(right, a.as_ref().map(|a| &a.ty));
        self.context = outer;
        let (a, b) = (a?, b?);
        if !a.ty.same_shape(&b.ty) {
            self.log.report(TypeProblem::Comparison {
                op: op.as_str(),
                left: self.decls.describe(&a.ty),
                right: self.decls.describe(&b.ty),
                span,
                left_span: left.span,
                right_span: right.span,
            });
            return None;
        }
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            let value = (x == y) == (op == BinaryOp::Eq);
            return Some(Expr::constant(Value::Bool(value), span));
        }
        if let Some(data) = a.ty.scalar().data()
            && a.as_const().is_none()
            && b.as_const().is_none()
        {
            self.log.uses.opaque.insert(data);
        }
        Some(infix(op, a, b, Type::Bool, span))
    }
}
