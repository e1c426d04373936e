//! The right side of `=`, which may be `any`.

use super::Expressions;
use crate::program::problem::{SizeProblem, TypeProblem};
use crate::program::{Expr, Rhs, Type, limits};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Expressions<'_, 'a> {
    /// The right side of `=`.
    pub fn right_side(
        &mut self,
        expr: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Rhs> {
        let ast::ExprKind::Any(set) = &expr.kind else {
            return self.expr_of(expr, ty, Some(because)).map(Rhs::Expr);
        };
        if let Type::Data(data) = ty.scalar()
            && matches!(set, ast::AnySet::All)
        {
            self.log.uses.arbitrary.insert(*data);
        }
        match set {
            ast::AnySet::All => {
                let count = ty.scalar().count(&self.decls.data);
                self.choices(count, expr.span)?;
                Some(Rhs::Any)
            }
            ast::AnySet::Range(lo, hi) => {
                let lo_value = self.constant_int(lo, "the bound of a range");
                let hi_value = self.constant_int(hi, "the bound of a range");
                let (lo_value, hi_value) = (lo_value?, hi_value?);
                if ty.range().is_none() {
                    self.log.report(TypeProblem::Mismatch {
                        wanted: self.decls.describe(ty),
                        found: "a choice of integers".into(),
                        span: expr.span,
                        because: Some(because),
                        hint: None,
                    });
                    return None;
                }
                if lo_value > hi_value {
                    self.log.report_value(TypeProblem::EmptyRange {
                        lo: lo_value,
                        hi: hi_value,
                        span: lo.span.to(hi.span),
                    });
                    return Some(Rhs::AnyRange(lo_value, lo_value))
                        .filter(|_| self.log.hypothetical());
                }
                self.choices(lo_value.abs_diff(hi_value).saturating_add(1), expr.span)?;
                Some(Rhs::AnyRange(lo_value, hi_value))
            }
            ast::AnySet::Of(set) => {
                let outer = self.enter(self.context.without_messages("`any`"));
                let set: Vec<Option<Expr>> = set
                    .iter()
                    .map(|element| self.expr_of(element, ty, Some(because.clone())))
                    .collect();
                self.context = outer;
                let set: Vec<Expr> = set.into_iter().collect::<Option<_>>()?;
                if set.is_empty() {
                    self.log
                        .misplaced("`any()` has nothing to choose from", expr.span, None);
                    return None;
                }
                Some(Rhs::AnyOf(set))
            }
        }
    }

    fn choices(&mut self, count: u64, span: Span) -> Option<()> {
        if count <= limits::CHOICES {
            return Some(());
        }
        self.log.report(SizeProblem::Choices { count, span });
        None
    }
}
