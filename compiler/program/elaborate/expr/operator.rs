//! Operators: what they take, the range of what they yield, and their value if everything is constant.

use super::{Expressions, Site};

use crate::program::problem::TypeProblem;
use crate::program::range::{self, Interval};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{BinaryOp, UnaryOp};

impl<'a> Expressions<'_, 'a> {
    /// `!e`, `-e`
    pub fn unary(&mut self, span: Span, op: UnaryOp, operand: &'a ast::Expr) -> Option<Expr> {
        match op {
            UnaryOp::Not if self.context.opposites => self.opposite(span, operand),
            UnaryOp::Not => {
                let operand = self.operand(operand, "!", &Type::Bool)?;
                if let Some(Value::Bool(value)) = operand.as_const() {
                    return Some(Expr::constant(Value::Bool(!value), span));
                }
                Some(Expr {
                    kind: ExprKind::Unary(op, Box::new(operand)),
                    ty: Type::Bool,
                    span,
                })
            }
            UnaryOp::Neg => {
                if matches!(operand.kind, ast::ExprKind::Int(_)) {
                    return self.negative_literal(operand, span);
                }
                let outer = self.enter(self.context.timeless());
                let operand = self.operand(operand, "-", &ANY_INT);
                self.context = outer;
                let operand = operand?;
                let range = operand.ty.range()?.negate();
                self.computable(range, span)?;
                if let Some(value) = operand.as_int() {
                    return Some(Expr::constant(Value::Int(-value), span));
                }
                Some(Expr {
                    kind: ExprKind::Unary(op, Box::new(operand)),
                    ty: Type::int(range),
                    span,
                })
            }
        }
    }

    /// `!e` of a truth value or of a `bit`.
    fn opposite(&mut self, span: Span, operand: &'a ast::Expr) -> Option<Expr> {
        let checked = self.expr(operand, Some(&Type::Bool))?;
        let bit = |range: Interval| range.lo >= 0 && range.hi <= 1;
        match (&checked.ty, checked.as_const()) {
            (Type::Bool, Some(Value::Bool(value))) => {
                Some(Expr::constant(Value::Bool(!value), span))
            }
            (Type::Bool, _) => Some(Expr {
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(checked)),
                ty: Type::Bool,
                span,
            }),
            (_, Some(Value::Int(value))) if checked.ty.range().is_some_and(bit) => {
                Some(Expr::constant(Value::Int(1 - value), span))
            }
            (ty, _) if ty.range().is_some_and(bit) => {
                let one = Expr::constant(Value::Int(1), span);
                Some(Expr {
                    kind: ExprKind::Binary(BinaryOp::Sub, Box::new(one), Box::new(checked)),
                    ty: Type::Int { lo: 0, hi: 1 },
                    span,
                })
            }
            (ty, _) => {
                self.log.report(TypeProblem::Mismatch {
                    wanted: "a `bool` or a `bit`".to_owned(),
                    found: self.decls.describe(ty),
                    span: operand.span,
                    because: None,
                    hint: None,
                });
                None
            }
        }
    }

    /// `a op b`
    pub fn binary(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        match op {
            BinaryOp::And | BinaryOp::Or => self.short_circuit(span, op, left, right),
            BinaryOp::Iff | BinaryOp::Implies => {
                if !matches!(self.context.site, Site::Spec(_)) {
                    self.log.misplaced(
                        format!("`{}` is for specifications", op.as_str()),
                        span,
                        Some(match op {
                            BinaryOp::Iff => "write `a == b`",
                            _ => "write `!a || b`",
                        }),
                    );
                    return None;
                }
                self.connective(span, op, left, right)
            }
            BinaryOp::Until | BinaryOp::Releases | BinaryOp::Since | BinaryOp::Triggered => {
                self.temporal_infix(span, op, left, right)
            }
            BinaryOp::Eq | BinaryOp::Ne => self.equality(span, op, left, right),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (a, b) = self.integers(op, left, right)?;
                if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
                    let known = range::compare(op, Interval::point(x), Interval::point(y));
                    return Some(Expr::constant(Value::Bool(known?), span));
                }
                Some(infix(op, a, b, Type::Bool, span))
            }
            _ => self.arithmetic(span, op, left, right),
        }
    }

    /// An operand whose type the operator decides.
    pub fn operand(&mut self, operand: &'a ast::Expr, op: &'static str, ty: &Type) -> Option<Expr> {
        let checked = self.expr(operand, Some(ty))?;
        self.operand_type(&checked, operand, op, ty)?;
        Some(checked)
    }

    pub fn operand_type(
        &mut self,
        checked: &Expr,
        operand: &ast::Expr,
        op: &'static str,
        ty: &Type,
    ) -> Option<()> {
        if checked.ty.same_shape(ty) {
            return Some(());
        }
        let wanted = match ty {
            Type::Bool => "truth values",
            _ => "integers",
        };
        let hint = match (op, &checked.ty) {
            ("!" | "&&" | "||", Type::Int { .. }) => Some("compare it: `x != 0`".to_owned()),
            ("&" | "|", Type::Bool) => Some(format!("write `{op}{op}`")),
            ("<" | "<=" | ">" | ">=", Type::Data(_)) => {
                Some("use `==` and `!=`: only integers are ordered".to_owned())
            }
            _ => None,
        };
        self.log.report(TypeProblem::Operand {
            op,
            wanted,
            found: self.decls.describe(&checked.ty),
            span: operand.span,
            hint,
        });
        None
    }
}

/// Any integer: stands for "integer" where only the shape of a type matters.
pub const ANY_INT: Type = Type::Int {
    lo: range::LEAST,
    hi: range::GREATEST,
};

pub fn infix(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        ty,
        span,
    }
}
