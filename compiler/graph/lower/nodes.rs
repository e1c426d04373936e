//! Locations under construction: placeholders, unification, and the final order.

use petgraph::graph::{DiGraph, NodeIndex};

use crate::graph::{Deadline, Edge, Exit, Expr, Leaf, ProcessGraph};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{Location, LocationKind, VarId};
use crate::vocabulary::{LabelId, ProcessId};

/// A location under construction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(pub usize);

/// Locations and edges under construction. Nodes are unified with union-find.
#[derive(Default)]
pub(super) struct Nodes {
    parent: Vec<usize>,
    info: Vec<Info>,
    /// Edges with their ends; an exit's location is still a `Node` number.
    edges: Vec<(Node, Node, Edge)>,
    /// The hidden timers that count at nodes, and what they are set to on the way there.
    deadlines: Vec<(Node, VarId, Option<i64>)>,
}

#[derive(Clone, Default)]
struct Info {
    kind: Option<(LocationKind, Span)>,
    labels: Vec<LabelId>,
    /// Whether a process is still at the label of the statement that led here: on offer, or asleep.
    stays: bool,
    /// Whether it is inside of an `atomic` block.
    atomic: bool,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }

    pub(super) fn add(&mut self, kind: LocationKind, span: Span) -> Node {
        let node = self.placeholder();
        self.info[node.0].kind = Some((kind, span));
        node
    }

    /// The location of a process that is asleep: still at its statement.
    pub(super) fn add_asleep(&mut self, span: Span) -> Node {
        let node = self.add(LocationKind::Statement, span);
        self.info[node.0].stays = true;
        node
    }

    /// The location inside a send while its message is on offer.
    pub(super) fn add_offered(&mut self, span: Span) -> Node {
        let node = self.add(LocationKind::Inside, span);
        self.info[node.0].stays = true;
        node
    }

    /// Whether a location has been lowered since there were so many.
    pub(super) fn is_new(&self, node: Node, since: usize) -> bool {
        let root = self.find(node);
        root >= since && self.info[root].kind.is_some()
    }

    /// Puts the locations that have been lowered since there were so many inside of a block that begins at one of them.
    pub(super) fn put_inside(&mut self, since: usize, begin: Node) {
        let begin = self.find(begin);
        for node in since..self.len() {
            if self.parent[node] == node
                && node != begin
                && let Some((kind, _)) = &mut self.info[node].kind
            {
                *kind = LocationKind::Inside;
                self.info[node].atomic = true;
            }
        }
    }

    /// A location that will be unified with another.
    pub(super) fn placeholder(&mut self) -> Node {
        let node = Node(self.parent.len());
        self.parent.push(node.0);
        self.info.push(Info::default());
        node
    }

    pub(super) fn connect(&mut self, from: Node, to: Node, edge: Edge) {
        self.edges.push((from, to, edge));
    }

    /// How many edges there are.
    pub(super) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Adds an event to each edge since some number of them that begins at a node and fails no check.
    pub(super) fn tell(&mut self, since: usize, from: Node, event: &Event<Leaf>) {
        for (begin, _, edge) in &mut self.edges[since..] {
            let fails = edge.events.iter().any(|e| matches!(e, Event::Failed(_)));
            if *begin == from && !fails {
                edge.events.push(event.clone());
            }
        }
    }

    /// Adds a guard to each edge since some number of them that begins at a node.
    pub(super) fn restrict(&mut self, since: usize, from: Node, guard: &Expr) {
        for (begin, _, edge) in &mut self.edges[since..] {
            if *begin == from {
                edge.guard = Expr::and([edge.guard.clone(), guard.clone()]);
            }
        }
    }

    /// Lets a hidden timer count at a node; without `ticks` what leads there sets it.
    pub(super) fn count(&mut self, at: Node, timer: VarId, ticks: Option<i64>) {
        self.deadlines.push((at, timer, ticks));
    }

    fn find(&self, node: Node) -> usize {
        let mut at = node.0;
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    pub(super) fn same(&self, a: Node, b: Node) -> bool {
        self.find(a) == self.find(b)
    }

    /// Makes a placeholder stand for another location.
    pub(super) fn unify(&mut self, placeholder: Node, other: Node) {
        let (a, b) = (self.find(placeholder), self.find(other));
        // Of the two at most one has edges and a kind of its own; it survives.
        let (gone, kept) = if self.info[a].kind.is_some() {
            (b, a)
        } else {
            (a, b)
        };
        debug_assert!(
            self.info[gone].kind.is_none(),
            "only placeholders are unified"
        );
        self.parent[gone] = kept;
        let labels = std::mem::take(&mut self.info[gone].labels);
        for label in labels {
            self.mark(Node(kept), label);
        }
    }

    /// Puts a label on a location.
    pub(super) fn mark(&mut self, node: Node, label: LabelId) {
        let root = self.find(node);
        let labels = &mut self.info[root].labels;
        if !labels.contains(&label) {
            labels.push(label);
            labels.sort();
        }
    }

    pub(super) fn mark_if_still_there(&mut self, node: Node, label: LabelId) {
        if self.info[node.0].stays {
            self.mark(node, label);
        }
    }

    /// Gives a placeholder that stays (a cycle without a step) a kind.
    pub(super) fn become_statement(&mut self, node: Node, span: Span) {
        let root = self.find(node);
        self.info[root]
            .kind
            .get_or_insert((LocationKind::Statement, span));
    }

    /// Drops what cannot be reached, numbers locations in the order they are met from the initial one,
    /// and sorts edges by where they begin.
    pub(super) fn finish(
        self,
        process: ProcessId,
        initial: Node,
        done: Node,
        failed: Node,
    ) -> ProcessGraph {
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for (index, (from, _, _)) in self.edges.iter().enumerate() {
            outgoing[self.find(*from)].push(index);
        }
        let mut order = Vec::new();
        let mut seen = vec![false; self.len()];
        let mut stack = vec![self.find(initial)];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            order.push(node);
            stack.extend(
                outgoing[node]
                    .iter()
                    .rev()
                    .map(|edge| self.find(self.edges[*edge].1)),
            );
        }
        // `done` and `failed` come last and are always there.
        let ends = [self.find(done), self.find(failed)];
        order.retain(|node| !ends.contains(node));
        order.extend(ends);

        let mut graph = DiGraph::new();
        let mut index = vec![NodeIndex::end(); self.len()];
        for node in &order {
            let info = &self.info[*node];
            let (kind, span) = info
                .kind
                .expect("every location that is reached has been lowered");
            // A process that has stopped is at no label.
            let stopped = matches!(kind, LocationKind::Done | LocationKind::Failed);
            let labels = if stopped {
                Vec::new()
            } else {
                info.labels.clone()
            };
            index[*node] = graph.add_node(Location { kind, labels, span });
        }
        for node in &order {
            for edge in &outgoing[*node] {
                let (_, to, edge) = &self.edges[*edge];
                let mut edge = edge.clone();
                if let Some(Exit { to, .. }) = &mut edge.exit {
                    *to = index[self.find(Node(to.index()))];
                }
                graph.add_edge(index[*node], index[self.find(*to)], edge);
            }
        }
        let at = |node: Node| index[self.find(node)];
        let counting = (self.deadlines.iter())
            .map(|(node, timer, ticks)| Deadline {
                at: at(*node),
                timer: *timer,
                ticks: *ticks,
            })
            .filter(|deadline| deadline.at != NodeIndex::end());
        let atomic = order.iter().filter(|node| self.info[**node].atomic);
        ProcessGraph {
            atomic: atomic.map(|node| index[*node]).collect(),
            deadlines: counting.collect(),
            results: Vec::new(),
            process,
            initial: at(initial),
            done: at(done),
            failed: at(failed),
            graph,
        }
    }
}
