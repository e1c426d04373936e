//! Spin, NuSMV and sandalc on the same protocols, measured in one run, in turn:
//! `cargo bench --bench compare -- --help`.
//!
//! Each family of models grows until a competitor hits the limits of time and memory; who has hit them takes no part
//! in larger sizes. Then what was found is put together: growth, the largest sizes, and the ratios that must hold.

mod competitor;
mod cost;
mod docs;
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
    let limits = |seconds| Limits {
        seconds,
        memory: options.memory,
    };
    let far = limits(options.reach.unwrap_or(options.seconds));
    let limits = (limits(options.seconds), far);
    let rounds = if options.quick { 1 } else { options.rounds };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let mut field = Field::new(root, &competitors, limits, rounds, cores)?;
    if let Some(page) = &options.paper {
        return paper::write(&field, options.baseline.as_deref(), page);
    }
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
    if let Some(path) = &options.csv {
        write(path, &table::csv(&rows))?;
    }
    if let Some(path) = &options.plot {
        write(path, &plot::svg(&rows))?;
    }
    let mut sections = vec![
        ("Growth".to_string(), table::growth(&rows)),
        (largest_title(options), largest::text(&rows)),
    ];
    let mut goals = goals::from_rows(&rows);
    if !options.quick && !options.only_table {
        let (text, more) = paper::measure(&field, options.baseline.as_deref())?;
        sections.push(("The paper's models".to_string(), text));
        goals.extend(more);
        let (text, more) = cost::liveness(&field.root, rounds)?;
        sections.push(("Properties of fair runs".to_string(), text));
        goals.extend(more);
        goals.push(cost::two_cores(&field.root, rounds)?);
    }
    sections.push(("What must hold".to_string(), goals::text(&goals)));
    for (title, text) in &sections {
        println!("\n{title}\n\n{text}");
    }
    if let Some(path) = &options.docs {
        let head = (
            "On models that all can do".to_string(),
            table::selection(&rows),
        );
        sections.insert(0, head);
        docs::replace(path, &sections)?;
    }
    Ok(())
}

fn largest_title(options: &Options) -> String {
    let (seconds, memory) = (options.seconds, options.memory >> 20);
    match options.reach {
        None => format!("Largest size in {seconds} s and {memory} MiB"),
        Some(far) => format!(
            "Largest size in {seconds} s and {memory} MiB, of Spin and of sandalc on all cores in {far} s"
        ),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|why| format!("cannot write {}: {why}", path.display()))
}
