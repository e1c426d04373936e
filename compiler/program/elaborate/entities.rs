//! What the entries of `init` create, and how they are named: `w`, `w[1]`, `m.w`.

use std::rc::Rc;

use super::Checker;
use super::definitions::FrameId;
use super::expressions::unparenthesised;
use super::scope::{Binding, Scope};
use crate::program::problem::{EntryProblem, NameProblem, TypeProblem};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind;
use crate::vocabulary::{ChannelId, ProcessId};

/// What an entry of `init` created.
#[derive(Clone, Debug)]
pub enum Entity {
    Channel(ChannelId),
    Channels(Rc<[ChannelId]>),
    Process(ProcessId),
    Processes(Rc<[ProcessId]>),
    Module(FrameId),
    Modules(Rc<[FrameId]>),
    /// Something faulty that has been reported.
    Broken,
}

/// An entry of `init`.
#[derive(Clone, Debug)]
pub struct Entry {
    pub entity: Entity,
    /// Where its name stands.
    pub span: Span,
}

impl Entity {
    /// As part of a sentence.
    pub fn what(&self) -> &'static str {
        match self {
            Entity::Channel(_) => "a channel",
            Entity::Channels(_) => "an array of channels",
            Entity::Process(_) => "a process",
            Entity::Processes(_) => "an array of processes",
            Entity::Module(_) => "a module instance",
            Entity::Modules(_) => "an array of module instances",
            Entity::Broken => "faulty",
        }
    }

    /// How many elements an array has.
    pub fn length(&self) -> Option<usize> {
        match self {
            Entity::Channels(all) => Some(all.len()),
            Entity::Processes(all) => Some(all.len()),
            Entity::Modules(all) => Some(all.len()),
            _ => None,
        }
    }

    fn get(&self, index: usize) -> Option<Entity> {
        match self {
            Entity::Channels(all) => all.get(index).map(|id| Entity::Channel(*id)),
            Entity::Processes(all) => all.get(index).map(|id| Entity::Process(*id)),
            Entity::Modules(all) => all.get(index).map(|id| Entity::Module(*id)),
            _ => None,
        }
    }
}

impl<'a> Checker<'a> {
    /// Whether an expression is written like the name of an entity, and the first name in it is one and
    /// nothing else: then it cannot be meant as a value.
    pub fn names_entity(&self, scope: &Scope<'a>, expr: &ast::Expr) -> bool {
        match &unparenthesised(expr).kind {
            ExprKind::Name(name) => {
                let value = self.definitions.constructors.contains_key(name.as_str())
                    || self
                        .find(scope, name)
                        .is_some_and(|local| matches!(local.binding, Binding::Value(_)));
                !value && self.entry(scope, name).is_some()
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _, None) => {
                self.names_entity(scope, base)
            }
            _ => false,
        }
    }

    fn entry(&self, scope: &Scope<'a>, name: &str) -> Option<Entry> {
        let frame = &self.frames[scope.frame.0];
        if let Some(entry) = frame.entries.get(name) {
            return Some(entry.clone());
        }
        let local = frame.parameters.get(name)?;
        let entity = match &local.binding {
            Binding::Channel(id) => Entity::Channel(*id),
            Binding::Channels(all) => Entity::Channels(all.clone()),
            Binding::Process(id) => Entity::Process(*id),
            Binding::Broken => Entity::Broken,
            _ => return None,
        };
        Some(Entry {
            entity,
            span: local.span,
        })
    }

    /// What a name such as `w`, `w[1]` or `m.w` denotes; `wanted` says what is looked for.
    pub fn entity(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        wanted: &'static str,
    ) -> Option<Entity> {
        let found = self.entity_or_broken(scope, expr, wanted)?;
        match found {
            Entity::Broken => None,
            found => Some(found),
        }
    }

    fn entity_or_broken(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        wanted: &'static str,
    ) -> Option<Entity> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.entity_or_broken(scope, inner, wanted),
            ExprKind::Name(name) => match self.entry(scope, name) {
                Some(entry) => {
                    self.uses.read.insert(entry.span);
                    Some(entry.entity)
                }
                None => {
                    self.unknown_entry(scope, name, expr.span, wanted);
                    None
                }
            },
            ExprKind::Index(base, index) => {
                let base_entity = self.entity_or_broken(scope, base, wanted)?;
                let at = self.constant_int(scope, index, "the index of an entry")?;
                if matches!(base_entity, Entity::Broken) {
                    return None;
                }
                let Some(length) = base_entity.length() else {
                    self.report(TypeProblem::NotArray {
                        found: base_entity.what().into(),
                        span: base.span,
                    });
                    return None;
                };
                let element = usize::try_from(at).ok().and_then(|at| base_entity.get(at));
                if element.is_none() {
                    self.report_value(EntryProblem::IndexOutOfBounds {
                        index: at,
                        length,
                        span: index.span,
                    });
                }
                element
            }
            ExprKind::Field(base, name, None) => {
                let owner = self.entity_or_broken(scope, base, "module instance")?;
                let Entity::Module(frame) = owner else {
                    if !matches!(owner, Entity::Broken) {
                        self.misplaced(
                            format!("{} has no entry `{}`", owner.what(), name.text),
                            expr.span,
                            None,
                        );
                    }
                    return None;
                };
                match self.frames[frame.0].entries.get(name.text.as_str()) {
                    Some(entry) => Some(entry.entity.clone()),
                    None => {
                        let frame = &self.frames[frame.0];
                        let suggestion = self.near(&name.text, frame.entries.keys().copied());
                        let problem = NameProblem::UnknownEntry {
                            name: name.text.clone(),
                            what: wanted,
                            owner: Some(frame.prefix.trim_end_matches('.').to_owned()),
                            span: name.span,
                            suggestion,
                        };
                        self.report_unknown(self.lost.entries, problem);
                        None
                    }
                }
            }
            ExprKind::Error => {
                self.incomplete = true;
                None
            }
            _ => {
                self.misplaced(
                    format!("only the name of a {wanted} can stand here"),
                    expr.span,
                    None,
                );
                None
            }
        }
    }

    fn unknown_entry(&mut self, scope: &Scope<'a>, name: &str, span: Span, wanted: &'static str) {
        if let Some(local) = self.find(scope, name) {
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "a value",
                wanted: with_article(wanted),
                declared: Some(local.span),
                hint: None,
            });
            return;
        }
        if let Some(index) = self.definitions.scopes[0].proc_ids.get(name) {
            let declared = self.definitions.scopes[0].procs[*index].name.span;
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "a proc",
                wanted: with_article(wanted),
                declared: Some(declared),
                hint: Some("name an instance of it".into()),
            });
            return;
        }
        let frame = &self.frames[scope.frame.0];
        let candidates = frame.entries.keys().chain(frame.parameters.keys());
        let suggestion = self.near(name, candidates.copied());
        let problem = NameProblem::UnknownEntry {
            name: name.to_owned(),
            what: wanted,
            owner: None,
            span,
            suggestion,
        };
        self.report_unknown(self.lost.entries, problem);
    }
}

/// `a process`
pub fn with_article(noun: &'static str) -> &'static str {
    match noun {
        "channel" => "a channel",
        "process" => "a process",
        "module instance" => "a module instance",
        "array of channels" => "an array of channels",
        _ => "a process or channel",
    }
}
