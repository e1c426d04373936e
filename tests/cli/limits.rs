//! Limits end every phase soon, with what is known.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::run::command;

/// Every element may get the value of any other: the model is far larger than its text.
fn large(elements: usize) -> String {
    format!(
        "\
const N = {elements}

proc P() {{
    var a [N]0..3
    var x 0..N-1
    for {{
        a[x % N] = a[(x + 1) % N]
        a[a[x]] = a[(x + 2) % N]
        x = any
    }}
}}

init {{
    p: P(),
}}

invariant small {{ p.x < N }}
"
    )
}

/// How a run ended: the exit code, standard output, the time it took and the most memory it used.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
    time: Duration,
    /// In bytes; 0 where the system does not tell.
    memory: usize,
}

/// Checks a model, and calls `meanwhile` now and then.
fn run(folder: &Path, args: &[&str], meanwhile: &mut dyn FnMut(u32, Duration)) -> Ended {
    let mut command = command(folder, &[&["check", "--engine", "embedded"], args].concat());
    let out = folder.join("out.txt");
    let err = folder.join("err.txt");
    command.stdout(fs::File::create(&out).expect("a file"));
    command.stderr(fs::File::create(&err).expect("a file"));
    command.stdin(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    let mut memory = 0;
    let code = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let peak = status.ok().and_then(|table| {
            let rest = table.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            rest.split_whitespace().next()?.parse::<usize>().ok()
        });
        memory = memory.max(peak.unwrap_or(0) * 1024);
        meanwhile(child.id(), start.elapsed());
        std::thread::sleep(Duration::from_millis(5));
        assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
    };
    Ended {
        code,
        out: fs::read_to_string(out).expect("a file"),
        err: fs::read_to_string(err).expect("a file"),
        time: start.elapsed(),
        memory,
    }
}

#[test]
fn the_time_is_kept_before_the_search_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    for elements in [300, 3000] {
        fs::write(folder.path().join("large.sdl"), large(elements)).expect("a file");
        let args = ["large.sdl", "--timeout", "1"];
        let ended = run(folder.path(), &args, &mut |_, _| {});
        assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
        // A busy machine may take a moment longer to get it going.
        assert!(ended.time < Duration::from_secs(3), "{:?}", ended.time);
        let told = ended.out.contains("unknown   small") || ended.err.contains("the time is up");
        assert!(told, "{}{}", ended.out, ended.err);
    }
}

#[test]
fn memory_is_kept_before_the_search_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("large.sdl"), large(60_000)).expect("a file");
    let args = ["large.sdl", "--max-memory", "100M", "--timeout", "30"];
    let ended = run(folder.path(), &args, &mut |_, _| {});
    assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
    assert!(ended.memory < 130 << 20, "{}", ended.memory);
}

#[cfg(unix)]
#[test]
fn signals_end_what_comes_before_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("large.sdl"), large(3000)).expect("a file");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut sent = None;
        let args = ["large.sdl", "--max-memory", "2G"];
        let ended = run(folder.path(), &args, &mut |id, time| {
            if sent.is_none() && time > Duration::from_millis(500) {
                let id = id.to_string();
                let kill = std::process::Command::new("kill")
                    .args([signal, &id])
                    .status();
                assert!(kill.expect("kill runs").success());
                sent = Some(time);
            }
        });
        assert_eq!(ended.code, Some(code), "{}{}", ended.out, ended.err);
        let after = ended.time - sent.expect("it was running");
        assert!(after < Duration::from_millis(1500), "{after:?}");
    }
}

#[test]
fn what_is_known_when_time_is_up_is_told_in_json_too() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("large.sdl"), large(300)).expect("a file");
    let args = ["large.sdl", "--timeout", "1", "--format", "json"];
    let ended = run(folder.path(), &args, &mut |_, _| {});
    assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
    let json: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    let properties = json["properties"].as_array().expect("a list");
    let verdict = |name: &str| {
        let found = properties.iter().find(|p| p["name"] == name);
        found.expect("a property")["verdict"].clone()
    };
    assert_eq!(verdict("small"), "unknown");
}

/// Checks a model within a time and memory that only growth far beyond its size would need.
#[track_caller]
fn is_light(text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), text).expect("a file");
    let args = ["model.sdl", "--timeout", "40", "--max-memory", "300M"];
    let ended = run(folder.path(), &args, &mut |_, _| {});
    assert_eq!(ended.code, Some(0), "{}{}", ended.out, ended.err);
}

#[test]
fn merging_unrolled_rounds_stops_when_it_does_not_pay() {
    is_light(
        "\
proc P() {
    var x 0..1
    for i in range 0 to 600 {
        if x == 1 { x = 0 } else { x = 1 }
    }
}

init {
    p: P(),
}
",
    );
}

#[test]
fn many_variables_are_no_table_of_locations_and_variables() {
    let variables: String = (0..2000).map(|i| format!("var b{i} bool\n")).collect();
    is_light(&format!(
        "proc P() {{\n{variables}}}\n\ninit {{\n    p: P(),\n}}\n"
    ));
}

#[test]
fn many_invariants_are_answered_one_by_one() {
    let invariants: String = (0..2000)
        .map(|i| format!("invariant i{i} {{ p.x < {} }}\n", 8 + i))
        .collect();
    is_light(&format!(
        "proc P() {{\n    var x 0..7\n    for {{ x = (x + 1) % 8 }}\n}}\n\ninit {{\n    p: P(),\n}}\n\n{invariants}"
    ));
}

#[test]
fn simplifying_a_small_model_is_quick() {
    is_light(
        "\
proc P() {
    var a [40]0..39
    var i 0..39
    for {
        a[a[i]] = i
        i = (i + 1) % 40
    }
}

init {
    p: P(),
}
",
    );
}
