//! States of a System, one step at a time: the plainest reading of what a System means.
//!
//! No cleverness here, ever: [`walk`] is the tests' oracle for state counts and reachability, and replaying
//! a counterexample uses [`take`].

use indexmap::IndexSet;

use super::{Edge, Expr, Leaf, LocId, System};
use crate::verdict::Move;
use crate::vocabulary::ProcessId;

/// A state: where every process is and what every variable holds (derived ones too).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// A location per process.
    pub locations: Vec<LocId>,
    /// A code per variable.
    pub values: Vec<i64>,
}

impl State {
    /// The value of an expression without picks.
    pub fn eval(&self, expr: &Expr) -> i64 {
        self.eval_with(expr, &[])
    }

    /// Whether a boolean expression without picks holds.
    pub fn holds(&self, expr: &Expr) -> bool {
        self.eval(expr) != 0
    }

    /// The value of an expression under picks.
    pub fn eval_with(&self, expr: &Expr, picks: &[i64]) -> i64 {
        expr.eval(&|leaf| match leaf {
            Leaf::Var(v) => self.values[v.0 as usize],
            Leaf::Pick(i) => picks[*i as usize],
            Leaf::At(p, locations) => i64::from(locations.contains(&self.locations[p.0 as usize])),
        })
    }
}

/// The initial state; of several the first.
pub fn initial(system: &System) -> State {
    let first = initials(system).next();
    first.expect("some combination of initial values is possible")
}

/// The initial states, in the order of the values that may be chosen, the last variable varying fastest.
pub fn initials(system: &System) -> impl Iterator<Item = State> + '_ {
    let choices = &system.starts.choices;
    let mut next = Some(vec![0usize; choices.len()]);
    std::iter::from_fn(move || {
        let digits = next.take()?;
        let codes: Vec<i64> = (choices.iter().zip(&digits))
            .map(|(choice, digit)| choice.codes[*digit])
            .collect();
        let mut after = digits;
        for (choice, digit) in choices.iter().zip(&mut after).rev() {
            *digit += 1;
            if *digit < choice.codes.len() {
                next = Some(after);
                break;
            }
            *digit = 0;
        }
        Some(codes)
    })
    .filter_map(|codes| start(system, &codes))
}

/// The initial state with these codes for the variables that have several, or `None` if there is none. No codes at all mean
/// the first one.
pub fn start(system: &System, codes: &[i64]) -> Option<State> {
    let choices = &system.starts.choices;
    if codes.is_empty() && !choices.is_empty() {
        return Some(initial(system));
    }
    let mut state = State {
        locations: system.processes.iter().map(|p| p.initial).collect(),
        values: system.vars.iter().map(|v| v.init).collect(),
    };
    if codes.len() != choices.len() {
        return None;
    }
    for (choice, code) in choices.iter().zip(codes) {
        if !choice.codes.contains(code) {
            return None;
        }
        state.values[choice.var.0 as usize] = *code;
    }
    derive(system, &mut state);
    let only = system.starts.only.as_ref();
    only.is_none_or(|only| state.holds(only)).then_some(state)
}

/// The codes that tell an initial state from the others.
pub fn start_codes(system: &System, state: &State) -> Vec<i64> {
    let choices = system.starts.choices.iter();
    choices
        .map(|choice| state.values[choice.var.0 as usize])
        .collect()
}

/// Sets the derived variables; a derived variable reads stored ones only.
fn derive(system: &System, state: &mut State) {
    for (i, var) in system.vars.iter().enumerate() {
        if let Some(expr) = &var.derived {
            state.values[i] = state.eval(expr);
        }
    }
}

/// The state after an edge under picks, or `None` if it cannot be taken.
pub fn take(
    system: &System,
    state: &State,
    process: ProcessId,
    edge: &Edge,
    picks: &[i64],
) -> Option<State> {
    let here = state.locations[process.0 as usize] == edge.from;
    if !here || state.eval_with(&edge.guard, picks) == 0 {
        return None;
    }
    let mut next = state.clone();
    for (var, expr) in &edge.updates {
        next.values[var.0 as usize] = state.eval_with(expr, picks);
    }
    next.locations[process.0 as usize] = edge.to;
    derive(system, &mut next);
    Some(next)
}

/// Every move out of a state, in declaration order, with the state it leads to. Where nobody has to move
/// the last one is the stuttering move.
pub fn successors(system: &System, state: &State) -> Vec<(Move, State)> {
    let mut found = Vec::new();
    let mut quiescent = true;
    for (process, p) in system.processes() {
        for (index, edge) in p.edges.iter().enumerate() {
            if state.locations[process.0 as usize] != edge.from {
                continue;
            }
            for picks in all_picks(edge) {
                if let Some(next) = take(system, state, process, edge, &picks) {
                    quiescent &= !edge.kind.is_forced();
                    found.push((
                        Move::Step {
                            process,
                            edge: index,
                            picks,
                        },
                        next,
                    ));
                }
            }
        }
    }
    if quiescent {
        found.push((Move::Stutter, state.clone()));
    }
    found
}

/// Every combination of values for the picks of an edge, the last pick varying fastest.
fn all_picks(edge: &Edge) -> Vec<Vec<i64>> {
    edge.picks.iter().fold(vec![Vec::new()], |done, domain| {
        let (lo, hi) = domain.bounds();
        done.into_iter()
            .flat_map(|picks| {
                (lo..=hi).map(move |code| {
                    let mut picks = picks.clone();
                    picks.push(code);
                    picks
                })
            })
            .collect()
    })
}

/// All reachable states, breadth first, or `None` if there are more than `limit`.
pub fn walk(system: &System, limit: usize) -> Option<IndexSet<State>> {
    let mut states = IndexSet::new();
    for state in initials(system) {
        states.insert(state);
        if states.len() > limit {
            return None;
        }
    }
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        for (_, successor) in successors(system, &state) {
            states.insert(successor);
            if states.len() > limit {
                return None;
            }
        }
    }
    Some(states)
}
