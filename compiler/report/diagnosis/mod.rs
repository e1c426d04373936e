//! Which process can tell which fault, and when: `sandalc diagnose`, one file per format.

pub mod json;
pub mod page;
pub mod text;

use super::twin;
use crate::analysis::diagnosis::{Diagnosis, Told, Unit};
use crate::check::Seen;
use crate::source::Sources;
use crate::system::System;

/// A diagnosis, with the names in it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The model, as named on the command line.
    pub file: &'a str,
    /// Its System.
    pub system: &'a System,
    /// Its texts.
    pub sources: &'a Sources,
    /// The faults.
    pub faults: &'a [String],
    /// The processes.
    pub processes: &'a [String],
    /// What they can tell.
    pub diagnosis: &'a Diagnosis,
}

/// Who can tell as much of a fault.
struct Group<'a> {
    /// The sets in words: `{f, g}`; none if it cannot be told.
    sets: Vec<String>,
    /// The processes, each with what is known of the sets.
    of: Vec<(&'a str, &'a [Told])>,
}

impl<'a> Named<'a> {
    /// For a fault those who can tell as much together, in the order of the processes.
    fn groups(&self, fault: usize) -> Vec<Group<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for (process, told) in self.processes.iter().zip(&self.diagnosis.told[fault]) {
            let sets: Vec<String> = told.iter().map(|told| self.set(told)).collect();
            let one = (process.as_str(), told.as_slice());
            match groups.iter_mut().find(|group| group.sets == sets) {
                Some(group) => group.of.push(one),
                None => groups.push(Group {
                    sets,
                    of: vec![one],
                }),
            }
        }
        groups
    }

    /// `{f, g}`
    fn set(&self, told: &Told) -> String {
        let faults = told.faults.iter();
        let names: Vec<&str> = faults.map(|f| self.faults[*f].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    }

    /// `within 3 ticks`: how late it can be known; `None` if nobody has counted.
    fn latest(&self, told: &Told) -> Option<String> {
        let unit = match self.diagnosis.unit? {
            Unit::Ticks => "tick",
            Unit::Steps => "step",
        };
        Some(match told.latest {
            Some(0) if unit == "tick" => "before the next tick".to_owned(),
            Some(0) => "at once".to_owned(),
            Some(latest) => format!("within {}", super::plural(latest as usize, unit)),
            None => "sooner or later".to_owned(),
        })
    }

    /// `diag = Near`: what a process sees, each part by its own name.
    fn view(&self, process: &str, seen: &Seen) -> Vec<(String, String)> {
        let own = |name: String| match name.strip_prefix(process) {
            Some(rest) if rest.starts_with('.') => rest[1..].to_owned(),
            _ => name,
        };
        let seen = twin::values(self.system, self.sources, seen).into_iter();
        seen.map(|(name, value)| (own(name), value)).collect()
    }

    /// `diag = Near or diag = Self`: by what it knows, the first few views.
    fn views(&self, process: &str, told: &Told, most: usize) -> String {
        let views = told.views.iter().take(most).map(|seen| {
            let parts = self.view(process, seen).into_iter();
            let parts: Vec<String> = parts
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            parts.join(", ")
        });
        let mut views: Vec<String> = views.collect();
        if told.views.len() > most {
            views.push(format!(
                "{} more",
                super::thousands((told.views.len() - most) as u64)
            ));
        }
        let parts = told.views.first().map_or(0, Vec::len);
        views.join(if parts > 1 { "; or " } else { " or " })
    }

    /// `2 faults, 1 process`
    fn counts(&self) -> String {
        let processes = match self.processes.len() {
            1 => "1 process".to_owned(),
            count => format!("{count} processes"),
        };
        format!("{}, {processes}", super::plural(self.faults.len(), "fault"))
    }
}
