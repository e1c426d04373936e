//! What one run shows about a branching-time formula.
//!
//! A run shows that `AG f` is false where it comes to a state in which it shows that `f` is, and that `EF f` is true
//! likewise; it can never show that `AG f` is true, which is about all runs. Read state by state, from the
//! run and the formula alone: nothing is shared with the engine that found the run.

use super::Trace;
use crate::system::Formula;
use crate::system::state::State;
use crate::vocabulary::{PathOp, TemporalOp};

/// Whether a run shows that a formula is false in the initial state. A loop counts as a run for ever, so it must be
/// fair; a finite run can be continued fairly, as every state can.
pub(super) fn refutes(trace: &Trace, formula: &Formula) -> bool {
    let positions = match trace.loop_start {
        Some(_) => trace.steps.len(),
        None => trace.steps.len() + 1,
    };
    let run = Positions {
        states: (0..positions).map(|i| trace.before(i)).collect(),
        loop_start: trace.loop_start,
    };
    run.shown(formula, false)[0]
}

/// Whether a finite run ends where a formula of the form `AG f` may be false: nothing that it shows says that `f` is true there. What
/// cannot happen after it, no run can show.
pub(super) fn may_refute(trace: &Trace, formula: &Formula) -> bool {
    let Some((_, inner)) = everywhere(formula) else {
        return false;
    };
    let run = Positions {
        states: vec![trace.last()],
        loop_start: None,
    };
    trace.loop_start.is_none() && inner.is_about_what_can_happen() && !run.shown(inner, true)[0]
}

/// The `f` of `AG f` and of `p -> AG f`.
fn everywhere(formula: &Formula) -> Option<(Option<&Formula>, &Formula)> {
    match formula {
        Formula::Unary(TemporalOp::AG, f) => Some((None, f)),
        Formula::Implies(p, f) => everywhere(f).map(|(_, f)| (Some(&**p), f)),
        _ => None,
    }
}

impl Trace {
    /// The beginning of a run, if it is enough to show that a branching-time formula is false.
    pub fn refuting(&self, formula: &Formula) -> Option<Trace> {
        let beginning = |steps: usize| Trace {
            initial: self.initial.clone(),
            steps: self.steps[..steps].to_vec(),
            loop_start: None,
            begun: self.begun.clone(),
        };
        // What a beginning shows, a longer one shows.
        let all = beginning(self.steps.len());
        if !refutes(&all, formula) {
            return None;
        }
        let (mut shows_not, mut shows) = (0, all.steps.len());
        while shows_not < shows {
            let middle = (shows_not + shows) / 2;
            match refutes(&beginning(middle), formula) {
                true => shows = middle,
                false => shows_not = middle + 1,
            }
        }
        Some(beginning(shows))
    }
}

struct Positions<'a> {
    states: Vec<&'a State>,
    loop_start: Option<usize>,
}

impl Positions<'_> {
    /// At which positions the run from there on shows that a formula has this value.
    fn shown(&self, formula: &Formula, value: bool) -> Vec<bool> {
        match formula {
            Formula::Atom(e) => self.states.iter().map(|s| s.holds(e) == value).collect(),
            Formula::Not(f) => self.shown(f, !value),
            Formula::And(parts) => self.joined(parts.iter().map(|f| self.shown(f, value)), value),
            Formula::Or(parts) => self.joined(parts.iter().map(|f| self.shown(f, value)), !value),
            Formula::Implies(f, g) => {
                let parts = [self.shown(f, !value), self.shown(g, value)];
                self.joined(parts.into_iter(), !value)
            }
            Formula::Iff(f, g) => {
                let cases = [true, false].map(|side| {
                    let both = [self.shown(f, side), self.shown(g, side == value)];
                    self.joined(both.into_iter(), true)
                });
                self.joined(cases.into_iter(), false)
            }
            Formula::Unary(op, f) => {
                use TemporalOp::{AF, AG, AX, EF, EG, EX};
                let f = self.shown(f, value);
                match (op, value) {
                    (EX, true) | (AX, false) => (0..f.len())
                        .map(|i| self.next(i).is_some_and(|next| f[next]))
                        .collect(),
                    (EF, true) | (AG, false) => self.fixpoint(false, |i, later| f[i] || later),
                    (EG, true) | (AF, false) => self.fixpoint(true, |i, later| f[i] && later),
                    _ => vec![false; f.len()],
                }
            }
            Formula::Path(op, f, g) => {
                let (f, g) = (self.shown(f, value), self.shown(g, value));
                match (op, value) {
                    (PathOp::Exists, true) => {
                        self.fixpoint(false, |i, later| g[i] || (f[i] && later))
                    }
                    (PathOp::All, false) => self.fixpoint(true, |i, later| g[i] && (f[i] || later)),
                    _ => vec![false; f.len()],
                }
            }
            // Linear time; not for here.
            Formula::Binary(..) => vec![false; self.states.len()],
        }
    }

    /// All of the parts, or some of them.
    fn joined(&self, parts: impl Iterator<Item = Vec<bool>>, all: bool) -> Vec<bool> {
        parts.fold(vec![all; self.states.len()], |joined, part| {
            let pairs = joined.into_iter().zip(part);
            pairs
                .map(|(a, b)| if all { a && b } else { a || b })
                .collect()
        })
    }

    /// The least or the greatest values of which each follows from that at the next position. A finite run shows
    /// nothing about what comes after it.
    fn fixpoint(&self, greatest: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![greatest; self.states.len()];
        // From the back, and once more with what the loop leads to.
        for _ in 0..2 {
            for i in (0..values.len()).rev() {
                let later = self.next(i).is_some_and(|next| values[next]);
                values[i] = value(i, later);
            }
        }
        values
    }

    fn next(&self, position: usize) -> Option<usize> {
        if position + 1 < self.states.len() {
            Some(position + 1)
        } else {
            self.loop_start
        }
    }
}
