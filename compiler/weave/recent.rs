//! What the last step did, for specifications that ask: `sent(ch)`, `crashed_now(p)`, `injected(f)`. Nothing is stored for what
//! nobody asks.
//!
//! ```text
//! before   s0 --send m--> s1, s1 --skip--> s2
//! after    s0 --send m, sent := true--> s1, s1 --skip, sent := false--> s2
//! ```
//!
//! Staying as it is is a step, too: where nobody has to move and something is remembered of the step before, a step of a process of its own
//! forgets it.

use petgraph::graph::EdgeIndex;

use super::draft::{Draft, act, var};
use super::happening;
use super::progress;
use crate::graph::{Edge, Expr, Leaf};
use crate::program::{ExprKind, Happening, Program, Says};
use crate::source::Span;
use crate::system::event::{Event, Word};
use crate::system::{Domain, EdgeKind, VarId};

/// Whether the last step was an event.
pub(super) struct Recent {
    pub var: VarId,
    /// Which.
    pub event: Asked,
    pub span: Span,
}

/// What is asked about the last step.
#[derive(PartialEq)]
pub(super) enum Asked {
    /// Whether it was this event.
    Event(Happening),
    /// Whether it was a tick of the clock.
    Tick,
    /// Whether it left the start of a statement that is labelled as progress.
    Progress,
    /// Whether somebody moved at all.
    Move,
}

/// Remembers what faults and specifications ask about the last step.
pub(super) fn weave(draft: &mut Draft, program: &Program, mut recent: Vec<Recent>) {
    recent.extend(draft.ticked.map(|ticked| Recent {
        var: ticked,
        event: Asked::Tick,
        span: draft.about[0].span,
    }));
    if let Some(progress) = &draft.progress {
        let asked = |var, event| Recent {
            var,
            event,
            span: draft.about[0].span,
        };
        recent.push(asked(progress.made, Asked::Progress));
        recent.push(asked(progress.moved, Asked::Move));
    }
    let faults = recent.len();
    for property in &program.properties {
        let Says::Formula(formula) = &property.says else {
            continue;
        };
        formula.visit(&mut |e| {
            if let ExprKind::Event(id, event) = &e.kind {
                let known = recent[faults..]
                    .iter()
                    .find(|other| matches!(&other.event, Asked::Event(known) if *known == **event));
                let asked = match known {
                    Some(known) => known.var,
                    None => {
                        let count = recent.len() - faults + 1;
                        let asked = draft.keep(format!("event {count}"), Domain::Bool, 0);
                        recent.push(Recent {
                            var: asked,
                            event: Asked::Event((**event).clone()),
                            span: e.span,
                        });
                        asked
                    }
                };
                draft.events.insert(*id, var(asked));
            }
        });
    }
    if let Some(first) = recent.first() {
        let span = first.span;
        remember(draft, &recent, span);
    }
}

/// Keeps what the last step did.
fn remember(draft: &mut Draft, recent: &[Recent], span: Span) {
    for process in 0..draft.processes.len() {
        for edge in (0..draft.processes[process].graph.edge_count()).map(EdgeIndex::new) {
            let did = |asked: &Recent| {
                let when = match &asked.event {
                    Asked::Event(event) => happening::when(draft, process, edge, event),
                    Asked::Tick => {
                        let events = &draft.processes[process].graph[edge].events;
                        Some(Expr::bool(events.contains(&Event::Ticked)))
                    }
                    Asked::Progress => Some(Expr::bool(progress::is_made(draft, process, edge))),
                    Asked::Move => Some(Expr::yes()),
                };
                (asked.var, when.unwrap_or_else(Expr::no))
            };
            let updates: Vec<(VarId, Expr)> = recent.iter().map(did).collect();
            draft.processes[process].graph[edge].updates.extend(updates);
        }
    }
    let (process, idle) = draft.add_process("rest", "rest", span);
    draft.timeless.push(process);
    let remembered = Expr::or(recent.iter().map(|asked| var(asked.var)));
    let edge = Edge {
        guard: Expr::and([remembered, Expr::Leaf(Leaf::Quiet(process))]),
        picks: Vec::new(),
        updates: recent.iter().map(|asked| (asked.var, Expr::no())).collect(),
        checks: Vec::new(),
        kind: EdgeKind::Normal,
        events: vec![act("rests", [Word::Plain("nobody moves")])],
        exit: None,
        checked: false,
        span,
    };
    let graph = &mut draft.processes[process.0 as usize].graph;
    graph.add_edge(idle, idle, edge);
}
