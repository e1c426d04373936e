//! `@shutdown`: crash-stop.
//!
//! ```text
//! before   s0 --recv--> s1 --offer--> (inside) --complete--> done
//! after    ... and s0 --crash--> crashed, s1 --crash--> crashed
//! ```
//!
//! A process crashes where a statement begins, also while it is blocked there, never inside one.

use crate::system::LocationKind;
use crate::system::event::Word;
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, act, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let crashed = draft.crashed(process);
    draft.spontaneous(
        process,
        |_, location| location.kind == LocationKind::Statement,
        crashed,
        |span| {
            fault_edge(
                fault,
                vec![act("crashes", [Word::Actor, Word::Plain("crashes")])],
                span,
            )
        },
    );
}
