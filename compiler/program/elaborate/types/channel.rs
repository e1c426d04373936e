//! Channel types.

use rustc_hash::FxHashMap;

use super::NamedType;
use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::expr::Expressions;
use crate::program::problem::{EntryProblem, NameProblem, SizeProblem};
use crate::program::{Channel, Type, limits};
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

/// The type of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelType {
    pub capacity: Capacity,
    /// Whether any message may be received.
    pub bag: bool,
    /// Whether a send to a full buffer loses the message.
    pub overflow: bool,
    pub fields: Vec<Type>,
    /// The names of the fields; none if they have no names.
    pub names: Vec<String>,
}

/// How many messages a channel holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capacity {
    Rendezvous,
    /// A parameter that takes any buffered channel.
    Any,
    Buffered(u32),
}

impl Declarations<'_> {
    /// Whether a channel can be what a parameter stands for.
    pub fn channel_fits(
        &self,
        channel: &Channel,
        wanted: &ChannelType,
        param: &ast::Param,
        span: Span,
    ) -> Result<(), EntryProblem> {
        let found = ChannelType {
            capacity: (channel.capacity).map_or(Capacity::Rendezvous, Capacity::Buffered),
            bag: channel.bag,
            overflow: channel.overflow,
            fields: channel.fields.clone(),
            names: channel.field_names.clone(),
        };
        let capacity = match wanted.capacity {
            Capacity::Any => found.capacity != Capacity::Rendezvous,
            capacity => capacity == found.capacity,
        };
        if capacity && wanted.fields == found.fields {
            return Ok(());
        }
        Err(EntryProblem::ChannelType {
            name: param.name.text.clone(),
            found: self.show_channel(&found),
            wanted: self.show_channel(wanted),
            span,
            declared: param.name.span,
        })
    }
}

impl<'a> Expressions<'_, 'a> {
    /// The type of an array of channels, and its length if it is written.
    pub fn channels_type(&mut self, ty: &'a ast::Type) -> Option<(Option<u32>, ChannelType)> {
        match &ty.kind {
            TypeKind::Named(name) => match self.named_type(name)? {
                NamedType::Channels(length, channel) => Some((length, channel)),
                _ => None,
            },
            TypeKind::Array(length, element) => {
                let length = match length {
                    None => Some(None),
                    Some(length) => self.array_length(length).map(Some),
                };
                let channel = self.channel_type(element, true);
                Some((length?, channel?))
            }
            _ => None,
        }
    }

    /// The type of a channel; `ty` is written `channel ..` or is the name of such a type.
    pub fn channel_type(&mut self, ty: &'a ast::Type, parameter: bool) -> Option<ChannelType> {
        if let TypeKind::Named(name) = &ty.kind {
            return match self.named_type(name)? {
                NamedType::Channel(channel) if channel.capacity == Capacity::Any && !parameter => {
                    self.needs_capacity(ty.span);
                    None
                }
                NamedType::Channel(channel) => Some(channel),
                NamedType::Value(_) | NamedType::Channels(..) => {
                    self.misplaced_type("only channels can stand here", ty.span, None);
                    None
                }
            };
        }
        let TypeKind::Channel(capacity, fields) = &ty.kind else {
            if matches!(ty.kind, TypeKind::Error) {
                self.log.incomplete = true;
            } else {
                self.misplaced_type("only channels can stand here", ty.span, None);
            }
            return None;
        };
        let (bag, overflow) = match capacity {
            ast::Capacity::Network { bag, overflow, .. } => (*bag, *overflow),
            _ => (false, false),
        };
        let capacity = match capacity {
            ast::Capacity::Network { length: None, .. } => {
                let text = match bag {
                    true => "a bag of messages needs a capacity",
                    false => "a channel without a buffer cannot overflow",
                };
                let hint = "write how many messages it holds, as in `channel [2] { .. }`";
                self.misplaced_type(text, ty.span, Some(hint));
                None
            }
            ast::Capacity::Rendezvous => Some(Capacity::Rendezvous),
            ast::Capacity::Any if parameter => Some(Capacity::Any),
            ast::Capacity::Any => {
                self.needs_capacity(ty.span);
                None
            }
            ast::Capacity::Buffered(capacity)
            | ast::Capacity::Network {
                length: Some(capacity),
                ..
            } => {
                let what = "the capacity of a channel";
                self.length(capacity, "a buffer", what)
                    .map(Capacity::Buffered)
            }
        };
        let names = self.field_names(fields);
        let fields: Vec<Option<Type>> = fields
            .iter()
            .map(|field| self.value_type(&field.ty))
            .collect();
        let (capacity, fields) = (capacity?, fields.into_iter().collect::<Option<Vec<_>>>()?);
        let slots = match capacity {
            Capacity::Buffered(n) => u64::from(n),
            _ => 1,
        };
        let scalars = fields
            .iter()
            .map(Type::scalars)
            .sum::<u64>()
            .saturating_mul(slots);
        if scalars > limits::SCALARS {
            self.log.report(SizeProblem::Scalars {
                count: scalars,
                span: ty.span,
            });
            return None;
        }
        Some(ChannelType {
            capacity,
            bag,
            overflow,
            fields,
            names: names?,
        })
    }

    fn needs_capacity(&mut self, span: Span) {
        self.misplaced_type(
            "a channel needs a capacity here",
            span,
            Some("write a number between the brackets, as in `channel [2] { .. }`"),
        );
    }

    /// The names of a channel's fields, all or none of which have one.
    fn field_names(&mut self, fields: &'a [ast::Field]) -> Option<Vec<String>> {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let mut sound = true;
        for name in fields.iter().filter_map(|field| field.name.as_ref()) {
            self.log.legal_name(name, false);
            if let Some(first) = seen.insert(&name.text, name.span) {
                self.log.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what: "field",
                    span: name.span,
                    first,
                });
                sound = false;
            }
        }
        let nameless = fields.iter().find(|field| field.name.is_none());
        if let Some(nameless) = nameless
            && !seen.is_empty()
        {
            self.misplaced_type(
                "this field has no name, but others have",
                nameless.ty.span,
                Some("write a name before every type, or before none"),
            );
            sound = false;
        }
        let names = fields.iter().filter_map(|field| field.name.as_ref());
        sound.then(|| names.map(|name| name.text.clone()).collect())
    }
}
