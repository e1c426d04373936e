//! The state machine of a process: a box for each place between two steps, an arrow for each way on.

use super::{Edge, Graph, Node, Shape};
use crate::source::{Sources, printable};
use crate::system::event::{Declined, Expiry};
use crate::system::print::expr as print_expr;
use crate::system::{EdgeKind, Event, Expr, Leaf, LocId, LocationKind, Process, System};
use crate::vocabulary::ProcessId;

/// More text than this does not go into a box.
const LONGEST: usize = 44;
/// From so many places on, crashes are drawn once.
const MANY: usize = 3;

/// The state machine of a process, and the location that each of its boxes is. Channels are `named`, or left out: then
/// processes that differ in nothing else have the same picture.
pub fn machine(
    system: &System,
    sources: &Sources,
    id: ProcessId,
    named: bool,
) -> (Graph, Vec<Option<LocId>>) {
    let process = system.process(id);
    let reachable = reachable(process);
    let mut boxes = Vec::new();
    let mut box_of = vec![usize::MAX; process.locations.len()];
    let mut graph = Graph {
        title: format!("{} ({})", process.name, process.proc_name),
        nodes: Vec::new(),
        edges: Vec::new(),
        sideways: false,
    };
    for (index, location) in process.locations.iter().enumerate() {
        if !reachable[index] {
            continue;
        }
        box_of[index] = graph.nodes.len();
        boxes.push(Some(LocId(index as u32)));
        let (lines, shape) = match location.kind {
            LocationKind::Statement => (vec![statement(sources, location.span)], Shape::Box),
            LocationKind::Inside => (Vec::new(), Shape::Dot),
            LocationKind::Done => (vec!["done".to_owned()], Shape::Round),
            LocationKind::Crashed => (vec!["crashed".to_owned()], Shape::Bad),
            LocationKind::Failed => (vec!["failed".to_owned()], Shape::Bad),
            _ => (vec![process.name.clone()], Shape::Round),
        };
        let labels = location.labels.iter();
        let labels: Vec<String> = labels
            .filter(|_| shape == Shape::Box)
            .map(|label| format!("{}:", process.labels[label.0 as usize]))
            .collect();
        graph.nodes.push(Node {
            id: format!("s{index}"),
            lines: labels.into_iter().chain(lines).collect(),
            shape,
            start: process.initial.0 as usize == index,
        });
    }
    let crashes: Vec<_> = process
        .edges
        .iter()
        .filter(|edge| is_crash(process, edge.kind, edge.to) && reachable[edge.from.0 as usize])
        .collect();
    let once = crashes.len() > MANY;
    for edge in &process.edges {
        let (from, to) = (box_of[edge.from.0 as usize], box_of[edge.to.0 as usize]);
        if from == usize::MAX || once && is_crash(process, edge.kind, edge.to) {
            continue;
        }
        let fault = matches!(edge.kind, EdgeKind::Fault(_) | EdgeKind::Recovery(_))
            || edge
                .events
                .iter()
                .any(|event| matches!(event, Event::Failed(_)));
        graph.join(from, to, label(system, process, &edge.events, named), fault);
    }
    if once && let Some(crash) = crashes.first() {
        let anywhere = graph.nodes.len();
        boxes.push(None);
        graph.nodes.push(Node {
            id: "anywhere".to_owned(),
            lines: vec!["at any statement".to_owned()],
            shape: Shape::Words,
            start: false,
        });
        graph.edges.push(Edge {
            from: anywhere,
            to: box_of[crash.to.0 as usize],
            lines: vec![label(system, process, &crash.events, named)],
            fault: true,
            head: true,
        });
    }
    (graph, boxes)
}

fn is_crash(process: &Process, kind: EdgeKind, to: LocId) -> bool {
    matches!(kind, EdgeKind::Fault(_)) && process.crashed == Some(to)
}

/// The locations that can be reached by edges, whatever their guards say.
fn reachable(process: &Process) -> Vec<bool> {
    let mut found = vec![false; process.locations.len()];
    let mut left = vec![process.initial];
    found[process.initial.0 as usize] = true;
    let mut ways = vec![Vec::new(); process.locations.len()];
    for edge in &process.edges {
        ways[edge.from.0 as usize].push(edge.to);
    }
    while let Some(here) = left.pop() {
        for to in &ways[here.0 as usize] {
            if !std::mem::replace(&mut found[to.0 as usize], true) {
                left.push(*to);
            }
        }
    }
    found
}

/// `23  recv(req, resp)`: a statement, as far as it is on its first line.
fn statement(sources: &Sources, span: crate::source::Span) -> String {
    let text = sources.slice(span).lines().next().unwrap_or_default();
    let text = text.trim_end().trim_end_matches('{').trim_end();
    let text = printable(text);
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{}  {short}", sources.line(span))
}

/// What happens on an edge, in few words; the statement is in the box that it leaves.
fn label(system: &System, process: &Process, events: &[Event], named: bool) -> String {
    let own = format!("{}.", process.name);
    let message = |values: &[Expr]| {
        let values = values.iter().map(|e| match e {
            // What a fault puts there.
            Expr::Leaf(Leaf::Pick(_)) => "any".to_owned(),
            e => print_expr(system, e).replace(&own, ""),
        });
        values.collect::<Vec<_>>().join(", ")
    };
    let channel = |c: &crate::vocabulary::ChannelId| match named {
        true => format!("{} ", system.channel(*c).name),
        false => String::new(),
    };
    let parts = events.iter().filter_map(|event| {
        Some(match event {
            Event::Offered(c, m) | Event::Sent(c, m) => format!("{}! {}", channel(c), message(m)),
            Event::Received(c, _) => format!("{}?", channel(c)),
            Event::Peeked(c, _) => format!("{}peek", channel(c)),
            Event::Completed(c) => format!("{}taken", channel(c)),
            Event::Withdrew(c) => format!("{}withdrawn", channel(c)),
            Event::Decided(value, _) => if *value { "yes" } else { "no" }.to_owned(),
            Event::Looped(again) => if *again { "next round" } else { "over" }.to_owned(),
            Event::Chose(block) => format!("block {}", block + 1),
            Event::TimedOut(_) if events.iter().any(|e| matches!(e, Event::Expired(_))) => {
                return None;
            }
            Event::TimedOut(_) => "timeout".to_owned(),
            Event::Expired(Expiry::Sleep) => "wakes up".to_owned(),
            Event::Expired(Expiry::Ticks(n)) => format!("after {n}"),
            Event::Expired(Expiry::Timer(v)) => format!("after {}", system.var(*v).name),
            Event::Slept(_) => "sleeps".to_owned(),
            Event::Ticked => "tick".to_owned(),
            Event::Declined(Declined::Send(_)) => "full".to_owned(),
            Event::Declined(Declined::Cases) => "otherwise".to_owned(),
            Event::Declined(_) => "nothing there".to_owned(),
            Event::Failed(check) => check.as_str().to_owned(),
            Event::Acted(act) => act.verb.to_owned(),
            _ => return None,
        })
    });
    let mut parts: Vec<String> = parts.collect();
    parts.dedup();
    printable(&parts.join(", "))
}
