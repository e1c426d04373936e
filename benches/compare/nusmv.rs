//! NuSMV on the modules that `sandalc` emits.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::family::Instance;
use crate::measurement::{Answer, Measurement};
use crate::ours;
use crate::process::{self, Limits, Over};

/// NuSMV, or how to get it.
pub fn find(root: &Path) -> Result<PathBuf, String> {
    let installed = root.join("target/nusmv/NuSMV");
    if installed.exists() {
        return Ok(installed);
    }
    sandalc::nusmv::find(None, sandalc::nusmv::Limits::default()).map(|tool| tool.path).map_err(|_| {
        "NuSMV is not installed: run `cargo xtask nusmv`, or leave it out with `--competitors 'sandalc*,spin*'`"
            .to_string()
    })
}

/// Compiles an instance and runs NuSMV on it.
pub fn measure(
    root: &Path,
    tool: &Path,
    instance: Instance,
    limits: Limits,
) -> Result<Measurement, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let modules = folder.path().join("model.smv");
    let mut compile = Command::new(ours::SANDALC);
    compile.arg(root.join("benches/models").join(instance.variant.model));
    ours::model_options(&mut compile, instance);
    compile.arg("-o").arg(&modules);
    let compiled = process::run(&mut compile, 1, limits).map_err(|why| why.to_string())?;
    if compiled.code != Some(0) {
        return Err(format!("sandalc fails:\n{}", compiled.text));
    }
    let mut measured = run(tool, &modules, &["-coi"], limits)?;
    measured.seconds += compiled.cost.cpu;
    measured.parts.insert(0, ("sandalc", compiled.cost.cpu));
    Ok(measured)
}

/// Runs NuSMV on a file. All its properties together are the answer.
pub fn run(
    tool: &Path,
    modules: &Path,
    options: &[&str],
    limits: Limits,
) -> Result<Measurement, String> {
    let mut command = Command::new(tool);
    command.args(options).arg("-dcx").arg(modules);
    let ended = process::run(&mut command, 1, limits)
        .map_err(|why| format!("{} does not start: {why}", tool.display()))?;
    let seconds = ended.cost.cpu;
    let answer = match ended.over {
        Some(over) => Answer::Over(over),
        None if ended.text.contains("is false") => Answer::Violated,
        None if ended.text.contains("is true") => Answer::Holds,
        None if ended.text.contains("memory") => Answer::Over(Over::Memory),
        None => return Err(format!("NuSMV gives no answer:\n{}", ended.text)),
    };
    Ok(Measurement {
        answer,
        seconds,
        parts: vec![("NuSMV", seconds)],
        search: ended.cost,
        search_seconds: seconds,
        states: None,
        transitions: None,
        base: 0,
    })
}
