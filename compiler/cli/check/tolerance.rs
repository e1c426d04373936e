//! The tables of `sandalc tolerance`, for the page of `check --html`: within the time that is given to look for smaller runs.

use super::Task;
use super::further::{Budget, MOST_STATES};
use crate::analysis::{self, FaultSet};
use crate::build;
use crate::check::{Options, World as _};
use crate::cli::{files, model};
use crate::report::analysis::{Subject, tolerance};
use crate::report::html::Table;
use crate::vocabulary::FaultId;
use crate::weave;

/// With how many injections a property that faults both break and repair is tried, as `sandalc tolerance` does if nothing else is said.
const MOST_INJECTIONS: u32 = 3;

/// Which faults each property survives, and what to do about the others; nothing if there are no faults, or no time.
pub fn tables(task: &Task<'_>) -> Vec<Table> {
    let program = &task.model.program;
    let Ok(woven) = model::options(task.options, program) else {
        return Vec::new();
    };
    let faults = weave::woven_faults(program, &woven);
    let world = Budget::new(task, Some(task.args.minimise));
    if faults.is_empty() || faults.len() > FaultSet::MOST || world.is_over() {
        return Vec::new();
    }
    let with = |faults: &[FaultId]| {
        let options = weave::Options {
            faults: Some(faults.to_vec()),
            ..woven.clone()
        };
        build(program, &options)
    };
    let mut options = Options {
        full_space: false,
        ..task.search_options()
    };
    options.limits.states = options.limits.states.min(MOST_STATES);
    let question = analysis::Inquiry {
        system: task.system,
        faults: &faults,
        wanted: task.wanted,
        weave: &with,
        options,
        max_faults: MOST_INJECTIONS,
    };
    let Ok(survey) = analysis::survey(&question, &world) else {
        return Vec::new();
    };
    let subject = Subject {
        file: &files::display(task.file),
        system: task.system,
        faults: &faults,
    };
    tolerance::tables(&subject, &survey)
}
