//! `@random(x)`: a write to x may store any value of its type.
//!
//! ```text
//! before   s0 --x := e--> s1
//! after    ... and s0 --pick v, x := v--> s1
//! ```
//!
//! Of an array or a record only what is written is affected.

use super::Slot;
use super::write::{self, Effect, Write, told};
use crate::graph::Expr;
use crate::vocabulary::FaultId;
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, slot: &Slot) {
    let layout = draft.layout.clone();
    write::weave(draft, fault, slot, |writes, edge| {
        let mut picks = edge.picks.clone();
        // With a computed index one element is written, whichever that is: one value will do.
        let mut values: Vec<Vec<Expr>> = Vec::new();
        let mut shared: Vec<Vec<&Write>> = Vec::new();
        let mut of = Vec::new();
        for write in writes {
            let fits = |group: &Vec<&Write>| {
                let mut others = group.iter();
                others.all(|other| other.ty == write.ty && write.excludes(other))
            };
            match shared.iter().position(fits) {
                Some(group) => {
                    shared[group].push(write);
                    of.push(group);
                }
                None => {
                    of.push(shared.len());
                    shared.push(vec![write]);
                    values.push(layout.arbitrary(write.ty, &mut picks));
                }
            }
        }
        let stored = writes.iter().zip(&of);
        let sentence = told(
            "scatters",
            writes,
            |w| w.becomes(values[0].clone()),
            "writes anything",
        );
        Effect {
            picks: picks.split_off(edge.picks.len()),
            stored: stored
                .flat_map(|(w, group)| w.store(values[*group].clone()))
                .collect(),
            ..Effect::new(Expr::yes(), sentence)
        }
    });
}
