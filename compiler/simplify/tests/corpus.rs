//! Equal verdicts on every model there is, and every run mapped back and replayed.

use std::path::{Path, PathBuf};

use super::fair::replay;
use crate::build;
use crate::engine;
use crate::engine::{Options, Report};
use crate::program;
use crate::simplify::{Rules, Simplified, simplify};
use crate::source::Sources;
use crate::syntax;
use crate::system::{self, Event, PropertyKind, System, print};
use crate::verdict::{Outcome, Verdict};
use crate::weave;

/// The System of a text, unless something is wrong with it.
pub fn compile(text: &str) -> Option<System> {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = syntax::parse(&sources, file);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let program = program::check(&parsed.file, &[], &[], &crate::weave::FAULTS).program?;
    Some(build(&program, &weave::Options::default()))
}

fn models(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sdl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// With more states than these a model is left to `tests/fixtures`, which also searches it in other ways.
const MOST: u64 = 1_000_000;

fn answers(system: &System) -> Report {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let limits = engine::Limits {
        states: MOST,
        ..engine::Limits::NONE
    };
    let options = Options {
        limits,
        full_space: true,
        ..Options::default()
    };
    engine::check(system, &wanted, &options, &mut |_| {})
}

/// Holding is holding, however it was found out.
fn plain(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds | Outcome::HoldsStatically => "holds",
        Outcome::Violated => "violated",
        Outcome::Unknown(_) => "unknown",
    }
}

/// The properties with their outcomes.
pub fn outcomes(system: &System) -> Vec<(String, &'static str)> {
    let verdicts = answers(system).verdicts;
    verdicts
        .iter()
        .map(|v| {
            let name = system.properties[v.property].name.clone();
            (name, plain(&v.outcome))
        })
        .collect()
}

/// Checks that a simplified System answers as the original does, if that can be searched; the figures of both.
pub fn compare(name: &str, original: &System, simplified: &Simplified) -> (Report, Report) {
    let (before, after) = (answers(original), answers(&simplified.system));
    if before.stats.exhausted.is_some() {
        return (before, after);
    }
    let dump = || {
        format!(
            "{name}\n{}\n{}",
            print::system(original),
            print::system(&simplified.system)
        )
    };
    assert_eq!(before.possible, after.possible, "{}", dump());
    for (old, new) in before.verdicts.iter().zip(&after.verdicts) {
        let property = &original.properties[old.property];
        assert_eq!(
            plain(&old.outcome),
            plain(&new.outcome),
            "{}: {}",
            property.name,
            dump()
        );
        mapped_back(&dump, original, simplified, new);
    }
    assert!(after.stats.states <= before.stats.states, "{}", dump());
    (before, after)
}

fn mapped_back(
    dump: &dyn Fn() -> String,
    original: &System,
    simplified: &Simplified,
    verdict: &Verdict,
) {
    let Some(run) = &verdict.run else { return };
    let property = &original.properties[verdict.property];
    let restored = simplified
        .restore(original, run, Some(verdict.property))
        .unwrap_or_else(|| panic!("{}: {run:?} is lost\n{}", property.name, dump()));
    let states = replay(original, &restored)
        .unwrap_or_else(|e| panic!("{}: {e}: {restored:?}\n{}", property.name, dump()));
    let last = states.last().expect("not empty");
    let shown = match &property.kind {
        PropertyKind::Deadlock => last.holds(&original.deadlock()),
        PropertyKind::Invariant(e) => !last.holds(e),
        PropertyKind::Reachable(e) => last.holds(e),
        PropertyKind::Check(check) => restored.moves.last().is_some_and(|step| match step {
            crate::verdict::Move::Step { process, edge, .. } => original.process(*process).edges
                [*edge]
                .events
                .contains(&Event::Failed(*check)),
            crate::verdict::Move::Stutter => false,
        }),
        PropertyKind::Ltl(f) => {
            let start = restored.loop_start.expect("a run for ever");
            let len = states.len() - 1;
            !system::lasso::holds_on_lasso(f, len, start, |i, atom| states[i].holds(atom))
        }
        PropertyKind::Ctl(_) | PropertyKind::Time => true,
    };
    assert!(shown, "{}: {restored:?}\n{}", property.name, dump());
}

/// The models that compile, with their names.
fn systems() -> impl Iterator<Item = (String, System)> {
    let paths = [models("tests/fixtures/models"), models("examples")];
    paths.into_iter().flatten().filter_map(|path| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        Some((path.display().to_string(), compile(&text)?))
    })
}

#[test]
fn every_model_keeps_its_verdicts() {
    let mut checked = 0;
    for (name, system) in systems() {
        let (before, _) = compare(&name, &system, &simplify(&system, &Rules::default()));
        checked += u32::from(before.stats.exhausted.is_none());
    }
    assert!(checked > 100, "only {checked} models were compared");
}

#[test]
fn without_merging_the_shown_traces_are_the_same() {
    let mut shown = 0;
    for (name, system) in systems() {
        let simplified = simplify(&system, &Rules::EVERY_STEP);
        let (before, after) = (answers(&system), answers(&simplified.system));
        if before.stats.exhausted.is_some() {
            continue;
        }
        for (old, new) in before.verdicts.iter().zip(&after.verdicts) {
            let kind = &system.properties[old.property].kind;
            let (Some(expected), Some(found)) = (&old.run, &new.run) else {
                continue;
            };
            if kind.is_temporal() {
                continue;
            }
            shown += 1;
            let found = simplified.restore(&system, found, Some(old.property));
            assert_eq!(found.as_ref(), Some(expected), "{name}");
        }
    }
    assert!(shown > 50, "only {shown} traces");
}

#[test]
#[ignore = "prints figures"]
fn figures() {
    println!(
        "| model | states (with every step) | bits | stored variables | locations | edges | took |"
    );
    println!("|---|---|---|---|---|---|---|");
    for path in models("examples").iter().chain(&models("benches")) {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let Some(system) = compile(&text) else {
            continue;
        };
        let start = std::time::Instant::now();
        let simplified = simplify(&system, &Rules::default());
        let took = start.elapsed().as_secs_f64();
        let (before, after) = if path.ends_with("raft.sdl") {
            (answers(&simplified.system), answers(&simplified.system))
        } else {
            compare("", &system, &simplified)
        };
        let every_step = answers(&simplify(&system, &Rules::EVERY_STEP).system)
            .stats
            .states;
        let count = |s: &System| {
            let stored = s.vars.iter().filter(|v| v.derived.is_none()).count();
            let locations: usize = s.processes.iter().map(|p| p.locations.len()).sum();
            let edges: usize = s.processes.iter().map(|p| p.edges.len()).sum();
            [stored, locations, edges]
        };
        let [stored, locations, edges] = count(&system);
        let [stored2, locations2, edges2] = count(&simplified.system);
        println!(
            "| {} | {} -> {} ({every_step}) | {} -> {} | {stored} -> {stored2} | {locations} -> {locations2} | {edges} -> {edges2} | {took:.2} s |",
            path.file_name().expect("a file").to_string_lossy(),
            before.stats.states,
            after.stats.states,
            before.stats.state_bits,
            after.stats.state_bits,
        );
    }
}

#[test]
#[ignore = "prints figures"]
fn growth() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models/two_phase.sdl");
    let text = std::fs::read_to_string(path).expect("it can be read");
    println!("| workers | states | bits | edges | simplified in |");
    println!("|---|---|---|---|---|");
    for workers in 2..=8 {
        let text = text.replace("const N = 2", &format!("const N = {workers}"));
        let system = compile(&text).expect("it compiles");
        let start = std::time::Instant::now();
        let small = simplify(&system, &Rules::default()).system;
        let took = start.elapsed().as_secs_f64();
        let states = |s: &System| {
            let limits = engine::Limits {
                states: 300_000,
                ..engine::Limits::NONE
            };
            let options = Options {
                limits,
                full_space: true,
                ..Options::default()
            };
            let stats = engine::check(s, &[0], &options, &mut |_| {}).stats;
            let more = if stats.complete { "" } else { "more than " };
            (format!("{more}{}", stats.states), stats.state_bits)
        };
        let edges = |s: &System| s.processes.iter().map(|p| p.edges.len()).sum::<usize>();
        let (before, after) = (states(&system), states(&small));
        println!(
            "| {workers} | {} -> {} | {} -> {} | {} -> {} | {took:.2} s |",
            before.0,
            after.0,
            before.1,
            after.1,
            edges(&system),
            edges(&small)
        );
    }
}
