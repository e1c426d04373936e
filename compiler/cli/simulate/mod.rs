//! `sandalc simulate`: random runs, or one whose steps the user chooses.

mod explorer;
mod interactive;
mod screen;
mod watched;

use indexmap::IndexMap;

use super::args::{Format, Simulate};
use super::check::watch::{Limit, Watch, too_late};
use super::model::{self, Model};
use super::shell::Shell;
use super::{Exit, drawing, files, interrupt};
use crate::report::{self, plural};
use crate::system::System;
use crate::trace::Trace;
use crate::trace::monitor::Monitor;
use crate::trace::simulate::{End, Settings, Simulated, simulate};
use crate::verdict::Run;

/// Shows runs of a model.
pub fn run(args: &Simulate, shell: &mut Shell) -> Exit {
    let watch = Watch::within(args.limits.timeout, args.limits.max_memory);
    let exit = watch.over(too_late(shell, ""), || match args.interactive {
        true => interactive::run(args, &watch, shell),
        false => random(args, &watch, shell),
    });
    interrupt::or(exit)
}

/// Shows random runs.
fn random(args: &Simulate, watch: &Watch, shell: &mut Shell) -> Exit {
    let woven = model::program(&args.model, shell).and_then(|model| {
        let system = model::system(&args.model.options, &model.program, shell)?;
        Ok((model, system))
    });
    let (model, system) = match woven {
        Ok(woven) => woven,
        Err(exit) => return exit,
    };
    let monitor = Monitor::new(&system);
    let settings = Settings {
        steps: args.steps,
        fault_rate: (args.fault_rate * 1e6).round() as u64,
    };
    let mut sums = Sums::default();
    let mut shown: Option<(u64, Simulated)> = None;
    for number in 0..args.runs {
        let seed = args.seed.wrapping_add(number);
        let simulated = simulate(&system, &monitor, settings, seed, &|| watch.is_over());
        sums.add(&simulated, seed);
        sums.stopped = watch.reached();
        if shell.format() == Format::Json {
            let Simulated { run, trace, .. } = &simulated;
            shell.print(&in_json(args, &model, &system, run, trace));
        }
        let first_violated = simulated.end == End::Violated
            && shown
                .as_ref()
                .is_none_or(|(_, known)| known.end != End::Violated);
        if shown.is_none() || first_violated {
            shown = Some((seed, simulated));
        }
        if sums.stopped.is_some() {
            break;
        }
    }
    let Some((seed, simulated)) = shown else {
        return Exit::BadInput;
    };
    if shell.format() == Format::Text {
        if args.runs > 1 {
            shell.print(&sums.text(&system, args));
        }
        let trace = &simulated.trace;
        let faults = plural(trace.faults(), "fault");
        let length = plural(trace.steps.len(), "step");
        let title = shell.bold(&format!("seed {seed}: {length}, {faults}"));
        shell.print(&format!("{title}\n"));
        let Simulated { violated, .. } = &simulated;
        drawing::show(
            &args.drawing,
            &system,
            &model.sources,
            trace,
            violated,
            shell,
        );
        shell.print(&ending(&system, &simulated, args, shell));
    }
    if let Some(limit) = sums.stopped {
        let message = format!("{} in run {} of {}", limit.as_str(), sums.runs, args.runs);
        shell.complain(&message, None, limit.hint());
    }
    let mut exit = match (sums.violated.is_empty(), sums.stopped) {
        (false, _) => Exit::Violated,
        (true, Some(_)) => Exit::Undecided,
        (true, None) => Exit::Ok,
    };
    if let Some(file) = &args.save {
        let text = in_json(args, &model, &system, &simulated.run, &simulated.trace);
        exit = exit.and(save(file, &text, &model, shell));
    }
    exit.and(shell.done())
}

fn in_json(args: &Simulate, model: &Model, system: &System, run: &Run, trace: &Trace) -> String {
    let file = files::display(&args.model.file);
    report::run(system, &model.sources, &file, run, trace)
}

/// Writes a run to a file; not over the model.
fn save(file: &std::path::Path, text: &str, model: &Model, shell: &mut Shell) -> Exit {
    let mut inputs = (model.loaded.modules()).filter_map(|module| module.path.as_ref());
    if inputs.any(|input| files::same(input, file)) {
        let message = format!("`{}` is the model", files::display(file));
        shell.complain(&message, None, Some("name another file for the run"));
        return Exit::BadInput;
    }
    match files::write(file, text.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}

/// How the shown run ends.
fn ending(system: &System, simulated: &Simulated, args: &Simulate, shell: &Shell) -> String {
    let style = shell.style();
    let name = |property: &usize| system.properties[*property].name.clone();
    let mut out = String::new();
    match simulated.end {
        End::Violated => {
            for property in &simulated.violated {
                out += &format!("{}  {}\n", style.bad("violated"), name(property));
            }
        }
        End::Over => out += "nobody can move any more\n",
        End::Stopped => {
            let steps = plural(simulated.trace.steps.len(), "step");
            out += &format!("not finished: stopped after {steps}\n");
        }
        End::Long => out += &format!("stopped after {}\n", plural(args.steps, "step")),
    }
    if !simulated.reached.is_empty() {
        let names: Vec<String> = simulated.reached.iter().map(name).collect();
        out += &format!("{}  {}\n", style.good("reached"), names.join(", "));
    }
    out
}

/// What is to be said about many runs.
#[derive(Default)]
struct Sums {
    runs: usize,
    steps: usize,
    faults: usize,
    over: usize,
    long: usize,
    /// The properties that were violated: how often, and the first seed.
    violated: IndexMap<usize, (usize, u64)>,
    /// The limit that has ended them.
    stopped: Option<Limit>,
}

impl Sums {
    fn add(&mut self, simulated: &Simulated, seed: u64) {
        self.runs += 1;
        self.steps += simulated.trace.steps.len();
        self.faults += simulated.trace.faults();
        match simulated.end {
            End::Over => self.over += 1,
            End::Long => self.long += 1,
            End::Violated | End::Stopped => {}
        }
        for property in &simulated.violated {
            self.violated.entry(*property).or_insert((0, seed)).0 += 1;
        }
    }

    fn text(&self, system: &System, args: &Simulate) -> String {
        let mut out = format!(
            "{}, {}, {}\n",
            plural(self.runs, "run"),
            plural(self.steps, "step"),
            plural(self.faults, "fault")
        );
        let mut lines = vec![
            (self.over, "ended: nobody can move any more".to_owned()),
            (
                self.long,
                format!("stopped after {}", plural(args.steps, "step")),
            ),
        ];
        for (property, (count, seed)) in &self.violated {
            let name = &system.properties[*property].name;
            lines.push((
                *count,
                format!("violated {name} (first with --seed {seed})"),
            ));
        }
        for (count, words) in lines.iter().filter(|(count, _)| *count > 0) {
            out += &format!("{count:>6}  {words}\n");
        }
        out + "\n"
    }
}
