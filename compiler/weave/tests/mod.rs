//! What channels and faults add; the laws of weaving are in [`laws`].

mod laws;
mod own;
mod random;

use super::{Options, System, verify, weave};
use crate::graph;
use crate::system::state::{self, walk};
use crate::testing::model::program;

/// Models that together have every kind of edge.
const MODELS: [&str; 4] = [
    "proc A(c channel { bool }, b channel [2] { 0..2, bool }) {
        var n 0..2
        send(c, true)
        for i in range 0 to 2 { send(b, n, false) }
        if !timeout_send(c, false) { n = any }
        assert(n < 2)
    }
    proc B(c channel { bool }, b channel [2] { 0..2, bool }) {
        var x bool
        var m 0..1
        L: for {
            select {
            case recv(c, x) { }
            case recv(b, m, x) if !x { goto L }
            case timeout { }
            }
        }
    }
    init { c: channel { bool } @drop, b: channel [2] { 0..2, bool } @duplicate @reorder, a: A(c, b) @restart, z: B(c, b) @shutdown }",
    "proc P(n 1..2) { durable var x 0..3 = 1; for x < 3 { x += n } }
    init { p: P(1) @restart(max = 1), q: P(2) @shutdown }
    limit 1 { p @restart, q @shutdown }",
    "data D { X, Y }
    proc S(c channel { D }) { send(c, X); send(c, Y) }
    proc R(c channel { D }) { var d D; recv(c, d); peek(c, d); recv(c, d); assert(d == Y) }
    init { c: channel { D } @corrupt, s: S(c), r: R(c) }",
    "proc W(cs []channel [1] { bit }) {
        var i 0..2
        for i < 2 { nonblock_send(cs[i], i); i += 1 }
        var y 0..5 = 10 / i
        choice { y = y % i }, { skip }
    }
    init { cs: [2]channel [1] { bit } @drop(max = 1), w: W(cs) }",
];

/// A System without its fault and recovery edges and what only they need.
fn states_without_faults(system: &System) -> usize {
    let mut system = system.clone();
    for process in &mut system.processes {
        process.edges.retain(|e| e.kind.is_forced());
    }
    walk(&system, 200_000).unwrap().len()
}

#[test]
fn weaving_an_unmarked_model_adds_no_fault() {
    for text in MODELS {
        let program = program(text);
        let none = Options {
            faults: Some(Vec::new()),
            ..Options::default()
        };
        let plain = crate::build(&program, &none);
        assert!(
            plain
                .processes
                .iter()
                .all(|p| p.edges.iter().all(|e| e.kind.is_forced()))
        );
        assert!(plain.processes.iter().all(|p| p.crashed.is_none()));
        let marked = crate::build(&program, &Options::default());
        assert_eq!(
            walk(&plain, 200_000).unwrap().len(),
            states_without_faults(&marked)
        );
    }
}

#[test]
fn every_model_satisfies_the_invariants_of_a_system_and_can_always_go_on() {
    for text in MODELS {
        let program = program(text);
        let system = weave(&program, graph::lower(&program), &Options::default());
        assert_eq!(verify::verify(&system), Ok(()));
        for state in walk(&system, 200_000).unwrap() {
            assert!(!state::successors(&system, &state).is_empty());
        }
    }
}

#[test]
fn a_budget_of_zero_is_as_good_as_no_marker() {
    let plain = "proc P() { skip; skip }; init { p: P() }";
    let never = "proc P() { skip; skip }; init { p: P() @shutdown(max = 0) }";
    let limited = "proc P() { skip; skip }; init { p: P() @shutdown }; limit 0 { p @shutdown }";
    let count = |text| {
        walk(&crate::build(&program(text), &Options::default()), 100)
            .unwrap()
            .len()
    };
    assert_eq!(count(plain), 3);
    assert_eq!(count(never), 3);
    assert_eq!(count(limited), 3);
}

#[test]
fn a_budget_is_exact() {
    // Three crash points of a restarting process; with at most k crashes k + 1 rounds are possible.
    let text = |max| format!("proc P() {{ skip; skip }}; init {{ p: P() @restart(max = {max}) }}");
    let count = |max: u32| {
        walk(
            &crate::build(&program(&text(max)), &Options::default()),
            1000,
        )
        .unwrap()
        .len()
    };
    // After j crashes the process is at one of three locations; the crashed location once per j >= 1.
    assert_eq!(count(1), 3 + 1 + 3);
    assert_eq!(count(2), 3 + 2 * (1 + 3));
    assert_eq!(count(5), 3 + 5 * (1 + 3));
}
