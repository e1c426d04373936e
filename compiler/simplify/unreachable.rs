//! Locations and edges that no run uses are removed.
//!
//! ```text
//! before   s0 --x := 1--> s1 --x > 1--> s2 --skip--> s1      x is never greater than 1
//!          s1 --!(x > 1)--> done
//! after    s0 --x := 1--> s1 --!(x > 1)--> done
//! ```
//!
//! Sound for every kind of property: an edge is removed only if in no reachable state it can be taken, and a
//! location only if no reachable state is at it, so the reachable states, their moves and who can move in them stay
//! the same. *done*, *failed* and *crashed* are kept, as everyone may ask for them; whether a process is at a
//! location that is never reached becomes `false`.

use super::Simplified;
use super::leaves::rewrite;
use super::ranges::Ranges;
use crate::system::{Expr, Leaf, LocId};
use crate::vocabulary::ProcessId;

/// Removes the locations and edges that the analysis of ranges finds unused; locations are numbered anew.
pub(super) fn remove(simplified: &mut Simplified, stop: &dyn Fn() -> bool) {
    let Some(ranges) = Ranges::of(&simplified.system, stop) else {
        return;
    };
    for index in 0..simplified.system.processes.len() {
        let process = ProcessId(index as u32);
        simplified.retain_edges(process, |edge| ranges.can_take(process, edge));
    }
    let mut numbers: Vec<Vec<Option<LocId>>> = Vec::new();
    for index in 0..simplified.system.processes.len() {
        numbers.push(remove_locations(
            simplified,
            ProcessId(index as u32),
            &ranges,
        ));
    }
    let reached = |p: ProcessId, l: LocId| ranges.reaches(p, l);
    let totals: Vec<usize> = (0..numbers.len())
        .map(|p| {
            let all = (0..numbers[p].len() as u32).map(LocId);
            all.filter(|l| reached(ProcessId(p as u32), *l)).count()
        })
        .collect();
    rewrite(&mut simplified.system, &mut |_, leaf| {
        let Leaf::At(p, locations) = leaf else {
            return None;
        };
        let numbers = &numbers[p.0 as usize];
        let asked: Vec<LocId> = locations
            .iter()
            .filter(|l| reached(*p, **l))
            .filter_map(|l| numbers[l.0 as usize])
            .collect();
        if asked.is_empty() || asked.len() == totals[p.0 as usize] {
            return Some(Expr::bool(!asked.is_empty()));
        }
        Some(Expr::Leaf(Leaf::At(*p, asked)))
    });
}

/// Removes the locations of one process; returns the new numbers.
fn remove_locations(
    simplified: &mut Simplified,
    id: ProcessId,
    ranges: &Ranges,
) -> Vec<Option<LocId>> {
    let process = &mut simplified.system.processes[id.0 as usize];
    let kept = |l: LocId| {
        ranges.reaches(id, l)
            || l == process.done
            || l == process.failed
            || Some(l) == process.crashed
    };
    let mut next = 0;
    let numbers: Vec<Option<LocId>> = (0..process.locations.len() as u32)
        .map(|l| {
            kept(LocId(l)).then(|| {
                next += 1;
                LocId(next - 1)
            })
        })
        .collect();
    let renumber = |l: LocId| numbers[l.0 as usize].expect("what is used is kept");
    process.initial = renumber(process.initial);
    process.done = renumber(process.done);
    process.failed = renumber(process.failed);
    process.crashed = process.crashed.map(renumber);
    for edge in &mut process.edges {
        edge.from = renumber(edge.from);
        edge.to = renumber(edge.to);
    }
    let mut index = 0;
    process.locations.retain(|_| {
        index += 1;
        numbers[index - 1].is_some()
    });
    let mut index = 0;
    simplified.pending[id.0 as usize].retain(|_| {
        index += 1;
        numbers[index - 1].is_some()
    });
    numbers
}
