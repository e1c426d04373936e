//! Which steps are an event, as timing and specifications speak of it.

use petgraph::graph::{EdgeIndex, NodeIndex};

use super::draft::Draft;
use crate::graph::{Deadline, Expr, Leaf, ProcessGraph};
use crate::program::{FieldPattern, Happening, Value};
use crate::system::event::Event;
use crate::system::{LocationKind, Op};
use crate::vocabulary::LabelId;

/// When a step is an event, in terms of the state before it; `None` if it never is.
pub(super) fn when(
    draft: &Draft,
    process: usize,
    edge: EdgeIndex,
    event: &Happening,
) -> Option<Expr> {
    let graph = &draft.processes[process].graph;
    let weight = &graph[edge];
    let all = match event {
        Happening::Reached(p, label) => {
            let (_, target) = graph.edge_endpoints(edge)?;
            let here = p.0 as usize == process && begins(&draft.processes[process], target, *label);
            vec![Expr::bool(here)]
        }
        Happening::Sent(channels, patterns) => (weight.events.iter())
            .filter_map(|e| match e {
                Event::Offered(c, message) | Event::Sent(c, message) if channels.contains(c) => {
                    Some(matches(message, patterns))
                }
                _ => None,
            })
            .collect(),
        Happening::Received(channels, patterns) => (weight.events.iter())
            .filter_map(|e| match e {
                Event::Received(c, message) | Event::Delivered(c, message)
                    if channels.contains(c) =>
                {
                    Some(matches(message, patterns))
                }
                _ => None,
            })
            .collect(),
        Happening::Injected(faults) => {
            let one = |e: &Event<Leaf>| matches!(e, Event::Injected(f) if faults.contains(f));
            vec![Expr::bool(weight.events.iter().any(one))]
        }
    };
    let when = Expr::or(all);
    (!when.is_no()).then_some(when)
}

/// Whether an event of this kind may have happened at the start of the run.
pub(super) fn may_be_at_start(event: &Happening) -> bool {
    matches!(event, Happening::Reached(..))
}

/// Whether an event has happened at the start of the run.
pub(super) fn at_start(draft: &Draft, event: &Happening) -> bool {
    match event {
        Happening::Reached(p, label) => {
            let process = &draft.processes[p.0 as usize];
            begins(process, process.initial, *label)
        }
        _ => false,
    }
}

/// Whether a labelled statement begins at a location.
fn begins(process: &ProcessGraph, node: NodeIndex, label: LabelId) -> bool {
    let location = &process.graph[node];
    // Whoever is asleep has been there before.
    let asleep = |d: &Deadline| d.at == node && d.ticks.is_none();
    location.kind == LocationKind::Statement
        && location.labels.contains(&label)
        && !process.deadlines.iter().any(asleep)
}

/// Whether a message matches; no patterns match everything.
fn matches(message: &[Expr], patterns: &[FieldPattern]) -> Expr {
    let mut scalars = message.iter();
    let mut all = Vec::new();
    for pattern in patterns {
        let width = pattern.0.first().map_or(1, codes_count);
        let field: Vec<&Expr> = scalars.by_ref().take(width).collect();
        if pattern.0.is_empty() {
            continue;
        }
        let is = |value: &Value| {
            let mut constants = Vec::new();
            constants_of(value, &mut constants);
            let pairs = field.iter().zip(constants);
            Expr::and(pairs.map(|(e, c)| Expr::binary(Op::Eq, (*e).clone(), c)))
        };
        all.push(Expr::or(pattern.0.iter().map(is)));
    }
    Expr::and(all)
}

fn codes_count(value: &Value) -> usize {
    let mut constants = Vec::new();
    constants_of(value, &mut constants);
    constants.len()
}

fn constants_of(value: &Value, into: &mut Vec<Expr>) {
    match value {
        Value::Bool(b) => into.push(Expr::bool(*b)),
        Value::Int(i) => into.push(Expr::int(*i)),
        Value::Data(data, index) => {
            into.push(Expr::Const(crate::system::Scalar::Data(*data, *index)));
        }
        Value::Array(items) => items.iter().for_each(|item| constants_of(item, into)),
        Value::Record(..) | Value::Tagged(..) => unreachable!("patterns are of plain values"),
    }
}
