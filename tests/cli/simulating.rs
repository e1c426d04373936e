//! Random runs, runs by hand, and runs taken again.

use std::path::Path;

use serde_json::Value;

use super::run::{command, finish, sandalc, sandalc_in, sandalc_with};

fn run_of(folder: &Path, args: &[&str]) -> Value {
    let path = folder.join("run.json");
    let all = [args, &["--save", path.to_str().expect("a path")]].concat();
    sandalc(&all);
    let text = std::fs::read_to_string(path).expect("the run");
    serde_json::from_str(&text).expect("JSON")
}

/// A run is the same everywhere: this one is written down here.
#[test]
fn a_seed_gives_the_same_run_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "simulate",
        "examples/quorum.sdl",
        "--seed",
        "4",
        "--steps",
        "12",
    ];
    let run = run_of(folder.path(), &args);
    let steps: Vec<String> = (run["steps"].as_array().expect("steps").iter())
        .map(|step| step["text"].as_str().expect("words").to_owned())
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/seed_4.txt");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, steps.join("\n") + "\n").expect("written");
    }
    let expected = std::fs::read_to_string(path).expect("the run");
    assert_eq!(steps, expected.lines().collect::<Vec<_>>());
    assert_eq!(run, run_of(folder.path(), &args));
    let other = run_of(
        folder.path(),
        &["simulate", "examples/quorum.sdl", "--seed", "5"],
    );
    assert_ne!(run["steps"], other["steps"]);
}

#[test]
fn every_saved_run_of_every_example_fits_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("run.json");
    let saved = saved.to_str().expect("a path");
    let mut faults = 0;
    for entry in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).expect("examples")
    {
        let path = entry.expect("an example").path();
        let path = path.to_str().expect("a path");
        if !path.ends_with(".sdl") {
            continue;
        }
        let args = [
            "simulate",
            path,
            "--seed",
            "11",
            "--fault-rate",
            "0.3",
            "--save",
            saved,
            "--steps",
            "80",
        ];
        let output = sandalc(&args);
        assert!(output.code <= 1, "{path}: {}", output.err);
        let text = std::fs::read_to_string(saved).expect("the run");
        let run: Value = serde_json::from_str(&text).expect("JSON");
        let steps = run["steps"].as_array().expect("steps");
        let injected = steps.iter().filter(|step| !step["fault"].is_null()).count();
        // A fault that happens at every occasion is injected once, but told wherever it is at work.
        let told = output.out.matches("FAULT").count();
        let text = std::fs::read_to_string(path).expect("the example");
        let always = ["always", "permanent", "@partition"];
        let at_work = always.iter().any(|word| text.contains(word));
        assert!(
            told == injected || at_work && told > injected,
            "{path}: all faults are shown, and each once: {told}, {injected}"
        );
        faults += injected;
        let replayed = sandalc(&["replay", path, saved]).expect(0);
        assert!(replayed.out.contains("fits"), "{path}: {}", replayed.out);
        if output.code == 1 {
            assert!(output.out.contains("violated"), "{path}: {}", output.out);
            assert!(
                replayed.out.contains("it violates"),
                "{path}: {}",
                replayed.out
            );
        }
    }
    assert!(faults > 5, "{faults} faults");
    let without = sandalc(&[
        "simulate",
        "examples/two_phase_all.sdl",
        "--fault-rate",
        "0",
        "--steps",
        "300",
    ]);
    assert!(!without.out.contains("FAULT"), "{}", without.out);
}

#[test]
fn every_counterexample_of_every_example_fits_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = folder.path().join("answers.json");
    let mut replayed = 0;
    for entry in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).expect("examples")
    {
        let path = entry.expect("an example").path();
        let path = path.to_str().expect("a path");
        if !path.ends_with(".sdl") {
            continue;
        }
        let report = sandalc(&["check", path, "--engine", "embedded", "--format", "json"]);
        if report.code == 1 {
            std::fs::write(&answers, &report.out).expect("written");
            let output = sandalc(&["replay", path, answers.to_str().expect("a path"), "--quiet"]);
            let output = output.expect(0);
            assert!(
                output.out.lines().all(|line| line.starts_with("fits")),
                "{}",
                output.out
            );
            replayed += output.out.lines().count();
        }
    }
    assert!(replayed > 10, "{replayed} counterexamples");
}

#[test]
fn many_runs_find_what_one_does_not() {
    let args = ["simulate", "examples/quorum.sdl", "--runs", "30"];
    let output = sandalc(&args).expect(1);
    assert!(output.out.starts_with("30 runs, "), "{}", output.out);
    assert!(
        output
            .out
            .contains("violated everywhere (first with --seed "),
        "{}",
        output.out
    );
    let json = sandalc(&[&args[..], &["--format", "json"]].concat()).expect(1);
    assert_eq!(json.out.lines().count(), 30);
    for bad in [
        &["simulate", "examples/quorum.sdl", "--fault-rate", "2"][..],
        &["simulate", "examples/quorum.sdl", "--runs", "0"],
        &[
            "simulate",
            "examples/quorum.sdl",
            "--save",
            "examples/quorum.sdl",
        ],
        &["simulate", "examples/none.sdl"],
        &["simulate", "examples/quorum.sdl", "-i", "--runs", "3"],
    ] {
        sandalc(bad).expect(2);
    }
}

const PING: &str = "\
proc Ping(out channel [1] { 0..9 }) {
    send(out, 1)
    send(out, 2)
}

proc Pong(line channel [1] { 0..9 }) {
    var x 0..9
    recv(line, x)
    recv(line, x)
    assert(x < 2)
}

init {
    c: channel [1] { 0..9 },
    ping: Ping(c),
    pong: Pong(c),
}
";

#[test]
fn a_run_that_does_not_fit_any_more_says_where_and_what_is_possible() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("m.sdl", PING);
    sandalc_in(folder, &["simulate", "m.sdl", "--save", "run.json"]).expect(1);
    let report = sandalc_in(
        folder,
        &["check", "m.sdl", "--engine", "embedded", "--format", "json"],
    );
    write("answers.json", &report.expect(1).out);
    for run in ["run.json", "answers.json"] {
        let output = sandalc_in(folder, &["replay", "m.sdl", run]).expect(0);
        assert!(output.out.contains("fits"), "{}", output.out);
    }
    // A line more changes no step; another message does.
    write("m.sdl", &format!("// Longer.\n\n{PING}"));
    for run in ["run.json", "answers.json"] {
        sandalc_in(folder, &["replay", "m.sdl", run]).expect(0);
    }
    write("m.sdl", &PING.replace("send(out, 2)", "send(out, 1)"));
    for run in ["run.json", "answers.json"] {
        let output = sandalc_in(folder, &["replay", "m.sdl", run]).expect(1);
        assert!(output.out.contains("does not fit"), "{}", output.out);
        assert!(
            output.out.contains("`ping sends 2 on c`, is not possible"),
            "{}",
            output.out
        );
        assert!(
            output
                .out
                .contains("possible there instead:\n    ping sends 1 on c (m.sdl:3)"),
            "{}",
            output.out
        );
        let json = sandalc_in(folder, &["replay", "m.sdl", run, "--format", "json"]).expect(1);
        let object: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(object["fits"], false);
        assert_eq!(object["instead"][0], "ping sends 1 on c");
    }
    // The steps still fit, but they show nothing bad any more.
    write("m.sdl", &PING.replace("x < 2", "x < 3"));
    sandalc_in(folder, &["replay", "m.sdl", "answers.json"]).expect(1);
    // What is no run is bad input.
    write("m.sdl", PING);
    for (text, why) in [
        ("", "not JSON"),
        ("[1]", "no `steps`"),
        ("{\"format\": 2, \"steps\": []}", "format is 2"),
        ("{\"steps\": [{\"text\": 3}]}", "step 1 cannot be read"),
        ("{\"steps\": [], \"loop_start\": 0}", "loop_start"),
        ("{\"properties\": []}", "no run in it"),
        ("{\"models\": []}", "several models"),
    ] {
        write("bad.json", text);
        let output = sandalc_in(folder, &["replay", "m.sdl", "bad.json"]).expect(2);
        assert!(output.err.contains(why), "{text}: {}", output.err);
    }
    sandalc_in(folder, &["replay", "m.sdl", "none.json"]).expect(2);
    sandalc_in(
        folder,
        &["replay", "m.sdl", "answers.json", "--property", "none"],
    )
    .expect(2);
}

#[test]
fn a_run_is_taken_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("run.json");
    let saved = saved.to_str().expect("a path");
    let script = format!(
        "watch arbiter.all_ready && !worker1.crashed\nw worker1.resp\nw 1 +\nw order1\nw len(order1)\n4\n\
         back 7\n1\nmessage\nv\nrun 3\nsave {saved}\nunwatch 1\nt\n999\nnonsense\n?\nq\n"
    );
    let args = [
        "simulate",
        "examples/two_phase_shutdown.sdl",
        "--interactive",
    ];
    let output = sandalc_with(script.as_bytes(), &args);
    let text = &output.out;
    for words in [
        "watch 1: arbiter.all_ready && !worker1.crashed = true",
        "watch 2: worker1.resp = Ready",
        "FAULT worker1 crashes",
        "watch 1: arbiter.all_ready && !worker1.crashed = false",
        "took back 1 step\n",
        "worker1.resp = Ready",
        "saved in ",
        "pick a number from 1 to",
        "there is no such command",
        "watch EXPR",
    ] {
        assert!(text.contains(words), "{words}:\n{text}\n{}", output.err);
    }
    assert!(output.err.contains("order1"), "{}", output.err);
    sandalc(&["replay", "examples/two_phase_shutdown.sdl", saved]).expect(0);
    // The end of the input ends it; a violated property is said.
    let folder = folder.path();
    std::fs::write(folder.join("m.sdl"), PING).expect("a model");
    let mut piped = command(folder, &["simulate", "m.sdl", "-i"]);
    piped.stdin(std::process::Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    {
        use std::io::Write;
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"run 100\n").expect("it reads");
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("violated  assert"), "{text}");
    let closed = finish(command(folder, &["simulate", "m.sdl", "-i"])).expect(0);
    assert!(closed.out.contains("Pick a step"), "{}", closed.out);
}

/// The same in a real terminal: a prompt, colours, what is typed is seen, Ctrl-D ends it.
#[test]
#[cfg(unix)]
fn a_run_is_taken_in_a_terminal() {
    use std::io::{Read, Write};
    use std::process::Stdio;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("it is ours");
    unlockpt(&master).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("its name");
    let open = || {
        let name = name.to_str().expect("a path");
        let file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(name);
        Stdio::from(file.expect("the other end"))
    };
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "simulate",
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/examples/two_phase_shutdown.sdl"
        ),
        "-i",
    ];
    let mut child = command(folder.path(), &args)
        .stdin(open())
        .stdout(open())
        .stderr(open())
        .env("TERM", "xterm-256color")
        .spawn()
        .expect("it starts");
    let mut terminal = std::fs::File::from(master);
    let mut seen = String::new();
    let mut read_until = |terminal: &mut std::fs::File, words: &str| {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !String::from_utf8_lossy(&bytes).contains(words) {
            match terminal.read(&mut byte) {
                Ok(1) => bytes.push(byte[0]),
                _ => panic!("`{words}` never came: {}", String::from_utf8_lossy(&bytes)),
            }
        }
        seen += &String::from_utf8_lossy(&bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let first = read_until(&mut terminal, "> ");
    assert!(first.contains("or a fault:"), "{first}");
    assert!(first.contains("\u{1b}["), "colours: {first:?}");
    for (typed, words) in [
        ("4\n", "after 1 step, 1 fault"),
        ("watch worker1.crashed\n", "watch 1: worker1.crashed = true"),
        ("m\n", "sends Ready on order1"),
        ("save run.json\n", "saved in run.json"),
        ("b 9\n", "took back"),
        ("v\n", "worker1.resp = Ready"),
    ] {
        terminal.write_all(typed.as_bytes()).expect("typed");
        read_until(&mut terminal, words);
        read_until(&mut terminal, "> ");
    }
    terminal.write_all(&[4]).expect("Ctrl-D");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(folder.path().join("run.json").exists());
}

/// In a terminal the chart so far stands above the choices.
#[test]
#[cfg(unix)]
fn the_explorer_draws_the_chart_so_far() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = ["simulate", "examples/sliding_window.sdl", "-i"];
    let (text, code) = super::run::in_terminal(root, &args, b"run 150\nq\n");
    assert_eq!(code, Some(0), "{text}");
    for words in [
        "sender",
        "receiver",
        "packets: ",
        "rows above; `trace` shows all",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    // In a pipe there is none, unless it is asked for.
    let plain = sandalc_with(b"run 20\nq\n", &args).expect(0);
    assert!(!plain.out.contains("step line"), "{}", plain.out);
    let asked = [&args[..], &["--trace", "chart", "--ascii"]].concat();
    let drawn = sandalc_with(b"run 20\nq\n", &asked).expect(0);
    assert!(drawn.out.contains("step line   sender"), "{}", drawn.out);
}

/// However deep in folders a model is, the choices fit on a line: places are told by their lines.
#[test]
fn choices_are_not_longer_for_a_long_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder
        .path()
        .join("a_folder_with_a_long_name/and_another_one");
    std::fs::create_dir_all(&deep).expect("folders");
    let model = deep.join("two_phase_all.sdl");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_phase_all.sdl");
    std::fs::copy(example, &model).expect("a copy");
    let args = ["simulate", model.to_str().expect("a path"), "-i"];
    let output = sandalc_with(b"run 12\nrun 12\nq\n", &args).expect(0);
    let choices = output.out.lines().filter(|line| line.contains("(line "));
    let mut count = 0;
    for line in choices {
        count += 1;
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(count > 10, "{}", output.out);
}

const COUNTS: &str = "\
proc P() {
    var x 0..3 = 0
    x = 1
    x = 2
    x = 0
}

init {
    p: P(),
}
";

/// What a finite run can tell of `ltl` and `ctl`, it tells: as soon as nothing can satisfy the formula, or once all is at rest.
#[test]
fn formulas_are_judged_where_a_run_can_judge_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (spec, violated) in [
        ("ltl a { G (p.x == 1 -> X p.x == 2) }", false),
        ("ltl a { G (p.x == 2 -> X p.x == 3) }", true),
        ("ltl a { (p.x < 2) U (p.x == 3) }", true),
        ("ltl a { G (p.x == 2 -> O p.x == 3) }", true),
        ("ltl a { F p.x == 2 }", false),
        ("ltl a { F p.x == 3 }", true),
        ("ltl a { G F p.x == 2 }", true),
        ("ltl a { F G p.x == 0 }", false),
        ("ctl a { AG p.x < 2 }", true),
        ("ctl a { AG p.x < 3 }", false),
        ("assume late { G F p.x == 0 }\nltl a { G F p.x == 2 }", true),
        ("assume late { F G p.x == 0 }\nltl a { G p.x < 2 }", true),
    ] {
        std::fs::write(folder.join("m.sdl"), format!("{COUNTS}\n{spec}\n")).expect("a model");
        let args = ["simulate", "m.sdl", "--save", "run.json"];
        let output = sandalc_in(folder, &args).expect(i32::from(violated));
        assert_eq!(
            output.out.contains("violated  a"),
            violated,
            "{spec}\n{}",
            output.out
        );
        let replayed = sandalc_in(folder, &["replay", "m.sdl", "run.json"]).expect(0);
        assert_eq!(
            replayed.out.contains("it violates a"),
            violated,
            "{spec}\n{}",
            replayed.out
        );
        // The checker says the same: this model has one run only.
        let checked = sandalc_in(folder, &["check", "m.sdl", "--engine", "embedded"]);
        assert_eq!(checked.code == 1, violated, "{spec}\n{}", checked.out);
    }
}

/// Several initial states: an argument that may be any value, and faults that are there in some runs and not in others.
const STARTS: &str = "\
proc Send(c channel [2] { 0..3 }, d channel [2] { 0..3 }, x 0..3) {
    send(c, x)
    send(d, 0)
}

init {
    c: channel [2] { 0..3 } @drop(always) as f,
    d: channel [2] { 0..3 } @drop(always) as g,
    s: Send(c, d, any),
}

invariant lost { s.done && faulty(f) -> empty(c) }
invariant kept { s.done && !faulty(g) && !faulty(f) -> !(s.x == 2) }
";

/// What a shown run says about its start, in order.
fn start_of(shown: &str) -> Vec<&str> {
    let starts = shown
        .lines()
        .filter_map(|line| line.split_once("starts with "));
    let mut values: Vec<&str> = starts.flat_map(|(_, values)| values.split(", ")).collect();
    values.sort_unstable();
    values
}

#[test]
fn a_run_is_taken_again_from_exactly_its_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("m.sdl", STARTS);
    let (c, rest) = STARTS.split_once("    c: ").expect("a channel");
    let (first, rest) = rest.split_once('\n').expect("a line");
    let (second, rest) = rest.split_once('\n').expect("a line");
    write("other.sdl", &format!("{c}{second}\n    c: {first}\n{rest}"));
    let mut seen = std::collections::BTreeSet::new();
    for seed in 1..=24 {
        let seed = seed.to_string();
        // Without a step nothing but what is written about the start can tell.
        for steps in ["0", "5"] {
            let args = ["simulate", "m.sdl", "--seed", &seed, "--steps", steps];
            let save = ["--trace", "steps", "--save", "run.json"];
            let shown = sandalc_in(folder, &[&args[..], &save].concat());
            let text = std::fs::read_to_string(folder.join("run.json")).expect("the run");
            let run: Value = serde_json::from_str(&text).expect("JSON");
            seen.insert(run["start"].to_string());
            let args = ["replay", "m.sdl", "run.json", "--trace", "steps"];
            let again = sandalc_in(folder, &args).expect(0);
            assert_eq!(start_of(&shown.out), start_of(&again.out), "{text}");
            // In a model in which the codes have another order the words say the same.
            let args = ["replay", "other.sdl", "run.json", "--trace", "steps"];
            let other = sandalc_in(folder, &args).expect(0);
            assert!(other.out.contains("the model has changed"), "{}", other.out);
            assert_eq!(start_of(&shown.out), start_of(&other.out), "{text}");
        }
    }
    assert!(seen.len() > 8, "of sixteen: {seen:?}");
    let args = ["check", "m.sdl", "--engine", "embedded", "--format", "json"];
    let report = sandalc_in(folder, &args).expect(1);
    write("answers.json", &report.out);
    let value: Value = serde_json::from_str(&report.out).expect("JSON");
    let properties = value["properties"].as_array().expect("properties");
    let kept = properties.iter().find(|p| p["name"] == "kept");
    let start = &kept.expect("the property")["trace"]["start"];
    assert_eq!(start.as_array().map(Vec::len), Some(3), "{start}");
    let shown = sandalc_in(folder, &["replay", "m.sdl", "answers.json"]).expect(0);
    let values = ["faulty(f) = false", "faulty(g) = false", "s.x = 2"];
    assert_eq!(start_of(&shown.out), values, "{}", shown.out);
    // What cannot be an initial state is found by its words.
    write(
        "answers.json",
        &report.out.replace("\"start\":[", "\"start\":[99,98,97,96,"),
    );
    sandalc_in(folder, &["replay", "m.sdl", "answers.json"]).expect(0);
    write(
        "answers.json",
        &report.out.replace("\"start\":[", "\"start\":[\"x\","),
    );
    let output = sandalc_in(folder, &["replay", "m.sdl", "answers.json"]).expect(2);
    assert!(output.err.contains("list of numbers"), "{}", output.err);
}
