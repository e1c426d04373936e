//! Which process can tell which fault, as text and JSON.

use std::fmt::Write;

use serde::Serialize;

use super::text::{Detail, Style, steps};
use super::twin;
use crate::analysis::diagnosis::Diagnosis;
use crate::check::Answer;
use crate::source::Sources;
use crate::system::System;
use crate::verdict::Outcome;
use crate::vocabulary::thousands;

/// A diagnosis, with the names in it.
pub struct Named<'a> {
    /// The faults.
    pub faults: &'a [String],
    /// The processes.
    pub processes: &'a [String],
    /// What they can tell.
    pub diagnosis: &'a Diagnosis,
}

#[derive(Serialize)]
struct Json<'a> {
    format: u32,
    states: u64,
    faults: &'a [String],
    processes: &'a [String],
    diagnosis: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    fault: &'a str,
    process: &'a str,
    minimal: Vec<Vec<&'a str>>,
}

/// For programs, on one line.
pub fn json(named: &Named<'_>) -> String {
    let mut cells = Vec::new();
    for (fault, of) in named.faults.iter().zip(&named.diagnosis.minimal) {
        for (process, sets) in named.processes.iter().zip(of) {
            let sets = sets.iter();
            cells.push(Cell {
                fault,
                process,
                minimal: sets
                    .map(|set| set.iter().map(|f| named.faults[*f].as_str()).collect())
                    .collect(),
            });
        }
    }
    let report = Json {
        format: 1,
        states: named.diagnosis.states,
        faults: named.faults,
        processes: named.processes,
        diagnosis: cells,
    };
    serde_json::to_string(&report).expect("a report is plain data")
}

/// For people: for each fault who can tell it, those who can tell as much together.
pub fn text(named: &Named<'_>, style: Style) -> String {
    let mut out = String::new();
    for (fault, of) in named.faults.iter().zip(&named.diagnosis.minimal) {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for (process, sets) in named.processes.iter().zip(of) {
            let told = told(named, sets);
            match groups.iter_mut().find(|(known, _)| *known == told) {
                Some((_, all)) => all.push(process),
                None => groups.push((told, vec![process])),
            }
        }
        let _ = writeln!(out, "{}", style.bold(fault));
        let width = groups.iter().map(|(told, _)| told.chars().count()).max();
        let width = width.unwrap_or(0);
        for (told, processes) in groups {
            let _ = writeln!(out, "    {told:width$}  {}", processes.join(", "));
        }
        out.push('\n');
    }
    let (faults, processes) = (named.faults.len(), named.processes.len());
    let _ = writeln!(
        out,
        "{}, {}; {} states",
        super::plural(faults, "fault"),
        match processes {
            1 => "1 process".to_owned(),
            _ => format!("{processes} processes"),
        },
        thousands(named.diagnosis.states)
    );
    out
}

/// `{f, g} or {h}`; `-` if it cannot be told.
fn told(named: &Named<'_>, sets: &[Vec<usize>]) -> String {
    let set = |set: &Vec<usize>| {
        let names: Vec<&str> = set.iter().map(|f| named.faults[*f].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    match sets {
        [] => "-".to_owned(),
        _ => sets.iter().map(set).collect::<Vec<_>>().join(" or "),
    }
}

/// Why a process cannot tell a fault: a run, and one that it takes it for.
pub fn why(system: &System, sources: &Sources, answer: &Answer, style: Style) -> String {
    let name = &system.properties[answer.property].name;
    let asked = name.strip_prefix("diagnosable ").unwrap_or(name);
    let (fault, process) = asked.split_once(" by ").unwrap_or((asked, ""));
    let detail = Detail::Folded;
    match &answer.outcome {
        Outcome::Unknown(why) => format!("unknown: {why}\n"),
        Outcome::Holds | Outcome::HoldsStatically => {
            format!("{process} always finds out that {fault} has begun\n")
        }
        Outcome::Violated => {
            let mut out = match &answer.trace {
                Some(trace) => format!(
                    "{}\n{}",
                    style.bold(&format!("{process} never finds out about {fault} here:")),
                    steps(system, sources, trace, detail, style)
                ),
                None => format!("{process} may never find out that {fault} has begun\n"),
            };
            if let Some(other) = &answer.twin {
                let heading = twin::heading(system, sources, other);
                let end = if twin::is_start(other) { "" } else { ":" };
                let _ = write!(
                    out,
                    "\n{}\n{}",
                    style.bold(&format!("{heading}{end}")),
                    steps(system, sources, &other.trace, detail, style)
                );
            }
            out
        }
    }
}
