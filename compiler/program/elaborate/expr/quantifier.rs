//! `forall` and `exists`.

use std::rc::Rc;

use super::{Expressions, Site};
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::BinaryOp;

impl<'a> Expressions<'_, 'a> {
    /// `forall i in range a to b { e }`: expanded to a balanced tree.
    pub fn quantified(
        &mut self,
        span: Span,
        quantifier: ast::Quantifier,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        body: &'a ast::Expr,
    ) -> Option<Expr> {
        let (word, op) = match quantifier {
            ast::Quantifier::Forall => ("forall", BinaryOp::And),
            ast::Quantifier::Exists => ("exists", BinaryOp::Or),
        };
        if !matches!(self.context.site, Site::Spec(_)) {
            self.log.misplaced(
                format!("`{word}` is for specifications"),
                span,
                Some("compute it with a loop"),
            );
            return None;
        }
        let from = self.constant_int(from, "the bound of a quantifier");
        let to = self.constant_int(to, "the bound of a quantifier");
        let (from, to) = (from?, to?);
        let neutral = op == BinaryOp::And;
        let mut parts = Vec::new();
        let dead = u32::from(from >= to);
        for i in from..to.max(from + 1) {
            self.scope.enter();
            self.scope.declare(
                self.log,
                var,
                Binding::Value(Rc::new(Value::Int(i))),
                Role::Loop,
            );
            self.log.dead += dead;
            let part = self.expr_of(body, &Type::Bool, None);
            self.log.dead -= dead;
            self.scope.leave();
            if dead > 0 {
                break;
            }
            let part = part?;
            match part.as_const() {
                Some(Value::Bool(value)) if *value == neutral => {}
                Some(_) => return Some(Expr::constant(Value::Bool(!neutral), span)),
                None => parts.push(part),
            }
        }
        Some(balanced(op, parts, span).unwrap_or(Expr::constant(Value::Bool(neutral), span)))
    }
}

/// Joins formulas to a tree of logarithmic height.
fn balanced(op: BinaryOp, mut parts: Vec<Expr>, span: Span) -> Option<Expr> {
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(a) = rest.next() {
            joined.push(match rest.next() {
                None => a,
                Some(b) => Expr {
                    kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
                    ty: Type::Bool,
                    span,
                },
            });
        }
        parts = joined;
    }
    parts.pop()
}
