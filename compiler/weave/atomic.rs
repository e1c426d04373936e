//! `atomic { .. }`: one edge for each way through the block.
//!
//! ```text
//! before   s0 --receive--> (a) --x == 1--> (b) --send--> s1, (a) --x != 1--> s1, (b) --full--> failed
//! after    s0 --receive, x == 1, send--> s1, s0 --receive, x != 1--> s1, s0 --receive, x == 1, full--> failed
//! ```
//!
//! Each part sees what those before it did. By now channels, checks and faults are ordinary edges; a way has at most one of a fault, so
//! that faults are siblings of the whole block. A check that fails undoes the block: nothing changes but the location.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

use super::draft::Draft;
use crate::graph::{Edge, Expr, Leaf, ProcessGraph};
use crate::system::event::Event;
use crate::system::{EdgeKind, Location, VarId};

/// Makes one edge of every way through an atomic block, and removes the locations inside.
pub(super) fn compose(draft: &mut Draft) {
    for index in 0..draft.processes.len() {
        if draft.processes[index].atomic.is_empty() {
            continue;
        }
        let new = whole(draft, index);
        draft.processes[index].graph = new;
        remove_inside(draft, index);
    }
}

/// The graph in which no edge leads inside of a block.
fn whole(draft: &Draft, index: usize) -> DiGraph<Location, Edge> {
    let process = &draft.processes[index];
    let inside = |node: NodeIndex| process.atomic.contains(&node);
    let mut new = DiGraph::new();
    for location in process.graph.node_weights() {
        new.add_node(location.clone());
    }
    for edge in process.graph.edge_references() {
        if inside(edge.source()) {
            continue;
        }
        if !inside(edge.target()) {
            new.add_edge(edge.source(), edge.target(), edge.weight().clone());
            continue;
        }
        let mut ways = Vec::new();
        follow(
            draft,
            process,
            edge.weight().clone(),
            edge.target(),
            &mut ways,
        );
        for (to, way) in ways {
            new.add_edge(edge.source(), to, way);
        }
    }
    new
}

/// All ways on from a location inside, after what has been done so far.
fn follow(
    draft: &Draft,
    process: &ProcessGraph,
    so_far: Edge,
    at: NodeIndex,
    ways: &mut Vec<(NodeIndex, Edge)>,
) {
    // Edges are found in the order in which they were added.
    let mut out: Vec<_> = process
        .graph
        .edges_directed(at, Direction::Outgoing)
        .collect();
    out.sort_by_key(|edge| edge.id());
    for edge in out {
        let (next, to) = (edge.weight(), edge.target());
        // One fault each; those that happen at every occasion happen at all of theirs, and leave no room for others.
        let faulty = |kind: EdgeKind| !kind.is_forced() || matches!(kind, EdgeKind::Acting(_));
        let both_act = so_far.kind.is_forced() && next.kind.is_forced();
        if faulty(so_far.kind) && faulty(next.kind) && !both_act {
            continue;
        }
        let both = then(draft, &so_far, next);
        if both.guard.is_no() {
            continue;
        }
        if to == process.failed {
            ways.push((to, undone(both)));
        } else if process.atomic.contains(&to) {
            follow(draft, process, both, to, ways);
        } else {
            ways.push((to, both));
        }
    }
}

/// One edge that does what two do, one after the other.
fn then(draft: &Draft, first: &Edge, second: &Edge) -> Edge {
    let written: FxHashMap<VarId, &Expr> = first.updates.iter().map(|(v, e)| (*v, e)).collect();
    let picks = first.picks.len() as u32;
    let value = |var: VarId| match written.get(&var) {
        Some(value) => (*value).clone(),
        None => Expr::Leaf(Leaf::Var(var)),
    };
    let mut seen = |e: &Expr| {
        // What a channel can do is said in its variables first, so that their new values are seen.
        let plain = e.map(&mut |leaf| draft.in_variables(leaf));
        plain.map(&mut |leaf| match leaf {
            Leaf::Var(v) => value(*v),
            Leaf::Pick(i) => Expr::Leaf(Leaf::Pick(i + picks)),
            other => Expr::Leaf(other.clone()),
        })
    };
    let fails = (second.events.iter()).any(|event| matches!(event, Event::Failed(_)));
    let guard = Expr::and([first.guard.clone(), seen(&second.guard)]);
    let updates: Vec<(VarId, Expr)> = second.updates.iter().map(|(v, e)| (*v, seen(e))).collect();
    let kept = first
        .updates
        .iter()
        .filter(|(v, _)| !updates.iter().any(|(w, _)| v == w));
    let kept: Vec<(VarId, Expr)> = kept.cloned().collect();
    let told = second.events.iter().map(|event| event.over(&mut seen));
    let events = first.events.iter().cloned().chain(told).collect();
    let kind = match (first.kind, second.kind) {
        (EdgeKind::Normal, second) => second,
        (EdgeKind::Timeout, fault @ (EdgeKind::Fault(_) | EdgeKind::Acting(_))) => fault,
        (first, _) => first,
    };
    Edge {
        guard,
        picks: first.picks.iter().chain(&second.picks).copied().collect(),
        updates: kept.into_iter().chain(updates).collect(),
        checks: Vec::new(),
        kind,
        events,
        exit: None,
        checked: false,
        // A block is where it begins, a failure where it fails.
        span: match fails {
            true => second.span,
            false => first.span,
        },
    }
}

/// A way that ends in a failing check.
fn undone(way: Edge) -> Edge {
    let tells = |event: &Event<Leaf>| {
        matches!(
            event,
            Event::Injected(_) | Event::Failed(_) | Event::TimedOut(_)
        )
    };
    Edge {
        updates: Vec::new(),
        events: way.events.into_iter().filter(tells).collect(),
        ..way
    }
}

/// Removes the locations inside of blocks, which nothing leads to any more.
fn remove_inside(draft: &mut Draft, index: usize) {
    let gone = std::mem::take(&mut draft.processes[index].atomic);
    let process = &mut draft.processes[index];
    let mut places: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
    let mut graph = DiGraph::new();
    for node in process
        .graph
        .node_indices()
        .filter(|node| !gone.contains(node))
    {
        places.insert(node, graph.add_node(process.graph[node].clone()));
    }
    for edge in process.graph.edge_references() {
        let mut weight = edge.weight().clone();
        if let Some(exit) = &mut weight.exit {
            exit.to = places.get(&exit.to).copied().unwrap_or(exit.to);
        }
        graph.add_edge(places[&edge.source()], places[&edge.target()], weight);
    }
    for deadline in &mut process.deadlines {
        deadline.at = places[&deadline.at];
    }
    process.initial = places[&process.initial];
    process.done = places[&process.done];
    process.failed = places[&process.failed];
    process.graph = graph;
    draft.crashed[index] = draft.crashed[index].map(|node| places[&node]);
}

impl Draft {
    /// Whether some send must find room.
    pub(super) fn checks_room(&self) -> bool {
        let edges = self.processes.iter().flat_map(|p| p.graph.edge_weights());
        edges.into_iter().any(|edge| edge.checked)
    }
}
