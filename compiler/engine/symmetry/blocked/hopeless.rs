//! Where a unit has to be for a need of it to be without hope, as long as it does not hold.

use super::{Need, Outside};
use crate::engine::symmetry::classes::Graph;
use crate::engine::symmetry::terms::Terms;
use crate::vocabulary::ProcessId;

/// A table of more entries than this is not made.
const MOST_ENTRIES: usize = 1 << 20;

/// With more work than this it is not asked where the process outside can come to.
const MOST_WORK: usize = 1 << 25;

/// A set of locations.
type Set = Vec<u64>;

/// An edge of a unit's process, and where a process outside has to be for it, if that matters.
struct Edge {
    from: u32,
    to: u32,
    during: Option<Set>,
}

/// For each location of process `number` outside, each column and each location of that process, the needs that cannot
/// come to hold from there while the process outside has not passed them, a bit each. None if it would be too large.
///
/// A bit is set in all columns or the need has hope: a column that has nothing to do with a need has its bit set, unless
/// the process outside has no use for the need any more.
pub fn table(
    number: usize,
    outside: &Outside,
    needs: &[Need],
    columns: &[ProcessId],
    graph: &Graph,
    terms: &Terms<'_>,
) -> Option<Vec<u64>> {
    let count = outside.edges.len();
    let sizes = columns.iter().map(|p| graph.steps[p.0 as usize].len());
    let width: usize = sizes.sum();
    if count * width > MOST_ENTRIES {
        return None;
    }
    let columns: Vec<(ProcessId, Vec<Edge>)> = columns
        .iter()
        .map(|p| (*p, edges(*p, number, count, graph, terms)))
        .collect();
    let own: usize = outside.edges.iter().map(Vec::len).sum();
    let looks_closely = count * needs.len() * (own + width / needs.len().max(1)) <= MOST_WORK;
    let everywhere = vec![u64::MAX; count.div_ceil(64)];
    let mut rows = Vec::with_capacity(count * width);
    for here in 0..count {
        let mut row: Vec<Vec<u64>> = columns
            .iter()
            .map(|(p, _)| vec![0; graph.steps[p.0 as usize].len()])
            .collect();
        for (bit, need) in needs.iter().enumerate() {
            if outside.useful[here] >> bit & 1 == 0 {
                continue;
            }
            let confined = match looks_closely {
                true => reachable(outside, here, 1 << bit),
                false => everywhere.clone(),
            };
            for (cells, (process, edges)) in row.iter_mut().zip(&columns) {
                let goals = need.goals.iter().find(|(p, _)| p == process);
                let hope = goals.map(|(_, goals)| reaching(cells.len(), edges, goals, &confined));
                for (l, cell) in cells.iter_mut().enumerate() {
                    let hopeless = hope.as_ref().is_none_or(|hope| !hope[l]);
                    *cell |= u64::from(hopeless) << bit;
                }
            }
        }
        rows.extend(row.into_iter().flatten());
    }
    Some(rows)
}

/// The edges of a process, and where a process outside has to be for them.
fn edges(
    process: ProcessId,
    outside: usize,
    count: usize,
    graph: &Graph,
    terms: &Terms<'_>,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (from, steps) in (0..).zip(&graph.steps[process.0 as usize]) {
        for (action, to) in steps {
            let mut during: Option<Set> = None;
            for part in terms.conjuncts(*action) {
                let Some(holds) = terms.by_location(*part, outside, count) else {
                    continue;
                };
                let set = during.get_or_insert_with(|| vec![u64::MAX; count.div_ceil(64)]);
                for (l, _) in holds.iter().enumerate().filter(|(_, holds)| !**holds) {
                    set[l / 64] &= !(1 << (l % 64));
                }
            }
            edges.push(Edge {
                from,
                to: *to,
                during,
            });
        }
    }
    edges
}

/// The locations that a process outside can come to by edges without a need.
fn reachable(outside: &Outside, here: usize, need: u64) -> Set {
    let mut seen = vec![0u64; outside.edges.len().div_ceil(64)];
    let mut stack = vec![here];
    seen[here / 64] |= 1 << (here % 64);
    while let Some(l) = stack.pop() {
        for (to, needs) in &outside.edges[l] {
            let to = *to as usize;
            if needs & need == 0 && seen[to / 64] >> (to % 64) & 1 == 0 {
                seen[to / 64] |= 1 << (to % 64);
                stack.push(to);
            }
        }
    }
    // What stands for a location shows the same to all, and so do those that it stands for.
    for (l, first) in outside.first.iter().enumerate() {
        let first = *first as usize;
        if seen[first / 64] >> (first % 64) & 1 == 1 {
            seen[l / 64] |= 1 << (l % 64);
        }
    }
    seen
}

/// For each location of a process outside the needs of edges that it may still come to, a bit each.
pub fn useful(outside: &Outside) -> Vec<u64> {
    let mut useful: Vec<u64> = vec![0; outside.edges.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (l, edges) in outside.edges.iter().enumerate().rev() {
            let bits = edges.iter().fold(useful[l], |bits, (to, needs)| {
                bits | needs | useful[*to as usize]
            });
            changed |= bits != useful[l];
            useful[l] = bits;
        }
    }
    useful
}

/// For each location whether one of the goals can be reached while the process outside is confined.
fn reaching(count: usize, edges: &[Edge], goals: &[u32], confined: &Set) -> Vec<bool> {
    let mut reaching = vec![false; count];
    goals.iter().for_each(|l| reaching[*l as usize] = true);
    let usable = |edge: &Edge| {
        let during = edge.during.as_ref();
        during.is_none_or(|set| set.iter().zip(confined).any(|(a, b)| a & b != 0))
    };
    let usable: Vec<&Edge> = edges.iter().filter(|e| usable(e)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in usable.iter().rev() {
            if !reaching[edge.from as usize] && reaching[edge.to as usize] {
                reaching[edge.from as usize] = true;
                changed = true;
            }
        }
    }
    reaching
}
