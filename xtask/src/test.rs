//! `cargo xtask test`: sets up what the tests need and runs everything.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::{browser, nusmv, tools};

/// A part of the whole.
struct Step {
    name: &'static str,
    folder: &'static str,
    command: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const fn step(name: &'static str, command: &'static [&'static str]) -> Step {
    Step {
        name,
        folder: ".",
        command,
        environment: &[],
    }
}

const STEPS: &[Step] = &[
    step("formatting", &["cargo", "fmt", "--all", "--check"]),
    step(
        "clippy",
        &[
            "cargo",
            "clippy",
            "--workspace",
            "--all-targets",
            "--profile",
            "tests",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    ),
    // What can be left out can be left out.
    step(
        "clippy without features",
        &[
            "cargo",
            "clippy",
            "--no-default-features",
            "--profile",
            "tests",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    ),
    Step {
        // Without these, tests that need NuSMV or other tools would be left out if those are missing.
        environment: &[
            ("SANDAL_NUSMV_REQUIRED", "1"),
            ("SANDAL_SCRAM_REQUIRED", "1"),
            ("SANDAL_ABC_REQUIRED", "1"),
            ("SANDAL_SPIN_REQUIRED", "1"),
            ("SANDAL_TOOLS_REQUIRED", "1"),
            ("SANDAL_BROWSER_REQUIRED", "1"),
        ],
        ..step(
            "tests",
            &[
                "cargo",
                "test",
                "--profile",
                "tests",
                "--workspace",
                "--locked",
                "--no-fail-fast",
            ],
        )
    },
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..step(
            "documentation",
            &[
                "cargo",
                "doc",
                "--profile",
                "tests",
                "--workspace",
                "--no-deps",
                "--document-private-items",
                "--locked",
            ],
        )
    },
    step(
        "grammar for tree-sitter: the parser is current",
        &["cargo", "xtask", "grammar", "--check"],
    ),
    Step {
        folder: EXTENSION,
        ..step("VS Code extension: install", &["npm", "ci"])
    },
    Step {
        folder: EXTENSION,
        ..step("VS Code extension: test", &["npm", "test"])
    },
    Step {
        folder: EXTENSION,
        ..step("VS Code extension: package", &["npm", "run", "package"])
    },
];

const EXTENSION: &str = "editors/vscode";

/// Runs all steps, even after one has failed, and says which did.
pub fn run(root: &Path) -> Result<(), String> {
    let mut table = Vec::new();
    let mut failed = Vec::new();
    let mut note = |name: &'static str, start: Instant, result: Result<(), String>| {
        let seconds = start.elapsed().as_secs_f64();
        let word = if result.is_ok() { "ok" } else { "FAILED" };
        table.push(format!("{seconds:>7.1} s  {word:<6}  {name}"));
        if let Err(why) = result {
            eprintln!("xtask: {name}: {why}");
            failed.push(name);
        }
    };
    println!("== NuSMV");
    let start = Instant::now();
    note("NuSMV", start, nusmv::set_up(root).map(|_| ()));
    println!("\n== packages");
    let start = Instant::now();
    note("packages", start, packages());
    println!("\n== what reads our formats");
    let start = Instant::now();
    note("tools", start, tools::set_up(root));
    println!("\n== a browser");
    let start = Instant::now();
    note("browser", start, browser::set_up(root));
    for step in STEPS {
        println!("\n== {}: {}", step.name, step.command.join(" "));
        let start = Instant::now();
        let result = Command::new(step.command[0])
            .args(&step.command[1..])
            .current_dir(root.join(step.folder))
            .envs(step.environment.iter().copied())
            .status();
        let result = match result {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(format!("cannot start `{}`: {error}", step.command[0])),
        };
        note(step.name, start, result);
    }
    println!("\n{}", table.join("\n"));
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", failed.join(", ")))
    }
}

/// Programs that tests ask, each from the package of its name in Debian and its kin: how it is seen that one is there, and the
/// variable that names another, if there is one.
const PACKAGES: [(&str, &str, Option<&str>); 4] = [
    ("scram", "--version", Some("SANDAL_SCRAM")),
    ("spin", "-V", None),
    ("berkeley-abc", "-h", Some("SANDAL_ABC")),
    ("cadical", "--version", Some("SANDAL_CADICAL")),
];

/// Sees to it that they are installed.
fn packages() -> Result<(), String> {
    let is_there = |(program, argument, variable): &(&str, &str, Option<&str>)| {
        variable.is_some_and(|variable| std::env::var_os(variable).is_some())
            || Command::new(program).arg(argument).output().is_ok()
    };
    let missing = || -> Vec<&str> {
        let missing = PACKAGES.iter().filter(|package| !is_there(package));
        missing.map(|(name, ..)| *name).collect()
    };
    let apt = |words: &[&str]| Command::new("apt-get").args(words).status().is_ok();
    // The lists of packages may be absent or old.
    for update in [false, true] {
        let names = missing();
        if names.is_empty() {
            return Ok(());
        }
        let _ = !update || apt(&["update", "-qq"]);
        let _ = apt(&[&["install", "-y"], names.as_slice()].concat());
    }
    match missing().as_slice() {
        [] => Ok(()),
        names => Err(format!("install the packages {}", names.join(", "))),
    }
}
