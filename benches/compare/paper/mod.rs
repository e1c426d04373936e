//! The paper's four models, with the formula of its authors: time from the model to the answer, and the paper's tables redone.

mod chart;
mod tables;

pub use tables::write;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::competitor::Field;
use crate::goals::Goal;
use crate::measurement::{Answer, Measurement};
use crate::process::Limits;
use crate::spin::Sizing;
use crate::table::short;
use crate::{nusmv, ours, spin};

/// The example, the old modules, and what Spin is told.
const VARIANTS: [(&str, &str, &[&str]); 4] = [
    ("two_phase", "two_phase_commit", &[]),
    (
        "two_phase_timeout",
        "two_phase_commit_timeout",
        &["-DTIMEOUT"],
    ),
    ("two_phase_drop", "two_phase_commit_drop", &["-DDROP"]),
    (
        "two_phase_shutdown",
        "two_phase_commit_shutdown",
        &["-DSHUTDOWN"],
    ),
];

const PROPERTY: &str = "decided";

/// So many times faster than each of the others.
const WANTED: f64 = 50.0;

const LIMITS: Limits = Limits {
    seconds: 120.0,
    memory: 4 << 30,
};

/// Measures all four, in turn: a line for each.
pub fn measure(field: &Field, baseline: Option<&Path>) -> Result<(String, Vec<Goal>), String> {
    let mut text = format!(
        "{:<20} {:>10} {:>10} {:>10} {:>10}\n",
        "two workers", "answer", "spin", "2014 SMV", "sandalc"
    );
    let mut goals = Vec::new();
    for (example, old, defines) in VARIANTS {
        let old = baseline.map(|folder| folder.join(format!("{old}.smv")));
        let [mut by_spin, mut by_old, mut by_us] = [const { None::<Measurement> }; 3];
        for _ in 0..field.rounds {
            if field.has_spin {
                keep(&mut by_spin, spin_run(field, defines)?);
            }
            if let (Some(tool), Some(old)) = (&field.nusmv, &old) {
                keep(&mut by_old, nusmv::run(tool, old, &[], LIMITS)?);
            }
            keep(&mut by_us, our_run(field, example)?);
        }
        let by_us = by_us.ok_or("nothing was measured")?;
        let mut cells = Vec::new();
        for (whose, other) in [("Spin's", &by_spin), ("NuSMV's on the 2014 SMV", &by_old)] {
            cells.push(other.as_ref().map_or("-".to_string(), |m| short(m.seconds)));
            let what = format!("{example}: time to verdict, {whose} / ours");
            goals.push(match other {
                Some(other) if other.answer != by_us.answer => {
                    return Err(format!("{example}: the answers differ"));
                }
                Some(other) => Goal::at_least(what, WANTED, None, other.seconds / by_us.seconds),
                None => Goal::unknown(what, WANTED, "not measured"),
            });
        }
        let _ = writeln!(
            text,
            "{example:<20} {:>10} {:>10} {:>10} {:>10}",
            by_us.answer.as_str(),
            cells[0],
            cells[1],
            short(by_us.seconds)
        );
    }
    Ok((text, goals))
}

fn keep(best: &mut Option<Measurement>, next: Measurement) {
    *best = Some(match best.take() {
        Some(best) => best.best(next),
        None => next,
    });
}

fn spin_run(field: &Field, defines: &[&str]) -> Result<Measurement, String> {
    let (verifier, sizing) = spin_verifier(field, defines)?;
    Ok(verifier.search(sizing, &["-a"], LIMITS, 0)?.0)
}

/// The Promela model with the formula, compiled.
fn spin_verifier(field: &Field, defines: &[&str]) -> Result<(spin::Verifier, Sizing), String> {
    let model = field.root.join("benches/spin/two_phase.pml");
    let mut options: Vec<String> = defines.iter().map(ToString::to_string).collect();
    options.extend(["-DN=2", "-DLIVENESS"].map(String::from));
    let verifier = spin::compile(&model, &options, true, true, LIMITS)?;
    let sizing = Sizing {
        states: 1 << 12,
        depth: 1_000,
    };
    Ok((verifier, sizing))
}

fn our_run(field: &Field, example: &str) -> Result<Measurement, String> {
    let mut command = Command::new(ours::SANDALC);
    command.arg("check");
    command.arg(field.root.join(format!("examples/{example}.sdl")));
    command.args([
        "--property",
        PROPERTY,
        "--engine",
        "embedded",
        "--format",
        "json",
    ]);
    let measured = ours::check(&mut command, PROPERTY, 1, LIMITS, 0)?;
    match measured.answer {
        Answer::Over(_) => Err(format!("{example} has no answer")),
        _ => Ok(measured),
    }
}
