//! `@scramble(x)`: x may take any other value of its type at any time.
//!
//! ```text
//! before   p at s0
//! after    nobody: p at a statement, pick v != x, x := v
//! ```

use super::Slot;
use super::anytime::{self, Place};
use crate::graph::{Edge, Expr};
use crate::program::Type;
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, var};
use crate::weave::draft::{act, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let mut picks = Vec::new();
    let other = draft.layout.arbitrary(&slot.ty, &mut picks);
    let each = || slot.scalars.iter().copied().zip(other.iter().cloned());
    let differs = Expr::or(each().map(|(v, other)| Expr::binary(Op::Ne, other, var(v))));
    let first = slot.scalars[0];
    let scrambles = match slot.ty {
        Type::Array(..) => act(
            "scrambles",
            [
                Word::Variable(first),
                Word::Plain("and the other elements become"),
                Word::Value(first, other.clone()),
            ],
        ),
        _ => act(
            "scrambles",
            [
                Word::Part(first, other.len() as u32),
                Word::Plain("becomes"),
                Word::Value(first, other.clone()),
                Word::Plain("all by itself"),
            ],
        ),
    };
    let updates = each().collect();
    let span = draft.about[slot.process.0 as usize].span;
    let edge = Edge {
        guard: differs,
        picks,
        updates,
        ..fault_edge(fault, vec![scrambles], span)
    };
    anytime::change(draft, Place::any(slot.process), edge);
}
