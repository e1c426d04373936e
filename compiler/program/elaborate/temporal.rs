//! Temporal operators: which may stand where.

use super::Checker;
use super::expressions::unparenthesised;
use super::scope::{Place, Scope};
use crate::program::problem::{Lint, PropertyProblem};
use crate::program::{BinaryOp, Expr, ExprKind, SpecKind, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind as Ast;
use crate::vocabulary::{PathOp, TemporalOp};

impl<'a> Checker<'a> {
    pub fn temporal_legal(
        &mut self,
        scope: &Scope<'a>,
        span: Span,
        op: &'static str,
        branching: bool,
    ) -> bool {
        let (kind, legal) = match scope.place {
            Place::Spec(kind @ SpecKind::Ctl) => (kind.as_str(), branching),
            Place::Spec(kind @ (SpecKind::Ltl | SpecKind::Assume)) => (kind.as_str(), !branching),
            Place::Spec(kind) => (kind.as_str(), false),
            Place::Process => ("proc", false),
            Place::Constant => ("const", false),
        };
        if !legal {
            self.report(PropertyProblem::Temporal { op, kind, span });
        } else if !scope.temporal {
            self.report(PropertyProblem::TemporalOperand { op, span });
            return false;
        }
        legal
    }

    /// `G e`, `AX e` and so on.
    pub fn temporal(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: TemporalOp,
        operand: &'a ast::Expr,
    ) -> Option<Expr> {
        let branching = matches!(
            op,
            TemporalOp::AX
                | TemporalOp::AG
                | TemporalOp::AF
                | TemporalOp::EX
                | TemporalOp::EG
                | TemporalOp::EF
        );
        let legal = self.temporal_legal(scope, span, op.as_str(), branching);
        if matches!(
            op,
            TemporalOp::X | TemporalOp::Y | TemporalOp::Z | TemporalOp::AX | TemporalOp::EX
        ) && legal
        {
            let letters = op.as_str().len();
            self.report(Lint::StepCounting {
                op: op.as_str(),
                span: Span {
                    end: span.start + letters as u32,
                    ..span
                },
            });
        }
        let operand = self.expr_of(scope, operand, &Type::Bool, None)?;
        legal.then_some(Expr {
            kind: ExprKind::Temporal(op, Box::new(operand)),
            ty: Type::Bool,
            span,
        })
    }

    /// `A (p U q)`, `E (p U q)`
    pub fn path(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: PathOp,
        inner: &'a ast::Expr,
    ) -> Option<Expr> {
        let word = match op {
            PathOp::All => "A",
            PathOp::Exists => "E",
        };
        if !self.temporal_legal(scope, span, word, true) {
            return None;
        }
        let Ast::Binary(BinaryOp::Until, left, right) = &unparenthesised(inner).kind else {
            self.report(PropertyProblem::PathForm { op: word, span });
            return None;
        };
        let left = self.expr_of(scope, left, &Type::Bool, None);
        let right = self.expr_of(scope, right, &Type::Bool, None);
        Some(Expr {
            kind: ExprKind::Path(op, Box::new(left?), Box::new(right?)),
            ty: Type::Bool,
            span,
        })
    }

    /// `p U q` and its kin.
    pub fn temporal_infix(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let legal = if op == BinaryOp::Until && scope.place == Place::Spec(SpecKind::Ctl) {
            self.report(PropertyProblem::BareUntil { span });
            false
        } else {
            self.temporal_legal(scope, span, op.as_str(), false)
        };
        let left = self.expr_of(scope, left, &Type::Bool, None);
        let right = self.expr_of(scope, right, &Type::Bool, None);
        let (left, right) = (left?, right?);
        legal.then(|| Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: Type::Bool,
            span,
        })
    }
}
