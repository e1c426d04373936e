//! What specifications ask about faults: `injected(f)`, `happened(f)` and the like. Nothing is stored for what nobody asks.
//!
//! ```text
//! before   s0 --drop (injects f)--> s1, s1 --skip--> s2
//! after    s0 --drop, injected := true--> s1, s1 --skip, injected := false--> s2
//! ```
//!
//! Staying as it is is a step, too: where nobody has to move and something is remembered of the step before, a step of a process of its own
//! forgets it.

use rustc_hash::FxHashSet;

use super::budget::Budget;
use super::draft::{Draft, act, var};
use super::phase::is;
use super::tolerant;
use crate::graph::{Edge, Expr, Leaf};
use crate::program::{self, ExprKind, FaultAspect, Program};
use crate::system::event::{Event, Word};
use crate::system::{Domain, EdgeKind, Owner, VarId, phase};
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
        found.0.extend(asked_in(&property.formula));
        let tolerated = property.tolerated.iter();
        let asks = tolerated.flat_map(|tolerated| tolerant::asks(program, tolerated));
        found.0.extend(asks);
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

/// Declares and keeps what they ask.
pub(super) fn weave(
    draft: &mut Draft,
    program: &Program,
    woven: &[FaultId],
    asked: &Asked,
    budgets: &[Budget],
) {
    use FaultAspect::{Begun, Faulty, Happened, Injected, Injecting, Stopped};
    let mut recent: Vec<(Event<Leaf>, VarId)> = Vec::new();
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
            recent.push((Event::Injected(id), injected));
        }
    }
    recent.extend(draft.ticked.map(|ticked| (Event::Ticked, ticked)));
    remember(draft, program, &recent);
}

/// Keeps what the last step did.
fn remember(draft: &mut Draft, program: &Program, recent: &[(Event<Leaf>, VarId)]) {
    let span = match recent.first() {
        None => return,
        Some((Event::Injected(fault), _)) => program.faults[fault.0 as usize].span,
        Some(_) => draft.about[0].span,
    };
    draft.observe(
        |_| true,
        |edge| {
            let did = |event| Expr::bool(edge.events.contains(event));
            recent.iter().map(|(event, v)| (*v, did(event))).collect()
        },
    );
    let (process, idle) = draft.add_process("rest", "rest", span);
    draft.timeless.push(process);
    let remembered = Expr::or(recent.iter().map(|(_, v)| var(*v)));
    let edge = Edge {
        guard: Expr::and([remembered, Expr::Leaf(Leaf::Quiet(process))]),
        picks: Vec::new(),
        updates: recent.iter().map(|(_, v)| (*v, Expr::no())).collect(),
        checks: Vec::new(),
        kind: EdgeKind::Normal,
        events: vec![act("rests", [Word::Plain("nobody moves")])],
        exit: None,
        checked: false,
        span,
    };
    let graph = &mut draft.processes[process.0 as usize].graph;
    graph.add_edge(idle, idle, edge);
}
