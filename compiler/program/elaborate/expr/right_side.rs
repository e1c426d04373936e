//! The right side of `=`, which may be `any`.

use super::Expressions;
use crate::program::problem::{SizeProblem, TypeProblem};
use crate::program::{Expr, Rhs, Type, Value, limits};
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
        if matches!(set, ast::AnySet::All) {
            self.arbitrary(ty);
        }
        match set {
            ast::AnySet::All => {
                for count in ty.choices(&self.decls.data) {
                    self.choices(count, expr.span)?;
                }
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

    /// The values that something may have at the start: of an array those of each element.
    pub fn free_values(
        &mut self,
        set: &'a ast::AnySet,
        ty: &Type,
        because: (Span, String),
        span: Span,
    ) -> Option<Vec<Value>> {
        let element = ty.scalar().clone();
        let outside = |value: &Value, span| TypeProblem::Outside {
            value: value.show(&self.decls.data),
            ty: element.show(&self.decls.data),
            span,
            because: Some(because.clone()),
        };
        let values = match set {
            ast::AnySet::All => {
                self.arbitrary(&element);
                self.choices(element.count(&self.decls.data), span)?;
                element.values(&self.decls.data)
            }
            ast::AnySet::Range(lo, hi) => {
                let lo_value = self.constant_int(lo, "the bound of a range");
                let hi_value = self.constant_int(hi, "the bound of a range");
                let (lo_value, hi_value) = (lo_value?, hi_value?);
                if lo_value > hi_value {
                    self.log.report_value(TypeProblem::EmptyRange {
                        lo: lo_value,
                        hi: hi_value,
                        span: lo.span.to(hi.span),
                    });
                    return None;
                }
                for (bound, place) in [(lo_value, lo.span), (hi_value, hi.span)] {
                    if !element.contains(&Value::Int(bound)) {
                        let problem = outside(&Value::Int(bound), place);
                        self.log.report_value(problem);
                        return None;
                    }
                }
                self.choices(lo_value.abs_diff(hi_value).saturating_add(1), span)?;
                (lo_value..=hi_value).map(Value::Int).collect()
            }
            ast::AnySet::Of(set) => {
                let mut values = Vec::new();
                for written in set {
                    let value = self.constant_of_type(written, &element, because.clone())?;
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                values
            }
        };
        if values.is_empty() {
            let text = "`any()` has nothing to choose from";
            self.log.misplaced(text, span, None);
            return None;
        }
        Some(values)
    }

    /// Notes that any value of a type may turn up.
    pub fn arbitrary(&mut self, ty: &Type) {
        for ty in ty.flat() {
            if let Type::Data(data) = ty {
                self.log.uses.arbitrary.insert(data);
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
