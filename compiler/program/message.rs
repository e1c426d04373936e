//! Channel operations: on which channel, what is sent, and what becomes of what is received.

use super::{Expr, Type, VariableId};
use crate::source::Span;
use crate::vocabulary::{ChannelId, MessageOp};

/// A channel operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Which.
    pub op: MessageOp,
    /// On which channel.
    pub channel: ChannelRef,
    /// What is sent, one per field; empty when receiving.
    pub values: Vec<Expr>,
    /// What becomes of each field, and what it must be; empty when sending.
    pub targets: Vec<Pattern>,
    /// All of it.
    pub span: Span,
}

/// What a field of a message must be for a receive to be possible, and where it goes.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// `_`: anything, and it is forgotten.
    Any,
    /// A variable: anything, and it is stored there.
    Into(Place),
    /// A constant, or `== e`.
    Equal(Expr),
    /// `any(lo..hi)`
    Between(i64, i64),
    /// `any(a, b)`: one of them; none has targets.
    Either(Vec<Pattern>),
    /// `Prepare(b)`: the constructor, and patterns for its fields.
    Constructor(u32, Vec<Pattern>),
}

impl Pattern {
    /// The variables it stores something in.
    pub fn places(&self) -> Vec<&Place> {
        match self {
            Pattern::Into(place) => vec![place],
            Pattern::Constructor(_, fields) => fields.iter().flat_map(Pattern::places).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions it is compared with.
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            Pattern::Equal(value) => vec![value],
            Pattern::Constructor(_, inner) | Pattern::Either(inner) => {
                inner.iter().flat_map(Pattern::values).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether everything matches it.
    pub fn takes_all(&self) -> bool {
        matches!(self, Pattern::Any | Pattern::Into(_))
    }
}

/// A channel, or one of an array by a computed index.
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelRef {
    /// The candidates; exactly one if there is no index.
    pub channels: Vec<ChannelId>,
    /// The index into them.
    pub index: Option<Expr>,
    /// As written.
    pub span: Span,
}

/// A variable, or an element or field of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VariableId,
    /// The way to the part that is meant, outermost first; empty for the whole variable.
    pub path: Vec<Step>,
    /// Its type.
    pub ty: Type,
    /// As written.
    pub span: Span,
}

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// To an element of an array.
    Index(Expr),
    /// To the field of a record at this position.
    Field(u32),
}

impl Place {
    /// The indices on the way.
    pub fn indices(&self) -> impl Iterator<Item = &Expr> {
        self.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) => None,
        })
    }
}
