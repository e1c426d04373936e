//! A diagnosis for people.

use std::fmt::Write;

use super::Named;
use crate::check::Answer;
use crate::report::text::{Detail, Style, steps};
use crate::report::{thousands, twin};
use crate::source::Sources;
use crate::system::System;
use crate::verdict::Outcome;

/// Of how many views is told what a process sees.
const MOST_VIEWS: usize = 3;

/// For each fault who can tell it, those who can tell as much together, and when.
pub fn text(named: &Named<'_>, style: Style) -> String {
    let mut out = String::new();
    let longest = named.processes.iter().map(|name| name.chars().count());
    let longest = longest.max().unwrap_or(0);
    for (index, fault) in named.faults.iter().enumerate() {
        let _ = writeln!(out, "{}", style.bold(fault));
        let groups = named.groups(index);
        let sets = groups
            .iter()
            .flat_map(|group| group.sets.iter().enumerate());
        let set = |number: usize, set: &str| match number {
            0 => set.to_owned(),
            _ => format!("or {set}"),
        };
        let widths = sets.map(|(number, known)| set(number, known).chars().count());
        let width = widths.max().unwrap_or(1);
        for group in &groups {
            if group.sets.is_empty() {
                let names: Vec<&str> = group.of.iter().map(|(process, _)| *process).collect();
                let _ = writeln!(out, "    {:width$}  {}", "-", names.join(", "));
            }
            for (number, known) in group.sets.iter().enumerate() {
                let mut set = set(number, known);
                for (process, told) in &group.of {
                    let told = &told[number];
                    let mut when: Vec<String> = named.latest(told).into_iter().collect();
                    when.push(named.views(process, told, MOST_VIEWS));
                    when.retain(|part| !part.is_empty());
                    let when = when.join(": ");
                    let line = format!("    {set:width$}  {process:longest$}  {when}");
                    let _ = writeln!(out, "{}", line.trim_end());
                    set.clear();
                }
            }
        }
        out.push('\n');
    }
    let states = thousands(named.diagnosis.states);
    let _ = writeln!(out, "{}; {states} states", named.counts());
    out
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
                let end = if twin::is_start(system, other) {
                    ""
                } else {
                    ":"
                };
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
