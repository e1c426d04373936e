//! Arithmetic: ranges, run-time checks, and tables for bit operators.

use super::operator::{ANY_INT, infix};
use super::{Expressions, Site, show_range};
use crate::program::elaborate::lint::uses::Question;
use crate::program::problem::{Lint, PropertyProblem, SizeProblem, TypeProblem};
use crate::program::range::{self, Interval, MAX_SHIFT};
use crate::program::{Expr, Type, Value, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::BinaryOp;

impl<'a> Expressions<'_, 'a> {
    pub fn integers(
        &mut self,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<(Expr, Expr)> {
        let outer = self.enter(self.context.timeless());
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        self.context = outer;
        let (a, b) = (a?, b?);
        // One complaint is enough: the other operand is probably wrong for the same reason.
        self.operand_type(&a, left, op.as_str(), &ANY_INT)?;
        self.operand_type(&b, right, op.as_str(), &ANY_INT)?;
        Some((a, b))
    }

    pub fn arithmetic(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let (a, b) = self.integers(op, left, right)?;
        self.arithmetic_of(span, op, a, b)
    }

    /// `a op b` of two integers, also for `a op= b`.
    pub fn arithmetic_of(&mut self, span: Span, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        let (x, y) = (a.ty.range()?, b.ty.range()?);
        self.is_defined(op, y, &b)?;
        let range = range::binary(op, x, y);
        self.computable(range, span)?;
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int())
            && let Ok(value) = range::apply(op, x, y)
        {
            return Some(Expr::constant(Value::Int(value), span));
        }
        self.table_fits(op, x, y, span)?;
        Some(infix(op, a, b, Type::int(range), span))
    }

    /// Division by zero and shift counts: errors in specifications and constants, run-time checks in
    /// processes.
    fn is_defined(&mut self, op: BinaryOp, right: Interval, divisor: &Expr) -> Option<()> {
        let (legal, why) = match op {
            BinaryOp::Div | BinaryOp::Rem => (right != Interval::point(0), "division by zero"),
            BinaryOp::Shl | BinaryOp::Shr => (
                right.lo <= MAX_SHIFT && right.hi >= 0,
                "the shift count is outside 0..31",
            ),
            _ => return Some(()),
        };
        let division = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        match self.context.site {
            Site::Spec(_) if division => match divisor.as_int() {
                Some(value) if value != 0 => Some(()),
                known => {
                    self.log.report(PropertyProblem::Divisor {
                        zero: known.is_some(),
                        span: divisor.span,
                    });
                    None
                }
            },
            Site::Spec(_) => {
                if right.lo >= 0 && right.hi <= MAX_SHIFT {
                    return Some(());
                }
                self.log.report(PropertyProblem::Shift {
                    lo: right.lo,
                    hi: right.hi,
                    span: divisor.span,
                });
                None
            }
            Site::Constant if !legal => {
                self.log.report_value(TypeProblem::Undefined {
                    why,
                    span: divisor.span,
                });
                None
            }
            Site::Process => {
                let failure = (!legal).then(|| {
                    let why = if division {
                        "division by zero".to_owned()
                    } else {
                        format!("the shift count is {}, outside 0..31", show_range(right))
                    };
                    Lint::AlwaysFails {
                        why,
                        span: divisor.span,
                    }
                    .into()
                });
                self.log.agree(divisor.span, Question::Failure, failure);
                Some(())
            }
            Site::Constant => Some(()),
        }
    }

    pub fn computable(&mut self, range: Interval, span: Span) -> Option<()> {
        if range.is_computable() {
            return Some(());
        }
        if !self.log.sampling {
            self.log.report(TypeProblem::Overflow {
                lo: range.lo,
                hi: range.hi,
                span,
            });
        }
        None
    }

    /// Bit operators become tables, which must not be too large.
    fn table_fits(&mut self, op: BinaryOp, a: Interval, b: Interval, span: Span) -> Option<()> {
        let counts = match op {
            BinaryOp::Shl | BinaryOp::Shr => b
                .meet(Interval {
                    lo: 0,
                    hi: MAX_SHIFT,
                })
                .map_or(1, Interval::size),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => b.size(),
            _ => return Some(()),
        };
        let entries = a.size().saturating_mul(counts);
        if entries <= limits::TABLE {
            return Some(());
        }
        if !self.log.sampling {
            self.log.report(SizeProblem::Table {
                op: op.as_str(),
                entries,
                span,
            });
        }
        None
    }
}
