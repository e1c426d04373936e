//! Infix operators, and the bodies of pure functions.

use super::{Verify, require};
use crate::program::range;
use crate::program::{Expr, PureStmt, Type};
use crate::vocabulary::BinaryOp;

impl Verify<'_> {
    pub(super) fn binary(
        &self,
        expr: &Expr,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        messages: bool,
    ) -> Result<(), String> {
        self.expr(a, messages)?;
        self.expr(b, messages && !matches!(op, BinaryOp::And | BinaryOp::Or))?;
        let bools = a.ty == Type::Bool && b.ty == Type::Bool && expr.ty == Type::Bool;
        let ranges = a.ty.range().zip(b.ty.range());
        match op {
            BinaryOp::And | BinaryOp::Or => require(bools, "connectives join truth values"),
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Until
            | BinaryOp::Releases
            | BinaryOp::Since
            | BinaryOp::Triggered => require(
                bools && self.process.is_none(),
                "formulas are bool and stand in properties",
            ),
            BinaryOp::Eq | BinaryOp::Ne => require(
                a.ty.same_shape(&b.ty) && expr.ty == Type::Bool,
                "what is compared is alike",
            ),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => require(
                ranges.is_some() && expr.ty == Type::Bool,
                "integers are ordered",
            ),
            _ => match (ranges, expr.ty.range()) {
                (Some((a, b)), Some(range)) => require(
                    range::binary(op, a, b).within(range),
                    "a range covers its values",
                ),
                _ => Err("arithmetic of something else".into()),
            },
        }
    }

    /// The body of a pure function, which returns a value of a type.
    pub(super) fn pure(&self, stmts: &[PureStmt], ty: &Type) -> Result<(), String> {
        stmts.iter().try_for_each(|stmt| match stmt {
            PureStmt::Assign { indices, value, .. } => {
                indices.iter().try_for_each(|index| self.integer(index))?;
                self.expr(value, false)
            }
            PureStmt::If {
                condition,
                then,
                otherwise,
            } => {
                require(condition.ty == Type::Bool, "conditions are truth values")?;
                self.expr(condition, false)?;
                self.pure(then, ty)?;
                self.pure(otherwise, ty)
            }
            PureStmt::Return(value) => {
                require(value.ty.same_shape(ty), "a function returns its type")?;
                self.expr(value, false)
            }
        })
    }
}
