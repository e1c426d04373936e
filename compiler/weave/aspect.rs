//! What specifications ask about faults: `injected(f)`, `happened(f)` and the like. Nothing is stored for what nobody asks.

use rustc_hash::FxHashSet;

use super::budget::Budget;
use super::draft::{Draft, var};
use super::phase::is;
use super::recent::{self, Recent};
use super::tolerant;
use crate::graph::Expr;
use crate::program::{self, ExprKind, FaultAspect, Happening, Program, Seen};
use crate::system::event::Event;
use crate::system::{Domain, Owner, phase};
use crate::vocabulary::FaultId;

/// What the specifications of a program ask.
#[derive(Default)]
pub(super) struct Asked(FxHashSet<(FaultAspect, FaultId)>);

impl Asked {
    /// Whether they ask this about a fault.
    pub fn about(&self, aspect: FaultAspect, fault: FaultId) -> bool {
        self.0.contains(&(aspect, fault))
    }
}

/// What the specifications ask.
pub(super) fn asked(program: &Program) -> Asked {
    let mut found = Asked::default();
    for property in &program.properties {
        for formula in property.exprs() {
            found.0.extend(asked_in(formula));
        }
        let tolerated = property.tolerated.iter();
        let asks = tolerated.flat_map(|tolerated| tolerant::asks(program, tolerated));
        found.0.extend(asks);
    }
    for view in &program.views {
        for seen in &view.seen {
            if let Seen::Value(value, _) = seen {
                found.0.extend(asked_in(value));
            }
        }
    }
    found
}

/// What an expression asks.
pub(super) fn asked_in(formula: &program::Expr) -> FxHashSet<(FaultAspect, FaultId)> {
    let mut found = FxHashSet::default();
    formula.visit(&mut |e| {
        if let ExprKind::OfFault(aspect, faults) = &e.kind {
            found.extend(faults.iter().map(|f| (*aspect, *f)));
        }
    });
    found
}

/// Declares and keeps what they ask, but for what the last step did, which is yielded.
pub(super) fn weave(
    draft: &mut Draft,
    program: &Program,
    woven: &[FaultId],
    asked: &Asked,
    budgets: &[Budget],
) -> Vec<Recent> {
    use FaultAspect::{Begun, Faulty, Happened, Injected, Injecting, Stopped};
    let mut recent = Vec::new();
    for id in woven.iter().copied() {
        let fault = &program.faults[id.0 as usize];
        let wants = |aspects: &[FaultAspect]| aspects.iter().any(|a| asked.about(*a, id));
        let own = budgets
            .iter()
            .find(|b| b.faults == [id] && fault.max.is_some());
        let left = own.map_or_else(Expr::yes, Budget::is_left);
        let in_phase = |code| match draft.phases[id.0 as usize] {
            Some(var) => is(var, code),
            None => Expr::bool(code == phase::ACTIVE),
        };
        let active = Expr::and([in_phase(phase::ACTIVE), left.clone()]);
        let over = Expr::or([in_phase(phase::OVER), left.not()]);
        let begun = Expr::or([in_phase(phase::ACTIVE), in_phase(phase::OVER)]);
        let faulty = in_phase(phase::NEVER).not();
        let mut set = |aspect, value| draft.aspects.insert((aspect, id), value);
        set(Faulty, faulty);
        set(Injecting, active);
        set(Begun, begun);
        let needs_happened =
            wants(&[Happened, Stopped]) || (wants(&[Begun]) && !fault.timing.always);
        if needs_happened {
            let name = format!("{} happened", fault.name);
            let happened = draft.declare(name, Owner::Fault(id), Domain::Bool, 0);
            draft.vars[happened.0 as usize].hidden = true;
            draft.observe(
                |edge| edge.events.contains(&Event::Injected(id)),
                |_| vec![(happened, Expr::yes())],
            );
            draft.aspects.insert((Happened, id), var(happened));
            let stopped = Expr::and([var(happened), over]);
            draft.aspects.insert((Stopped, id), stopped);
            if !fault.timing.always {
                draft.aspects.insert((Begun, id), var(happened));
            }
        }
        if wants(&[Injected]) {
            let name = format!("{} injected", fault.name);
            let injected = draft.declare(name, Owner::Fault(id), Domain::Bool, 0);
            draft.vars[injected.0 as usize].hidden = true;
            draft.aspects.insert((Injected, id), var(injected));
            recent.push(Recent {
                var: injected,
                event: recent::Asked::Event(Happening::Injected(vec![id])),
                span: fault.span,
            });
        }
    }
    recent
}
