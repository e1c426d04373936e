//! A variable whose value no longer matters is reset.
//!
//! ```text
//! before   s0 --recv: x := head--> s1 --x == 1--> s2 --skip--> done
//! after    s0 --recv: x := head--> s1 --x == 1, x := 0--> s2 --skip--> done
//! ```
//!
//! Only variables that one process alone changes are reset, to their initial values, on the edge after which they
//! are dead ([`live_variables`](super::live_variables)); what a property, an assumption or another process reads itself is live
//! everywhere. A recovery edge is an edge like any other: it overwrites what it resets, so a durable variable stays
//! live across a crash. Budgets are never touched. A variable that nothing at all depends on, whoever changes it, is
//! no longer changed (and then is a constant).
//!
//! M. Bozga, J.-C. Fernandez and L. Ghirvu, "State Space Reduction Based on Live Variables Analysis", 1999.
//!
//! Sound for every kind of property, `X` and `ctl` included: mapping every state to the one with dead variables
//! reset is a bisimulation that agrees on everything properties, guards and run-time checks read. Many states are
//! mapped to one, none to two, so there are never more of them.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Simplified;
use super::leaves::{owned, reads, spec_exprs, timeliness, writers};
use super::live_variables::Liveness;
use super::observers::{Observers, Readings};
use super::ranges::Ranges;
use crate::system::expr::{Replaced, Seen};
use crate::system::predicates::inline_in;
use crate::system::{Expr, Leaf, Owner, System, VarId};
use crate::vocabulary::ProcessId;

/// Resets dead variables and stops changing those nothing depends on.
pub(super) fn reset(simplified: &mut Simplified, stop: &dyn Fn() -> bool) {
    let system = &mut simplified.system;
    let needed = needed(system);
    for process in &mut system.processes {
        for edge in &mut process.edges {
            edge.updates.retain(|(v, _)| needed.contains(v));
        }
    }
    let writers = writers(system);
    let Some(ranges) = Ranges::of(system, stop) else {
        return;
    };
    let mut readings = Readings::of(system, &writers);
    let owned = owned(system, &writers);
    for (index, own) in owned.iter().enumerate() {
        let process = ProcessId(index as u32);
        let observers = Observers::of(system, process, &writers, &readings);
        let liveness = Liveness::of(system, process, own, &observers);
        let initial = |v: VarId| {
            let var = &system.vars[v.0 as usize];
            Expr::Const(var.domain.scalar(var.init))
        };
        let resets: Vec<Vec<VarId>> = system
            .process(process)
            .edges
            .iter()
            .map(|edge| {
                // What was dead before has been reset before.
                let mut dead = liveness.dying(edge.from, edge.to);
                dead.retain(|v| {
                    let init = system.var(*v).init;
                    ranges.constant_at(process, edge.from, *v) != Some(init)
                });
                let written = edge.updates.iter().map(|(v, _)| *v);
                let ours = written.filter(|v| own.binary_search(v).is_ok());
                dead.extend(ours.filter(|v| !liveness.is_live(edge.to, *v)));
                dead.retain(|v| !is_budget(system, *v));
                dead.sort();
                dead.dedup();
                dead
            })
            .collect();
        let resets: Vec<Vec<(VarId, Expr)>> = resets
            .into_iter()
            .map(|vars| vars.into_iter().map(|v| (v, initial(v))).collect())
            .collect();
        let edges = &mut system.processes[index].edges;
        for (edge, resets) in edges.iter_mut().zip(resets) {
            let written = edge.updates.iter().enumerate();
            let written: FxHashMap<VarId, usize> = match resets.is_empty() {
                true => FxHashMap::default(),
                false => written.map(|(i, (v, _))| (*v, i)).collect(),
            };
            for (var, value) in resets {
                match written.get(&var) {
                    Some(update) => edge.updates[*update].1 = value,
                    None => edge.updates.push((var, value)),
                }
            }
        }
        readings.update(system, &writers, process);
    }
}

fn is_budget(system: &System, var: VarId) -> bool {
    matches!(system.var(var).owner, Owner::Fault(_) | Owner::Shared(_))
}

/// The variables that something depends on: properties, guards, and updates of such variables.
fn needed(system: &System) -> IndexSet<VarId> {
    let mut needed = IndexSet::new();
    let mut met: FxHashSet<Expr> = FxHashSet::default();
    let mut memo = Replaced::default();
    let mut read = |e: &Expr| {
        if met.insert(e.clone()) {
            reads(&inline_in(system, e, &mut memo), &mut needed);
        }
    };
    spec_exprs(system, &mut |e| read(e));
    let edges = || system.processes.iter().flat_map(|p| &p.edges);
    for edge in edges() {
        read(&edge.guard);
        timeliness(edge).for_each(&mut read);
    }
    for var in (0..system.vars.len() as u32).map(VarId) {
        if is_budget(system, var) {
            needed.insert(var);
        }
    }
    // What each variable is computed from.
    let mut sources: IndexMap<VarId, Vec<&Expr>> = IndexMap::new();
    for (var, value) in edges().flat_map(|e| &e.updates) {
        sources.entry(*var).or_default().push(value);
    }
    let mut next = 0;
    let mut seen = Seen::default();
    while next < needed.len() {
        let values = sources.swap_remove(&needed[next]).unwrap_or_default();
        for value in values {
            value.leaves_in(&mut seen, &mut |leaf| {
                if let Leaf::Var(v) = leaf {
                    match &system.var(*v).derived {
                        Some(definition) => reads(definition, &mut needed),
                        None => drop(needed.insert(*v)),
                    }
                }
            });
        }
        next += 1;
    }
    needed
}
