//! Spin, NuSMV and sandalc on the same protocols, measured in one run, in turn:
//! `cargo bench --bench compare -- --help`.
//!
//! Each family of models grows until a competitor hits the limits of time and memory; who has hit them takes no part
//! in larger sizes. Then what was found is put together: growth, the largest sizes, and the ratios that must hold.

mod competitor;
mod family;
mod largest;
mod measurement;
mod nusmv;
mod options;
mod ours;
mod process;
mod spin;
mod table;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use competitor::{Competitor, Field};
use family::{FAMILIES, Family, Instance, Variant};
use options::Options;
use process::Limits;
use table::Row;

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
    let chosen = families(&options.family)?;
    let abilities = ours::Abilities::ask()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let competitors = competitors(competitor::all(abilities, cores), &options.competitors)?;
    let limits = Limits {
        seconds: options.seconds,
        memory: options.memory,
    };
    let rounds = if options.quick { 1 } else { options.rounds };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let mut field = Field::new(root, &competitors, abilities, limits, rounds)?;
    println!("{}", table::head());
    let mut rows = Vec::new();
    for (family, variant) in chosen {
        rows.extend(grow(&mut field, &competitors, options, family, variant)?);
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
    Ok(())
}

/// Measures all competitors on a growing model, each until it hits a limit.
fn grow(
    field: &mut Field,
    competitors: &[Competitor],
    options: &Options,
    family: &'static Family,
    variant: &'static Variant,
) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut running: Vec<&Competitor> = competitors.iter().collect();
    let (first, last) = variant.sizes;
    let last = match options.quick {
        true => first,
        false => last.min(options.largest.unwrap_or(last)),
    };
    for size in first..=last {
        let instance = Instance {
            family,
            variant,
            size,
        };
        let mut answer = None;
        let mut still = Vec::new();
        for who in running {
            let measured = field.measure(who, instance)?;
            let row = Row {
                instance,
                who: who.clone(),
                measured,
            };
            println!("{}", table::text(&row));
            let found = row.measured.answer;
            if !found.is_over() {
                still.push(who);
                if *answer.get_or_insert(found) != found {
                    return Err(format!(
                        "{} disagrees about {}",
                        who.name,
                        table::name(instance)
                    ));
                }
            }
            rows.push(row);
        }
        running = still;
        if running.is_empty() {
            break;
        }
    }
    Ok(rows)
}

fn families(names: &[String]) -> Result<Vec<(&'static Family, &'static Variant)>, String> {
    let all = FAMILIES
        .iter()
        .flat_map(|family| family.variants.iter().map(move |variant| (family, variant)));
    let matches = |name: &str, family: &Family, variant: &Variant| match name.split_once('/') {
        Some((first, second)) => family.name == first && variant.name == second,
        None => family.name == name,
    };
    for name in names {
        if !all.clone().any(|(f, v)| matches(name, f, v)) {
            let known: Vec<String> = all.map(|(f, v)| format!("{}/{}", f.name, v.name)).collect();
            return Err(format!(
                "no family `{name}`; choose from {}",
                known.join(", ")
            ));
        }
    }
    Ok(all
        .filter(|(f, v)| names.is_empty() || names.iter().any(|name| matches(name, f, v)))
        .collect())
}

fn competitors(all: Vec<Competitor>, names: &[String]) -> Result<Vec<Competitor>, String> {
    for name in names {
        if !all.iter().any(|c| c.name.starts_with(name.as_str())) {
            let known: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
            return Err(format!(
                "no competitor `{name}`; choose from {}",
                known.join(", ")
            ));
        }
    }
    Ok(all
        .into_iter()
        .filter(|c| names.is_empty() || names.iter().any(|n| c.name.starts_with(n.as_str())))
        .collect())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|why| format!("cannot write {}: {why}", path.display()))
}
