//! The arguments of the commands that show single runs.

use std::path::PathBuf;

use super::{Drawing, ModelArgs, seconds};
use crate::cli::memory::Size;

/// How much a run may take.
#[derive(clap::Args, Debug)]
pub struct RunLimits {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,

    /// Give up when so much memory is used, such as `4G` [default: most of what is free]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<Size>,
}

/// `sandalc simulate`
#[derive(clap::Args, Debug)]
pub struct Simulate {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// Which random run; the same number gives the same run everywhere [default: 1]
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1,
        hide_default_value = true
    )]
    pub seed: u64,

    /// The most steps of a run [default: 100]
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 100,
        hide_default_value = true
    )]
    pub steps: usize,

    /// How many runs; the next ones have the next seeds [default: 1]
    #[arg(long, value_name = "NUMBER", default_value_t = 1, hide_default_value = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,

    /// How likely a fault is in a step where one can be injected, from 0 to 1 [default: 0.05]
    #[arg(long, value_name = "NUMBER", value_parser = rate, default_value = "0.05", hide_default_value = true)]
    pub fault_rate: f64,

    /// Choose each step yourself
    #[arg(long, short, conflicts_with_all = ["runs", "steps"])]
    pub interactive: bool,

    /// Write the run to this file, for `sandalc replay`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// How runs are shown.
    #[command(flatten)]
    pub drawing: Drawing,

    /// How much it may take.
    #[command(flatten)]
    pub limits: RunLimits,
}

/// `sandalc replay`
#[derive(clap::Args, Debug)]
pub struct Replay {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,

    /// The run: saved by `simulate --save`, or what `check --format json` has printed; `-` is standard input
    pub run: PathBuf,

    /// Of a report of `check`, only the run of this property
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,

    /// How runs are shown.
    #[command(flatten)]
    pub drawing: Drawing,

    /// Say only whether it fits
    #[arg(long, short)]
    pub quiet: bool,

    /// How much it may take.
    #[command(flatten)]
    pub limits: RunLimits,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("write a number from 0 to 1, such as `0.05`".to_owned()),
    }
}
