//! Specifications: their names, atoms and temporal operators.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Checker;
use super::definitions::FrameId;
use super::scope::{Binding, Place, Role, Scope};
use crate::program::problem::PropertyProblem;
use crate::program::{BinaryOp, Expr, ExprKind, Property, SpecKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;

/// The names of the built-in properties.
const BUILT_IN: [&str; 5] = ["deadlock", "assert", "range", "division", "index"];

impl<'a> Checker<'a> {
    /// Checks all specifications.
    pub fn properties(&mut self) {
        let specs = std::mem::take(&mut self.definitions.specs);
        let names = self.property_names(&specs);
        for (spec, name) in specs.into_iter().zip(names) {
            let mut scope = Scope::new(FrameId(0), Place::Spec(spec.kind));
            if let Some(formula) = self.expr_of(&mut scope, &spec.formula, &Type::Bool, None) {
                self.program.properties.push(Property {
                    name,
                    kind: spec.kind,
                    formula,
                    span: spec
                        .name
                        .as_ref()
                        .map_or(spec.keyword, |name| spec.keyword.to(name.span)),
                });
            }
        }
    }

    fn property_names(&mut self, specs: &[&'a ast::Spec]) -> Vec<String> {
        let mut positions: FxHashMap<SpecKind, usize> = FxHashMap::default();
        let mut seen: FxHashMap<String, (Span, bool)> = FxHashMap::default();
        let mut names = Vec::with_capacity(specs.len());
        for spec in specs {
            let position = positions.entry(spec.kind).or_default();
            *position += 1;
            let (name, span) = match &spec.name {
                Some(name) => {
                    self.check_name(name, false);
                    if BUILT_IN.contains(&name.text.as_str()) {
                        self.report(PropertyProblem::ReservedName {
                            name: name.text.clone(),
                            span: name.span,
                        });
                    }
                    (name.text.clone(), name.span)
                }
                None => (format!("{}_{position}", spec.kind.as_str()), spec.keyword),
            };
            let made = spec.name.is_none();
            if let Some((first, first_made)) = seen.get(&name) {
                // The one to rename is the one that has a name.
                let (span, first) = if made { (*first, span) } else { (span, *first) };
                let made = made || *first_made;
                self.report(PropertyProblem::DuplicateName {
                    name: name.clone(),
                    span,
                    first,
                    made,
                });
            } else {
                seen.insert(name.clone(), (span, made));
            }
            names.push(name);
        }
        names
    }

    /// `forall i in range a to b { e }`: expanded to a balanced tree.
    pub fn quantified(
        &mut self,
        scope: &mut Scope<'a>,
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
        if !matches!(scope.place, Place::Spec(_)) {
            self.misplaced(
                format!("`{word}` is for specifications"),
                span,
                Some("compute it with a loop"),
            );
            return None;
        }
        let from = self.constant_int(scope, from, "the bound of a quantifier");
        let to = self.constant_int(scope, to, "the bound of a quantifier");
        let (from, to) = (from?, to?);
        let neutral = op == BinaryOp::And;
        let mut parts = Vec::new();
        let dead = u32::from(from >= to);
        for i in from..to.max(from + 1) {
            scope.enter();
            self.declare(
                scope,
                var,
                Binding::Value(Rc::new(Value::Int(i))),
                Role::Loop,
                "variable in this block",
            );
            self.dead += dead;
            let part = self.expr_of(scope, body, &Type::Bool, None);
            self.dead -= dead;
            scope.leave();
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
