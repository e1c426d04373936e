//! From NuSMV's traces to runs of the System.
//!
//! NuSMV leaves out what does not matter to a property (cone of influence), so a trace is a description: each
//! of its steps is matched with a move that fits its inputs and leads to a state that fits the next one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::TraceNames;
use super::xml::{RawNode, RawTrace};
use crate::system::fairness::roles;
use crate::system::state::{State, initials, start, start_codes, successors, take};
use crate::system::{Check, Domain, Event, Expr, System};
use crate::verdict::{Move, Run};
use crate::vocabulary::ProcessId;

/// How often a loop is gone round, at most, until what NuSMV left out repeats too.
const ROUNDS: usize = 100_000;

/// As many initial states that fit are tried.
const STARTS: usize = 1_000;

/// The run that a trace describes, or nothing if there is none. Where two moves fit, one without a fault is
/// meant.
pub fn run(system: &System, names: &TraceNames, trace: &RawTrace) -> Option<Run> {
    let reader = Reader { system, names };
    // Where NuSMV left out what tells initial states apart, several may fit.
    let fitting = initials(system).filter(|first| reader.fits(first, &trace.nodes[0]));
    fitting.take(STARTS).find_map(|first| {
        let start = start_codes(system, &first);
        let (moves, states) = reader.follow(first, &trace.nodes)?;
        let run = Run {
            start,
            moves,
            loop_start: None,
        };
        match trace.loop_to {
            None => Some(run),
            Some(to) => close(system, run, &states, to),
        }
    })
}

/// Appends a move on which a check fails; nothing if there is none.
pub fn append_failure(system: &System, run: &mut Run, check: Check) -> Option<()> {
    let mut state = start(system, &run.start)?;
    for step in &run.moves {
        state = after(system, &state, step)?;
    }
    let (failing, _) = successors(system, &state).into_iter().find(|(m, _)| {
        matches!(m, Move::Step { process, edge, .. }
            if system.process(*process).edges[*edge].events.contains(&Event::Failed(check)))
    })?;
    run.moves.push(failing);
    Some(())
}

/// The state after a move.
fn after(system: &System, state: &State, step: &Move) -> Option<State> {
    match step {
        Move::Stutter => Some(state.clone()),
        Move::Step {
            process,
            edge,
            picks,
        } => {
            let edge = &system.process(*process).edges[*edge];
            take(system, state, *process, edge, picks)
        }
    }
}

/// Goes round the loop until the whole state repeats: variables that NuSMV left out may take several rounds.
fn close(system: &System, run: Run, states: &[State], start: usize) -> Option<Run> {
    let Run {
        start: codes,
        mut moves,
        ..
    } = run;
    let round: Vec<Move> = moves[start..].to_vec();
    let mut seen: FxHashMap<State, usize> = FxHashMap::default();
    seen.insert(states[start].clone(), start);
    let mut state = states.last()?.clone();
    for _ in 0..ROUNDS {
        if let Some(index) = seen.get(&state) {
            // NuSMV's last state may be the loop state itself, then nothing is repeated.
            let closed = *index < moves.len();
            let run = Run {
                loop_start: Some(*index),
                moves,
                start: codes,
            };
            return (closed && is_fair(system, &run)).then_some(run);
        }
        seen.insert(state.clone(), moves.len());
        for step in &round {
            state = after(system, &state, step)?;
        }
        moves.extend(round.iter().cloned());
    }
    None
}

/// Whether the loop of a run is fair to every process and every fair choice. Where NuSMV left out who moves the moves found may not be.
fn is_fair(system: &System, run: &Run) -> bool {
    let (Some(loop_start), Some(mut state)) = (run.loop_start, start(system, &run.start)) else {
        return true;
    };
    let mut neglected: Vec<(ProcessId, Expr)> = system
        .processes()
        .map(|(id, _)| (id, system.can_move_without_fault(id)))
        .collect();
    let mut owed = vec![(false, false); system.fair.len()];
    for (index, step) in run.moves.iter().enumerate() {
        if index >= loop_start {
            for (fair, (owed, _)) in system.fair.iter().zip(&mut owed) {
                *owed |= state.holds(&fair.owed);
            }
            if let Move::Step { process, edge, .. } = step {
                for (fair, granted) in roles(&system.process(*process).edges[*edge]) {
                    let (denied, done) = &mut owed[fair.0 as usize];
                    *(if granted { done } else { denied }) = true;
                }
            }
            let who = match step {
                Move::Stutter => None,
                Move::Step { process, .. } => Some(*process),
            };
            neglected.retain(|(id, can_move)| who != Some(*id) && state.holds(can_move));
        }
        match after(system, &state, step) {
            Some(next) => state = next,
            None => return false,
        }
    }
    neglected.is_empty() && owed.iter().all(|(owed, done)| *done || !owed)
}

struct Reader<'a> {
    system: &'a System,
    names: &'a TraceNames,
}

impl Reader<'_> {
    /// The moves along the nodes from a state, with the states between them. Depth first: where NuSMV left
    /// something out a move may turn out to be the wrong one.
    fn follow(&self, first: State, nodes: &[RawNode]) -> Option<(Vec<Move>, Vec<State>)> {
        let mut failed: FxHashSet<(usize, State)> = FxHashSet::default();
        let mut states = vec![first];
        let mut moves: Vec<Move> = Vec::new();
        let mut choices = vec![self.choices(&states[0], nodes, 0)];
        while states.len() < nodes.len() {
            let here = states.len() - 1;
            match choices[here].pop() {
                Some((step, next)) => {
                    if failed.contains(&(here + 1, next.clone())) {
                        continue;
                    }
                    choices.push(self.choices(&next, nodes, here + 1));
                    states.push(next);
                    moves.push(step);
                }
                None => {
                    choices.pop();
                    let state = states.pop()?;
                    failed.insert((here, state));
                    moves.pop()?;
                }
            }
        }
        Some((moves, states))
    }

    /// The moves that fit the step after a node, the best one last.
    fn choices(&self, state: &State, nodes: &[RawNode], index: usize) -> Vec<(Move, State)> {
        let Some(next) = nodes.get(index + 1) else {
            return Vec::new();
        };
        let mut found: Vec<(Move, State)> = successors(self.system, state)
            .into_iter()
            .filter(|(step, after)| self.fits_input(step, &nodes[index]) && self.fits(after, next))
            .collect();
        found.sort_by_key(|(step, _)| self.is_fault(step));
        found.reverse();
        found
    }

    fn is_fault(&self, step: &Move) -> bool {
        match step {
            Move::Stutter => false,
            Move::Step { process, edge, .. } => {
                !self.system.process(*process).edges[*edge].kind.is_forced()
            }
        }
    }

    fn fits_input(&self, step: &Move, node: &RawNode) -> bool {
        // With fair choices it is a part of the state.
        let said = |name: &str| node.input.get(name).or_else(|| node.state.get(name));
        let says = |name: &str, value: &str| said(name).is_none_or(|v| v == value);
        match step {
            Move::Stutter => says("running", "nobody"),
            Move::Step {
                process,
                edge,
                picks,
            } => {
                let p = process.0 as usize;
                let choice = self.names.choices[p][*edge];
                let domains = &self.system.process(*process).edges[*edge].picks;
                let inputs = &self.names.picks[p][*edge];
                says("running", &self.names.runs[p])
                    && choice.is_none_or(|c| says("choice", &c.to_string()))
                    && picks
                        .iter()
                        .zip(domains)
                        .zip(inputs)
                        .all(|((code, domain), name)| {
                            name.as_ref()
                                .is_none_or(|name| says(name, &self.value(*domain, *code)))
                        })
            }
        }
    }

    /// Whether a state is as a node says.
    fn fits(&self, state: &State, node: &RawNode) -> bool {
        let says = |name: &str, value: &str| node.state.get(name).is_none_or(|v| v == value);
        let vars = self.names.vars.iter().enumerate();
        let values = vars.filter_map(|(i, name)| Some((i, name.as_ref()?)));
        let processes = self.system.processes();
        processes
            .into_iter()
            .all(|(id, _)| self.is_at(state, id, node))
            && values.into_iter().all(|(i, name)| {
                says(
                    name,
                    &self.value(self.system.vars[i].domain, state.values[i]),
                )
            })
    }

    fn is_at(&self, state: &State, process: ProcessId, node: &RawNode) -> bool {
        let p = process.0 as usize;
        let location = &self.names.locations[p][state.locations[p].0 as usize];
        let said = self.names.pcs[p].as_ref().and_then(|pc| node.state.get(pc));
        said.is_none_or(|said| said == location)
    }

    /// A value as NuSMV writes it.
    fn value(&self, domain: Domain, code: i64) -> String {
        match domain {
            Domain::Bool => if code != 0 { "TRUE" } else { "FALSE" }.to_string(),
            Domain::Int { .. } => code.to_string(),
            Domain::Data { data, .. } => {
                self.names.constants[data.0 as usize][code as usize].clone()
            }
        }
    }
}
