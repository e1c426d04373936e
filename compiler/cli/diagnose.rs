//! `sandalc diagnose`: which process can tell which fault?

use super::args::{Diagnose, Format};
use super::check::watch::{Watch, too_late};
use super::model::{self, Model};
use super::shell::Shell;
use super::{Exit, files, interrupt};
use crate::analysis::diagnosis;
use crate::check::{self, Answer, Engines, World};
use crate::engine;
use crate::program::{ask_whether_told, ask_who_sees, seers};
use crate::report;
use crate::system::System;
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave;

/// The clock of a diagnosis; nobody hears of answers before the end.
struct Desk<'a> {
    watch: &'a Watch,
}

impl World for Desk<'_> {
    fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.watch.start.elapsed()
    }

    fn time_left(&self) -> Option<std::time::Duration> {
        self.watch.time_left()
    }
}

/// Shows which process can tell which fault, or why one cannot.
pub fn run(args: &Diagnose, shell: &mut Shell) -> Exit {
    diagnosed(args, shell).unwrap_or_else(|exit| exit)
}

fn diagnosed(args: &Diagnose, shell: &mut Shell) -> Result<Exit, Exit> {
    look(args, shell)?;
    let watch = Watch::within(args.timeout, args.max_memory);
    let too_late = too_late(shell, " before the model was read");
    let model = watch.over(too_late, || model::program(&args.model, shell))?;
    let options = model::weaving(&args.model.options, &model.program, shell)?;
    let faults = weave::woven_faults(&model.program, &options);
    if faults.is_empty() {
        let hint = match model.program.faults.is_empty() {
            true => "mark a process or channel in `init` first",
            false => "leave out `--no-faults`",
        };
        shell.complain("there is no fault to be told", None, Some(hint));
        return Err(Exit::BadInput);
    }
    if faults.len() > diagnosis::MOST_FAULTS {
        let message = format!(
            "the model marks {} faults, and at most {} can be told apart",
            faults.len(),
            diagnosis::MOST_FAULTS
        );
        shell.complain(&message, None, Some("choose some of them with `--faults`"));
        return Err(Exit::BadInput);
    }
    let options = weave::Options {
        deadlock: false,
        ..options
    };
    let work = Work {
        args,
        model: &model,
        weave: options,
        faults,
        watch,
    };
    let exit = match args.why.as_slice() {
        [fault, process] => work.why(fault, process, shell)?,
        _ => work.all(shell)?,
    };
    Ok(interrupt::or(exit.and(shell.done())))
}

/// Whether the name of the page makes sense, before anything is done.
fn look(args: &Diagnose, shell: &mut Shell) -> Result<(), Exit> {
    let Some(file) = &args.html else {
        return Ok(());
    };
    let hint = if files::is_standard(file) || file.as_os_str().is_empty() {
        "name a file for it"
    } else if files::same(&args.model.file, file) {
        "name another file: this one is the model"
    } else {
        return Ok(());
    };
    let message = format!("`--html {}` cannot be done", file.display());
    shell.complain(&message, None, Some(hint));
    Err(Exit::BadInput)
}

struct Work<'a> {
    args: &'a Diagnose,
    model: &'a Model,
    weave: weave::Options,
    faults: Vec<FaultId>,
    watch: Watch,
}

impl Work<'_> {
    fn options(&self) -> check::Options {
        check::Options {
            simplify: !self.args.model.options.no_simplify,
            limits: engine::Limits {
                states: self.args.max_states.unwrap_or(u64::MAX),
                memory: self.watch.memory,
            },
            ..check::Options::default()
        }
    }

    /// Does something within the limits.
    fn within<R>(&self, shell: &Shell, work: impl FnOnce(&Desk<'_>) -> R) -> Result<R, Exit> {
        let too_late = too_late(shell, " before anything was known");
        let desk = Desk { watch: &self.watch };
        self.watch.over(too_late, || Ok(work(&desk)))
    }

    /// All faults and processes.
    fn all(&self, shell: &mut Shell) -> Result<Exit, Exit> {
        let program = &self.model.program;
        let processes = seers(program);
        let (system, found) = self.within(shell, |desk| {
            let asked = ask_who_sees(program, &processes, &self.faults);
            let system = crate::build(&asked, &self.weave);
            let found = diagnosis::answers(&system, &self.faults, &self.options(), desk);
            (system, found)
        })?;
        let found = match found {
            Ok(found) => found,
            Err(unknown) => {
                let hint = "allow more with `--max-states`, `--timeout` or `--max-memory`, or see less with `view`";
                let hint = unknown.by_limit.then_some(hint);
                shell.complain(&format!("unknown: {}", unknown.why), None, hint);
                return Ok(Exit::Undecided);
            }
        };
        let faults: Vec<String> = (self.faults.iter())
            .map(|fault| program.faults[fault.0 as usize].name.clone())
            .collect();
        let names: Vec<String> = (processes.iter())
            .map(|process| program.processes[process.0 as usize].name.clone())
            .collect();
        let named = report::diagnosis::Named {
            file: &files::display(&self.args.model.file),
            system: &system,
            sources: &self.model.sources,
            faults: &faults,
            processes: &names,
            diagnosis: &found,
        };
        self.write(|| report::diagnosis::page::page(&named), shell)?;
        let text = match shell.format() {
            Format::Json => report::diagnosis::json::json(&named) + "\n",
            Format::Text => report::diagnosis::text::text(&named, shell.style()),
        };
        shell.print(&text);
        Ok(Exit::Ok)
    }

    /// Writes the page, if one is asked for.
    fn write(&self, page: impl FnOnce() -> String, shell: &mut Shell) -> Result<(), Exit> {
        let Some(file) = &self.args.html else {
            return Ok(());
        };
        files::write(file, page().as_bytes()).map_err(|failure| {
            shell.fail("write", &failure);
            Exit::BadInput
        })
    }

    /// One fault and one process: two runs that the process cannot tell apart, if it cannot.
    fn why(&self, fault: &str, process: &str, shell: &mut Shell) -> Result<Exit, Exit> {
        let program = &self.model.program;
        let mut known = self.faults.iter();
        let found = known.find(|id| program.faults[id.0 as usize].name == fault);
        let Some(fault) = found.copied() else {
            let names = self.faults.iter();
            let names = names.map(|id| program.faults[id.0 as usize].name.as_str());
            return Err(unknown_name("fault", fault, names, shell));
        };
        let index = program.processes.iter().position(|p| p.name == process);
        let Some(index) = index else {
            let names = program.processes.iter().map(|p| p.name.as_str());
            return Err(unknown_name("process", process, names, shell));
        };
        let process = ProcessId(index as u32);
        let (system, found) = self.within(shell, |desk| {
            let asked = ask_whether_told(program, fault, process);
            let system = crate::build(&asked, &self.weave);
            let wanted: Vec<usize> = system.properties.len().checked_sub(1).into_iter().collect();
            let task = check::Task {
                system: &system,
                wanted: &wanted,
                options: self.options(),
            };
            let found = check::check(&task, Engines::Embedded, desk);
            (system, found)
        })?;
        let found = found.map_err(|trouble| super::analysis::complain(trouble, shell))?;
        let mut exit = Exit::Ok;
        for answer in &found.answers {
            exit = exit.and(self.told(&system, answer, shell)?);
        }
        Ok(exit)
    }

    fn told(&self, system: &System, answer: &Answer, shell: &mut Shell) -> Result<Exit, Exit> {
        let sources = &self.model.sources;
        let file = files::display(&self.args.model.file);
        let about = report::About {
            file: &file,
            engine: "embedded",
            states: None,
            second: None,
            stats: None,
            differences: None,
        };
        let page = || {
            report::html::page(&report::html::Page {
                system,
                sources,
                answers: std::slice::from_ref(answer),
                about: &about,
                tables: &[],
                notes: &[],
            })
        };
        self.write(page, shell)?;
        if shell.format() == Format::Json {
            let text = report::json(system, sources, std::slice::from_ref(answer), &about);
            shell.print(&(text + "\n"));
        } else {
            let style = shell.style();
            shell.print(&report::diagnosis::text::why(
                system, sources, answer, style,
            ));
        }
        Ok(match answer.verdict() {
            "unknown" => Exit::Undecided,
            _ => Exit::Ok,
        })
    }
}

fn unknown_name<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
    shell: &mut Shell,
) -> Exit {
    let meant = crate::diagnostic::did_you_mean(name, known.clone());
    let hint = match meant {
        Some(meant) => format!("write `{meant}`"),
        None => format!("choose from {}", known.collect::<Vec<_>>().join(", ")),
    };
    shell.complain(&format!("there is no {what} `{name}`"), None, Some(&hint));
    Exit::BadInput
}
