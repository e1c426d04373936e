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
    Step {
        // Without these, tests that need NuSMV or other tools would be left out if those are missing.
        environment: &[
            ("SANDAL_NUSMV_REQUIRED", "1"),
            ("SANDAL_SCRAM_REQUIRED", "1"),
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
    let start = Instant::now();
    note("SCRAM", start, scram());
    println!("\n== Spin");
    let start = Instant::now();
    note("Spin", start, spin());
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

/// Sees to it that SCRAM, which solves fault trees again, is installed.
fn scram() -> Result<(), String> {
    if starts("scram", "--version") || std::env::var_os("SANDAL_SCRAM").is_some() {
        return Ok(());
    }
    install("scram");
    match starts("scram", "--version") {
        true => Ok(()),
        false => Err("install the package `scram`, or set SANDAL_SCRAM to its path".to_owned()),
    }
}

/// Sees to it that Spin, which checks the conversations again, is installed.
fn spin() -> Result<(), String> {
    if !starts("spin", "-V") {
        install("spin");
    }
    match starts("spin", "-V") {
        true => Ok(()),
        false => Err("install the package `spin`".to_owned()),
    }
}

fn starts(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok()
}

/// Installs a package on Debian and its kin; whether that was of use, the caller looks.
fn install(package: &str) {
    let _ = Command::new("apt-get")
        .args(["install", "-y", package])
        .status();
}
