//! Which steps are an event, as timing and specifications speak of it.
//!
//! A step does what its edge's events say. Those of an `atomic` block are in program order: each message has a moment of its
//! own in the step, and what is compared with it is read in the state after the whole step.

use petgraph::graph::{EdgeIndex, NodeIndex};

use super::draft::{Draft, var};
use crate::graph::{self, Deadline, Expr, Leaf, ProcessGraph};
use crate::program::{Happening, Transfer};
use crate::system::LocationKind;
use crate::system::event::Event;
use crate::vocabulary::{ChannelId, LabelId, ProcessId};

/// A message that a step sends or receives.
pub(super) struct Moment<'d> {
    /// Sent, or received.
    pub sent: bool,
    pub channel: ChannelId,
    pub message: &'d [Expr],
}

/// A step that may be taken.
#[derive(Clone, Copy)]
pub(super) struct Taken<'d> {
    draft: &'d Draft,
    pub process: usize,
    edge: EdgeIndex,
}

/// When a step is an event, in terms of the state before it; `None` if it never is.
pub(super) fn when(
    draft: &Draft,
    process: usize,
    edge: EdgeIndex,
    event: &Happening,
) -> Option<Expr> {
    let taken = Taken::new(draft, process, edge);
    let when = taken.is(event);
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

impl<'d> Taken<'d> {
    pub fn new(draft: &'d Draft, process: usize, edge: EdgeIndex) -> Taken<'d> {
        Taken {
            draft,
            process,
            edge,
        }
    }

    /// The messages of the step, in program order.
    pub fn moments(self) -> Vec<Moment<'d>> {
        let events = &self.draft.processes[self.process].graph[self.edge].events;
        let moments = events.iter().filter_map(|event| match event {
            Event::Offered(channel, message) | Event::Sent(channel, message) => Some(Moment {
                sent: true,
                channel: *channel,
                message,
            }),
            Event::Received(channel, message) | Event::Delivered(channel, message) => {
                Some(Moment {
                    sent: false,
                    channel: *channel,
                    message,
                })
            }
            _ => None,
        });
        moments.collect()
    }

    /// When the step is an event.
    pub fn is(self, event: &Happening) -> Expr {
        let moments = self.moments();
        let passes = moments.iter().map(|moment| self.is_at(event, moment));
        match event {
            Happening::Sent(_) | Happening::Received(_) => Expr::or(passes),
            other => Expr::bool(self.certainly(other)),
        }
    }

    /// When a message of the step is an event.
    pub fn is_at(self, event: &Happening, moment: &Moment<'_>) -> Expr {
        match event {
            Happening::Sent(passing) if moment.sent => self.passes(passing, moment),
            Happening::Received(passing) if !moment.sent => self.passes(passing, moment),
            Happening::Sent(_) | Happening::Received(_) => Expr::no(),
            other => Expr::bool(self.certainly(other)),
        }
    }

    /// Whether the step is an event that is no message.
    fn certainly(self, event: &Happening) -> bool {
        let process = &self.draft.processes[self.process];
        let edge = &process.graph[self.edge];
        let Some((source, target)) = process.graph.edge_endpoints(self.edge) else {
            return false;
        };
        match event {
            Happening::Reached(p, label) => {
                p.0 as usize == self.process && begins(process, target, *label)
            }
            Happening::Injected(faults) => {
                let one = |e: &Event<Leaf>| matches!(e, Event::Injected(f) if faults.contains(f));
                edge.events.iter().any(one)
            }
            Happening::Crashed(all) => {
                let crashes = process.graph[target].kind == LocationKind::Crashed;
                crashes && source != target && all.contains(&ProcessId(self.process as u32))
            }
            Happening::Sent(_) | Happening::Received(_) => false,
        }
    }

    /// When a message is the one that is asked about.
    fn passes(self, passing: &Transfer, moment: &Moment<'_>) -> Expr {
        if !passing.concerns(ProcessId(self.process as u32), moment.channel) {
            return Expr::no();
        }
        let draft = self.draft;
        let fields = &draft.fields[moment.channel.0 as usize];
        // What it is compared with is read after the step, the message itself before.
        let scalars = 0..moment.message.len() as u32;
        let stand_in = |i| Expr::Leaf(Leaf::Stored(moment.channel, STAND_IN, i));
        let compared: Vec<Expr> = scalars.map(stand_in).collect();
        let (layout, vars) = (&draft.layout, &draft.written);
        let fits = graph::spec_fits(layout, vars, &passing.patterns, fields, &compared);
        self.after(&fits).map(&mut |leaf| match leaf {
            Leaf::Stored(_, STAND_IN, i) => moment.message[*i as usize].clone(),
            other => Expr::Leaf(other.clone()),
        })
    }

    /// An expression about the state after the step, in terms of the state before.
    pub fn after(self, expr: &Expr) -> Expr {
        let draft = self.draft;
        let process = &draft.processes[self.process];
        let edge = &process.graph[self.edge];
        let (_, target) = process
            .graph
            .edge_endpoints(self.edge)
            .expect("an edge has ends");
        let own = |p: &ProcessId| p.0 as usize == self.process;
        let there = &process.graph[target];
        let plain = expr.map(&mut |leaf| draft.in_variables(leaf));
        plain.map(&mut |leaf| match leaf {
            Leaf::Var(v) => {
                let update = edge.updates.iter().rev().find(|(written, _)| written == v);
                update.map_or_else(|| var(*v), |(_, value)| value.clone())
            }
            Leaf::Done(p) if own(p) => Expr::bool(target == process.done),
            Leaf::Failed(p) if own(p) => Expr::bool(target == process.failed),
            Leaf::Crashed(p) if own(p) => Expr::bool(there.kind == LocationKind::Crashed),
            Leaf::Begins(p) if own(p) => Expr::bool(there.kind == LocationKind::Statement),
            Leaf::AtLabel(p, label) if own(p) => Expr::bool(there.labels.contains(label)),
            other => Expr::Leaf(other.clone()),
        })
    }
}

/// The position in a buffer that stands for a message on its way.
pub(super) const STAND_IN: u32 = u32::MAX;

/// Whether a labelled statement begins at a location.
pub(super) fn begins(process: &ProcessGraph, node: NodeIndex, label: LabelId) -> bool {
    let location = &process.graph[node];
    // Whoever is asleep has been there before.
    let asleep = |d: &Deadline| d.at == node && d.ticks.is_none();
    location.kind == LocationKind::Statement
        && location.labels.contains(&label)
        && !process.deadlines.iter().any(asleep)
}
