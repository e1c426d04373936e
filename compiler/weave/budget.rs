//! `@fault(max = k)` and `limit k { .. }`: a counter 0..k in the state, never reset; at k the edges are
//! disabled.
//!
//! ```text
//! before   s0 --crash (injects f)--> crashed
//! after    s0 --used < k, crash (injects f), used := used + 1--> crashed
//! ```

use super::draft::{Draft, var};
use super::phase::{Begun, count, sum};
use crate::graph::{Edge, Expr};
use crate::program::Program;
use crate::system::event::Event;
use crate::system::{Domain, EdgeKind, Op, Owner, StartChoice, VarId};
use crate::vocabulary::FaultId;

/// A counter of injections.
pub(super) struct Budget {
    pub used: VarId,
    pub max: i64,
    pub faults: Vec<FaultId>,
}

impl Budget {
    /// Whether there is some of it left.
    pub fn is_left(&self) -> Expr {
        self.has(1)
    }

    /// How many injections of a step it counts: one that another fault waits for may be its beginning, too.
    fn counts(&self, edge: &Edge) -> i64 {
        let counted = edge.events.iter().filter(|event| match event {
            Event::Injected(f) => {
                matches!(edge.kind, EdgeKind::Fault(_)) && self.faults.contains(f)
            }
            Event::Began(f) => self.faults.contains(f),
            _ => false,
        });
        counted.count() as i64
    }

    /// Whether there is so much of it left.
    fn has(&self, count: i64) -> Expr {
        Expr::binary(Op::Lt, var(self.used), Expr::int(self.max - count + 1))
    }
}

/// Declares the budgets of the faults in `woven`; `begun` have begun at the start.
pub(super) fn declare(
    draft: &mut Draft,
    program: &Program,
    woven: &[FaultId],
    begun: &[Begun],
) -> Vec<Budget> {
    let mut budgets = Vec::new();
    let mut budget = |name: String, owner, max: u32, faults: Vec<FaultId>| {
        let max = i64::from(max);
        let (surely, perhaps, first) = count(begun, &faults);
        let used = draft.declare(name, owner, Domain::Int { lo: 0, hi: max }, first);
        if !perhaps.is_empty() {
            let most = max.min(surely + perhaps.len() as i64);
            let others = (surely..=most).filter(|code| *code != first);
            draft.starts.choices.push(StartChoice {
                var: used,
                codes: [first].into_iter().chain(others).collect(),
            });
            let already = sum(surely, &perhaps);
            let rule = Expr::binary(Op::Eq, var(used), already);
            draft.start_rules.push(rule);
        }
        budgets.push(Budget { used, max, faults });
    };
    for id in woven {
        let fault = &program.faults[id.0 as usize];
        if let Some(max) = fault.max {
            let name = format!("{} used", fault.name);
            budget(name, Owner::Fault(*id), max, vec![*id]);
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
            budget(name, Owner::Shared(index as u32), limit.bound, counted);
        }
    }
    budgets
}

/// Counts what the budgets count, and disables it when they are used up.
pub(super) fn weave(draft: &mut Draft, budgets: &[Budget]) {
    for budget in budgets {
        let used = budget.used;
        draft.observe(
            |edge| budget.counts(edge) > 0,
            |edge| {
                let count = Expr::int(budget.counts(edge));
                vec![(used, Expr::binary(Op::Add, var(used), count))]
            },
        );
        draft.restrict(
            |edge| budget.counts(edge) > 0,
            |edge| budget.has(budget.counts(edge)),
        );
    }
}

/// Whether all budgets of a fault have some left.
pub(super) fn available(budgets: &[Budget], fault: FaultId) -> Expr {
    let of = budgets.iter().filter(|b| b.faults.contains(&fault));
    Expr::and(of.map(Budget::is_left))
}

/// Whether all budgets of a fault have some left after a step, as far as it is known what that counts.
pub(super) fn available_after(budgets: &[Budget], fault: FaultId, edge: &Edge) -> Expr {
    let of = budgets.iter().filter(|b| b.faults.contains(&fault));
    Expr::and(of.map(|b| b.has(b.counts(edge) + 1)))
}
