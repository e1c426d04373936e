//! Every model under `tests/fixtures` and `examples` is one test: its messages and verdicts are those
//! it expects in its comments. `BLESS=1 cargo test --test fixtures` rewrites the expectations.

mod support;

use std::fmt::Write;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use sandalc::cli::model;
use sandalc::source::Sources;
use sandalc::system::{PropertyKind, System};
use support::header::{self, Header};
use support::verdicts::{self, Answers};
use support::{expectations, with_stack};

fn main() {
    let arguments = Arguments::from_args();
    let trials = ["tests/fixtures", "examples"]
        .iter()
        .flat_map(|folder| support::files(&support::root().join(folder), "sdl"))
        .filter(|path| !is_import(path))
        .map(|path| {
            Trial::test(support::relative(&path), move || {
                with_stack(|| check(&path))
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// Files in a folder `imports` are parts of other models.
fn is_import(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "imports")
}

fn check(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let written = String::from_utf8_lossy(&bytes).into_owned();
    let header = header::read(&written)?;
    let args = support::model_args(path, &header.flags)?;
    let mut sources = Sources::new();
    let checked = model::check(&args, &mut sources).map_err(|failure| failure.why)?;
    let main = sources.file(checked.loaded.main.id);
    let came = expectations::came(&checked.diagnostics, &sources, &main.path);
    let expected = expectations::expected(&main.text);
    let mut problems = expectations::difference(&expected, &came).unwrap_or_default();
    let mut blessed = expectations::bless(&written, &came);
    match checked.program {
        Some(program) => {
            let options = model::options(&args.options, &program)
                .map_err(|unknown| format!("there is no fault `{}`", unknown.asked))?;
            let system = sandalc::build(&program, &options);
            let answers = answers(&header, &system, &sources)?;
            let verdicts = agreed(&system, &answers)?;
            problems += &differences(&header, &system, &verdicts, states(&answers)?);
            let worth = worth_telling(&header, &system, &verdicts);
            blessed = header::bless(&blessed, &worth, states(&answers)?);
        }
        None if header.verdicts.is_empty() && header.states.is_none() => {}
        None => problems += "  a model with errors has neither verdicts nor states\n",
    }
    if problems.is_empty() {
        return Ok(());
    }
    if support::bless() {
        if String::from_utf8(bytes).is_err() {
            return Err("this file is not UTF-8: write its expectations by hand".into());
        }
        return Ok(std::fs::write(path, blessed)?);
    }
    Err(format!(
        "{}:\n{problems}run `BLESS=1 cargo test --test fixtures` if that is right\n",
        support::relative(path)
    )
    .into())
}

/// What each engine answers.
fn answers(header: &Header, system: &System, sources: &Sources) -> Result<Vec<Answers>, String> {
    let engines = header.engines.clone().unwrap_or_else(verdicts::engines);
    engines
        .iter()
        .filter(|engine| verdicts::is_there(engine))
        .map(|engine| verdicts::ask(engine, system, sources))
        .chain([
            verdicts::simplified(system),
            verdicts::shortened(system),
            verdicts::by_every_way(system),
        ])
        .map(|answers| answers.map_err(|why| format!("{why}\n")))
        .collect()
}

/// The verdict of each property, on which all engines agree.
fn agreed(system: &System, answers: &[Answers]) -> Result<Vec<Option<&'static str>>, String> {
    let mut agreed = vec![None; system.properties.len()];
    for (index, property) in system.properties.iter().enumerate() {
        for answer in answers {
            match (agreed[index], answer.verdicts[index]) {
                (_, None) => {}
                (None, verdict) => agreed[index] = verdict,
                (Some(first), Some(other)) if first == other => {}
                (Some(first), Some(other)) => {
                    return Err(format!(
                        "`{}` {first}, but {} says {other}\n",
                        property.name, answer.engine
                    ));
                }
            }
        }
    }
    Ok(agreed)
}

/// The number of states, on which all engines agree.
fn states(answers: &[Answers]) -> Result<Option<u64>, String> {
    let mut counts = answers.iter().filter_map(|answer| answer.states);
    let first = counts.next();
    match counts.find(|count| Some(*count) != first) {
        None => Ok(first),
        Some(other) => Err(format!(
            "the engines count {} and {other} states\n",
            first.unwrap_or_default()
        )),
    }
}

fn is_built_in(system: &System, index: usize) -> bool {
    matches!(
        system.properties[index].kind,
        PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Time
    )
}

/// What differs from the header, in words.
fn differences(
    header: &Header,
    system: &System,
    verdicts: &[Option<&'static str>],
    states: Option<u64>,
) -> String {
    let mut words = String::new();
    for (name, _) in &header.verdicts {
        if !system.properties.iter().any(|p| p.name == *name) {
            let _ = writeln!(words, "  there is no property `{name}`");
        }
    }
    for (index, property) in system.properties.iter().enumerate() {
        let came = verdicts[index].unwrap_or("unknown");
        let expected = header
            .verdicts
            .iter()
            .find(|(name, _)| *name == property.name);
        match expected {
            Some((_, expected)) if expected == came => {}
            // A built-in property that holds need not be mentioned.
            None if came == "holds" && is_built_in(system, index) => {}
            Some((name, expected)) => {
                let _ = writeln!(words, "  `{name}`: expected {expected}, came {came}");
            }
            None => {
                let _ = writeln!(
                    words,
                    "  `{}`: {came}, but nothing is expected",
                    property.name
                );
            }
        }
    }
    if states != header.states {
        let show = |count: Option<u64>| count.map_or("none".to_owned(), |n| n.to_string());
        let (expected, came) = (show(header.states), show(states));
        let _ = writeln!(words, "  states: expected {expected}, came {came}");
    }
    words
}

/// The verdicts that belong in the header.
fn worth_telling(
    header: &Header,
    system: &System,
    verdicts: &[Option<&'static str>],
) -> Vec<(String, String)> {
    let properties = system.properties.iter().enumerate();
    properties
        .map(|(index, property)| (index, &property.name, verdicts[index].unwrap_or("unknown")))
        .filter(|(index, name, verdict)| {
            let mentioned = header.verdicts.iter().any(|(other, _)| other == *name);
            mentioned || *verdict != "holds" || !is_built_in(system, *index)
        })
        .map(|(_, name, verdict)| (name.clone(), verdict.to_owned()))
        .collect()
}
