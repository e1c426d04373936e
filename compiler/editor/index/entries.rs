//! Looks up the names in `init`, and in markers.

use super::resolve::Resolver;
use super::{DefId, Kind, Ty};
use crate::syntax::ast::*;

impl Resolver<'_> {
    /// Finds the types and callees of entries.
    pub fn entry_types(&mut self, entries: &[Entry]) {
        for entry in entries {
            match &entry.kind {
                EntryKind::Instance { name, callee, .. } => {
                    let callee = self.top_or_inside(&callee.text);
                    if let Some(id) = self.entry_called(name) {
                        self.index.definitions[id.0].callee = callee;
                    }
                }
                EntryKind::Channel { name, ty, .. } => {
                    let ty = self.ty(ty);
                    if let Some(id) = self.entry_called(name) {
                        self.index.definitions[id.0].ty = match name.index {
                            Some(_) => Ty::Array(Box::new(ty)),
                            None => ty,
                        };
                    }
                }
                EntryKind::For { entries, .. } => self.entry_types(entries),
                EntryKind::Error => {}
            }
        }
    }

    fn entry_called(&self, name: &EntryName) -> Option<DefId> {
        let frame = match self.inside.last() {
            Some(module) => &self.modules[module],
            None => &self.frames[self.file],
        };
        let found = frame.entries.get(&name.name.text).copied();
        found.filter(|id| self.index[*id].span == name.name.span)
    }

    /// Looks up the names in entries.
    pub fn init(&mut self, entries: &[Entry]) {
        for entry in entries {
            match &entry.kind {
                EntryKind::Instance {
                    name,
                    callee,
                    args,
                    markers,
                } => {
                    if let Some(index) = &name.index {
                        self.expr(index, &Ty::Unknown);
                    }
                    let found = self.top_or_inside(&callee.text);
                    if let Some(id) = found {
                        self.note(callee.span, id, false);
                    }
                    let types = found.map_or_else(Vec::new, |id| self.field_types(id));
                    self.arguments(args, &types);
                    markers.iter().for_each(|marker| self.marker(marker, found));
                }
                EntryKind::Channel { name, markers, .. } => {
                    if let Some(index) = &name.index {
                        self.expr(index, &Ty::Unknown);
                    }
                    markers.iter().for_each(|marker| self.marker(marker, None));
                }
                EntryKind::For {
                    var,
                    from,
                    to,
                    entries,
                } => {
                    let ty = self.counted(from, to);
                    let depth = self.locals.len();
                    self.local(Kind::Counter, var, var.span.to(to.span), ty);
                    if let Some((_, id)) = self.locals.last() {
                        let definition = &mut self.index.definitions[id.0];
                        definition.scope = Some(entry.span);
                    }
                    self.init(entries);
                    self.locals.truncate(depth);
                }
                EntryKind::Error => {}
            }
        }
    }

    /// Looks up the names in a marker on an instance of a proc, or on a channel.
    pub fn marker(&mut self, marker: &Marker, proc: Option<DefId>) {
        self.fault_of(&marker.name);
        self.with_variables(proc, |r| {
            for arg in &marker.args {
                r.expr(&arg.value, &Ty::Unknown);
            }
        });
    }

    /// Notes which fault of the model a marker names, if it is one.
    pub fn fault_of(&mut self, name: &Name) {
        let (file, text) = match name.text.split_once('.') {
            Some((alias, text)) => {
                let found = (1..self.aliases.len()).find(|file| self.aliases[*file] == alias);
                (found.unwrap_or(self.file), text)
            }
            None => (self.file, name.text.as_str()),
        };
        if let Some(id) = self.faults.get(&(file, text.to_owned())) {
            self.note(name.span, *id, false);
        }
    }

    /// Does something where the variables and labels of a proc can be named.
    pub fn with_variables(&mut self, proc: Option<DefId>, inner: impl FnOnce(&mut Self)) {
        let depth = self.locals.len();
        if let Some(proc) = proc {
            let known: Vec<(String, DefId)> = (self.index.members(proc))
                .filter(|(_, member)| {
                    let kind = member.kind;
                    matches!(kind, Kind::Variable | Kind::Parameter | Kind::Label)
                })
                .map(|(id, member)| (member.name.clone(), id))
                .collect();
            // Of several with one name the first is meant, and variables come before labels.
            let (labels, variables): (Vec<_>, Vec<_>) =
                (known.into_iter().rev()).partition(|(_, id)| self.index[*id].kind == Kind::Label);
            self.locals.extend(labels);
            self.locals.extend(variables);
        }
        inner(self);
        self.locals.truncate(depth);
    }
}
