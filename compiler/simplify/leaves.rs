//! What expressions read, and rewriting of everything a System reads.

use indexmap::IndexSet;

pub(super) use crate::system::predicates::inline;
pub(super) use crate::system::predicates::knowing_at as at;
use crate::system::{Edge, Event, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// Where an expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On an edge of a process that leaves this location.
    Edge(ProcessId, LocId),
    /// In any state.
    State,
}

/// Adds the variables an expression reads to a set.
pub(super) fn reads(expr: &Expr, found: &mut IndexSet<VarId>) {
    expr.leaves(&mut |leaf| {
        if let Leaf::Var(v) = leaf {
            found.insert(*v);
        }
    });
}

/// The condition under which a timeout of this edge is untimely: reports ask for it, so its value must not change.
pub(super) fn timeliness(edge: &Edge) -> impl Iterator<Item = &Expr> {
    edge.events.iter().filter_map(|event| match event {
        Event::TimedOut(could) => Some(could),
        _ => None,
    })
}

/// How many nodes an expression has.
pub(super) fn size(expr: &Expr) -> usize {
    match expr {
        Expr::Const(_) | Expr::Leaf(_) => 1,
        Expr::Not(e) | Expr::Neg(e) => 1 + size(e),
        Expr::And(parts) | Expr::Or(parts) => 1 + parts.iter().map(size).sum::<usize>(),
        Expr::Binary(_, a, b) => 1 + size(a) + size(b),
        Expr::If(c, a, b) => 1 + size(c) + size(a) + size(b),
        Expr::Select(index, items) => 1 + size(index) + items.iter().map(size).sum::<usize>(),
    }
}

/// The parts of a conjunction, one by one.
pub(super) fn conjuncts(guard: &Expr) -> &[Expr] {
    match guard {
        Expr::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// Calls `visit` for every state formula of the properties and assumptions.
pub(super) fn spec_exprs<'a>(system: &'a System, visit: &mut impl FnMut(&'a Expr)) {
    for property in &system.properties {
        property.kind.atoms(visit);
    }
    for assumption in &system.assumptions {
        assumption.formula.atoms(visit);
    }
}

/// Replaces every leaf of every expression of a System.
pub(super) fn rewrite(system: &mut System, leaf: &mut impl FnMut(Place, &Leaf) -> Expr) {
    for (index, process) in system.processes.iter_mut().enumerate() {
        for edge in &mut process.edges {
            let place = Place::Edge(ProcessId(index as u32), edge.from);
            rewrite_edge(edge, &mut |l| leaf(place, l));
        }
    }
    let mut state = |l: &Leaf| leaf(Place::State, l);
    for var in &mut system.vars {
        if let Some(definition) = &mut var.derived {
            *definition = definition.map(&mut state);
        }
    }
    for property in &mut system.properties {
        property.kind.rewrite(&mut state);
    }
    for assumption in &mut system.assumptions {
        assumption.formula.rewrite(&mut state);
    }
}

/// Replaces every leaf of every expression of an edge.
pub(super) fn rewrite_edge(edge: &mut Edge, leaf: &mut impl FnMut(&Leaf) -> Expr) {
    edge.guard = edge.guard.map(leaf);
    for (_, value) in &mut edge.updates {
        *value = value.map(leaf);
    }
    for event in &mut edge.events {
        *event = event.map(leaf);
    }
}

/// Who changes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Writer {
    /// Nobody (or it is derived).
    Nobody,
    /// One process only.
    Only(ProcessId),
    /// Several.
    Several,
}

/// Who changes each variable.
pub(super) fn writers(system: &System) -> Vec<Writer> {
    let mut writers = vec![Writer::Nobody; system.vars.len()];
    for (id, process) in system.processes() {
        for (var, _) in process.edges.iter().flat_map(|e| &e.updates) {
            let writer = &mut writers[var.0 as usize];
            *writer = match *writer {
                Writer::Nobody => Writer::Only(id),
                Writer::Only(p) if p == id => Writer::Only(id),
                _ => Writer::Several,
            };
        }
    }
    writers
}

/// For each process the variables that it alone changes, in order.
pub(super) fn owned(system: &System, writers: &[Writer]) -> Vec<Vec<VarId>> {
    let mut owned = vec![Vec::new(); system.processes.len()];
    for (index, writer) in writers.iter().enumerate() {
        if let Writer::Only(p) = writer {
            owned[p.0 as usize].push(VarId(index as u32));
        }
    }
    owned
}
