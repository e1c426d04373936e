//! Several models at a time, again and again.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::run::{command, sandalc, sandalc_in};

const GOOD: &str = "proc P() {\n    skip\n}\n\ninit {\n    p: P(),\n}\n";
const VIOLATED: &str = "proc P(n 0..9) {\n    assert(n < 3)\n}\n\ninit {\n    p: P(4),\n}\n";
const WRONG: &str = "proc P() {\n    x = 1\n}\n\ninit {\n    p: P(),\n}\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn mixed() -> tempfile::TempDir {
    folder(&[
        ("a.sdl", GOOD),
        ("b/wrong.sdl", WRONG),
        ("b/violated.sdl", VIOLATED),
        ("parts.sdl", "const N = 3\n"),
        (
            "uses.sdl",
            "import \"parts.sdl\"\nproc P(n 0..9) {\n    assert(n == N)\n}\ninit {\n    p: P(3),\n}\n",
        ),
    ])
}

#[test]
fn a_folder_is_checked_in_order_whatever_the_number_of_jobs() {
    let folder = mixed();
    let run = |jobs: &str| {
        let args = ["check", ".", "--engine", "embedded", "--jobs", jobs];
        sandalc_in(folder.path(), &args).expect(2)
    };
    let first = run("1");
    let summary: Vec<&str> = first.out.lines().rev().take(6).collect();
    assert_eq!(
        summary.into_iter().rev().collect::<Vec<_>>(),
        [
            "holds     ./a.sdl           5 hold",
            "violated  ./b/violated.sdl  4 hold, 1 violated (assert)",
            "error     ./b/wrong.sdl",
            "holds     ./uses.sdl        5 hold",
            "",
            "4 models: 2 hold, 1 violated, 1 with errors"
        ],
        "{}",
        first.out
    );
    assert!(first.err.contains("S03"), "{}", first.err);
    for jobs in ["2", "4", "99"] {
        let other = run(jobs);
        assert_eq!(
            (other.out, other.err),
            (first.out.clone(), first.err.clone())
        );
    }
}

#[test]
fn reports_of_several_models_are_one() {
    let folder = mixed();
    let args = [
        "check", "a.sdl", "b", "uses.sdl", "--engine", "embedded", "--junit", "r.xml", "--sarif",
        "r.sarif", "--format", "json",
    ];
    let output = sandalc_in(folder.path(), &args).expect(2);
    let report: Value = serde_json::from_str(&output.out).expect("one object");
    let results: Vec<&str> = (report["models"].as_array().expect("models").iter())
        .filter_map(|model| model["result"].as_str())
        .collect();
    assert_eq!(results, ["holds", "violated", "error", "holds"]);
    assert_eq!(report["models"][0]["report"]["file"], "a.sdl");
    assert_eq!(report["models"][2]["report"], Value::Null);
    assert!(
        output
            .json_lines()
            .iter()
            .any(|line| line["path"] == "b/wrong.sdl")
    );
    let xml = std::fs::read_to_string(folder.path().join("r.xml")).expect("the report");
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let suites = document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"));
    assert_eq!(suites.count(), 4);
    let text = std::fs::read_to_string(folder.path().join("r.sarif")).expect("the report");
    let sarif: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        sarif["runs"].as_array().map(Vec::len),
        Some(1),
        "one run of the tool"
    );
    let uris: Vec<&str> = (sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter())
    .filter_map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
    .collect();
    assert_eq!(uris, ["b/violated.sdl", "b/wrong.sdl"]);
}

#[test]
fn the_examples_are_as_they_say() {
    let output = sandalc(&["check", "examples", "--expect", "--engine", "embedded"]).expect(0);
    assert!(
        output.out.trim_end().ends_with("all as expected"),
        "{}",
        output.out
    );
    let folder = folder(&[
        (
            "right.sdl",
            &format!("// expect: assert violated by no fault\n{VIOLATED}"),
        ),
        ("surprising.sdl", VIOLATED),
        ("wrong.sdl", WRONG),
    ]);
    let output = sandalc_in(
        folder.path(),
        &["check", ".", "--expect", "--engine", "embedded"],
    );
    let output = output.expect(1);
    assert!(
        output.out.contains("expected  ./right.sdl"),
        "{}",
        output.out
    );
    assert!(
        output.out.contains("3 models, 2 not as expected"),
        "{}",
        output.out
    );
    assert!(
        output
            .out
            .contains("`assert`: expected to hold, but it is violated by no fault"),
        "{}",
        output.out
    );
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = folder(&[("a.sdl", GOOD), ("parts/only.sdl", "const N = 3\n")]);
    for (args, words) in [
        (&["check", "a.sdl", "-"][..], "standard input"),
        (&["check", "parts"], "no model"),
        (&["check", "nothing", "--watch"], "nothing"),
        (&["check", "-", "--watch"], "standard input"),
        (&["check", "a.sdl", "--jobs", "0"], "--jobs"),
        (&["check", "a.sdl", "--watch", "--list"], "--list"),
    ] {
        // A missing file is watched: it may come.
        if args.contains(&"nothing") {
            continue;
        }
        let output = sandalc_in(folder.path(), args).expect(2);
        assert!(output.err.contains(words), "{args:?}: {}", output.err);
    }
    let output = sandalc_in(
        folder.path(),
        &["check", "a.sdl", "gone.sdl", "--engine", "embedded"],
    );
    let output = output.expect(2);
    assert!(output.err.contains("no such file"), "{}", output.err);
    assert!(output.out.contains("holds     a.sdl"), "{}", output.out);
}

/// Reads what a process prints until it contains some words.
fn until(out: &mut impl Read, words: &str) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&text).contains(words) {
        match out.read(&mut byte) {
            Ok(1) => text.push(byte[0]),
            _ => panic!("`{words}` never came: {}", String::from_utf8_lossy(&text)),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn save(folder: &Path, name: &str, text: &str) {
    // As many editors do: a new file takes the place of the old one.
    let new = folder.join(format!("{name}.new"));
    std::fs::write(&new, text).expect("a file");
    std::fs::rename(new, folder.join(name)).expect("the new file");
}

#[test]
#[cfg(unix)]
fn a_watched_model_is_checked_again_when_what_it_imports_changes() {
    let main = "import \"n.sdl\"\nproc P() {\n    assert(N == 3)\n}\ninit {\n    p: P(),\n}\n";
    let folder = folder(&[("m.sdl", main), ("n.sdl", "const N = 3\n")]);
    let args = ["check", "m.sdl", "--watch", "--engine", "embedded"];
    let mut child = command(folder.path(), &args)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut out = child.stdout.take().expect("a pipe");
    until(&mut out, "5 hold");
    save(folder.path(), "n.sdl", "const N = 4\n");
    let text = until(&mut out, "1 violated");
    assert!(text.contains("n.sdl changed"), "{text}");
    // What is missing is waited for.
    std::fs::remove_file(folder.path().join("n.sdl")).expect("gone");
    until(&mut out, "n.sdl changed");
    save(folder.path(), "n.sdl", "const N = 3\n");
    until(&mut out, "5 hold");
    // It does not work while nothing changes.
    let busy = |id: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
        let ticks = |i: usize| {
            fields
                .get(i)
                .and_then(|t| t.parse::<u64>().ok())
                .unwrap_or(0)
        };
        ticks(11) + ticks(12)
    };
    let (start, before) = (Instant::now(), busy(child.id()));
    while start.elapsed() < Duration::from_millis(1500) {
        std::thread::park_timeout(Duration::from_millis(500));
    }
    let used = busy(child.id()) - before;
    assert!(used <= 15, "{used} ticks in 1.5 s");
    let pid = rustix::process::Pid::from_raw(child.id() as i32).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
#[cfg(unix)]
fn an_interrupted_check_of_several_models_ends_them_all() {
    // So many states that no machine is through with them.
    let large = "proc P() {\n    var a [6]0..255\n    var i 0..5\n    for { i = any; a[i] = any }\n}\n\
                 init { p: P() }\n\
                 invariant all { p.a[0] + p.a[1] + p.a[2] + p.a[3] + p.a[4] + p.a[5] < 9999 }\n";
    let folder = folder(&[("a.sdl", large), ("b.sdl", large), ("c.sdl", GOOD)]);
    let args = [
        "check",
        ".",
        "--engine",
        "embedded",
        "--jobs",
        "2",
        "--stats",
        "--no-simplify",
    ];
    let child = command(folder.path(), &args).spawn().expect("it starts");
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(1000) {
        std::thread::park_timeout(Duration::from_millis(500));
    }
    let pid = rustix::process::Pid::from_raw(child.id() as i32).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(143), "{text}");
    assert!(text.contains("3 models"), "{text}");
}

/// On a terminal a bar shows how far it is, and is gone in the end.
#[cfg(unix)]
#[test]
fn a_bar_shows_how_many_models_are_checked() {
    let slow = "\
proc P() {
    var a [6]0..9
    var i 0..5
    for { i = any; a[i] = any }
}

init { p: P(), }

invariant never { p.a[0] < 20 && p.a[1] + p.a[0] < 30 }
";
    let files: Vec<(String, &str)> = (0..3).map(|n| (format!("m{n}.sdl"), slow)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    let folder = folder(&files);
    let args = [
        "check",
        ".",
        "--engine",
        "embedded",
        "--timeout",
        "1.5",
        "--jobs",
        "1",
        "--no-simplify",
    ];
    let (text, _) = super::run::in_terminal(folder.path(), &args, b"");
    assert!(
        text.contains("[........................] 0 of 3 models"),
        "{text}"
    );
    assert!(
        text.contains("[########................] 1 of 3 models"),
        "{text}"
    );
    // Whatever is printed after it stands on a clean line.
    let last = text.rfind(" of 3 models").expect("the bar");
    assert!(text[last..].contains("\r\u{1b}[K"), "{text}");
}
