//! `cargo xtask soak --count N --seed S`: the tests that take too long for every day.
//!
//! First those marked `#[ignore]`, then a long run of the random models of `tests/corpus`; the options say how many models,
//! and who is asked: all engines, or those named with `--engines walker,interpreter,embedded`.

use std::path::Path;
use std::process::Command;

/// How many models, and the first seed, if nothing else is said.
const COUNT: u64 = 1_000;
const SEED: u64 = 1_000;

/// Runs the ignored tests and the corpus, the second also if the first fail.
pub fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let mut count = COUNT;
    let mut seed = SEED;
    let mut engines = None;
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let text = rest.next().ok_or(format!("{option} needs a value"))?;
        let value = match option.as_str() {
            "--count" => &mut count,
            "--seed" => &mut seed,
            "--engines" => {
                engines = Some(text);
                continue;
            }
            other => {
                return Err(format!(
                    "{other}: unknown option (--count N, --seed S, --engines LIST)"
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
        cargo(root, &["test", "--locked", "--lib", "--", "--ignored"]),
    );
    let mut corpus = cargo(root, &["test", "--locked", "--test", "corpus"]);
    corpus
        .args(["--", "random_models", "--nocapture"])
        .env("SANDAL_CORPUS_COUNT", count.to_string())
        .env("SANDAL_CORPUS_SEED", seed.to_string())
        .envs(engines.map(|engines| ("SANDAL_CORPUS_ENGINES", engines)));
    finish("the corpus", corpus).and(ignored)
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
