//! `cargo xtask soak --count N --seed S`: a long run of the random models that the tests look at.
//!
//! The models are those of `tests/corpus`; this only says how many, and who is asked: all engines, or those
//! named with `--engines walker,interpreter,embedded`.

use std::path::Path;
use std::process::Command;

/// How many models, and the first seed, if nothing else is said.
const COUNT: u64 = 1_000;
const SEED: u64 = 1_000;

/// Runs the corpus.
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
    let status = Command::new("cargo")
        .args(["test", "--locked", "--test", "corpus"])
        .args(["--", "random_models", "--nocapture"])
        .env("SANDAL_CORPUS_COUNT", count.to_string())
        .env("SANDAL_CORPUS_SEED", seed.to_string())
        .envs(engines.map(|engines| ("SANDAL_CORPUS_ENGINES", engines)))
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot start `cargo`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the corpus: {status}"))
    }
}
