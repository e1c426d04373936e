//! The arguments.

use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};
use clap_complete::Shell;

use super::Exit;

/// A fault-aware modelling language for message-passing systems, compiled to NuSMV.
#[derive(Parser, Debug)]
#[command(
    name = "sandalc",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "\
Exit codes:
  0  everything holds, or the work is done
  1  a property is violated (or `fmt --check` found a file to format)
  2  the model, a file or the command line is wrong
  3  a property is undecided within the limits, or an engine is missing
  4  a bug in sandalc"
)]
pub struct Arguments {
    /// How to speak.
    #[command(flatten)]
    pub output: Output,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
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

    /// Print results and messages as text or as json
    #[arg(
        long,
        value_enum,
        default_value_t = Format::Text,
        hide_possible_values = true,
        hide_default_value = true,
        global = true
    )]
    pub format: Format,
}

/// The format of messages and results.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
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
    pub shell: Shell,
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
    parsed.map_err(|error| {
        // A reader that has gone (`--help | head`) is no error.
        let _ = error.print();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Ok,
            _ => Exit::BadInput,
        }
    })
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
