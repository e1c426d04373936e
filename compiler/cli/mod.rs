//! The command line: arguments, files, exit codes. With what `tests/architecture.rs` lists beside it (`nusmv::run`), the only
//! code that talks to the outside.
//!
//! [`main`] reads the arguments ([`args`]) and gives the work to the module of the command; what all commands on a model do
//! first is in [`model`].
//!
//! Results go to standard output, messages to standard error. The exit codes are those of [`Exit`].

mod analysis;
pub mod args;
mod check;
mod compile;
mod diagnose;
mod diff;
mod doc;
mod doctor;
mod drawing;
mod dump;
mod explain;
pub mod files;
mod format;
mod graph;
mod guard;
mod import;
mod internal;
mod interrupt;
pub mod memory;
pub mod model;
mod pages;
mod progress;
mod proofs;
mod replace;
mod replay;
mod shell;
mod simulate;
pub mod spill;

use std::process::ExitCode;

use args::{Arguments, Command, Wanted};
use guard::guarded;
use shell::Shell;

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything holds, or the work is done.
    Ok = 0,
    /// A property is violated; `fmt --check` found a file to format.
    Violated = 1,
    /// The model, a file or the command line is wrong.
    BadInput = 2,
    /// A property is undecided within the limits, or an engine is missing.
    Undecided = 3,
    /// A bug in `sandalc`.
    Internal = 4,
    /// The terminal was closed: 128 and the number of the signal, as shells count.
    HungUp = 129,
    /// Ctrl-C.
    Interrupted = 130,
    /// Somebody asked it to end (`SIGTERM`).
    Terminated = 143,
}

impl Exit {
    /// The one with a code.
    #[cfg(feature = "machines")]
    fn from_code(code: u8) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| *exit as u8 == code)
    }

    /// All, the weightiest first: bugs and bad input come first, then an interruption, a violation, and doubt.
    const ALL: [Exit; 8] = [
        Exit::Internal,
        Exit::BadInput,
        Exit::Terminated,
        Exit::Interrupted,
        Exit::HungUp,
        Exit::Violated,
        Exit::Undecided,
        Exit::Ok,
    ];

    /// The end of two pieces of work: the weightier one.
    pub fn and(self, other: Exit) -> Exit {
        Exit::ALL
            .into_iter()
            .find(|exit| *exit == self || *exit == other)
            .expect("all are listed")
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Models may nest deeply; this much address space (not memory) lets every pass recurse on them.
pub const STACK: usize = 256 << 20;

/// The whole command: reads the arguments, does the work, returns the exit code.
pub fn main() -> ExitCode {
    internal::catch_panics();
    let arguments = match args::parse() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    let mut shell = Shell::new(&arguments.output);
    let outcome = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || run(arguments, &mut shell))
            .map(|work| work.join())
    });
    match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => internal::report(&mut shell),
        Err(error) => {
            shell.complain(&format!("cannot start working: {error}"), None, None);
            Exit::BadInput
        }
    }
    .into()
}

/// Does what the arguments ask for.
fn run(arguments: Arguments, shell: &mut Shell) -> Exit {
    let formats = match &arguments.command {
        Some(command) => command.formats(),
        None => &[Wanted::Text, Wanted::Json],
    };
    if let Some(wanted) = shell.wanted().filter(|wanted| !formats.contains(wanted)) {
        let names: Vec<String> = formats.iter().map(|format| format.name()).collect();
        let message = format!("there is no format `{}` here", wanted.name());
        let hint = format!("choose from {}", names.join(", "));
        shell.complain(&message, None, Some(&hint));
        return Exit::BadInput;
    }
    match arguments.command {
        Some(Command::Tolerance(args)) => analysis::tolerance(&args, shell),
        Some(Command::Fta(args)) => analysis::fta(&args, shell),
        Some(Command::Fmea(args)) => analysis::fmea(&args, shell),
        Some(Command::Diagnose(args)) => diagnose::run(&args, shell),
        Some(Command::Check(args)) => check::run(&args, shell),
        Some(Command::Simulate(args)) => simulate::run(&args, shell),
        Some(Command::Replay(args)) => replay::run(&args, shell),
        Some(Command::Fmt(args)) => format::run(&args, shell),
        Some(Command::Lsp(_)) => crate::lsp::stdio(),
        Some(Command::Dump(args)) => guarded(shell, |shell| dump::run(&args, shell)),
        Some(Command::Graph(args)) => guarded(shell, |shell| graph::run(&args, shell)),
        Some(Command::Doc(args)) => guarded(shell, |shell| doc::run(&args, shell)),
        Some(Command::Import(args)) => guarded(shell, |shell| import::run(&args, shell)),
        Some(Command::Doctor(args)) => doctor::run(&args, shell),
        Some(Command::Explain(args)) => explain::run(&args, shell),
        Some(Command::Completions(args)) => pages::completions(&args, shell),
        Some(Command::Man(args)) => pages::man(&args, shell),
        None => guarded(shell, |shell| compile::run(arguments.compile, shell)),
    }
}
