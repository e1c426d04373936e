//! `@random(x)`: a write to x may store any value of its type.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --pick v, x := v--> s1
//! ```

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::{Expr, Leaf};
use crate::system::Domain;
use crate::system::event::Word;
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let domains: Vec<Domain> = draft.vars.iter().map(|v| v.domain).collect();
    write::weave(draft, fault, slot, |writes, before| {
        let first = before.len() as u32;
        // With a computed index one element is written, whichever that is: one value will do.
        let one = writes.iter().all(|w| !w.written.is_yes());
        let pick = |i: usize| {
            let i = if one { 0 } else { i as u32 };
            Expr::Leaf(Leaf::Pick(first + i))
        };
        let picks = writes.iter().map(|w| domains[w.scalar.0 as usize]);
        let stored = writes.iter().enumerate().map(|(i, w)| (w.scalar, pick(i)));
        let sentence = told(
            "scatters",
            writes,
            |w| {
                [
                    Word::Variable(w.scalar),
                    Word::Plain("becomes"),
                    Word::Message(vec![pick(0)]),
                    Word::Plain("instead of"),
                    Word::Message(vec![w.value.clone()]),
                ]
            },
            "writes anything",
        );
        Effect {
            picks: picks.take(if one { 1 } else { writes.len() }).collect(),
            stored: stored.collect(),
            ..Effect::new(Expr::yes(), sentence)
        }
    });
}
