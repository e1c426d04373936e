//! `sandalc check`: are the properties of a model true?

mod answers;
mod desk;
mod second;
pub(super) mod watch;

use std::time::Duration;

use super::args::{Check, Engine, Format};
use super::model::{self, Model};
use super::shell::Shell;
use super::{Exit, files, internal, interrupt};
use crate::check::{self, Engines, Failure, Findings, Trouble};
use crate::diagnostic::did_you_mean;
use crate::engine;
use crate::report;
use crate::report::thousands;
use crate::system::{PropertyKind, System};
use answers::Answers;
use desk::Desk;
use second::Nusmv;
use watch::{Limit, Watch};

/// What is checked, and within which limits.
struct Task<'a> {
    args: &'a Check,
    model: &'a Model,
    /// The System as it is woven, in whose words everything is told.
    system: &'a System,
    /// The properties to check, by their index.
    wanted: &'a [usize],
    watch: &'a Watch,
}

impl Task<'_> {
    /// How the arguments want the answers to be found.
    fn options(&self) -> check::Options {
        let args = self.args;
        check::Options {
            simplify: !args.model.options.no_simplify,
            reduction: !args.no_reduction,
            symmetry: !args.no_symmetry,
            full_space: args.stats,
            limits: engine::Limits {
                states: args.max_states.unwrap_or(u64::MAX),
                memory: self.watch.memory,
            },
            threads: match args.threads {
                Some(threads) => threads,
                None => std::thread::available_parallelism().map_or(1, usize::from),
            },
            confirm: Duration::from_secs_f64(args.confirm_timeout),
            minimise: Duration::from_secs_f64(args.minimise),
            ..check::Options::default()
        }
    }
}

/// Checks a model and tells the verdict of each property.
pub fn run(args: &Check, shell: &mut Shell) -> Exit {
    let watch = Watch::new(args);
    if args.quiet {
        shell.hush();
    }
    let mut other = shell.clone();
    let too_late = |limit: Limit| {
        let message = format!("{} before the model was read", limit.as_str());
        other.complain(&message, None, limit.hint());
        Exit::Undecided
    };
    let woven = watch.over(too_late, || {
        let model = model::program(&args.model, shell)?;
        let system = model::system(&args.model.options, &model.program, shell)?;
        let wanted = wanted(&args.property, &system, shell)?;
        Ok((model, system, wanted))
    });
    let (model, system, wanted) = match woven {
        Ok(woven) => woven,
        Err(exit) => return exit,
    };
    if args.list {
        return list(&model, &system, &wanted, shell);
    }
    let task = Task {
        args,
        model: &model,
        system: &system,
        wanted: &wanted,
        watch: &watch,
    };
    let answers = Answers::new(&task);
    let mut other = shell.clone();
    let too_late = |limit: Limit| {
        answers.give_up(limit.as_str(), &mut other);
        finish(&task, &answers, &Findings::default(), &mut other)
    };
    let found = watch.over(too_late, || {
        let question = check::Task {
            system: &system,
            wanted: &wanted,
            options: task.options(),
        };
        let nusmv = Nusmv::new(&task, shell);
        let engines = match args.engine {
            Engine::Embedded => Engines::Embedded,
            Engine::Nusmv => Engines::Second(&nusmv),
            Engine::Auto => Engines::Both(&nusmv),
        };
        check::check(&question, engines, &Desk::new(&watch, &answers, shell))
    });
    let exit = match found {
        Ok(findings) => finish(&task, &answers, &findings, shell),
        Err(trouble) => complain(&task, trouble, shell),
    };
    interrupt::or(exit)
}

/// Says why there are no answers.
fn complain(task: &Task, trouble: Trouble, shell: &mut Shell) -> Exit {
    match trouble {
        Trouble::Internal(what) | Trouble::Second(Failure::Internal(what)) => {
            internal::say(&what, shell)
        }
        Trouble::NoRun => {
            let (message, hint) = Trouble::NO_RUN;
            shell.complain(message, None, Some(hint));
            Exit::BadInput
        }
        Trouble::Second(Failure::Failed(message, hint)) => {
            shell.complain(&message, None, hint.as_deref());
            Exit::Undecided
        }
        Trouble::Second(Failure::NotFound) => {
            shell.complain("NuSMV is not installed", None, None);
            Exit::Undecided
        }
        Trouble::Disagreement { ours, theirs } => {
            let saved = second::save(task);
            let place = saved.unwrap_or_else(|why| format!("nowhere: {why}"));
            let what = format!(
                "the embedded engine says that {ours}, NuSMV says {theirs} (saved in {place})"
            );
            internal::say(&what, shell)
        }
    }
}

fn finish(task: &Task, answers: &Answers, findings: &Findings, shell: &mut Shell) -> Exit {
    let states = findings.states;
    let stats = findings.stats.as_ref().filter(|_| task.args.stats);
    let about = report::About {
        file: &files::display(&task.args.model.file),
        engine: match task.args.engine {
            Engine::Nusmv => "nusmv",
            Engine::Embedded | Engine::Auto => "embedded",
        },
        states,
        second: findings.second.as_ref(),
        stats: stats.map(|stats| figures(stats, task.watch.start.elapsed())),
    };
    match shell.format() {
        Format::Json => {
            let json = report::json(task.system, &task.model.sources, &answers.all(), &about);
            shell.print(&(json + "\n"));
        }
        Format::Text => {
            answers.show_traces(shell);
            let visited = findings.stats.map_or(0, |stats| stats.states);
            let summary = report::summary(&answers.all(), states, visited, shell.style());
            shell.print(&format!("\n{summary}"));
            if let Some(second) = &findings.second {
                shell.print(&report::confirmation(second));
            }
            if let Some(stats) = stats {
                shell.print(&in_words(&figures(stats, task.watch.start.elapsed())));
            }
        }
    }
    let written = page(task, answers, &about, shell);
    let unconfirmed = task.args.nusmv.is_some()
        && (findings.second.as_ref()).is_some_and(|second| second.outcome.is_trouble());
    let confirmed = if unconfirmed {
        Exit::Undecided
    } else {
        Exit::Ok
    };
    (answers.exit().and(confirmed))
        .and(written)
        .and(shell.done())
}

/// Writes the page with the interactive charts, if it is asked for.
fn page(task: &Task, answers: &Answers, about: &report::About<'_>, shell: &mut Shell) -> Exit {
    let Some(file) = &task.args.html else {
        return Exit::Ok;
    };
    let page = report::html::page(&report::html::Page {
        system: task.system,
        sources: &task.model.sources,
        answers: &answers.all(),
        about,
        tables: &[],
        notes: &[],
    });
    match files::write(file, page.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}

/// The properties to check: all, or those that are named.
pub(super) fn wanted(
    names: &[String],
    system: &System,
    shell: &mut Shell,
) -> Result<Vec<usize>, Exit> {
    let all = || {
        system
            .properties
            .iter()
            .map(|property| property.name.as_str())
    };
    for name in names {
        if !all().any(|other| other == name) {
            let hint = match did_you_mean(name, all()) {
                Some(near) => format!("write `{near}`"),
                None => "run with `--list` to see the properties".to_owned(),
            };
            let message = format!("the model has no property `{name}`");
            shell.complain(&message, None, Some(&hint));
            return Err(Exit::BadInput);
        }
    }
    Ok((0..system.properties.len())
        .filter(|index| names.is_empty() || names.contains(&system.properties[*index].name))
        .collect())
}

/// Names the properties, their kinds and places.
fn list(model: &Model, system: &System, wanted: &[usize], shell: &mut Shell) -> Exit {
    let properties = wanted.iter().map(|index| &system.properties[*index]);
    let lengths = properties.clone().map(|p| p.name.chars().count());
    let width = lengths.max().unwrap_or(0);
    for property in properties {
        let line = property.span.map(|span| model.sources.line(span));
        let place = property.span.map(|span| model.sources.place(span));
        let text = match (shell.format(), &property.kind) {
            (Format::Json, kind) => {
                let (name, kind) = (&property.name, kind.as_str());
                serde_json::json!({ "name": name, "kind": kind, "line": line }).to_string()
            }
            (Format::Text, PropertyKind::Deadlock | PropertyKind::Check(_)) => {
                format!("{:width$}  built in", property.name)
            }
            (Format::Text, kind) => format!(
                "{:width$}  {:<9}  {}",
                property.name,
                kind.as_str(),
                place.unwrap_or_default()
            ),
        };
        shell.print(&(text + "\n"));
    }
    shell.done()
}

fn figures(stats: &engine::Stats, time: Duration) -> report::Figures {
    report::Figures {
        states: stats.states,
        complete: stats.complete,
        reduction: stats.reduction,
        symmetry: stats.symmetry,
        transitions: stats.transitions,
        depth: stats.depth,
        faults: stats.faults,
        state_bits: stats.state_bits,
        memory: stats.memory,
        seconds: time.as_secs_f64(),
    }
}

fn in_words(stats: &report::Figures) -> String {
    format!(
        "\
states       {}{}
transitions  {}
depth        {} steps, {} faults
state size   {} bits
memory       {:.1} MiB
time         {:.2} s
",
        thousands(stats.states),
        match (stats.complete, stats.reduction, stats.symmetry) {
            (false, ..) => " so far",
            (_, true, true) => " (with reduction and symmetry)",
            (_, true, false) => " (with reduction)",
            (_, false, true) => " (with symmetry)",
            _ => "",
        },
        thousands(stats.transitions),
        thousands(stats.depth.into()),
        stats.faults,
        stats.state_bits,
        stats.memory as f64 / f64::from(1 << 20),
        stats.seconds,
    )
}
