//! Parts of expressions that several of them may share.
//!
//! Each knows its hash and its size, so that comparing, hashing and measuring an expression never walks through it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{Expr, Leaves, hull};

/// An expression that others may share.
pub struct Shared<L>(Arc<Node<L>>);

struct Node<L> {
    expr: Expr<L>,
    about: About,
}

/// Expressions in a row that others may share.
pub struct List<L>(Arc<Row<L>>);

struct Row<L> {
    items: Vec<Expr<L>>,
    about: About,
    uniform: bool,
    /// The least and greatest value if all items are constants.
    constants: Option<(i64, i64)>,
}

/// What is known of a part without looking into it.
#[derive(Clone, Copy)]
struct About {
    hash: u64,
    /// The number of nodes, shared ones as often as they occur.
    size: u32,
    /// Whether nothing is read in it.
    closed: bool,
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<L: Leaves> Shared<L> {
    /// Makes an expression one that can be shared.
    pub fn new(expr: Expr<L>) -> Self {
        let about = About {
            hash: hash_of(&expr),
            size: expr.nodes(),
            closed: expr.is_closed(),
        };
        Shared(Arc::new(Node { expr, about }))
    }

    /// The expression itself.
    pub fn take(self) -> Expr<L> {
        match Arc::try_unwrap(self.0) {
            Ok(node) => node.expr,
            Err(shared) => shared.expr.clone(),
        }
    }
}

impl<L: Leaves> List<L> {
    /// Makes expressions in a row such that can be shared.
    pub fn new(items: Vec<Expr<L>>) -> Self {
        let size = items.iter().map(Expr::nodes);
        let about = About {
            hash: hash_of(&items),
            size: size.fold(0, u32::saturating_add),
            closed: items.iter().all(Expr::is_closed),
        };
        let codes = items.iter().map(Expr::as_const);
        let constants = codes
            .map(|code| code.map(|code| (code, code)))
            .reduce(|a, b| Some(hull(a?, b?)))
            .flatten();
        let uniform = items.iter().all(|item| *item == items[0]);
        List(Arc::new(Row {
            items,
            about,
            uniform,
            constants,
        }))
    }

    /// The item at an index; the last one if it is out of bounds.
    pub fn at(&self, index: i64) -> &Expr<L> {
        let last = self.len() - 1;
        &self[usize::try_from(index).map_or(last, |i| i.min(last))]
    }

    /// Whether all items are the same.
    pub(super) fn is_uniform(&self) -> bool {
        self.0.uniform
    }

    /// The least and greatest value, if all items are constants.
    pub fn constants(&self) -> Option<(i64, i64)> {
        self.0.constants
    }
}

macro_rules! shared {
    ($name:ident, $target:ty, $field:ident) => {
        impl<L> $name<L> {
            /// How many nodes there are, those that are shared as often as they occur.
            pub(super) fn nodes(&self) -> u32 {
                self.0.about.size
            }

            /// Whether nothing is read.
            pub fn is_closed(&self) -> bool {
                self.0.about.closed
            }

            /// Whether others have it too.
            pub fn is_shared(&self) -> bool {
                Arc::strong_count(&self.0) > 1
            }

            /// What tells it from all others that there are at the same time.
            pub fn place(&self) -> usize {
                Arc::as_ptr(&self.0).cast::<()>() as usize
            }

            /// Whether both are one and the same, not only equal.
            pub fn is(&self, other: &Self) -> bool {
                Arc::ptr_eq(&self.0, &other.0)
            }
        }

        impl<L> Clone for $name<L> {
            fn clone(&self) -> Self {
                $name(Arc::clone(&self.0))
            }
        }

        impl<L> Deref for $name<L> {
            type Target = $target;

            fn deref(&self) -> &$target {
                &self.0.$field
            }
        }

        impl<L: PartialEq> PartialEq for $name<L> {
            fn eq(&self, other: &Self) -> bool {
                self.is(other) || self.0.about.hash == other.0.about.hash && **self == **other
            }
        }

        impl<L: Eq> Eq for $name<L> {}

        impl<L> Hash for $name<L> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.write_u64(self.0.about.hash);
            }
        }

        impl<L: fmt::Debug> fmt::Debug for $name<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    };
}

shared!(Shared, Expr<L>, expr);
shared!(List, [Expr<L>], items);

impl<'a, L> IntoIterator for &'a List<L> {
    type Item = &'a Expr<L>;
    type IntoIter = std::slice::Iter<'a, Expr<L>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<L: Leaves> From<Vec<Expr<L>>> for List<L> {
    fn from(items: Vec<Expr<L>>) -> Self {
        List::new(items)
    }
}

impl<L: Leaves> From<Expr<L>> for Shared<L> {
    fn from(expr: Expr<L>) -> Self {
        Shared::new(expr)
    }
}

impl<L> Expr<L> {
    /// How many nodes there are, those that are shared as often as they occur.
    fn nodes(&self) -> u32 {
        let parts = match self {
            Expr::Const(_) | Expr::Leaf(_) => 0,
            Expr::Not(e) | Expr::Neg(e) => e.nodes(),
            Expr::And(parts) | Expr::Or(parts) => parts.nodes(),
            Expr::Binary(_, a, b) => a.nodes().saturating_add(b.nodes()),
            Expr::If(c, a, b) => (c.nodes().saturating_add(a.nodes())).saturating_add(b.nodes()),
            Expr::Select(index, items) => index.nodes().saturating_add(items.nodes()),
        };
        parts.saturating_add(1)
    }

    /// How many nodes there are, those that are shared as often as they occur. Does not walk through them.
    pub fn size(&self) -> usize {
        self.nodes() as usize
    }

    /// Whether nothing is read.
    pub fn is_closed(&self) -> bool {
        match self {
            Expr::Const(_) => true,
            Expr::Leaf(_) => false,
            Expr::Not(e) | Expr::Neg(e) => e.is_closed(),
            Expr::And(parts) | Expr::Or(parts) => parts.is_closed(),
            Expr::Binary(_, a, b) => a.is_closed() && b.is_closed(),
            Expr::If(c, a, b) => c.is_closed() && a.is_closed() && b.is_closed(),
            Expr::Select(index, items) => index.is_closed() && items.is_closed(),
        }
    }
}
