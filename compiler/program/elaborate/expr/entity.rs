//! The names of what `init` creates, where something refers to it: `w`, `w[1]`, `m.w`.

use super::{Expressions, unparenthesised};
use crate::program::elaborate::init::{Entity, Entry, with_article};
use crate::program::elaborate::scope::Binding;
use crate::program::problem::{EntryProblem, NameProblem, TypeProblem};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

impl<'a> Expressions<'_, 'a> {
    /// Whether an expression is written like the name of an entity, and the first name in it is one and
    /// nothing else: then it cannot be meant as a value.
    pub fn names_entity(&self, expr: &ast::Expr) -> bool {
        match &unparenthesised(expr).kind {
            ExprKind::Name(name) => {
                let value = self.decls.constructors.contains_key(name.as_str())
                    || self
                        .find(name)
                        .is_some_and(|local| matches!(local.binding, Binding::Value(_)));
                !value && self.entry(name).is_some()
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _, None) => self.names_entity(base),
            _ => false,
        }
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        let frame = &self.made.frames[self.scope.frame.0];
        if let Some(entry) = frame.entries.get(name) {
            return Some(entry.clone());
        }
        let local = frame.parameters.get(name)?;
        let entity = match &local.binding {
            Binding::Channel(id) => Entity::Channel(*id),
            Binding::Channels(all) => Entity::Channels(all.clone()),
            Binding::Process(id) => Entity::Process(*id),
            Binding::Processes(all) => Entity::Processes(all.clone()),
            Binding::Detector(id) => Entity::Detector(*id),
            Binding::Detectors(all) => Entity::Detectors(all.clone()),
            Binding::Broken => Entity::Broken,
            _ => return None,
        };
        Some(Entry {
            entity,
            span: local.span,
        })
    }

    /// What a name such as `w`, `w[1]` or `m.w` denotes; `wanted` says what is looked for.
    pub fn entity(&mut self, expr: &'a ast::Expr, wanted: &'static str) -> Option<Entity> {
        let found = self.entity_or_broken(expr, wanted)?;
        match found {
            Entity::Broken => None,
            found => Some(found),
        }
    }

    fn entity_or_broken(&mut self, expr: &'a ast::Expr, wanted: &'static str) -> Option<Entity> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.entity_or_broken(inner, wanted),
            ExprKind::Name(name) => match self.entry(name) {
                Some(entry) => {
                    self.log.uses.read.insert(entry.span);
                    Some(entry.entity)
                }
                None => {
                    self.unknown_entry(name, expr.span, wanted);
                    None
                }
            },
            ExprKind::Index(base, index) => {
                let base_entity = self.entity_or_broken(base, wanted)?;
                let at = self.constant_int(index, "the index of an entry")?;
                if matches!(base_entity, Entity::Broken) {
                    return None;
                }
                let Some(length) = base_entity.length() else {
                    self.log.report(TypeProblem::NotArray {
                        found: base_entity.what().into(),
                        span: base.span,
                    });
                    return None;
                };
                let element = usize::try_from(at).ok().and_then(|at| base_entity.get(at));
                if element.is_none() {
                    self.log.report_value(EntryProblem::IndexOutOfBounds {
                        index: at,
                        length,
                        span: index.span,
                    });
                }
                element
            }
            ExprKind::Field(base, name, None) => {
                let owner = self.entity_or_broken(base, "module instance")?;
                let Entity::Module(frame) = owner else {
                    if !matches!(owner, Entity::Broken) {
                        self.log.misplaced(
                            format!("{} has no entry `{}`", owner.what(), name.text),
                            expr.span,
                            None,
                        );
                    }
                    return None;
                };
                match self.made.frames[frame.0].entries.get(name.text.as_str()) {
                    Some(entry) => Some(entry.entity.clone()),
                    None => {
                        let frame = &self.made.frames[frame.0];
                        let suggestion = self.log.near(&name.text, frame.entries.keys().copied());
                        let problem = NameProblem::UnknownEntry {
                            name: name.text.clone(),
                            what: wanted,
                            owner: Some(frame.prefix.trim_end_matches('.').to_owned()),
                            span: name.span,
                            suggestion,
                        };
                        self.log.report_unknown(self.log.lost.entries, problem);
                        None
                    }
                }
            }
            ExprKind::Error => {
                self.log.incomplete = true;
                None
            }
            _ => {
                self.log.misplaced(
                    format!("only the name of a {wanted} can stand here"),
                    expr.span,
                    None,
                );
                None
            }
        }
    }

    fn unknown_entry(&mut self, name: &str, span: Span, wanted: &'static str) {
        if let Some(local) = self.find(name) {
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "a value",
                wanted: with_article(wanted),
                declared: Some(local.span),
                hint: None,
            });
            return;
        }
        if let Some(proc) = self.decls.units[0].proc(name) {
            let declared = proc.ast.name.span;
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "a proc",
                wanted: with_article(wanted),
                declared: Some(declared),
                hint: Some("name an instance of it".into()),
            });
            return;
        }
        let frame = &self.made.frames[self.scope.frame.0];
        let candidates = frame.entries.keys().chain(frame.parameters.keys());
        let suggestion = self.log.near(name, candidates.copied());
        let problem = NameProblem::UnknownEntry {
            name: name.to_owned(),
            what: wanted,
            owner: None,
            span,
            suggestion,
        };
        self.log.report_unknown(self.log.lost.entries, problem);
    }
}
