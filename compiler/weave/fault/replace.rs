//! `@replace(x, w)`: a write to x may store w; `@replace(x, v, w)`: a write of v may.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --e = v, x := w--> s1
//! ```
//!
//! Of a record only what is written is affected, and compared.

use super::Slot;
use super::write::{self, Effect, told};
use crate::graph::Expr;
use crate::system::Op;
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let (only, instead) = match slot.values.as_slice() {
        [v, w] => (Some(v), w),
        [w] => (None, w),
        _ => return,
    };
    write::weave(draft, fault, slot, |writes, _| {
        // With a computed index some of them are not written.
        let is_meant = |w: &write::Write| {
            let meant = only.map_or(&[][..], |v| w.own(v));
            let same = w.values.iter().zip(meant);
            let same = same.map(|(value, v)| Expr::binary(Op::Eq, value.clone(), v.clone()));
            match writes.len() {
                1 => Expr::and(same),
                _ => Expr::or([w.written.clone().not(), Expr::and(same)]),
            }
        };
        let stored = |w: &write::Write| w.own(instead).to_vec();
        let sentence = told(
            "replaces",
            writes,
            |w| w.becomes(stored(w)),
            "writes something else",
        );
        Effect {
            stored: writes.iter().flat_map(|w| w.store(stored(w))).collect(),
            ..Effect::new(Expr::and(writes.iter().map(is_meant)), sentence)
        }
    });
}
