//! `sandalc check`, with and without each reduction.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::family::Instance;
use crate::measurement::{Answer, Measurement};
use crate::process::{self, Limits, Over};

/// How the search is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// With partial-order reduction.
    pub reduction: bool,
    /// With symmetry.
    pub symmetry: bool,
    /// The number of threads.
    pub threads: usize,
}

impl Mode {
    /// Whether this is what everybody gets. Figures are not asked for then: with `--stats` a search takes its
    /// shortcuts at once, without it only when there are many states.
    pub fn is_default(self) -> bool {
        self.reduction && self.symmetry
    }
}

/// The checker itself, built as it is shipped.
pub const SANDALC: &str = env!("CARGO_BIN_EXE_sandalc");

/// Runs it on an instance.
pub fn measure(
    root: &Path,
    instance: Instance,
    mode: Mode,
    limits: Limits,
    base: u64,
) -> Result<Measurement, String> {
    let mut command = Command::new(SANDALC);
    command.arg("check");
    command.arg(root.join("benches/models").join(instance.variant.model));
    model_options(&mut command, instance);
    command.args(["--property", instance.family.property]);
    command.args(["--engine", "embedded", "--format", "json"]);
    if !mode.is_default() {
        command.arg("--stats");
    }
    command.args(["--max-memory", &limits.memory.to_string()]);
    search_options(&mut command, mode);
    check(
        &mut command,
        instance.family.property,
        mode.threads,
        limits,
        base,
    )
}

/// Runs a `sandalc check --format json` of so many threads and reads its report.
pub fn check(
    command: &mut Command,
    property: &str,
    threads: usize,
    limits: Limits,
    base: u64,
) -> Result<Measurement, String> {
    let ended = process::run(command, threads, limits)
        .map_err(|why| format!("{SANDALC} does not start: {why}"))?;
    let seconds = ended.cost.seconds(threads);
    let mut measured = Measurement {
        answer: Answer::Over(Over::Time),
        seconds,
        parts: vec![("sandalc", seconds)],
        search: ended.cost,
        search_seconds: seconds,
        states: None,
        transitions: None,
        base,
    };
    if let Some(over) = ended.over {
        measured.answer = Answer::Over(over);
        return Ok(measured);
    }
    let report: Value = serde_json::from_str(ended.text.lines().next().unwrap_or_default())
        .map_err(|_| format!("sandalc {:?} says\n{}", command.get_args(), ended.text))?;
    let stats = &report["stats"]["states"];
    measured.states = stats.as_u64().or(report["states"].as_u64());
    measured.transitions = report["stats"]["transitions"].as_u64();
    let properties = report["properties"].as_array();
    let asked = properties
        .into_iter()
        .flatten()
        .find(|found| found["name"] == property);
    measured.answer = match asked.and_then(|found| found["verdict"].as_str()) {
        Some("holds") => Answer::Holds,
        Some("violated") => Answer::Violated,
        // It ends itself only for want of memory.
        Some("unknown") => Answer::Over(Over::Memory),
        _ => return Err(format!("sandalc gives no answer for {property}")),
    };
    Ok(measured)
}

/// The options that say which model.
pub fn model_options(command: &mut Command, instance: Instance) {
    command.arg("-D").arg(instance.constant());
    match instance.variant.faults {
        "" => command.arg("--no-faults"),
        faults => command.args(["--faults", faults]),
    };
    // A fault that stops a process for ever is a deadlock; the search goes on behind it.
    command.arg("--allow-deadlock");
}

/// The options that say how to search.
pub fn search_options(command: &mut Command, mode: Mode) {
    if !mode.reduction {
        command.arg("--no-reduction");
    }
    if !mode.symmetry {
        command.arg("--no-symmetry");
    }
    command.args(["--threads", &mode.threads.to_string()]);
}

/// The memory it needs for a tiny model.
pub fn base(root: &Path) -> Result<u64, String> {
    let mut command = Command::new(SANDALC);
    command.arg("check").arg(root.join("examples/ping.sdl"));
    command.args(["--engine", "embedded"]);
    let limits = Limits {
        seconds: 60.0,
        memory: 1 << 30,
    };
    let ended = process::run(&mut command, 1, limits).map_err(|why| why.to_string())?;
    Ok(ended.cost.memory)
}
