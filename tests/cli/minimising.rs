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

/// Also without any time to look for a smaller one.
#[test]
fn the_first_run_has_the_fewest_faults() {
    let first = check(&lossy(6), "served", &["--minimise", "0"]);
    assert_eq!(first["verdict"], "violated", "{first}");
    assert_eq!(first["injections"], 2, "{first}");
    assert_eq!(first["minimal"], false, "{first}");
    assert_eq!(first["needs_fault"], true, "{first}");
    assert_eq!(first["cause"], "fault", "{first}");
    let flags = ["check", "-", "--engine", "embedded", "--minimise", "0"];
    let text = sandalc_with(lossy(6).as_bytes(), &flags).expect(1);
    let words = "needs wire@drop, 2 injections; shorter runs may exist";
    assert!(text.out.contains(words), "{}", text.out);
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

/// Pairs of processes that have nothing to do with each other; a message is lost.
fn pairs(count: usize) -> String {
    format!(
        "\
proc P(x channel [1] {{ bool }}) {{
    recv(x, _)
}}

proc Q(x channel [1] {{ bool }}) {{
    send(x, true)
}}

init {{
    for i in range 0 to {count} {{
        c[i]: channel [1] {{ bool }} @drop,
        p[i]: P(c[i]),
        q[i]: Q(c[i]),
    }}
}}
"
    )
}

/// The smallest run of many processes is looked for as long as that is allowed, no longer.
#[test]
fn many_processes_do_not_make_the_smallest_run_dominate() {
    let timed = |seconds: &str| {
        let start = std::time::Instant::now();
        let found = check(&pairs(32), "deadlock", &["--minimise", seconds]);
        (found, start.elapsed())
    };
    let (found, time) = timed("8");
    // The machine may be busy: what it takes without a smaller run is the measure.
    let (_, without) = timed("0");
    assert_eq!(found["verdict"], "violated", "{found}");
    assert_eq!(found["injections"], 1, "{found}");
    assert_eq!(
        found["faults_used"].as_array().map(Vec::len),
        Some(1),
        "{found}"
    );
    let most = without * 4 + std::time::Duration::from_secs(30);
    assert!(time < most, "{time:?} and {without:?} without");
}

/// The first run does not depend on the machine: any number of threads finds it.
#[test]
fn the_first_run_is_the_same_with_any_number_of_threads() {
    for model in [lossy(5), pairs(4)] {
        let run = |threads: &str| {
            let flags = ["check", "-", "--engine", "embedded", "--format", "json"];
            let more = ["--minimise", "0", "--threads", threads];
            let output = sandalc_with(model.as_bytes(), &[&flags[..], &more].concat());
            let properties = json(&output)["properties"].clone();
            properties
                .as_array()
                .expect("a list")
                .iter()
                .map(|p| p["trace"].clone())
                .collect::<Vec<_>>()
        };
        let alone = run("1");
        assert!(alone.iter().any(Value::is_object));
        for threads in ["2", "3", "7"] {
            assert_eq!(run(threads), alone, "{threads} threads");
        }
    }
}

/// What counts as an injection of a fault that happens at every occasion is its becoming active, once.
#[test]
fn faults_that_always_happen_are_injected_once() {
    let model = |marker: &str| {
        format!(
            "\
proc Sender(wire channel [3] {{ bool }}) {{
    skip
    begin: send(wire, true)
    send(wire, true)
    send(wire, true)
}}

init {{
    wire: channel [3] {{ bool }} {marker},
    sender: Sender(wire),
}}

invariant kept {{ !(sender.done && len(wire) == 0) }}
"
        )
    };
    for (marker, injections) in [
        ("@drop", 3),
        ("@drop(always)", 1),
        ("@drop(permanent)", 1),
        ("@drop(always, from = sender@begin)", 1),
        ("@drop(from = any)", 3),
    ] {
        for flags in [
            &[][..],
            &["--no-simplify"],
            &["--no-reduction", "--no-symmetry"],
        ] {
            let found = check(&model(marker), "kept", flags);
            assert_eq!(found["injections"], injections, "{marker}: {found}");
            assert_eq!(found["minimal"], true, "{marker}: {found}");
            assert_eq!(
                found["faults_used"],
                serde_json::json!(["wire@drop"]),
                "{marker}: {found}"
            );
            assert_eq!(found["cause"], "fault", "{marker}: {found}");
        }
    }
    let named = model("@drop(always)");
    let text = sandalc_with(named.as_bytes(), &["check", "-", "--engine", "embedded"]).expect(1);
    assert!(
        text.out.contains("needs wire@drop, 1 injection"),
        "{}",
        text.out
    );
}

/// One step may begin a fault that another fault's injection was waited for: that is two.
#[test]
fn a_fault_that_begins_with_another_is_counted_too() {
    let model = "\
proc Sender(wire channel [2] { bool }) {
    send(wire, true)
    send(wire, true)
}

init {
    wire: channel [2] { bool } @drop(once) as first @corrupt(always, from = injected(first)) as second,
    sender: Sender(wire),
}

invariant kept { !(sender.done && len(wire) == 1) }
";
    let found = check(model, "kept", &[]);
    assert_eq!(found["verdict"], "violated", "{found}");
    assert_eq!(found["injections"], 2, "{found}");
    assert_eq!(
        found["faults_used"],
        serde_json::json!(["first", "second"]),
        "{found}"
    );
    // Searches count the step once, so that they cannot be sure. Then no cause is named.
    assert_eq!(found["minimal"], false, "{found}");
    assert_eq!(found["needs_fault"], Value::Null, "{found}");
    assert_eq!(found["cause"], Value::Null, "{found}");
    let text = sandalc_with(model.as_bytes(), &["check", "-", "--engine", "embedded"]).expect(1);
    let words = "; smaller runs may exist";
    assert!(text.out.contains(words), "{}", text.out);
}

/// Eight and more operators inside each other.
#[test]
fn deeply_nested_formulas_are_answered() {
    let until = |count: u32| {
        let last = format!("p.x == {count}");
        (1..count)
            .rev()
            .fold(last, |f, i| format!("(p.x == {i}) U ({f})"))
    };
    let model = |formula: &str| {
        format!(
            "proc P() {{\n    var x 0..15\n    for {{ x = any }}\n}}\n\ninit {{\n    p: P(),\n}}\n\nltl u {{ {formula} }}\n"
        )
    };
    assert_eq!(check(&model(&until(11)), "u", &[])["verdict"], "violated");
    let never = format!("G (p.x != 3) -> !(F (p.x == 3 && ({})))", until(7));
    assert_eq!(check(&model(&never), "u", &[])["verdict"], "holds");
}
