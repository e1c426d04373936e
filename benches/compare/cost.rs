//! What liveness costs, and what a second core is worth.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::goals::Goal;
use crate::measurement::{Answer, Measurement};
use crate::ours::{self, Mode};
use crate::process::Limits;
use crate::table::{short, thousands};

/// A model that is large enough, its invariant, and a property of fair runs.
struct Model {
    file: &'static str,
    constant: &'static str,
    invariant: &'static str,
    formula: &'static str,
}

const MODELS: [Model; 4] = [
    Model {
        file: "two_phase.sdl",
        constant: "N=6",
        invariant: "agreement",
        formula: "G (arbiter.done -> F (worker[0].resp == Prepare || !arbiter.crashed))",
    },
    Model {
        file: "abp.sdl",
        constant: "K=18",
        invariant: "delivered",
        formula: "G (sender.acked -> F (!sender.acked || sender.current == 0 || sender.current == 1))",
    },
    Model {
        file: "ring.sdl",
        constant: "N=7",
        invariant: "largest",
        formula: "F (node[N - 1].leader || (exists i in range 0 to N { node[i].crashed }))",
    },
    Model {
        file: "raft.sdl",
        constant: "T=2",
        invariant: "one_leader",
        formula: "F G node[0].term == 0 || F G node[0].term == 1 || F G node[0].term == 2",
    },
];

/// The property of fair runs that is added to each model.
const NAME: &str = "fair_runs";

const LIMITS: Limits = Limits {
    seconds: 600.0,
    memory: 16 << 30,
};

const PLAIN: Mode = Mode {
    reduction: false,
    symmetry: false,
    threads: 1,
};

/// The time for a property of all fair runs, by that of the safety search over all states, both without reduction.
pub fn liveness(root: &Path, rounds: usize) -> Result<(String, Vec<Goal>), String> {
    let mut text = format!(
        "{:<20} {:>6} {:>12} {:>10} {:>10}  answer\n",
        "fair runs", "size", "states", "safety", "liveness"
    );
    let mut goals = Vec::new();
    for model in MODELS {
        let model_text = std::fs::read_to_string(root.join("benches/models").join(model.file))
            .map_err(|why| format!("cannot read {}: {why}", model.file))?;
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let path = folder.path().join(model.file);
        let model_text = format!("{model_text}\nltl {NAME} {{ {} }}\n", model.formula);
        std::fs::write(&path, model_text).map_err(|why| why.to_string())?;
        let run = |property: &str| {
            let mut command = Command::new(ours::SANDALC);
            command.arg("check").arg(&path).args(["-D", model.constant]);
            command.args(["--property", property, "--allow-deadlock"]);
            command.args(["--engine", "embedded", "--format", "json"]);
            if property == model.invariant {
                command.arg("--stats");
            }
            ours::search_options(&mut command, PLAIN);
            ours::check(&mut command, property, 1, LIMITS, 0)
        };
        let [safety, fair] = in_turn(rounds, [&|| run(model.invariant), &|| run(NAME)])?;
        let _ = writeln!(
            text,
            "{:<20} {:>6} {:>12} {:>10} {:>10}  {}",
            model.file,
            model.constant,
            safety.states.map_or(String::new(), thousands),
            short(safety.seconds),
            short(fair.seconds),
            fair.answer.as_str()
        );
        let what = format!("{}: 3 x safety search / liveness", model.file);
        goals.push(
            Goal::at_least(what, 1.0, None, 3.0 * safety.seconds / fair.seconds)
                .with(format!("{:.2} x safety", fair.seconds / safety.seconds)),
        );
    }
    Ok((text, goals))
}

/// One thread by two, in the time that passes, on five million states.
pub fn two_cores(root: &Path, rounds: usize) -> Result<Goal, String> {
    const WANTED: f64 = 1.6;
    let what = "two_phase, all, N=5: time of one thread / of two".to_string();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores < 2 {
        return Ok(Goal::unknown(what, WANTED, "there is one core only"));
    }
    let run = |threads: usize| {
        let mode = Mode { threads, ..PLAIN };
        let mut command = Command::new(ours::SANDALC);
        command.arg("check");
        command.arg(root.join("benches/models/two_phase_timeout.sdl"));
        command.args(["-D", "N=5", "--property", "agreement", "--allow-deadlock"]);
        command.args(["--engine", "embedded", "--format", "json", "--stats"]);
        ours::search_options(&mut command, mode);
        let mut measured = ours::check(&mut command, "agreement", threads, LIMITS, 0)?;
        // To compare the two, both by the time that passes.
        measured.seconds = measured.search.wall;
        match measured.answer {
            Answer::Holds => Ok(measured),
            other => Err(format!("agreement: {}", other.as_str())),
        }
    };
    let [one, two] = in_turn(rounds, [&|| run(1), &|| run(2)])?;
    // On a busy machine time passes without computing.
    let computed = format!(
        "{} s / {} s, of which computing {} s, {} s",
        short(one.seconds),
        short(two.seconds),
        short(one.search.cpu),
        short(two.search.cpu)
    );
    Ok(Goal::at_least(what, WANTED, None, one.seconds / two.seconds).with(computed))
}

type Run<'a> = &'a dyn Fn() -> Result<Measurement, String>;

/// The best of a few rounds of two runs.
fn in_turn(rounds: usize, [a, b]: [Run<'_>; 2]) -> Result<[Measurement; 2], String> {
    let mut best = [a()?, b()?];
    for _ in 1..rounds {
        let [x, y] = best;
        best = [x.best(a()?), y.best(b()?)];
    }
    Ok(best)
}
