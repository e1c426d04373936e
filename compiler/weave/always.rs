//! `always`: while a fault is active it happens at every occasion.
//!
//! ```text
//! before   s0 --send--> s1, s0 --drop (injects f)--> s1
//! after    s0 --f is not active, send--> s1
//!          s0 --f is active, drop--> s1                    an ordinary step: the process goes on with the fault
//! ```
//!
//! An outcome to which the fault does not apply goes as usual. Of several such faults of one edge any one acts, and other faults' edges
//! beside it cannot go either. Where a send goes on without its channel, what depends on whether it can go sees it as possible.

use petgraph::visit::EdgeRef;

use super::draft::Draft;
use crate::graph::{Expr, Leaf};
use crate::program::Program;
use crate::system::EdgeKind;
use crate::system::event::Event;
use crate::vocabulary::{ChannelId, FaultId};

pub(super) fn weave(draft: &mut Draft, program: &Program) {
    let always = |f: FaultId| program.faults[f.0 as usize].timing.always;
    let alternatives = std::mem::take(&mut draft.alternatives);
    for own in alternatives.iter().filter(|a| always(a.fault)) {
        let acts = Expr::and([draft.active(own.fault), own.applies.clone()]);
        let not = acts.clone().not();
        let active = draft.active(own.fault);
        let graph = &mut draft.processes[own.process].graph;
        let parent = &mut graph[own.of];
        parent.guard = Expr::and([parent.guard.clone(), not.clone()]);
        let beside = alternatives.iter().filter(|other| {
            other.process == own.process && other.of == own.of && !always(other.fault)
        });
        for other in beside {
            let edge = &mut graph[other.edge];
            edge.guard = Expr::and([edge.guard.clone(), not.clone()]);
        }
        let edge = &mut graph[own.edge];
        edge.guard = Expr::and([edge.guard.clone(), active]);
        edge.kind = EdgeKind::Acting(own.fault);
        let sends = |events: &[Event<Leaf>]| -> Option<ChannelId> {
            events.iter().find_map(|event| match event {
                Event::Offered(c, _) | Event::Sent(c, _) => Some(*c),
                _ => None,
            })
        };
        let channel = match (sends(&graph[own.of].events), sends(&graph[own.edge].events)) {
            (Some(channel), None) => channel,
            _ => continue,
        };
        // It goes on whether the channel has room or not, also where the message would be lost for want of room.
        let (source, _) = graph.edge_endpoints(own.of).expect("an edge has ends");
        let leaving: Vec<_> = graph.edges(source).map(|edge| edge.id()).collect();
        let sent = graph[own.of].events.clone();
        for id in &leaving {
            let lost = graph[*id].events.iter().any(|event| match event {
                Event::Overflowed(c, m) => sent.contains(&Event::Sent(*c, m.clone())),
                _ => false,
            });
            if lost {
                let edge = &mut graph[*id];
                edge.guard = Expr::and([edge.guard.clone(), not.clone()]);
            }
        }
        let mut possible = |leaf: &Leaf| match leaf {
            Leaf::CanSend(c) if *c == channel => Expr::or([Expr::Leaf(leaf.clone()), acts.clone()]),
            other => Expr::Leaf(other.clone()),
        };
        for id in leaving {
            let edge = &mut graph[id];
            edge.guard = edge.guard.map(&mut possible);
            for event in &mut edge.events {
                if let Event::TimedOut(could) = event {
                    *could = could.map(&mut possible);
                }
            }
        }
    }
    draft.alternatives = alternatives;
}
