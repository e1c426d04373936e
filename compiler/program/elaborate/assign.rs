//! Assignments and their right sides.

use super::Checker;
use super::body::Body;
use super::expressions::unparenthesised;
use super::scope::{Messages, Scope};
use crate::program::problem::{SizeProblem, TypeProblem};
use crate::program::{BinaryOp, Expr, ExprKind, Rhs, StmtKind, Type, limits};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub fn assignment(
        &mut self,
        body: &mut Body<'a>,
        span: Span,
        target: &'a ast::Expr,
        op: Option<BinaryOp>,
        value: &'a ast::Expr,
    ) -> Option<StmtKind> {
        if !matches!(
            unparenthesised(target).kind,
            ast::ExprKind::Name(_) | ast::ExprKind::Index(..)
        ) {
            // The grammar has complained.
            self.incomplete = true;
            return None;
        }
        let place = self.target(&mut body.scope, target);
        let Some(place) = place else {
            if !matches!(value.kind, ast::ExprKind::Any(_)) {
                self.expr(&mut body.scope, value, None);
            }
            return None;
        };
        let because = (target.span, format!("this is {}", self.describe(&place.ty)));
        let value = match op {
            None => self.right_side(&mut body.scope, value, &place.ty, because)?,
            Some(op) => {
                if place.ty.range().is_none() {
                    self.expr(&mut body.scope, value, None);
                    self.report(TypeProblem::Operand {
                        op: op.as_str(),
                        wanted: "integers",
                        found: self.describe(&place.ty),
                        span: target.span,
                        hint: None,
                    });
                    return None;
                }
                let right = self.integer(&mut body.scope, value, "an integer")?;
                let left = self.value_of(&place);
                Rhs::Expr(self.arithmetic_of(&body.scope, span, op, left, right)?)
            }
        };
        match &value {
            Rhs::Expr(expr) => {
                self.note_store(&place.ty, &expr.ty, expr.span, "the variable");
                if let ExprKind::Message(message) = &expr.kind
                    && let Some(twice) = message
                        .targets
                        .iter()
                        .flatten()
                        .find(|other| super::messages::overlaps(other, &place))
                {
                    self.target_twice(place.variable, twice.span, place.span);
                    return None;
                }
            }
            Rhs::AnyRange(lo, hi) => {
                let set = Type::Int { lo: *lo, hi: *hi };
                self.note_store(&place.ty, &set, span, "the variable");
            }
            Rhs::Any | Rhs::AnyOf(_) => {}
        }
        Some(StmtKind::Assign {
            target: place,
            value,
        })
    }

    /// The right side of `=`.
    pub fn right_side(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Rhs> {
        let ast::ExprKind::Any(set) = &expr.kind else {
            return self.expr_of(scope, expr, ty, Some(because)).map(Rhs::Expr);
        };
        if let Type::Data(data) = ty.scalar()
            && matches!(set, ast::AnySet::All)
        {
            self.uses.arbitrary.insert(*data);
        }
        match set {
            ast::AnySet::All => {
                let count = ty.scalar().count(&self.program.data);
                self.choices(count, expr.span)?;
                Some(Rhs::Any)
            }
            ast::AnySet::Range(lo, hi) => {
                let lo_value = self.constant_int(scope, lo, "the bound of a range");
                let hi_value = self.constant_int(scope, hi, "the bound of a range");
                let (lo_value, hi_value) = (lo_value?, hi_value?);
                if ty.range().is_none() {
                    self.report(TypeProblem::Mismatch {
                        wanted: self.describe(ty),
                        found: "a choice of integers".into(),
                        span: expr.span,
                        because: Some(because),
                        hint: None,
                    });
                    return None;
                }
                if lo_value > hi_value {
                    self.report_value(TypeProblem::EmptyRange {
                        lo: lo_value,
                        hi: hi_value,
                        span: lo.span.to(hi.span),
                    });
                    return Some(Rhs::AnyRange(lo_value, lo_value))
                        .filter(|_| self.sampling || self.dead > 0);
                }
                self.choices(lo_value.abs_diff(hi_value).saturating_add(1), expr.span)?;
                Some(Rhs::AnyRange(lo_value, hi_value))
            }
            ast::AnySet::Of(set) => {
                let messages =
                    std::mem::replace(&mut scope.messages, Messages::ForbiddenIn("`any`"));
                let set: Vec<Option<Expr>> = set
                    .iter()
                    .map(|element| self.expr_of(scope, element, ty, Some(because.clone())))
                    .collect();
                scope.messages = messages;
                let set: Vec<Expr> = set.into_iter().collect::<Option<_>>()?;
                if set.is_empty() {
                    self.misplaced("`any()` has nothing to choose from", expr.span, None);
                    return None;
                }
                Some(Rhs::AnyOf(set))
            }
        }
    }

    pub fn choices(&mut self, count: u64, span: Span) -> Option<()> {
        if count <= limits::CHOICES {
            return Some(());
        }
        self.report(SizeProblem::Choices { count, span });
        None
    }
}
