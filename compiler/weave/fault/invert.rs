//! `@invert(x)`: a write to x may store the opposite.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --x := !e--> s1
//! ```

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::{Domain, Op};
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let domains: Vec<Domain> = draft.vars.iter().map(|v| v.domain).collect();
    write::weave(draft, fault, slot, |writes, _| {
        let opposite =
            |w: &write::Write| [opposite(domains[w.scalars[0].0 as usize], &w.values[0])];
        let sentence = told(
            "inverts",
            writes,
            |w| w.becomes(opposite(w)),
            "writes the opposite",
        );
        Effect {
            stored: writes.iter().flat_map(|w| w.store(opposite(w))).collect(),
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
