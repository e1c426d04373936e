//! `sandalc diagnose`, and runs that a process cannot tell apart.

mod support;

use std::process::Command;

use serde_json::Value;

/// What a command prints, and its exit code.
fn run(args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .current_dir(support::root())
        .args(args)
        .output()
        .expect("sandalc runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8(output.stderr).expect("text");
    (text + &errors, output.status.code())
}

/// The cells of a diagnosis: fault, process and the sets.
fn cells(args: &[&str]) -> Vec<(String, String, Vec<Vec<String>>)> {
    let (text, code) = run(&[&["diagnose", "--format", "json"], args].concat());
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let word = |value: &Value| value.as_str().expect("a name").to_owned();
    let list = |value: &Value| -> Vec<Value> { value.as_array().expect("a list").clone() };
    let cells = list(&report["diagnosis"]).into_iter().map(|cell| {
        let sets = list(&cell["minimal"]).into_iter();
        let sets = sets.map(|set| list(&set).iter().map(word).collect());
        (word(&cell["fault"]), word(&cell["process"]), sets.collect())
    });
    cells.collect()
}

const RING: &str = "docs/cases/ieee_token_ring.sdl";

/// Compares with a table: a row for each fault, a column for each node.
fn compare(args: &[&str], table: &[(&str, [&str; 6])]) {
    let mut expected = Vec::new();
    for (fault, row) in table {
        for (node, set) in row.iter().enumerate() {
            let sets = match *set {
                "-" => Vec::new(),
                set => vec![set.split(' ').map(str::to_owned).collect::<Vec<_>>()],
            };
            expected.push(((*fault).to_owned(), format!("node[{node}]"), sets));
        }
    }
    assert_eq!(cells(args), expected);
}

const H: &str = "hN3ns hN4nr hN6ns";

/// Figure 3 of Ezekiel and Lomuscio's paper, node 1 to node 6.
#[test]
#[ignore = "takes minutes without optimisation"]
fn the_ring_is_diagnosed_as_published() {
    compare(
        &[RING, "-D", "MOST=4"],
        &[
            (
                "sN2ns",
                ["sN2ns hN3ns hN4nr hN6ns", "-", "-", "-", "-", "-"],
            ),
            ("hN3ns", [H, H, "hN3ns hN4nr", "hN3ns hN4nr", H, H]),
            ("hN4nr", [H, H, "hN3ns hN4nr", "hN4nr", "hN4nr", H]),
            ("hN6ns", ["hN6ns", H, H, H, H, "hN6ns"]),
        ],
    );
    let args = [
        "check", "--expect", "--engine", "embedded", "--trace", "none",
    ];
    let (text, code) = run(&[&args[..], &[RING, "-D", "MOST=4"]].concat());
    assert_eq!(code, Some(0), "{text}");
}

/// With at most one fault exactly three cells are smaller.
#[test]
fn with_one_fault_the_ring_tells_more() {
    compare(
        &[RING],
        &[
            (
                "sN2ns",
                ["sN2ns hN3ns hN4nr hN6ns", "-", "-", "-", "-", "-"],
            ),
            (
                "hN3ns",
                ["hN3ns hN4nr", H, "hN3ns hN4nr", "hN3ns hN4nr", H, H],
            ),
            (
                "hN4nr",
                ["hN3ns hN4nr", H, "hN3ns hN4nr", "hN4nr", "hN4nr", H],
            ),
            ("hN6ns", ["hN6ns", H, H, "hN6ns", H, "hN6ns"]),
        ],
    );
}

/// A watcher that sees where a number comes from, and two faults: one leaves a trace for good, one can be mistaken for it.
const MODEL: &str = "
proc Worker(out channel [1] { 0..3 }) {
    var x 0..3
    x = 1
    send(out, x)
}
proc Watcher(inp channel [1] { 0..3 }) {
    var seen 0..3
    end: recv(inp, seen)
}
init {
    wire: channel [1] { 0..3 } @drop as lost,
    worker: Worker(wire) @replace(x, 1, 2) as two,
    watcher: Watcher(wire),
}
inject { worker @replace(x, 1, 3) as three }
view Watcher { seen }
";

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".sdl").tempfile();
    let file = file.expect("there is room");
    std::fs::write(file.path(), text).expect("there is room");
    file
}

#[test]
fn only_what_leaves_a_trace_can_be_told() {
    let model = file(MODEL);
    let path = model.path().to_str().expect("a path");
    let found = cells(&[path]);
    // What is seen tells 2 from 3, unless the message is lost; that leaves nothing to be seen at all.
    let none: Vec<Vec<String>> = Vec::new();
    for fault in ["lost", "two", "three"] {
        let cell = found.iter().find(|(f, _, _)| f == fault).expect("a cell");
        assert_eq!(cell.2, none, "{fault}");
    }
    let found = cells(&[path, "--faults", "two,three"]);
    let names = |fault: &str| vec![vec![fault.to_owned()]];
    assert_eq!(found[0].2, names("two"));
    assert_eq!(found[1].2, names("three"));
}

#[test]
fn why_shows_two_runs() {
    let model = file(MODEL);
    let path = model.path().to_str().expect("a path");
    let (text, code) = run(&["diagnose", path, "--why", "two", "watcher"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("watcher never finds out about two here:"),
        "{text}"
    );
    assert!(
        text.contains("cannot tell it from the start of a run"),
        "{text}"
    );
    assert!(text.contains("watcher.seen = 0"), "{text}");
    let faults = ["--faults", "two"];
    let (text, _) = run(&[&["diagnose", path, "--why", "two", "watcher"], &faults[..]].concat());
    assert!(
        text.contains("watcher always finds out that two has begun"),
        "{text}"
    );
    let (text, code) = run(&["diagnose", path, "--why", "tow", "watcher"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("there is no fault `tow`"), "{text}");
    assert!(text.contains("write `two`"), "{text}");
    let (text, code) = run(&["diagnose", path, "--max-states", "3"]);
    assert_eq!(code, Some(3));
    assert!(
        text.contains("unknown: who knows what takes all states"),
        "{text}"
    );
}

#[test]
fn without_faults_there_is_nothing_to_tell() {
    let (text, code) = run(&["diagnose", "examples/ping.sdl"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("there is no fault to be told"), "{text}");
}

#[test]
fn a_violation_has_two_runs_and_what_is_seen_in_both() {
    let path = "examples/bit_transmission.sdl";
    let args = [
        "check",
        path,
        "--property",
        "sound",
        "--format",
        "json",
        "--engine",
        "embedded",
    ];
    let (text, code) = run(&args);
    assert_eq!(code, Some(1), "{text}");
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let property = &report["properties"][0];
    assert_eq!(property["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(property["runs"][0], property["trace"]);
    assert!(property["view"]["receiver.rec"].is_string(), "{property}");
}

#[test]
fn knowledge_is_worked_out_before_a_model_is_written_for_others() {
    let (text, code) = run(&["examples/coordinated_attack.sdl", "-o", "-"]);
    assert_eq!(code, Some(0), "{text}");
    // That the second general knows of the attack is that it has heard of it.
    assert!(text.contains("NAME told := "), "{text}");
    assert!(text.contains("second.heard"), "{text}");
}

/// When a process knows: how late, and by which views.
fn when(args: &[&str], fault: &str, process: &str) -> (Value, Vec<Value>) {
    let (text, code) = run(&[&["diagnose", "--format", "json"], args].concat());
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let cells = report["diagnosis"].as_array().expect("cells");
    let cell = cells
        .iter()
        .find(|cell| cell["fault"] == fault && cell["process"] == process);
    let when = &cell.expect("a cell")["when"][0];
    let views = when["views"].as_array().expect("views").clone();
    (when["latest"].clone(), views)
}

/// After the fault the worker still has to send, and the watcher to declare and to receive: three steps.
#[test]
fn steps_until_a_fault_is_known_are_counted() {
    let model = file(MODEL);
    let path = model.path().to_str().expect("a path");
    for simplify in [&[][..], &["--no-simplify"]] {
        let args = [&[path, "--faults", "two,three"], simplify].concat();
        let (latest, views) = when(&args, "two", "watcher");
        assert_eq!(latest, 3);
        assert_eq!(views, [serde_json::json!({ "seen": "2" })]);
    }
    let (text, _) = run(&["diagnose", path, "--faults", "two"]);
    assert!(
        text.contains("{two}  watcher  within 3 steps: seen = 2"),
        "{text}"
    );
}

/// A heart that beats every 2 ticks, and a monitor that waits for 5: if the heart stops right after a beat, 5 ticks go by; and it
/// takes what is silent for good for what lost its way.
const HEARTBEAT: &str = "
proc Heart(out channel [1] { bit }) {
    for {
        send(out, 1)
        sleep(2)
    }
}
proc Monitor(inp channel [1] { bit }) {
    durable var patience timer = 5
    durable var alarm bool
    for {
        select {
            case recv(inp, _) { patience = 5 }
            case after patience { break }
        }
    }
    alarm = true
    for { end: recv(inp, _) }
}
init {
    beats: channel [1] { bit },
    heart: Heart(beats) @shutdown as stopped,
    monitor: Monitor(beats),
}
view Monitor { alarm }
";

#[test]
fn ticks_until_a_fault_is_known_are_counted() {
    let model = file(HEARTBEAT);
    let path = model.path().to_str().expect("a path");
    for simplify in [&[][..], &["--no-simplify"]] {
        let (latest, views) = when(&[&[path], simplify].concat(), "stopped", "monitor");
        assert_eq!(latest, 5);
        assert_eq!(views, [serde_json::json!({ "alarm": "true" })]);
    }
    let (text, _) = run(&["diagnose", path]);
    assert!(text.contains("within 5 ticks: alarm = true"), "{text}");
}

/// A bystander takes steps for ever, and nobody says how many of them come before those of the others.
#[test]
fn a_fault_may_be_known_sooner_or_later() {
    let idle = "proc Idle() { var x bit; for { x = 1 - x } }\ninit { idle: Idle(),";
    let model = file(&MODEL.replace("init {", idle));
    let path = model.path().to_str().expect("a path");
    let (latest, views) = when(&[path, "--faults", "two"], "two", "watcher");
    assert_eq!(latest, Value::Null);
    assert_eq!(views.len(), 1);
    let (text, _) = run(&["diagnose", path, "--faults", "two"]);
    assert!(text.contains("sooner or later: seen = 2"), "{text}");
}

#[test]
fn a_diagnosis_is_a_page_and_so_are_two_runs() {
    let model = file(MODEL);
    let path = model.path().to_str().expect("a path");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let page = page.to_str().expect("a path");
    let written = || std::fs::read_to_string(page).expect("a page");
    let (text, code) = run(&["diagnose", path, "--faults", "two", "--html", page]);
    assert_eq!(code, Some(0), "{text}");
    for wanted in [
        "{two}",
        "within 3 steps",
        "seen = 2",
        "<h1>",
        "Processes and channels",
    ] {
        assert!(written().contains(wanted), "{wanted}");
    }
    let why = ["diagnose", path, "--why", "two", "watcher", "--html", page];
    let (text, code) = run(&why);
    assert_eq!(code, Some(0), "{text}");
    let both = written();
    for wanted in [
        "data-run=\"0\"",
        "data-run=\"1\"",
        "watcher sees in both",
        "watcher.seen",
    ] {
        assert!(both.contains(wanted), "{wanted}");
    }
    for wrong in ["-", path] {
        let (text, code) = run(&["diagnose", path, "--html", wrong]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("cannot be done"), "{text}");
    }
}

#[test]
fn what_cannot_be_diagnosed_is_said() {
    let model = file(MODEL);
    let path = model.path().to_str().expect("a path");
    let (text, code) = run(&["diagnose", path, "--no-faults"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("leave out `--no-faults`"), "{text}");
    let (text, code) = run(&["diagnose", path, "--why", "two", "watchr"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("there is no process `watchr`"), "{text}");
    assert!(text.contains("write `watcher`"), "{text}");
    let (text, code) = run(&["diagnose", path, "--faults", "none_of_these"]);
    assert_eq!(code, Some(2), "{text}");
    let fair = file(&MODEL.replace("@drop as lost", "@drop(fair) as lost"));
    let path = fair.path().to_str().expect("a path");
    let (text, code) = run(&["diagnose", path]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("does not know fair choices"), "{text}");
    assert!(!text.contains("--max-states"), "{text}");
}

/// Without the faults a watcher that sees nothing knows that none has begun; with them it does not.
#[test]
fn without_faults_more_is_known() {
    let text =
        format!("{MODEL}invariant calm {{ watcher.seen == 0 -> K(watcher, worker.x <= 1) }}\n");
    let model = file(&text);
    let path = model.path().to_str().expect("a path");
    let check = |flags: &[&str]| {
        run(&[
            &["check", path, "--engine", "embedded", "--property", "calm"],
            flags,
        ]
        .concat())
    };
    let (text, code) = check(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("watcher cannot tell it from this run"),
        "{text}"
    );
    let (text, code) = check(&["--no-faults"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = check(&["--max-states", "5"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("who knows what takes all states"), "{text}");
}

/// A process that sees 600 values.
#[test]
fn a_second_engine_is_not_asked_about_too_many_views() {
    let model = file(
        "
proc Counter() {
    var n 0..599
    for n < 599 { n += 1 }
}
init { counter: Counter() }
view Counter { n }
invariant sees { counter.n > 1 -> K(counter, counter.n > 1) }
",
    );
    let path = model.path().to_str().expect("a path");
    let (text, code) = run(&["check", path, "--property", "sees", "--engine", "embedded"]);
    assert_eq!(code, Some(0), "{text}");
    let note = "NuSMV does not confirm who knows what: 600 views, more than 512";
    assert!(text.contains(note), "{text}");
}

/// A level of `tolerant` that is not reached because of what somebody does not know has two runs, too.
#[test]
fn levels_that_are_not_reached_have_runs_to_show() {
    let path = "examples/bit_transmission.sdl";
    let args = ["check", path, "--property", "known", "--engine", "embedded"];
    let (text, code) = run(&[&args[..], &["--witness"]].concat());
    assert_eq!(code, Some(0), "{text}");
    for level in [
        "unaffected",
        "unaffected_later",
        "holds_on",
        "may_recover",
        "recovers",
    ] {
        assert!(
            text.contains(&format!("known does not reach {level}:")),
            "{level}: {text}"
        );
    }
    assert!(text.contains("cannot tell it from this run"), "{text}");
    let (text, _) = run(&[&args[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let property = &report["properties"][0];
    assert_eq!(property["levels"]["correct"], true);
    assert_eq!(property["levels"]["unaffected"], false);
    assert!(property["level_traces"]["unaffected"].is_object(), "{text}");
}

/// In a view, as in the process, a parameter stands for the detector that it is given. One that errs proves nothing.
#[test]
fn a_view_names_the_detector_of_its_process() {
    let text = |marker: &str| {
        format!(
            "
proc Worker() {{ var x bit; x = 1 }}
proc Watcher(mine detector) {{ await suspects(mine) }}
init {{
    w: Worker() @shutdown,
    d: detector(w){marker},
    watcher: Watcher(d),
}}
view Watcher {{ suspects(mine) }}
invariant told {{ suspects(d) -> K(watcher, w.crashed) }}
"
        )
    };
    for (marker, expected) in [("", 0), (" @wrong", 1)] {
        let model = file(&text(marker));
        let path = model.path().to_str().expect("a path");
        let args = ["check", path, "--engine", "embedded", "--property", "told"];
        let (text, code) = run(&args);
        assert_eq!(code, Some(expected), "{text}");
        // All states were looked at.
        assert!(!text.contains("statically"), "{text}");
    }
}
