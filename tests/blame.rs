//! When it was too late: NuSMV confirms every point of no return of the examples, and that it is the first.

mod support;

use std::path::Path;

use sandalc::analysis::blame;
use sandalc::check::{Nowhere, Options};
use sandalc::nusmv;
use sandalc::source::Sources;
use sandalc::system::System;
use sandalc::verdict::Outcome;

/// What NuSMV says about the only property of a System: whether the violation cannot be avoided.
fn is_too_late(tool: &nusmv::Tool, system: &System) -> bool {
    let emitted = nusmv::emit(system, &Sources::new());
    let limits = nusmv::Limits::default();
    let reply = nusmv::decide(tool, system, &emitted, &[0], limits, &mut |_| {});
    let reply = reply.unwrap_or_else(|error| panic!("{error}\n{}", emitted.text));
    match &reply.verdicts[0].outcome {
        Outcome::Holds | Outcome::HoldsStatically => true,
        Outcome::Violated => false,
        Outcome::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn nusmv_confirms_each_point_of_no_return() {
    let nusmv = support::nusmv::installed("blame: nusmv_confirms_each_point_of_no_return");
    let tool = nusmv.map(|path| {
        let probed = nusmv::probe(&path, nusmv::Limits::default());
        probed.unwrap_or_else(|error| panic!("{error}"))
    });
    let mut points = 0;
    for path in support::files(&support::root().join("examples"), "sdl") {
        let files = |path: &Path| std::fs::read_to_string(path).ok();
        let checked = sandalc::check_model(&path, &files).expect("examples can be answered");
        let system = checked.system.expect("examples are right");
        for answer in &checked.answers {
            let name = &system.properties[answer.property].name;
            let mut options = Options::default();
            options.limits.states = 50_000;
            let Some(blame) = blame::blame(&system, answer, &options, &Nowhere) else {
                continue;
            };
            let trace = answer.trace.as_ref().expect("there is a run");
            // A run with the fewest faults needs each of them.
            assert_eq!(blame.but_for, trace.faults_used(), "{path:?} {name}");
            let Some(at) = blame.no_return else {
                continue;
            };
            let from = |at| blame::continuation(&system, answer.property, trace, at);
            points += 1;
            let Some(tool) = &tool else { continue };
            let here = from(at).expect("it can be said");
            assert!(is_too_late(tool, &here), "{path:?} {name} after step {at}");
            let before = from(at - 1).expect("it can be said");
            assert!(
                !is_too_late(tool, &before),
                "{path:?} {name} before step {at}"
            );
        }
    }
    assert!(points >= 8, "only {points} points of no return");
}

#[test]
fn notes_say_when_a_property_holds_for_a_poor_reason() {
    let text = "
        proc P() { var x 0..3 = 1; for { x = 1 } }
        init { p: P() @shutdown(max = 1) }
        assume calm { G !p.crashed }
        invariant never_two { p.x == 2 -> p.x < 2 }
        ltl answered { G (p.x == 1 -> F p.x == 1) }
        ltl started { F p.x == 1 }
        ltl fine { G (p.x == 1 -> X p.x == 1) }
    ";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.sdl");
    std::fs::write(&path, text).expect("it can be written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(["check", "--engine", "embedded"])
        .arg(&path)
        .output()
        .expect("sandalc runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for note in [
        "note: never_two: it holds because the left side of `->` is never true",
        "note: answered: what has to come is there already, whenever the left side of `->` is true",
        "note: started: what has to come is true at the start",
        "note: fine: no run with a fault satisfies the assumptions: nothing is said about faults",
    ] {
        assert!(text.contains(note), "{note} is not in\n{text}");
    }
}
