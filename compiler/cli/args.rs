//! The arguments.

mod analysis;
mod check;
mod machines;
mod reports;
mod runs;

pub use analysis::{Diagnose, Fmea, Fta, Limits, Tolerance};
pub use check::{Check, Drawing, TraceForm};
pub use machines::Machines;
pub use reports::Reports;
pub use runs::{Replay, Simulate};

use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};

use super::Exit;
use super::check::engines::Places;
use super::shell::Shell;
use crate::diagnostic::did_you_mean;
use crate::program::Define;
use crate::source::printable;

/// A fault-aware modelling language for message-passing systems
///
/// Without a command, compiles a model to NuSMV.
#[derive(Parser, Debug)]
#[command(
    name = "sandalc",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  sandalc model.sdl -o model.smv     compile to NuSMV
  sandalc check model.sdl            check its properties
  sandalc fmt .                      format all models in this folder
  sandalc explain S0301              what a message means

Exit codes:
  0  everything holds, or the work is done
  1  a property is violated (or `fmt --check` found a file to format)
  2  the model, a file or the command line is wrong
  3  a property is undecided within the limits, or an engine that was asked for is missing
  4  a bug in sandalc
  129, 130, 143  interrupted (terminal closed, Ctrl-C, SIGTERM)"
)]
pub struct Arguments {
    /// Compiling, if there is no command.
    #[command(flatten)]
    pub compile: Compile,

    /// How to speak.
    #[command(flatten)]
    pub output: Output,

    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// `sandalc FILE`
#[derive(clap::Args, Debug)]
pub struct Compile {
    /// The model; `-` is standard input
    // There is one, unless there is a command.
    #[arg(required = true)]
    pub file: Option<PathBuf>,

    /// What to make of the model.
    #[command(flatten)]
    pub options: ModelOptions,

    /// Write to this file instead of standard output; its safety properties as AIGER if the name ends in `.aig` or `.aag`
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The model, and what to make of it.
#[derive(clap::Args, Debug)]
pub struct ModelArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,

    /// What to make of it.
    #[command(flatten)]
    pub options: ModelOptions,
}

/// What to make of a model.
#[derive(clap::Args, Clone, Debug)]
pub struct ModelOptions {
    /// Give a top-level constant another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub define: Vec<Define>,

    /// Add the faults, limits, constants and specifications of this file
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Leave out all faults that the model marks
    #[arg(long, conflicts_with = "faults")]
    pub no_faults: bool,

    /// Keep only these faults, such as `worker1@shutdown,@drop`
    #[arg(long, value_name = "LIST")]
    pub faults: Option<String>,

    /// Let a timeout happen only when its operation cannot go
    #[arg(long)]
    pub timely: bool,

    /// Do not check for deadlocks
    #[arg(long)]
    pub allow_deadlock: bool,

    /// Leave the system as it is woven, step for step
    #[arg(long)]
    pub no_simplify: bool,
}

fn define(text: &str) -> Result<Define, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(Define {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
        }),
        _ => Err("write NAME=VALUE, such as `-D N=3`".to_owned()),
    }
}

/// How to speak.
#[derive(clap::Args, Debug)]
pub struct Output {
    /// Use colours: auto, always or never
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = clap::ColorChoice::Auto,
        hide_possible_values = true,
        hide_default_value = true,
        global = true
    )]
    pub color: clap::ColorChoice,

    /// Print results and messages as text or as json; some commands have other formats
    #[arg(long, value_enum, hide_possible_values = true, global = true)]
    pub format: Option<Wanted>,
}

impl Output {
    /// What wrong arguments say about it.
    fn of(words: &[std::ffi::OsString]) -> Output {
        let json = words
            .iter()
            .any(|word| word == "json" || word == "--format=json");
        Output {
            color: colour(words).unwrap_or(clap::ColorChoice::Auto),
            format: json.then_some(Wanted::Json),
        }
    }
}

/// The format of messages, and of results that have no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The formats that can be asked for. [`Command::formats`] says which of them a command has.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// A picture.
    Svg,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// For spreadsheets.
    Csv,
    /// Open-PSA XML.
    Mef,
}

impl Wanted {
    /// How messages are told meanwhile.
    pub fn messages(self) -> Format {
        match self {
            Wanted::Json => Format::Json,
            _ => Format::Text,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Command {
    /// The formats that a command has.
    pub fn formats(&self) -> &'static [Wanted] {
        use Wanted::{Csv, Dot, Json, Mef, Mermaid, Svg, Text};
        match self {
            Command::Graph(_) => &[Svg, Dot, Mermaid],
            Command::Fta(_) => &[Text, Json, Dot, Svg, Mef],
            Command::Fmea(_) => &[Text, Json, Csv],
            _ => &[Text, Json],
        }
    }
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check the properties of models
    ///
    /// Prints a line for each property, then for each violated one the run that violates it: the one with
    /// the fewest faults, of these the shortest. Of a folder all models are checked, several at a time.
    #[command(after_help = "\
Examples:
  sandalc check model.sdl
  sandalc check model.sdl --property agreement --no-faults
  sandalc check model.sdl -D N=3 --timeout 60
  sandalc check models --expect --sarif models.sarif --junit models.xml
  sandalc check model.sdl --watch")]
    Check(Box<Check>),

    /// Show random runs of a model, or take one step by step
    ///
    /// Faults are injected now and then. A run ends where a property is violated that a single run can violate: deadlock,
    /// a run-time check, an invariant.
    #[command(after_help = "\
Examples:
  sandalc simulate model.sdl
  sandalc simulate model.sdl --seed 7 --steps 1000 --fault-rate 0.2 --save run.json
  sandalc simulate model.sdl --runs 100
  sandalc simulate model.sdl --interactive")]
    Simulate(Simulate),

    /// Take a saved run or a counterexample again, and say where it no longer fits
    #[command(after_help = "\
Examples:
  sandalc replay model.sdl run.json
  sandalc check model.sdl --format json > answers.json; sandalc replay model.sdl answers.json")]
    Replay(Replay),

    /// Say which faults each property survives: alone, together, how many
    #[command(after_help = "\
Examples:
  sandalc tolerance model.sdl
  sandalc tolerance model.sdl --property agreement --format json")]
    Tolerance(Tolerance),

    /// Show the fault tree of a property: the smallest sets of faults that violate it
    ///
    /// With `--format json`, `dot`, `svg` or `mef` (Open-PSA XML) for other programs.
    #[command(after_help = "\
Examples:
  sandalc fta model.sdl --property agreement
  sandalc fta model.sdl --property agreement --format svg > agreement.svg
  sandalc fta model.sdl --property agreement --probability faults.txt")]
    Fta(Fta),

    /// List what each fault does: a row per fault
    ///
    /// With `--format json` or `csv` for other programs.
    #[command(after_help = "Example:\n  sandalc fmea model.sdl --format csv > model.csv")]
    Fmea(Fmea),

    /// Say which process can tell which fault
    ///
    /// Without any specification: for each fault and each process with a `view` the smallest sets of faults of which the process
    /// surely comes to know that one has begun.
    #[command(after_help = "\
Examples:
  sandalc diagnose model.sdl
  sandalc diagnose model.sdl --format json
  sandalc diagnose model.sdl --why lost node[2]")]
    Diagnose(Diagnose),

    /// Serve an editor: the language server, on standard input and output
    #[command(after_help = "\
Example:
  sandalc lsp     editors start it themselves: docs/editors.md")]
    Lsp(Lsp),

    /// Format models
    ///
    /// Files are rewritten in place and the names of those that changed are printed; of a folder all
    /// `.sdl` files. Standard input (`-`) is formatted to standard output.
    #[command(after_help = "\
Examples:
  sandalc fmt model.sdl
  sandalc fmt --check examples
  sandalc fmt - < model.sdl")]
    Fmt(Fmt),

    /// Show a model in one of its forms, from tokens to NuSMV
    #[command(after_help = "\
Examples:
  sandalc dump ast model.sdl
  sandalc dump graph --dot model.sdl | dot -Tsvg > model.svg")]
    Dump(Dump),

    /// Draw the processes of a model, or the state machine of one of them
    ///
    /// Prints an SVG picture, or the graph in the language of Graphviz or Mermaid (`--format dot`, `mermaid`).
    #[command(after_help = "\
Examples:
  sandalc graph model.sdl > model.svg
  sandalc graph model.sdl --process worker1 > worker1.svg
  sandalc graph model.sdl --format mermaid")]
    Graph(Graph),

    /// Show what a module of the library, or a file, says about itself
    ///
    /// The comment at the top, and each definition with the comment right above it.
    #[command(after_help = "\
Examples:
  sandalc doc                        the modules of the library
  sandalc doc std/link
  sandalc doc model.sdl")]
    Doc(Doc),

    /// Make a model of what others have written
    #[command(after_help = "\
Examples:
  sandalc import agenttool conversations.tbl -o conversations.sdl
  sandalc import agenttool info.tbl data.tbl --sequence messages.tbl -o conversations.sdl")]
    Import(Import),

    /// Say which engines are installed, and how to get the others
    #[command(after_help = "Example:\n  sandalc doctor")]
    Doctor(Doctor),

    /// Explain the code of a message
    #[command(after_help = "Example:\n  sandalc explain S0301")]
    Explain(Explain),

    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  sandalc completions bash > ~/.local/share/bash-completion/completions/sandalc
  sandalc completions fish > ~/.config/fish/completions/sandalc.fish
  sandalc completions zsh > \"${fpath[1]}/_sandalc\"")]
    Completions(Completions),

    /// Print the manual page
    #[command(after_help = "Example:\n  sandalc man > /usr/local/share/man/man1/sandalc.1")]
    Man(Man),
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("write a number of seconds, such as `60`".to_owned()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads >= 1 => Ok(threads),
        _ => Err("write a number, such as `2`".to_owned()),
    }
}

/// `sandalc fmt`
#[derive(clap::Args, Debug)]
pub struct Fmt {
    /// Change nothing; show what would change, and end with 1 if anything would
    #[arg(long)]
    pub check: bool,

    /// Files and folders; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `sandalc dump`
#[derive(clap::Args, Debug)]
pub struct Dump {
    /// The form
    pub form: Form,

    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// Print graphs for Graphviz
    #[arg(long)]
    pub dot: bool,
}

/// The forms of a model, in the order they come about.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The tokens, with the semicolons that line ends stand for
    Tokens,
    /// The syntax tree
    Ast,
    /// The checked program: instances with their constants filled in
    Program,
    /// The state graph of each process
    Graph,
    /// The system: channels and faults as ordinary edges
    Woven,
    /// The system with fewer states and the same answers, which the engines read
    Simplified,
    /// The NuSMV modules
    Smv,
    /// The safety properties as AIGER, in text
    Aiger,
}

/// `sandalc graph`
#[derive(clap::Args, Debug)]
pub struct Graph {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// The state machine of this process, such as `worker1` or `pool.worker[0]`
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,

    /// The processes and the channels between them; this is what is drawn if no process is named
    #[arg(long, conflicts_with = "process")]
    pub system: bool,
}

/// `sandalc import`
#[derive(clap::Args, Debug)]
pub struct Import {
    /// What it was written for.
    #[command(subcommand)]
    pub source: Source,
}

/// What a model can be made of.
#[derive(Subcommand, Debug)]
pub enum Source {
    /// State tables of conversations between agents
    ///
    /// A row is `process;state;received;guard;transmitted;next`, with `null` for none. The names of processes end with
    /// `Initiator` or `Responder`; a conversation begins in `startState` and ends in `endState`.
    Agenttool {
        /// The tables; `-` is standard input
        #[arg(required = true, value_name = "TABLE")]
        tables: Vec<PathBuf>,

        /// Ask whether these messages can be sent one after the other: rows of `conversation;from;to;message`
        #[arg(long, value_name = "TABLE")]
        sequence: Vec<PathBuf>,

        /// Write the model to this file instead of standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// `sandalc doc`
#[derive(clap::Args, Debug)]
pub struct Doc {
    /// A module of the library, such as `std/link`, or a file; without one, the library's modules are listed
    pub name: Option<PathBuf>,
}

/// `sandalc doctor`
#[derive(clap::Args, Debug)]
pub struct Doctor {
    /// Where to look.
    #[command(flatten)]
    pub engines: Places,
}

/// `sandalc lsp`
#[derive(clap::Args, Debug)]
pub struct Lsp {
    /// As many clients say; there is no other way to talk to it
    #[arg(long)]
    pub stdio: bool,
}

/// `sandalc explain`
#[derive(clap::Args, Debug)]
pub struct Explain {
    /// The code, such as `S0301`; without one, all codes are listed
    pub code: Option<String>,
}

/// `sandalc completions`
#[derive(clap::Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `sandalc man`
#[derive(clap::Args, Debug)]
pub struct Man {
    /// The page of this command instead of the whole program's
    pub command: Option<String>,
}

/// Reads the arguments of the process; the exit code if that was all (`--help`) or they are wrong.
pub fn parse() -> Result<Arguments, Exit> {
    let words: Vec<_> = std::env::args_os().collect();
    let mut command = Arguments::command();
    if let Some(choice) = colour(&words) {
        command = command.color(choice);
    }
    let parsed = command
        .try_get_matches_from_mut(&words)
        .and_then(|matches| <Arguments as clap::FromArgMatches>::from_arg_matches(&matches));
    let helps = matches!(&parsed, Err(error) if !error.use_stderr());
    if let Some(name) = unknown_command(&words, &command).filter(|_| !helps) {
        let names: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
        let hint = match did_you_mean(&name, names.iter().copied()) {
            _ if name == "help" => "write `--help`".to_owned(),
            Some(near) => format!("write `{near}`"),
            None => format!("choose from {}, or name a file", names.join(", ")),
        };
        let text = format!("there is no command `{name}`, and no file of this name");
        Shell::new(&Output::of(&words)).complain(&text, None, Some(&hint));
        return Err(Exit::BadInput);
    }
    parsed.map_err(|error| {
        // Arguments are quoted in the message: they are to be printable.
        let clean = words.iter().map(|word| printable(&word.to_string_lossy()));
        let error = command
            .try_get_matches_from_mut(clean)
            .err()
            .unwrap_or(error);
        // A reader that has gone (`--help | head`) is no error.
        let _ = error.print();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Ok,
            _ => Exit::BadInput,
        }
    })
}

/// The first word, if it is taken for a model but looks like a command: `sandalc chek model.sdl`, `sandalc simulate`.
fn unknown_command(words: &[std::ffi::OsString], command: &clap::Command) -> Option<String> {
    let name = words.get(1)?.to_str()?;
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (!name.is_empty()
        && command.find_subcommand(name).is_none()
        && is_word
        && !name.starts_with('-')
        && !Path::new(name).exists())
    .then(|| name.to_owned())
}

/// `--color`, which has to be known before the arguments are read, for errors in them.
fn colour(words: &[std::ffi::OsString]) -> Option<clap::ColorChoice> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let value = words.find_map(|word| match word.strip_prefix("--color=") {
        Some(value) => Some(Some(value)),
        None => (word == "--color").then_some(None),
    })?;
    let value = value.or_else(|| words.next())?;
    clap::ColorChoice::from_str(value, true).ok()
}
