//! Channels that nobody uses, or from one side only.

use rustc_hash::FxHashMap;

use super::Lints;
use crate::program::elaborate::init::Entity;
use crate::program::problem::Lint;
use crate::source::Span;
use crate::vocabulary::ChannelId;

impl<'a> Lints<'_, 'a> {
    /// Channels that are not used, or from one side only; arrays of which that is true of every element.
    pub fn channels(&mut self) {
        let mut places: Vec<Span> = Vec::new();
        let mut used: FxHashMap<Span, (bool, bool, bool)> = FxHashMap::default();
        for (index, channel) in self.program.channels.iter().enumerate() {
            let id = ChannelId(index as u32);
            let (sent, received, asked) = used.entry(channel.span).or_insert_with(|| {
                places.push(channel.span);
                (false, false, false)
            });
            *sent |= self.log.uses.sent.contains(&id);
            *received |= self.log.uses.received.contains(&id);
            *asked |= self.log.uses.asked.contains(&id);
        }
        let names = self.entry_names();
        for span in places {
            let name = names.get(&span).cloned().unwrap_or_default();
            if name.starts_with('_') {
                continue;
            }
            match used[&span] {
                (true, true, _) => {}
                (false, false, false) => self.log.report(Lint::UnusedChannel { name, span }),
                (false, _, _) => self.log.report(Lint::OneSided {
                    name,
                    missing: "sends on",
                    span,
                }),
                (true, false, _) => self.log.report(Lint::OneSided {
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
}
