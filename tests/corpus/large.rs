//! Models above the size at which the search begins to take shortcuts.
//!
//! They are small random models beside bystanders: processes that talk only to each other, and come to an end. Bystanders
//! change neither what holds nor how many faults it takes, so the small model tells what the large one must answer.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::generate::generate;
use super::{binary, number};

/// How many models; `SANDAL_CORPUS_LARGE` says otherwise.
const COUNT: u64 = 300;

/// Pairs of bystanders, which alone have so many states that the shortcuts begin.
const PAIRS: usize = 3;

const BYSTANDERS: &str = "
proc Talker(out channel [2] { 0..9 }) {
    var n 0..9
    for n < 9 {
        send(out, n)
        n += 1
    }
}

proc Listener(from channel [2] { 0..9 }) {
    var n 0..9
    for n < 8 {
        recv(from, n)
    }
}
";

/// What the binary answers.
struct Report {
    /// The number of states, if it tells one.
    states: Option<u64>,
    answers: Vec<Answer>,
}

/// The answer to a property.
struct Answer {
    name: String,
    verdict: String,
    /// The faults of the run that is shown.
    faults: Option<u64>,
}

#[test]
#[ignore = "minutes: `cargo xtask soak` runs it"]
fn bystanders_change_no_answer() {
    let count = number("SANDAL_CORPUS_LARGE", COUNT);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut compared, mut undecided) = (0, 0);
    let mut wrong = String::new();
    for seed in 0..count {
        let model = without_temporal(&generate(seed));
        let (Some(small), Some(large)) = (
            ask(folder.path(), &model),
            ask(folder.path(), &padded(&model)),
        ) else {
            panic!("seed {seed} gets no answer:\n{}", padded(&model));
        };
        assert_eq!(
            large.states, None,
            "seed {seed} is small enough to be counted"
        );
        for (small, large) in small.answers.iter().zip(&large.answers) {
            if small.verdict == "unknown" || large.verdict == "unknown" {
                undecided += 1;
                continue;
            }
            compared += 1;
            let verdicts_differ = small.verdict != large.verdict;
            let faults_differ =
                matches!((small.faults, large.faults), (Some(s), Some(l)) if l != s);
            if verdicts_differ || faults_differ {
                let _ = writeln!(
                    wrong,
                    "seed {seed}: {} {} with {:?} faults, with bystanders {} with {:?}",
                    small.name, small.verdict, small.faults, large.verdict, large.faults
                );
            }
        }
    }
    println!("{count} models with bystanders: {compared} answers compared, {undecided} undecided");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > undecided, "hardly anything was decided");
}

/// The shortcuts are for properties that are about single states.
fn without_temporal(model: &str) -> String {
    let temporal = |line: &&str| {
        let kinds = ["ltl ", "ctl ", "assume "];
        !kinds.iter().any(|kind| line.starts_with(kind))
    };
    let lines: Vec<&str> = model.lines().filter(temporal).collect();
    lines.join("\n") + "\n"
}

fn padded(model: &str) -> String {
    let mut entries = String::from("\ninit {\n");
    for i in 0..PAIRS {
        let _ = writeln!(entries, "    wire{i}: channel [2] {{ 0..9 }},");
        let _ = writeln!(entries, "    talker{i}: Talker(wire{i}),");
        let _ = writeln!(entries, "    listener{i}: Listener(wire{i}),");
    }
    // The main `init` begins a line; those of modules are indented.
    model.replacen("\ninit {\n", &format!("{BYSTANDERS}{entries}"), 1)
}

fn ask(folder: &Path, model: &str) -> Option<Report> {
    std::fs::write(folder.join("model.sdl"), model).expect("a file can be written");
    let flags = model.lines().next()?.strip_prefix("// flags:");
    let output = Command::new(binary())
        .args([
            "check",
            "model.sdl",
            "--format",
            "json",
            "--engine",
            "embedded",
        ])
        .args(["--timeout", "60", "--max-memory", "1G"])
        .args(flags.unwrap_or_default().split_whitespace())
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    let report: Value = serde_json::from_slice(&output.stdout).ok()?;
    let properties = report["properties"].as_array()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answer = |property: &Value| Answer {
        name: text(&property["name"]),
        verdict: text(&property["verdict"]),
        faults: property["trace"]["faults"].as_u64(),
    };
    Some(Report {
        states: report["states"].as_u64(),
        answers: properties.iter().map(answer).collect(),
    })
}
