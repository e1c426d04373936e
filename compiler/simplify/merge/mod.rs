//! Two steps of a process become one where nobody can tell.
//!
//! ```text
//! before   l --x := 1--> m --!ready: ready := true, value := x--> n
//! after    l --!ready: x := 1, ready := true, value := 1--> n
//! ```
//!
//! That a step which commutes with whatever others do may be joined to its neighbour is due to R. J. Lipton, "Reduction: A Method of
//! Proving Properties of Parallel Programs", 1975. What is asked of such steps here, where runs are fair and faults strike, is this.
//!
//! An edge e1 (l to m) is merged with the edges that leave m, and m disappears once this has been done to every edge
//! that leads to it. One of the two steps must be *silent*: nobody else can tell when it is made. If e1 is, then
//! being at m is from now on shown as still being at l; if what leaves m is, as already being where it leads. Call the
//! location that stands for m its *stand-in*. The six conditions, and why each is needed:
//!
//! 1. *No choice is delayed or forgotten.* Either e1 is the only step that can be made at l (then being at l is as
//!    good as being at m), or exactly one step can be made at m and nothing can prevent it. A decision, whose edges
//!    exclude each other, is one step with several outcomes; an edge with picks is several. So a `choice` is never
//!    merged with an operation that can block: `choice { send(a, 1) }, { send(b, 1) }` commits to a channel that
//!    may never be free, and must be able to get stuck. If the silent steps are those that leave m, together they
//!    must have no guard: a process that stops at m would otherwise stop at l, with e1 not made.
//! 2. *m is nothing anybody asks about.* No property, no other process and not deadlock freedom distinguishes m from
//!    its stand-in: no label that is read, not *done*, *crashed* or *failed*, not `end` where the other is not.
//! 3. *At most one of the two steps concerns others.* A step concerns others if it changes what a property or another
//!    process can read, or reads what another process can change. The other one is silent, and can be made
//!    earlier or later without a difference.
//! 4. *No fault distinguishes m from its stand-in.* What a fault can do at m it can do at the stand-in with the same
//!    effect (and what e1 or the step after m changed does not matter afterwards), or it is an edge of m that is
//!    merged with e1 like the others. A crash between the two steps thus stays possible.
//! 5. *No cycle loses its last step.* m has no edge to itself, so a cycle through m keeps another edge.
//! 6. *No property counts steps or branches.* If one uses `X`, `Y` or `Z`, or is `ctl`, nothing is merged.
//!
//! Sound for invariants, `reachable`, deadlock freedom, run-time checks, and `ltl` under assumptions: take a fair run
//! and move each silent step right before (right after) its partner. By 3 the steps of other processes in between
//! do not depend on it and nobody sees the difference, by 2 all atoms stay the same but for how long they do,
//! which formulas without next cannot tell. A process that waits at m waits at the stand-in, where by 1 it can go
//! exactly when it could go at m: the same processes can always move, so fairness asks the same, and the same
//! states are quiescent and deadlocks. By 4 the same faults strike. By 5 a run of infinitely many steps keeps
//! infinitely many of each process that makes them. In the other direction a merged step is its two parts, one
//! right after the other. A failing edge is an edge of m like any other: the merged edge can be taken exactly if the
//! process can get to m and fail there. An edge that has to do with a fair choice concerns others; a merged one has to do
//! with those of both its parts, and each is taken as often as before.

mod compose;
mod conditions;
mod flow;

use super::Simplified;
use super::leaves::{owned, writers};
use super::live_variables::Liveness;
use super::observers::{Observers, Readings};
use super::ranges::Ranges;
use crate::system::LocationKind;
use crate::system::{Edge, LocId, System};
use crate::vocabulary::ProcessId;
use compose::compose;
use conditions::{Conditions, Silent};
use flow::{Flow, Place, Step};

/// A merged guard or update may have as many nodes.
const MOST_NODES: usize = 160;

/// Removing a location may add as many edges.
const MOST_NEW_EDGES: usize = 6;

/// An edge that was merged often stands for a long row of edges. In a process as many entries of such rows may be written
/// for each of its edges, and [`MOST_ENTRIES`] besides; then the rest stays as it is.
const MOST_ENTRIES_PER_EDGE: usize = 64;

/// See [`MOST_ENTRIES_PER_EDGE`].
const MOST_ENTRIES: usize = 1_000_000;

/// Merges steps where the six conditions hold.
pub(super) fn merge(simplified: &mut Simplified, stop: &dyn Fn() -> bool) {
    if counts_steps_or_branches(&simplified.system) {
        return;
    }
    let writers = writers(&simplified.system);
    let Some(ranges) = Ranges::of(&simplified.system, stop) else {
        return;
    };
    let mut readings = Readings::of(&simplified.system, &writers);
    let owned = owned(&simplified.system, &writers);
    for (index, own) in owned.iter().enumerate() {
        let process = ProcessId(index as u32);
        let system = &simplified.system;
        let observers = Observers::of(system, process, &writers, &readings);
        let liveness = Liveness::of(system, process, own, &observers);
        let p = &mut simplified.system.processes[index];
        let count = p.locations.len();
        let mut left = p.edges.len() * MOST_ENTRIES_PER_EDGE + MOST_ENTRIES;
        let mut flow = Flow::new(
            count,
            std::mem::take(&mut p.edges),
            std::mem::take(&mut simplified.steps[index]),
        );
        // Merging changes edges of this process only, and what is reached and live at a location at most shrinks: the
        // analyses stay good.
        let mut again = true;
        while again && !stop() {
            again = false;
            for m in (0..count as u32).map(LocId) {
                let conditions = Conditions {
                    system: &simplified.system,
                    flow: &flow,
                    process,
                    writers: &writers,
                    ranges: &ranges,
                    observers: &observers,
                    liveness: &liveness,
                };
                let pending = &mut simplified.pending[index];
                if stop() {
                    break;
                }
                if let Some(plan) = plan(&conditions, m)
                    && let Some(rest) = left.checked_sub(plan.entries(&flow, pending, m))
                {
                    left = rest;
                    plan.carry_out(&mut flow, pending, m);
                    again = true;
                }
            }
        }
        (
            simplified.system.processes[index].edges,
            simplified.steps[index],
        ) = flow.into_edges();
        readings.update(&simplified.system, &writers, process);
    }
}

/// Condition 6.
fn counts_steps_or_branches(system: &System) -> bool {
    let properties = &system.properties;
    let branching = properties.iter().any(|p| p.kind.counts_steps_or_branches());
    branching || system.assumptions.iter().any(|a| a.formula.counts_steps())
}

/// What becomes of the edges that lead to a location that disappears.
struct Plan {
    /// For each edge to the location, in order, the edges that replace it, each with the index of its second part.
    replaced: Vec<(Place, Vec<(usize, Edge)>)>,
    /// The edges to the location that a process waiting in front of them has as good as made.
    pending: Vec<Place>,
}

/// How to remove a location, if the conditions hold for every edge that leads to it.
fn plan(conditions: &Conditions<'_>, m: LocId) -> Option<Plan> {
    let p = conditions.system.process(conditions.process);
    let kind = p.locations[m.0 as usize].kind;
    let inner = matches!(kind, LocationKind::Statement | LocationKind::Inside);
    if !inner || m == p.initial {
        return None;
    }
    let leaving: Vec<(usize, &Edge)> = conditions.flow.leaving(m).enumerate().collect();
    let arriving: Vec<(Place, &Edge)> = conditions.flow.arriving(m).collect();
    // Condition 5.
    if arriving.is_empty() || leaving.iter().any(|(_, e)| e.to == m) {
        return None;
    }
    let mut plan = Plan {
        replaced: Vec::new(),
        pending: Vec::new(),
    };
    for (place, first) in &arriving {
        let silent = conditions.silent(first, &leaving)?;
        let seconds: Vec<(usize, &Edge)> = match silent {
            Silent::First {
                ref merged,
                decided,
            } => {
                if decided {
                    plan.pending.push(*place);
                }
                merged.clone()
            }
            Silent::Second => leaving
                .iter()
                .copied()
                .filter(|(_, e)| e.kind.is_forced())
                .collect(),
        };
        let replacing = seconds
            .into_iter()
            .map(|(second, edge)| {
                let span = match silent {
                    Silent::First { .. } => edge.span,
                    Silent::Second => first.span,
                };
                (
                    second,
                    Edge {
                        span,
                        ..compose(conditions.system, conditions.process, first, edge)
                    },
                )
            })
            .collect();
        plan.replaced.push((*place, replacing));
    }
    plan.is_worth_it(arriving.len() + leaving.len())
        .then_some(plan)
}

impl Plan {
    /// Whether edges stay few and small.
    fn is_worth_it(&self, before: usize) -> bool {
        let new = || self.replaced.iter().flat_map(|(_, edges)| edges);
        let small = new().all(|(_, e)| {
            e.guard.size() <= MOST_NODES && e.updates.iter().all(|(_, v)| v.size() <= MOST_NODES)
        });
        small && new().count() <= before + MOST_NEW_EDGES
    }

    /// How many entries of rows of steps are written if it is carried out.
    fn entries(&self, flow: &Flow, pending: &[Ways], m: LocId) -> usize {
        let row = |(from, index): Place| flow.steps(from)[index].originals.len();
        let merged = self.replaced.iter().map(|(place, edges)| {
            let seconds = edges.iter().map(|(second, _)| row((m, *second)));
            row(*place) * edges.len().saturating_sub(1) + seconds.sum::<usize>()
        });
        let further = &pending[m.0 as usize];
        let all: usize = further.iter().map(Vec::len).sum();
        let waiting = self.pending.iter();
        let waiting = waiting.map(|place| row(*place) * (1 + further.len()) + all);
        merged.sum::<usize>() + waiting.sum::<usize>()
    }

    fn carry_out(self, flow: &mut Flow, pending: &mut [Ways], m: LocId) {
        for (from, index) in self.pending {
            let originals = flow.steps(from)[index].originals.iter();
            let made: Vec<usize> = originals.map(|s| s.edge).collect();
            let further: Vec<Vec<usize>> = std::iter::once(Vec::new())
                .chain(pending[m.0 as usize].iter().cloned())
                .map(|further| made.iter().copied().chain(further).collect())
                .collect();
            pending[from.0 as usize].extend(further);
        }
        let replaced = self.replaced.into_iter().map(|(place, edges)| {
            // Rows of steps become long: the last to need one gets it.
            let mut first = flow.take_originals(place);
            let mut edges = edges.into_iter().peekable();
            let mut steps = Vec::new();
            while let Some((second, edge)) = edges.next() {
                let mut originals = match edges.peek() {
                    Some(_) => first.clone(),
                    None => std::mem::take(&mut first),
                };
                originals.extend_from_slice(&flow.steps(m)[second].originals);
                steps.push(Step { edge, originals });
            }
            (place, steps)
        });
        let replaced = replaced.collect();
        flow.remove(m, replaced);
    }
}

/// The ways in which silent steps may have been made already, see [`Simplified`].
type Ways = Vec<Vec<usize>>;
