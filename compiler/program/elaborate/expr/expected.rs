//! Expressions of which something is expected: to be constant, or of a type.

use super::{Context, Expressions, Site};
use crate::program::problem::TypeProblem;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Expressions<'_, 'a> {
    /// A constant integer.
    pub fn constant_int(&mut self, expr: &'a ast::Expr, what: &'static str) -> Option<i64> {
        match self.constant(expr, None, what)? {
            Value::Int(value) => Some(value),
            other => {
                self.log.report(TypeProblem::Mismatch {
                    wanted: "an integer".into(),
                    found: self.decls.describe(&other.type_of()),
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
                let name = &self.variables.get(*id).name;
                let shown = name.split('#').next().unwrap_or(name);
                let shown = shown.rsplit('.').next().unwrap_or(shown);
                let what = match self.variables.get(*id).starts.as_slice() {
                    [] => "is a variable",
                    _ => "starts with any of several values",
                };
                Some((expr.span, format!("`{shown}` {what}")))
            }
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Max(a, b)
            | ExprKind::Min(a, b) => self.culprit(a).or_else(|| self.culprit(b)),
            ExprKind::Array(elements)
            | ExprKind::Record(elements)
            | ExprKind::Build(_, elements) => elements.iter().find_map(|e| self.culprit(e)),
            ExprKind::Unary(_, e)
            | ExprKind::Fit(e)
            | ExprKind::Field(e, _)
            | ExprKind::Is(e, _) => self.culprit(e),
            ExprKind::Call(call) => call.arguments.iter().find_map(|(_, e)| self.culprit(e)),
            ExprKind::If(c, a, b) => [c, a, b].into_iter().find_map(|e| self.culprit(e)),
            _ => Some((expr.span, "is only known when the model runs".into())),
        }
    }

    /// An expression of a type; `because` says where the type comes from.
    pub fn expr_of(
        &mut self,
        expr: &'a ast::Expr,
        ty: &Type,
        because: Option<(Span, String)>,
    ) -> Option<Expr> {
        let checked = self.expr(expr, Some(ty))?;
        if checked.ty.same_shape(ty) {
            return Some(checked);
        }
        self.log.report(TypeProblem::Mismatch {
            wanted: self.decls.describe(ty),
            found: self.decls.describe(&checked.ty),
            span: expr.span,
            because,
            hint: None,
        });
        None
    }

    /// An integer; `wanted` says so with what it is for.
    pub fn integer(&mut self, expr: &'a ast::Expr, wanted: &str) -> Option<Expr> {
        let checked = self.expr(expr, None)?;
        if checked.ty.range().is_some() {
            return Some(checked);
        }
        self.log.report(TypeProblem::Mismatch {
            wanted: wanted.to_owned(),
            found: self.decls.describe(&checked.ty),
            span: expr.span,
            because: None,
            hint: None,
        });
        None
    }

    /// A constant; `what` must be one.
    pub fn constant(
        &mut self,
        expr: &'a ast::Expr,
        want: Option<&Type>,
        what: &'static str,
    ) -> Option<Value> {
        let outer = self.enter(Context {
            site: Site::Constant,
            ..self.context
        });
        let result = self.expr(expr, want);
        self.context = outer;
        let result = result?;
        if let ExprKind::Const(value) = result.kind {
            return Some(value);
        }
        match self.culprit(&result) {
            Some(culprit) => self.log.report(TypeProblem::NotConstant {
                what,
                span: expr.span,
                culprit: Some(culprit),
            }),
            // What has no value although everything in it is constant has been reported.
            None => debug_assert!(
                self.log.problems.errors() > 0 || self.log.hypothetical(),
                "constant expressions are folded"
            ),
        }
        None
    }

    /// The value of `const NAME [type] = expr`.
    pub fn constant_declaration(&mut self, constant: &'a ast::Const) -> Option<Value> {
        match &constant.ty {
            None => self.constant(&constant.value, None, "the value of a constant"),
            Some(written) => {
                let ty = self.value_type(written)?;
                let because = (written.span, "because of this type".to_owned());
                self.constant_of_type(&constant.value, &ty, because)
            }
        }
    }

    /// A constant that must be of a type.
    pub fn constant_of_type(
        &mut self,
        expr: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Value> {
        let value = self.constant(expr, Some(ty), "this value")?;
        let found = value.type_of();
        if !found.same_shape(ty) {
            self.log.report(TypeProblem::Mismatch {
                wanted: self.decls.describe(ty),
                found: self.decls.describe(&found),
                span: expr.span,
                because: Some(because),
                hint: None,
            });
            return None;
        }
        if !ty.contains(&value) {
            self.log.report_value(TypeProblem::Outside {
                value: value.show(&self.decls.data),
                ty: ty.show(&self.decls.data),
                span: expr.span,
                because: Some(because),
            });
            return None;
        }
        Some(value)
    }
}
