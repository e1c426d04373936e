//! What can hold only one value is that value.
//!
//! ```text
//! before   n = 3 and no edge changes it;  s0 --i < n--> s1
//! after    n is derived: 3;               s0 --i < 3--> s1
//! ```
//!
//! A variable that never changes is no longer stored but derived from nothing, and every expression that reads it
//! gets its value. Where a variable can hold only one value while a process is at a location, the edges of that
//! process that leave the location read the value instead, and conditions of a guard that always hold there are
//! dropped, as are updates that give a variable the value it has.
//!
//! Sound for every kind of property: in every reachable state the rewritten expressions have the values of the
//! old ones, so the reachable states (but for what is no longer stored) and their moves stay the same.

use super::Simplified;
use super::leaves::{Place, rewrite};
use super::ranges::Ranges;
use crate::system::{Expr, Leaf, VarId};
use crate::vocabulary::ProcessId;

/// Folds variables that hold only one value.
pub(super) fn fold(simplified: &mut Simplified, stop: &dyn Fn() -> bool) {
    let system = &mut simplified.system;
    let Some(ranges) = Ranges::of(system, stop) else {
        return;
    };
    for index in 0..system.vars.len() {
        let id = VarId(index as u32);
        let var = &mut system.vars[index];
        if let Some(code) = ranges.constant(id) {
            var.derived = Some(Expr::Const(var.domain.scalar(code)));
        }
    }
    for (index, process) in system.processes.iter_mut().enumerate() {
        let id = ProcessId(index as u32);
        for edge in &mut process.edges {
            edge.guard = ranges.needed_guard(id, edge);
            edge.updates.retain(|(v, _)| ranges.constant(*v).is_none());
        }
    }
    let domains: Vec<_> = system.vars.iter().map(|v| v.domain).collect();
    rewrite(system, &mut |place, leaf| {
        let known = match (leaf, place) {
            (Leaf::Var(v), Place::State) => ranges.constant(*v),
            (Leaf::Var(v), Place::Edge(p, l)) => ranges.constant_at(p, l, *v),
            (Leaf::At(p, locations), Place::Edge(process, l)) if *p == process => {
                return Some(Expr::bool(locations.binary_search(&l).is_ok()));
            }
            _ => None,
        };
        match (leaf, known) {
            (Leaf::Var(v), Some(code)) => Some(Expr::Const(domains[v.0 as usize].scalar(code))),
            _ => None,
        }
    });
    for (index, process) in system.processes.iter_mut().enumerate() {
        let id = ProcessId(index as u32);
        for edge in &mut process.edges {
            let from = edge.from;
            edge.updates.retain(|(v, value)| match value.as_const() {
                Some(code) => ranges.constant_at(id, from, *v) != Some(code),
                None => *value != Expr::Leaf(Leaf::Var(*v)),
            });
        }
    }
}
