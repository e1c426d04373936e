//! `@invert(x)`: a write to x may store the opposite.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --x := !e--> s1
//! ```

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::event::Word;
use crate::system::{Domain, Op};
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let domains: Vec<Domain> = draft.vars.iter().map(|v| v.domain).collect();
    write::weave(draft, fault, slot, |writes, _| {
        let opposite = |w: &write::Write| opposite(domains[w.scalar.0 as usize], &w.value);
        let sentence = told(
            "inverts",
            writes,
            |w| {
                [
                    Word::Variable(w.scalar),
                    Word::Plain("becomes"),
                    Word::Message(vec![opposite(w)]),
                    Word::Plain("instead of"),
                    Word::Message(vec![w.value.clone()]),
                ]
            },
            "writes the opposite",
        );
        Effect {
            stored: writes.iter().map(|w| (w.scalar, opposite(w))).collect(),
            ..Effect::new(Expr::yes(), sentence)
        }
    });
}

/// The other of two values.
pub(super) fn opposite(domain: Domain, value: &Expr) -> Expr {
    match domain {
        Domain::Bool => value.clone().not(),
        _ => Expr::binary(Op::Sub, Expr::int(1), value.clone()),
    }
}
