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

/// A fault that has begun at the start of a run: one that happens at every occasion and waits for nothing.
pub(super) struct Begun {
    pub fault: FaultId,
    /// In which initial states; `None` in all of them. A run may be without it, or an earlier one use up its limit.
    pub when: Option<Expr>,
    /// Whether it has in the first initial state.
    pub first: bool,
}

/// How many of these faults have begun: how many surely, which ones perhaps, and how many in the first initial state.
pub(super) fn count<'a>(begun: &'a [Begun], faults: &[FaultId]) -> (i64, Vec<&'a Expr>, i64) {
    let of: Vec<&Begun> = (begun.iter().filter(|b| faults.contains(&b.fault))).collect();
    let perhaps: Vec<&Expr> = of.iter().filter_map(|b| b.when.as_ref()).collect();
    let first = of.iter().filter(|b| b.first).count();
    ((of.len() - perhaps.len()) as i64, perhaps, first as i64)
}

/// How many there are, surely or because these hold.
pub(super) fn sum(surely: i64, perhaps: &[&Expr]) -> Expr {
    let one = |e: &&Expr| Expr::ite((*e).clone(), Expr::int(1), Expr::int(0));
    perhaps
        .iter()
        .map(one)
        .fold(Expr::int(surely), |sum, next| {
            Expr::binary(Op::Add, sum, next)
        })
}

/// Declares the phases of those faults that need one. Yields the faults that have begun at the start: a limit that earlier ones
/// have used up keeps a fault waiting, and what a run is without has used up nothing.
pub(super) fn declare(
    draft: &mut Draft,
    program: &Program,
    woven: &[FaultId],
    asked: &Asked,
) -> Vec<Begun> {
    let mut begun: Vec<Begun> = Vec::new();
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
        let counted = fault.timing.always && !waits;
        let refusal = match counted {
            true => refusal(program, *id, &begun),
            false => Refusal::default(),
        };
        // What has begun at the start may end there, too, unless both are one step.
        let ends = match &fault.timing.until {
            Some(Moment::After(event)) => happening::at_start(draft, event),
            _ => false,
        };
        let goes = match fault.timing.from.is_none() && ends {
            true => phase::OVER,
            false => phase::ACTIVE,
        };
        let start = match waits || refusal.first {
            true => phase::WAITING,
            false => goes,
        };
        let domain = Domain::Int {
            lo: phase::NEVER,
            hi: phase::OVER,
        };
        let name = format!("{} phase", fault.name);
        let phase = draft.declare(name, Owner::Fault(*id), domain, start);
        draft.vars[phase.0 as usize].hidden = true;
        draft.phases[id.0 as usize] = Some(phase);
        let mut codes = vec![start];
        if let Some(refused) = &refusal.when {
            codes.push(match refusal.first {
                true => goes,
                false => phase::WAITING,
            });
            let as_refused = Expr::binary(Op::Eq, is(phase, phase::WAITING), refused.clone());
            let absent = is(phase, phase::NEVER);
            draft.start_rules.push(Expr::or([absent, as_refused]));
        }
        if choice {
            codes.push(phase::NEVER);
            ordinary.push(is(phase, phase::NEVER).not());
        }
        let several = codes.len() > 1;
        if several {
            let var = phase;
            draft.starts.choices.push(StartChoice { var, codes });
        }
        if counted && (refusal.when.is_some() || !refusal.first) {
            begun.push(Begun {
                fault: *id,
                when: several.then(|| is(phase, goes)),
                first: !refusal.first,
            });
        }
    }
    if !ordinary.is_empty() {
        draft.ordinary = Some(Expr::and(ordinary));
    }
    begun
}

/// Whether a limit keeps a fault from beginning at the start.
#[derive(Default)]
struct Refusal {
    /// In the first initial state.
    first: bool,
    /// If it is not the same in all of them: in which.
    when: Option<Expr>,
}

fn refusal(program: &Program, id: FaultId, begun: &[Begun]) -> Refusal {
    let mut refusal = Refusal::default();
    let mut surely_refused = false;
    let mut when = Vec::new();
    for limit in program.limits.iter().filter(|l| l.faults.contains(&id)) {
        let bound = i64::from(limit.bound);
        let (surely, perhaps, first) = count(begun, &limit.faults);
        refusal.first |= first >= bound;
        surely_refused |= surely >= bound;
        if surely + perhaps.len() as i64 >= bound {
            let used = sum(surely, &perhaps);
            when.push(Expr::binary(Op::Ge, used, Expr::int(bound)));
        }
    }
    if !surely_refused && !when.is_empty() {
        refusal.when = Some(Expr::or(when));
    }
    refusal
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
