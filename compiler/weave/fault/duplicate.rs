//! `@duplicate`: a message may be received again.
//!
//! ```text
//! before   s0 --receive--> s1
//! after    ... and s0 --copy the message, leave it there--> s1
//! ```
//!
//! On a buffered channel the head is copied and stays. On a rendezvous channel the message that is copied
//! has already been taken, by a receive whose sender has not completed. `peek` is not affected.

use crate::graph::{Edge, Expr};
use crate::system::ChannelVars;
use crate::system::event::{Event, Word};
use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::draft::{Draft, Sibling, act_on, fault_edge, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, channel: ChannelId) {
    let there = match draft.channel(channel) {
        ChannelVars::Rendezvous {
            ready, received, ..
        } => Expr::and([var(*ready), var(*received)]),
        ChannelVars::Buffered { .. } => draft.can_receive(channel),
    };
    draft.alternative(|edge, to| {
        let received = edge.events.iter().find_map(|event| match event {
            Event::Received(c, message) if *c == channel => Some(message),
            _ => None,
        });
        let Some(message) = received else {
            return Vec::new();
        };
        let duplicates = act_on(
            "duplicates",
            [
                Word::Channel(channel),
                Word::Plain("delivers"),
                Word::Message(message.clone()),
                Word::Plain("to"),
                Word::Actor,
                Word::Plain("and keeps it"),
            ],
            channel,
            message,
            true,
        );
        let copy = Edge {
            guard: Expr::and([edge.guard.clone(), there.clone()]),
            picks: edge.picks.clone(),
            updates: edge.updates.clone(),
            checks: edge.checks.clone(),
            ..fault_edge(
                fault,
                vec![duplicates, Event::Delivered(channel, message.clone())],
                edge.span,
            )
        };
        vec![Sibling { to, edge: copy }]
    });
}
