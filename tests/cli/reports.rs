//! The files that a check writes besides what it prints. `tests/formats.rs` has them read by others.

use std::path::Path;

use serde_json::Value;

use super::run::{sandalc, sandalc_in};

/// Two processes, of which one may crash; a deadlock, a failing assertion, a false invariant, a loop.
const MODEL: &str = "\
data Word { Hello, Bye }

proc Speaker(line channel { Word }) {
    var again bool
    for {
        send(line, Hello)
        again = !again
    }
}

proc Listener(line channel { Word }) {
    var heard Word
    recv(line, heard)
    recv(line, heard)
    assert(heard == Bye)
}

init {
    line: channel { Word } @drop,
    speaker: Speaker(line),
    listener: Listener(line) @shutdown,
}

invariant quiet { !speaker.again }
ltl heard_twice { F (listener.done || listener.failed) }
reachable loud { speaker.again }
";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the report");
    serde_json::from_str(&text).expect("JSON")
}

fn checked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "m.sdl", MODEL);
    let args = [
        "check",
        "m.sdl",
        "--engine",
        "embedded",
        "--junit",
        "m.xml",
        "--sarif",
        "m.sarif",
        "--itf",
        "m.itf.json",
        "--format",
        "json",
    ];
    sandalc_in(folder.path(), &args).expect(1);
    folder
}

#[test]
fn junit_has_a_test_case_per_property() {
    let folder = checked();
    let text = std::fs::read_to_string(folder.path().join("m.xml")).expect("the report");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let suites = document.root_element();
    assert_eq!(suites.attribute("tests"), Some("8"));
    let cases = document
        .descendants()
        .filter(|n| n.has_tag_name("testcase"));
    let names: Vec<&str> = cases.clone().filter_map(|c| c.attribute("name")).collect();
    let expected = [
        "deadlock",
        "assert",
        "range",
        "division",
        "index",
        "quiet",
        "heard_twice",
        "loud",
    ];
    assert_eq!(names, expected);
    let failed: Vec<&str> = cases
        .filter(|case| case.children().any(|child| child.has_tag_name("failure")))
        .filter_map(|case| case.attribute("name"))
        .collect();
    assert_eq!(failed, ["deadlock", "assert", "quiet", "heard_twice"]);
    assert_eq!(suites.attribute("failures"), Some("4"));
    let failure = document
        .descendants()
        .filter(|n| n.has_tag_name("failure"))
        .nth(1);
    let text = failure.and_then(|failure| failure.text()).expect("the run");
    assert!(
        text.contains("listener fails: an assertion is false"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "no colours");
}

#[test]
fn sarif_has_a_result_with_its_run_per_violation() {
    let folder = checked();
    let report = json(&folder.path().join("m.sarif"));
    let run = &report["runs"][0];
    let results = run["results"].as_array().expect("results");
    let of = |rule: &str| {
        let mut found = results.iter().filter(|result| result["ruleId"] == rule);
        found
            .next()
            .unwrap_or_else(|| panic!("{rule} in {results:?}"))
    };
    // A run-time check is shown where it fails, a specification where it is written.
    let line =
        |result: &Value| result["locations"][0]["physicalLocation"]["region"]["startLine"].clone();
    assert_eq!(line(of("deadlock")), 6, "where somebody waits");
    assert_eq!(line(of("assert")), 15);
    assert_eq!(line(of("invariant")), 24);
    let ltl = of("ltl");
    assert_eq!(line(ltl), 25);
    let flow = &ltl["codeFlows"][0]["threadFlows"][0]["locations"];
    let texts: Vec<&str> = (flow.as_array().expect("the run").iter())
        .filter_map(|place| place["location"]["message"]["text"].as_str())
        .collect();
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("from here on for ever")),
        "{texts:?}"
    );
    let faults = flow.as_array().into_iter().flatten();
    assert!(
        faults
            .clone()
            .any(|place| place["kinds"][0] == "fault" && place["importance"] == "essential")
    );
    let related: Vec<&str> = (ltl["relatedLocations"].as_array().expect("places").iter())
        .filter_map(|place| place["message"]["text"].as_str())
        .collect();
    assert!(
        related.iter().any(|text| text.contains("is marked here")),
        "{related:?}"
    );
    // Every rule is described, and every result says where it is.
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert_eq!(
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "m.sdl"
        );
    }
}

#[test]
fn itf_has_all_states_of_the_first_run_or_the_one_asked_for() {
    let folder = checked();
    let trace = json(&folder.path().join("m.itf.json"));
    let vars = trace["vars"].as_array().expect("vars");
    let states = trace["states"].as_array().expect("states");
    assert_eq!(trace["#meta"]["description"], "deadlock violated");
    for (index, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], index);
        for var in vars {
            assert!(
                !state[var.as_str().expect("a name")].is_null(),
                "{var} in {state}"
            );
        }
    }
    assert_eq!(
        states.last().expect("a state")["listener@location"],
        "crashed"
    );
    assert!(trace.get("loop").is_none());
    let args = [
        "check",
        "m.sdl",
        "--engine",
        "embedded",
        "--property",
        "heard_twice",
        "--itf",
        "l.itf.json",
    ];
    sandalc_in(folder.path(), &args).expect(1);
    let trace = json(&folder.path().join("l.itf.json"));
    let count = trace["states"].as_array().expect("states").len();
    assert!(trace["loop"].as_u64().expect("a loop") < count as u64);
    // Nothing is violated: there is nothing to write.
    let args = [
        "check",
        "m.sdl",
        "--engine",
        "embedded",
        "--property",
        "loud",
        "--itf",
        "none.itf.json",
    ];
    let output = sandalc_in(folder.path(), &args).expect(0);
    assert!(output.err.contains("no run to write"), "{}", output.err);
    assert!(!folder.path().join("none.itf.json").exists());
}

#[test]
fn a_model_with_errors_is_reported_too() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "bad.sdl",
        "proc P() { x = 1 }\ninit { p: P(), }\n",
    );
    let args = [
        "check",
        "bad.sdl",
        "--junit",
        "bad.xml",
        "--sarif",
        "bad.sarif",
    ];
    sandalc_in(folder.path(), &args).expect(2);
    let report = json(&folder.path().join("bad.sarif"));
    let result = &report["runs"][0]["results"][0];
    assert_eq!(result["level"], "error");
    assert!(
        result["ruleId"]
            .as_str()
            .is_some_and(|rule| rule.starts_with('S'))
    );
    let text = std::fs::read_to_string(folder.path().join("bad.xml")).expect("the report");
    assert!(text.contains("errors=\"1\""), "{text}");
    let args = [
        "check",
        "none.sdl",
        "--junit",
        "none.xml",
        "--sarif",
        "none.sarif",
    ];
    sandalc_in(folder.path(), &args).expect(2);
    let report = json(&folder.path().join("none.sarif"));
    assert_eq!(
        report["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}

#[test]
fn reports_do_not_overwrite_models_or_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "m.sdl", MODEL);
    for args in [
        &["--junit", "m.sdl"][..],
        &["--sarif", "./m.sdl"],
        &["--junit", "r", "--sarif", "r"],
        &["--junit", "-"],
        &["--sarif", ""],
        &["--junit", "no/such/folder.xml", "--property", "loud"],
    ] {
        let output = sandalc_in(folder.path(), &[&["check", "m.sdl"], args].concat()).expect(2);
        assert!(output.err.contains("error"), "{args:?}: {}", output.err);
        let text = std::fs::read_to_string(folder.path().join("m.sdl")).expect("the model");
        assert_eq!(text, MODEL, "{args:?}");
    }
    let two = ["check", "m.sdl", "m2.sdl", "--itf", "x.itf.json"];
    sandalc_in(folder.path(), &two).expect(2);
}

/// Names of files are the only names that may hold anything; they are in every report.
#[test]
fn hostile_names_get_through_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "<a href=\"x\">&'\u{1b}[31m\u{202e}\n%?#`;end.sdl";
    write(folder.path(), name, MODEL);
    let args = [
        "check",
        name,
        "--engine",
        "embedded",
        "--junit",
        "m.xml",
        "--sarif",
        "m.sarif",
        "--itf",
        "m.itf.json",
        "--property",
        "assert",
    ];
    sandalc_in(folder.path(), &args).expect(1);
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).expect("a report");
    let (xml, sarif) = (read("m.xml"), read("m.sarif"));
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let tags: std::collections::BTreeSet<&str> = (document.descendants())
        .filter(|node| node.is_element())
        .map(|node| node.tag_name().name())
        .collect();
    let known = ["failure", "testcase", "testsuite", "testsuites"];
    assert_eq!(tags.into_iter().collect::<Vec<_>>(), known);
    for text in [&xml, &sarif, &read("m.itf.json")] {
        for dirty in ['\u{1b}', '\u{202e}'] {
            assert!(!text.contains(dirty), "{text}");
        }
    }
    let report: Value = serde_json::from_str(&sarif).expect("JSON");
    let place = &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"]
        .as_str()
        .expect("a reference");
    assert_eq!(
        uri,
        "%3Ca%20href%3D%22x%22%3E%26%27%1B%5B31m%E2%80%AE%0A%25%3F%23%60%3Bend.sdl"
    );
    // The same for what is saved and shown.
    let saved = sandalc_in(
        folder.path(),
        &["simulate", name, "--save", "run.json", "--steps", "5"],
    );
    assert!(
        !saved.out.contains('\u{1b}') && !saved.out.contains('\u{202e}'),
        "{}",
        saved.out
    );
    let run = read("run.json");
    assert!(
        !run.contains('\u{1b}') && !run.contains('\u{202e}'),
        "{run}"
    );
    let many = sandalc_in(folder.path(), &["check", ".", "--engine", "embedded"]);
    assert!(
        !many.out.contains('\u{1b}') && !many.out.contains('\u{202e}'),
        "{}",
        many.out
    );
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let folders = [checked(), checked()];
    for file in ["m.xml", "m.sarif", "m.itf.json"] {
        let texts = folders
            .each_ref()
            .map(|folder| std::fs::read(folder.path().join(file)).expect("a report"));
        assert_eq!(texts[0], texts[1], "{file}");
    }
}

#[test]
fn what_a_model_expects_is_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let expect = |lines: &str| {
        write(folder.path(), "m.sdl", &format!("{lines}{MODEL}"));
        let args = [
            "check", "m.sdl", "--engine", "embedded", "--expect", "--junit", "m.xml",
        ];
        sandalc_in(folder.path(), &args)
    };
    let all = "// expect: deadlock violated by listener@shutdown\n// expect: assert violated\n// expect: quiet violated by no fault\n// expect: heard_twice violated\n";
    let output = expect(all).expect(0);
    assert!(output.out.ends_with("as expected\n"), "{}", output.out);
    assert!(
        !output.out.contains("is violated:"),
        "expected runs are not shown: {}",
        output.out
    );
    let text = std::fs::read_to_string(folder.path().join("m.xml")).expect("the report");
    assert!(text.contains("failures=\"0\""), "{text}");
    for (lines, differs) in [
        (
            "",
            "`assert`: expected to hold, but it is violated by no fault",
        ),
        (
            "// expect: loud violated\n",
            "`loud`: expected violated, but it holds",
        ),
        (
            "// expect: nothing holds\n",
            "there is no property `nothing`",
        ),
        (
            "// expect: quiet violated by line@drop\n",
            "expected violated by line@drop, but it is violated by no fault",
        ),
        ("// expect: quiet maybe\n", "cannot be read"),
        ("// flags: --engine nusmv\n", "cannot be read"),
    ] {
        let output = expect(lines).expect(1);
        let said = output.out.clone() + &output.err;
        assert!(said.contains(differs), "{lines}{said}");
    }
    let output =
        expect("// flags: --no-faults\n// expect: assert violated\n// expect: quiet violated\n");
    output.expect(0);
    let json = [
        "check",
        "examples/quorum.sdl",
        "--engine",
        "embedded",
        "--expect",
        "--format",
        "json",
    ];
    let report: Value = serde_json::from_str(&sandalc(&json).expect(0).out).expect("JSON");
    assert_eq!(report["differences"], serde_json::json!([]));
}
