//! Several models, some at a time, each in a process of its own: a model that takes too much time or memory, or
//! meets a bug, takes nothing away from the others, and every limit is one for each of them.
//!
//! The process that checks a model is this program with the same arguments; the environment tells it which model is its
//! own and where to leave what it adds to the reports. What it prints is kept, so that the order is always that of the files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::outputs::{self, Part};
use super::summary;
use crate::cli::args::{Check, Format, Reports};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::{Shell, TERMINAL};
use crate::cli::{Exit, files, interrupt, memory};
use crate::load;
use crate::source::Sources;
use crate::syntax;
use crate::syntax::ast;

/// Which model is a process's own.
const MODEL: &str = "SANDALC_MODEL";
/// Where it leaves its part of the reports.
const PART: &str = "SANDALC_PART";
/// How much memory it may use, if the arguments do not say.
const MEMORY: &str = "SANDALC_MEMORY";
/// How many threads it may use, if the arguments do not say.
const THREADS: &str = "SANDALC_THREADS";

/// How often somebody looks whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// What became of a model.
pub struct Returned {
    /// Its file.
    pub file: PathBuf,
    /// What it adds to the reports.
    pub part: Part,
    /// What was printed.
    pub out: String,
    /// The messages.
    pub err: String,
}

/// If this process checks one of several models for another: which.
pub fn own_model() -> Option<PathBuf> {
    std::env::var_os(PART)?;
    let model = std::env::var_os(MODEL)?;
    #[cfg(target_os = "linux")]
    {
        // Whoever waits for the answer is gone: nobody needs it.
        use rustix::process::{Signal, set_parent_process_death_signal};
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
    Some(model.into())
}

/// Where this process is to leave its part of the reports.
pub fn own_part() -> Option<PathBuf> {
    std::env::var_os(PART).map(PathBuf::from)
}

/// A number that the environment sets for this process.
fn share(name: &str) -> Option<usize> {
    own_part()?;
    std::env::var(name).ok()?.parse().ok()
}

/// How much memory this process may use, if it is one of several.
pub fn share_of_memory() -> Option<usize> {
    share(MEMORY)
}

/// How many threads this process may use, if it is one of several.
pub fn share_of_threads() -> Option<usize> {
    share(THREADS)
}

/// The models that the arguments name: files as they are, and of folders every file with an `init`. The others are parts
/// that models import.
pub fn models(paths: &[PathBuf], shell: &mut Shell) -> Result<Vec<PathBuf>, Exit> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        let mut add = |file: PathBuf| {
            if !found.contains(&file) {
                found.push(file);
            }
        };
        if !path.is_dir() {
            add(path.clone());
            continue;
        }
        match files::models(path) {
            Ok(all) => all.into_iter().filter(|file| is_model(file)).for_each(add),
            Err(failure) => {
                shell.fail("read", &failure);
                return Err(Exit::BadInput);
            }
        }
    }
    if found.is_empty() {
        let hint = "name a file with an `init { .. }`";
        shell.complain("there is no model in these folders", None, Some(hint));
        return Err(Exit::BadInput);
    }
    Ok(found)
}

/// Whether a file is more than a part of other models. One that cannot be read is: that must be said.
fn is_model(file: &Path) -> bool {
    let Ok(bytes) = files::read_file(file) else {
        return true;
    };
    let mut sources = Sources::new();
    let (id, bad) = load::add(&mut sources, files::display(file), bytes);
    let parsed = syntax::parse(&sources, id);
    let has_init = |decl: &ast::Decl| matches!(decl.kind, ast::DeclKind::Init(..));
    bad.is_some() || !parsed.diagnostics.is_empty() || parsed.file.decls.iter().any(has_init)
}

/// Checks several models and sums up.
pub fn run(args: &Check, models: &[PathBuf], shell: &mut Shell) -> Exit {
    if let Err(exit) = outputs::look(args, true, shell) {
        return exit;
    }
    if models.iter().any(|model| files::is_standard(model)) {
        let hint = "name its file, or check it alone";
        shell.complain("standard input is one model only", None, Some(hint));
        return Exit::BadInput;
    }
    let mut next = 0;
    let all = check(args, models, shell, &|| false, &mut |checked, shell| {
        next += 1;
        summary::block(args, checked, next == 1, shell);
    });
    let Some(all) = all else {
        return Exit::BadInput;
    };
    interrupt::or(conclude(args, &all, shell))
}

/// Writes the reports and the summary; the exit code of all.
pub fn conclude(args: &Check, all: &[Returned], shell: &mut Shell) -> Exit {
    let parts: Vec<Part> = all.iter().map(|checked| checked.part.clone()).collect();
    let written = outputs::write(&args.reports, &parts, shell);
    match shell.format() {
        Format::Json => {
            let json = summary::json(args, all);
            shell.print(&(json + "\n"));
        }
        Format::Text => shell.print(&summary::text(args, all, shell.style())),
    }
    let exit = all.iter().map(|checked| summary::exit(args, checked));
    exit.fold(Exit::Ok, Exit::and)
        .and(written)
        .and(shell.done())
}

/// Checks models, as many at a time as is allowed, and tells of each when all before it are done. `None` if that was
/// stopped, or could not be started.
pub fn check(
    args: &Check,
    models: &[PathBuf],
    shell: &mut Shell,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Returned, &mut Shell),
) -> Option<Vec<Returned>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or(cores).clamp(1, models.len().max(1));
    let folder = match tempfile::Builder::new().prefix("sandalc-check-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            shell.complain(
                &format!("there is no temporary folder: {error}"),
                None,
                None,
            );
            return None;
        }
    };
    let worker = Worker {
        folder: folder.path(),
        coloured: shell.is_coloured(),
        columns: shell.is_terminal().then(|| shell.columns()),
        memory: memory::usable() / jobs,
        threads: (cores / jobs).max(1),
        reports: &args.reports,
        stopped: &AtomicBool::new(false),
    };
    let mut done: Vec<Option<Returned>> = models.iter().map(|_| None).collect();
    let mut told = 0;
    let mut line = ProgressLine::new(shell);
    let next = AtomicUsize::new(0);
    let interrupted = interrupt::watch();
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..jobs {
            let (sender, next, worker) = (sender.clone(), &next, &worker);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(model) = models.get(index) else {
                        return;
                    };
                    let checked = worker.check(model, index);
                    if sender.send((index, checked)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match results.recv_timeout(INTERVAL) {
                Ok((index, checked)) => done[index] = Some(checked),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupted.load(Ordering::Relaxed) || stop() {
                worker.stopped.store(true, Ordering::Relaxed);
            }
            while let Some(Some(checked)) = done.get(told) {
                line.clear();
                tell(checked, shell);
                told += 1;
            }
            let ready = done.iter().flatten().count();
            line.say(&bar(ready, models.len()));
        }
    });
    line.clear();
    let all: Vec<Returned> = done.into_iter().flatten().collect();
    let stopped = worker.stopped.load(Ordering::Relaxed) && !interrupted.load(Ordering::Relaxed);
    (!stopped).then_some(all)
}

/// `[#####...............] 5 of 18 models`
fn bar(ready: usize, all: usize) -> String {
    const WIDTH: usize = 24;
    let full = ready * WIDTH / all.max(1);
    let (done, rest) = ("#".repeat(full), ".".repeat(WIDTH - full));
    format!("[{done}{rest}] {ready} of {all} models")
}

/// What every process gets.
struct Worker<'a> {
    folder: &'a Path,
    coloured: bool,
    /// How wide the terminal is, if there is one.
    columns: Option<usize>,
    memory: usize,
    threads: usize,
    /// The reports that are asked for.
    reports: &'a Reports,
    /// Whether they are to end.
    stopped: &'a AtomicBool,
}

impl Worker<'_> {
    /// Checks a model in a process of its own.
    fn check(&self, model: &Path, index: usize) -> Returned {
        let name = files::display(model);
        let failed = |why: &str, exit: Exit| Returned {
            file: model.to_owned(),
            part: Part::failed(&name, why, exit as u8, self.reports),
            out: String::new(),
            err: format!("{name}: {why}\n"),
        };
        if self.stopped.load(Ordering::Relaxed) {
            return failed("not checked: interrupted", Exit::Undecided);
        }
        let part = self.folder.join(format!("{index}.json"));
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(error) => return failed(&format!("cannot be checked: {error}"), Exit::Undecided),
        };
        let mut command = Command::new(program);
        command
            .args(std::env::args_os().skip(1))
            .env(MODEL, model)
            .env(PART, &part)
            .env(MEMORY, self.memory.to_string())
            .env(THREADS, self.threads.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.coloured {
            command.env("CLICOLOR_FORCE", "1");
        }
        if let Some(columns) = self.columns {
            command
                .env("COLUMNS", columns.to_string())
                .env(TERMINAL, "1");
        }
        let output = match command.spawn() {
            Ok(child) => self.wait(child),
            Err(error) => Err(error),
        };
        let output = match output {
            Ok(output) => output,
            Err(error) => return failed(&format!("cannot be checked: {error}"), Exit::Undecided),
        };
        let code = output
            .status
            .code()
            .and_then(|code| u8::try_from(code).ok());
        let text = std::fs::read_to_string(&part).unwrap_or_default();
        Returned {
            file: model.to_owned(),
            part: match (serde_json::from_str(&text), code) {
                (Ok(part), _) => part,
                (Err(_), Some(code)) => {
                    Part::failed(&name, "there is no answer", code, self.reports)
                }
                (Err(_), None) => Part::failed(
                    &name,
                    "its process was killed",
                    Exit::Undecided as u8,
                    self.reports,
                ),
            },
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Waits for a process; one that is not needed any more is asked to end.
    fn wait(&self, child: std::process::Child) -> std::io::Result<std::process::Output> {
        let id = child.id();
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    if self.stopped.load(Ordering::Relaxed) {
                        terminate(id);
                        return;
                    }
                    std::thread::park_timeout(INTERVAL);
                }
            });
            let output = child.wait_with_output();
            ended.store(true, Ordering::Relaxed);
            output
        })
    }
}

/// Asks a process to end with what it knows.
#[cfg(unix)]
fn terminate(id: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn terminate(_: u32) {}
