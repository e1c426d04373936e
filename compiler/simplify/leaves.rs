//! What expressions read, and rewriting of everything a System reads.

use indexmap::IndexSet;

use crate::system::expr::Replaced;
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

/// The parts of a conjunction, one by one.
pub(super) fn conjuncts(guard: &Expr) -> &[Expr] {
    match guard {
        Expr::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// Calls `visit` for every state formula of the properties, assumptions and fair choices, and what else is kept.
pub(super) fn spec_exprs<'a>(system: &'a System, visit: &mut impl FnMut(&'a Expr)) {
    for property in &system.properties {
        property.kind.atoms(visit);
    }
    for assumption in &system.assumptions {
        assumption.formula.atoms(visit);
    }
    system.fair.iter().for_each(|fair| visit(&fair.owed));
    system.kept.iter().for_each(&mut *visit);
}

/// Replaces leaves of every expression of a System, those for which `leaf` yields something.
pub(super) fn rewrite(system: &mut System, leaf: &mut impl FnMut(Place, &Leaf) -> Option<Expr>) {
    for (index, process) in system.processes.iter_mut().enumerate() {
        for edge in &mut process.edges {
            let place = Place::Edge(ProcessId(index as u32), edge.from);
            rewrite_edge(edge, &mut |l| leaf(place, l));
        }
    }
    let mut memo = Replaced::default();
    let mut state = |l: &Leaf| leaf(Place::State, l);
    for var in &mut system.vars {
        if let Some(definition) = &mut var.derived {
            *definition = definition.replace_in(&mut memo, &mut state);
        }
    }
    for property in &mut system.properties {
        property.kind.rewrite(&mut state);
    }
    for assumption in &mut system.assumptions {
        assumption.formula.rewrite(&mut state);
    }
    for fair in &mut system.fair {
        fair.owed = fair.owed.replace(&mut state);
    }
    for kept in &mut system.kept {
        *kept = kept.replace(&mut state);
    }
}

/// Replaces leaves of every expression of an edge.
pub(super) fn rewrite_edge(edge: &mut Edge, leaf: &mut impl FnMut(&Leaf) -> Option<Expr>) {
    let mut memo = Replaced::default();
    edge.guard = edge.guard.replace_in(&mut memo, leaf);
    for (_, value) in &mut edge.updates {
        *value = value.replace_in(&mut memo, leaf);
    }
    for event in &mut edge.events {
        *event = event.over(&mut |e| e.replace_in(&mut memo, leaf));
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
