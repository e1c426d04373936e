//! `@stuck(x)`: a write to x may be lost.
//!
//! ```text
//! before   s0 --x := e, y := f--> s1
//! after    ... and s0 --y := f--> s1
//! ```
//!
//! With `at = v` only while x is v. Of an array only what is written is affected.

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    write::weave(draft, fault, slot, |writes, _| {
        let is_at = |v| match &slot.at {
            Some(at) => Expr::binary(Op::Eq, var(v), at.clone()),
            None => Expr::yes(),
        };
        let applies = writes
            .iter()
            .map(|w| Expr::and([w.written.clone(), is_at(w.scalar)]));
        // Of a single write it is known by then that it is there.
        let kept = |w: &write::Write| match writes {
            [_] => var(w.scalar),
            _ => Expr::ite(is_at(w.scalar), var(w.scalar), w.value.clone()),
        };
        let sentence = told(
            "sticks",
            writes,
            |w| {
                [
                    Word::Variable(w.scalar),
                    Word::Plain("stays"),
                    Word::Message(vec![var(w.scalar)]),
                    Word::Plain("instead of"),
                    Word::Message(vec![w.value.clone()]),
                ]
            },
            "loses what it writes",
        );
        Effect {
            stored: writes.iter().map(|w| (w.scalar, kept(w))).collect(),
            ..Effect::new(Expr::or(applies), sentence)
        }
    });
}
