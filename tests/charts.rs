//! Charts as they are printed: `tests/charts/NAME.txt` holds what a command draws. `BLESS=1 cargo test --test charts` rewrites
//! them. Whatever the width, no line is longer, and `--ascii` keeps its word.

mod support;

use std::process::Command;

/// A chart that is looked at: the name of its file, the model, options, columns.
const CHARTS: &[(&str, &str, &[&str], usize)] = &[
    ("two_phase_80", "examples/two_phase_all.sdl", &[], 80),
    ("two_phase_40", "examples/two_phase_all.sdl", &[], 40),
    ("two_phase_200", "examples/two_phase_all.sdl", &[], 200),
    (
        "two_phase_ascii",
        "examples/two_phase_all.sdl",
        &["--ascii", "--full-trace"],
        80,
    ),
    ("two_phase_drop", "examples/two_phase_drop.sdl", &[], 80),
    (
        "faults",
        "tests/charts/faults.sdl",
        &["--witness", "--faults", "back@corrupt,server@restart"],
        80,
    ),
    (
        "buffer",
        "tests/charts/buffer.sdl",
        &["--witness", "--allow-deadlock"],
        72,
    ),
    ("durable_store", "examples/durable_store.sdl", &[], 80),
    ("worker_pool", "examples/worker_pool.sdl", &[], 50),
    ("philosophers", "examples/philosophers.sdl", &[], 64),
    (
        "election_both",
        "examples/election.sdl",
        &["--trace", "both"],
        80,
    ),
];

fn chart(model: &str, options: &[&str], columns: usize) -> String {
    let trace: &[&str] = match options.contains(&"--trace") {
        true => &[],
        false => &["--trace", "chart"],
    };
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(["check", model, "--engine", "embedded"])
        .args(trace)
        .args(options)
        .env("COLUMNS", columns.to_string())
        .env_remove("NO_COLOR")
        .current_dir(support::root())
        .output()
        .expect("sandalc starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() < Some(2), "{model}: {errors}");
    let start = text.find(":\n").expect("a heading");
    let start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    text[start..].to_owned()
}

#[test]
fn charts_are_drawn_as_they_were() {
    let mut wrong = Vec::new();
    for (name, model, options, columns) in CHARTS {
        let drawn = chart(model, options, *columns);
        let path = support::root().join(format!("tests/charts/{name}.txt"));
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if drawn != expected && support::bless() {
            std::fs::write(&path, &drawn).expect("the file can be written");
        } else if drawn != expected {
            wrong.push(format!("{}:\n{drawn}", support::relative(&path)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nrun `BLESS=1 cargo test --test charts` if that is right",
        wrong.join("\n")
    );
}

#[test]
fn no_line_is_longer_than_there_are_columns() {
    for (_, model, options, _) in CHARTS {
        if options.contains(&"--trace") {
            continue;
        }
        for columns in [40, 53, 80, 117] {
            let drawn = chart(model, options, columns);
            // What is said below a chart is not drawn.
            let is_drawn =
                |line: &&str| line.starts_with("  ") && !line.starts_with("    no return");
            let charts = drawn.lines().filter(is_drawn);
            for line in charts {
                let width = line.chars().count();
                assert!(width <= columns, "{model} in {columns} columns: {line}");
            }
            if options.contains(&"--ascii") {
                assert!(drawn.is_ascii(), "{drawn}");
            }
        }
    }
}

#[test]
fn traces_are_shown_as_asked() {
    let shown = |form: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(["check", "examples/philosophers.sdl", "--engine", "embedded"])
            .args(form)
            .current_dir(support::root())
            .output()
            .expect("sandalc starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (text.contains("step line"), text.contains("  2  p[0] sends"))
    };
    // In a pipe, the steps.
    assert_eq!(shown(&[]), (false, true));
    assert_eq!(shown(&["--trace", "chart"]), (true, false));
    assert_eq!(shown(&["--trace", "steps"]), (false, true));
    assert_eq!(shown(&["--trace", "both"]), (true, true));
    assert_eq!(shown(&["--trace", "none"]), (false, false));
    assert_eq!(shown(&["--trace", "both", "--quiet"]), (false, false));
}

/// The picture at the top of the README is the run that the console shows below it.
#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    use sandalc::report::chart;
    let model = std::path::Path::new("examples/two_phase_all.sdl");
    let files = |path: &std::path::Path| std::fs::read_to_string(support::root().join(path)).ok();
    let checked = sandalc::check_model(model, &files).expect("it can be answered");
    let system = checked.system.expect("a right model");
    let shown = |answer: &&sandalc::check::Answer| {
        system.properties[answer.property].name == "commit_reaches_all"
    };
    let answer = checked.answers.iter().find(shown).expect("the property");
    let drawn = chart::of(&system, &checked.sources, answer).expect("a run");
    let title = "Two-phase commit: the arbiter decides to commit, crashes, and nobody is told";
    let picture = chart::svg::write(&drawn.folded(), title);
    roxmltree::Document::parse(&picture).expect("XML");
    let path = support::root().join("docs/two_phase_commit.svg");
    if support::bless() {
        std::fs::write(&path, &picture).expect("the file can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == picture,
        "run `BLESS=1 cargo test --test charts`: docs/two_phase_commit.svg shows another run"
    );
}

/// What Graphviz reads is what it gets, if it is installed.
#[test]
fn graphviz_reads_our_graphs() {
    let dot = |text: &str| {
        use std::io::Write as _;
        let mut child = Command::new("dot")
            .args(["-Tcanon"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .ok()?;
        let mut stdin = child.stdin.take()?;
        stdin.write_all(text.as_bytes()).ok()?;
        drop(stdin);
        Some(child.wait().ok()?.success())
    };
    if dot("digraph g { a -> b; }").is_none() {
        let required = std::env::var_os("SANDAL_BROWSER_REQUIRED").is_some();
        assert!(
            !required,
            "Graphviz is not installed: apt-get install graphviz"
        );
        eprintln!("LEFT OUT: Graphviz is not installed");
        return;
    }
    let graph = |model: &str, options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(["graph", model, "--format", "dot"])
            .args(options)
            .current_dir(support::root())
            .output()
            .expect("sandalc starts");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for (model, options) in [
        ("examples/two_phase_all.sdl", &[][..]),
        ("examples/two_phase_all.sdl", &["--process", "arbiter"][..]),
        (
            "examples/worker_pool.sdl",
            &["--process", "pool.worker[0]"][..],
        ),
        ("tests/charts/faults.sdl", &["--process", "server"][..]),
    ] {
        assert_eq!(dot(&graph(model, options)), Some(true), "{model}");
    }
}

/// A long run is shown by its ends; what is left out is named by the steps, which no shown row has.
#[test]
fn a_long_chart_names_the_steps_that_it_leaves_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("long.sdl");
    let text = "proc Ping(c channel { 0..300 }) {\n    for i in range 0 to 300 { send(c, i) }\n}\n\
        proc Pong(c channel { 0..300 }) {\n    var x 0..300\n    for { recv(c, x) }\n}\n\
        init {\n    c: channel { 0..300 },\n    ping: Ping(c),\n    pong: Pong(c),\n}\n\
        invariant few { pong.x < 299 }\n";
    std::fs::write(&model, text).expect("a model");
    let page = folder.path().join("long.html");
    let model = model.to_str().expect("a path");
    let options = [
        "--property",
        "few",
        "--html",
        page.to_str().expect("a path"),
    ];
    let drawn = chart(model, &[&options[..], &["--ascii"]].concat(), 80);
    let number = |text: &str| text.replace(',', "").parse::<usize>().ok();
    let left_out = |line: &str, rest: &str| {
        let (_, words) = line.split_once(" steps ").or(line.split_once("(steps "))?;
        let (first, words) = words.split_once(" to ")?;
        let (last, words) = words.split_once(" are ")?;
        words
            .starts_with(rest)
            .then_some((number(first)?, number(last)?))
    };
    let mut gap = None;
    let mut steps = Vec::new();
    for line in drawn.lines() {
        steps.extend(line.get(..6).and_then(|start| number(start.trim())));
        if let Some(found) = left_out(line, "left out; --full-trace shows all") {
            assert_eq!(gap.replace((found, steps.len())), None, "one gap: {drawn}");
        }
    }
    let ((first, last), before) = gap.expect("a gap");
    assert!(steps[before - 1] < first && last < steps[before], "{drawn}");
    assert!(last - first > 100, "{drawn}");
    let whole = chart(model, &["--property", "few", "--full-trace"], 80);
    assert!(!whole.contains("left out"), "{whole}");
    let page = std::fs::read_to_string(page).expect("the report");
    let words = "left out here; the page on a screen has the whole run";
    let note = page.split('>').find(|text| text.contains(words));
    let printed = left_out(note.expect("a note on paper"), words);
    assert_eq!(printed, Some((first, last)));
}
