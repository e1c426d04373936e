//! Limits end every phase soon, with what is known.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::growth::one;
use super::run::command;

/// Every element may get the value of any other: the model is far larger than its text. With 5,000 elements its preparation
/// takes far longer than a tenth of a second on a fast machine, too, also in a build with some optimisation.
pub fn large(elements: usize) -> String {
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

/// How a run ended: the exit code, what it said, the time it took and the most memory it used.
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub time: Duration,
    /// Processor time of all threads; as much as can be measured where the system does not tell.
    pub computing: Duration,
    /// In bytes; 0 where the system does not tell.
    pub memory: usize,
}

/// Checks a model, and calls `meanwhile` now and then.
pub fn run(folder: &Path, args: &[&str], meanwhile: &mut dyn FnMut(u32, Duration)) -> Ended {
    let all = [&["check", "--engine", "embedded"], args].concat();
    run_any(folder, &all, Stdio::null(), meanwhile)
}

/// Runs any command.
pub fn run_any(
    folder: &Path,
    args: &[&str],
    input: Stdio,
    meanwhile: &mut dyn FnMut(u32, Duration),
) -> Ended {
    let mut command = command(folder, args);
    let out = folder.join("out.txt");
    let err = folder.join("err.txt");
    command.stdout(fs::File::create(&out).expect("a file"));
    command.stderr(fs::File::create(&err).expect("a file"));
    command.stdin(input);
    let start = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    let mut memory = 0;
    let mut computing = Duration::MAX;
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
        computing = computed(child.id()).unwrap_or(computing);
        meanwhile(child.id(), start.elapsed());
        std::thread::sleep(Duration::from_millis(5));
        assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
    };
    Ended {
        code,
        out: fs::read_to_string(out).expect("a file"),
        err: fs::read_to_string(err).expect("a file"),
        time: start.elapsed(),
        computing,
        memory,
    }
}

/// How much a process has computed so far.
fn computed(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may have spaces in it. Linux counts in hundredths of a second.
    let fields = stat.rsplit_once(") ")?.1.split(' ').skip(11).take(2);
    let ticks: u64 = fields.map(|field| field.parse().unwrap_or(0)).sum();
    Some(Duration::from_millis(ticks * 10))
}

#[test]
fn the_time_is_kept_before_the_search_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    for elements in [5000, 8000] {
        fs::write(folder.path().join("large.sdl"), large(elements)).expect("a file");
        let args = ["large.sdl", "--timeout", "0.1"];
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
    fs::write(folder.path().join("large.sdl"), large(8000)).expect("a file");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut sent = None;
        let args = ["large.sdl", "--max-memory", "2G"];
        let ended = run(folder.path(), &args, &mut |id, time| {
            if sent.is_none() && time > Duration::from_millis(200) {
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
    // Small to read, and with more states than any machine looks at.
    let wide = "proc P() {\n    var a [6]0..255\n    var i 0..5\n    for { i = any; a[i] = any }\n}\n\
                init { p: P() }\n\
                invariant small { p.a[0] + p.a[1] + p.a[2] + p.a[3] + p.a[4] + p.a[5] < 1275 || p.a[0] == 255 }\n";
    fs::write(folder.path().join("wide.sdl"), wide).expect("a file");
    let args = [
        "wide.sdl",
        "--no-simplify",
        "--timeout",
        "1",
        "--format",
        "json",
    ];
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

/// Commands without limits of their own end as soon as they are asked to, with the exit codes of all others.
#[cfg(unix)]
#[test]
fn every_command_on_a_model_can_be_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("large.sdl"), large(60_000)).expect("a file");
    for args in [
        &["dump", "woven", "large.sdl"][..],
        &["graph", "large.sdl"],
        &["large.sdl", "-o", "out.smv"],
    ] {
        for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
            let mut sent = None;
            let ended = run_any(folder.path(), args, Stdio::null(), &mut |id, time| {
                if sent.is_none() && time > Duration::from_millis(100) {
                    let kill = std::process::Command::new("kill")
                        .args([signal, &id.to_string()])
                        .status();
                    assert!(kill.expect("kill runs").success());
                    sent = Some(time);
                }
            });
            let sent = sent.expect("it was running");
            assert_eq!(ended.code, Some(code), "{args:?} {}", ended.err);
            let after = ended.time - sent;
            assert!(after < Duration::from_millis(1500), "{args:?} {after:?}");
            let left: Vec<_> = fs::read_dir(folder.path())
                .expect("a folder")
                .map(|entry| entry.expect("it").file_name())
                .filter(|name| {
                    !["large.sdl", "out.txt", "err.txt"]
                        .map(Into::into)
                        .contains(name)
                })
                .collect();
            assert!(left.is_empty(), "{args:?} leaves {left:?}");
        }
    }
}

/// `simulate` and `replay` keep to the limits as `check` does: while the model is read, in the runs, and while somebody thinks.
#[cfg(unix)]
#[test]
fn runs_keep_to_the_limits_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("large.sdl"), large(60_000)).expect("a file");
    fs::write(folder.join("small.sdl"), large(10)).expect("a file");
    let endless = ["--steps", "100000000", "--trace", "none"];
    let save = ["--steps", "10", "--save", "run.json"];
    let made = run_any(
        folder,
        &[&["simulate", "small.sdl"][..], &save].concat(),
        Stdio::null(),
        &mut |_, _| {},
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    // While the model is read.
    for (command, run) in [("simulate", None), ("replay", Some("run.json"))] {
        let args = ["large.sdl", "--timeout", "1"];
        let args = [&[command][..], &args[..1], run.as_slice(), &args[1..]].concat();
        let ended = run_any(folder, &args, Stdio::null(), &mut |_, _| {});
        assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
        assert!(ended.err.contains("the time is up"), "{}", ended.err);
        assert!(ended.time < Duration::from_secs(4), "{:?}", ended.time);
        let args = [
            &[command, "large.sdl"][..],
            run.as_slice(),
            &["--max-memory", "60M"],
        ]
        .concat();
        let ended = run_any(folder, &args, Stdio::null(), &mut |_, _| {});
        assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
        assert!(ended.err.contains("the memory is used up"), "{}", ended.err);
        assert!(ended.memory < 90 << 20, "{}", ended.memory);
    }
    // In a run: what is known is told.
    let args = [&["simulate", "small.sdl", "--timeout", "1"][..], &endless].concat();
    let ended = run_any(folder, &args, Stdio::null(), &mut |_, _| {});
    assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
    assert!(
        ended.out.contains("not finished: stopped after"),
        "{}",
        ended.out
    );
    // While somebody thinks.
    for (args, expected) in [
        ([&["simulate", "small.sdl"][..], &endless].concat(), 130),
        (
            vec!["simulate", "small.sdl", "-i", "--save", "kept.json"],
            130,
        ),
    ] {
        let mut sent = None;
        let ended = run_any(folder, &args, open_input(), &mut |id, time| {
            if sent.is_none() && time > Duration::from_millis(700) {
                let kill = std::process::Command::new("kill")
                    .args(["-INT", &id.to_string()])
                    .status();
                assert!(kill.expect("kill runs").success());
                sent = Some(time);
            }
        });
        assert_eq!(
            ended.code,
            Some(expected),
            "{args:?} {}{}",
            ended.out,
            ended.err
        );
        let after = ended.time - sent.expect("it was running");
        assert!(after < Duration::from_millis(1500), "{after:?}");
    }
    assert!(folder.join("kept.json").exists(), "what was done is saved");
}

/// All states of a long run are written down, but never held as anything but text.
#[cfg(unix)]
#[test]
fn a_long_run_for_other_tools_takes_the_memory_of_its_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ring = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/ring.sdl");
    let search = ["--engine", "embedded", "--minimise", "0", "--quiet"];
    let args = [&["check", ring, "--itf", "ring.itf.json"][..], &search].concat();
    let ended = run_any(folder, &args, Stdio::null(), &mut |_, _| {});
    assert_eq!(ended.code, Some(1), "{}{}", ended.out, ended.err);
    assert!(ended.memory < 400 << 20, "{}", ended.memory);
    let text = fs::read_to_string(folder.join("ring.itf.json")).expect("the run");
    let trace: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let states = trace["states"].as_array().map_or(0, Vec::len);
    assert!(states > 5_000, "{states}");
}

/// A pipe into which nobody writes for a while.
#[cfg(unix)]
fn open_input() -> Stdio {
    let mut sleeper = std::process::Command::new("sleep");
    let mut sleeper = sleeper
        .arg("20")
        .stdout(Stdio::piped())
        .spawn()
        .expect("sleep starts");
    let pipe = sleeper.stdout.take().expect("a pipe");
    // It ends by itself.
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(10));
        let _ = sleeper.kill();
        let _ = sleeper.wait();
    });
    Stdio::from(pipe)
}

/// A counter that goes up to a number, and an invariant that forbids the last one.
fn counting(most: usize) -> String {
    let body = format!("for a < {most} {{ a += 1 }}");
    one(&format!("var a 0..{most}"), &body) + &format!("invariant end {{ p.a < {most} }}\n")
}

/// What a long run is told in is made only if it is asked for, and the run is kept once.
#[test]
fn a_long_run_takes_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), counting(20_000)).expect("a file");
    let args = ["model.sdl", "--quiet", "--trace", "none"];
    let ended = run(folder.path(), &args, &mut |_, _| {});
    assert_eq!(ended.code, Some(1), "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("in 40,001 steps"), "{}", ended.out);
    assert!(ended.memory < 100 << 20, "{}", ended.memory);
}

/// A run that cannot be told within the limits is left out; the verdict is not.
#[test]
fn a_run_that_is_too_long_for_the_limits_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), counting(60_000)).expect("a file");
    for format in ["text", "json"] {
        let args = ["model.sdl", "--max-memory", "30M", "--format", format];
        let ended = run(folder.path(), &args, &mut |_, _| {});
        assert_eq!(ended.code, Some(1), "{}", ended.err);
        assert!(ended.memory < 70 << 20, "{}", ended.memory);
        let words = "its run has 120,001 steps, which cannot be told within the limits";
        assert!(
            ended.out.contains(words),
            "{}",
            ended.out.chars().take(2_000).collect::<String>()
        );
        if format == "json" {
            let _: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
        }
    }
}

/// Searches for infinite runs and for `ctl` formulas keep to the memory, too.
#[test]
fn memory_is_kept_by_temporal_properties() {
    let model = |formula: &str| {
        format!(
            "\
proc P(n 0..9) {{
    var x 0..9
    for {{ x = (x + n) % 10 }}
}}

init {{
    for i in range 0 to 8 {{ p[i]: P(1 + i % 2 * 2), }}
}}

{formula}
"
        )
    };
    let any = (2..8)
        .map(|i| format!("p[{i}].x == {i}"))
        .collect::<Vec<_>>();
    let folder = tempfile::tempdir().expect("a folder");
    for formula in [
        format!(
            "ltl {{ G (p[0].x == 3 && p[1].x == 4 -> F ({})) }}",
            any.join(" || ")
        ),
        format!(
            "ctl {{ AG (p[0].x == 3 && p[1].x == 4 -> EX EF ({})) }}",
            any.join(" && ")
        ),
    ] {
        fs::write(folder.path().join("model.sdl"), model(&formula)).expect("a file");
        let args = [
            "model.sdl",
            "--max-memory",
            "80M",
            "--timeout",
            "8",
            "--quiet",
        ];
        let ended = run(folder.path(), &args, &mut |_, _| {});
        assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
        assert!(ended.memory < 104 << 20, "{formula}: {}", ended.memory);
    }
}

/// Two counters.
const COUNTERS: &str = "\
proc Counter(m 0..31) {
    var n 0..31
    for {
        n = (n + 1) % (m + 1)
    }
}

init {
    a: Counter(15),
    b: Counter(31),
}

invariant apart { a.n < 15 || b.n < 31 }
";

#[test]
fn a_folder_to_move_states_to_changes_nothing_and_is_left_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), COUNTERS).expect("a file");
    let disk = tempfile::tempdir().expect("a folder");
    let name = disk.path().display().to_string();
    let plain = run(folder.path(), &["model.sdl"], &mut |_, _| {});
    let with = run(
        folder.path(),
        &["model.sdl", "--spill", &name],
        &mut |_, _| {},
    );
    assert_eq!((plain.code, &plain.err), (Some(1), &with.err));
    assert_eq!((plain.code, plain.out), (with.code, with.out));
    assert_eq!(fs::read_dir(disk.path()).expect("a folder").count(), 0);
}

#[test]
fn a_folder_to_move_states_to_has_to_be_there() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), COUNTERS).expect("a file");
    let ended = run(
        folder.path(),
        &["model.sdl", "--spill", "nowhere"],
        &mut |_, _| {},
    );
    assert_eq!(ended.code, Some(2), "{}{}", ended.out, ended.err);
    let wanted = "cannot write to `nowhere`";
    assert!(ended.err.contains(wanted), "{}", ended.err);
}
