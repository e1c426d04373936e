//! When faults are active: `from`, `until`, `permanent`, `transient`.
//!
//! ```text
//! before   s0 --drop (injects f)--> s1
//! after    s0 --phase of f = active, drop (injects f)--> s1
//!          nobody: phase of f = waiting --> active         (from = any)
//!          p: every step that is the event of `from` also makes a waiting fault active
//! ```
//!
//! A phase is *never*, *waiting*, *active* or *over*, and *over* is final. The end of a transient fault is an ordinary, fair step of a
//! process of its own.

use petgraph::graph::EdgeIndex;

use super::aspect::Asked;
use super::budget::{Budget, available, available_after};
use super::draft::{Draft, act, var};
use super::happening;
use crate::graph::{Edge, Expr};
use crate::program::{Fault, FaultAspect, Moment, Program};
use crate::source::Span;
use crate::system::event::{Event, Word};
use crate::system::{Domain, EdgeKind, Op, Owner, StartChoice, VarId, phase};
use crate::vocabulary::FaultId;

/// Whether a fault is in a phase.
pub(super) fn is(phase: VarId, code: i64) -> Expr {
    Expr::binary(Op::Eq, var(phase), Expr::int(code))
}

impl Draft {
    /// Whether a fault is active, as far as its phase tells.
    pub(super) fn active(&self, fault: FaultId) -> Expr {
        match self.phases[fault.0 as usize] {
            Some(var) => is(var, phase::ACTIVE),
            None => Expr::yes(),
        }
    }
}

/// Declares the phases of those faults that need one. Yields the faults that have begun at the start: those that happen at
/// every occasion and wait for nothing, unless a limit has been used up by earlier ones.
pub(super) fn declare(
    draft: &mut Draft,
    program: &Program,
    woven: &[FaultId],
    asked: &Asked,
) -> Vec<FaultId> {
    let mut begun: Vec<FaultId> = Vec::new();
    let mut ordinary = Vec::new();
    for id in woven {
        let fault = &program.faults[id.0 as usize];
        let choice = asked.about(FaultAspect::Faulty, *id);
        if fault.timing.is_plain() && !choice {
            continue;
        }
        let waits = match &fault.timing.from {
            None => false,
            Some(Moment::Any) => true,
            Some(Moment::After(event)) => !happening::at_start(draft, event),
        };
        let used_up = |limit: &crate::program::Limit| {
            let used = begun.iter().filter(|f| limit.faults.contains(f)).count();
            limit.faults.contains(id) && used >= limit.bound as usize
        };
        let refused = fault.timing.always && program.limits.iter().any(used_up);
        let start = match waits || refused {
            true => phase::WAITING,
            false => phase::ACTIVE,
        };
        if fault.timing.always && start == phase::ACTIVE {
            begun.push(*id);
        }
        // What has begun at the start may end there, too, unless both are one step.
        let ends = match &fault.timing.until {
            Some(Moment::After(event)) => happening::at_start(draft, event),
            _ => false,
        };
        let start = match start == phase::ACTIVE && fault.timing.from.is_none() && ends {
            true => phase::OVER,
            false => start,
        };
        let domain = Domain::Int {
            lo: phase::NEVER,
            hi: phase::OVER,
        };
        let name = format!("{} phase", fault.name);
        let phase = draft.declare(name, Owner::Fault(*id), domain, start);
        draft.vars[phase.0 as usize].hidden = true;
        draft.phases[id.0 as usize] = Some(phase);
        if choice {
            draft.starts.choices.push(StartChoice {
                var: phase,
                codes: vec![start, phase::NEVER],
            });
            ordinary.push(is(phase, phase::NEVER).not());
        }
    }
    if !ordinary.is_empty() {
        draft.ordinary = Some(Expr::and(ordinary));
    }
    begun
}

/// Lets faults happen only while they are active, and lets them begin and end.
pub(super) fn weave(draft: &mut Draft, program: &Program, woven: &[FaultId], budgets: &[Budget]) {
    for id in woven {
        let Some(phase) = draft.phases[id.0 as usize] else {
            continue;
        };
        let fault = &program.faults[id.0 as usize];
        let timing = &fault.timing;
        let active = is(phase, phase::ACTIVE);
        if !timing.always {
            draft.restrict(
                |edge| edge.events.contains(&Event::Injected(*id)),
                |_| active.clone(),
            );
        }
        events(draft, *id, phase, fault, budgets);
        if timing.from == Some(Moment::Any) {
            let guard = Expr::and([is(phase, phase::WAITING), available(budgets, *id)]);
            let guard = match timing.always {
                true => guard,
                false => is(phase, phase::WAITING),
            };
            let mut edge = moment(*id, (phase, phase::ACTIVE), guard, "begins", fault.span);
            if timing.always {
                edge.kind = EdgeKind::Fault(*id);
                edge.events = vec![Event::Began(*id)];
            }
            draft.of_nobody(edge);
        }
        if timing.until == Some(Moment::Any) {
            let to = (phase, phase::OVER);
            draft.of_nobody(moment(*id, to, active.clone(), "ends", fault.span));
        }
        if timing.transient {
            let to = (phase, phase::OVER);
            let mut edge = moment(*id, to, active.clone(), "ends", fault.span);
            edge.kind = EdgeKind::Normal;
            let (process, idle) = draft.add_process(fault.name.clone(), "transient", fault.span);
            draft.timeless.push(process);
            let graph = &mut draft.processes[process.0 as usize].graph;
            graph.add_edge(idle, idle, edge);
        }
    }
}

/// An edge that changes the phase of a fault at a free moment.
fn moment(
    fault: FaultId,
    (phase, code): (VarId, i64),
    guard: Expr,
    verb: &'static str,
    span: Span,
) -> Edge {
    Edge {
        guard,
        picks: Vec::new(),
        updates: vec![(phase, Expr::int(code))],
        checks: Vec::new(),
        kind: EdgeKind::Moment(fault),
        events: vec![act(verb, [Word::Fault(fault), Word::Plain(verb)])],
        exit: None,
        checked: false,
        span,
    }
}

/// The steps that are the events of `from` and `until`, and the last that `max` allows, change the phase.
fn events(draft: &mut Draft, id: FaultId, phase: VarId, fault: &Fault, budgets: &[Budget]) {
    let (timing, max) = (&fault.timing, fault.max);
    let event = |moment: &Option<Moment>| match moment {
        Some(Moment::After(event)) => Some(event.clone()),
        _ => None,
    };
    let (from, until) = (event(&timing.from), event(&timing.until));
    // Its own budget: when that is used up it is over.
    let own = max.and_then(|max| {
        let budget = budgets.iter().find(|b| b.faults == [id])?;
        Some((budget.used, i64::from(max)))
    });
    if from.is_none() && until.is_none() && own.is_none() {
        return;
    }
    for process in 0..draft.processes.len() {
        let count = draft.processes[process].graph.edge_count();
        for index in (0..count).map(EdgeIndex::new) {
            let when = |event: &Option<_>| {
                let event = event.as_ref()?;
                happening::when(draft, process, index, event)
            };
            let (begins, ends) = (when(&from), when(&until));
            let injects = |edge: &Edge| edge.events.contains(&Event::Injected(id));
            let own = own.filter(|_| injects(&draft.processes[process].graph[index]));
            if begins.is_none() && ends.is_none() && own.is_none() {
                continue;
            }
            let kept = match own {
                None => var(phase),
                Some((_, 1)) => Expr::int(phase::OVER),
                Some((used, max)) => {
                    let last = Expr::binary(Op::Ge, var(used), Expr::int(max - 1));
                    Expr::ite(last, Expr::int(phase::OVER), var(phase))
                }
            };
            let begins = begins.map(|c| Expr::and([is(phase, phase::WAITING), c]));
            let ends = ends.map(|c| Expr::and([is(phase, phase::ACTIVE), c]));
            let graph = &mut draft.processes[process].graph;
            let ended = match ends {
                Some(ends) => Expr::ite(ends, Expr::int(phase::OVER), kept),
                None => kept,
            };
            let Some(begins) = begins else {
                graph[index].updates.push((phase, ended));
                continue;
            };
            if !timing.always {
                let begun = Expr::ite(begins, Expr::int(phase::ACTIVE), ended);
                graph[index].updates.push((phase, begun));
                continue;
            }
            // Becoming active is an injection: a step with it and one without.
            let left = available_after(budgets, id, &graph[index]);
            let begins = Expr::and([begins, left]);
            let mut with = graph[index].clone();
            with.guard = Expr::and([with.guard, begins.clone()]);
            with.updates.push((phase, Expr::int(phase::ACTIVE)));
            with.events.push(Event::Began(id));
            let without = &mut graph[index];
            without.guard = Expr::and([without.guard.clone(), begins.not()]);
            without.updates.push((phase, ended));
            let (source, target) = graph.edge_endpoints(index).expect("an edge has ends");
            graph.add_edge(source, target, with);
        }
    }
}
