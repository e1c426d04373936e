//! The fourth phase: specifications.

mod atom;
mod event;
mod knowledge;
mod protocol;
mod temporal;
mod tolerant;
mod variable;

pub use event::{EVENTS, is_event};
pub use knowledge::{KNOWS, TOGETHER, views, whole_views};
pub use variable::Named;

use rustc_hash::FxHashMap;

use super::declare::{Declarations, Specification};
use super::expr::{Context, Expressions, Site};
use super::init::{Instances, TOP};
use super::log::Log;
use super::scope::Scope;
use super::stmt::Variables;
use crate::program::problem::PropertyProblem;
use crate::program::{Expr, Property, Says, Type};
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
    let names = property_names(&decls.specs, variables.have_progress(), log);
    let mut properties = Vec::with_capacity(names.len());
    for (spec, name) in decls.specs.iter().zip(names) {
        let kind = spec.kind();
        let mut exprs = Expressions {
            decls,
            made,
            variables,
            log,
            scope: &mut Scope::new(TOP),
            context: Context::new(Site::Spec(kind)),
        };
        let property = |name, says| Property {
            name,
            kind,
            says,
            tolerated: None,
            span: (spec.name()).map_or(spec.keyword(), |name| spec.keyword().to(name.span)),
        };
        match spec {
            Specification::Formulas(spec) => {
                let tolerated = exprs.tolerated(spec);
                if let (Some(says), Ok(tolerated)) = (exprs.says(spec), tolerated) {
                    properties.push(Property {
                        tolerated,
                        ..property(name, says)
                    });
                }
            }
            Specification::Diagnosable(asked) => {
                let says = exprs.diagnosable(asked);
                properties.extend(says.map(|says| property(name, says)));
            }
            Specification::Protocol(protocol) => {
                let all = exprs.protocols(protocol).unwrap_or_default();
                properties.extend(all.into_iter().map(|(index, protocol)| {
                    let name = match index {
                        Some(index) => format!("{name}[{index}]"),
                        None => name.clone(),
                    };
                    property(name, Says::Protocol(Box::new(protocol)))
                }));
            }
        }
    }
    properties
}

impl<'a> Expressions<'_, 'a> {
    /// What a specification says: one thing, or several one after the other.
    fn says(&mut self, spec: &'a ast::Spec) -> Option<Says> {
        let lines: Vec<Option<Expr>> = (spec.lines.iter())
            .map(|line| self.expr_of(line, &Type::Bool, None))
            .collect();
        let mut lines: Vec<Expr> = lines.into_iter().collect::<Option<_>>()?;
        if lines.len() == 1 {
            return lines.pop().map(Says::Formula);
        }
        if !matches!(spec.kind, SpecKind::Reachable | SpecKind::Unreachable) {
            self.log.report(PropertyProblem::SeveralLines {
                kind: spec.kind.as_str(),
                span: lines[1].span,
            });
            return None;
        }
        let sound: Vec<Option<()>> = lines.iter().map(|line| self.sequence_line(line)).collect();
        sound.into_iter().collect::<Option<Vec<()>>>()?;
        Some(Says::Sequence(lines))
    }
}

/// The names of specifications, given or made.
fn property_names(specs: &[Specification<'_>], progress: bool, log: &mut Log) -> Vec<String> {
    let mut positions: FxHashMap<SpecKind, usize> = FxHashMap::default();
    let mut seen: FxHashMap<String, (Span, bool)> = FxHashMap::default();
    let mut names = Vec::with_capacity(specs.len());
    for spec in specs {
        let position = positions.entry(spec.kind()).or_default();
        *position += 1;
        let (name, span) = match spec.name() {
            Some(name) => {
                log.legal_name(name, false);
                let word = name.text.as_str();
                let listed = log.uses.room && word == "room"
                    || log.uses.clock && word == "time"
                    || progress && word == "progress";
                if BUILT_IN.contains(&word) || listed {
                    log.report(PropertyProblem::ReservedName {
                        name: name.text.clone(),
                        span: name.span,
                    });
                }
                (name.text.clone(), name.span)
            }
            None => (
                format!("{}_{position}", spec.kind().as_str()),
                spec.keyword(),
            ),
        };
        let made = spec.name().is_none();
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
