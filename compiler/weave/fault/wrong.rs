//! `@wrong`: a detector may suspect a process that has not crashed.
//!
//! ```text
//! before   d: w has crashed --> d suspects it
//! after    ... and w has not crashed, d does not suspect it --> d suspects it
//! ```
//!
//! It then stops to suspect it by itself, so this may happen again and again.

use crate::graph::{Edge, Expr, Leaf};
use crate::system::event::Word;
use crate::vocabulary::{DetectorId, FaultId};
use crate::weave::draft::{Draft, act, fault_edge, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, detector: DetectorId) {
    let detector = draft.detectors[detector.0 as usize];
    let alive = Expr::Leaf(Leaf::Crashed(detector.watched)).not();
    let (process, idle) = (detector.process, detector.idle);
    let wrong = act(
        "errs",
        [
            Word::Actor,
            Word::Plain("suspects"),
            Word::Process(detector.watched),
            Word::Plain("wrongly"),
        ],
    );
    draft.spontaneous(
        process,
        |node, _| node == idle,
        idle,
        |span| Edge {
            guard: Expr::and([alive.clone(), var(detector.suspects).not()]),
            updates: vec![(detector.suspects, Expr::yes())],
            ..fault_edge(fault, vec![wrong.clone()], span)
        },
    );
}
