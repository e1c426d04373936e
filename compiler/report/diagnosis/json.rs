//! A diagnosis for programs: `docs/diagnose.schema.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Named;
use crate::analysis::diagnosis::Unit;

/// So many views are written of a set.
const MOST_VIEWS: usize = 100;

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    states: u64,
    unit: Option<&'static str>,
    faults: &'a [String],
    processes: &'a [String],
    diagnosis: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    fault: &'a str,
    process: &'a str,
    minimal: Vec<Vec<&'a str>>,
    when: Vec<When>,
}

#[derive(Serialize)]
struct When {
    latest: Option<u64>,
    views: Vec<BTreeMap<String, String>>,
    more_views: usize,
}

/// On one line.
pub fn json(named: &Named<'_>) -> String {
    let mut cells = Vec::new();
    for (fault, of) in named.faults.iter().zip(&named.diagnosis.told) {
        for (process, sets) in named.processes.iter().zip(of) {
            let names = |set: &[usize]| set.iter().map(|f| named.faults[*f].as_str()).collect();
            let when = sets.iter().map(|told| When {
                latest: told.latest,
                views: (told.views.iter().take(MOST_VIEWS))
                    .map(|seen| named.view(process, seen).into_iter().collect())
                    .collect(),
                more_views: told.views.len().saturating_sub(MOST_VIEWS),
            });
            cells.push(Cell {
                fault,
                process,
                minimal: sets.iter().map(|told| names(&told.faults)).collect(),
                when: when.collect(),
            });
        }
    }
    let report = Report {
        format: 1,
        states: named.diagnosis.states,
        unit: named.diagnosis.unit.map(|unit| match unit {
            Unit::Ticks => "ticks",
            Unit::Steps => "steps",
        }),
        faults: named.faults,
        processes: named.processes,
        diagnosis: cells,
    };
    serde_json::to_string(&report).expect("a report is plain data")
}
