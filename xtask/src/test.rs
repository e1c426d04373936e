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
            ("SANDAL_TOOLS_REQUIRED", "1"),
            ("SANDAL_BROWSER_REQUIRED", "1"),
        ],
        ..step(
            "tests",
            &["cargo", "test", "--workspace", "--locked", "--no-fail-fast"],
        )
    },
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..step(
            "documentation",
            &[
                "cargo",
                "doc",
                "--workspace",
                "--no-deps",
                "--document-private-items",
                "--locked",
            ],
        )
    },
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
    println!("\n== SCRAM");
    note("SCRAM", Instant::now(), scram());
    println!("\n== what proves, and what checks proofs");
    let start = Instant::now();
    note("ABC and CaDiCaL", start, provers());
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

/// Sees to it that SCRAM, which solves fault trees again, is installed: on Debian and its kin from the package `scram`.
fn scram() -> Result<(), String> {
    package("scram", "scram", &["--version"], "SANDAL_SCRAM")
}

/// The same for ABC and for the solver by which the tests check its proofs again.
fn provers() -> Result<(), String> {
    package("berkeley-abc", "berkeley-abc", &["-h"], "SANDAL_ABC")?;
    package("cadical", "cadical", &["--version"], "SANDAL_CADICAL")
}

/// Sees to it that a program is installed: on Debian and its kin from its package.
fn package(name: &str, program: &str, arguments: &[&str], variable: &str) -> Result<(), String> {
    let is_there = || Command::new(program).args(arguments).output().is_ok();
    if is_there() || std::env::var_os(variable).is_some() {
        return Ok(());
    }
    let installed = || {
        Command::new("apt-get")
            .args(["install", "-y", name])
            .status()
            .is_ok_and(|status| status.success())
    };
    // The package lists may be absent or old.
    let update = || Command::new("apt-get").args(["update", "-qq"]).status();
    if installed() || update().is_ok() && installed() && is_there() {
        return Ok(());
    }
    Err(format!(
        "install the package `{name}`, or set {variable} to the path of `{program}`"
    ))
}
