//! `[a, b]`

use super::Expressions;
use crate::program::problem::TypeProblem;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self};

impl<'a> Expressions<'_, 'a> {
    pub fn array(
        &mut self,
        elements: &'a [ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> Option<Expr> {
        if elements.is_empty() {
            self.log.report(TypeProblem::EmptyArray { span });
            return None;
        }
        let known;
        let want = match want {
            Some(Type::Array(element, _)) => Some(&**element),
            _ => {
                known = elements.iter().find_map(|e| self.probe(e));
                known.as_ref()
            }
        };
        let outer = self.enter(self.context.timeless());
        let checked: Vec<Option<Expr>> = elements
            .iter()
            .map(|element| self.expr(element, want))
            .collect();
        self.context = outer;
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let mut ty = checked[0].ty.clone();
        for other in &checked[1..] {
            if !ty.same_shape(&other.ty) {
                self.log.report(TypeProblem::Mismatch {
                    wanted: self.decls.describe(&ty),
                    found: self.decls.describe(&other.ty),
                    span: other.span,
                    because: Some((
                        checked[0].span,
                        format!("the first element is {}", self.decls.describe(&ty)),
                    )),
                    hint: None,
                });
                return None;
            }
            ty = ty.join(&other.ty);
        }
        if checked.iter().all(|e| e.as_const().is_some()) {
            let values = checked
                .into_iter()
                .filter_map(|e| match e.kind {
                    ExprKind::Const(value) => Some(value),
                    _ => None,
                })
                .collect();
            return Some(Expr::constant(Value::Array(values), span));
        }
        Some(Expr {
            ty: Type::Array(Box::new(ty), checked.len() as u32),
            kind: ExprKind::Array(checked),
            span,
        })
    }
}
