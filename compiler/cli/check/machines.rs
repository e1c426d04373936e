//! `check --hosts`: one of several processes that search together. Process 0 tells the answers, the others do what it says.

use std::path::Path;
use std::time::Duration;

use super::engines::Engine;
use super::watch::{Limit, Watch};
use super::{Task, answer};
use crate::check::{self, Together, World};
use crate::cli::shell::Shell;
use crate::cli::{Exit, files, interrupt};
use crate::engine::distributed::Journal;
use crate::machines::hosts::{self, Host};
use crate::machines::journal::Folder;
use crate::machines::{Greeting, Machines, Missed};
use crate::system::print;

/// One of several processes.
struct One<'a> {
    task: &'a Task<'a>,
    /// The file that names them.
    file: &'a Path,
    hosts: Vec<Host>,
    index: usize,
}

/// Searches with the processes that a file names.
pub fn run(task: &Task<'_>, file: &Path, shell: &mut Shell) -> Exit {
    match One::new(task, file, shell) {
        Ok(one) => one.run(shell),
        Err(exit) => exit,
    }
}

impl<'a> One<'a> {
    /// What the arguments say.
    fn new(task: &'a Task<'a>, file: &'a Path, shell: &mut Shell) -> Result<Self, Exit> {
        let name = files::display(file);
        if !matches!(task.args.engine, Engine::Auto | Engine::Embedded) {
            let hint = "leave out `--engine`, or `--hosts`";
            shell.complain(
                "only the embedded engine searches on several machines",
                None,
                Some(hint),
            );
            return Err(Exit::BadInput);
        }
        let text = files::read(file).map_err(|failure| {
            shell.fail("read", &failure);
            Exit::BadInput
        })?;
        let hosts = hosts::read(&String::from_utf8_lossy(&text)).map_err(|why| {
            let hint = "write a `host:port` on each line, such as `10.0.0.2:2101`";
            shell.complain(
                &format!("`{name}` does not name hosts: {why}"),
                Some(&name),
                Some(hint),
            );
            Exit::BadInput
        })?;
        let index = task.args.machines.process.unwrap_or(0);
        if index >= hosts.len() {
            let (what, hint) = match hosts.len() {
                1 => ("1 process".to_owned(), "write `--process 0`".to_owned()),
                count => (
                    format!("{count} processes"),
                    format!("write a number from 0 to {}", count - 1),
                ),
            };
            let message = format!("there is no process {index}: `{name}` names {what}");
            shell.complain(&message, Some(&name), Some(&hint));
            return Err(Exit::BadInput);
        }
        Ok(One {
            task,
            file,
            hosts,
            index,
        })
    }

    fn run(&self, shell: &mut Shell) -> Exit {
        let Task { args, watch, .. } = self.task;
        let mut other = shell.clone();
        let too_late = |limit: Limit| say_limit(limit, "before all processes had come", &mut other);
        let quit = || watch.is_over();
        let time = Duration::from_secs_f64(args.machines.connect_timeout);
        let met = watch.over(too_late, || {
            Machines::meet(&self.hosts, &self.greeting(), time, &quit)
        });
        let mut machines = match met {
            Ok(machines) => machines,
            Err(missed) => return interrupt::or(self.say_missed(&missed, shell)),
        };
        let mut journal = match &args.machines.checkpoint {
            Some(folder) => match Folder::new(folder, self.index, args.machines.resume) {
                Ok(journal) => Some(journal),
                Err(why) => {
                    say_folder(folder, &why.to_string(), shell);
                    return Exit::BadInput;
                }
            },
            None => None,
        };
        let journal_used = journal.as_mut().map(|journal| journal as &mut dyn Journal);
        let together = Together::new(&mut machines, journal_used);
        let exit = match self.index {
            0 => {
                let exit = answer(self.task, self.options(), Some(&together), shell);
                together.end(exit as u8);
                Some(exit)
            }
            _ => self.serve(&together, shell),
        };
        if let Some(why) = journal.as_ref().and_then(Folder::failure) {
            let folder = args.machines.checkpoint.as_deref().unwrap_or(Path::new(""));
            say_folder(folder, why, shell);
        }
        if let Some(process) = machines.ended_by() {
            let name = self.name(process);
            shell.note(&format!(
                "{name} has reached a limit, or was interrupted: that ends all"
            ));
        } else if machines.is_broken() {
            self.say_lost(machines.lost(), shell);
        }
        let exit = exit.unwrap_or(Exit::Undecided);
        interrupt::or(exit)
    }

    /// Does what process 0 says; how that ends, if it does not get lost.
    fn serve(&self, together: &Together<'_>, shell: &mut Shell) -> Option<Exit> {
        let Task {
            system,
            wanted,
            watch,
            ..
        } = self.task;
        let question = check::Task {
            system,
            wanted,
            options: self.options(),
        };
        let mut other = shell.clone();
        let too_much = |limit: Limit| say_limit(limit, "before the search was over", &mut other);
        // It ends soon after a limit by itself, when all others have heard of it.
        let code = watch.over(too_much, || {
            watch.trust(|| together.serve(&question, &Quiet(watch)))
        })?;
        let (index, count) = (self.index, self.hosts.len());
        shell.note(&format!(
            "process {index} of {count} is done; process 0 tells the answers"
        ));
        Exit::from_code(code)
    }

    /// How the answers are to be found. Processes of one machine share its memory.
    fn options(&self) -> check::Options {
        let mut options = self.task.search_options();
        if self.task.args.max_memory.is_none() {
            let own = &self.hosts[self.index].name;
            let here = self.hosts.iter().filter(|host| host.name == *own);
            options.limits.memory /= here.count().max(1);
        }
        options
    }

    /// What this process says about itself.
    fn greeting(&self) -> Greeting {
        let Task { args, system, .. } = self.task;
        let options = self.task.search_options();
        let wanted: Vec<&str> = (self.task.wanted.iter())
            .map(|property| system.properties[*property].name.as_str())
            .collect();
        let chosen = (
            options.simplify,
            options.reduction,
            options.symmetry,
            options.full_space,
            options.levels,
            options.limits.states,
            args.machines.checkpoint.is_some(),
            args.machines.resume,
        );
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |time| time.as_nanos() as u64);
        Greeting {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            process: self.index,
            processes: self.hosts.len(),
            instance: now ^ u64::from(std::process::id()) << 32,
            same: vec![
                (
                    "the model".to_owned(),
                    format!("{:016x}", print::fingerprint(&print::system(system))),
                ),
                (
                    "the properties that are checked".to_owned(),
                    wanted.join(" "),
                ),
                ("the options".to_owned(), format!("{chosen:?}")),
            ],
        }
    }

    fn say_missed(&self, missed: &Missed, shell: &mut Shell) -> Exit {
        let file = files::display(self.file);
        let (exit, message, hint) = match missed {
            Missed::CannotListen(why) => (
                Exit::BadInput,
                format!("cannot listen on `{}`: {why}", self.hosts[self.index]),
                format!("name an address of this machine and a free port in `{file}`"),
            ),
            Missed::NotCome(processes) => {
                let named = |process: &usize| self.name(*process);
                let names: Vec<String> = processes.iter().map(named).collect();
                let has = if names.len() == 1 { "has" } else { "have" };
                let time = self.task.args.machines.connect_timeout;
                (
                    Exit::Undecided,
                    format!("{} {has} not come within {time} s", names.join(", ")),
                    "start all processes, and give them more time with `--connect-timeout`"
                        .to_owned(),
                )
            }
            Missed::Twice(process) => (
                Exit::BadInput,
                format!("two processes say that they are process {process}"),
                "give each a number of its own with `--process`".to_owned(),
            ),
            Missed::Differ(one, other, what) => (
                Exit::BadInput,
                format!("{} and process {other} differ in {what}", self.name(*one)),
                "start all with the same sandalc, model, options and hosts".to_owned(),
            ),
            Missed::Stopped => {
                let limit = self.task.watch.reached().unwrap_or(Limit::Interrupted);
                return say_limit(limit, "before all processes had come", shell);
            }
        };
        shell.complain(&message, None, Some(&hint));
        exit
    }

    fn say_lost(&self, lost: Option<usize>, shell: &mut Shell) {
        let who = lost.map_or("a process".to_owned(), |process| self.name(process));
        let hint = match self.task.args.machines.checkpoint {
            Some(_) => "start all processes again, with `--resume`",
            None => "with `--checkpoint FOLDER` a search can go on after that, with `--resume`",
        };
        shell.complain(&format!("{who} was lost"), None, Some(hint));
    }

    fn name(&self, process: usize) -> String {
        match self.hosts.get(process) {
            Some(host) => format!("process {process} (`{host}`)"),
            None => format!("process {process}"),
        }
    }
}

/// The world of a process that only does what it is told.
struct Quiet<'a>(&'a Watch);

impl World for Quiet<'_> {
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

fn say_limit(limit: Limit, when: &str, shell: &mut Shell) -> Exit {
    shell.complain(&format!("{} {when}", limit.as_str()), None, limit.hint());
    Exit::Undecided
}

fn say_folder(folder: &Path, why: &str, shell: &mut Shell) {
    let name = files::display(folder);
    let hint = "name a folder with room in it that this process may write to";
    shell.complain(
        &format!("cannot write the checkpoint in `{name}`: {why}"),
        None,
        Some(hint),
    );
}
