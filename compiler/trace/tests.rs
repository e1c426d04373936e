//! Runs replay, and runs that have been tampered with do not.

use super::{Cause, replay, words};
use crate::engine;
use crate::engine::Options;
use crate::system::System;
use crate::testing::model::program;
use crate::verdict::{Move, Outcome, Run, Verdict};
use crate::vocabulary;
use crate::weave;

const HANDSHAKE: &str = "
data Msg { Ping, Pong }
proc A(out channel { Msg }, back channel { Msg }) {
    var got Msg
    send(out, Pong)
    recv(back, got)
}
proc B(in_ channel { Msg }, back channel { Msg }) {
    var m Msg
    recv(in_, m)
    send(back, m)
}
init {
    there: channel { Msg } @drop
    back: channel { Msg }
    a: A(there, back)
    b: B(there, back) @shutdown
}
invariant never_back { a.got != Pong }
invariant fine { !a.failed }
reachable lost { b.crashed }
";

fn system(text: &str) -> System {
    crate::build(&program(text), &weave::Options::default())
}

fn handshake() -> System {
    system(HANDSHAKE)
}

fn verdicts(system: &System) -> Vec<Verdict> {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    engine::check(system, &wanted, &Options::default(), &mut |_| {}).verdicts
}

fn violated<'a>(system: &System, verdicts: &'a [Verdict], name: &str) -> (usize, &'a Run) {
    let property = system
        .properties
        .iter()
        .position(|p| p.name == name)
        .expect("it is there");
    let verdict = verdicts
        .iter()
        .find(|v| v.property == property)
        .expect("it is answered");
    assert_eq!(verdict.outcome, Outcome::Violated, "{name}");
    (property, verdict.run.as_ref().expect("it has a run"))
}

#[test]
fn every_run_replays_and_reads_well() {
    let system = handshake();
    let verdicts = verdicts(&system);
    for verdict in &verdicts {
        if let Some(run) = &verdict.run {
            replay(&system, verdict.property, run).expect("it replays");
        }
    }
    let (property, run) = violated(&system, &verdicts, "never_back");
    let trace = replay(&system, property, run).expect("it replays");
    let steps: Vec<String> = trace
        .steps
        .iter()
        .map(|s| words::step(&system, s))
        .collect();
    assert_eq!(trace.cause(), Cause::None);
    assert!(
        steps.contains(&"a sends Pong on there".to_string()),
        "{steps:#?}"
    );
    assert!(
        steps.contains(&"b receives Pong from there".to_string()),
        "{steps:#?}"
    );
    assert_eq!(
        steps.last().map(String::as_str),
        Some("a receives Pong from back")
    );

    let (property, run) = violated(&system, &verdicts, "deadlock");
    let trace = replay(&system, property, run).expect("it replays");
    assert_eq!((trace.cause(), trace.faults()), (Cause::Fault, 1));
    let waiting = words::waiting(&system, &trace);
    assert!(
        waiting.iter().any(|(text, _)| text.starts_with("a waits ")),
        "{waiting:#?}"
    );
}

#[test]
fn a_run_that_has_been_tampered_with_does_not_replay() {
    let system = handshake();
    let verdicts = verdicts(&system);
    let (property, run) = violated(&system, &verdicts, "never_back");
    let fails = |run: &Run| replay(&system, property, run).is_err();

    // It is the shortest: without its last step it shows nothing, and no step can be left out or doubled.
    for i in 0..run.moves.len() {
        let mut shorter = run.clone();
        shorter.moves.remove(i);
        assert!(fails(&shorter), "without step {i}");
        let mut doubled = run.clone();
        doubled.moves.insert(i, run.moves[i].clone());
        assert!(fails(&doubled), "with step {i} twice");
        for (process, edge, picks) in [(0, 99, vec![]), (99, 0, vec![]), (0, 0, vec![1])] {
            let process = vocabulary::ProcessId(process);
            let mut other = run.clone();
            other.moves[i] = Move::Step {
                process,
                edge,
                picks,
            };
            assert!(fails(&other), "another step {i}");
        }
        let mut idle = run.clone();
        idle.moves.insert(i, Move::Stutter);
        assert!(fails(&idle), "idle before step {i}");
        assert!(
            fails(&Run {
                loop_start: Some(i),
                ..run.clone()
            }),
            "a loop from {i}"
        );
    }
    assert!(fails(&Run {
        loop_start: Some(run.moves.len()),
        ..run.clone()
    }));
    // A good run for another property shows nothing about this one.
    let fine = system
        .properties
        .iter()
        .position(|p| p.name == "fine")
        .expect("it is there");
    assert!(replay(&system, fine, run).is_err());
}

#[test]
fn an_infinite_run_must_close_be_fair_and_violate_the_formula() {
    let system = system(
        "proc P() { var x bool; for { x = !x } }
        proc Q() { for { skip } }
        init { p: P(), q: Q() }
        ltl stays { F G p.x }
        ltl toggles { G F p.x }",
    );
    let property = |name: &str| {
        system
            .properties
            .iter()
            .position(|p| p.name == name)
            .expect("it is there")
    };
    let step = |process: u32, edge| Move::Step {
        process: vocabulary::ProcessId(process),
        edge,
        picks: vec![],
    };
    // p: `var x` (edge 0), then `x = !x` (edge 1); q: `skip` (edge 0).
    let (first, toggle, skip) = (step(0, 0), step(0, 1), step(1, 0));
    let run = |moves: &[&Move], loop_start| Run {
        moves: moves.iter().map(|m| (*m).clone()).collect(),
        loop_start: Some(loop_start),
    };
    let good = run(&[&first, &toggle, &skip, &toggle], 1);
    assert!(replay(&system, property("stays"), &good).is_ok());
    let why = |run: &Run, name: &str| replay(&system, property(name), run).unwrap_err();
    assert_eq!(why(&good, "toggles"), "the formula holds on it");
    assert_eq!(
        why(&run(&[&first, &toggle, &toggle], 1), "stays"),
        "its loop is unfair to q"
    );
    assert_eq!(
        why(&run(&[&first, &skip], 1), "stays"),
        "its loop is unfair to p"
    );
    assert_eq!(
        why(&run(&[&first, &toggle, &skip], 1), "stays"),
        "its loop does not close"
    );
    let finite = Run {
        loop_start: None,
        ..good
    };
    assert_eq!(why(&finite, "stays"), "it is finite");
}
