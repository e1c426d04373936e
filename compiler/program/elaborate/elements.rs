//! Elements of arrays.

use super::Checker;
use super::constants::names_in;
use super::expressions::{show_range, unparenthesised};
use super::scope::{Binding, Place, Role, Scope};
use super::uses::Question;
use crate::program::problem::{EntryProblem, Lint, PropertyProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind as Ast;

impl<'a> Checker<'a> {
    pub fn index(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        written: &'a ast::Expr,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let wanted;
        let want = match (&unparenthesised(base).kind, want) {
            (Ast::Array(elements), Some(element)) => {
                wanted = Type::Array(Box::new(element.clone()), elements.len() as u32);
                Some(&wanted)
            }
            _ => None,
        };
        let saved = (scope.temporal, scope.comparing);
        (scope.temporal, scope.comparing) = (false, false);
        let index = self.integer(scope, written, "an integer index");
        scope.comparing = saved.1;
        let element = match (index.as_ref().and_then(Expr::as_int), &base.kind) {
            // An element of a constant table, without copying the table.
            (Some(at), Ast::Name(name)) => self.table_element(scope, name, at, span),
            _ => None,
        };
        if element.is_some() {
            scope.temporal = saved.0;
            return element;
        }
        let base = self.expr(scope, base, want);
        scope.temporal = saved.0;
        self.element(scope, base?, index?, written, span)
    }

    pub fn table_element(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        at: i64,
        span: Span,
    ) -> Option<Expr> {
        let local = self.find(scope, name)?;
        let Binding::Value(value) = &local.binding else {
            return None;
        };
        let Value::Array(values) = &**value else {
            return None;
        };
        let element = values.get(usize::try_from(at).ok()?)?.clone();
        self.uses.read.insert(local.span);
        Some(Expr::constant(element, span))
    }

    /// `base[index]`
    pub fn element(
        &mut self,
        scope: &Scope<'a>,
        base: Expr,
        index: Expr,
        written: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let Type::Array(element, length) = &base.ty else {
            self.report(TypeProblem::NotArray {
                found: self.describe(&base.ty),
                span: base.span,
            });
            return None;
        };
        let bounds = Interval {
            lo: 0,
            hi: i64::from(*length) - 1,
        };
        let range = index.ty.range()?;
        self.check_index(scope, range, bounds, written)?;
        if let (ExprKind::Const(Value::Array(values)), Some(at)) = (&base.kind, index.as_int())
            && let Some(value) = usize::try_from(at).ok().and_then(|at| values.get(at))
        {
            return Some(Expr::constant(value.clone(), span));
        }
        Some(Expr {
            ty: (**element).clone(),
            kind: ExprKind::Index(Box::new(base), Box::new(index)),
            span,
        })
    }

    /// An index out of bounds: an error in specifications and constants. In processes it is one of run time, unless
    /// it is written as a constant and out of bounds in every instance.
    pub fn check_index(
        &mut self,
        scope: &Scope<'a>,
        range: Interval,
        bounds: Interval,
        written: &'a ast::Expr,
    ) -> Option<()> {
        let span = written.span;
        match scope.place {
            Place::Spec(_) if !range.within(bounds) => {
                self.report(PropertyProblem::Index {
                    lo: range.lo,
                    hi: range.hi,
                    length: bounds.hi as u32 + 1,
                    span,
                });
                None
            }
            Place::Constant if range.meet(bounds).is_none() => {
                self.report_value(TypeProblem::Undefined {
                    why: "an index is out of bounds",
                    span,
                });
                None
            }
            Place::Process => {
                let failure = range.meet(bounds).is_none().then(|| {
                    if range.is_point() && self.is_same_everywhere(scope, written) {
                        return EntryProblem::IndexOutOfBounds {
                            index: range.lo,
                            length: bounds.hi as usize + 1,
                            span,
                        }
                        .into();
                    }
                    Lint::AlwaysFails {
                        why: format!(
                            "the index is {}, and the array has elements 0..{}",
                            show_range(range),
                            bounds.hi
                        ),
                        span,
                    }
                    .into()
                });
                self.agree(span, Question::Failure, failure);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Whether an expression is written with literals and with constants that depend on no parameter.
    pub fn is_same_everywhere(&self, scope: &Scope<'a>, expr: &'a ast::Expr) -> bool {
        let mut same = true;
        names_in(expr, &mut |name, _| {
            let local = self.find(scope, name);
            same &= local.is_some_and(|local| local.role == Role::Constant);
        });
        same
    }
}
