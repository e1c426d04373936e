//! `sandalc check`: are the properties of a model true?
//!
//! `run` tells one model from several (`many`, `summary`) and from a watch on files (`again`); `one` is the check of one model,
//! in four parts, each within the limits (`watch`):
//!
//! 1. `front`: from the arguments to a System;
//! 2. [`crate::check`] answers, and tells `desk` at once, which has `answers` print what is next; `engines` are those
//!    that it may ask;
//! 3. `further`, `teeth`: what else is to be said about the answers;
//! 4. `finish`: runs, summary, and the files that were asked for (`outputs`; a page has the tables of `tolerance`, too).

mod again;
mod answers;
mod desk;
pub(super) mod engines;
mod front;
mod further;
#[cfg(feature = "machines")]
mod machines;
mod many;
mod outputs;
mod summary;
mod teeth;
mod tolerance;
pub(super) mod watch;

use std::path::Path;
use std::time::Duration;

use super::args::{Check, Format, ModelOptions};
use super::model::Model;
use super::shell::Shell;
use super::spill::Spill;
use super::{Exit, files, internal, interrupt};
use crate::check::{self, Expectations, Failure, Findings, Sharing, Trouble};
use crate::diagnostic::Diagnostic;
use crate::engine;
use crate::report;
use crate::report::thousands;
use crate::system::System;
use answers::Answers;
use desk::Desk;
use engines::Programs;
pub(super) use front::wanted;
use front::{Ready, Refused};
use outputs::Part;
use teeth::Teeth;
use watch::{Limit, Watch};

/// What is checked, and within which limits.
struct Task<'a> {
    args: &'a Check,
    /// Its file.
    file: &'a Path,
    model: &'a Model,
    /// How it is woven.
    options: &'a ModelOptions,
    /// Warnings.
    diagnostics: &'a [Diagnostic],
    /// The answers that it expects, if they are asked for.
    expectations: Option<&'a Expectations>,
    /// The System as it is woven, in whose words everything is told.
    system: &'a System,
    /// The properties to check, by their index.
    wanted: &'a [usize],
    watch: &'a Watch,
}

impl Task<'_> {
    /// How the arguments want the answers to be found.
    fn search_options(&self) -> check::Options {
        let args = self.args;
        check::Options {
            simplify: !self.options.no_simplify,
            reduction: !args.no_reduction,
            symmetry: !args.no_symmetry,
            full_space: args.stats,
            limits: engine::Limits {
                states: args.max_states.unwrap_or(u64::MAX),
                memory: self.watch.memory,
            },
            threads: match args.threads.or_else(many::share_of_threads) {
                Some(threads) => threads,
                None => std::thread::available_parallelism().map_or(1, usize::from),
            },
            confirm: Duration::from_secs_f64(args.confirm_timeout),
            minimise: Duration::from_secs_f64(args.minimise),
            alone: Duration::from_secs_f64(args.prove_after),
            ..check::Options::default()
        }
    }
}

/// Checks models and tells the verdict of each property.
pub fn run(args: &Check, shell: &mut Shell) -> Exit {
    // This process was started for one of several models.
    if let Some(model) = many::own_model() {
        return one(args, &model, shell);
    }
    if args.watch {
        return again::run(args, shell);
    }
    let single = args.files.len() == 1 && !args.files[0].is_dir();
    if single {
        return match outputs::look(args, false, shell) {
            Ok(()) => one(args, &args.files[0], shell),
            Err(exit) => exit,
        };
    }
    if args.machines.hosts.is_some() {
        let hint = "name one model, or leave out `--hosts`";
        shell.complain(
            "several machines check one model at a time",
            None,
            Some(hint),
        );
        return Exit::BadInput;
    }
    let models = match many::models(&args.files, shell) {
        Ok(models) => models,
        Err(exit) => return exit,
    };
    if !args.list {
        return many::run(args, &models, shell);
    }
    let mut exit = Exit::Ok;
    for model in &models {
        if shell.format() == Format::Text {
            let name = crate::source::printable(&files::display(model));
            shell.print(&(shell.bold(&name) + "\n"));
        }
        exit = exit.and(one(args, model, shell));
    }
    exit
}

/// Checks one model: the four parts that the module's page lists.
fn one(args: &Check, file: &Path, shell: &mut Shell) -> Exit {
    let watch = Watch::new(args);
    if args.quiet {
        shell.hush();
    }
    // Whoever watches the limits has a shell of its own, to speak while the work goes on.
    let mut other = shell.clone();
    let too_late = |limit: Limit| {
        let message = format!("{} before the model was read", limit.as_str());
        other.complain(&message, None, limit.hint());
        Exit::Undecided
    };
    let Ready {
        model,
        options,
        system,
        wanted,
        expectations,
        diagnostics,
    } = match watch.over(too_late, || front::prepare(args, file, shell)) {
        Ok(ready) => ready,
        Err(refused) => return refuse(args, file, &refused, shell),
    };
    if args.list {
        return list(&model, &system, &wanted, shell);
    }
    let task = Task {
        args,
        file,
        model: &model,
        options: &options,
        diagnostics: &diagnostics,
        expectations: expectations.as_ref(),
        system: &system,
        wanted: &wanted,
        watch: &watch,
    };
    match &args.machines.hosts {
        Some(hosts) => machines::run(&task, hosts, shell),
        None => answer(&task, task.search_options(), None, shell),
    }
}

/// A program that was built without what it takes to search on several machines.
#[cfg(not(feature = "machines"))]
mod machines {
    use super::{Exit, Path, Shell, Task};

    pub fn run(_: &Task<'_>, _: &Path, shell: &mut Shell) -> Exit {
        let hint = "build it with the feature `machines`, which is there unless it is left out";
        shell.complain(
            "this sandalc cannot search on several machines",
            None,
            Some(hint),
        );
        Exit::BadInput
    }
}

/// Finds the answers, alone or with others, and tells them.
fn answer(
    task: &Task<'_>,
    options: check::Options,
    together: Option<&dyn Sharing>,
    shell: &mut Shell,
) -> Exit {
    let spill = match task.args.spill.as_deref().map(Spill::new).transpose() {
        Ok(spill) => spill,
        Err(failure) => {
            shell.fail("write to", &failure);
            return Exit::BadInput;
        }
    };
    let Task {
        system,
        wanted,
        watch,
        ..
    } = *task;
    let answers = Answers::new(task);
    let mut other = shell.clone();
    let too_late = |limit: Limit| {
        answers.give_up(limit.as_str(), &mut other);
        let (findings, teeth) = (Findings::default(), Teeth::default());
        tell(task, &answers, &findings, &teeth, &mut other)
    };
    let found = watch.over(too_late, || {
        let question = check::Task {
            system,
            wanted,
            options,
        };
        let programs = Programs::new(task, shell);
        let desk = Desk::new(
            watch,
            &answers,
            programs.aside(),
            together,
            spill.as_ref(),
            shell,
        );
        check::check(&question, programs.engines(), &desk)
    });
    if let Some(trouble) = spill.as_ref().and_then(Spill::trouble) {
        shell.note(&trouble);
    }
    let findings = match found {
        Ok(findings) => findings,
        Err(trouble) => return interrupt::or(complain(task, trouble, shell)),
    };
    let mut other = shell.clone();
    let too_late = |_: Limit| tell(task, &answers, &findings, &Teeth::default(), &mut other);
    let teeth = watch.over(too_late, || {
        let mut notes = further::look(task, &answers, &findings);
        notes.extend(together.and_then(|_| not_shared(task)));
        Teeth::look(task, &answers, notes, shell)
    });
    interrupt::or(tell(task, &answers, &findings, &teeth, shell))
}

/// Which properties this process has answered alone, although others were there to help.
fn not_shared(task: &Task) -> Option<String> {
    let wanted = task.wanted.iter();
    let names = |is_meant: &dyn Fn(usize) -> bool| -> Vec<String> {
        let meant = wanted.clone().filter(|property| is_meant(**property));
        meant
            .map(|property| format!("`{}`", task.system.properties[*property].name))
            .collect()
    };
    let knows = |property: usize| !task.system.knowledge_of(property).is_empty();
    let names = match wanted.clone().any(|property| knows(*property)) {
        true => names(&|_| true),
        false => names(&|property| task.system.properties[property].kind.is_temporal()),
    };
    let why = "what needs whole runs or knowledge is not shared";
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("process 0 has answered {names} alone: {why}")
    })
}

/// Tells the answers; if that takes too much, without the runs that are long.
fn tell(
    task: &Task,
    answers: &Answers,
    findings: &Findings,
    teeth: &Teeth,
    shell: &mut Shell,
) -> Exit {
    let mut other = shell.clone();
    let too_long = |_: Limit| {
        answers.leave_out_runs();
        interrupt::or(finish(task, answers, findings, teeth, &mut other))
    };
    let work = || finish(task, answers, findings, teeth, shell);
    task.watch.telling(too_long, work)
}

/// Reports a model that cannot be checked.
fn refuse(args: &Check, file: &Path, refused: &Refused, shell: &mut Shell) -> Exit {
    let name = files::display(file);
    // Where answers are expected, to have none is not what was expected.
    let exit = match args.expect {
        true => Exit::Violated,
        false => refused.exit,
    };
    let part = match &refused.why {
        Some(why) => Part::failed(&name, why, exit as u8, &args.reports),
        None => {
            let checked = report::Account {
                file: &name,
                sources: &refused.sources,
                diagnostics: &refused.diagnostics,
                system: None,
                answers: &[],
                expecting: args.expect,
                surprises: &[],
            };
            Part::new(&checked, String::new(), exit, &args.reports)
        }
    };
    exit.and(outputs::deliver(&args.reports, part, shell))
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
            let saved = engines::save(task);
            let place = saved.unwrap_or_else(|why| format!("nowhere: {why}"));
            let what = format!(
                "the embedded engine says that {ours}, another says {theirs} (saved in {place})"
            );
            internal::say(&what, shell)
        }
    }
}

/// Tells the answers in every form that is asked for: on the terminal or as JSON, as a page, as files.
fn finish(
    task: &Task,
    answers: &Answers,
    findings: &Findings,
    teeth: &Teeth,
    shell: &mut Shell,
) -> Exit {
    let all = answers.all();
    let surprises = match task.expectations {
        Some(expectations) => expectations.surprises(task.system, &all),
        None => Vec::new(),
    };
    let stats = findings.stats.as_ref().filter(|_| task.args.stats);
    let differences: Vec<&str> = surprises.iter().map(|s| s.words.as_str()).collect();
    let about = report::About {
        file: &files::display(task.file),
        engine: task.args.engine.as_str(),
        states: findings.states,
        second: findings.second.as_ref(),
        stats: stats.map(|stats| figures(stats, task.watch.start.elapsed())),
        differences: task.expectations.map(|_| differences.as_slice()),
    };
    // Of several models each is checked by a process of its own, whose answers another one joins: it gets them as JSON.
    let json = match shell.format() == Format::Json || many::own_part().is_some() {
        true => teeth.join(report::json(task.system, &task.model.sources, &all, &about)),
        false => String::new(),
    };
    match shell.format() {
        Format::Json if answers.conclude() => shell.print(&(json.clone() + "\n")),
        Format::Json => {}
        Format::Text => {
            answers.show_traces(&surprises, shell);
            if !answers.conclude() {
                return answers.exit();
            }
            answers.show_notes(shell);
            conclude(task, &all, findings, teeth, &surprises, shell);
        }
    }
    let page = page(task, &all, &about, &teeth.notes, shell);
    let exit = exit(task, answers, findings, &surprises);
    let checked = report::Account {
        file: &files::display(task.file),
        sources: &task.model.sources,
        diagnostics: task.diagnostics,
        system: Some(task.system),
        answers: &all,
        expecting: task.expectations.is_some(),
        surprises: &surprises,
    };
    let part = Part::new(&checked, json, exit, &task.args.reports);
    let written = outputs::deliver(&task.args.reports, part, shell);
    exit.and(page).and(written).and(shell.done())
}

/// Says in words what follows the answers and their runs.
fn conclude(
    task: &Task,
    all: &[check::Answer],
    findings: &Findings,
    teeth: &Teeth,
    surprises: &[report::Surprise],
    shell: &mut Shell,
) {
    for note in teeth.notes.iter().filter(|_| !task.args.quiet) {
        shell.print(&format!("note: {note}\n"));
    }
    shell.print(&teeth.text(shell));
    let visited = findings.stats.map_or(0, |stats| stats.states);
    let summary = report::summary(all, findings.states, visited, shell.style());
    shell.print(&format!("\n{summary}"));
    if let Some(second) = &findings.second {
        shell.print(&report::confirmation(second));
    }
    if let Some(stats) = findings.stats.as_ref().filter(|_| task.args.stats) {
        shell.print(&in_words(&figures(stats, task.watch.start.elapsed())));
    }
    if task.expectations.is_some() {
        let sources = &task.model.sources;
        shell.print(&report::expectations(surprises, sources, shell.style()));
    }
}

/// What the answers come to for whoever only looks at the exit code.
fn exit(
    task: &Task,
    answers: &Answers,
    findings: &Findings,
    surprises: &[report::Surprise],
) -> Exit {
    let unconfirmed = task.args.engines.nusmv.is_some()
        && (findings.second.as_ref()).is_some_and(|second| second.outcome.is_trouble());
    match task.expectations {
        Some(_) if surprises.is_empty() => Exit::Ok,
        Some(_) => Exit::Violated,
        None if unconfirmed => answers.exit().and(Exit::Undecided),
        None => answers.exit(),
    }
}

/// Writes the page with the interactive charts, if it is asked for.
fn page(
    task: &Task,
    answers: &[check::Answer],
    about: &report::About<'_>,
    notes: &[String],
    shell: &mut Shell,
) -> Exit {
    let mut asked = task.args.reports.files();
    let page = asked.find(|(format, _)| matches!(format.makes, report::Makes::Page));
    let Some((_, file)) = page else {
        return Exit::Ok;
    };
    let tables: Vec<report::html::Table> = (report::levels::table(task.system, answers)
        .into_iter())
    .chain(tolerance::tables(task))
    .collect();
    let page = report::html::page(&report::html::Page {
        system: task.system,
        sources: &task.model.sources,
        answers,
        about,
        tables: &tables,
        notes,
    });
    match files::write(file, page.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}

/// Names the properties, their kinds and places.
fn list(model: &Model, system: &System, wanted: &[usize], shell: &mut Shell) -> Exit {
    let properties = wanted.iter().map(|index| &system.properties[*index]);
    let lengths = properties.clone().map(|p| p.name.chars().count());
    let width = lengths.max().unwrap_or(0);
    for property in properties {
        let line = property.span.map(|span| model.sources.line(span));
        let place = property.span.map(|span| model.sources.place(span));
        let kind = property.kind_name();
        let text = match (shell.format(), kind) {
            (Format::Json, _) => {
                let name = &property.name;
                serde_json::json!({ "name": name, "kind": kind, "line": line }).to_string()
            }
            (Format::Text, "builtin") => {
                format!("{:width$}  built in", property.name)
            }
            (Format::Text, _) => format!(
                "{:width$}  {:<9}  {}",
                property.name,
                kind,
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
        processes: (stats.processes > 0).then_some(stats.processes),
        bytes: (stats.processes > 0).then_some(stats.bytes),
        memory: stats.memory,
        spilled: stats.spilled,
        seconds: time.as_secs_f64(),
    }
}

fn in_words(stats: &report::Figures) -> String {
    let mut text = format!(
        "\
states       {}{}
transitions  {}
depth        {} steps, {} faults
state size   {} bits
memory       {:.1} MiB{}
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
        match stats.spilled {
            0 => String::new(),
            bytes => format!(", disk {:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        },
        stats.seconds,
    );
    if let (Some(processes), Some(bytes)) = (stats.processes, stats.bytes) {
        let sent = bytes as f64 / f64::from(1 << 20);
        text += &format!("processes    {processes}, which sent each other {sent:.1} MiB\n");
    }
    text
}
