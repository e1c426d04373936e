//! A variable whose value no longer matters is reset.
//!
//! ```text
//! before   s0 --recv: x := head--> s1 --x == 1--> s2 --skip--> done
//! after    s0 --recv: x := head--> s1 --x == 1, x := 0--> s2 --skip--> done
//! ```
//!
//! Only variables that one process alone changes are reset, to their initial values, on the edge after which they
//! are dead ([`liveness`](super::liveness)); what a property, an assumption or another process reads itself is live
//! everywhere. A recovery edge is an edge like any other: it overwrites what it resets, so a durable variable stays
//! live across a crash. Budgets are never touched. A variable that nothing at all depends on, whoever changes it, is
//! no longer changed (and then is a constant).
//!
//! Sound for every kind of property, `X` and `ctl` included: mapping every state to the one with dead variables
//! reset is a bisimulation that agrees on everything properties, guards and run-time checks read. Many states are
//! mapped to one, none to two, so there are never more of them.

use indexmap::IndexSet;

use super::Simplified;
use super::leaves::{Writer, inline, reads, spec_exprs, timeliness, writers};
use super::liveness::Liveness;
use super::observers::{Observers, Readings};
use super::ranges::Ranges;
use crate::system::{Expr, Owner, System, VarId};
use crate::vocabulary::ProcessId;

/// Resets dead variables and stops changing those nothing depends on.
pub(super) fn reset(simplified: &mut Simplified) {
    let system = &mut simplified.system;
    let needed = needed(system);
    for process in &mut system.processes {
        for edge in &mut process.edges {
            edge.updates.retain(|(v, _)| needed.contains(v));
        }
    }
    let writers = writers(system);
    let ranges = Ranges::of(system);
    let mut readings = Readings::of(system, &writers);
    for index in 0..system.processes.len() {
        let process = ProcessId(index as u32);
        let own: Vec<VarId> = (0..system.vars.len() as u32)
            .map(VarId)
            .filter(|v| writers[v.0 as usize] == Writer::Only(process))
            .filter(|v| !is_budget(system, *v))
            .collect();
        let observers = Observers::of(system, process, &writers, &readings);
        let liveness = Liveness::of(system, process, &writers, &observers);
        let initial = |v: VarId| {
            let var = &system.vars[v.0 as usize];
            Expr::Const(var.domain.scalar(var.init))
        };
        let resets: Vec<Vec<VarId>> = system
            .process(process)
            .edges
            .iter()
            .map(|edge| {
                let dead = own
                    .iter()
                    .copied()
                    .filter(|v| !liveness.is_live(edge.to, *v));
                dead.filter(|v| {
                    // What was dead before has been reset before.
                    let written = edge.updates.iter().any(|(w, _)| w == v);
                    let init = system.var(*v).init;
                    let differs = ranges.constant_at(process, edge.from, *v) != Some(init);
                    written || (liveness.is_live(edge.from, *v) && differs)
                })
                .collect()
            })
            .collect();
        let resets: Vec<Vec<(VarId, Expr)>> = resets
            .into_iter()
            .map(|vars| vars.into_iter().map(|v| (v, initial(v))).collect())
            .collect();
        let edges = &mut system.processes[index].edges;
        for (edge, resets) in edges.iter_mut().zip(resets) {
            for (var, value) in resets {
                match edge.updates.iter_mut().find(|(v, _)| *v == var) {
                    Some(update) => update.1 = value,
                    None => edge.updates.push((var, value)),
                }
            }
        }
        readings.update(system, &writers, process);
    }
}

fn is_budget(system: &System, var: VarId) -> bool {
    matches!(system.var(var).owner, Owner::Fault(_) | Owner::Limit(_))
}

/// The variables that something depends on: properties, guards, and updates of such variables.
fn needed(system: &System) -> IndexSet<VarId> {
    let mut needed = IndexSet::new();
    let mut read = |e: &Expr| reads(&inline(system, e), &mut needed);
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
    loop {
        let count = needed.len();
        for (var, value) in edges().flat_map(|e| &e.updates) {
            if needed.contains(var) {
                reads(&inline(system, value), &mut needed);
            }
        }
        if needed.len() == count {
            return needed;
        }
    }
}
