//! Runs replay, and runs that have been tampered with do not.

use super::{Cause, replay, words};
use crate::engine;
use crate::engine::Options;
use crate::source::Sources;
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

/// The sources that [`program`] reads.
fn sources(text: &str) -> Sources {
    let mut sources = Sources::new();
    sources.add("test.sdl", text);
    sources
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
        .map(|s| words::step(&system, &sources(HANDSHAKE), s))
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
        start: Vec::new(),
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

/// The steps of the run that violates a property: those told, and how many are left out.
fn told(text: &str, property: &str) -> (Vec<String>, usize) {
    let system = system(text);
    let verdicts = verdicts(&system);
    let (property, run) = violated(&system, &verdicts, property);
    let trace = replay(&system, property, run).expect("it replays");
    let told: Vec<String> = (0..trace.steps.len())
        .filter(|index| !trace.is_noise(*index))
        .map(|index| {
            let step = &trace.steps[index];
            let words = words::step(&system, &sources(text), step);
            let effects = words::effects(&system, step);
            [vec![words], effects].concat().join(" | ")
        })
        .collect();
    let folded = trace.steps.len() - told.len();
    (told, folded)
}

#[test]
fn steps_that_change_nothing_are_left_out_and_buffers_shown_by_their_contents() {
    let text = "
data Kind { Prepare, Accept }
proc P(out channel [2] { Kind, 0..3 }) {
    var n 0..3
    n = 0
    if n == 0 { n = 2 }
    assert(n == 2)
    send(out, Accept, n)
    send(out, Prepare, 1)
}
proc Q(in_ channel [2] { Kind, 0..3 }) {
    var k Kind
    var got 0..3
    recv(in_, k, got)
    if got > 1 &&
        k == Accept { skip }
}
init {
    c: channel [2] { Kind, 0..3 }
    p: P(c)
    q: Q(c)
}
invariant never { !(q.done && len(c) == 1) }
";
    let (told, folded) = told(text, "never");
    assert_eq!(
        told,
        [
            "p sets n = 2",
            "p sends Accept, 2 on c | c = [Accept 2]",
            "p sends Prepare, 1 on c | c = [Accept 2, Prepare 1]",
            "q receives Accept, 2 from c | q.k = Accept | q.got = 2 | c = [Prepare 1]",
            "q goes on",
        ]
    );
    assert!(folded >= 6, "{folded}");
    let system = system(text);
    let verdicts = verdicts(&system);
    let (property, run) = violated(&system, &verdicts, "never");
    let trace = replay(&system, property, run).expect("it replays");
    let all: Vec<String> = trace
        .steps
        .iter()
        .map(|step| words::step(&system, &sources(text), step))
        .collect();
    assert!(
        all.contains(&"q finds `got > 1 && k == Accept` true".to_string()),
        "{all:#?}"
    );
}

#[test]
fn a_process_waits_only_for_what_it_really_waits_for() {
    let text = "
proc P(out []channel { bool }) {
    var i 0..2
    i = 1
    send(out[i], true)
}
init {
    out: [3]channel { bool }
    p: P(out)
}
";
    let system = system(text);
    let verdicts = verdicts(&system);
    let (property, run) = violated(&system, &verdicts, "deadlock");
    // The message on out[1] is offered; before that the process waits to send on it, not on the others.
    let mut trace = replay(&system, property, run).expect("it replays");
    trace.steps.pop();
    let waiting: Vec<String> = words::waiting(&system, &trace)
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(waiting, ["p waits to send on out[1]"]);
}

#[test]
fn what_cannot_be_done_and_restarts_read_naturally() {
    let text = "
proc P(out channel [1] { bool }) {
    var ok bool = true
    for ok { ok = nonblock_send(out, true) }
}
proc R() {
    skip
    skip
}
init {
    c: channel [1] { bool }
    p: P(c)
    r: R() @restart
}
invariant sent { !p.done }
invariant once { !(r.crashed && p.done) }
ltl back { G (r.crashed -> G r.crashed) }
";
    let (steps, _) = told(text, "sent");
    assert!(
        steps.iter().any(|step| step.starts_with("p finds c full")),
        "{steps:#?}"
    );
    let system = system(text);
    let verdicts = verdicts(&system);
    let (property, run) = violated(&system, &verdicts, "back");
    let trace = replay(&system, property, run).expect("it replays");
    let sources = sources(text);
    let restart = trace
        .steps
        .iter()
        .find(|step| words::step(&system, &sources, step) == "r restarts")
        .expect("it restarts");
    // At the first statement of its body, not at the closing brace.
    assert_eq!(sources.line(restart.span.expect("a place")), 7);
}

#[test]
fn a_run_about_a_branching_formula_must_refute_it() {
    let system = system(
        "proc P() { var x 0..2; for { x = (x + 1) % 3 } }
        proc Q() { for { skip } }
        init { p: P(), q: Q() }
        ctl always { AG (p.x == 0 -> AX p.x == 0) }
        ctl comes { AF p.x == 2 }
        ctl settles { AG (p.x == 1 -> AF (p.x == 0 && p.x == 1)) }
        ctl until { A (p.x == 0 U p.x == 2) }
        ctl never { !EF p.x == 2 }
        ctl stays { !E (p.x < 2 U p.x == 2) }
        ctl possible { AG EF p.x == 2 }
        ctl same { AG (p.x == 1 <-> EX p.x == 1) }",
    );
    let step = |process: u32, edge| Move::Step {
        process: vocabulary::ProcessId(process),
        edge,
        picks: vec![],
    };
    // p: `var x` (edge 0), then `x = (x + 1) % 3` (edge 1); q: `skip` (edge 0).
    let (first, count, skip) = (step(0, 0), step(0, 1), step(1, 0));
    let answer = |name: &str, moves: &[&Move], loop_start: Option<usize>| {
        let property = system.properties.iter().position(|p| p.name == name);
        let run = Run {
            start: Vec::new(),
            moves: moves.iter().map(|m| (*m).clone()).collect(),
            loop_start,
        };
        replay(&system, property.expect("it is there"), &run).map(drop)
    };
    let shown =
        |name, moves: &[&Move], from| assert_eq!(answer(name, moves, from), Ok(()), "{name}");
    let refused = |name, moves: &[&Move], from, why: &str| {
        assert_eq!(answer(name, moves, from), Err(why.to_string()), "{name}");
    };
    let nothing = "it does not show that the formula is false";
    let one = [&first, &count];
    let two = [&first, &count, &count];
    let round = [&first, &count, &count, &count, &skip];
    shown("always", &one, None);
    refused("always", &[&first], None, nothing);
    shown("never", &two, None);
    refused("never", &one, None, nothing);
    shown("stays", &two, None);
    refused("stays", &one, None, nothing);
    shown("until", &one, None);
    refused("until", &[&first], None, nothing);
    shown("same", &one, None);
    // What is about all of a run needs all of it, and a fair one.
    refused("settles", &one, None, nothing);
    shown("settles", &round, Some(1));
    refused(
        "settles",
        &[&first, &count, &skip],
        Some(2),
        "its loop is unfair to p",
    );
    refused(
        "comes",
        &[&first, &skip],
        Some(1),
        "its loop is unfair to p",
    );
    refused("comes", &round, Some(1), nothing);
    // No run shows that something cannot be reached: it may end where that is so, but not where it is plain that it is not.
    refused("possible", &round, Some(1), nothing);
    refused("possible", &two, None, nothing);
    shown("possible", &one, None);
}
