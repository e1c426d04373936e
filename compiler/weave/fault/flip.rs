//! `@flip(x)`: x may change to its opposite at any time.
//!
//! ```text
//! before   p at s0
//! after    nobody: p at a statement, x := !x
//! ```

use super::Slot;
use super::anytime::{self, Place};
use super::invert::opposite;
use crate::graph::Edge;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, var};
use crate::weave::draft::{act, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let scalar = slot.scalars[0];
    let flipped = opposite(draft.vars[scalar.0 as usize].domain, &var(scalar));
    let flips = act(
        "flips",
        [
            Word::Variable(scalar),
            Word::Plain("flips to"),
            Word::Value(scalar, vec![flipped.clone()]),
        ],
    );
    let span = draft.about[slot.process.0 as usize].span;
    let edge = Edge {
        updates: vec![(scalar, flipped)],
        ..fault_edge(fault, vec![flips], span)
    };
    anytime::change(draft, Place::any(slot.process), edge);
}
