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
use super::leaves::{Writer, at, inline, reads, rewrite, writers};
use super::ranges::Ranges;
use crate::system::{Domain, Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// What a variable equals at a location may have as many nodes.
const MOST_NODES: usize = 12;

/// Values with more nodes than this are not compared with those of other variables.
const MOST_READ: usize = 1024;

/// For each location and edge of a process as many steps are made to find out what its variables are functions of; then the
/// others are left as they are. Definitions are no larger than what was looked at.
const MOST_STEPS: usize = 256;

/// With so many updates more an edge costs a step more.
const FEW_UPDATES: usize = 16;

/// Makes variables derived that are determined by the location of a process.
pub(super) fn derive(simplified: &mut Simplified, stop: &dyn Fn() -> bool) {
    let system = &mut simplified.system;
    let Some(ranges) = Ranges::of(system, stop) else {
        return;
    };
    let mut writers = writers(system);
    let mut dependents: IndexMap<VarId, Vec<VarId>> = IndexMap::new();
    for index in 0..system.vars.len() {
        note_dependents(system, VarId(index as u32), &mut dependents);
    }
    let sizes = system
        .processes
        .iter()
        .map(|p| p.locations.len() + p.edges.len());
    let mut left: Vec<usize> = sizes.map(|size| size * MOST_STEPS + 10_000).collect();
    // Functions of the location alone first: what they would be derived from may be derived itself.
    for alone in [true, false] {
        for var in (0..system.vars.len() as u32).map(VarId) {
            let Writer::Only(process) = writers[var.0 as usize] else {
                continue;
            };
            let left = &mut left[process.0 as usize];
            if *left == 0 || stop() {
                continue;
            }
            let facts = if alone {
                constants(system, process, var, &ranges, left)
            } else {
                expressions(system, process, var, &writers, left)
            };
            if let Some(facts) = facts {
                let definition = define(system, process, var, &facts);
                install(system, process, var, definition, &mut dependents);
                writers[var.0 as usize] = Writer::Nobody;
            }
        }
    }
}

/// Notes what a derived variable is derived from.
fn note_dependents(system: &System, var: VarId, dependents: &mut IndexMap<VarId, Vec<VarId>>) {
    if let Some(definition) = &system.var(var).derived {
        let mut read = IndexSet::new();
        reads(definition, &mut read);
        for source in read {
            dependents.entry(source).or_default().push(var);
        }
    }
}

/// What a variable equals at each location that is reached.
type Facts = IndexMap<LocId, Expr>;

/// The constant a variable equals at each location, if it always does.
fn constants(
    system: &System,
    process: ProcessId,
    var: VarId,
    ranges: &Ranges,
    left: &mut usize,
) -> Option<Facts> {
    (0..system.process(process).locations.len() as u32)
        .map(LocId)
        .filter(|l| ranges.reaches(process, *l))
        .map(|l| {
            *left = left.checked_sub(1).unwrap_or_default();
            let code = ranges.constant_at(process, l, var).filter(|_| *left > 0)?;
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
    left: &mut usize,
) -> Option<Facts> {
    let p = system.process(process);
    let start = system.var(var);
    let [code] = system.start_codes(var)[..] else {
        return None;
    };
    let mut facts = Facts::new();
    facts.insert(p.initial, Expr::Const(start.domain.scalar(code)));
    loop {
        let mut changed = false;
        for edge in &p.edges {
            let Some(before) = facts.get(&edge.from) else {
                continue;
            };
            let cost = 1 + edge.updates.len() / FEW_UPDATES;
            *left = left.saturating_sub(cost);
            if *left == 0 {
                return None;
            }
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
    if value.size() > MOST_READ {
        return None;
    }
    let value = at(&inline(system, value), process, edge.from);
    let only = |v: &VarId| match writers[v.0 as usize] {
        Writer::Nobody => true,
        Writer::Only(p) => p == process,
        Writer::Several => false,
    };
    let mut stable = value.size() <= MOST_NODES;
    value.leaves(&mut |leaf| {
        stable &= matches!(leaf, Leaf::Var(v) if only(v) && *v != var);
    });
    if stable && unchanged(&value) {
        return Some(value);
    }
    // Another variable may have been given the same value.
    let twin = edge.updates.iter().find(|(v, e)| {
        let same_domain = system.var(*v).domain == system.var(var).domain;
        let same = || at(&inline(system, e), process, edge.from) == value;
        *v != var && only(v) && same_domain && e.size() <= MOST_READ && same()
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
fn install(
    system: &mut System,
    process: ProcessId,
    var: VarId,
    definition: Expr,
    dependents: &mut IndexMap<VarId, Vec<VarId>>,
) {
    for edge in &mut system.processes[process.0 as usize].edges {
        edge.updates.retain(|(v, _)| *v != var);
    }
    let replaced = |leaf: &Leaf| match leaf {
        Leaf::Var(v) if *v == var => Some(definition.clone()),
        _ => None,
    };
    // What was derived from it is derived from what it is derived from.
    for other in dependents.swap_remove(&var).unwrap_or_default() {
        if let Some(e) = &mut system.vars[other.0 as usize].derived {
            *e = e.replace(&mut |leaf| replaced(leaf));
        }
        note_dependents(system, other, dependents);
    }
    if definition.as_const().is_some() {
        rewrite(system, &mut |_, leaf| replaced(leaf));
    }
    system.vars[var.0 as usize].derived = Some(definition);
    note_dependents(system, var, dependents);
}
