//! Entries that create channels.

use super::Creator;
use super::entity::Entity;
use super::entries::Entries;
use crate::program::elaborate::types::{Capacity, ChannelType};
use crate::program::problem::{EntryProblem, TypeProblem};
use crate::program::{Channel, FaultTarget, limits};
use crate::syntax::ast::{self, TypeKind};
use crate::vocabulary::ChannelId;

impl<'a> Creator<'_, 'a> {
    pub fn create_channels(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        ty: &'a ast::Type,
        markers: &'a [ast::Marker],
    ) {
        let named = self.entry_name(entries, name);
        let Some((length, channel)) = self.entry_type(entries, ty, &named) else {
            self.mark_broken(entries, name);
            return;
        };
        let Ok((index, shown)) = named else {
            self.mark_broken(entries, name);
            return;
        };
        let capacity = match channel.capacity {
            Capacity::Buffered(n) => Some(n),
            _ => None,
        };
        let count = length.unwrap_or(1);
        if self.made.channels.len() + count as usize > limits::CHANNELS {
            self.log.too_many("channels", name.name.span);
            return;
        }
        let scalars: u64 = channel.fields.iter().map(|field| field.scalars()).sum();
        self.log.count_state(
            (scalars * u64::from(capacity.unwrap_or(1)) + 1) * u64::from(count),
            name.name.span,
        );
        let mut ids = Vec::with_capacity(count as usize);
        for k in 0..count {
            let id = ChannelId(self.made.channels.len() as u32);
            self.made.channels.push(Channel {
                name: match length {
                    None => shown.clone(),
                    Some(_) => format!("{shown}[{k}]"),
                },
                capacity,
                bag: channel.bag,
                overflow: channel.overflow,
                delay: None,
                fields: channel.fields.clone(),
                field_names: channel.names.clone(),
                span: name.name.span,
            });
            ids.push(id);
        }
        for (k, id) in ids.iter().enumerate() {
            let element = match length {
                Some(_) => Some(k as i64),
                None => index,
            };
            self.add_markers(entries, markers, FaultTarget::Channel(*id), element);
        }
        let entity = match length {
            None => Entity::Channel(ids[0]),
            Some(_) => Entity::Channels(ids.into()),
        };
        self.add_entry(entries, &name.name, index, entity);
    }

    /// The type of an entry: a channel, or an array of channels with its length.
    fn entry_type(
        &mut self,
        entries: &mut Entries<'a>,
        ty: &'a ast::Type,
        named: &Result<(Option<i64>, String), ()>,
    ) -> Option<(Option<u32>, ChannelType)> {
        let unit = self.made.frames[entries.frame.0].unit;
        let (seen_from, written) = self.decls.written(unit, ty);
        let TypeKind::Array(length, element) = &written.kind else {
            let channel = self.exprs(&mut entries.scope).channel_type(ty, false);
            return channel.map(|channel| (None, channel));
        };
        let inside = named.as_ref().is_ok_and(|(index, _)| index.is_some());
        if inside
            || matches!(
                self.decls.written(seen_from, element).1.kind,
                TypeKind::Array(..)
            )
        {
            if let Some(length) = length.as_ref().filter(|_| std::ptr::eq(ty, written)) {
                self.exprs(&mut entries.scope).array_length(length);
            }
            self.log
                .report(EntryProblem::NestedChannels { span: ty.span });
            return None;
        }
        if length.is_none() {
            self.log.report(TypeProblem::MisplacedType {
                text: "an array of channels needs a length here",
                span: ty.span,
                hint: Some("write it between the brackets, as in `[3]channel { .. }`"),
            });
            return None;
        }
        match &ty.kind {
            TypeKind::Array(Some(length), element) => {
                let length = self.exprs(&mut entries.scope).array_length(length);
                let channel = self.exprs(&mut entries.scope).channel_type(element, false);
                Some((Some(length?), channel?))
            }
            _ => {
                let array = self.exprs(&mut entries.scope).channels_type(ty);
                if array.is_none() {
                    // Of values, or it has been reported.
                    self.exprs(&mut entries.scope).channel_type(ty, false);
                }
                array
            }
        }
    }
}
