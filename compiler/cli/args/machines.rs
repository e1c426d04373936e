//! The arguments of a search by several processes.

use std::path::PathBuf;

use super::seconds;

/// With whom to search.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Several machines")]
pub struct Machines {
    /// Search together with other processes, on this machine and others: a file with a `host:port` for each on a line
    #[arg(long, value_name = "HOSTS", requires = "process")]
    #[arg(conflicts_with_all = ["list", "watch"])]
    pub hosts: Option<PathBuf>,

    /// Which of them this one is: 0 for the first line; that one tells the answers
    #[arg(long, value_name = "NUMBER", requires = "hosts")]
    pub process: Option<usize>,

    /// How many seconds to wait until all have come
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub connect_timeout: f64,

    /// Write down every level of the search, to go on from there with `--resume`
    #[arg(long, value_name = "FOLDER", requires = "hosts")]
    pub checkpoint: Option<PathBuf>,

    /// Go on from what is written in the folder of `--checkpoint`
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
}
