//! What faults have in common that happen at any time, wherever a process begins a statement: it crashes, or a variable changes while
//! it stays where it is.
//!
//! ```text
//! before   p at s0
//! after    p: s0 --crash--> crashed
//!          nobody: p at a statement, x := e
//! ```
//!
//! A change is nobody's step, so a storm of them does not excuse the process from going on. If a check of it fails, the process fails.

use crate::graph::{Edge, Expr, Leaf};
use crate::system::event::Word;
use crate::system::{Location, LocationKind};
use crate::vocabulary::{FaultId, LabelId, ProcessId};
use crate::weave::check::failing;
use crate::weave::draft::{Draft, act, fault_edge};

/// Where a process is when it happens: where a statement begins, perhaps one with a label.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub process: ProcessId,
    pub label: Option<LabelId>,
}

impl Place {
    /// Every statement.
    pub fn any(process: ProcessId) -> Place {
        let label = None;
        Place { process, label }
    }

    fn is_at(self) -> Expr {
        let begins = Expr::Leaf(Leaf::Begins(self.process));
        let here = self
            .label
            .map(|label| Expr::Leaf(Leaf::AtLabel(self.process, label)));
        Expr::and(std::iter::once(begins).chain(here))
    }

    fn contains(self, location: &Location) -> bool {
        let here = |label| location.labels.contains(&label);
        location.kind == LocationKind::Statement && self.label.is_none_or(here)
    }
}

/// The process crashes; `edge` says what else happens.
pub(super) fn crash(draft: &mut Draft, fault: FaultId, place: Place, edge: &Edge) {
    let crashed = draft.crashed(place.process);
    draft.spontaneous(
        place.process,
        |_, location| place.contains(location),
        crashed,
        |span| {
            let told = act("crashes", [Word::Actor, Word::Plain("crashes")]);
            Edge {
                guard: edge.guard.clone(),
                picks: edge.picks.clone(),
                updates: edge.updates.clone(),
                checks: edge.checks.clone(),
                ..fault_edge(fault, vec![told], span)
            }
        },
    );
}

/// Variables change as `edge` says.
pub(super) fn change(draft: &mut Draft, place: Place, edge: Edge) {
    let failed = draft.processes[place.process.0 as usize].failed;
    for failing in failing(&edge, draft.ordinary.as_ref()) {
        draft.spontaneous(
            place.process,
            |_, location| place.contains(location),
            failed,
            |span| Edge {
                span,
                ..failing.clone()
            },
        );
    }
    let fine = edge.checks.iter().map(|(_, ok)| ok.clone());
    let guard = [place.is_at(), edge.guard.clone()].into_iter().chain(fine);
    draft.of_nobody(Edge {
        guard: Expr::and(guard),
        checks: Vec::new(),
        ..edge
    });
}
