//! `@fault(max = k)` and `limit k { .. }`: a counter 0..k in the state, never reset; at k the edges are
//! disabled.
//!
//! ```text
//! before   s0 --crash (injects f)--> crashed
//! after    s0 --used < k, crash (injects f), used := used + 1--> crashed
//! ```

use super::draft::{Draft, var};
use crate::graph::{Edge, Expr};
use crate::program::Program;
use crate::system::Owner;
use crate::system::event::Event;
use crate::system::{Domain, Op};
use crate::vocabulary::FaultId;

/// Adds the budgets of the faults in `woven`.
pub(super) fn weave(draft: &mut Draft, program: &Program, woven: &[FaultId]) {
    for id in woven {
        let fault = &program.faults[id.0 as usize];
        if let Some(max) = fault.max {
            count(
                draft,
                format!("{} used", fault.name),
                Owner::Fault(*id),
                max,
                &[*id],
            );
        }
    }
    for (index, limit) in program.limits.iter().enumerate() {
        let counted: Vec<FaultId> = limit
            .faults
            .iter()
            .copied()
            .filter(|f| woven.contains(f))
            .collect();
        if !counted.is_empty() {
            let name = format!("limit {} used", index + 1);
            count(
                draft,
                name,
                Owner::Limit(index as u32),
                limit.bound,
                &counted,
            );
        }
    }
}

fn count(draft: &mut Draft, name: String, owner: Owner, max: u32, faults: &[FaultId]) {
    let max = i64::from(max);
    let used = draft.declare(name, owner, Domain::Int { lo: 0, hi: max }, 0);
    let injects = |edge: &Edge| {
        edge.events
            .iter()
            .any(|e| matches!(e, Event::Injected(f) if faults.contains(f)))
    };
    draft.observe(injects, |_| {
        vec![(used, Expr::binary(Op::Add, var(used), Expr::int(1)))]
    });
    draft.restrict(injects, |_| Expr::binary(Op::Lt, var(used), Expr::int(max)));
}
