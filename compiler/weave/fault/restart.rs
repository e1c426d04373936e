//! `@restart`: crash-recovery.
//!
//! ```text
//! before   s0 --recv--> s1 --skip--> done
//! after    ... and s0, s1, done --crash--> crashed --recover, x := initial--> s0
//! ```
//!
//! Recovery resets every variable but the durable ones. It is never forced (the crash may be for good)
//! and it is no injection.

use crate::graph::{Edge, Expr};
use crate::system::Owner;
use crate::system::event::Word;
use crate::system::{EdgeKind, LocationKind, VarId};
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, act, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let crashed = draft.crashed(process);
    draft.recovers[process.0 as usize] = true;
    draft.spontaneous(
        process,
        |_, location| matches!(location.kind, LocationKind::Statement | LocationKind::Done),
        crashed,
        |span| {
            fault_edge(
                fault,
                vec![act("crashes", [Word::Actor, Word::Plain("crashes")])],
                span,
            )
        },
    );
    let updates: Vec<(VarId, Expr)> = draft
        .vars
        .iter()
        .enumerate()
        .filter(|(i, v)| v.owner == Owner::Process(process) && !draft.durable[*i])
        .map(|(i, v)| (VarId(i as u32), Expr::Const(v.domain.scalar(v.init))))
        .collect();
    let graph = &draft.processes[process.0 as usize];
    let initial = graph.initial;
    let begin = graph.graph[initial].span;
    draft.spontaneous(
        process,
        |node, _| node == crashed,
        initial,
        |_| Edge {
            updates: updates.clone(),
            kind: EdgeKind::Recovery(fault),
            events: vec![act("recovers", [Word::Actor, Word::Plain("restarts")])],
            ..fault_edge(fault, Vec::new(), begin)
        },
    );
}
