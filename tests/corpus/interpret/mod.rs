//! The language read once more, as plainly as possible: an interpreter of checked programs.
//!
//! It shares nothing with the compiler after the checker: no graphs, no weaving. It walks over the statements
//! and does what `docs/language.md` says. So it judges what a step is, what channels and faults do, and which
//! checks are made, where the engines, which all read the same System, cannot contradict each other.

mod code;
mod eval;
mod fault;
mod message;
mod own;
mod state;
mod step;
mod write;

use std::collections::HashSet;

use sandalc::program::{Program, Says};
use sandalc::system::Check;
use sandalc::weave::Options;

use code::{Code, Control};
use sandalc::vocabulary::SpecKind;
use state::{Budget, State};
use step::Move;

/// What the interpreter found out.
pub struct Explored {
    /// How many states are reachable.
    pub states: usize,
    /// `deadlock`, then the run-time checks and the specifications that are about single states, by name.
    pub verdicts: Vec<(String, bool)>,
}

/// A program with what is known about it before it runs.
struct Machine<'a> {
    program: &'a Program,
    code: Vec<Code<'a>>,
    /// The faults that may happen, by their numbers in the program.
    faults: Vec<usize>,
    budgets: Vec<Budget>,
    timely: bool,
    /// Of each fault whether specifications ask if a run may inject it, if it happened, if it did in the last step.
    chosen: Vec<bool>,
    remembers: Vec<bool>,
    remembers_last: Vec<bool>,
}

/// Explores a program, or gives up at `most` states.
pub fn explore(program: &Program, options: &Options, most: usize) -> Option<Explored> {
    let machine = Machine::new(program, options);
    let mut seen = HashSet::new();
    let mut queue = machine.initials();
    seen.extend(queue.iter().cloned());
    let mut deadlock = false;
    let mut failed: Vec<Check> = Vec::new();
    let specs: Vec<_> = program
        .properties
        .iter()
        .filter(|p| matches!(p.kind, SpecKind::Invariant | SpecKind::Reachable))
        .filter_map(|p| match &p.says {
            Says::Formula(formula) => Some((p, formula)),
            _ => None,
        })
        .collect();
    let mut always = vec![true; specs.len()];
    let mut sometimes = vec![false; specs.len()];
    while let Some(state) = queue.pop() {
        for (i, (_, formula)) in specs.iter().enumerate() {
            if machine.is_about(&state, Some(formula)) {
                let holds = machine.holds(&state, formula);
                always[i] &= holds;
                sometimes[i] |= holds;
            }
        }
        let ordinary = machine.is_about(&state, None);
        let mut moves = machine.moves(&state);
        if !moves.iter().any(|m| m.forced) {
            deadlock |= ordinary && machine.is_stuck(&state);
            // To stay as one is is a step, too: afterwards nothing has just happened.
            moves.push(machine.account(&state, Move::plain(state.clone())));
        }
        for next in moves {
            failed.extend(next.failed.filter(|_| ordinary));
            if seen.insert(next.state.clone()) {
                if seen.len() > most {
                    return None;
                }
                queue.push(next.state);
            }
        }
    }
    let mut verdicts = Vec::new();
    if options.deadlock {
        verdicts.push(("deadlock".to_owned(), !deadlock));
    }
    for (check, name) in [
        (Check::Assert, "assert"),
        (Check::Range, "range"),
        (Check::Division, "division"),
        (Check::Index, "index"),
    ] {
        verdicts.push((name.to_owned(), !failed.contains(&check)));
    }
    for (i, (spec, _)) in specs.iter().enumerate() {
        let holds = match spec.kind {
            SpecKind::Invariant => always[i],
            _ => sometimes[i],
        };
        verdicts.push((spec.name.clone(), holds));
    }
    Some(Explored {
        states: seen.len(),
        verdicts,
    })
}

impl Machine<'_> {
    /// Whether somebody waits for ever and nobody is excused.
    fn is_stuck(&self, state: &State) -> bool {
        let excused = state.control.iter().enumerate().any(|(p, at)| {
            *at == Control::Failed || (*at == Control::Crashed && self.may_restart(p))
        });
        let waits = (0..state.control.len()).any(|p| self.unfinished(state, p));
        waits && !excused
    }

    /// Neither stopped nor at a statement labelled `end` or `end_..`.
    fn unfinished(&self, state: &State, process: usize) -> bool {
        match state.control[process] {
            Control::Done | Control::Failed | Control::Crashed => false,
            at => {
                let labels = &self.program.processes[process].labels;
                !labels.iter().enumerate().any(|(i, label)| {
                    (label.name == "end" || label.name.starts_with("end_"))
                        && self.code[process].is_at(at, i as u32)
                })
            }
        }
    }
}
