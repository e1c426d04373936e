//! Run-time checks become edges to *failed*.
//!
//! ```text
//! before   s0 --x := a[i], checks 0 <= i < 3--> s1
//! after    s0 --0 <= i < 3, x := a[i]--> s1, s0 --!(0 <= i < 3)--> failed
//! ```
//!
//! A failing step changes nothing but the location. Of several checks the first that fails counts.

use petgraph::visit::EdgeRef;

use super::draft::Draft;
use crate::graph::{Edge, Expr};
use crate::system::event::Event;

pub(super) fn materialise(draft: &mut Draft) {
    for index in 0..draft.processes.len() {
        let process = &draft.processes[index];
        let mut added = Vec::new();
        for edge in process.graph.edge_references() {
            let failing = failing(edge.weight(), draft.ordinary.as_ref());
            added.extend(failing.into_iter().map(|new| (edge.source(), new)));
        }
        let process = &mut draft.processes[index];
        for edge in process.graph.edge_weights_mut() {
            let checks = std::mem::take(&mut edge.checks);
            let all = checks.into_iter().map(|(_, ok)| ok);
            edge.guard = Expr::and(std::iter::once(edge.guard.clone()).chain(all));
        }
        for (from, edge) in added {
            process.graph.add_edge(from, process.failed, edge);
        }
    }
}

/// The edges to *failed* beside an edge: one for each of its checks.
pub(super) fn failing(edge: &Edge, ordinary: Option<&Expr>) -> Vec<Edge> {
    let mut added = Vec::new();
    let mut reached = edge.guard.clone();
    for (check, ok) in &edge.checks {
        let injected = (edge.events.iter()).filter(|e| matches!(e, Event::Injected(_)));
        let failing = Edge {
            guard: Expr::and([reached.clone(), ok.clone().not()]),
            updates: Vec::new(),
            checks: Vec::new(),
            events: injected.cloned().chain([Event::Failed(*check)]).collect(),
            exit: None,
            ..edge.clone()
        };
        // What fails in a run that the built-in properties are not about is no failure to them.
        if let Some(ordinary) = ordinary {
            let mut other = failing.clone();
            other.guard = Expr::and([other.guard, ordinary.clone().not()]);
            other.events.retain(|e| !matches!(e, Event::Failed(_)));
            added.push(other);
        }
        let failing = Edge {
            guard: Expr::and(std::iter::once(failing.guard.clone()).chain(ordinary.cloned())),
            ..failing
        };
        if !failing.guard.is_no() {
            added.push(failing);
        }
        reached = Expr::and([reached, ok.clone()]);
    }
    added
}
