//! Expressions over scalars, generic in what they read.
//!
//! A process graph reads channels symbolically ([`graph::Leaf`](crate::graph::Leaf)), a System only
//! variables, picks and locations ([`system::Leaf`](crate::system::Leaf)); the operators are the same. Arrays
//! and bit operators are gone: an element read by a computed index is a [`Expr::Select`], and so is a
//! bit operator (a table of constants).
//!
//! Every expression has a value in every state: a division by zero yields 0, a `Select` whose index is out
//! of bounds its last item. The run-time checks keep processes from ever using such a value.
//!
//! Parts are shared ([`Shared`], [`List`]): a copy of an expression costs nothing, and a value that a thousand updates read is
//! there once. Who looks at many expressions that may share parts keeps a [`Memo`] or a [`Seen`] while doing so.

mod build;
mod op;
mod shared;
mod walk;

pub use build::Part;
pub use op::{Op, hull};
pub use shared::{List, Shared};
pub use walk::{Memo, Replaced, Seen};

use std::hash::Hash;

use crate::vocabulary::DataId;

/// What the leaves of an expression can be.
pub trait Leaves: Clone + Eq + Hash {}

impl<L: Clone + Eq + Hash> Leaves for L {}

/// A scalar constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// A `bool`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The constructor with this index.
    Data(DataId, u32),
}

impl Scalar {
    /// The number that stands for it in a state: booleans are 0 and 1, constructors their index.
    pub fn code(self) -> i64 {
        match self {
            Scalar::Bool(b) => i64::from(b),
            Scalar::Int(i) => i,
            Scalar::Data(_, index) => i64::from(index),
        }
    }
}

/// The values a variable or pick ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// false, true
    Bool,
    /// The integers lo to hi.
    Int {
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// The constructors of a `data` type, of which there are `count`.
    Data {
        /// The type.
        data: DataId,
        /// Its number of constructors.
        count: u32,
    },
}

impl Domain {
    /// Least and greatest code.
    pub fn bounds(self) -> (i64, i64) {
        match self {
            Domain::Bool => (0, 1),
            Domain::Int { lo, hi } => (lo, hi),
            Domain::Data { count, .. } => (0, i64::from(count) - 1),
        }
    }

    /// How many values there are.
    pub fn size(self) -> u64 {
        let (lo, hi) = self.bounds();
        (hi - lo + 1) as u64
    }

    /// The constant a code stands for.
    pub fn scalar(self, code: i64) -> Scalar {
        match self {
            Domain::Bool => Scalar::Bool(code != 0),
            Domain::Int { .. } => Scalar::Int(code),
            Domain::Data { data, .. } => Scalar::Data(data, code as u32),
        }
    }

    /// 0 if inside, else the least value.
    pub fn zero(self) -> i64 {
        let (lo, hi) = self.bounds();
        if lo <= 0 && 0 <= hi { 0 } else { lo }
    }
}

/// An expression whose leaves are `L`. Booleans evaluate to 0 and 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr<L> {
    /// A constant.
    Const(Scalar),
    /// What it reads.
    Leaf(L),
    /// `!e`
    Not(Shared<L>),
    /// All of them, evaluated from the left until one is false; true if empty.
    And(List<L>),
    /// One of them, evaluated from the left until one is true; false if empty.
    Or(List<L>),
    /// `-e`
    Neg(Shared<L>),
    /// A comparison or arithmetic.
    Binary(Op, Shared<L>, Shared<L>),
    /// `if c then a else b`
    If(Shared<L>, Shared<L>, Shared<L>),
    /// The item at an index from 0; the last one if out of bounds. Never empty.
    Select(Shared<L>, List<L>),
}
