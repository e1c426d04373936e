//! A variable that is a function of others is derived instead of stored.
//!
//! ```text
//! before   s0 --!ready: ready := true, value := x--> s1 --ready && received: ready := false, value := 0--> done
//! after    ready = sender at s1,  value = if sender at s1 then x else 0
//! ```
//!
//! If one process alone changes a variable and at each of its locations the variable always equals the same constant,
//! or the same expression over variables that again this process alone changes, then it is a function of the
//! state: what the expression reads cannot change while the process stays at the location. `ready` and `value`
//! of a rendezvous channel with one sending process are such variables, and so is a budget that is used up by a
//! crash; no case is made for either.
//!
//! Sound for every kind of property: in every reachable state the variable has the value it had before. The states
//! and moves stay the same.

use indexmap::{IndexMap, IndexSet};

use super::Simplified;
use super::leaves::{Writer, at, inline, reads, rewrite, size, writers};
use super::ranges::Ranges;
use crate::system::{Domain, Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// What a variable equals at a location may have as many nodes.
const MOST_NODES: usize = 12;

/// Makes variables derived that are determined by the location of a process.
pub(super) fn derive(simplified: &mut Simplified) {
    let ranges = Ranges::of(&simplified.system);
    // Functions of the location alone first: what they would be derived from may be derived itself.
    for alone in [true, false] {
        for var in (0..simplified.system.vars.len() as u32).map(VarId) {
            let writers = writers(&simplified.system);
            let Writer::Only(process) = writers[var.0 as usize] else {
                continue;
            };
            let system = &simplified.system;
            let facts = if alone {
                constants(system, process, var, &ranges)
            } else {
                expressions(system, process, var, &writers)
            };
            if let Some(facts) = facts {
                let definition = define(system, process, var, &facts);
                install(&mut simplified.system, var, definition);
            }
        }
    }
}

/// What a variable equals at each location that is reached.
type Facts = IndexMap<LocId, Expr>;

/// The constant a variable equals at each location, if it always does.
fn constants(system: &System, process: ProcessId, var: VarId, ranges: &Ranges) -> Option<Facts> {
    (0..system.process(process).locations.len() as u32)
        .map(LocId)
        .filter(|l| ranges.reaches(process, *l))
        .map(|l| {
            let code = ranges.constant_at(process, l, var)?;
            Some((l, Expr::Const(system.var(var).domain.scalar(code))))
        })
        .collect()
}

/// The expression a variable equals at each location, if it always does.
fn expressions(
    system: &System,
    process: ProcessId,
    var: VarId,
    writers: &[Writer],
) -> Option<Facts> {
    let p = system.process(process);
    let start = system.var(var);
    let mut facts = Facts::new();
    facts.insert(p.initial, Expr::Const(start.domain.scalar(start.init)));
    loop {
        let mut changed = false;
        for edge in &p.edges {
            let Some(before) = facts.get(&edge.from) else {
                continue;
            };
            let after = after(system, process, var, edge, before, writers)?;
            match facts.get(&edge.to) {
                Some(known) if *known != after => return None,
                Some(_) => {}
                None => {
                    facts.insert(edge.to, after);
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(facts);
        }
    }
}

/// What a variable equals after an edge, in terms of the state then.
fn after(
    system: &System,
    process: ProcessId,
    var: VarId,
    edge: &Edge,
    before: &Expr,
    writers: &[Writer],
) -> Option<Expr> {
    let written = |v: VarId| edge.updates.iter().any(|(w, _)| *w == v);
    let unchanged = |e: &Expr| {
        let mut read = IndexSet::new();
        reads(e, &mut read);
        read.into_iter().all(|v| !written(v))
    };
    let Some((_, value)) = edge.updates.iter().find(|(v, _)| *v == var) else {
        return unchanged(before).then(|| before.clone());
    };
    let value = at(&inline(system, value), process, edge.from);
    let only = |v: &VarId| match writers[v.0 as usize] {
        Writer::Nobody => true,
        Writer::Only(p) => p == process,
        Writer::Several => false,
    };
    let mut stable = size(&value) <= MOST_NODES;
    value.leaves(&mut |leaf| {
        stable &= matches!(leaf, Leaf::Var(v) if only(v) && *v != var);
    });
    if stable && unchanged(&value) {
        return Some(value);
    }
    // Another variable may have been given the same value.
    let twin = edge.updates.iter().find(|(v, e)| {
        let same_domain = system.var(*v).domain == system.var(var).domain;
        *v != var && only(v) && same_domain && at(&inline(system, e), process, edge.from) == value
    });
    twin.map(|(v, _)| Expr::Leaf(Leaf::Var(*v)))
}

/// The variable as a function of the location.
fn define(system: &System, process: ProcessId, var: VarId, facts: &Facts) -> Expr {
    let mut groups: IndexMap<&Expr, Vec<LocId>> = IndexMap::new();
    for (location, value) in facts {
        groups.entry(value).or_default().push(*location);
    }
    let here = |mut locations: Vec<LocId>| {
        locations.sort();
        Expr::Leaf(Leaf::At(process, locations))
    };
    let constant = groups.keys().all(|e| e.as_const().is_some());
    if system.var(var).domain == Domain::Bool && constant && groups.len() == 2 {
        let yes = groups.swap_remove(&Expr::yes()).unwrap_or_default();
        return here(yes);
    }
    // Stable, so that among equally frequent values the first is the default.
    groups.sort_by(|_, a, _, b| b.len().cmp(&a.len()));
    let mut groups = groups.into_iter();
    let (default, _) = groups.next().expect("the initial location is reached");
    groups.fold(default.clone(), |rest, (value, locations)| {
        Expr::ite(here(locations), value.clone(), rest)
    })
}

/// Stores a variable no longer.
fn install(system: &mut System, var: VarId, definition: Expr) {
    for process in &mut system.processes {
        for edge in &mut process.edges {
            edge.updates.retain(|(v, _)| *v != var);
        }
    }
    // What was derived from it is derived from what it is derived from.
    for other in &mut system.vars {
        if let Some(e) = &mut other.derived {
            *e = e.map(&mut |leaf| match leaf {
                Leaf::Var(v) if *v == var => definition.clone(),
                _ => Expr::Leaf(leaf.clone()),
            });
        }
    }
    let constant = definition.as_const().map(|_| definition.clone());
    system.vars[var.0 as usize].derived = Some(definition);
    if let Some(constant) = constant {
        rewrite(system, &mut |_, leaf| match leaf {
            Leaf::Var(v) if *v == var => constant.clone(),
            _ => Expr::Leaf(leaf.clone()),
        });
    }
}
