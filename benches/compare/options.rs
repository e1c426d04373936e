//! The command line of the comparison.

use std::path::PathBuf;

use clap::Parser;

/// Compares sandalc with Spin and NuSMV, all measured in one run, in turn
#[derive(Parser, Debug)]
#[command(name = "compare", bin_name = "cargo bench --bench compare --")]
pub struct Options {
    /// Only the smallest sizes, each once
    #[arg(long)]
    pub quick: bool,

    /// Only these families, and of them only these variants: `two_phase`, `two_phase/drop`
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub family: Vec<String>,

    /// Neither the paper's models, nor the cost of liveness, nor two cores
    #[arg(long)]
    pub only_table: bool,

    /// Only these competitors; `spin*` means all whose names begin so
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub competitors: Vec<String>,

    /// The most seconds for a run; sizes grow until they are not enough
    #[arg(long, default_value_t = 5.0)]
    pub seconds: f64,

    /// The most seconds for those whose largest sizes are compared: spin, and sandalc on all cores
    #[arg(long, value_name = "SECONDS")]
    pub reach: Option<f64>,

    /// The most memory for a run, such as `4G`
    #[arg(long, default_value = "4G", value_parser = size)]
    pub memory: u64,

    /// Begin with this size
    #[arg(long, value_name = "SIZE")]
    pub smallest: Option<u32>,

    /// Leave out sizes: 2 takes every other one
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub step: u32,

    /// Never go beyond this size
    #[arg(long, value_name = "SIZE")]
    pub largest: Option<u32>,

    /// How often a run of less than three seconds is measured; the best counts
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,

    /// Write what was measured to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw the growth of the times to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Put the figures into this page, between its marks
    #[arg(long, value_name = "FILE")]
    pub docs: Option<PathBuf>,

    /// The modules of the 2014 compiler
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,

    /// Redo the tables of the paper that introduced Sandal, and nothing else: put them into this page, between its marks, and their
    /// plot beside it
    #[arg(long, value_name = "FILE")]
    pub paper: Option<PathBuf>,

    /// What `cargo bench` adds
    #[arg(long, hide = true)]
    pub bench: bool,
}

impl Options {
    /// The sizes to try, of those a variant has; both are from, to, in steps of.
    pub fn sizes(&self, (first, last, step): (u32, u32, u32)) -> (u32, u32, u32) {
        let smallest = self.smallest.unwrap_or(first).max(first);
        let smallest = first + (smallest - first).next_multiple_of(step);
        let largest = match (self.quick, self.largest) {
            (true, _) => smallest,
            (false, Some(largest)) => last.min(largest),
            (false, None) => last,
        };
        (smallest, largest, step * self.step)
    }
}

fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.trim_end_matches(|c: char| c.is_ascii_alphabetic()) {
        number if number.len() < text.len() => (number, &text[number.len()..]),
        number => (number, ""),
    };
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err(format!("`{unit}` is no unit; write K, M or G")),
    };
    let number: u64 = number.parse().map_err(|_| "write a number such as 4G")?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "that is too much".to_string())
}
