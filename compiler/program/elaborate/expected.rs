//! Expressions of which something is expected: to be constant, or of a type.

use super::Checker;
use super::scope::{Place, Scope};
use crate::program::problem::TypeProblem;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// A constant integer.
    pub fn constant_int(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        what: &'static str,
    ) -> Option<i64> {
        match self.constant(scope, expr, None, what)? {
            Value::Int(value) => Some(value),
            other => {
                self.report(TypeProblem::Mismatch {
                    wanted: "an integer".into(),
                    found: self.describe(&other.type_of()),
                    span: expr.span,
                    because: None,
                    hint: None,
                });
                None
            }
        }
    }

    /// The first thing in an expression that is not constant.
    pub fn culprit(&self, expr: &Expr) -> Option<(Span, String)> {
        match &expr.kind {
            ExprKind::Const(_) => None,
            ExprKind::Variable(id) => {
                let name = &self.program.variables[id.0 as usize].name;
                let shown = name.split('#').next().unwrap_or(name);
                let shown = shown.rsplit('.').next().unwrap_or(shown);
                Some((expr.span, format!("`{shown}` is a variable")))
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                self.culprit(a).or_else(|| self.culprit(b))
            }
            ExprKind::Array(elements) => elements.iter().find_map(|e| self.culprit(e)),
            ExprKind::Unary(_, e) => self.culprit(e),
            _ => Some((expr.span, "is only known when the model runs".into())),
        }
    }

    /// An expression of a type; `because` says where the type comes from.
    pub fn expr_of(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        ty: &Type,
        because: Option<(Span, String)>,
    ) -> Option<Expr> {
        let checked = self.expr(scope, expr, Some(ty))?;
        if checked.ty.same_shape(ty) {
            return Some(checked);
        }
        self.report(TypeProblem::Mismatch {
            wanted: self.describe(ty),
            found: self.describe(&checked.ty),
            span: expr.span,
            because,
            hint: None,
        });
        None
    }

    /// An integer; `wanted` says so with what it is for.
    pub fn integer(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        wanted: &str,
    ) -> Option<Expr> {
        let checked = self.expr(scope, expr, None)?;
        if checked.ty.range().is_some() {
            return Some(checked);
        }
        self.report(TypeProblem::Mismatch {
            wanted: wanted.to_owned(),
            found: self.describe(&checked.ty),
            span: expr.span,
            because: None,
            hint: None,
        });
        None
    }

    /// A constant; `what` must be one.
    pub fn constant(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        want: Option<&Type>,
        what: &'static str,
    ) -> Option<Value> {
        let place = std::mem::replace(&mut scope.place, Place::Constant);
        let result = self.expr(scope, expr, want);
        scope.place = place;
        let result = result?;
        if let ExprKind::Const(value) = result.kind {
            return Some(value);
        }
        match self.culprit(&result) {
            Some(culprit) => self.report(TypeProblem::NotConstant {
                what,
                span: expr.span,
                culprit: Some(culprit),
            }),
            // What has no value although everything in it is constant has been reported.
            None => debug_assert!(
                self.problems.errors() > 0 || self.sampling || self.dead > 0,
                "constant expressions are folded"
            ),
        }
        None
    }
}
