//! `cargo xtask soak --count N --seed S`: the tests that take too long for every day.
//!
//! First those marked `#[ignore]`, then long runs of the random models of `tests/corpus` and of mutated models; the options say
//! how many (`--count`, `--mutants`), and who is asked about the first: all engines, or those named with
//! `--engines walker,interpreter,embedded`.

use std::path::Path;
use std::process::Command;

/// How many models, and the first seed, if nothing else is said.
const COUNT: u64 = 1_000;
const MUTANTS: u64 = 100_000;
const SEED: u64 = 1_000;

/// Runs all parts, also those after one that fails.
pub fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let mut count = COUNT;
    let mut mutants = MUTANTS;
    let mut seed = SEED;
    let mut engines = None;
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let text = rest.next().ok_or(format!("{option} needs a value"))?;
        let value = match option.as_str() {
            "--count" => &mut count,
            "--mutants" => &mut mutants,
            "--seed" => &mut seed,
            "--engines" => {
                engines = Some(text);
                continue;
            }
            other => {
                return Err(format!(
                    "{other}: unknown option (--count N, --mutants N, --seed S, --engines LIST)"
                ));
            }
        };
        *value = text
            .parse()
            .map_err(|_| format!("{option}: `{text}` is no number"))?;
    }
    crate::nusmv::set_up(root)?;
    let ignored = finish(
        "the ignored tests",
        cargo(
            root,
            &[
                "test",
                "--profile",
                "tests",
                "--locked",
                "--lib",
                "--tests",
                "--no-fail-fast",
                "--",
                "--ignored",
            ],
        ),
    );
    let mut corpus = test_of_the_corpus(root, "random_models");
    corpus
        .env("SANDAL_CORPUS_COUNT", count.to_string())
        .env("SANDAL_CORPUS_SEED", seed.to_string())
        .envs(engines.map(|engines| ("SANDAL_CORPUS_ENGINES", engines)));
    let corpus = finish("the corpus", corpus);
    let mut mutated = test_of_the_corpus(root, "mutated_models");
    mutated
        .env("SANDAL_MUTANTS_COUNT", mutants.to_string())
        .env("SANDAL_MUTANTS_SEED", seed.to_string());
    finish("mutated models", mutated).and(corpus).and(ignored)
}

fn test_of_the_corpus(root: &Path, name: &str) -> Command {
    let mut command = cargo(
        root,
        &["test", "--profile", "tests", "--locked", "--test", "corpus"],
    );
    command.args(["--", name, "--nocapture"]);
    command
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .env("SANDAL_NUSMV_REQUIRED", "1")
        .current_dir(root);
    command
}

fn finish(name: &str, mut command: Command) -> Result<(), String> {
    println!("== {name}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("cannot start `cargo`: {error}")),
    }
}
