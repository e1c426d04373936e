//! Failure detectors: one boolean each, and a process of its own with two fair edges.
//!
//! ```text
//! d: detector(w)    w has crashed, d does not suspect it --> d suspects it
//!                   w has not crashed, d suspects it     --> d trusts it again
//! ```
//!
//! So a detector suspects whoever has crashed sooner or later, and nobody else for ever. That it suspects the living at all is a
//! fault. In the terms of T. D. Chandra and S. Toueg, "Unreliable Failure Detectors for Reliable Distributed Systems", 1996, and
//! where processes do not recover: it is perfect without that fault, and eventually perfect if the fault has a budget.

use super::draft::{Detector, Draft, act, var};
use crate::graph::{Edge, Expr, Leaf};
use crate::program::Program;
use crate::system::event::Word;
use crate::system::{Domain, EdgeKind, Owner};

/// Adds the detectors of a program.
pub(super) fn declare(draft: &mut Draft, program: &Program) {
    for detector in &program.detectors {
        let watched = detector.process;
        let (process, idle) = draft.add_process(detector.name.clone(), "detector", detector.span);
        let owner = Owner::Process(process);
        let suspects = draft.declare("suspects", owner, Domain::Bool, 0);
        let crashed = Expr::Leaf(Leaf::Crashed(watched));
        let moves = [
            (crashed.clone(), Expr::yes(), "suspects", "suspects"),
            (crashed.not(), Expr::no(), "trusts", "does not suspect"),
        ];
        for (guard, opinion, verb, words) in moves {
            let other = match opinion.is_yes() {
                true => var(suspects).not(),
                false => var(suspects),
            };
            let mut sentence = vec![Word::Actor, Word::Plain(words), Word::Process(watched)];
            if !opinion.is_yes() {
                sentence.push(Word::Plain("any more"));
            }
            let edge = Edge {
                guard: Expr::and([guard, other]),
                updates: vec![(suspects, opinion)],
                kind: EdgeKind::Normal,
                events: vec![act(verb, sentence)],
                ..Edge::new(detector.span)
            };
            let graph = &mut draft.processes[process.0 as usize].graph;
            graph.add_edge(idle, idle, edge);
        }
        draft.detectors.push(Detector {
            process,
            idle,
            watched,
            suspects,
        });
    }
}
