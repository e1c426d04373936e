//! Spin, NuSMV and sandalc on the same protocols, measured in one run, in turn:
//! `cargo bench --bench compare -- --help`.
//!
//! Each family of models grows until a competitor hits the limits of time and memory; who has hit them takes no part
//! in larger sizes. Then what was found is put together: growth, the largest sizes, and the ratios that must hold.

mod competitor;
mod cost;
mod family;
mod goals;
mod largest;
mod measurement;
mod nusmv;
mod options;
mod ours;
mod paper;
mod plot;
mod process;
mod spin;
mod sweep;
mod table;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use competitor::Field;
use options::Options;
use process::Limits;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let chosen = sweep::families(&options.family)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let competitors = sweep::competitors(competitor::all(cores), &options.competitors)?;
    let limits = Limits {
        seconds: options.seconds,
        memory: options.memory,
    };
    let rounds = if options.quick { 1 } else { options.rounds };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let mut field = Field::new(root, &competitors, limits, rounds)?;
    println!("{}", table::head());
    let mut rows = Vec::new();
    for (family, variant) in chosen {
        rows.extend(sweep::grow(
            &mut field,
            &competitors,
            options.sizes(variant.sizes),
            family,
            variant,
        )?);
    }
    println!("\nGrowth\n\n{}", table::growth(&rows));
    println!(
        "Largest size in {} s and {} MiB\n\n{}",
        options.seconds,
        options.memory >> 20,
        largest::text(&rows)
    );
    if let Some(path) = &options.csv {
        write(path, &table::csv(&rows))?;
    }
    if let Some(path) = &options.plot {
        write(path, &plot::svg(&rows))?;
    }
    let mut goals = goals::from_rows(&rows);
    if !options.quick && !options.only_table {
        let baseline = options.baseline.as_deref();
        goals.extend(paper::measure(&field, baseline)?);
        println!();
        goals.extend(cost::liveness(&field.root, rounds)?);
        println!();
        goals.push(cost::two_cores(&field.root, rounds)?);
    }
    println!("\nWhat must hold\n\n{}", goals::text(&goals));
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|why| format!("cannot write {}: {why}", path.display()))
}
