//! Arguments of functions and predicates.

use super::{Expressions, Site, unparenthesised};
use crate::program::elaborate::scope::Binding;
use crate::program::problem::{FunctionProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Expressions<'_, 'a> {
    /// Looks at arguments that lead nowhere.
    pub fn checked_arguments(&mut self, arguments: &'a [ast::Expr]) {
        for argument in arguments {
            if !self.names_something(argument) {
                self.expr(argument, None);
            }
        }
    }

    /// Whether an argument is a channel or a process.
    fn names_something(&self, argument: &ast::Expr) -> bool {
        let mut inner = unparenthesised(argument);
        while let ast::ExprKind::Index(base, _) = &inner.kind {
            inner = unparenthesised(base);
        }
        let ast::ExprKind::Name(name) = &inner.kind else {
            return matches!(inner.kind, ast::ExprKind::Array(_));
        };
        let binding = self.find(name).map(|local| local.binding);
        binding.is_some_and(|b| b.what().is_some() || matches!(b, Binding::Broken))
    }

    /// Whether there are as many arguments as parameters.
    pub fn counted(
        &mut self,
        name: &ast::Name,
        wanted: usize,
        arguments: &[ast::Expr],
        span: Span,
    ) -> bool {
        if wanted == arguments.len() {
            return true;
        }
        self.log.report(FunctionProblem::Count {
            name: name.text.clone(),
            wanted,
            found: arguments.len(),
            span,
            declared: name.span,
        });
        false
    }

    /// The argument for a value parameter: of its type, and checked to fit where that is not plain.
    pub fn value_argument(
        &mut self,
        param: &'a ast::Param,
        argument: &'a ast::Expr,
        ty: Option<&Type>,
    ) -> Option<Expr> {
        let outer = self.enter(self.context.timeless().without_messages("an argument"));
        let because = (
            param.name.span,
            format!("`{}` declared here", param.name.text),
        );
        let value = match ty {
            Some(ty) => self.expr_of(argument, ty, Some(because.clone())),
            None => {
                self.expr(argument, None);
                None
            }
        };
        self.context = outer;
        let (value, ty) = (value?, ty?);
        if let Some(constant) = value.as_const()
            && !ty.contains(constant)
            && self.context.site != Site::Process
        {
            self.log.report_value(TypeProblem::Outside {
                value: constant.show(&self.decls.data),
                ty: ty.show(&self.decls.data),
                span: argument.span,
                because: Some(because),
            });
            return None;
        }
        self.fitted(value, ty)
    }

    /// A value that is stored where a type is asked for: checked, unless its range tells that it fits.
    pub fn fitted(&mut self, value: Expr, ty: &Type) -> Option<Expr> {
        if value.as_const().is_some_and(|value| ty.contains(value)) || within(&value.ty, ty) {
            return Some(value);
        }
        if matches!(self.context.site, Site::Spec(_)) {
            self.log.report(FunctionProblem::SpecValue {
                found: value.ty.show(&self.decls.data),
                wanted: ty.show(&self.decls.data),
                span: value.span,
            });
            return None;
        }
        let span = value.span;
        Some(Expr {
            kind: ExprKind::Fit(Box::new(value)),
            ty: ty.clone(),
            span,
        })
    }
}

/// Whether every value of one type is one of another of the same shape.
fn within(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Array(a, _), Type::Array(b, _)) => within(a, b),
        _ => match (found.range(), wanted.range()) {
            (Some(found), Some(wanted)) => found.within(wanted),
            _ => true,
        },
    }
}
