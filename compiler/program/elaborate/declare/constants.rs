//! In which order constants depend on each other.

use super::Unit;
use super::order::dependency_order;
use crate::program::elaborate::log::Log;
use crate::program::problem::NameProblem;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, TypeKind};

/// The constants of a unit in an order in which each needs only earlier ones.
pub fn order(unit: &Unit<'_>, log: &mut Log) -> Vec<usize> {
    let depends_on: Vec<Vec<usize>> = unit
        .constants
        .iter()
        .map(|constant| {
            let mut ids = Vec::new();
            let mut add = |name: &str, _| ids.extend(unit.constant_ids.get(name).copied());
            names_in(&constant.value, &mut add);
            if let Some(ty) = &constant.ty {
                names_in_type(ty, &mut add);
            }
            ids
        })
        .collect();
    let order = dependency_order(unit.constants.len(), &depends_on);
    for cycle in &order.cycles {
        let names = cycle.iter().map(|i| unit.constants[*i].name.text.clone());
        log.report(NameProblem::ConstCycle {
            names: names.collect(),
            span: unit.constants[cycle[0]].name.span,
        });
    }
    order.order
}

/// Calls `f` with every name in an expression that may be a constant.
pub fn names_in<'a>(expr: &'a ast::Expr, f: &mut impl FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Name(name) => f(name, expr.span),
        ExprKind::Paren(e)
        | ExprKind::Unary(_, e)
        | ExprKind::Field(e, _, _)
        | ExprKind::At(e, _)
        | ExprKind::Temporal(_, e)
        | ExprKind::Path(_, e) => names_in(e, f),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Marked(e, _, args) => {
            names_in(e, f);
            args.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::Array(elements) | ExprKind::Call(_, elements) => {
            elements.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::Message(message) => message.args.iter().for_each(|e| names_in(e, f)),
        ExprKind::Any(ast::AnySet::Range(a, b)) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Any(ast::AnySet::Of(set)) => set.iter().for_each(|e| names_in(e, f)),
        ExprKind::Quantified { from, to, body, .. } => {
            names_in(from, f);
            names_in(to, f);
            names_in(body, f);
        }
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Any(ast::AnySet::All)
        | ExprKind::Error => {}
    }
}

/// Calls `f` with every name in a type that may be a constant.
pub fn names_in_type<'a>(ty: &'a ast::Type, f: &mut impl FnMut(&'a str, Span)) {
    match &ty.kind {
        TypeKind::Range(lo, hi) => {
            names_in(lo, f);
            names_in(hi, f);
        }
        TypeKind::Array(length, element) => {
            if let Some(length) = length {
                names_in(length, f);
            }
            names_in_type(element, f);
        }
        TypeKind::Channel(capacity, fields) => {
            if let ast::Capacity::Buffered(capacity) = capacity {
                names_in(capacity, f);
            }
            fields.iter().for_each(|ty| names_in_type(ty, f));
        }
        _ => {}
    }
}
