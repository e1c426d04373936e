//! What faults of sent messages have in common: a sibling in which the message is lost, or another one is sent.

use petgraph::graph::NodeIndex;

use crate::graph::{Edge, Expr, Leaf};
use crate::system::Domain;
use crate::system::event::Event;
use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::draft::{Sibling, fault_edge};

/// The channel and the message of an edge that sends.
pub(super) fn sent(edge: &Edge) -> Option<(ChannelId, &Vec<Expr>)> {
    edge.events.iter().find_map(|event| match event {
        Event::Offered(c, message) | Event::Sent(c, message) => Some((*c, message)),
        _ => None,
    })
}

/// The process goes on as if it had sent. No guard of the channel, and no check: nothing is evaluated.
pub(super) fn lost(edge: &Edge, to: NodeIndex, fault: FaultId, told: Event<Leaf>) -> Sibling {
    let (to, updates) = match &edge.exit {
        Some(exit) => (exit.to, exit.updates.clone()),
        None => (to, edge.updates.clone()),
    };
    let lost = Edge {
        guard: edge.guard.clone(),
        updates,
        ..fault_edge(fault, vec![told], edge.span)
    };
    Sibling { to, edge: lost }
}

/// Another message is sent, with all picks that this edge then has; the checks of the operation are made.
pub(super) fn instead(
    edge: &Edge,
    to: NodeIndex,
    fault: FaultId,
    told: Event<Leaf>,
    (channel, message, picks): (ChannelId, Vec<Expr>, Vec<Domain>),
) -> Sibling {
    let sent = match edge.exit {
        Some(_) => Event::Offered(channel, message),
        None => Event::Sent(channel, message),
    };
    let other = Edge {
        guard: edge.guard.clone(),
        picks,
        updates: edge.updates.clone(),
        checks: edge.checks.clone(),
        exit: edge.exit.clone(),
        checked: edge.checked,
        ..fault_edge(fault, vec![told, sent], edge.span)
    };
    Sibling { to, edge: other }
}
