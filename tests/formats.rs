//! What others say about the files that `sandalc` writes: a schema of JUnit's reports, the schema of SARIF, Mermaid's own
//! parser, a reader of traces, a schema of GitHub's workflows. Ours are in `tests/cli/reports.rs`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::tools;

/// Models whose runs have loops, faults of every kind, many processes and hostile names; one with errors.
fn reports(folder: &Path) {
    let hostile = "<b>&\"'\u{1b}[1m\u{202e}\n%#;`end.sdl";
    let text = std::fs::read_to_string(support::root().join("examples/two_phase_all.sdl"));
    std::fs::write(folder.join(hostile), text.expect("the example")).expect("a model");
    std::fs::write(
        folder.join("wrong.sdl"),
        "proc P() { x = 1 }\ninit { p: P(), }\n",
    )
    .expect("a model");
    let examples = support::root().join("examples");
    let examples = examples.to_str().expect("a path");
    let check = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .arg("check")
            .args(args)
            .args(["--engine", "embedded", "--quiet"])
            .current_dir(folder)
            .output()
            .expect("sandalc runs");
        let code = output.status.code();
        assert!(code.is_some_and(|code| code <= 2), "{args:?}: {code:?}");
    };
    check(&[
        examples,
        hostile,
        "wrong.sdl",
        "--junit",
        "all.xml",
        "--sarif",
        "all.sarif",
        "--mermaid",
        "all.md",
    ]);
    check(&[
        ".",
        "--expect",
        "--junit",
        "expect.xml",
        "--sarif",
        "expect.sarif",
    ]);
    check(&[hostile, "--mermaid", "one.mmd", "--itf", "one.itf.json"]);
    for (name, property) in [
        ("philosophers", "somebody_eats"),
        ("server", "always_answered"),
    ] {
        let model = format!("{examples}/{name}.sdl");
        let file = format!("{name}.itf.json");
        check(&[&model, "--property", property, "--itf", &file]);
    }
}

fn run(tools: &Path, folder: &Path, program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(tools.join(program))
        .args(args)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn script(name: &str) -> String {
    let path = support::root().join("tests/formats").join(name);
    path.to_str().expect("a path").to_owned()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path").to_owned()
}

#[test]
fn others_read_what_is_written() {
    let Some(tools) = tools::installed("formats: what schemas and parsers of others say") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    reports(folder);
    let python = "venv/bin/python";
    let validate = |args: &[&str]| {
        let validator = script("validate.py");
        let all = [&[validator.as_str()], args].concat();
        run(&tools, folder, python, &all)
    };
    let xsd = path(&tools, "junit.xsd");
    validate(&["junit", &xsd, "all.xml", "expect.xml"]).expect("JUnit");
    let sarif = path(&tools, "sarif.json");
    validate(&["json", &sarif, "all.sarif", "expect.sarif"]).expect("SARIF");
    validate(&[
        "itf",
        "one.itf.json",
        "philosophers.itf.json",
        "server.itf.json",
    ])
    .expect("ITF");
    // Our own schemas, by somebody else's reader.
    for (schema, args) in [
        (
            "check",
            &["check", "examples/quorum.sdl", "--expect", "--stats"][..],
        ),
        (
            "check_many",
            &["check", "examples/quorum.sdl", "examples/ping.sdl"],
        ),
        (
            "run",
            &[
                "simulate",
                "examples/two_phase_all.sdl",
                "--fault-rate",
                "0.2",
            ],
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(args)
            .args(["--format", "json"])
            .current_dir(support::root())
            .output()
            .expect("sandalc runs");
        std::fs::write(folder.join("own.json"), output.stdout).expect("written");
        let schema = path(support::root(), &format!("docs/{schema}.schema.json"));
        validate(&["json", &schema, "own.json"]).expect("our schema");
    }
    // None of them is one who likes everything.
    for (args, file, old, new) in [
        (
            &["junit", &xsd][..],
            "all.xml",
            "<testcase name=",
            "<testcase nome=",
        ),
        (
            &["json", &sarif],
            "all.sarif",
            "\"startLine\":",
            "\"startLine\":-",
        ),
        (&["itf"], "one.itf.json", "\"states\":", "\"stats\":"),
    ] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a report");
        let broken = text.replacen(old, new, 1);
        assert_ne!(broken, text, "{file}");
        std::fs::write(folder.join("broken"), broken).expect("written");
        assert!(validate(&[args, &["broken"]].concat()).is_err(), "{args:?}");
    }
}

#[test]
fn mermaid_reads_its_diagrams() {
    let Some(tools) = tools::installed("formats: what Mermaid's own parser says") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    reports(folder);
    std::fs::copy(script("mermaid.mjs"), tools.join("mermaid.mjs")).expect("beside its modules");
    let node = PathBuf::from("node");
    let read = |files: &[&str]| {
        let program = path(&tools, "mermaid.mjs");
        let args = [&[program.as_str()], files].concat();
        run(Path::new(""), folder, node.to_str().expect("a name"), &args)
    };
    let said = read(&["all.md", "one.mmd"]).expect("Mermaid");
    assert!(said.lines().count() > 10, "{said}");
    assert!(
        said.lines().all(|line| line.starts_with("sequence ")),
        "{said}"
    );
    // Pictures of models are diagrams of another kind.
    let hostile = std::fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| {
            let path = entry.expect("a file").path();
            let text = path.to_str()?.to_owned();
            (text.ends_with("end.sdl")).then_some(text)
        });
    let examples = std::fs::read_dir(support::root().join("examples")).expect("examples");
    let examples = examples.filter_map(|entry| {
        let text = entry.expect("a file").path().to_str()?.to_owned();
        text.ends_with(".sdl").then_some(text)
    });
    let models: Vec<String> = hostile.chain(examples).collect();
    let mut pictures: Vec<String> = Vec::new();
    for model in &models {
        let draw = |args: &[&str]| {
            let all = [&["graph", model.as_str(), "--format", "mermaid"], args].concat();
            let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
                .args(all)
                .output();
            let output = output.expect("sandalc runs");
            output
                .status
                .success()
                .then(|| String::from_utf8(output.stdout).expect("a text"))
        };
        let system = draw(&["--system"]).expect("a picture");
        // The processes are named in it: `p0["name<br/>Proc"]`.
        let names = system
            .lines()
            .filter_map(|line| line.trim().strip_prefix('p'));
        let names = names.filter_map(|line| line.split_once("[\"")?.1.split_once("<br/>"));
        let machines: Vec<String> = names
            .take(2)
            .map(|(name, _)| name.replace("#91;", "[").replace("#93;", "]"))
            .filter_map(|name| draw(&["--process", &name]))
            .collect();
        assert!(!machines.is_empty(), "{model}: {system}");
        for picture in machines.into_iter().chain([system]) {
            let name = format!("graph{}.mmd", pictures.len());
            std::fs::write(folder.join(&name), picture).expect("written");
            pictures.push(name);
        }
    }
    let names: Vec<&str> = pictures.iter().map(String::as_str).collect();
    let said = read(&names).expect("Mermaid");
    assert!(said.lines().count() > 60, "{said}");
    assert!(
        said.lines().all(|line| line.starts_with("flowchart")),
        "{said}"
    );
    std::fs::write(folder.join("bad.mmd"), "sequenceDiagram\n    p0 ~~> p1\n").expect("written");
    assert!(read(&["bad.mmd"]).is_err());
}

/// The workflow that readers are told to copy is one, as far as GitHub's schema tells.
#[test]
fn the_workflow_in_the_docs_is_one() {
    let page = std::fs::read_to_string(support::root().join("docs/ci.md")).expect("the page");
    let blocks: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .filter_map(|b| b.split("```").next())
        .collect();
    assert!(!blocks.is_empty());
    assert!(blocks[0].contains("sandalc check") && blocks[0].contains("--sarif"));
    let Some(tools) = tools::installed("formats: whether the workflow of docs/ci.md is one") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
        let args = ["--builtin-schema", "vendor.github-workflows", name];
        run(&tools, folder.path(), "venv/bin/check-jsonschema", &args)
    };
    check("models.yml", blocks[0]).expect("a workflow");
    assert!(check("broken.yml", &blocks[0].replace("runs-on:", "runs-of:")).is_err());
}
