//! A plain search for a fair run that violates a formula.

use std::collections::VecDeque;

use indexmap::IndexSet;

use crate::engine::emptiness::components::components;
use crate::engine::ltl::observe_by_automata;
use crate::system::EdgeKind;
use crate::system::state;
use crate::system::state::State;
use crate::system::{Formula, System};
use crate::verdict::{Move, Run};

/// A move of the product of a System with automata.
struct Arc {
    to: u32,
    step: Move,
    marks: Vec<u64>,
}

/// What an accepting cycle has to see.
enum Need {
    Mark(usize, u32),
    Recurring(u32),
    Fair(usize),
}

/// A fair run that satisfies all assumptions and violates the formula; `Err` if there are too many states.
pub fn violating_run(system: &System, formula: &Formula, limit: usize) -> Result<Option<Run>, ()> {
    let assumed = system.assumptions.iter().map(|a| (&a.formula, true));
    let formulas: Vec<(&Formula, bool)> = assumed.chain([(formula, false)]).collect();
    let observer = observe_by_automata(&formulas).map_err(|_| ())?;
    let mut nodes: IndexSet<(State, Vec<u32>)> =
        IndexSet::from([(state::initial(system), vec![0; observer.automata.len()])]);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    while arcs.len() < nodes.len() {
        let (here, automata) = nodes[arcs.len()].clone();
        let atoms: Vec<bool> = observer.atoms.iter().map(|e| here.holds(e)).collect();
        // Every combination of what the automata do.
        let mut ways: Vec<(Vec<u32>, Vec<u64>)> = vec![(Vec::new(), Vec::new())];
        for (automaton, at) in observer.automata.iter().zip(&automata) {
            let letter = automaton.atoms.iter().enumerate();
            let letter = letter.fold(0, |l, (bit, a)| l | u128::from(atoms[*a as usize]) << bit);
            let edges = &automaton.states[*at as usize];
            ways = edges
                .iter()
                .filter(|e| e.reads(letter))
                .flat_map(|e| {
                    ways.iter().map(move |(to, marks)| {
                        let mut way = (to.clone(), marks.clone());
                        way.0.push(e.to);
                        way.1.push(e.marks);
                        way
                    })
                })
                .collect();
        }
        let mut out = Vec::new();
        for (step, next) in state::successors(system, &here) {
            for (to, marks) in &ways {
                let (to, _) = nodes.insert_full((next.clone(), to.clone()));
                if nodes.len() > limit {
                    return Err(());
                }
                out.push(Arc {
                    to: to as u32,
                    step: step.clone(),
                    marks: marks.clone(),
                });
            }
        }
        arcs.push(out);
    }
    let (component, count) = components(
        nodes.len(),
        |_| true,
        |node, cursor| {
            *cursor += 1;
            arcs[node as usize].get(*cursor as usize - 1).map(|a| a.to)
        },
    );
    let mut needs = Vec::new();
    for (i, automaton) in observer.automata.iter().enumerate() {
        needs.extend((0..automaton.marks).map(|m| Need::Mark(i, m)));
    }
    needs.extend(observer.recurring.iter().map(|a| Need::Recurring(*a)));
    needs.extend((0..system.processes.len()).map(Need::Fair));
    let can_move: Vec<_> = system
        .processes()
        .map(|(id, _)| system.can_move_without_fault(id))
        .collect();
    for wanted in 0..count {
        let inside: Vec<(u32, &Arc)> = (0..nodes.len() as u32)
            .filter(|n| component[*n as usize] == wanted)
            .flat_map(|n| arcs[n as usize].iter().map(move |a| (n, a)))
            .filter(|(_, a)| component[a.to as usize] == wanted)
            .collect();
        let meets = |need: &Need, (from, arc): &(u32, &Arc)| match need {
            Need::Mark(automaton, mark) => arc.marks[*automaton] >> mark & 1 == 1,
            Need::Recurring(atom) => nodes[*from as usize]
                .0
                .holds(&observer.atoms[*atom as usize]),
            Need::Fair(p) => {
                let moves =
                    matches!(&arc.step, Move::Step { process, .. } if process.0 as usize == *p);
                moves || !nodes[*from as usize].0.holds(&can_move[*p])
            }
        };
        let targets: Option<Vec<(u32, &Arc)>> = needs
            .iter()
            .map(|need| inside.iter().find(|arc| meets(need, arc)).copied())
            .collect();
        let Some(targets) = targets else { continue };
        let Some((start, first)) = inside.first().copied() else {
            continue;
        };
        let mut moves = path(&arcs, 0, start, |_| true);
        let loop_start = moves.len();
        let mut at = start;
        for (from, arc) in targets.into_iter().chain([(start, first)]) {
            moves.extend(path(&arcs, at, from, |n| component[n as usize] == wanted));
            moves.push(arc.step.clone());
            at = arc.to;
        }
        moves.extend(path(&arcs, at, start, |n| component[n as usize] == wanted));
        return Ok(Some(Run {
            start: Vec::new(),
            moves,
            loop_start: Some(loop_start),
        }));
    }
    Ok(None)
}

/// A shortest path.
fn path(arcs: &[Vec<Arc>], from: u32, to: u32, member: impl Fn(u32) -> bool) -> Vec<Move> {
    let mut came: Vec<Option<(u32, &Move)>> = vec![None; arcs.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            break;
        }
        for arc in arcs[node as usize].iter().filter(|a| member(a.to)) {
            if arc.to != from && came[arc.to as usize].is_none() {
                came[arc.to as usize] = Some((node, &arc.step));
                queue.push_back(arc.to);
            }
        }
    }
    let mut moves = Vec::new();
    let mut at = to;
    while at != from {
        let (before, step) = came[at as usize].expect("it can be reached");
        moves.push(step.clone());
        at = before;
    }
    moves.reverse();
    moves
}

/// Whether a run is one of the System: every move can be made, a cycle comes back to where it began, and it is
/// fair. Yields the states it goes through, the last one first of the next round.
pub fn replay(system: &System, run: &Run) -> Result<Vec<State>, String> {
    let first = state::start(system, &run.start).ok_or("it starts nowhere")?;
    let mut states = vec![first];
    for (index, step) in run.moves.iter().enumerate() {
        let here = states.last().expect("not empty");
        let next = match step {
            Move::Stutter => here.holds(&system.quiescent()).then(|| here.clone()),
            Move::Step {
                process,
                edge,
                picks,
            } => {
                let edge = &system.process(*process).edges[*edge];
                state::take(system, here, *process, edge, picks)
            }
        };
        states.push(next.ok_or(format!("move {index} of {run:?}"))?);
    }
    if let Some(start) = run.loop_start {
        if states[start] != states[states.len() - 1] {
            return Err("the cycle does not close".into());
        }
        for (id, process) in system.processes() {
            let can = system.can_move_without_fault(id);
            let fair = (start..run.moves.len()).any(|i| {
                let moves = matches!(&run.moves[i], Move::Step { process, .. } if *process == id);
                moves || !states[i].holds(&can)
            });
            if !fair {
                return Err(format!("unfair to {}", process.name));
            }
        }
    }
    Ok(states)
}

/// How many faults a run injects.
pub fn faults(system: &System, run: &Run) -> usize {
    run.moves
        .iter()
        .filter(|step| match step {
            Move::Step { process, edge, .. } => {
                let kind = system.process(*process).edges[*edge].kind;
                matches!(kind, EdgeKind::Fault(_))
            }
            Move::Stutter => false,
        })
        .count()
}
