//! Runs that were found are shown, made small, and their causes are certain.

use std::fmt::Write as _;

use serde_json::Value;

use super::run::{Output, sandalc, sandalc_with};

/// Two messages must be lost for the receiver to miss both; bystanders are restarted as often as they like meanwhile.
fn lossy(bystanders: usize) -> String {
    let mut model = String::from(
        "\
data Msg { Hello }

proc Sender(wire channel [1] { Msg }) {
    send(wire, Hello)
    send(wire, Hello)
}

proc Receiver(wire channel [1] { Msg }) {
    recv(wire, _)
}

proc Bystander() {
    var x 0..5
    for {
        x = (x + 1) % 6
        skip
    }
}

init {
    wire: channel [1] { Msg } @drop,
    sender: Sender(wire),
    receiver: Receiver(wire),
",
    );
    for number in 0..bystanders {
        let _ = writeln!(model, "    by{number}: Bystander() @restart,");
    }
    model + "}\n\ninvariant served { !(sender.done && len(wire) == 0 && !receiver.done) }\n"
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("not JSON: {}", output.out))
}

fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut all = report["properties"].as_array().expect("a list").iter();
    all.find(|p| p["name"] == name).expect("it is there")
}

/// What is said about a property of a model on standard input.
fn check(model: &str, name: &str, flags: &[&str]) -> Value {
    let always = ["check", "-", "--engine", "embedded", "--format", "json"];
    let all = [&always[..], &["--property", name], flags].concat();
    property(&json(&sandalc_with(model.as_bytes(), &all)), name).clone()
}

#[test]
fn bystanders_do_not_add_faults() {
    let alone = check(&lossy(0), "served", &[]);
    assert_eq!(alone["injections"], 2, "{alone}");
    assert_eq!(alone["minimal"], true, "{alone}");
    assert_eq!(alone["faults_used"], serde_json::json!(["wire@drop"]));
    let beside = check(&lossy(6), "served", &["--minimise", "60"]);
    assert_eq!(beside["injections"], 2, "{beside}");
    assert_eq!(beside["needs_fault"], true, "{beside}");
    assert_eq!(beside["cause"], "fault", "{beside}");
}

#[test]
fn a_run_that_is_not_known_to_be_smallest_names_no_cause() {
    let first = check(&lossy(6), "served", &["--minimise", "0"]);
    assert_eq!(first["verdict"], "violated", "{first}");
    assert!(first["trace"].is_object(), "{first}");
    assert_eq!(first["minimal"], false, "{first}");
    assert_eq!(first["needs_fault"], Value::Null, "{first}");
    assert_eq!(first["cause"], Value::Null, "{first}");
    let flags = ["check", "-", "--engine", "embedded", "--minimise", "0"];
    let text = sandalc_with(lossy(6).as_bytes(), &flags).expect(1);
    assert!(
        text.out.contains("; smaller runs may exist"),
        "{}",
        text.out
    );
}

#[test]
fn with_any_limit_of_states_a_violation_has_a_run() {
    for limit in (1..80).step_by(3) {
        let limit = limit.to_string();
        let flags = [
            "--engine",
            "embedded",
            "--format",
            "json",
            "--max-states",
            &limit,
        ];
        let all = [&["check", "examples/philosophers.sdl"][..], &flags].concat();
        let report = json(&sandalc(&all));
        for property in report["properties"].as_array().expect("a list") {
            let shown = property["trace"].is_object();
            assert!(shown || property["verdict"] != "violated", "{property}");
        }
    }
}

#[test]
fn a_timeout_is_a_cause_only_if_it_is_needed() {
    let model = |after: &str| {
        format!(
            "\
proc Sender(wire channel [1] {{ bool }}) {{ send(wire, true) }}

proc Receiver(wire channel [1] {{ bool }}) {{
    var missed bool
    var got bool
    missed = !timeout_recv(wire, got)
    {after}
}}

init {{
    wire: channel [1] {{ bool }},
    sender: Sender(wire),
    receiver: Receiver(wire),
}}

invariant heard {{ !(receiver.missed && sender.done) }}
"
        )
    };
    // Too early, or before there is anything: the second is no untimely timeout.
    let either = check(&model("skip"), "heard", &[]);
    assert_eq!(either["verdict"], "violated", "{either}");
    assert_eq!(either["cause"], "none", "{either}");
    let needed = model("skip").replace("missed = !", "recv(go, _)\n    missed = !");
    let needed = needed
        .replace(
            "{ send(wire, true) }",
            "{ send(wire, true); send(go, true) }",
        )
        .replace(
            "channel [1] { bool })",
            "channel [1] { bool }, go channel { bool })",
        )
        .replace("(wire),", "(wire, go),")
        .replace("init {\n", "init {\n    go: channel { bool },\n");
    let needed = check(&needed, "heard", &[]);
    assert_eq!(needed["verdict"], "violated", "{needed}");
    assert_eq!(needed["cause"], "untimely timeout", "{needed}");
}

#[test]
fn nusmv_s_runs_are_as_small_as_ours() {
    let Some(tool) = super::nusmv::installed("the smallest runs of NuSMV") else {
        return;
    };
    let tool = tool.to_str().expect("a path in UTF-8");
    let flags = [
        "check",
        "examples/philosophers.sdl",
        "--format",
        "json",
        "--property",
        "deadlock",
    ];
    let run = |engine: &str| {
        let all = [&flags[..], &["--engine", engine, "--nusmv", tool]].concat();
        let report = json(&sandalc(&all));
        property(&report, "deadlock")["trace"].clone()
    };
    assert_eq!(run("nusmv"), run("embedded"));
}
