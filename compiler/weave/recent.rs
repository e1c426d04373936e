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
use crate::graph::{Edge, Expr, Leaf};
use crate::program::{ExprKind, Happening, Program, Says};
use crate::source::Span;
use crate::system::event::{Event, Word};
use crate::system::{Domain, EdgeKind, VarId};

/// Whether the last step was an event.
pub(super) struct Recent {
    pub var: VarId,
    /// Which; `None` for a tick of the clock.
    pub event: Option<Happening>,
    pub span: Span,
}

/// Remembers what faults and specifications ask about the last step.
pub(super) fn weave(draft: &mut Draft, program: &Program, mut recent: Vec<Recent>) {
    recent.extend(draft.ticked.map(|ticked| Recent {
        var: ticked,
        event: None,
        span: draft.about[0].span,
    }));
    let faults = recent.len();
    for property in &program.properties {
        let Says::Formula(formula) = &property.says else {
            continue;
        };
        formula.visit(&mut |e| {
            if let ExprKind::Event(id, event) = &e.kind {
                let known = recent[faults..]
                    .iter()
                    .find(|other| other.event.as_ref() == Some(&**event));
                let asked = match known {
                    Some(known) => known.var,
                    None => {
                        let count = recent.len() - faults + 1;
                        let asked = draft.keep(format!("event {count}"), Domain::Bool, 0);
                        recent.push(Recent {
                            var: asked,
                            event: Some((**event).clone()),
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
                    Some(event) => happening::when(draft, process, edge, event),
                    None => {
                        let events = &draft.processes[process].graph[edge].events;
                        Some(Expr::bool(events.contains(&Event::Ticked)))
                    }
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
