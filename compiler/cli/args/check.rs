//! The arguments of `check`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Machines, ModelOptions, Reports, seconds, threads};
use crate::cli::check::engines::{Engine, Places};
use crate::cli::memory::Size;

/// `sandalc check`
#[derive(clap::Args, Debug)]
pub struct Check {
    /// Models, and folders with models; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What to make of them.
    #[command(flatten)]
    pub options: ModelOptions,

    /// Check only this property (can be repeated)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// Who answers: embedded, nusmv, abc, or auto: embedded, with proofs by ABC if that takes long, confirmed by NuSMV, if they
    /// are installed
    #[arg(
        long,
        value_enum,
        default_value_t = Engine::Auto,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub engine: Engine,

    /// Where they are.
    #[command(flatten)]
    pub engines: Places,

    /// How many seconds a search goes on alone before ABC looks for proofs beside it
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub prove_after: f64,

    /// How many seconds NuSMV has to confirm answers
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub confirm_timeout: f64,

    /// How many seconds to look for smaller runs than the first ones that were found
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub minimise: f64,

    /// List the properties instead of checking them
    #[arg(long)]
    pub list: bool,

    /// Give up after so many states
    #[arg(long, value_name = "NUMBER")]
    pub max_states: Option<u64>,

    /// Give up when so much memory is used, such as `4G` [default: most of what is free]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<Size>,

    /// Move states that do not fit into memory to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    pub spill: Option<PathBuf>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,

    /// Take every step in every order, also where the order makes no difference
    #[arg(long)]
    pub no_reduction: bool,

    /// Tell states apart that differ only by exchanging identical processes
    #[arg(long)]
    pub no_symmetry: bool,

    /// How many threads search; the answers do not depend on it [default: one per processor]
    #[arg(long, value_name = "NUMBER", value_parser = threads)]
    pub threads: Option<usize>,

    /// How runs are shown.
    #[command(flatten)]
    pub drawing: Drawing,

    /// Show how the condition of each `reachable` comes about
    #[arg(long)]
    pub witness: bool,

    /// Say only what is violated or unknown, and the summary: no warnings, no runs
    #[arg(long, short)]
    pub quiet: bool,

    /// Explore all states and print figures of the search
    #[arg(long)]
    pub stats: bool,

    /// Say what is never executed, received or injected, and which processes can wait for ever
    #[arg(long)]
    pub coverage: bool,

    /// Change the model in one place after another, and say which changes no property notices
    #[arg(long)]
    pub mutate: bool,

    /// Compare the answers with the `// expect:` lines of each model; end with 0 if all are as expected
    #[arg(long, conflicts_with = "list")]
    pub expect: bool,

    /// Check again whenever a model or a file that it imports has changed
    #[arg(long, conflicts_with = "list")]
    pub watch: bool,

    /// How many models are checked at a time [default: one per processor]
    #[arg(long, value_name = "NUMBER", value_parser = threads)]
    pub jobs: Option<usize>,

    /// With whom to search.
    #[command(flatten)]
    pub machines: Machines,

    /// Further reports.
    #[command(flatten)]
    pub reports: Reports,
}

/// How runs are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Drawing {
    /// How runs are shown: chart, steps, both or none [default: both on a terminal, else steps]
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = true)]
    pub trace: Option<TraceForm>,

    /// Draw charts with plain characters only
    #[arg(long)]
    pub ascii: bool,

    /// Show every step of a run with every variable that it changes, also steps that change nothing
    #[arg(long)]
    pub full_trace: bool,
}

/// How a run is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceForm {
    /// As a sequence chart.
    Chart,
    /// Step by step, in words.
    Steps,
    /// As a chart, with the steps below.
    Both,
    /// Not at all.
    None,
}
