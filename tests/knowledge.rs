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
