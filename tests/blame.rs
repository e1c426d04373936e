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
            // A run with the fewest faults needs each of them; with so few states that may not be found out of several.
            let used = trace.faults_used();
            if used.len() == 1 || !blame.but_for.is_empty() {
                assert_eq!(blame.but_for, used, "{path:?} {name}");
            }
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

/// The report of a check as JSON.
fn report(text: &str, more: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.sdl");
    std::fs::write(&path, text).expect("it can be written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(["check", "--engine", "embedded", "--format", "json"])
        .args(more)
        .arg(&path)
        .output()
        .expect("sandalc runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

const SLOPPY: &str = "
    proc P(c channel [2] { bit }, d channel [1] { bit }) {
        var x 0..3 = 0
        var sure bit = 0
        send(c, 1)
        if x == 3 {
            sure = 1
        }
        x = 1
        recv(d, _)
        x = 2
    }
    init {
        c: channel [2] { bit } @drop,
        d: channel [1] { bit },
        p: P(c, d) @shutdown(max = 0),
    }
    invariant small { p.x < 3 }
    ltl begins { F p.x == 1 }
";

#[test]
fn coverage_lists_what_is_never_used() {
    let report = report(SLOPPY, &["--coverage"]);
    let coverage = &report["coverage"];
    let lines = |key: &str| -> Vec<u64> {
        let places = coverage[key].as_array().expect("a list").iter();
        places
            .map(|p| p["line"].as_u64().expect("a line"))
            .collect()
    };
    // `sure = 1` and `x = 2` are never executed, the condition is never true, the receive never succeeds.
    assert!(lines("statements").contains(&7), "{coverage}");
    assert!(lines("statements").contains(&11), "{coverage}");
    let branches = coverage["branches"].as_array().expect("a list");
    assert!(
        branches
            .iter()
            .any(|b| b["line"] == 6 && b["value"] == true),
        "{coverage}"
    );
    assert_eq!(coverage["unread"], serde_json::json!(["c"]), "{coverage}");
    assert_eq!(
        coverage["harmless"],
        serde_json::json!(["c@drop"]),
        "{coverage}"
    );
    let stuck = coverage["stuck"].as_array().expect("a list");
    assert_eq!(stuck.len(), 1, "{coverage}");
    assert_eq!(stuck[0]["process"], "p");
    assert_eq!(stuck[0]["when"], "without faults");
    assert!(!stuck[0]["run"].as_array().expect("a run").is_empty());
}

#[test]
fn changes_that_no_property_notices_are_listed() {
    let report = report(SLOPPY, &["--mutate", "--allow-deadlock"]);
    let mutants = report["mutants"].as_array().expect("a list");
    let noticed = |change: &str| {
        let found = mutants.iter().find(|m| m["change"] == change);
        found.unwrap_or_else(|| panic!("{change} is not in {mutants:?}"))["noticed"].clone()
    };
    assert_eq!(noticed("without `x = 1`"), true);
    assert_eq!(noticed("without `send(c, 1)`"), false);
    assert_eq!(noticed("without `x = 2`"), false);
}

/// What is executed inside an `atomic` block is not called unused because a check of it has a place of its own.
#[test]
fn statements_inside_atomic_blocks_are_used_with_the_block() {
    let model = "
    proc P(c channel [2] { 0..3 }) {
        var k 0..3
        atomic {
            choice { k = 1 }, { k = 2; send(c, 1) }
        }
    }
    init { c: channel [2] { 0..3 }, p: P(c) }
    reachable sent_it { sent(c, 1) }
";
    let coverage = &report(model, &["--coverage"])["coverage"];
    assert_eq!(coverage["statements"], serde_json::json!([]), "{coverage}");
}

/// A change can take a built-in property away: without its only `sleep` a model has no clock.
#[test]
fn a_change_that_takes_a_built_in_property_away_is_judged_by_the_others() {
    let model = "
    proc P() {
        var x 0..1
        sleep(1)
        x = 1
    }
    init { p: P() }
    reachable r { p.x == 1 }
";
    let report = report(model, &["--mutate"]);
    let mutants = report["mutants"].as_array().expect("a list");
    let noticed = |change: &str| {
        let found = mutants.iter().find(|m| m["change"] == change);
        found.unwrap_or_else(|| panic!("{change} is not in {mutants:?}"))["noticed"].clone()
    };
    assert_eq!(noticed("without `sleep(1)`"), false);
    assert_eq!(noticed("without `x = 1`"), true);
}

const CONVERSATION: &str = "
    data Msg { Ask, Yes, No, Never }
    proc Asker(c channel [1] { Msg }, d channel [2] { Msg }) {
        send(c, Ask)
        select {
            case recv(d, Yes) { Happy: skip }
            case timeout { Gone: skip }
        }
    }
    proc Replier(c channel [1] { Msg }, d channel [2] { Msg }) {
        var m Msg
        recv(c, m)
        choice { send(d, Yes) }, { send(d, No) }
        if m != Ask {
            Odd: skip
        }
    }
    init {
        c: channel [1] { Msg },
        d: channel [2] { Msg } FAULT,
        a: Asker(c, d),
        r: Replier(c, d),
    }
";

#[test]
fn labels_and_messages_that_are_never_used_are_listed() {
    let report = report(&CONVERSATION.replace("FAULT", ""), &["--coverage"]);
    let coverage = &report["coverage"];
    let words = |list: &str, keys: &[&str]| -> Vec<String> {
        let all = coverage[list].as_array().expect("a list").iter();
        all.map(|item| {
            let words = keys.iter().map(|key| item[key].as_str().unwrap_or("?"));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
    };
    let labels = words("labels", &["proc", "label", "when"]);
    assert_eq!(labels, ["Replier Odd never"], "{coverage}");
    let messages = words("messages", &["message", "sent", "received"]);
    let expected = ["No without faults never", "Never never never"];
    assert_eq!(messages, expected, "{coverage}");
}

#[test]
fn what_is_sent_only_by_a_fault_is_told_apart() {
    let faulty = CONVERSATION.replace("FAULT", "@corrupt");
    let faulty = faulty.replace(
        "{ send(d, Yes) }, { send(d, No) }",
        "{ send(d, No) }, { skip }",
    );
    let report = report(&faulty, &["--coverage"]);
    let messages = report["coverage"]["messages"].as_array().expect("a list");
    let yes = messages
        .iter()
        .find(|m| m["message"] == "Yes")
        .expect("Yes");
    assert_eq!(yes["sent"], "only after a fault", "{messages:?}");
    assert_eq!(yes["received"], "only after a fault", "{messages:?}");
}

#[test]
fn messages_that_are_left_over_are_noted() {
    let plain = CONVERSATION.replace("FAULT", "");
    let notes = |text: &str, more: &[&str]| report(text, more)["notes"].clone();
    let without = "messages can be left over when all processes have ended: d = [Yes] after 8 steps, without any fault";
    assert_eq!(notes(&plain, &[]), serde_json::json!([without]));
    // Who asks about one property wants to know nothing else.
    assert!(notes(&plain, &["--property", "deadlock"]).is_null());
    // Whoever waits for the answer leaves nothing over, unless it comes twice or nobody is there to take it.
    let patient = plain.replace("case timeout { Gone: skip }", "case recv(d, No) {}");
    assert!(notes(&patient, &[]).is_null());
    let twice = patient.replace(
        "channel [2] { Msg } ,",
        "channel [2] { Msg } @duplicate(max = 1),",
    );
    let needs = notes(&twice, &[]);
    assert!(
        needs[0]
            .as_str()
            .expect("a note")
            .contains("needs d@duplicate"),
        "{needs}"
    );
    let crashing = patient.replace("a: Asker(c, d),", "a: Asker(c, d) @shutdown,");
    let needs = notes(&crashing, &[]);
    assert!(
        needs[0]
            .as_str()
            .expect("a note")
            .contains("needs a@shutdown"),
        "{needs}"
    );
    // Who comes back after a crash has not ended, and who serves for ever does not end.
    let restarting = patient.replace("a: Asker(c, d),", "a: Asker(c, d) @restart(max = 1),");
    let faults = notes(&restarting, &[]);
    assert!(!faults.to_string().contains("after 2 steps"), "{faults}");
}
