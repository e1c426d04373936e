//! The processes of a model and the channels between them.

use super::{Edge, Graph, Node, Shape};
use crate::system::{ChannelVars, Event, System};

/// The processes and the channels between them. A channel with one sender and one receiver is words on an arrow, another one
/// a box of its own.
pub fn topology(system: &System) -> Graph {
    let mut graph = Graph {
        title: "processes and channels".to_owned(),
        nodes: Vec::new(),
        edges: Vec::new(),
        sideways: true,
    };
    // Those that weaving has added come last, and use no channel.
    for (id, process) in system.processes().filter(|(_, p)| !p.is_added()) {
        graph.nodes.push(Node {
            id: format!("p{}", id.0),
            lines: vec![process.name.clone(), process.proc_name.clone()],
            shape: Shape::Box,
            start: false,
        });
    }
    for (index, channel) in system.channels.iter().enumerate() {
        let uses = |sends: bool| -> Vec<usize> {
            let on = |event: &Event| match event {
                Event::Offered(c, _) | Event::Sent(c, _) => sends && c.0 as usize == index,
                Event::Received(c, _) | Event::Peeked(c, _) => !sends && c.0 as usize == index,
                _ => false,
            };
            let all = system.processes();
            all.filter(|(_, p)| p.edges.iter().any(|e| e.events.iter().any(on)))
                .map(|(id, _)| id.0 as usize)
                .collect()
        };
        let (senders, receivers) = (uses(true), uses(false));
        let mut lines = vec![match &channel.vars {
            ChannelVars::Rendezvous { .. } => channel.name.clone(),
            ChannelVars::Buffered { slots, .. } => format!("{} [{}]", channel.name, slots.len()),
        }];
        let marks =
            |fault: &&crate::system::Fault| fault.name.starts_with(&format!("{}@", channel.name));
        lines.extend(system.faults.iter().filter(marks).map(|fault| {
            let mark = fault.name.rsplit('@').next().unwrap_or_default();
            format!("@{mark}")
        }));
        if let ([sender], [receiver]) = (&senders[..], &receivers[..]) {
            graph.edges.push(Edge {
                from: *sender,
                to: *receiver,
                lines,
                fault: false,
                head: true,
            });
            continue;
        }
        let own = graph.nodes.len();
        graph.nodes.push(Node {
            id: format!("c{index}"),
            lines,
            shape: Shape::Round,
            start: false,
        });
        let ends = senders.iter().map(|p| (*p, own));
        for (from, to) in ends.chain(receivers.iter().map(|p| (own, *p))) {
            graph.edges.push(Edge {
                from,
                to,
                lines: Vec::new(),
                fault: false,
                head: true,
            });
        }
    }
    for fault in &system.faults {
        let Some((entry, mark)) = fault.name.rsplit_once('@') else {
            continue;
        };
        let process = system.processes.iter().position(|p| p.name == entry);
        if let Some(process) = process {
            graph.nodes[process].lines.push(format!("@{mark}"));
        }
    }
    graph
}
