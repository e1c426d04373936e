//! `forall`, `exists`, `count` and `sum`.

use std::rc::Rc;

use super::{Expressions, Site};
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, Quantifier};
use crate::vocabulary::BinaryOp;

impl<'a> Expressions<'_, 'a> {
    /// `forall i, j in range a to b { e }`: expanded to a balanced tree.
    pub fn quantified(
        &mut self,
        span: Span,
        quantifier: Quantifier,
        vars: &'a [ast::Name],
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        body: &'a ast::Expr,
    ) -> Option<Expr> {
        let from = self.constant_int(from, "the bound of a quantifier");
        let to = self.constant_int(to, "the bound of a quantifier");
        let (from, to) = (from?, to?);
        let mut context = self.context;
        if context.site == Site::Process {
            context = context.without_messages("a quantifier");
        }
        if matches!(quantifier, Quantifier::Count | Quantifier::Sum) {
            context = context.timeless();
        }
        let outer = self.enter(context);
        let mut parts = Some(Vec::new());
        self.instances(quantifier, vars, (from, to), body, &mut parts);
        self.context = outer;
        let parts = parts?;
        match quantifier {
            Quantifier::Forall => Some(joined(BinaryOp::And, parts, true, span)),
            Quantifier::Exists => Some(joined(BinaryOp::Or, parts, false, span)),
            Quantifier::Count => {
                let ones = parts.into_iter().map(one_if).collect();
                self.added(ones, span)
            }
            Quantifier::Sum => self.added(parts, span),
        }
    }

    /// The body for each value of the variables, the last of them fastest. Returns whether more of them
    /// matter.
    fn instances(
        &mut self,
        quantifier: Quantifier,
        vars: &'a [ast::Name],
        (from, to): (i64, i64),
        body: &'a ast::Expr,
        parts: &mut Option<Vec<Expr>>,
    ) -> bool {
        let Some((var, rest)) = vars.split_first() else {
            let part = match quantifier {
                Quantifier::Sum => self.integer(body, "an integer"),
                _ => self.expr_of(body, &Type::Bool, None),
            };
            let decided = match (quantifier, part.as_ref().and_then(Expr::as_const)) {
                (Quantifier::Forall, Some(value)) => *value == Value::Bool(false),
                (Quantifier::Exists, Some(value)) => *value == Value::Bool(true),
                _ => false,
            };
            match (part, parts.as_mut()) {
                (Some(part), Some(parts)) => parts.push(part),
                _ => *parts = None,
            }
            return !decided;
        };
        let empty = from >= to;
        for i in from..to.max(from + 1) {
            self.scope.enter();
            let value = Binding::Value(Rc::new(Value::Int(i)));
            self.scope.declare(self.log, var, value, Role::Loop);
            self.log.dead += u32::from(empty);
            let mut looked_at = Some(Vec::new());
            let into = if empty { &mut looked_at } else { &mut *parts };
            let more = self.instances(quantifier, rest, (from, to), body, into);
            self.log.dead -= u32::from(empty);
            self.scope.leave();
            if !empty && (!more || parts.is_none()) {
                return false;
            }
        }
        true
    }

    /// A sum of integers; nothing is 0.
    fn added(&mut self, mut parts: Vec<Expr>, span: Span) -> Option<Expr> {
        while parts.len() > 1 {
            let mut sums = Vec::with_capacity(parts.len().div_ceil(2));
            let mut rest = parts.into_iter();
            while let Some(a) = rest.next() {
                sums.push(match rest.next() {
                    None => a,
                    Some(b) => self.arithmetic_of(span, BinaryOp::Add, a, b)?,
                });
            }
            parts = sums;
        }
        Some(match parts.pop() {
            Some(sum) => sum,
            None => Expr::constant(Value::Int(0), span),
        })
    }
}

/// 1 if a condition holds, else 0.
fn one_if(condition: Expr) -> Expr {
    let span = condition.span;
    let number = |value| Box::new(Expr::constant(Value::Int(value), span));
    match condition.as_const() {
        Some(value) => Expr::constant(Value::Int(i64::from(*value == Value::Bool(true))), span),
        None => Expr {
            kind: ExprKind::If(Box::new(condition), number(1), number(0)),
            ty: Type::Int { lo: 0, hi: 1 },
            span,
        },
    }
}

/// Joins conditions to a tree of logarithmic height. Only the last of them may be a constant that decides;
/// those before it are still evaluated.
fn joined(op: BinaryOp, mut parts: Vec<Expr>, neutral: bool, span: Span) -> Expr {
    let constant = |value| Expr::constant(Value::Bool(value), span);
    parts.retain(|part| part.as_const() != Some(&Value::Bool(neutral)));
    if parts.len() == 1 && parts[0].as_const().is_some() {
        return constant(!neutral);
    }
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
    parts.pop().unwrap_or(constant(neutral))
}
