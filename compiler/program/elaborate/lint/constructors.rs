//! Constructors that nobody uses, produces or tells apart.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lints;
use crate::program::Type;
use crate::program::problem::Lint;
use crate::source::Span;
use crate::vocabulary::{ChannelId, DataId};

/// A group of sent constructors, per channel and type.
type Sent = FxHashMap<(ChannelId, DataId), Vec<(u32, Span)>>;

impl<'a> Lints<'_, 'a> {
    pub fn constructors(&mut self) {
        let main = self.decls.main;
        let mut carried: FxHashSet<DataId> = FxHashSet::default();
        for ty in self
            .program
            .channels
            .iter()
            .flat_map(|channel| &channel.fields)
            .chain(self.program.variables.iter().map(|variable| &variable.ty))
        {
            for ty in ty.flat() {
                if let Type::Data(data) = ty {
                    carried.insert(data);
                }
            }
        }
        for data in 0..self.program.data.len() {
            let id = DataId(data as u32);
            let ty = self.program.data[data].clone();
            if Some(ty.span.file) != main || self.log.uses.arbitrary.contains(&id) {
                continue;
            }
            for (index, name) in ty.constructors.iter().enumerate() {
                let key = (id, index as u32);
                let produced = self.log.uses.produced.contains(&key);
                let compared = self.log.uses.compared.get(&key).copied();
                let span = self.decls.constructor_spans[data][index];
                // The first is what variables hold at first.
                let zero = index == 0 && carried.contains(&id);
                if name.starts_with('_') || produced || zero {
                    continue;
                }
                match compared {
                    None => self.log.report(Lint::UnusedConstructor {
                        name: name.clone(),
                        data: ty.name.clone(),
                        span,
                    }),
                    Some(compared) => self.log.report(Lint::NeverProduced {
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
        for ((channel, data, index), span) in &self.log.uses.sent_constructors {
            if !self.log.uses.compared.contains_key(&(*data, *index))
                && !self.log.uses.opaque.contains(data)
                && self.log.uses.received.contains(channel)
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
            let spans = &self.decls.constructor_spans[data.0 as usize];
            let lint = Lint::NeverCompared {
                names,
                channel: self.program.channels[channel.0 as usize].name.clone(),
                span: spans[group[0].0 as usize],
                sent: group[0].1,
            };
            self.log.report(lint);
        }
    }
}
