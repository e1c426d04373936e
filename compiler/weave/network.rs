//! Networks: bags, whose messages are received in any order, and channels that overflow.
//!
//! ```text
//! before   s0 --receive head--> s1                            of a bag
//! after    s0 --slot 0 (len > 0)--> s1, s0 --slot 1 (len > 1, other than slot 0)--> s1
//! before   s0 --send m--> s1                                  on a channel that overflows
//! after    s0 --len < n, send m--> s1, s0 --!(len < n), m is lost--> s1
//! ```
//!
//! The slots of a bag are in order, so that the same messages are the same state. Both are what the channel does, not faults:
//! this comes before faults are woven, which see each of the edges.

use petgraph::graph::EdgeIndex;

use super::draft::{Draft, var};
use crate::graph::{Edge, Expr, Leaf};
use crate::system::event::Event;
use crate::system::{ChannelVars, Domain, Op, Scalar, VarId};
use crate::vocabulary::ChannelId;

/// Writes out what bags and overflowing channels do.
pub(super) fn weave(draft: &mut Draft) {
    for channel in (0..draft.channels.len() as u32).map(ChannelId) {
        if draft.layout.is_bag(channel) {
            split(draft, |draft, edge| received(draft, channel, edge));
        }
        if draft.layout.overflows(channel) {
            split(draft, |draft, edge| overflowed(draft, channel, edge));
        }
    }
}

/// Replaces edges by several: the first takes the place of the old one.
fn split(draft: &mut Draft, edges: impl Fn(&Draft, &Edge) -> Vec<Edge>) {
    for index in 0..draft.processes.len() {
        let count = draft.processes[index].graph.edge_count();
        for e in (0..count).map(EdgeIndex::new) {
            let mut new = edges(draft, &draft.processes[index].graph[e]).into_iter();
            let Some(first) = new.next() else { continue };
            let graph = &mut draft.processes[index].graph;
            let Some((from, to)) = graph.edge_endpoints(e) else {
                continue;
            };
            graph[e] = first;
            for edge in new {
                graph.add_edge(from, to, edge);
            }
        }
    }
}

/// An edge that takes or looks at a message of a bag: one for each slot.
fn received(draft: &Draft, channel: ChannelId, edge: &Edge) -> Vec<Edge> {
    let ChannelVars::Buffered { slots, .. } = draft.channel(channel) else {
        return Vec::new();
    };
    let takes = |event: &Event<Leaf>| matches!(event, Event::Received(c, _) | Event::Peeked(c, _) if *c == channel);
    if !edge.events.iter().any(takes) {
        return Vec::new();
    }
    let of_slot = |k: usize| {
        let mut here = |leaf: &Leaf| match leaf {
            Leaf::Head(c, i) if *c == channel => var(slots[k][*i as usize]),
            other => Expr::Leaf(other.clone()),
        };
        let there = draft.is_ripe(channel, k);
        // Of messages that are the same only the first is taken: it has been under way the longest.
        let other = match k {
            0 => Expr::yes(),
            _ => Expr::or(
                (slots[k].iter().zip(&slots[k - 1]))
                    .map(|(a, b)| Expr::binary(Op::Ne, var(*a), var(*b))),
            ),
        };
        Edge {
            guard: Expr::and([edge.guard.map(&mut here), there, other]),
            updates: (edge.updates.iter())
                .map(|(v, e)| (*v, e.map(&mut here)))
                .collect(),
            checks: (edge.checks.iter())
                .map(|(check, e)| (*check, e.map(&mut here)))
                .collect(),
            events: edge.events.iter().map(|e| e.map(&mut here)).collect(),
            ..edge.clone()
        }
    };
    let edges = (0..slots.len()).map(of_slot);
    edges.filter(|edge| !edge.guard.is_no()).collect()
}

/// An edge that sends on a channel that overflows: with room, and without.
fn overflowed(draft: &Draft, channel: ChannelId, edge: &Edge) -> Vec<Edge> {
    let sends = |event: &Event<Leaf>| matches!(event, Event::Sent(c, _) if *c == channel);
    if !edge.events.iter().any(sends) {
        return Vec::new();
    }
    let lost = Edge {
        guard: Expr::and([edge.guard.clone(), draft.has_room(channel).not()]),
        events: (edge.events.iter())
            .map(|event| match event {
                Event::Sent(c, message) if *c == channel => Event::Overflowed(*c, message.clone()),
                other => other.clone(),
            })
            .collect(),
        ..edge.clone()
    };
    vec![edge.clone(), lost]
}

impl Draft {
    /// Which slot of a buffer a receive takes: the message says so, unless it is the head.
    pub(super) fn position(&self, channel: ChannelId, message: &[Expr]) -> usize {
        let ChannelVars::Buffered { slots, .. } = self.channel(channel) else {
            return 0;
        };
        let taken = slots.iter().position(|slot| {
            !slot.is_empty() && slot.iter().zip(message).all(|(v, e)| *e == var(*v))
        });
        taken.unwrap_or(0)
    }

    /// The updates that put a message into a bag, behind those that are not greater.
    pub(super) fn inserted(
        &self,
        channel: ChannelId,
        message: &[Expr],
        age: Option<&Expr>,
    ) -> Vec<(VarId, Expr)> {
        let ChannelVars::Buffered { len, slots, ages } = self.channel(channel) else {
            return Vec::new();
        };
        // Of messages that are the same the one that arrives first comes first; ticks do not change that.
        let age_domain = ages.first().map(|v| self.vars[v.0 as usize].domain);
        let domains: Vec<Domain> = (self.layout.message(channel).iter().copied())
            .chain(age_domain)
            .collect();
        let message: Vec<Expr> = message.iter().chain(age).cloned().collect();
        let slots: Vec<Vec<VarId>> = (slots.iter().enumerate())
            .map(|(k, slot)| slot.iter().chain(ages.get(k)).copied().collect())
            .collect();
        let stays: Vec<Expr> = (slots.iter().enumerate())
            .map(|(k, slot)| {
                let used = Expr::binary(Op::Gt, var(*len), Expr::int(k as i64));
                Expr::and([used, not_greater(slot, &message, &domains)])
            })
            .collect();
        let mut updates = vec![(*len, Expr::binary(Op::Add, var(*len), Expr::int(1)))];
        for (k, slot) in slots.iter().enumerate() {
            for (i, scalar) in slot.iter().enumerate() {
                let moved = match k {
                    0 => message[i].clone(),
                    _ => {
                        let (before, behind) = (stays[k - 1].clone(), var(slots[k - 1][i]));
                        Expr::ite(before, message[i].clone(), behind)
                    }
                };
                updates.push((*scalar, Expr::ite(stays[k].clone(), var(*scalar), moved)));
            }
        }
        updates
    }
}

/// Whether the message of a slot comes before another or is the same, compared from the first scalar on.
fn not_greater(slot: &[VarId], message: &[Expr], domains: &[Domain]) -> Expr {
    let scalars = slot.iter().zip(message).zip(domains).rev();
    scalars.fold(Expr::yes(), |rest, ((v, m), domain)| {
        let less = Expr::binary(Op::Lt, rank(var(*v), *domain), rank(m.clone(), *domain));
        let same = Expr::binary(Op::Eq, var(*v), m.clone());
        Expr::or([less, Expr::and([same, rest])])
    })
}

/// A number for each value of a domain.
fn rank(value: Expr, domain: Domain) -> Expr {
    match domain {
        Domain::Int { .. } => value,
        Domain::Bool => Expr::ite(value, Expr::int(1), Expr::int(0)),
        Domain::Data { data, count } => (0..count.saturating_sub(1)).rev().fold(
            Expr::int(i64::from(count) - 1),
            |rest, index| {
                let this = Expr::Const(Scalar::Data(data, index));
                let is = Expr::binary(Op::Eq, value.clone(), this);
                Expr::ite(is, Expr::int(i64::from(index)), rest)
            },
        ),
    }
}
