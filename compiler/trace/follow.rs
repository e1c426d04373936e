//! A run that somebody has written down, taken again: also on a model that has changed since.
//!
//! A written step tells who moved and what happened, in words, and what changed. It may be what several edges do, so all of
//! them are followed at once: the run fits if one way fits to the end.

use super::choices::{self, Choice};
use super::{Trace, begun, words};
use crate::source::Sources;
use crate::system::state::{self, State};
use crate::system::{System, VarId, phase};
use crate::verdict::{Move, Run};

/// With more ways than this to take the steps so far, only the first ones are followed.
const MOST_WAYS: usize = 2_000;

/// A step as it was written down.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Told {
    /// Who moved; `None` when nobody did.
    pub process: Option<String>,
    /// What happened.
    pub text: String,
    /// The fault that was injected.
    pub fault: Option<String>,
    /// The variables that changed, with their new values.
    pub changes: Vec<(String, String)>,
    /// The values that were picked, if they were written down.
    pub picks: Option<Vec<String>>,
    /// The edge that was taken, if it was written down; another one may do the same.
    pub edge: Option<usize>,
}

/// Where a run begins, as it was written down.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Beginning {
    /// The values of variables, and of `faulty(f)`, as far as they are written down.
    pub values: Vec<(String, String)>,
    /// The codes that tell its initial state from the others, if they were written down.
    pub codes: Option<Vec<i64>>,
}

/// How far a run fits.
#[derive(Clone, PartialEq, Debug)]
pub struct Followed {
    /// The moves that fit.
    pub run: Run,
    /// Their steps.
    pub trace: Trace,
    /// If not all fit: what is possible instead of the first that does not.
    pub instead: Option<Vec<Choice>>,
    /// The steps that do what is written but change something else.
    pub altered: Vec<usize>,
}

/// A way to take the steps so far.
struct Way {
    state: State,
    /// The way it continues: an index into the ways one step before.
    from: usize,
    choice: Option<Choice>,
    exact: bool,
}

/// Follows written steps as far as they fit, from the initial state that is written, or from all that may be meant.
pub fn follow(
    system: &System,
    sources: &Sources,
    beginning: &Beginning,
    told: &[Told],
) -> Followed {
    let mut starts = starts(system, beginning);
    if starts.is_empty() {
        starts = vec![state::initial(system)];
    }
    let starts = starts.into_iter().map(|state| Way {
        state,
        from: 0,
        choice: None,
        exact: true,
    });
    let mut layers: Vec<Vec<Way>> = vec![starts.collect()];
    let mut instead = None;
    for told in told {
        let ways = layers.last().expect("there is a first layer");
        let mut next: Vec<Way> = Vec::new();
        for (from, way) in ways.iter().enumerate() {
            for choice in candidates(system, &way.state, told) {
                let Some(exact) = fits(system, sources, &choice, told) else {
                    continue;
                };
                let state = choice.step.state.clone();
                let known = next.iter().position(|other| other.state == state);
                let way = Way {
                    state,
                    from,
                    choice: Some(choice),
                    exact,
                };
                match known {
                    Some(other) if exact && !next[other].exact => next[other] = way,
                    None if next.len() < MOST_WAYS => next.push(way),
                    _ => {}
                }
            }
        }
        // What changes the same is meant, if there is such a step.
        if next.iter().any(|way| way.exact) {
            next.retain(|way| way.exact);
        }
        if next.is_empty() {
            instead = Some(choices::all(system, &ways[0].state));
            break;
        }
        layers.push(next);
    }
    back(system, &layers, instead)
}

/// The initial states that have the written values: one, if its codes are written and still mean the same.
fn starts(system: &System, beginning: &Beginning) -> Vec<State> {
    let initial = &beginning.values;
    let injects = |state: &State| {
        let choices = system.starts.choices.iter();
        let mut asked = choices.filter_map(|c| Some((c.var, words::fault_chosen(system, c.var)?)));
        asked.all(|(var, faulty)| {
            let without = initial.iter().any(|(name, _)| *name == faulty);
            without == (state.values[var.0 as usize] == phase::NEVER)
        })
    };
    let written: Vec<_> = (system.starts.choices.iter())
        .filter_map(|choice| {
            let name = system.var_name(choice.var);
            let (_, value) = initial.iter().find(|(known, _)| *known == name)?;
            Some((choice.var, value))
        })
        .collect();
    let has = |state: &State, var: VarId, value: &String| {
        words::value(system, var, state.values[var.0 as usize]) == *value
    };
    let meant = |state: &State| {
        injects(state) && written.iter().all(|(var, value)| has(state, *var, value))
    };
    // In a model that has changed the same codes may say something else: the words decide.
    let exact = beginning.codes.as_ref();
    let exact = exact.and_then(|codes| state::start(system, codes));
    if let Some(exact) = exact.filter(|state| meant(state)) {
        return vec![exact];
    }
    state::initials(system)
        .filter(|state| meant(state))
        .take(MOST_WAYS)
        .collect()
}

/// The first way to the last layer.
fn back(system: &System, layers: &[Vec<Way>], instead: Option<Vec<Choice>>) -> Followed {
    let mut found = Followed {
        run: Run::default(),
        trace: Trace::start(system, layers[0][0].state.clone()),
        instead,
        altered: Vec::new(),
    };
    let mut at = 0;
    for (index, layer) in layers.iter().enumerate().rev() {
        let way = &layer[at];
        if index == 0 {
            found.trace.initial = way.state.clone();
            found.trace.begun = begun(system, &way.state);
            found.run.start = state::start_codes(system, &way.state);
        }
        if let Some(choice) = &way.choice {
            found.run.moves.push(choice.taken.clone());
            found.trace.steps.push(choice.step.clone());
            if !way.exact {
                found.altered.push(index - 1);
            }
        }
        at = way.from;
    }
    found.run.moves.reverse();
    found.trace.steps.reverse();
    found.altered.reverse();
    found
}

/// The moves that may be meant.
fn candidates(system: &System, state: &State, told: &Told) -> Vec<Choice> {
    let Some(name) = &told.process else {
        let step = super::step(system, state, &Move::Stutter);
        return step
            .map(|step| Choice {
                taken: Move::Stutter,
                step,
            })
            .into_iter()
            .collect();
    };
    let mut processes = system.processes().filter(|(_, p)| p.name == *name);
    let mut found = match processes.next() {
        Some((process, _)) => choices::of_process(system, state, process),
        None => Vec::new(),
    };
    // The edge that is written down is tried first.
    let written = |choice: &Choice| match &choice.taken {
        Move::Step { edge, .. } => Some(*edge) != told.edge,
        Move::Stutter => false,
    };
    found.sort_by_key(written);
    found
}

/// Whether a move is what is written down, and if so, whether it also changes the same.
fn fits(system: &System, sources: &Sources, choice: &Choice, told: &Told) -> Option<bool> {
    let step = &choice.step;
    let fault = step.fault.map(|fault| system.fault_name(fault));
    if fault != told.fault.as_deref() || words::step(system, sources, step) != told.text {
        return None;
    }
    let changes = step.changes.iter().map(|change| {
        let value = words::value(system, change.var, change.to);
        (system.var_name(change.var), value)
    });
    let picks = |known: &Vec<String>| *known == words::picks(system, &choice.taken);
    let same = changes.eq(told.changes.iter().cloned()) && told.picks.as_ref().is_none_or(picks);
    Some(same)
}
