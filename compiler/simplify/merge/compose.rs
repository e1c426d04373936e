//! One edge in place of two.

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::simplify::leaves::{reads, rewrite_edge};
use crate::system::{Edge, EdgeKind, Expr, Leaf, System, VarId};
use crate::vocabulary::ProcessId;

/// The edge that does what `first` and right after it `second` do: the second's expressions see the first's updates.
pub(super) fn compose(system: &System, process: ProcessId, first: &Edge, second: &Edge) -> Edge {
    let written = first.updates.iter().map(|(v, value)| (*v, value)).collect();
    let picks = first.picks.len() as u32;
    let between = Between {
        process,
        first,
        written,
    };
    let mut then = second.clone();
    rewrite_edge(&mut then, &mut |leaf| match leaf {
        Leaf::Pick(_) if picks == 0 => None,
        Leaf::Pick(i) => Some(Expr::Leaf(Leaf::Pick(i + picks))),
        Leaf::Var(v) => match &system.var(*v).derived {
            Some(definition) if between.changes(definition) => {
                Some(definition.replace(&mut |leaf| between.leaf(leaf)))
            }
            _ => between.leaf(leaf),
        },
        Leaf::At(..) => between.leaf(leaf),
    });
    let overwritten: FxHashSet<VarId> = then.updates.iter().map(|(v, _)| *v).collect();
    let kept = first
        .updates
        .iter()
        .filter(|(v, _)| !overwritten.contains(v));
    Edge {
        from: first.from,
        to: second.to,
        guard: Expr::and([first.guard.clone(), then.guard.clone()]),
        picks: first.picks.iter().chain(&second.picks).copied().collect(),
        updates: kept.chain(&then.updates).cloned().collect(),
        kind: kind(first.kind, second.kind),
        events: first.events.iter().chain(&then.events).cloned().collect(),
        span: second.span,
    }
}

/// What holds between two edges, in terms of the state before the first.
struct Between<'a> {
    process: ProcessId,
    first: &'a Edge,
    written: FxHashMap<VarId, &'a Expr>,
}

impl Between<'_> {
    /// What a leaf is, if it is something else.
    fn leaf(&self, leaf: &Leaf) -> Option<Expr> {
        match leaf {
            Leaf::Var(v) => self.written.get(v).map(|value| (*value).clone()),
            Leaf::At(p, locations) if *p == self.process => {
                let here = locations.binary_search(&self.first.to).is_ok();
                Some(Expr::bool(here))
            }
            _ => None,
        }
    }

    /// Whether a derived variable has another value than before the first edge.
    fn changes(&self, definition: &Expr) -> bool {
        let mut read = IndexSet::new();
        reads(definition, &mut read);
        let mut located = false;
        definition.leaves(&mut |leaf| {
            located |= matches!(leaf, Leaf::At(p, _) if *p == self.process);
        });
        located || read.iter().any(|v| self.written.contains_key(v))
    }
}

/// A merged edge is a fault's or a recovery's if one of its parts is, and a timeout's if one of its parts is.
fn kind(first: EdgeKind, second: EdgeKind) -> EdgeKind {
    match (first, second) {
        (EdgeKind::Normal, other) | (other, EdgeKind::Normal) => other,
        (EdgeKind::Timeout, other) | (other, EdgeKind::Timeout) => other,
        (first, _) => first,
    }
}
