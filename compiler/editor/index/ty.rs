//! Types, as far as an editor needs them: to find fields, and constructors that fit.

use super::{DefId, Index};

/// A type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Ty {
    /// `bool`
    Bool,
    /// A range of integers; its bounds if they are the same for all instances.
    Int(Option<(i64, i64)>),
    /// A `data` type, a record or another name of a type.
    Named(DefId),
    /// An array.
    Array(Box<Ty>),
    /// A channel, with the fields of its messages, and whether it has a buffer.
    Channel(Vec<Ty>, bool),
    /// A process.
    Process,
    /// Any other, or none.
    #[default]
    Unknown,
}

impl Ty {
    /// The type of the elements of an array.
    pub fn element(&self) -> Ty {
        match self {
            Ty::Array(element) => (**element).clone(),
            _ => Ty::Unknown,
        }
    }

    /// The number of values, if it is known to be finite and small.
    pub fn range(&self, index: &Index) -> Option<(i64, i64)> {
        match index.plain(self) {
            Ty::Int(range) => range,
            Ty::Array(element) => element.range(index),
            _ => None,
        }
    }
}
