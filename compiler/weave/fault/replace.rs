//! `@replace(x, w)`: a write to x may store w; `@replace(x, v, w)`: a write of v may.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --e = v, x := w--> s1
//! ```

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let (only, instead) = match slot.values.as_slice() {
        [v, w] => (Some(v.clone()), w.clone()),
        [w] => (None, w.clone()),
        _ => return,
    };
    write::weave(draft, fault, slot, |writes, _| {
        let is_meant = |w: &write::Write| match &only {
            Some(v) => Expr::binary(Op::Eq, w.value.clone(), v.clone()),
            None => Expr::yes(),
        };
        let sentence = told(
            "replaces",
            writes,
            |w| {
                [
                    Word::Variable(w.scalar),
                    Word::Plain("becomes"),
                    Word::Message(vec![instead.clone()]),
                    Word::Plain("instead of"),
                    Word::Message(vec![w.value.clone()]),
                ]
            },
            "writes something else",
        );
        Effect {
            stored: writes.iter().map(|w| (w.scalar, instead.clone())).collect(),
            ..Effect::new(Expr::and(writes.iter().map(is_meant)), sentence)
        }
    });
}
