//! What `sandalc check --format json` prints is what `docs/check.schema.json` says.

mod support;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn every_example_is_reported_as_the_schema_says() {
    let schema: Value = read("docs/check.schema.json");
    let mut traces = 0;
    for path in support::files(&support::root().join("examples"), "sdl") {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args([
                "check", "--format", "json", "--engine", "embedded", "--stats",
            ])
            .arg(&path)
            .output()
            .expect("sandalc runs");
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let report: Value = serde_json::from_str(&text).expect("one JSON object");
        let mut wrong = Vec::new();
        validate(&schema, &schema, &report, "report", &mut wrong);
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
        let properties = report["properties"].as_array().expect("checked above");
        let violated = properties.iter().any(|p| p["verdict"] == "violated");
        assert_eq!(
            output.status.code(),
            Some(i32::from(violated)),
            "{}",
            path.display()
        );
        traces += properties.iter().filter(|p| !p["trace"].is_null()).count();
    }
    assert!(traces > 0, "some example has a trace");
}

#[test]
fn what_nusmv_confirms_is_reported() {
    let schema: Value = read("docs/check.schema.json");
    let Some(installed) = support::nusmv::installed("json: what_nusmv_confirms_is_reported") else {
        return;
    };
    let report = |nusmv: Option<&Path>, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandalc"));
        command
            .args(["check", "--format", "json", "examples/ping.sdl"])
            .args(more)
            .current_dir(support::root())
            .env_remove("SANDAL_NUSMV")
            .env("PATH", "");
        if let Some(path) = nusmv {
            command.env("SANDAL_NUSMV", path);
        }
        let output = command.output().expect("sandalc runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        let mut wrong = Vec::new();
        validate(&schema, &schema, &report, "report", &mut wrong);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        report
    };
    let agrees = report(Some(&installed), &[]);
    assert_eq!(agrees["confirmation"]["engine"], "NuSMV");
    assert_eq!(agrees["confirmation"]["outcome"], "agrees");
    assert!(agrees["confirmation"]["version"].is_string());
    assert!(agrees["confirmation"]["seconds"].is_number());
    let undecided = report(Some(&installed), &["--confirm-timeout", "0"]);
    assert_eq!(undecided["confirmation"]["outcome"], "undecided");
    let missing = report(None, &[]);
    assert_eq!(
        missing["confirmation"],
        serde_json::json!({
            "engine": "NuSMV", "version": null, "outcome": "not found", "seconds": null
        })
    );
    let broken = report(Some(Path::new("./Cargo.toml")), &[]);
    assert_eq!(broken["confirmation"]["outcome"], "failed");
    assert!(broken["confirmation"]["detail"].is_string());
    let alone = report(Some(&installed), &["--engine", "embedded"]);
    assert_eq!(alone["confirmation"], Value::Null);
    // Who confirms changes nothing else.
    for mut other in [agrees, undecided, missing, broken] {
        other["confirmation"] = Value::Null;
        assert_eq!(other, alone);
    }
}

/// What a command prints, as one JSON object that a schema describes.
fn described(args: &[&str], schema: &str) -> Value {
    let schema: Value = read(schema);
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(args)
        .current_dir(support::root())
        .output()
        .expect("sandalc runs");
    let object: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let mut wrong = Vec::new();
    validate(&schema, &schema, &object, "object", &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    object
}

#[test]
fn pages_of_documentation_are_what_their_schema_says() {
    let doc = |name: &str| described(&["doc", name, "--format", "json"], "docs/doc.schema.json");
    let link = doc("std/link");
    assert_eq!(link["file"], "std/link");
    let names = link["items"].as_array().expect("a list").iter();
    assert!(names.into_iter().any(|item| item["name"] == "LossyLink"));
    doc("examples/server.sdl");
}

#[test]
fn several_models_and_runs_are_what_their_schemas_say() {
    let several = [
        "check",
        "examples/ping.sdl",
        "examples/quorum.sdl",
        "nix.sdl",
    ];
    let json = ["--engine", "embedded", "--format", "json"];
    let object = described(
        &[&several[..], &json].concat(),
        "docs/check_many.schema.json",
    );
    assert_eq!(object["models"][2]["result"], "error");
    let expecting = [&several[..], &json, &["--expect"]].concat();
    let object = described(&expecting, "docs/check_many.schema.json");
    assert_eq!(object["models"][1]["result"], "expected");
    let run = [
        "simulate",
        "examples/two_phase_all.sdl",
        "--fault-rate",
        "0.2",
        "--format",
        "json",
    ];
    let object = described(&run, "docs/run.schema.json");
    assert!(
        object["steps"]
            .as_array()
            .is_some_and(|steps| !steps.is_empty())
    );
}

#[test]
#[ignore = "minutes with all examples: `cargo xtask soak` runs it"]
fn what_is_tolerated_is_reported_as_the_schemas_say() {
    for path in support::files(&support::root().join("examples"), "sdl") {
        let report = |command: &str, more: &[&str]| {
            let schema: Value = read(&format!("docs/{command}.schema.json"));
            let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
                .args([command, "--format", "json", "--max-states", "20000"])
                .args(more)
                .arg(&path)
                .output()
                .expect("sandalc runs");
            let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
            let report: Value = serde_json::from_str(&text).expect("one JSON object");
            let mut wrong = Vec::new();
            validate(&schema, &schema, &report, "report", &mut wrong);
            assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
            let parts = report["properties"].as_array().into_iter().flatten();
            let complete = |part: &Value| part["complete"] != false;
            let whole = complete(&report) && parts.into_iter().all(complete);
            let code = if whole { 0 } else { 3 };
            assert_eq!(output.status.code(), Some(code), "{}", path.display());
            report
        };
        let tolerance = report("tolerance", &[]);
        let properties = tolerance["properties"].as_array().expect("checked above");
        let last = properties.last().expect("there are properties");
        let name = last["name"].as_str().expect("checked above");
        let tree = report("fta", &["--property", name]);
        assert_eq!(tree["cut_sets"], last["cut_sets"], "{}", path.display());
        let fmea = report("fmea", &[]);
        assert_eq!(
            fmea["rows"].as_array().map(Vec::len),
            tolerance["faults"].as_array().map(Vec::len)
        );
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema: Value = read("docs/check.schema.json");
    let property = |verdict: &str| {
        serde_json::json!({
            "file": "m.sdl", "engine": "embedded", "states": 3, "confirmation": null,
            "properties": [{
                "name": "p", "kind": "ltl", "verdict": verdict,
                "needs_fault": null, "line": 1, "trace": null
            }]
        })
    };
    let problems = |report: &Value| {
        let mut wrong = Vec::new();
        validate(&schema, &schema, report, "report", &mut wrong);
        wrong.len()
    };
    assert_eq!(problems(&property("holds")), 0);
    assert_eq!(problems(&property("maybe")), 1);
    let mut more = property("holds");
    more["properties"][0]["more"] = Value::Bool(true);
    assert_eq!(problems(&more), 1);
    let mut less = property("holds");
    less.as_object_mut().expect("an object").remove("states");
    assert_eq!(problems(&less), 1);
    let mut other = property("holds");
    other["states"] = Value::String("3".to_string());
    assert_eq!(problems(&other), 1);
}

fn read(path: &str) -> Value {
    let text = std::fs::read_to_string(support::root().join(path)).expect("the file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// The part of JSON Schema that ours uses; another keyword is an error.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let pointer = rule
                    .as_str()
                    .and_then(|r| r.strip_prefix('#'))
                    .expect("a local $ref");
                let target = root.pointer(pointer).expect("the target of $ref");
                validate(root, target, value, at, wrong);
                true
            }
            "type" => match rule {
                Value::Array(names) => names.iter().any(|name| has_type(value, name)),
                name => has_type(value, name),
            },
            "enum" => rule.as_array().expect("enum").contains(value),
            "oneOf" => {
                let matching = rule
                    .as_array()
                    .expect("oneOf")
                    .iter()
                    .filter(|alternative| {
                        let mut inner = Vec::new();
                        validate(root, alternative, value, at, &mut inner);
                        inner.is_empty()
                    });
                matching.count() == 1
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{at}[{i}]"), wrong);
                }
                true
            }
            "required" => {
                let names = rule.as_array().expect("required").iter();
                names
                    .filter_map(Value::as_str)
                    .all(|name| value.get(name).is_some())
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    if let Some(member) = value.get(name) {
                        validate(root, rule, member, &format!("{at}.{name}"), wrong);
                    }
                }
                true
            }
            "additionalProperties" => match rule {
                Value::Bool(_) => {
                    let known = schema["properties"].as_object().expect("properties");
                    let mut found = value.as_object().into_iter().flatten();
                    found.all(|(name, _)| known.contains_key(name))
                }
                rule => {
                    for (name, value) in value.as_object().into_iter().flatten() {
                        validate(root, rule, value, &format!("{at}.{name}"), wrong);
                    }
                    true
                }
            },
            "propertyNames" => {
                let names = rule["enum"].as_array().expect("enum");
                let mut found = value.as_object().into_iter().flatten();
                found.all(|(name, _)| names.iter().any(|known| known == name))
            }
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if !fine {
            wrong.push(format!("{at} breaks `{keyword}`: {value}"));
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        other => panic!("the schema uses the type {other:?}"),
    }
}

#[test]
fn diagnoses_are_what_their_schema_says() {
    let args = [
        "diagnose",
        "examples/bit_transmission.sdl",
        "--format",
        "json",
    ];
    let object = described(&args, "docs/diagnose.schema.json");
    let cells = object["diagnosis"].as_array().expect("a list");
    assert_eq!(cells.len(), 6, "three faults, two processes");
}
