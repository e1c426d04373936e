//! The names of what `init` creates, and the arrays that replicated entries form.

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::entity::{Entity, Entry};
use super::{Creator, FrameId};
use crate::program::elaborate::scope::Scope;
use crate::program::problem::{EntryProblem, NameProblem};
use crate::source::Span;
use crate::syntax::ast::{self, EntryKind};

/// An array that is being put together from replicated entries.
pub struct Building {
    first: Span,
    elements: BTreeMap<i64, (Entity, Span)>,
    sound: bool,
}

/// The entries of one `init`, being created.
pub struct Entries<'a> {
    pub frame: FrameId,
    pub scope: Scope<'a>,
    pub loops: Vec<(&'a ast::Name, i64)>,
    pub building: IndexMap<&'a str, Building>,
}

impl<'a> Creator<'_, 'a> {
    /// The index of `name[i]`, and the full name: `m.w[1]`. `Err` if it cannot be created.
    pub fn entry_name(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
    ) -> Result<(Option<i64>, String), ()> {
        self.log.legal_name(&name.name, false);
        let prefix = &self.made.frames[entries.frame.0].prefix;
        let mut shown = format!("{prefix}{}", name.name.text);
        let index = match &name.index {
            None => {
                if let Some((var, _)) = entries.loops.last() {
                    let var = var.text.clone();
                    self.log.report(EntryProblem::NeedsIndex {
                        name: name.name.text.clone(),
                        var,
                        span: name.name.span,
                    });
                    return Err(());
                }
                None
            }
            Some(index) => {
                let at = self
                    .exprs(&mut entries.scope)
                    .constant_int(index, "the index of an entry")
                    .ok_or(())?;
                shown.push_str(&format!("[{at}]"));
                Some(at)
            }
        };
        Ok((index, shown))
    }

    /// Gives an entity its name.
    pub fn add_entry(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::Name,
        index: Option<i64>,
        entity: Entity,
    ) {
        let known = self.made.frames[entries.frame.0]
            .entries
            .get(name.text.as_str())
            .map(|entry| entry.span);
        let Some(index) = index else {
            match known {
                Some(first) => self.second_entry(name, first),
                None => self.insert_entry(entries.frame, name, entity),
            }
            return;
        };
        match entries.building.get_mut(name.text.as_str()) {
            None => {
                let empty = self.made.frames[entries.frame.0]
                    .entries
                    .get(name.text.as_str())
                    .is_some_and(|entry| entry.entity.length() == Some(0));
                if let Some(first) = known.filter(|_| !empty) {
                    self.second_entry(name, first);
                    return;
                }
                self.insert_entry(entries.frame, name, Entity::Broken);
                let mut elements = BTreeMap::new();
                elements.insert(index, (entity, name.span));
                entries.building.insert(
                    &name.text,
                    Building {
                        first: name.span,
                        elements,
                        sound: true,
                    },
                );
            }
            Some(building) => {
                if let Some((_, first)) = building.elements.get(&index) {
                    let first = *first;
                    building.sound = false;
                    self.log.report(EntryProblem::ElementTwice {
                        name: name.text.clone(),
                        index,
                        span: name.span,
                        first,
                    });
                    return;
                }
                building.elements.insert(index, (entity, name.span));
            }
        }
    }

    pub fn insert_entry(&mut self, frame: FrameId, name: &'a ast::Name, entity: Entity) {
        self.made.frames[frame.0].entries.insert(
            &name.text,
            Entry {
                entity,
                span: name.span,
            },
        );
    }

    pub fn second_entry(&mut self, name: &ast::Name, first: Span) {
        self.log.report(NameProblem::Duplicate {
            name: name.text.clone(),
            what: "entry",
            span: name.span,
            first,
        });
    }

    pub fn finish_array(&mut self, name: &str, building: Building) -> Entity {
        if !building.sound {
            return Entity::Broken;
        }
        let span = building.first;
        let wrong = (0i64..)
            .zip(building.elements.keys())
            .find(|(expected, index)| expected != *index);
        if let Some((expected, index)) = wrong {
            self.log.report_value(EntryProblem::MissingElement {
                name: name.to_owned(),
                index: if *index < 0 { *index } else { expected },
                span,
            });
            return Entity::Broken;
        }
        let (mut channels, mut processes, mut modules) = (Vec::new(), Vec::new(), Vec::new());
        let mut detectors = Vec::new();
        let mut kinds = [false; 4];
        for (entity, place) in building.elements.values() {
            match entity {
                Entity::Channel(id) => channels.push(*id),
                Entity::Process(id) => processes.push(*id),
                Entity::Module(id) => modules.push(*id),
                Entity::Detector(id) => detectors.push(*id),
                _ => return Entity::Broken,
            }
            kinds = [
                !channels.is_empty(),
                !processes.is_empty(),
                !modules.is_empty(),
                !detectors.is_empty(),
            ];
            if kinds.iter().filter(|k| **k).count() > 1 {
                self.log.report(EntryProblem::MixedArray {
                    name: name.to_owned(),
                    span: *place,
                    first: span,
                });
                return Entity::Broken;
            }
        }
        match kinds {
            [true, ..] => Entity::Channels(channels.into()),
            [_, true, ..] => Entity::Processes(processes.into()),
            [.., true] => Entity::Detectors(detectors.into()),
            _ => Entity::Modules(modules.into()),
        }
    }

    pub fn mark_broken(&mut self, entries: &mut Entries<'a>, name: &'a ast::EntryName) {
        if let Some(building) = entries.building.get_mut(name.name.text.as_str()) {
            building.sound = false;
        }
        self.made.frames[entries.frame.0]
            .entries
            .entry(&name.name.text)
            .or_insert(Entry {
                entity: Entity::Broken,
                span: name.name.span,
            });
    }

    /// Remembers an entry that the grammar could not make sense of.
    pub fn lost_entry(&mut self) {
        self.log.incomplete = true;
        self.log.lost.entries = true;
    }

    /// Makes the names of arrays without elements known.
    pub fn empty_entry(&mut self, entries: &mut Entries<'a>, entry: &'a ast::Entry) {
        let (name, entity) = match &entry.kind {
            EntryKind::Channel { name, .. } => (name, Entity::Channels(Rc::new([]))),
            EntryKind::Instance { name, callee, .. } => {
                let unit = self.made.frames[entries.frame.0].unit;
                let procs = [unit, 0].map(|unit| self.decls.units[unit].proc(&callee.text));
                let entity = if self.decls.modules.contains_key(callee.text.as_str()) {
                    Entity::Modules(Rc::new([]))
                } else if callee.text == "detector" && procs.iter().all(Option::is_none) {
                    Entity::Detectors(Rc::new([]))
                } else {
                    Entity::Processes(Rc::new([]))
                };
                (name, entity)
            }
            EntryKind::For { entries: inner, .. } => {
                for entry in inner {
                    self.empty_entry(entries, entry);
                }
                return;
            }
            EntryKind::Error => {
                self.lost_entry();
                return;
            }
        };
        self.made.frames[entries.frame.0]
            .entries
            .entry(&name.name.text)
            .or_insert(Entry {
                entity,
                span: name.name.span,
            });
    }

    /// Makes names known that could not be created.
    pub fn broken_entry(&mut self, entries: &mut Entries<'a>, entry: &'a ast::Entry) {
        match &entry.kind {
            EntryKind::Instance { name, .. } | EntryKind::Channel { name, .. } => {
                self.made.frames[entries.frame.0]
                    .entries
                    .entry(&name.name.text)
                    .or_insert(Entry {
                        entity: Entity::Broken,
                        span: name.name.span,
                    });
            }
            EntryKind::For { entries: inner, .. } => {
                for entry in inner {
                    self.broken_entry(entries, entry);
                }
            }
            EntryKind::Error => self.lost_entry(),
        }
    }

    pub fn unknown_callee(&mut self, scope: usize, callee: &ast::Name) {
        let definitions = &self.decls;
        let known: Vec<&str> = definitions.units[scope]
            .proc_ids
            .keys()
            .chain(definitions.units[0].proc_ids.keys())
            .chain(definitions.modules.keys())
            .copied()
            .collect();
        let data = definitions.data_ids.get(callee.text.as_str());
        let constant = [scope, 0].into_iter().find_map(|scope| {
            let constant = definitions.units[scope].constant(&callee.text)?;
            Some(("a constant", constant.name.span))
        });
        let data = data.map(|id| ("a type", self.decls.data[id.0 as usize].span));
        if let Some((found, declared)) = data.or(constant) {
            self.log.report(NameProblem::WrongKind {
                name: callee.text.clone(),
                span: callee.span,
                found,
                wanted: "a proc",
                declared: Some(declared),
                hint: None,
            });
            return;
        }
        let suggestion = self.log.near(&callee.text, known);
        let problem = NameProblem::UnknownProc {
            name: callee.text.clone(),
            span: callee.span,
            suggestion,
        };
        self.log.report_unknown(self.log.lost.declarations, problem);
    }
}
