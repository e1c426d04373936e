//! What a model tolerates, for people and programs: `tolerance`, `fta` and `fmea`, one file per format.

pub mod coverage;
pub mod fmea;
pub mod mef;
pub mod picture;
pub mod tolerance;
pub mod tree;

use crate::analysis::{FaultSet, Surveyed};
use crate::system::System;
use crate::vocabulary::FaultId;

/// What a report is about.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The model, as named on the command line.
    pub file: &'a str,
    /// The System with all the faults.
    pub system: &'a System,
    /// These faults.
    pub faults: &'a [FaultId],
}

impl Subject<'_> {
    /// The name of the fault at a position.
    pub fn fault(&self, position: usize) -> &str {
        self.system.fault_name(self.faults[position])
    }

    /// The names of the faults of a set.
    pub fn names(&self, set: FaultSet) -> Vec<&str> {
        set.positions()
            .map(|position| self.fault(position))
            .collect()
    }

    /// The names of the faults of several sets.
    pub fn all_names(&self, sets: &[FaultSet]) -> Vec<Vec<&str>> {
        sets.iter().map(|set| self.names(*set)).collect()
    }

    /// The name of a property.
    pub fn property(&self, surveyed: &Surveyed) -> &str {
        &self.system.properties[surveyed.property].name
    }

    /// The kind of a property.
    pub fn kind(&self, surveyed: &Surveyed) -> &'static str {
        self.system.properties[surveyed.property].kind_name()
    }
}

/// `holds`, `violated` or `unknown`.
pub fn verdict(violated: Option<bool>) -> &'static str {
    match violated {
        Some(true) => "violated",
        Some(false) => "holds",
        None => "unknown",
    }
}

/// Whether the smallest sets say everything, so that they are called cut sets.
pub fn has_cut_sets(subject: &Subject<'_>, surveyed: &Surveyed) -> bool {
    // `ctl` is one kind, whichever way a formula goes.
    !matches!(subject.kind(surveyed), "reachable" | "ctl" | "tolerant")
        && surveyed.violations.is_rising()
}
