//! `@byzantine`: a process may send any message instead of what it means to send, or none.
//!
//! ```text
//! before   s0 --offer m--> (inside) --complete--> s1
//! after    ... and s0 --pick m', offer m'--> (inside), s0 --send nothing--> s1
//! ```

use crate::graph::Edge;
use crate::system::event::{Event, Word};
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, Sibling, act, act_on, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let layout = draft.layout.clone();
    draft.alternative_of(process.0 as usize, |edge, to| {
        let sends = edge.events.iter().find_map(|event| match event {
            Event::Offered(c, message) | Event::Sent(c, message) => Some((*c, message.clone())),
            _ => None,
        });
        let Some((channel, message)) = sends else {
            return Vec::new();
        };
        let mut picks = edge.picks.clone();
        let wrong = layout.arbitrary_message(channel, &mut picks);
        let sent = match edge.exit {
            Some(_) => Event::Offered(channel, wrong.clone()),
            None => Event::Sent(channel, wrong.clone()),
        };
        let lies = act(
            "lies",
            [
                Word::Actor,
                Word::Plain("sends"),
                Word::Message(wrong),
                Word::Plain("instead of"),
                Word::Message(message.clone()),
                Word::Plain("on"),
                Word::Channel(channel),
            ],
        );
        let lie = Edge {
            guard: edge.guard.clone(),
            picks,
            updates: edge.updates.clone(),
            checks: edge.checks.clone(),
            exit: edge.exit.clone(),
            checked: edge.checked,
            ..fault_edge(fault, vec![lies, sent], edge.span)
        };
        let (silent, updates) = match &edge.exit {
            Some(exit) => (exit.to, exit.updates.clone()),
            None => (to, edge.updates.clone()),
        };
        let keeps = act_on(
            "withholds",
            [
                Word::Actor,
                Word::Plain("does not send"),
                Word::Message(message.clone()),
                Word::Plain("on"),
                Word::Channel(channel),
            ],
            channel,
            &message,
            false,
        );
        let silence = Edge {
            guard: edge.guard.clone(),
            updates,
            ..fault_edge(fault, vec![keeps], edge.span)
        };
        vec![
            Sibling { to, edge: lie },
            Sibling {
                to: silent,
                edge: silence,
            },
        ]
    });
}
