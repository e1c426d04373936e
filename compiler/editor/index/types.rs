//! Types as written, and the numbers in them.

use super::Ty;
use super::resolve::Resolver;
use crate::syntax::ast::*;
use crate::vocabulary::{BinaryOp, UnaryOp};

impl Resolver<'_> {
    /// The type of the variable of `range from to to`.
    pub fn counted(&mut self, from: &Expr, to: &Expr) -> Ty {
        self.expr(from, &Ty::Unknown);
        self.expr(to, &Ty::Unknown);
        let range = self.number(from).zip(self.number(to));
        Ty::Int(range.map(|(lo, hi)| (lo, hi - 1)))
    }

    /// The type of an expression that has been looked at already.
    pub fn type_of_value(&mut self, value: &Expr) -> Ty {
        match &value.kind {
            ExprKind::Bool(_) => Ty::Bool,
            _ => Ty::Int(self.number(value).map(|n| (n, n))),
        }
    }

    /// The value of a constant expression, if it is a number that does not depend on an instance.
    pub fn number(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Paren(inner) => self.number(inner),
            ExprKind::Name(name) => self.index[self.lookup(name)?].value,
            ExprKind::Unary(UnaryOp::Neg, inner) => self.number(inner)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    BinaryOp::Rem => a.checked_rem(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Looks up the names of a type.
    pub fn ty(&mut self, ty: &Type) -> Ty {
        match &ty.kind {
            TypeKind::Bool => Ty::Bool,
            TypeKind::Int => Ty::Int(Some((0, 8))),
            TypeKind::Bit => Ty::Int(Some((0, 1))),
            TypeKind::Range(lo, hi) => {
                self.expr(lo, &Ty::Unknown);
                self.expr(hi, &Ty::Unknown);
                Ty::Int(self.number(lo).zip(self.number(hi)))
            }
            TypeKind::Named(name) => match self.top_or_inside(&name.text) {
                Some(id) if self.index[id].kind.is_type() => {
                    self.note(name.span, id, false);
                    Ty::Named(id)
                }
                _ => Ty::Unknown,
            },
            TypeKind::Array(length, element) => {
                if let Some(length) = length {
                    self.expr(length, &Ty::Unknown);
                }
                Ty::Array(Box::new(self.ty(element)))
            }
            TypeKind::Channel(capacity, fields) => {
                match capacity {
                    Capacity::Buffered(length)
                    | Capacity::Network {
                        length: Some(length),
                        ..
                    } => {
                        self.expr(length, &Ty::Unknown);
                    }
                    Capacity::Rendezvous | Capacity::Any | Capacity::Network { .. } => {}
                }
                let buffered = !matches!(capacity, Capacity::Rendezvous);
                let fields = fields.iter().map(|field| self.ty(&field.ty)).collect();
                Ty::Channel(fields, buffered)
            }
            TypeKind::Process => Ty::Process,
            TypeKind::Error => Ty::Unknown,
        }
    }
}
