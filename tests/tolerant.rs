//! `tolerant`: levels that were derived by hand, and that agree with other ways to ask the same.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::two_phase::two_phase;

fn json(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(args)
        .current_dir(support::root())
        .output()
        .expect("sandalc runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

fn written(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("model.sdl");
    std::fs::write(&path, text).expect("it can be written");
    path
}

/// Whether each level is reached, by a letter each: `y` or `n`.
fn levels(property: &Value) -> String {
    let levels = property["levels"].as_object().expect("it has levels");
    assert_eq!(levels.len(), 6, "{property}");
    let letter = |name: &str| match levels[name].as_bool() {
        Some(true) => 'y',
        Some(false) => 'n',
        None => '?',
    };
    let names = [
        "unaffected",
        "correct",
        "unaffected_later",
        "holds_on",
        "may_recover",
        "recovers",
    ];
    names.into_iter().map(letter).collect()
}

/// A level that is not reached is shown by a run.
fn every_level_has_its_run(property: &Value) {
    let levels = property["levels"].as_object().expect("it has levels");
    for name in levels.keys() {
        let shown = property["level_traces"][name].is_object();
        assert_eq!(shown, levels[name] == false, "{name} of {property}");
    }
}

#[test]
#[ignore = "minutes: `cargo xtask soak` runs it"]
fn the_levels_of_two_phase_commit_are_as_derived_by_hand() {
    let nusmv = support::nusmv::installed("tolerance: the_levels_of_two_phase_commit");
    let folder = tempfile::tempdir().expect("a folder");
    for workers in [2, 3] {
        let commits: Vec<String> = (1..=workers)
            .map(|i| format!("worker{i}.resp == Commit"))
            .collect();
        let condition = format!(
            "{{ arbiter.done && arbiter.all_ready -> {} }}",
            commits.join(" && ")
        );
        // By hand: docs/tolerance.md.
        let mut expected: Vec<(String, &str)> = Vec::new();
        expected.extend((1..workers).map(|i| (format!("order{i}@drop"), "nynnyy")));
        expected.push((format!("order{workers}@drop"), "nynnnn"));
        expected.extend((1..=workers).map(|i| (format!("vote{i}@drop"), "yyyyyy")));
        expected.push(("arbiter@shutdown".to_owned(), "yyyyyy"));
        expected.extend((1..=workers).map(|i| (format!("worker{i}@shutdown"), "yyyyyy")));
        for (fault, expected) in expected {
            let text = two_phase(workers) + &format!("tolerant it to {fault} {condition}\n");
            let path = written(folder.path(), &text);
            let path = path.to_str().expect("UTF-8");
            let mut engines = vec![vec!["--engine", "embedded"]];
            if let Some(nusmv) = nusmv.as_ref().filter(|_| workers == 2) {
                let nusmv = nusmv.to_str().expect("UTF-8");
                engines.push(vec!["--engine", "nusmv", "--nusmv", nusmv]);
            }
            for engine in engines {
                let mut args = vec!["check", "--format", "json", "--property", "it"];
                args.extend(["--faults", &fault]);
                args.extend(engine);
                args.push(path);
                let report = json(&args);
                let property = &report["properties"][0];
                assert_eq!(property["verdict"], "holds", "{args:?}");
                assert_eq!(levels(property), expected, "{args:?}");
                // NuSMV only says that there is a run; the embedded engine then looks for it while there is time.
                if args.contains(&"embedded") {
                    every_level_has_its_run(property);
                }
            }
        }
    }
}

/// `correct` is asked of the model with all faults; it must say what the model without them says.
#[test]
fn correct_is_what_holds_without_the_faults() {
    let folder = tempfile::tempdir().expect("a folder");
    let conditions = [
        "arbiter.done && arbiter.all_ready -> worker1.resp == Commit && worker2.resp == Commit",
        "!(arbiter.done && worker1.resp == Ready)",
        "!worker2.crashed",
        "!(worker1.resp == Abort && worker2.crashed)",
    ];
    let all: Vec<String> = json(&[
        "tolerance",
        "--format",
        "json",
        "examples/two_phase_all.sdl",
    ])["faults"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| f.as_str().expect("a name").to_owned())
        .collect();
    let specs = |keyword: &dyn Fn(usize) -> String| -> String {
        let all = conditions.iter().enumerate();
        all.map(|(i, c)| format!("{} {{ {c} }}\n", keyword(i)))
            .collect()
    };
    for fault in &all {
        let text = two_phase(2) + &specs(&|i| format!("tolerant c{i} to {fault} at correct"));
        let path = written(folder.path(), &text);
        let with = json(&[
            "check",
            "--format",
            "json",
            "--engine",
            "embedded",
            "--property",
            "c0",
            "--property",
            "c1",
            "--property",
            "c2",
            "--property",
            "c3",
            path.to_str().expect("UTF-8"),
        ]);
        let text = two_phase(2) + &specs(&|i| format!("invariant c{i}"));
        let path = written(folder.path(), &text);
        let others: Vec<&str> = all
            .iter()
            .filter(|f| *f != fault)
            .map(String::as_str)
            .collect();
        let without = json(&[
            "check",
            "--format",
            "json",
            "--engine",
            "embedded",
            "--property",
            "c0",
            "--property",
            "c1",
            "--property",
            "c2",
            "--property",
            "c3",
            "--faults",
            &others.join(","),
            path.to_str().expect("UTF-8"),
        ]);
        for i in 0..conditions.len() {
            let verdict = |report: &Value| report["properties"][i]["verdict"].clone();
            assert_eq!(
                verdict(&with),
                verdict(&without),
                "{fault}: {}",
                conditions[i]
            );
        }
    }
}
