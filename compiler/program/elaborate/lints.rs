//! Lints that need to have seen the whole model. A name that begins with `_` is never called unused.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;
use super::entities::Entity;
use crate::diagnostic::Diagnostic;
use crate::program::problem::Lint;
use crate::program::{FaultKind, FaultTarget, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, DataId};

/// A group of sent constructors, per channel and type.
type Sent = FxHashMap<(ChannelId, DataId), Vec<(u32, Span)>>;

impl<'a> Checker<'a> {
    /// Reports what is legal but probably not meant.
    pub fn lints(&mut self) {
        self.agreed();
        self.unused_variables();
        self.unused_definitions();
        self.channels();
        self.constructors();
        self.idle_markers();
    }

    /// Reports the errors that all elaborations of a place agree on.
    pub fn agreed_errors(&mut self) {
        let answers = self.uses.agreed.values().flatten();
        let errors: Vec<Diagnostic> = answers.filter(|a| a.is_error()).cloned().collect();
        for error in errors {
            self.report(error);
        }
    }

    /// What all elaborations of a place agree on.
    fn agreed(&mut self) {
        let agreed = std::mem::take(&mut self.uses.agreed);
        for diagnostic in agreed.into_values().flatten() {
            self.report(diagnostic);
        }
    }

    fn unused_variables(&mut self) {
        for (name, span) in std::mem::take(&mut self.uses.variables) {
            if !name.starts_with('_') && !self.uses.read.contains(&span) {
                let written = self.uses.written.contains(&span);
                self.report(Lint::UnusedVariable {
                    name,
                    written,
                    span,
                });
            }
        }
    }

    /// Procs, modules and parameters. What an imported file defines need not be used.
    fn unused_definitions(&mut self) {
        let main = self.definitions.main;
        for scope in 0..self.definitions.scopes.len() {
            let definition = &self.definitions.scopes[scope];
            let mut unused: Vec<(&'a ast::Name, &'static str)> = Vec::new();
            let mut params: Vec<&'a ast::Param> = Vec::new();
            if let Some(module) = definition.module {
                unused.push((&module.name, "module"));
                params.extend(&module.params);
            }
            for proc in &definition.procs {
                unused.push((&proc.name, "proc"));
                params.extend(&proc.params);
            }
            unused.retain(|(name, _)| {
                Some(name.span.file) == main
                    && !name.text.starts_with('_')
                    && !self.uses.instantiated.contains(&name.span)
            });
            params.retain(|param| {
                !param.name.text.starts_with('_') && !self.uses.read.contains(&param.name.span)
            });
            for (name, what) in unused {
                self.report(Lint::UnusedProc {
                    name: name.text.clone(),
                    what,
                    span: name.span,
                });
            }
            for param in params {
                self.report(Lint::UnusedParameter {
                    name: param.name.text.clone(),
                    span: param.name.span,
                });
            }
        }
    }

    /// Channels that are not used, or from one side only; arrays of which that is true of every element.
    fn channels(&mut self) {
        let mut places: Vec<Span> = Vec::new();
        let mut used: FxHashMap<Span, (bool, bool, bool)> = FxHashMap::default();
        for (index, channel) in self.program.channels.iter().enumerate() {
            let id = ChannelId(index as u32);
            let (sent, received, asked) = used.entry(channel.span).or_insert_with(|| {
                places.push(channel.span);
                (false, false, false)
            });
            *sent |= self.uses.sent.contains(&id);
            *received |= self.uses.received.contains(&id);
            *asked |= self.uses.asked.contains(&id);
        }
        let names = self.entry_names();
        for span in places {
            let name = names.get(&span).cloned().unwrap_or_default();
            if name.starts_with('_') {
                continue;
            }
            match used[&span] {
                (true, true, _) => {}
                (false, false, false) => self.report(Lint::UnusedChannel { name, span }),
                (false, _, _) => self.report(Lint::OneSided {
                    name,
                    missing: "sends on",
                    span,
                }),
                (true, false, _) => self.report(Lint::OneSided {
                    name,
                    missing: "receives from",
                    span,
                }),
            }
        }
    }

    /// The names of channel entries as written, by place.
    fn entry_names(&self) -> FxHashMap<Span, String> {
        self.frames
            .iter()
            .flat_map(|frame| &frame.entries)
            .filter(|(_, entry)| matches!(entry.entity, Entity::Channel(_) | Entity::Channels(_)))
            .map(|(name, entry)| (entry.span, (*name).to_owned()))
            .collect()
    }

    fn constructors(&mut self) {
        let main = self.definitions.main;
        let mut carried: FxHashSet<DataId> = FxHashSet::default();
        for ty in self
            .program
            .channels
            .iter()
            .flat_map(|channel| &channel.fields)
            .chain(self.program.variables.iter().map(|variable| &variable.ty))
        {
            if let Type::Data(data) = ty.scalar() {
                carried.insert(*data);
            }
        }
        for data in 0..self.program.data.len() {
            let id = DataId(data as u32);
            let ty = self.program.data[data].clone();
            if Some(ty.span.file) != main || self.uses.arbitrary.contains(&id) {
                continue;
            }
            for (index, name) in ty.constructors.iter().enumerate() {
                let key = (id, index as u32);
                let produced = self.uses.produced.contains(&key);
                let compared = self.uses.compared.get(&key).copied();
                let span = self.definitions.constructor_spans[data][index];
                // The first is what variables hold at first.
                let zero = index == 0 && carried.contains(&id);
                if name.starts_with('_') || produced || zero {
                    continue;
                }
                match compared {
                    None => self.report(Lint::UnusedConstructor {
                        name: name.clone(),
                        data: ty.name.clone(),
                        span,
                    }),
                    Some(compared) => self.report(Lint::NeverProduced {
                        name: name.clone(),
                        data: ty.name.clone(),
                        span,
                        compared,
                    }),
                }
            }
        }
        self.indistinct_messages();
    }

    /// Constructors that are sent on one channel, but that nothing ever tells apart.
    fn indistinct_messages(&mut self) {
        let mut sent: Sent = FxHashMap::default();
        for ((channel, data, index), span) in &self.uses.sent_constructors {
            if !self.uses.compared.contains_key(&(*data, *index))
                && !self.uses.opaque.contains(data)
                && self.uses.received.contains(channel)
            {
                sent.entry((*channel, *data))
                    .or_default()
                    .push((*index, *span));
            }
        }
        let mut groups: Vec<_> = sent.into_iter().filter(|(_, g)| g.len() > 1).collect();
        groups.sort_by_key(|((channel, data), _)| (*channel, *data));
        for ((channel, data), mut group) in groups {
            group.sort_unstable();
            let ty = &self.program.data[data.0 as usize];
            let names = group
                .iter()
                .map(|(index, _)| ty.constructors[*index as usize].clone())
                .collect();
            let spans = &self.definitions.constructor_spans[data.0 as usize];
            let lint = Lint::NeverCompared {
                names,
                channel: self.program.channels[channel.0 as usize].name.clone(),
                span: spans[group[0].0 as usize],
                sent: group[0].1,
            };
            self.report(lint);
        }
    }

    /// Markers on something that never acts; on arrays and replicated entries if no element ever does.
    fn idle_markers(&mut self) {
        let mut idle: Vec<(Span, Option<(FaultKind, String)>)> = Vec::new();
        let mut known: FxHashMap<Span, usize> = FxHashMap::default();
        for fault in &self.program.faults {
            let why = match (fault.target, fault.kind) {
                (FaultTarget::Process(id), _) => {
                    let process = &self.program.processes[id.0 as usize];
                    process
                        .body
                        .is_empty()
                        .then(|| format!("`{}` does nothing", process.name))
                }
                (FaultTarget::Channel(id), FaultKind::Drop | FaultKind::Corrupt) => {
                    (!self.uses.sent.contains(&id))
                        .then(|| format!("no process sends on `{}`", self.channel_name_of(id)))
                }
                (FaultTarget::Channel(id), _) => (!self.uses.received.contains(&id))
                    .then(|| format!("no process receives from `{}`", self.channel_name_of(id))),
            };
            let answer = why.map(|why| (fault.kind, why));
            match known.get(&fault.span) {
                Some(index) if answer.is_none() => idle[*index].1 = None,
                Some(_) => {}
                None => {
                    known.insert(fault.span, idle.len());
                    idle.push((fault.span, answer));
                }
            }
        }
        for (span, answer) in idle {
            if let Some((kind, why)) = answer {
                self.report(Lint::IdleMarker {
                    marker: kind.as_str(),
                    why,
                    span,
                });
            }
        }
    }

    fn channel_name_of(&self, id: ChannelId) -> &str {
        &self.program.channels[id.0 as usize].name
    }
}
