//! The fourth phase: specifications.

mod atom;
mod temporal;
mod tolerant;
mod variable;

pub use variable::Named;

use rustc_hash::FxHashMap;

use super::declare::Declarations;
use super::expr::{Context, Expressions, Site};
use super::init::{Instances, TOP};
use super::log::Log;
use super::scope::Scope;
use super::stmt::Variables;
use crate::program::problem::PropertyProblem;
use crate::program::{Property, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::SpecKind;

/// The names of the built-in properties.
const BUILT_IN: [&str; 5] = ["deadlock", "assert", "range", "division", "index"];

/// Checks all specifications.
pub fn properties<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    variables: &Variables,
    log: &mut Log,
) -> Vec<Property> {
    let names = property_names(&decls.specs, log);
    let mut properties = Vec::with_capacity(names.len());
    for (spec, name) in decls.specs.iter().zip(names) {
        let mut exprs = Expressions {
            decls,
            made,
            variables,
            log,
            scope: &mut Scope::new(TOP),
            context: Context::new(Site::Spec(spec.kind)),
        };
        let tolerated = exprs.tolerated(spec);
        let formula = exprs.expr_of(&spec.formula, &Type::Bool, None);
        if let (Some(formula), Ok(tolerated)) = (formula, tolerated) {
            let keyword = spec.keyword;
            properties.push(Property {
                name,
                kind: spec.kind,
                formula,
                tolerated,
                span: spec
                    .name
                    .as_ref()
                    .map_or(keyword, |name| keyword.to(name.span)),
            });
        }
    }
    properties
}

/// The names of specifications, given or made.
fn property_names(specs: &[&ast::Spec], log: &mut Log) -> Vec<String> {
    let mut positions: FxHashMap<SpecKind, usize> = FxHashMap::default();
    let mut seen: FxHashMap<String, (Span, bool)> = FxHashMap::default();
    let mut names = Vec::with_capacity(specs.len());
    for spec in specs {
        let position = positions.entry(spec.kind).or_default();
        *position += 1;
        let (name, span) = match &spec.name {
            Some(name) => {
                log.legal_name(name, false);
                let word = name.text.as_str();
                let listed = log.uses.room && word == "room" || log.uses.clock && word == "time";
                if BUILT_IN.contains(&word) || listed {
                    log.report(PropertyProblem::ReservedName {
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
            log.report(PropertyProblem::DuplicateName {
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
