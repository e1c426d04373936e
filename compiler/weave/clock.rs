//! Time: the clock, and what hidden timers do.
//!
//! ```text
//! before   s0 --receive--> s1, s0 --timeout, timer = 0--> s2          3 ticks at s0
//! after    every edge to s0 also sets timer := 3, and every edge that leaves it timer := 0
//!          clock: nobody has to move, timer > 0 or t > 0 or .. --> timer := timer - 1, t := t - 1, ..
//! ```
//!
//! Time is explicit: timers are variables that count down, as in L. Lamport, "Real-Time Model Checking Is Really Simple", 2005.
//!
//! The clock is a process with one edge, the tick. It is an ordinary, fair step: time does not stop as long as it may pass. Time waits for all
//! processes of the program and for detectors, not for what only keeps the books (ends of transient faults, what forgets the last step).
//! Faults neither stop time nor are they forced by it: it asks for edges that are no faults.

use petgraph::graph::EdgeIndex;

use super::draft::{Draft, var};
use crate::graph::{Edge, Expr, Leaf};
use crate::program::{ExprKind, Program};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{Domain, EdgeKind, Op, Owner, VarId};
use crate::vocabulary::ProcessId;

/// Adds the clock, if there is something to count down. Afterwards hidden timers are 0 outside their `select`.
pub(super) fn weave(draft: &mut Draft, program: &Program) -> Option<ProcessId> {
    if draft.timers.is_empty() {
        return None;
    }
    for process in 0..draft.processes.len() {
        set_hidden(draft, process);
    }
    let count = |v: &VarId| {
        let left = Expr::binary(Op::Gt, var(*v), Expr::int(0));
        let less = Expr::binary(Op::Sub, var(*v), Expr::int(1));
        (*v, Expr::ite(left, less, Expr::int(0)))
    };
    let above = |v: &VarId| Expr::binary(Op::Gt, var(*v), Expr::int(0));
    let some = Expr::or(draft.timers.iter().map(above));
    let span = first(draft, program);
    let tick = Edge {
        guard: Expr::and([Expr::Leaf(Leaf::Still), some]),
        updates: draft.timers.iter().map(count).collect(),
        events: vec![Event::Ticked],
        kind: EdgeKind::Normal,
        ..Edge::new(span)
    };
    let (clock, idle) = draft.add_process("clock", "clock", span);
    draft.timeless.push(clock);
    draft.processes[clock.0 as usize]
        .graph
        .add_edge(idle, idle, tick);
    let asked = |e: &crate::program::Expr| {
        let mut asked = false;
        e.visit(&mut |e| asked |= e.kind == ExprKind::Ticked);
        asked
    };
    if program
        .properties
        .iter()
        .any(|p| p.exprs().into_iter().any(asked))
    {
        let ticked = draft.declare("ticked", Owner::Process(clock), Domain::Bool, 0);
        draft.vars[ticked.0 as usize].hidden = true;
        draft.ticked = Some(ticked);
    }
    Some(clock)
}

/// Where time comes into a model.
fn first(draft: &Draft, program: &Program) -> Span {
    let owner = draft.timers.first().map(|v| draft.vars[v.0 as usize].owner);
    match owner {
        Some(Owner::Channel(c)) => program.channels[c.0 as usize].span,
        Some(Owner::Process(p)) => program.processes[p.0 as usize].span,
        _ => draft.about[0].span,
    }
}

/// Sets the hidden timers of a process where it comes to their locations, and resets them where it leaves.
fn set_hidden(draft: &mut Draft, index: usize) {
    let process = &mut draft.processes[index];
    let mut timers: Vec<VarId> = process.deadlines.iter().map(|d| d.timer).collect();
    timers.sort_unstable();
    timers.dedup();
    let at = |node, timer| {
        let mut all = process.deadlines.iter();
        all.find(|d| d.at == node && d.timer == timer).copied()
    };
    let mut updates: Vec<(EdgeIndex, VarId, i64)> = Vec::new();
    for edge in process.graph.edge_indices() {
        let Some((from, to)) = process.graph.edge_endpoints(edge) else {
            continue;
        };
        for timer in &timers {
            match (at(from, *timer), at(to, *timer)) {
                // The edge itself sets it.
                (_, Some(there)) if there.ticks.is_none() => {}
                (_, Some(there)) => updates.push((edge, *timer, there.ticks.unwrap_or(0))),
                (Some(_), None) => updates.push((edge, *timer, 0)),
                (None, None) => {}
            }
        }
    }
    for (edge, timer, ticks) in updates {
        let edge = &mut process.graph[edge];
        edge.updates.retain(|(v, _)| *v != timer);
        edge.updates.push((timer, Expr::int(ticks)));
    }
}
