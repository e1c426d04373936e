//! The last step of weaving: symbolic leaves become variables and locations.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::draft::{Draft, var};
use super::happening::STAND_IN;
use crate::graph::{Expr, Leaf};
use crate::system::expr::Memo;
use crate::system::predicates::{exists_picks, some_guard};
use crate::system::{self, ChannelVars, LocId, LocationKind, Process};
use crate::vocabulary::ProcessId;

impl Draft {
    /// An expression over variables, picks and locations only.
    pub(super) fn resolve(&self, expr: &Expr) -> system::Expr {
        expr.map(&mut |leaf| self.leaf(leaf))
    }

    fn leaf(&self, leaf: &Leaf) -> system::Expr {
        match leaf {
            Leaf::Var(v) => system::Expr::Leaf(system::Leaf::Var(*v)),
            Leaf::Given(i) => unreachable!("given{i} is replaced where its fault is woven"),
            Leaf::Pick(i) => system::Expr::Leaf(system::Leaf::Pick(*i)),
            Leaf::Done(p) => at(*p, [self.processes[p.0 as usize].done]),
            Leaf::Failed(p) => at(*p, [self.processes[p.0 as usize].failed]),
            Leaf::Waiting(p) => self.waiting(*p),
            Leaf::Begins(p) => {
                let graph = &self.processes[p.0 as usize].graph;
                let begins = |n: &NodeIndex| graph[*n].kind == LocationKind::Statement;
                at(*p, graph.node_indices().filter(begins))
            }
            Leaf::Suspects(d) => self.resolve(&var(self.detectors[d.0 as usize].suspects)),
            Leaf::Quiet(but) => {
                let others = (0..self.processes.len() as u32).map(ProcessId);
                let others = others.filter(|p| p != but);
                system::Expr::and(others.map(|p| self.can_move(p).not()))
            }
            Leaf::Still => {
                let all = (0..self.processes.len() as u32).map(ProcessId);
                let awaited = all.filter(|p| !self.timeless.contains(p));
                system::Expr::and(awaited.map(|p| self.can_move(p).not()))
            }
            Leaf::Ticked => match self.ticked {
                Some(ticked) => self.resolve(&var(ticked)),
                None => system::Expr::no(),
            },
            Leaf::Event(event) => match self.events.get(event) {
                Some(known) => self.resolve(known),
                None => system::Expr::no(),
            },
            Leaf::Known(id) => match self.known.get(id) {
                Some(known) => self.resolve(&var(*known)),
                None => system::Expr::no(),
            },
            Leaf::OfFault(aspect, fault) => match self.aspects.get(&(*aspect, *fault)) {
                Some(known) => self.resolve(known),
                None => system::Expr::no(),
            },
            Leaf::Crashed(p) => at(*p, self.crashed[p.0 as usize]),
            Leaf::AtLabel(p, label) => {
                let graph = &self.processes[p.0 as usize].graph;
                at(
                    *p,
                    graph
                        .node_indices()
                        .filter(|n| graph[*n].labels.contains(label)),
                )
            }
            Leaf::Stored(_, STAND_IN, _) => {
                unreachable!("it is replaced where the event is matched")
            }
            Leaf::CanSend(_)
            | Leaf::CanReceive(_)
            | Leaf::Head(..)
            | Leaf::Stored(..)
            | Leaf::HoldsMore(..)
            | Leaf::Len(_) => self.resolve(&self.in_variables(leaf)),
        }
    }

    /// What is said of a channel or a fault, in variables.
    pub(super) fn in_variables(&self, leaf: &Leaf) -> Expr {
        match leaf {
            Leaf::CanSend(c) => self.can_send(*c),
            Leaf::CanReceive(c) => self.can_receive(*c),
            Leaf::Head(c, i) => var(self.head(*c)[*i as usize]),
            // It stands for a message that is in no buffer.
            Leaf::Stored(_, STAND_IN, _) => Expr::Leaf(leaf.clone()),
            Leaf::Stored(c, k, i) => match self.channel(*c) {
                ChannelVars::Buffered { slots, .. } => var(slots[*k as usize][*i as usize]),
                ChannelVars::Rendezvous { values, .. } => var(values[*i as usize]),
            },
            Leaf::HoldsMore(c, k) => self.is_ripe(*c, *k as usize),
            Leaf::Len(c) => match self.channel(*c) {
                ChannelVars::Buffered { len, .. } => var(*len),
                ChannelVars::Rendezvous { ready, .. } => var(*ready),
            },
            Leaf::OfFault(aspect, fault) => match self.aspects.get(&(*aspect, *fault)) {
                Some(known) => known.clone(),
                None => Expr::no(),
            },
            other => Expr::Leaf(other.clone()),
        }
    }

    /// Whether a process cannot move without a fault and has not ended.
    fn waiting(&self, process: ProcessId) -> system::Expr {
        let graph = &self.processes[process.0 as usize].graph;
        let running = graph.node_indices().filter(|n| {
            let kind = graph[*n].kind;
            matches!(kind, LocationKind::Statement | LocationKind::Inside)
        });
        system::Expr::and([at(process, running), self.can_move(process).not()])
    }

    /// Whether a process can move without a fault.
    fn can_move(&self, process: ProcessId) -> system::Expr {
        let graph = &self.processes[process.0 as usize].graph;
        let moves = graph.edge_references().filter_map(|edge| {
            let (from, edge) = (loc(edge.source()), edge.weight());
            let guard = edge.kind.is_forced().then(|| self.resolve(&edge.guard))?;
            Some((from, exists_picks(&guard, &edge.picks)))
        });
        some_guard(process, moves)
    }

    /// The finished processes.
    pub(super) fn processes(&self) -> Vec<Process> {
        let mut memo = Memo::default();
        self.processes
            .iter()
            .zip(&self.about)
            .enumerate()
            .map(|(index, (draft, about))| {
                let mut resolve = |e: &Expr| e.map_in(&mut memo, &mut |leaf| self.leaf(leaf));
                let mut edges: Vec<system::Edge> = draft
                    .graph
                    .edge_references()
                    .map(|edge| {
                        let e = edge.weight();
                        let updates = e.updates.iter();
                        system::Edge {
                            from: loc(edge.source()),
                            to: loc(edge.target()),
                            guard: resolve(&e.guard),
                            picks: e.picks.clone(),
                            updates: updates.map(|(v, e)| (*v, resolve(e))).collect(),
                            kind: e.kind,
                            events: e.events.iter().map(|e| e.over(&mut resolve)).collect(),
                            span: e.span,
                        }
                    })
                    .filter(|edge| !edge.guard.is_no())
                    .collect();
                // Stable: what was added later stays behind what it was added to.
                edges.sort_by_key(|edge| edge.from);
                Process {
                    name: about.name.clone(),
                    proc_name: about.proc_name.clone(),
                    locations: draft.graph.node_weights().cloned().collect(),
                    edges,
                    initial: loc(draft.initial),
                    done: loc(draft.done),
                    failed: loc(draft.failed),
                    crashed: self.crashed[index].map(loc),
                    recovers: self.recovers[index],
                    labels: about.labels.clone(),
                    span: about.span,
                }
            })
            .collect()
    }
}

fn loc(node: NodeIndex) -> LocId {
    LocId(node.index() as u32)
}

fn at(process: ProcessId, nodes: impl IntoIterator<Item = NodeIndex>) -> system::Expr {
    let mut locations: Vec<LocId> = nodes.into_iter().map(loc).collect();
    locations.sort();
    if locations.is_empty() {
        return system::Expr::no();
    }
    system::Expr::Leaf(system::Leaf::At(process, locations))
}
