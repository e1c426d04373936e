//! `@stuck(x)`: a write to x may be lost.
//!
//! ```text
//! before   s0 --x := e, y := f--> s1
//! after    ... and s0 --y := f--> s1
//! ```
//!
//! With `at = v` only while x is v. Of an array or a record only what is written is affected.

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    write::weave(draft, fault, slot, |writes, _| {
        // Of an array the element is compared that the write is in.
        let is_at = |w: &write::Write| {
            let at = slot.at.as_deref().unwrap_or_default();
            let element = w.first.checked_div(at.len()).unwrap_or(0) * at.len();
            let scalars = at.iter().zip(&slot.scalars[element..]);
            Expr::and(scalars.map(|(v, x)| Expr::binary(Op::Eq, var(*x), v.clone())))
        };
        let applies = writes
            .iter()
            .map(|w| Expr::and([w.written.clone(), is_at(w)]));
        let olds = |w: &write::Write| w.scalars.iter().map(|x| var(*x)).collect::<Vec<_>>();
        // Of a single write it is known by then that it is there.
        let kept = |w: &write::Write| match writes {
            [_] => olds(w),
            _ => {
                let both = w.scalars.iter().zip(&w.values);
                both.map(|(x, value)| Expr::ite(is_at(w), var(*x), value.clone()))
                    .collect()
            }
        };
        let sentence = told(
            "sticks",
            writes,
            |w| {
                let mut words = w.becomes(olds(w));
                words[1] = Word::Plain("stays");
                words
            },
            "loses what it writes",
        );
        Effect {
            stored: writes.iter().flat_map(|w| w.store(kept(w))).collect(),
            ..Effect::new(Expr::or(applies), sentence)
        }
    });
}
