//! `@scramble(x)`: x may take any other value of its type at any time.
//!
//! ```text
//! before   p at s0
//! after    nobody: p at a statement, pick v != x, x := v
//! ```

use super::Slot;
use super::anytime::{self, Place};
use crate::graph::{Edge, Expr, Leaf};
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, var};
use crate::weave::draft::{act, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let domain = |v: &crate::system::VarId| draft.vars[v.0 as usize].domain;
    let picks: Vec<_> = slot.scalars.iter().map(domain).collect();
    let pick = |i: usize| Expr::Leaf(Leaf::Pick(i as u32));
    let each = || slot.scalars.iter().copied().enumerate();
    let differs = Expr::or(each().map(|(i, v)| Expr::binary(Op::Ne, pick(i), var(v))));
    let Some(first) = slot.scalars.first().copied() else {
        return;
    };
    let scrambles = match slot.scalars.as_slice() {
        [_] => act(
            "scrambles",
            [
                Word::Variable(first),
                Word::Plain("becomes"),
                Word::Message(vec![pick(0)]),
                Word::Plain("all by itself"),
            ],
        ),
        _ => act(
            "scrambles",
            [
                Word::Variable(first),
                Word::Plain("and the other elements become"),
                Word::Message(each().map(|(i, _)| pick(i)).collect()),
            ],
        ),
    };
    let updates = each().map(|(i, v)| (v, pick(i))).collect();
    let span = draft.about[slot.process.0 as usize].span;
    let edge = Edge {
        guard: differs,
        picks,
        updates,
        ..fault_edge(fault, vec![scrambles], span)
    };
    anytime::change(draft, Place::any(slot.process), edge);
}
