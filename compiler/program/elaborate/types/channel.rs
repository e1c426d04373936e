//! Channel types.

use crate::program::elaborate::expr::Expressions;
use crate::program::problem::SizeProblem;
use crate::program::{Type, limits};
use crate::syntax::ast::{self, TypeKind};

/// The type of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelType {
    pub capacity: Capacity,
    pub fields: Vec<Type>,
}

/// How many messages a channel holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capacity {
    Rendezvous,
    /// A parameter that takes any buffered channel.
    Any,
    Buffered(u32),
}

impl<'a> Expressions<'_, 'a> {
    /// The type of a channel; `ty` is written `channel ..`.
    pub fn channel_type(&mut self, ty: &'a ast::Type, parameter: bool) -> Option<ChannelType> {
        let TypeKind::Channel(capacity, fields) = &ty.kind else {
            if matches!(ty.kind, TypeKind::Error) {
                self.log.incomplete = true;
            } else {
                self.misplaced_type("only channels can stand here", ty.span, None);
            }
            return None;
        };
        let capacity = match capacity {
            ast::Capacity::Rendezvous => Some(Capacity::Rendezvous),
            ast::Capacity::Any if parameter => Some(Capacity::Any),
            ast::Capacity::Any => {
                self.misplaced_type(
                    "a channel needs a capacity here",
                    ty.span,
                    Some("write a number between the brackets, as in `channel [2] { .. }`"),
                );
                None
            }
            ast::Capacity::Buffered(capacity) => {
                let what = "the capacity of a channel";
                self.length(capacity, "a buffer", what)
                    .map(Capacity::Buffered)
            }
        };
        let fields: Vec<Option<Type>> = fields.iter().map(|field| self.value_type(field)).collect();
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
        Some(ChannelType { capacity, fields })
    }
}
