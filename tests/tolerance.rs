//! What models tolerate: tables and cut sets that were derived by hand, confirmed set by set, and solved again by SCRAM.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use support::two_phase::two_phase;

fn sandalc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(args)
        .current_dir(support::root())
        .output()
        .expect("sandalc runs")
}

fn json(args: &[&str]) -> Value {
    let output = sandalc(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

/// The cut sets of a property, each as a set of names.
fn cut_sets(report: &Value, property: &str) -> Vec<Vec<String>> {
    let properties = report["properties"].as_array().expect("a list");
    let found = properties.iter().find(|p| p["name"] == property);
    let sets = found.expect("it is there")["cut_sets"].as_array();
    let names = |set: &Value| {
        let names = set.as_array().expect("a set").iter();
        names
            .map(|n| n.as_str().expect("a name").to_owned())
            .collect()
    };
    sets.expect("it has cut sets").iter().map(names).collect()
}

fn written(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("model.sdl");
    std::fs::write(&path, text).expect("it can be written");
    path
}

#[test]
fn two_phase_commit_is_as_derived_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    for workers in [2, 3] {
        let path = written(folder.path(), &two_phase(workers));
        let report = json(&[
            "tolerance",
            "--format",
            "json",
            path.to_str().expect("UTF-8"),
        ]);
        // By hand: docs/tolerance.md.
        let mut expected: Vec<Vec<String>> = Vec::new();
        expected.extend((1..=workers).map(|i| vec![format!("order{i}@drop")]));
        expected.push(vec!["arbiter@shutdown".to_owned()]);
        expected.extend((1..=workers).map(|i| vec![format!("worker{i}@shutdown")]));
        assert_eq!(cut_sets(&report, "commit_reaches_all"), expected);
        assert_eq!(cut_sets(&report, "deadlock"), [Vec::<String>::new()]);
        for safe in [
            "abort_is_safe",
            "agreement",
            "assert",
            "range",
            "division",
            "index",
        ] {
            assert_eq!(cut_sets(&report, safe), Vec::<Vec<String>>::new(), "{safe}");
        }
        let properties = report["properties"].as_array().expect("a list");
        let commit = properties
            .iter()
            .find(|p| p["name"] == "commit_reaches_all");
        let commit = commit.expect("it is there");
        assert_eq!(commit["without"], "holds");
        assert_eq!(commit["together"], "violated");
        assert_eq!(commit["tolerates"], 0);
        for (fault, verdict) in commit["alone"].as_object().expect("an object") {
            let harmless = fault.starts_with("vote");
            let expected = if harmless { "holds" } else { "violated" };
            assert_eq!(verdict, expected, "{fault}");
        }
        // All that break it have to go.
        let hardening = commit["hardening"].as_array().expect("a list");
        assert_eq!(hardening.len(), 1);
        assert_eq!(
            hardening[0].as_array().expect("a set").len(),
            2 * workers + 1
        );
    }
}

#[test]
fn every_cut_set_is_confirmed_and_every_smaller_set_is_safe() {
    let nusmv = support::nusmv::installed("tolerance: every_cut_set_is_confirmed");
    let folder = tempfile::tempdir().expect("a folder");
    let replicas = std::fs::read_to_string(support::root().join("docs/tolerance.md"));
    let replicas = replicas.expect("the page is there");
    let block = replicas
        .split("```sdl file=replicas.sdl\n")
        .nth(1)
        .expect("the model");
    let block = block.split("```").next().expect("its end");
    for text in [two_phase(2), block.to_owned()] {
        let path = written(folder.path(), &text);
        let path = path.to_str().expect("UTF-8");
        let report = json(&["tolerance", "--format", "json", path]);
        let names: Vec<String> = report["properties"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|p| p["cut_sets"].is_array())
            .map(|p| p["name"].as_str().expect("a name").to_owned())
            .collect();
        for name in names {
            for set in cut_sets(&report, &name) {
                let verdict = |faults: &[String], engine: &str| {
                    let faults = faults.join(",");
                    let mut args = vec![
                        "check",
                        path,
                        "--format",
                        "json",
                        "--property",
                        &name,
                        "--engine",
                        engine,
                    ];
                    match faults.is_empty() {
                        true => args.push("--no-faults"),
                        false => args.extend(["--faults", &faults]),
                    }
                    if let (Some(nusmv), "nusmv") = (&nusmv, engine) {
                        args.extend(["--nusmv", nusmv.to_str().expect("UTF-8")]);
                    }
                    let report = json(&args);
                    let property = &report["properties"][0];
                    // A run was replayed, or there would be none.
                    if property["verdict"] == "violated" {
                        assert!(property["trace"].is_object(), "{name} {set:?}");
                    }
                    property["verdict"].clone()
                };
                let mut engines = vec!["embedded"];
                engines.extend(nusmv.as_ref().map(|_| "nusmv"));
                for engine in engines {
                    assert_eq!(verdict(&set, engine), "violated", "{name} {set:?} {engine}");
                    for left_out in 0..set.len() {
                        let mut fewer = set.clone();
                        fewer.remove(left_out);
                        assert_eq!(
                            verdict(&fewer, engine),
                            "holds",
                            "{name} {fewer:?} {engine}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_cut_set_has_a_run() {
    let output = sandalc(&[
        "fta",
        "examples/two_phase_all.sdl",
        "--property",
        "commit_reaches_all",
        "--trace",
    ]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0));
    for fault in [
        "order1@drop",
        "order2@drop",
        "arbiter@shutdown",
        "worker1@shutdown",
        "worker2@shutdown",
    ] {
        let run = text.split(&format!("With {fault}:\n")).nth(1);
        let run = run.unwrap_or_else(|| panic!("{fault} has no run in\n{text}"));
        let run = run.split("\nWith ").next().expect("its end");
        assert_eq!(run.matches("FAULT").count(), 1, "{run}");
    }
}

/// What SCRAM makes of a tree: its products, each a set of literals, `-name` for a complement.
fn solved(
    scram: &Path,
    folder: &Path,
    mef: &str,
    primes: bool,
) -> (BTreeSet<BTreeSet<String>>, Option<f64>) {
    let (model, result) = (folder.join("tree.xml"), folder.join("result.xml"));
    std::fs::write(&model, mef).expect("it can be written");
    let mut command = Command::new(scram);
    command.arg(&model).arg("--bdd").arg("-o").arg(&result);
    if primes {
        command.arg("--prime-implicants");
    }
    if mef.contains("<float") {
        command.args(["--probability", "1"]);
    }
    let output = command.output().expect("scram runs");
    assert!(output.status.success(), "{mef}\n{output:?}");
    let text = std::fs::read_to_string(&result).expect("a result");
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    let sum = document
        .descendants()
        .find(|n| n.has_tag_name("sum-of-products"))
        .expect("products");
    let products = sum
        .children()
        .filter(|n| n.has_tag_name("product"))
        .map(|product| {
            let events = product
                .descendants()
                .filter(|n| n.has_tag_name("basic-event"));
            events
                .map(|event| {
                    let name = event.attribute("name").expect("a name");
                    let negated = event.parent().is_some_and(|p| p.has_tag_name("not"));
                    if negated {
                        format!("-{name}")
                    } else {
                        name.to_owned()
                    }
                })
                .collect()
        })
        .collect();
    let probability = sum.attribute("probability").and_then(|p| p.parse().ok());
    (products, probability)
}

#[test]
fn scram_solves_every_tree_again_and_finds_the_same_sets() {
    let Some(scram) = support::scram("tolerance: scram_solves_every_tree_again") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut trees = 0;
    let replicas =
        std::fs::read_to_string(support::root().join("docs/tolerance.md")).expect("the page");
    let block = replicas
        .split("```sdl file=replicas.sdl\n")
        .nth(1)
        .expect("the model");
    let block = block.split("```").next().expect("its end").to_owned();
    let ctl = "ctl mixed { AG (left.crashed -> EF client.answered) && EF left.crashed }\n";
    let own = written(folder.path(), &(block + ctl));
    let mut paths = support::files(&support::root().join("examples"), "sdl");
    paths.push(own);
    for path in paths {
        let path = path.to_str().expect("UTF-8").to_owned();
        let report = json(&[
            "tolerance",
            "--format",
            "json",
            "--max-states",
            "20000",
            &path,
        ]);
        let faults: Vec<&str> = report["faults"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let chances: String = faults
            .iter()
            .enumerate()
            .map(|(i, f)| format!("{f} = 0.{:02}\n", i + 1))
            .collect();
        let file = folder.path().join("faults.txt");
        std::fs::write(&file, chances).expect("it can be written");
        for property in report["properties"].as_array().expect("a list") {
            if property["complete"] == false || faults.is_empty() {
                continue;
            }
            let name = property["name"].as_str().expect("a name");
            let file = file.to_str().expect("UTF-8");
            let common = [
                "fta",
                &path,
                "--property",
                name,
                "--max-states",
                "20000",
                "--probability",
                file,
            ];
            let mef = sandalc(&[&common[..], &["--format", "mef"]].concat());
            let mef = String::from_utf8(mef.stdout).expect("UTF-8");
            let tree = json(&[&common[..], &["--format", "json"]].concat());
            let primes = tree["prime_implicants"].as_array().expect("a list");
            let negated = primes.iter().any(|p| p["without"] != serde_json::json!([]));
            let (found, probability) = solved(&scram, folder.path(), &mef, negated);
            let event = |fault: &Value| {
                let position = faults.iter().position(|f| fault == f).expect("a fault");
                let label = format!("name=\"f{}_", position + 1);
                let at = mef.find(&label).expect("a basic event") + 6;
                mef[at..].split('"').next().expect("a name").to_owned()
            };
            let expected: BTreeSet<BTreeSet<String>> = primes
                .iter()
                .map(|prime| {
                    let with = prime["with"].as_array().expect("a set").iter().map(event);
                    let without = prime["without"].as_array().expect("a set").iter();
                    with.chain(without.map(|f| format!("-{}", event(f))))
                        .collect()
                })
                .collect();
            assert_eq!(found, expected, "{path}: {name}");
            if let (Some(theirs), false) = (probability, expected.is_empty()) {
                let ours = tree["probability"].as_f64().expect("a probability");
                assert!(
                    (ours - theirs).abs() <= 1e-5 * ours.max(1e-9),
                    "{path} {name}: {ours} {theirs}"
                );
            }
            trees += 1;
        }
    }
    assert!(trees > 40, "only {trees} trees");
}

#[test]
fn odd_questions_get_clear_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |text: &str, args: &[&str]| {
        let path = written(folder.path(), text);
        let mut all = vec![args[0], path.to_str().expect("UTF-8")];
        all.extend(&args[1..]);
        let output = sandalc(&all);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!err.contains("panicked"), "{err}");
        (output.status.code(), text, err)
    };
    let plain = "proc P() { skip }\ninit { p: P() }\nltl ends { F p.done }\n";
    let (code, text, _) = run(plain, &["tolerance"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("The model marks no faults"), "{text}");
    let (code, text, _) = run(plain, &["fta", "--property", "ends"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("ends is never violated"), "{text}");
    let (code, text, _) = run(plain, &["fmea"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("marks no faults"), "{text}");
    let (code, _, err) = run(plain, &["fta", "--property", "end"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("the model has no property `end`") && err.contains("`ends`"),
        "{err}"
    );
    let (code, _, err) = run(plain, &["tolerance", "--format", "svg"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no format `svg` here"), "{err}");
    let wrong = "proc P() { skip }\ninit { p: P() @shutdown }\nltl never { G !p.done }\n";
    let (code, text, _) = run(wrong, &["fta", "--property", "never"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("never is violated even without faults"),
        "{text}"
    );
    let chances = folder.path().join("chances");
    let name = chances.to_str().expect("UTF-8");
    for (lines, said) in [
        ("p@shutdwn = 0.1", "write `p@shutdown`"),
        ("p@shutdown = 2", "`2` is no probability"),
        ("p@shutdown", "there is no `=`"),
        ("// nothing", "the fault `p@shutdown` has no probability"),
    ] {
        std::fs::write(&chances, lines).expect("it can be written");
        let (code, _, err) = run(
            wrong,
            &["fta", "--property", "never", "--probability", name],
        );
        assert_eq!(code, Some(2));
        assert!(err.contains(said), "{err}");
    }
    // Assumptions that no run satisfies are a mistake here as well.
    let none = "proc P() { skip }\ninit { p: P() @shutdown }\nassume no { G false }\nltl done { F p.done }\n";
    let (code, _, err) = run(none, &["tolerance"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(
        err.contains("no run satisfies all the assumptions"),
        "{err}"
    );
}

#[test]
fn thirty_markers_and_a_limit_that_is_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    // Each of 30 messages may be lost; that two of them are is too much.
    let mut text = String::from("proc P(");
    text += &(0..30)
        .map(|i| format!("c{i} channel [1] {{ bit }}"))
        .collect::<Vec<_>>()
        .join(", ");
    text += ") {\n    var lost 0..30 = 0\n";
    for i in 0..30 {
        text += &format!("    send(c{i}, 1)\n    if !nonblock_recv(c{i}, _) {{ lost += 1 }}\n");
    }
    text += "}\ninit {\n";
    for i in 0..30 {
        text += &format!("    c{i}: channel [1] {{ bit }} @drop,\n");
    }
    text += "    p: P(";
    text += &(0..30)
        .map(|i| format!("c{i}"))
        .collect::<Vec<_>>()
        .join(", ");
    text += ")\n}\ninvariant few { p.lost < 2 }\n";
    let path = written(folder.path(), &text);
    let path = path.to_str().expect("UTF-8");
    let report = json(&["tolerance", "--format", "json", path, "--property", "few"]);
    let few = &report["properties"][0];
    assert_eq!(few["cut_sets"].as_array().map(Vec::len), Some(30 * 29 / 2));
    assert_eq!(few["tolerates"], 1);
    assert_eq!(few["complete"], true);
    // All but one have to be ruled out.
    assert_eq!(few["hardening"].as_array().map(Vec::len), Some(30));
    // Half-way: what is known is said, and that it is not everything.
    let limited = sandalc(&["tolerance", "--format", "json", path, "--max-states", "50"]);
    assert_eq!(limited.status.code(), Some(3), "{limited:?}");
    let report: Value = serde_json::from_slice(&limited.stdout).expect("JSON all the same");
    let properties = report["properties"].as_array().expect("a list");
    let few = properties
        .iter()
        .find(|p| p["name"] == "few")
        .expect("it is there");
    assert_eq!(few["complete"], false);
    assert!(few["missing"].is_string());
    let text = sandalc(&["tolerance", path, "--max-states", "50"]);
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    assert!(text.contains("incomplete"), "{text}");
}

#[test]
fn a_probability_in_a_marker_is_as_good_as_one_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = |a: &str, b: &str| {
        format!(
            "proc P(c channel [1] {{ bool }}) {{ send(c, true) }}\n\
             proc Q(c channel [1] {{ bool }}) {{ var got bool; recv(c, got) }}\n\
             init {{ c: channel [1] {{ bool }} @drop{a} as lost, p: P(c) @shutdown{b}, q: Q(c) }}\n\
             ltl done {{ F q.got }}\n"
        )
    };
    let fta = |text: &str, more: &[&str]| {
        let path = written(folder.path(), text);
        let mut args = vec!["fta", "--format", "json", "--property", "done"];
        args.extend(more);
        args.push(path.to_str().expect("UTF-8"));
        json(&args)["probability"].as_f64()
    };
    let both = model("(p = 0.1)", "(p = 1e-2)");
    // By hand: 1 - 0.9 * 0.99.
    let by_hand = 0.109;
    let found = fta(&both, &[]).expect("a probability");
    assert!((found - by_hand).abs() < 1e-12, "{found}");
    // One that is missing leaves the whole without one; a file can add it, and says more than a marker.
    let half = model("(p = 0.5)", "");
    assert_eq!(fta(&half, &[]), None);
    let file = folder.path().join("p.txt");
    std::fs::write(&file, "@drop = 0.1\np@shutdown = 0.01\n").expect("it can be written");
    let file = file.to_str().expect("UTF-8");
    let found = fta(&half, &["--probability", file]).expect("a probability");
    assert!((found - by_hand).abs() < 1e-12, "{found}");
}
