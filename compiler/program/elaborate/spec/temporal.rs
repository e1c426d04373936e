//! Temporal operators: which may stand where.

use crate::program::elaborate::expr::{Expressions, Site, unparenthesised};

use crate::program::problem::{Lint, PropertyProblem};
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{BinaryOp, Logic, PathOp, SpecKind, TemporalOp};

impl<'a> Expressions<'_, 'a> {
    pub fn temporal_legal(&mut self, span: Span, op: &'static str, branching: bool) -> bool {
        let (kind, legal) = match self.context.site {
            Site::Spec(kind) => {
                let wanted = if branching {
                    Logic::Branching
                } else {
                    Logic::Linear
                };
                (kind.as_str(), kind.logic() == wanted)
            }
            Site::Process => ("proc", false),
            Site::Constant => ("const", false),
        };
        if !legal {
            self.log
                .report(PropertyProblem::Temporal { op, kind, span });
        } else if !self.context.temporal {
            self.log
                .report(PropertyProblem::TemporalOperand { op, span });
            return false;
        }
        legal
    }

    /// `G e`, `AX e` and so on.
    pub fn temporal(&mut self, span: Span, op: TemporalOp, operand: &'a ast::Expr) -> Option<Expr> {
        let branching = matches!(
            op,
            TemporalOp::AX
                | TemporalOp::AG
                | TemporalOp::AF
                | TemporalOp::EX
                | TemporalOp::EG
                | TemporalOp::EF
        );
        let legal = self.temporal_legal(span, op.as_str(), branching);
        if matches!(
            op,
            TemporalOp::X | TemporalOp::Y | TemporalOp::Z | TemporalOp::AX | TemporalOp::EX
        ) && legal
        {
            let letters = op.as_str().len();
            self.log.report(Lint::StepCounting {
                op: op.as_str(),
                span: Span {
                    end: span.start + letters as u32,
                    ..span
                },
            });
        }
        let operand = self.expr_of(operand, &Type::Bool, None)?;
        legal.then_some(Expr {
            kind: ExprKind::Temporal(op, Box::new(operand)),
            ty: Type::Bool,
            span,
        })
    }

    /// `A (p U q)`, `E (p U q)`
    pub fn path(&mut self, span: Span, op: PathOp, inner: &'a ast::Expr) -> Option<Expr> {
        let word = match op {
            PathOp::All => "A",
            PathOp::Exists => "E",
        };
        if !self.temporal_legal(span, word, true) {
            return None;
        }
        let Ast::Binary(BinaryOp::Until, left, right) = &unparenthesised(inner).kind else {
            self.log
                .report(PropertyProblem::PathForm { op: word, span });
            return None;
        };
        let left = self.expr_of(left, &Type::Bool, None);
        let right = self.expr_of(right, &Type::Bool, None);
        Some(Expr {
            kind: ExprKind::Path(op, Box::new(left?), Box::new(right?)),
            ty: Type::Bool,
            span,
        })
    }

    /// `p U q` and its kin.
    pub fn temporal_infix(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let legal = if op == BinaryOp::Until && self.context.site == Site::Spec(SpecKind::Ctl) {
            self.log.report(PropertyProblem::BareUntil { span });
            false
        } else {
            self.temporal_legal(span, op.as_str(), false)
        };
        let left = self.expr_of(left, &Type::Bool, None);
        let right = self.expr_of(right, &Type::Bool, None);
        let (left, right) = (left?, right?);
        legal.then(|| Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: Type::Bool,
            span,
        })
    }
}
