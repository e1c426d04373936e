//! `@reorder`: a receive may take any message behind the head of a buffer, and a `peek` look at it.
//!
//! ```text
//! before   s0 --receive slot 0--> s1
//! after    ... and s0 --receive slot 1 (len > 1)--> s1, s0 --receive slot 2 (len > 2)--> s1
//! ```

use crate::graph::{Edge, Expr, Leaf};
use crate::system::ChannelVars;
use crate::system::event::{Event, Word};
use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::draft::{Draft, Sibling, act, fault_edge, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, channel: ChannelId) {
    let ChannelVars::Buffered { slots, .. } = draft.channel(channel).clone() else {
        return;
    };
    let removed: Vec<_> = (0..slots.len())
        .map(|k| draft.removed(channel, k))
        .collect();
    let ripe: Vec<_> = (0..slots.len())
        .map(|k| draft.is_ripe(channel, k))
        .collect();
    draft.alternative(|edge, to| {
        let taken = edge.events.iter().find_map(|event| match event {
            Event::Received(c, message) if *c == channel => Some((message, true)),
            Event::Peeked(c, message) if *c == channel => Some((message, false)),
            _ => None,
        });
        let Some((message, takes)) = taken else {
            return Vec::new();
        };
        (1..slots.len())
            .map(|k| {
                let mut behind = |leaf: &Leaf| match leaf {
                    Leaf::Head(c, i) if *c == channel => var(slots[k][*i as usize]),
                    other => Expr::Leaf(other.clone()),
                };
                let message: Vec<Expr> = message.iter().map(|e| e.map(&mut behind)).collect();
                let delivered = message.clone();
                let mut updates: Vec<_> = edge
                    .updates
                    .iter()
                    .map(|(v, e)| (*v, e.map(&mut behind)))
                    .collect();
                if takes {
                    updates.extend(removed[k].clone());
                }
                let there = ripe[k].clone();
                let reorders = act(
                    "reorders",
                    [
                        Word::Channel(channel),
                        Word::Plain("delivers"),
                        Word::Message(message),
                        Word::Plain("to"),
                        Word::Actor,
                        Word::Plain("ahead of"),
                        Word::Count(k as u32),
                        Word::Plain(match k {
                            1 => "earlier message",
                            _ => "earlier messages",
                        }),
                    ],
                );
                let delivered = takes.then(|| Event::Delivered(channel, delivered.clone()));
                let arrives = std::iter::once(reorders).chain(delivered).collect();
                let other = Edge {
                    guard: Expr::and([edge.guard.map(&mut behind), there]),
                    picks: edge.picks.clone(),
                    updates,
                    checks: edge
                        .checks
                        .iter()
                        .map(|(c, e)| (*c, e.map(&mut behind)))
                        .collect(),
                    ..fault_edge(fault, arrives, edge.span)
                };
                Sibling { to, edge: other }
            })
            .collect()
    });
}
