//! The arguments of `tolerance`, `fta`, `fmea` and `diagnose`.

use std::path::PathBuf;

use super::{ModelArgs, seconds};
use crate::cli::memory::Size;

/// How much an analysis may take.
#[derive(clap::Args, Debug)]
pub struct Limits {
    /// Give up after so many states
    #[arg(long, value_name = "NUMBER")]
    pub max_states: Option<u64>,

    /// Give up when so much memory is used, such as `4G` [default: most of what is free]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<Size>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,

    /// With how many injections a `ctl` property is tried at most
    #[arg(long, value_name = "NUMBER", default_value = "3")]
    pub max_faults: u32,
}

/// `sandalc tolerance`
#[derive(clap::Args, Debug)]
pub struct Tolerance {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// Only this property (can be repeated)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// How much it may take.
    #[command(flatten)]
    pub limits: Limits,
}

/// `sandalc fta`
#[derive(clap::Args, Debug)]
pub struct Fta {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// The property whose violation is the top event
    #[arg(long, value_name = "NAME", required = true)]
    pub property: String,

    /// How likely each fault is: a file with a line `worker1@shutdown = 0.001` for each
    #[arg(long, value_name = "FILE")]
    pub probability: Option<PathBuf>,

    /// Show a run for each cut set
    #[arg(long)]
    pub trace: bool,

    /// How much it may take.
    #[command(flatten)]
    pub limits: Limits,
}

/// `sandalc fmea`
#[derive(clap::Args, Debug)]
pub struct Fmea {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// Only this property (can be repeated)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// How much it may take.
    #[command(flatten)]
    pub limits: Limits,
}

/// `sandalc diagnose`
#[derive(clap::Args, Debug)]
pub struct Diagnose {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// Show two runs that a process cannot tell apart, one with a fault and one without it
    #[arg(long, num_args = 2, value_names = ["FAULT", "PROCESS"])]
    pub why: Vec<String>,

    /// Write a page to this file: the table, or with `--why` the two runs side by side
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Give up after so many states
    #[arg(long, value_name = "NUMBER")]
    pub max_states: Option<u64>,

    /// Give up when so much memory is used, such as `4G` [default: most of what is free]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<Size>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
}
