//! Elements of arrays.

use super::{Context, Expressions, Site, show_range, unparenthesised};
use crate::program::elaborate::declare::names_in;
use crate::program::elaborate::lint::uses::Question;
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{EntryProblem, Lint, PropertyProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

impl<'a> Expressions<'_, 'a> {
    pub fn index(
        &mut self,
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
        let context = self.context.timeless();
        let outer = self.enter(Context {
            comparing: false,
            ..context
        });
        let index = self.integer(written, "an integer index");
        self.context = outer;
        let element = match (index.as_ref().and_then(Expr::as_int), &base.kind) {
            // An element of a constant table, without copying the table.
            (Some(at), Ast::Name(name)) => self.table_element(name, at, span),
            _ => None,
        };
        if element.is_some() {
            return element;
        }
        self.context = context;
        let base = self.expr(base, want);
        self.context = outer;
        self.element(base?, index?, written, span)
    }

    pub fn table_element(&mut self, name: &str, at: i64, span: Span) -> Option<Expr> {
        let local = self.find(name)?;
        let Binding::Value(value) = &local.binding else {
            return None;
        };
        let Value::Array(values) = &**value else {
            return None;
        };
        let element = values.get(usize::try_from(at).ok()?)?.clone();
        self.log.uses.read.insert(local.span);
        Some(Expr::constant(element, span))
    }

    /// `base[index]`
    pub fn element(
        &mut self,
        base: Expr,
        index: Expr,
        written: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let Type::Array(element, length) = &base.ty else {
            self.log.report(TypeProblem::NotArray {
                found: self.decls.describe(&base.ty),
                span: base.span,
            });
            return None;
        };
        let bounds = Interval {
            lo: 0,
            hi: i64::from(*length) - 1,
        };
        let range = index.ty.range()?;
        self.index_within(range, bounds, written)?;
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
    pub fn index_within(
        &mut self,
        range: Interval,
        bounds: Interval,
        written: &'a ast::Expr,
    ) -> Option<()> {
        let span = written.span;
        match self.context.site {
            Site::Spec(_) if !range.within(bounds) => {
                self.log.report(PropertyProblem::Index {
                    lo: range.lo,
                    hi: range.hi,
                    length: bounds.hi as u32 + 1,
                    span,
                });
                None
            }
            Site::Constant if range.meet(bounds).is_none() => {
                self.log.report_value(TypeProblem::Undefined {
                    why: "an index is out of bounds",
                    span,
                });
                None
            }
            Site::Process => {
                let failure = range.meet(bounds).is_none().then(|| {
                    if range.is_point() && self.is_same_everywhere(written) {
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
                self.log.agree(span, Question::Failure, failure);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Whether an expression is written with literals and with constants that depend on no parameter.
    pub fn is_same_everywhere(&self, expr: &'a ast::Expr) -> bool {
        let mut same = true;
        names_in(expr, &mut |name, _| {
            let local = self.find(name);
            same &= local.is_some_and(|local| local.role == Role::Constant);
        });
        same
    }

    /// Whether an expression mentions the variable of an unrolled loop.
    pub fn varies(&self, expr: &'a ast::Expr) -> bool {
        let mut found = false;
        names_in(expr, &mut |name, _| {
            found = found || self.scope.local(name).is_some_and(|local| local.varies());
        });
        found
    }
}
