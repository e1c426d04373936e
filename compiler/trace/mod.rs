//! A run becomes a [`Trace`] by being replayed on the System that was checked.
//!
//! Every engine's counterexamples and witnesses go through [`replay`]: each step must be possible, the loop must
//! close and be fair, and the run must really show what the verdict says. One that does not is a bug of
//! ours, not a result. It asks the oracle of infinite runs (`system::lasso`), `branching` about `ctl`, and nothing of any engine.
//!
//! Besides: [`choices`], what can happen next; [`simulate`], random runs, with [`monitor`] and `prefix`, which see while a run goes
//! on that it violates something; [`follow`], runs that somebody has written down; [`ending`] and [`words`], what there is to say
//! about a trace.

mod branching;
pub mod choices;
pub mod ending;
pub mod follow;
pub mod monitor;
mod prefix;
pub mod simulate;
pub mod words;

use crate::source::Span;
use crate::system::expr::Expr as GenericExpr;
use crate::system::lasso::holds_on_lasso;
use crate::system::state;
use crate::system::state::State;
use crate::system::{EdgeKind, Event, Formula, Leaf, PropertyKind, Sought, System, VarId};
use crate::verdict::{Move, Run};
use crate::vocabulary::{FairId, FaultId, ProcessId};

/// A run that has been replayed: prefix, and a cycle if it is infinite.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The faults that happen at every occasion and are active from the start: these are injections, too.
    pub begun: Vec<FaultId>,
    /// The initial state.
    pub initial: State,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// If infinite: after the last step the run goes on with the step of this index.
    pub loop_start: Option<usize>,
}

/// One step of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceStep {
    /// Who moves; `None` when nobody does.
    pub process: Option<ProcessId>,
    /// What happens; its expressions are constants.
    pub events: Vec<Event>,
    /// The statement.
    pub span: Option<Span>,
    /// The fault it injects.
    pub fault: Option<FaultId>,
    /// The fault at work that happens at every occasion; its injection was its beginning.
    pub acting: Option<FaultId>,
    /// Whether it is a timeout taken although its operation could go.
    pub untimely: bool,
    /// The variables that changed, hidden ones left out.
    pub changes: Vec<Change>,
    /// The state after it.
    pub state: State,
}

/// A variable that changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// Which.
    pub var: VarId,
    /// Its code before.
    pub from: i64,
    /// Its code after.
    pub to: i64,
}

impl TraceStep {
    /// The faults that it injects: by what it does, and those that happen at every occasion and become active with it.
    pub fn injections(&self) -> impl Iterator<Item = FaultId> + '_ {
        let began = self.events.iter().filter_map(|event| match event {
            Event::Began(fault) => Some(*fault),
            _ => None,
        });
        let fault = self.fault;
        fault
            .into_iter()
            .chain(began.filter(move |f| Some(*f) != fault))
    }

    /// Whether nothing is changed and nothing chosen: a condition looked at, a value assigned that was there.
    fn is_noise(&self) -> bool {
        let quiet = |event: &Event| {
            matches!(
                event,
                Event::Wrote(_)
                    | Event::Decided(..)
                    | Event::Switched(..)
                    | Event::Looped(_)
                    | Event::Asserted
                    | Event::Granted(_)
            )
        };
        self.process.is_some()
            && self.fault.is_none()
            && self.changes.is_empty()
            && self.events.iter().all(quiet)
    }
}

/// Why a property could be violated on a trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// Nothing unusual happens.
    None,
    /// A timeout is taken although its operation could go.
    UntimelyTimeout,
    /// A fault is injected.
    Fault,
}

impl Trace {
    /// The run that has not taken any step.
    pub fn start(system: &System, initial: State) -> Trace {
        Trace {
            begun: begun(system, &initial),
            initial,
            steps: Vec::new(),
            loop_start: None,
        }
    }

    /// How many faults are injected; in the loop each counts once.
    pub fn faults(&self) -> usize {
        let steps = self.steps.iter().flat_map(TraceStep::injections);
        self.begun.len() + steps.count()
    }

    /// The faults that are injected or at work, each once, in the order of the model.
    pub fn faults_used(&self) -> Vec<FaultId> {
        let mut used = self.begun.clone();
        used.extend(self.steps.iter().flat_map(TraceStep::injections));
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Where timeouts are taken although their operations could go, each place once, in order of the run.
    pub fn untimely(&self) -> impl Iterator<Item = Span> {
        let mut seen = Vec::new();
        let spans = self.steps.iter().filter(|s| s.untimely);
        spans.filter_map(|s| s.span).filter(move |span| {
            let new = !seen.contains(span);
            seen.push(*span);
            new
        })
    }

    /// Why the property could be violated.
    pub fn cause(&self) -> Cause {
        if self.faults() > 0 {
            Cause::Fault
        } else if self.steps.iter().any(|s| s.untimely) {
            Cause::UntimelyTimeout
        } else {
            Cause::None
        }
    }

    /// Whether a step may be left out when the run is told: it changes nothing, shows no choice and no fault,
    /// and neither begins the loop nor ends the run.
    pub fn is_noise(&self, index: usize) -> bool {
        index + 1 < self.steps.len()
            && self.loop_start != Some(index)
            && self.steps[index].is_noise()
    }

    /// The state before a step.
    pub fn before(&self, step: usize) -> &State {
        match step.checked_sub(1) {
            Some(previous) => &self.steps[previous].state,
            None => &self.initial,
        }
    }

    /// The last state.
    pub fn last(&self) -> &State {
        self.before(self.steps.len())
    }
}

/// Replays a run that is said to show that a property is violated (or, for `reachable`, that it holds).
///
/// # Errors
/// Says in words what is wrong with a run that does not show it.
pub fn replay(system: &System, property: usize, run: &Run) -> Result<Trace, String> {
    let trace = steps(system, run)?;
    if let Some(start) = run.loop_start {
        if start >= run.moves.len() {
            return Err(format!(
                "its loop begins at step {start} of {}",
                run.moves.len()
            ));
        }
        if trace.before(start) != trace.last() {
            return Err("its loop does not close".to_string());
        }
    }
    shows(system, &system.properties[property].kind, &trace)?;
    Ok(trace)
}

/// What a move does in a state, if it is possible there.
pub fn step(system: &System, before: &State, taken: &Move) -> Option<TraceStep> {
    match taken {
        Move::Stutter => stutter(system, before),
        Move::Step {
            process,
            edge,
            picks,
        } => take(system, before, *process, *edge, picks),
    }
}

fn steps(system: &System, run: &Run) -> Result<Trace, String> {
    let start = state::start(system, &run.start).ok_or("it starts in no initial state")?;
    let mut trace = Trace {
        loop_start: run.loop_start,
        ..Trace::start(system, start)
    };
    for (index, step) in run.moves.iter().enumerate() {
        let before = trace.last().clone();
        let taken = self::step(system, &before, step);
        let step = taken.ok_or_else(|| format!("step {index} is not possible"))?;
        trace.steps.push(step);
    }
    Ok(trace)
}

/// The faults that happen at every occasion and are active in an initial state.
pub fn begun(system: &System, start: &State) -> Vec<FaultId> {
    let active = |phase: VarId| start.values[phase.0 as usize] == crate::system::phase::ACTIVE;
    (0..)
        .map(FaultId)
        .zip(&system.faults)
        .filter(|(_, fault)| fault.always && fault.phase.is_some_and(active))
        .map(|(id, _)| id)
        .collect()
}

fn stutter(system: &System, before: &State) -> Option<TraceStep> {
    let forced = system.processes().any(|(process, p)| {
        let mut edges = choices::enabled(system, before, process).into_iter();
        edges.any(|(edge, _)| p.edges[edge].kind.is_forced())
    });
    (!forced).then(|| TraceStep {
        process: None,
        events: Vec::new(),
        span: None,
        fault: None,
        acting: None,
        untimely: false,
        changes: Vec::new(),
        state: before.clone(),
    })
}

fn take(
    system: &System,
    before: &State,
    process: ProcessId,
    edge: usize,
    picks: &[i64],
) -> Option<TraceStep> {
    let edge = system.processes.get(process.0 as usize)?.edges.get(edge)?;
    let in_domain = |(code, domain): (&i64, &crate::system::Domain)| {
        let (lo, hi) = domain.bounds();
        lo <= *code && *code <= hi
    };
    if picks.len() != edge.picks.len() || !picks.iter().zip(&edge.picks).all(in_domain) {
        return None;
    }
    let after = state::take(system, before, process, edge, picks)?;
    let constant = |leaf: &Leaf| match leaf {
        Leaf::Var(v) => {
            GenericExpr::Const(system.var(*v).domain.scalar(before.values[v.0 as usize]))
        }
        Leaf::Pick(i) => GenericExpr::Const(edge.picks[*i as usize].scalar(picks[*i as usize])),
        at @ Leaf::At(..) => GenericExpr::bool(before.holds(&GenericExpr::Leaf(at.clone()))),
    };
    let events: Vec<Event> = edge
        .events
        .iter()
        .map(|e| e.map(&mut |leaf| constant(leaf)))
        .collect();
    let mut changes: Vec<Change> = (0..system.vars.len())
        .filter(|i| !system.vars[*i].hidden && before.values[*i] != after.values[*i])
        .map(|i| Change {
            var: VarId(i as u32),
            from: before.values[i],
            to: after.values[i],
        })
        .collect();
    // There may be millions of steps.
    changes.shrink_to_fit();
    Some(TraceStep {
        process: Some(process),
        span: Some(edge.span),
        fault: edge.injection(),
        acting: match edge.kind {
            EdgeKind::Acting(fault) => Some(fault),
            _ => None,
        },
        untimely: events
            .iter()
            .any(|e| matches!(e, Event::TimedOut(could) if could.is_yes())),
        events,
        changes,
        state: after,
    })
}

/// Whether a trace shows what it is said to show.
fn shows(system: &System, property: &PropertyKind, trace: &Trace) -> Result<(), String> {
    let last = trace.last();
    let ensure = |shown: bool, problem: &str| {
        if shown {
            Ok(())
        } else {
            Err(problem.to_string())
        }
    };
    match property.sought(system) {
        Sought::State(e, value) => {
            return ensure(last.holds(&e) == value, "it does not end where it should");
        }
        Sought::Rest(e) => {
            let deadlock = last.holds(&e) && last.holds(&system.quiescent());
            return ensure(deadlock, "it does not end in a deadlock");
        }
        Sought::Failure(check) => {
            let fails = |step: &TraceStep| step.events.contains(&Event::Failed(check));
            let failed = trace.steps.last().is_some_and(fails);
            return ensure(failed, "its last step does not fail");
        }
        Sought::Run => {}
    }
    match property {
        PropertyKind::Ltl(formula) => match trace.loop_start {
            Some(start) => infinite(system, formula, trace, start),
            // A state that violates p is enough to violate `G p`: every state has a fair continuation.
            None => match formula.everywhere() {
                Some(e) if system.assumptions.is_empty() => {
                    ensure(!last.holds(&e), "the condition holds where it ends")
                }
                _ => Err("it is finite".to_string()),
            },
        },
        PropertyKind::Time => timeless(trace),
        PropertyKind::Ctl(formula) => {
            if let Some(start) = trace.loop_start {
                fair(system, trace, start)?;
            }
            ensure(
                branching::refutes(trace, formula) || branching::may_refute(trace, formula),
                "it does not show that the formula is false",
            )
        }
        _ => Err("no single run shows it".to_string()),
    }
}

/// Whether a trace repeats steps that are no faults, and no time passes.
fn timeless(trace: &Trace) -> Result<(), String> {
    let Some(start) = trace.loop_start else {
        return Err("it is finite".to_string());
    };
    let repeated = &trace.steps[start..];
    let idle = |step: &TraceStep| step.process.is_none() || step.events.contains(&Event::Ticked);
    if repeated.iter().any(idle) {
        return Err("time passes in its loop".to_string());
    }
    match repeated.iter().any(|step| step.fault.is_some()) {
        true => Err("a fault is a part of its loop".to_string()),
        false => Ok(()),
    }
}

/// Whether a loop is fair to every process, and passes over no fair choice.
fn fair(system: &System, trace: &Trace, start: usize) -> Result<(), String> {
    for (process, _) in system.processes() {
        let can_move = system.can_move_without_fault(process);
        let fair = (start..trace.steps.len())
            .any(|i| trace.steps[i].process == Some(process) || !trace.before(i).holds(&can_move));
        if !fair {
            return Err(format!(
                "its loop is unfair to {}",
                system.process(process).name
            ));
        }
    }
    for (id, fair) in (0..).map(FairId).zip(&system.fair) {
        let does = |i: usize, event: Event| trace.steps[i].events.contains(&event);
        let owed = |i| does(i, Event::Denied(id)) || trace.before(i).holds(&fair.owed);
        let round = || start..trace.steps.len();
        if round().any(owed) && !round().any(|i| does(i, Event::Granted(id))) {
            return Err(format!("its loop is unfair: {}", fair.name));
        }
    }
    Ok(())
}

fn infinite(system: &System, formula: &Formula, trace: &Trace, start: usize) -> Result<(), String> {
    fair(system, trace, start)?;
    let holds = |f: &Formula| {
        holds_on_lasso(f, trace.steps.len(), start, |position, e| {
            trace.before(position).holds(e)
        })
    };
    if let Some(assumption) = system.assumptions.iter().find(|a| !holds(&a.formula)) {
        return Err(format!(
            "it does not satisfy the assumption {}",
            assumption.name
        ));
    }
    if holds(formula) {
        Err("the formula holds on it".to_string())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
