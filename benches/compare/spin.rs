//! Spin: `spin -a`, `gcc -O2`, `pan`.

use std::path::Path;
use std::process::Command;

use crate::family::Instance;
use crate::measurement::{Answer, Measurement};
use crate::process::{self, Ended, Limits, Over};

/// What to give `pan` so that it has neither too little nor more than it needs.
#[derive(Clone, Copy, Debug)]
pub struct Sizing {
    /// States to be expected; the hash table has a slot for each.
    pub states: u64,
    /// The depth of the search to be expected.
    pub depth: u64,
}

impl Default for Sizing {
    fn default() -> Self {
        Sizing {
            states: 1 << 22,
            depth: 10_000,
        }
    }
}

/// A verifier, compiled.
pub struct Verifier {
    folder: tempfile::TempDir,
    spin: f64,
    gcc: f64,
}

/// Says how to get Spin if it is missing.
pub fn find() -> Result<(), String> {
    let wanted = |program: &str, argument: &str, package: &str| {
        Command::new(program).arg(argument).output().map_err(|why| {
            format!(
                "`{program}` does not start ({why}): install it with `apt-get install {package}`, or leave Spin out \
                 with `--competitors 'sandalc*,nusmv'`"
            )
        })
    };
    wanted("spin", "-V", "spin")?;
    wanted("gcc", "--version", "gcc libc6-dev")?;
    Ok(())
}

/// Makes the verifier of a model: for an assertion, or for the formula it contains.
pub fn compile(
    model: &Path,
    options: &[String],
    reduction: bool,
    liveness: bool,
    limits: Limits,
) -> Result<Verifier, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let patient = Limits {
        seconds: 600.0,
        memory: 16 << 30,
    };
    let mut spin = Command::new("spin");
    spin.current_dir(folder.path()).arg("-a").args(options);
    spin.arg(model);
    let generated = good(process::run(&mut spin, 1, patient), "spin")?;
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder.path()).args(["-O2", "-w"]);
    if !liveness {
        gcc.arg("-DSAFETY");
    }
    if !reduction {
        gcc.arg("-DNOREDUCE");
    }
    // That `xr` and `xs` are right need not be checked again.
    gcc.arg("-DXUSAFE");
    gcc.arg(format!("-DMEMLIM={}", limits.memory >> 20));
    gcc.args(["-o", "pan", "pan.c"]);
    let compiled = good(process::run(&mut gcc, 1, patient), "gcc")?;
    Ok(Verifier {
        folder,
        spin: generated.cost.cpu,
        gcc: compiled.cost.cpu,
    })
}

fn good(ended: std::io::Result<Ended>, what: &str) -> Result<Ended, String> {
    let ended = ended.map_err(|why| format!("{what} does not start: {why}"))?;
    match ended.code {
        Some(0) if !ended.text.contains("Error:") => Ok(ended),
        _ => Err(format!("{what} fails:\n{}", ended.text)),
    }
}

/// The options of `spin` for an instance: what may go wrong, and its size.
pub fn options(instance: Instance) -> Vec<String> {
    let options = instance.family.spin_options.iter().map(ToString::to_string);
    let defines = instance.variant.defines.iter();
    options
        .chain(defines.map(|name| format!("-D{name}")))
        .chain([format!("-D{}", instance.constant())])
        .collect()
}

impl Verifier {
    /// Runs `pan`, once more if its hash table did not have the right size, so that it is never measured with a bad
    /// one. Says what it found, and how it should be sized.
    pub fn well_sized_search(
        &self,
        sizing: Sizing,
        options: &[&str],
        limits: Limits,
        base: u64,
    ) -> Result<(Measurement, Sizing), String> {
        let (measured, found) = self.search(sizing, options, limits, base)?;
        let matters = found.states >= 100_000 && !measured.answer.is_over();
        match matters && slots(found.states) != slots(sizing.states) {
            true => self.search(found, options, limits, base),
            false => Ok((measured, found)),
        }
    }

    /// Runs `pan` and says what it found, and how it should be sized. A search that was cut off at its depth limit
    /// is done again with a higher one, and only then counts.
    pub fn search(
        &self,
        sizing: Sizing,
        options: &[&str],
        limits: Limits,
        base: u64,
    ) -> Result<(Measurement, Sizing), String> {
        let mut sizing = sizing;
        loop {
            let ended = self.run(sizing, options, limits)?;
            let found = figures(&ended.text);
            if ended.text.contains("max search depth too small") && ended.over.is_none() {
                sizing.depth *= 10;
                continue;
            }
            let answer = answer(&ended)?;
            let seconds = ended.cost.cpu;
            let parts = vec![("spin", self.spin), ("gcc", self.gcc), ("pan", seconds)];
            let measurement = Measurement {
                answer,
                seconds: self.spin + self.gcc + seconds,
                parts,
                search: ended.cost,
                search_seconds: seconds,
                states: found.states,
                transitions: found.transitions,
                base,
            };
            if let (Some(states), Some(depth)) = (found.states, found.depth) {
                sizing = Sizing { states, depth };
            }
            return Ok((measurement, sizing));
        }
    }

    fn run(&self, sizing: Sizing, options: &[&str], limits: Limits) -> Result<Ended, String> {
        let mut pan = Command::new(self.folder.path().join("pan"));
        pan.current_dir(self.folder.path());
        // No list of unreached statements; the depth a little above what is needed.
        pan.arg("-n");
        pan.arg(format!("-m{}", sizing.depth + sizing.depth / 8 + 100));
        pan.arg(format!("-w{}", slots(sizing.states)));
        pan.args(options);
        process::run(&mut pan, 1, limits).map_err(|why| format!("pan does not start: {why}"))
    }
}

/// The logarithm of the number of slots of the hash table: one per state.
fn slots(states: u64) -> u32 {
    states.max(1).next_power_of_two().ilog2().clamp(12, 34)
}

fn answer(ended: &Ended) -> Result<Answer, String> {
    let text = &ended.text;
    if let Some(over) = ended.over {
        return Ok(Answer::Over(over));
    }
    if text.contains("out of memory") || text.contains("MEMLIM bound") {
        return Ok(Answer::Over(Over::Memory));
    }
    if text.contains("Search not completed") && !text.contains("errors: 1") {
        return Err(format!("pan does not complete its search:\n{text}"));
    }
    if text.contains("errors: 0") {
        return Ok(Answer::Holds);
    }
    match text.contains("errors: ") {
        true => Ok(Answer::Violated),
        false => Err(format!("pan fails:\n{text}")),
    }
}

struct Figures {
    states: Option<u64>,
    transitions: Option<u64>,
    depth: Option<u64>,
}

fn figures(text: &str) -> Figures {
    let number_before = |word: &str| -> Option<u64> {
        let line = text.lines().find(|line| line.contains(word))?;
        let number: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(number as u64)
    };
    let depth = text.split_once("depth reached ").and_then(|(_, rest)| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    Figures {
        states: number_before("states, stored"),
        transitions: number_before("transitions (= "),
        depth,
    }
}

/// The memory `pan` needs for a tiny model.
pub fn base() -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let model = folder.path().join("tiny.pml");
    std::fs::write(&model, "active proctype P() { skip }\n").map_err(|why| why.to_string())?;
    let limits = Limits {
        seconds: 60.0,
        memory: 1 << 30,
    };
    let verifier = compile(&model, &[], true, false, limits)?;
    let tiny = Sizing {
        states: 1,
        depth: 100,
    };
    let (measured, _) = verifier.search(tiny, &[], limits, 0)?;
    Ok(measured.search.memory)
}
