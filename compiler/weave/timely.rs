//! `--timely`: a timeout may be taken only when its operation cannot go.
//!
//! ```text
//! before   s0 --timeout (could: len > 0)--> s1
//! after    s0 --!(len > 0), timeout--> s1
//! ```

use super::draft::Draft;
use crate::graph::{Edge, Expr};
use crate::system::event::Event;

pub(super) fn weave(draft: &mut Draft) {
    let could = |edge: &Edge| {
        edge.events.iter().find_map(|event| match event {
            Event::TimedOut(could) => Some(could.clone()),
            _ => None,
        })
    };
    draft.restrict(
        |edge| could(edge).is_some(),
        |edge| could(edge).unwrap_or_else(Expr::no).not(),
    );
}
