//! What holds of all process graphs that [`lower`](super::lower()) makes:
//!
//! - there is one graph per process, in their order; initial values lie in their domains;
//! - *done* and *failed* are among a graph's locations, once each and at no label, and no edge leaves them; nothing
//!   is *crashed*: faults come later;
//! - every other location can be reached, guards aside;
//! - every edge is an ordinary step or a timeout, and a timeout is what its events call one; no event is a fault's;
//! - guards and checks are boolean; updates are of the kind of their variable, which is one of the process's own,
//!   and none is updated twice;
//! - every pick an edge mentions is declared by it; it reads its own variables only, and nothing that only
//!   specifications can ask for;
//! - a message has the scalars of its channel. On a rendezvous channel a send is an offer that says where it will
//!   lead and ends inside its statement, from where it completes or is withdrawn; on a buffered one it is one step.

use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};

use super::{Edge, Expr, Graphs, Leaf, ProcessGraph};
use crate::system::event::{Event, Expiry};
use crate::system::verify::{Kind, ensure, kind, kind_of};
use crate::system::{Domain, EdgeKind, LocationKind, VarId};
use crate::vocabulary::{ChannelId, ProcessId};

/// The first invariant that process graphs violate, in words.
pub fn verify(graphs: &Graphs) -> Result<(), String> {
    for var in &graphs.vars {
        let (lo, hi) = var.domain.bounds();
        ensure(lo <= var.init && var.init <= hi, || {
            format!("{} starts at {}", var.name, var.init)
        })?;
    }
    for (index, graph) in graphs.processes.iter().enumerate() {
        let verify = Verify { graphs, graph };
        ensure(graph.process == ProcessId(index as u32), || {
            format!("graph {index} is of another process")
        })?;
        verify
            .locations()
            .and_then(|()| {
                let mut edges = graph.graph.edge_references();
                edges.try_for_each(|edge| {
                    let problem = verify.edge(edge);
                    problem.map_err(|problem| format!("edge {}: {problem}", edge.id().index()))
                })
            })
            .map_err(|problem| format!("process {index}: {problem}"))?;
    }
    Ok(())
}

/// Stops at once on process graphs that violate an invariant, in debug builds.
pub(super) fn debug_verify(graphs: &Graphs) {
    if cfg!(debug_assertions)
        && let Err(problem) = verify(graphs)
    {
        panic!("process graphs violate their invariants: {problem}");
    }
}

struct Verify<'a> {
    graphs: &'a Graphs,
    graph: &'a ProcessGraph,
}

impl Verify<'_> {
    fn locations(&self) -> Result<(), String> {
        let graph = &self.graph.graph;
        ensure(graph.node_weight(self.graph.initial).is_some(), || {
            "it starts nowhere".into()
        })?;
        let mut reached = vec![false; graph.node_count()];
        let mut walk = Dfs::new(graph, self.graph.initial);
        while let Some(node) = walk.next(graph) {
            reached[node.index()] = true;
        }
        for end in [self.graph.done, self.graph.failed] {
            ensure(end.index() < graph.node_count(), || "no end".into())?;
            reached[end.index()] = true;
        }
        for node in graph.node_indices() {
            let what = || format!("location {}", node.index());
            let location = &graph[node];
            let end = match location.kind {
                LocationKind::Done => Some(self.graph.done),
                LocationKind::Failed => Some(self.graph.failed),
                LocationKind::Crashed => return Err(format!("{} is a crash", what())),
                LocationKind::Idle => return Err(format!("{} is of no program", what())),
                LocationKind::Statement | LocationKind::Inside => None,
            };
            let is_end = [self.graph.done, self.graph.failed].contains(&node);
            ensure(is_end == (end == Some(node)), || {
                format!("{} is {:?}", what(), location.kind)
            })?;
            ensure(!is_end || location.labels.is_empty(), || {
                format!("{} is an end with a label", what())
            })?;
            ensure(reached[node.index()], || {
                format!("{} cannot be reached", what())
            })?;
        }
        Ok(())
    }

    fn edge(&self, edge: EdgeReference<'_, Edge>) -> Result<(), String> {
        let location = |node: NodeIndex| self.graph.graph[node].kind;
        let (from, to) = (location(edge.source()), location(edge.target()));
        let edge = edge.weight();
        ensure(
            !matches!(from, LocationKind::Done | LocationKind::Failed),
            || format!("it leaves {from:?}"),
        )?;
        self.typed(edge, &edge.guard, Kind::Bool)?;
        for (_, ok) in &edge.checks {
            self.typed(edge, ok, Kind::Bool)?;
        }
        self.updates(edge, &edge.updates)?;
        let offers = edge
            .events
            .iter()
            .any(|event| matches!(event, Event::Offered(..)));
        ensure(offers == edge.exit.is_some(), || {
            "offers, and only they, say where the send will lead".into()
        })?;
        if let Some(exit) = &edge.exit {
            ensure(exit.to.index() < self.graph.graph.node_count(), || {
                "its send leads nowhere".into()
            })?;
            self.updates(edge, &exit.updates)?;
        }
        let timeout = match edge.kind {
            EdgeKind::Normal => false,
            EdgeKind::Timeout => true,
            EdgeKind::Fault(_)
            | EdgeKind::Recovery(_)
            | EdgeKind::Acting(_)
            | EdgeKind::Moment(_) => return Err("it is a fault".into()),
        };
        let called = edge
            .events
            .iter()
            .filter(|event| matches!(event, Event::TimedOut(_)));
        ensure(called.count() == usize::from(timeout), || {
            "it is not the timeout it is called".into()
        })?;
        edge.events
            .iter()
            .try_for_each(|event| self.event(edge, event, from, to))
    }

    fn event(
        &self,
        edge: &Edge,
        event: &Event<Leaf>,
        from: LocationKind,
        to: LocationKind,
    ) -> Result<(), String> {
        let inside = LocationKind::Inside;
        match event {
            Event::Offered(c, message) => {
                self.channel(*c, false)?;
                ensure(to == inside, || "an offer ends inside its send".into())?;
                self.message(edge, *c, message)
            }
            Event::Completed(c) | Event::Withdrew(c) => {
                self.channel(*c, false)?;
                ensure(from == inside, || "a send ends from inside".into())
            }
            Event::Sent(c, message) => {
                self.channel(*c, true)?;
                self.message(edge, *c, message)
            }
            Event::Received(c, message) | Event::Peeked(c, message) => {
                self.message(edge, *c, message)
            }
            Event::TimedOut(could) => self.typed(edge, could, Kind::Bool),
            Event::Slept(ticks) => self.typed(edge, ticks, Kind::Int),
            Event::Expired(Expiry::Timer(var)) | Event::Wrote(var) => self.own(*var).map(drop),
            Event::Decided(..)
            | Event::Switched(..)
            | Event::Looped(_)
            | Event::Chose(_)
            | Event::Asserted
            | Event::Expired(_)
            | Event::Declined(_)
            | Event::Failed(_) => Ok(()),
            Event::Ticked => Err("only weaving has a clock".into()),
            Event::Overflowed(..) => Err("only weaving knows what is full".into()),
            Event::Granted(fair) => ensure((fair.0 as usize) < self.graphs.fair.len(), || {
                "it is about no fair choice".into()
            }),
            Event::Acted(_)
            | Event::Injected(_)
            | Event::Denied(_)
            | Event::Began(_)
            | Event::Delivered(..) => Err("it tells of a fault".into()),
        }
    }

    fn channel(&self, channel: ChannelId, buffered: bool) -> Result<(), String> {
        ensure(
            self.graphs.layout.capacity(channel).is_some() == buffered,
            || format!("it is no operation of channel {}", channel.0),
        )
    }

    fn message(&self, edge: &Edge, channel: ChannelId, message: &[Expr]) -> Result<(), String> {
        let domains = self.graphs.layout.message(channel);
        ensure(message.len() == domains.len(), || {
            format!("its message has {} scalars", message.len())
        })?;
        let mut all = message.iter().zip(domains);
        all.try_for_each(|(value, domain)| self.typed(edge, value, kind_of(*domain)))
    }

    fn updates(&self, edge: &Edge, updates: &[(VarId, Expr)]) -> Result<(), String> {
        for (i, (var, value)) in updates.iter().enumerate() {
            let domain = self.own(*var)?;
            ensure(updates[..i].iter().all(|(v, _)| v != var), || {
                format!("it writes variable {} twice", var.0)
            })?;
            self.typed(edge, value, kind_of(domain))?;
        }
        Ok(())
    }

    /// The domain of a variable, which is the process's own.
    fn own(&self, var: VarId) -> Result<Domain, String> {
        let found = self.graphs.vars.get(var.0 as usize);
        found
            .filter(|var| var.process == self.graph.process)
            .map(|var| var.domain)
            .ok_or_else(|| format!("variable {} is not its own", var.0))
    }

    fn typed(&self, edge: &Edge, expr: &Expr, wanted: Kind) -> Result<(), String> {
        let found = kind(expr, &|leaf| self.leaf(edge, leaf))?;
        ensure(found == wanted, || {
            format!("{expr:?} is {found:?}, not {wanted:?}")
        })
    }

    fn leaf(&self, edge: &Edge, leaf: &Leaf) -> Result<Kind, String> {
        let process = |p: ProcessId| {
            let known = (p.0 as usize) < self.graphs.processes.len();
            ensure(known, || format!("no process {}", p.0)).map(|()| Kind::Bool)
        };
        match leaf {
            Leaf::Var(v) => self.own(*v).map(kind_of),
            Leaf::Pick(i) => (edge.picks.get(*i as usize))
                .map(|domain| kind_of(*domain))
                .ok_or_else(|| format!("no pick {i}")),
            Leaf::Done(p) | Leaf::Crashed(p) => process(*p),
            Leaf::Suspects(_) | Leaf::CanSend(_) | Leaf::CanReceive(_) => Ok(Kind::Bool),
            Leaf::HoldsMore(..) => Ok(Kind::Bool),
            Leaf::Head(c, i) | Leaf::Stored(c, _, i) => {
                (self.graphs.layout.message(*c).get(*i as usize))
                    .map(|domain| kind_of(*domain))
                    .ok_or_else(|| format!("no scalar {i} of a message"))
            }
            Leaf::Quiet(_)
            | Leaf::Still
            | Leaf::Begins(_)
            | Leaf::Event(_)
            | Leaf::Known(_)
            | Leaf::OfFault(..)
            | Leaf::Given(_) => Err("it is of a fault".into()),
            Leaf::Ticked
            | Leaf::Failed(_)
            | Leaf::Waiting(_)
            | Leaf::AtLabel(..)
            | Leaf::Len(_) => Err("it reads what only specifications can".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use petgraph::graph::EdgeIndex;

    use super::*;
    use crate::graph::lower;
    use crate::system::Op;
    use crate::system::event::{Act, Check};
    use crate::testing::model::program;
    use crate::vocabulary::FaultId;

    const MODEL: &str = "proc P(c channel { bit }, b channel [2] { 0..2, bool }, q process) {
            var x 0..2
            var up bool
            L: send(c, x % 2)
            if !timeout_send(c, 1) { x = any }
            select { case recv(b, x, up) if !up { goto L }; case timeout { } }
            nonblock_send(b, x, q.crashed)
            assert(x < 2)
        }
        proc Q() { skip }
        init { c: channel { bit }, b: channel [2] { 0..2, bool }, p: P(c, b, q), q: Q() }";

    fn graphs() -> Graphs {
        lower(&program(MODEL))
    }

    /// Whether graphs that were changed are found out, with these words.
    fn found(change: impl FnOnce(&mut Graphs), words: &str) {
        let mut graphs = graphs();
        change(&mut graphs);
        let problem = verify(&graphs).expect_err(words);
        assert!(problem.contains(words), "{problem}");
    }

    /// The first edge of the first process on which something happens.
    fn on(graphs: &mut Graphs, happens: impl Fn(&Event<Leaf>) -> bool) -> &mut Edge {
        let edges = graphs.processes[0].graph.edge_weights_mut();
        let mut found = edges.filter(|edge| edge.events.iter().any(&happens));
        found.next().expect("such an edge")
    }

    #[test]
    fn what_is_lowered_has_all_of_them() {
        assert_eq!(verify(&graphs()), Ok(()));
    }

    #[test]
    fn broken_locations_are_found() {
        found(|g| g.vars[0].init = 9, "starts at 9");
        found(|g| g.processes.swap(0, 1), "of another process");
        found(
            |g| g.processes[0].done = g.processes[0].initial,
            "is Statement",
        );
        found(
            |g| {
                let initial = g.processes[0].initial;
                g.processes[0].graph[initial].kind = LocationKind::Crashed;
            },
            "is a crash",
        );
        found(
            |g| {
                let done = g.processes[0].done;
                g.processes[0].graph[done].labels = vec![crate::vocabulary::LabelId(0)];
            },
            "an end with a label",
        );
        found(
            |g| {
                let location = g.processes[0].graph[g.processes[0].initial].clone();
                g.processes[0].graph.add_node(location);
            },
            "cannot be reached",
        );
        found(
            |g| {
                let p = &mut g.processes[0];
                let edge = p.graph[EdgeIndex::new(0)].clone();
                p.graph.add_edge(p.done, p.initial, edge);
            },
            "it leaves Done",
        );
    }

    #[test]
    fn broken_edges_are_found() {
        let wrote = |event: &Event<Leaf>| matches!(event, Event::Wrote(_));
        let offered = |event: &Event<Leaf>| matches!(event, Event::Offered(..));
        let sent = |event: &Event<Leaf>| matches!(event, Event::Sent(..));
        let timed_out = |event: &Event<Leaf>| matches!(event, Event::TimedOut(_));
        let fault = EdgeKind::Fault(FaultId(0));
        let act = Act {
            verb: "acts",
            sentence: Vec::new(),
            passage: None,
        };
        found(|g| on(g, wrote).guard = Expr::int(1), "not Bool");
        found(
            |g| on(g, wrote).checks.push((Check::Range, Expr::int(1))),
            "not Bool",
        );
        found(|g| on(g, wrote).updates[0].1 = Expr::yes(), "not Int");
        found(|g| on(g, wrote).updates[0].0 = VarId(99), "is not its own");
        found(
            |g| {
                let edge = on(g, wrote);
                edge.updates.push(edge.updates[0].clone());
            },
            "twice",
        );
        found(
            |g| on(g, wrote).guard = Expr::Leaf(Leaf::Failed(ProcessId(0))),
            "only specifications",
        );
        found(
            |g| {
                on(g, |e| matches!(e, Event::Wrote(_))).guard =
                    Expr::binary(Op::Eq, Expr::Leaf(Leaf::Pick(7)), Expr::int(0))
            },
            "no pick 7",
        );
        found(|g| on(g, wrote).kind = fault, "it is a fault");
        found(|g| on(g, wrote).kind = EdgeKind::Timeout, "not the timeout");
        found(
            |g| on(g, timed_out).kind = EdgeKind::Normal,
            "not the timeout",
        );
        found(
            |g| on(g, wrote).events.push(Event::Injected(FaultId(0))),
            "tells of a fault",
        );
        found(
            |g| on(g, wrote).events.push(Event::Acted(act)),
            "tells of a fault",
        );
        found(|g| on(g, offered).exit = None, "where the send will lead");
        found(
            |g| on(g, sent).events.push(Event::Completed(ChannelId(0))),
            "from inside",
        );
        found(
            |g| {
                on(g, sent)
                    .events
                    .push(Event::Sent(ChannelId(0), Vec::new()))
            },
            "no operation",
        );
        found(
            |g| {
                on(g, sent)
                    .events
                    .push(Event::Sent(ChannelId(1), Vec::new()))
            },
            "has 0 scalars",
        );
    }
}
