//! Verdicts as people and programs want to see them. `report` never knows which engine spoke.
//!
//! For people: `text` (a line per property, runs step by step, the summary), [`chart`] (runs as sequence charts), [`html`] (a page
//! with everything), [`levels`] (`tolerant`). For programs: `json`, and the formats of [`FORMATS`], a file each. What other
//! commands print is in [`analysis`], [`graph`] and `run`.

pub mod analysis;
pub mod chart;
pub mod diagnosis;
mod drawing;
mod format;
pub mod graph;
pub mod html;
mod itf;
mod json;
mod junit;
pub mod levels;
mod mermaid;
mod run;
mod sarif;
mod text;
pub mod twin;
pub mod uri;

pub use format::{Format, Makes, Runs, Subject};
pub use json::{About, Figures, json};
pub use run::{Written, read_runs, run};
pub use text::{
    Detail, Style, blame, confirmation, expectations, plural, property, steps, summary, thousands,
    trace, waiting,
};

use crate::check::Answer;
pub use crate::check::Surprise;
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use crate::system::System;
use crate::verdict::Outcome;

/// The formats of reports that `check` writes to files. To add one: its file, its `mod` line, and its row.
pub const FORMATS: &[Format] = &[
    Format {
        option: "html",
        help: "Write a report with interactive charts to this file: one page that needs nothing else",
        makes: Makes::Page,
    },
    Format {
        option: "junit",
        help: "Write a test report in JUnit's XML: a test case per property",
        makes: junit::MAKES,
    },
    Format {
        option: "sarif",
        help: "Write the violations in SARIF 2.1.0, with their runs as code flows",
        makes: sarif::MAKES,
    },
    Format {
        option: "mermaid",
        help: "Write a sequence diagram for Mermaid: of the first violated property, or of all if FILE ends in `.md`",
        makes: mermaid::MAKES,
    },
    Format {
        option: "itf",
        help: "Write the run of the first violated property in Apalache's trace format (ITF)",
        makes: itf::MAKES,
    },
];

/// What there is to report about one model.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// The model, as named on the command line.
    pub file: &'a str,
    /// Its texts.
    pub sources: &'a Sources,
    /// What the compiler says about it.
    pub diagnostics: &'a [Diagnostic],
    /// The System, if there are no errors.
    pub system: Option<&'a System>,
    /// The answers.
    pub answers: &'a [Answer],
    /// Whether answers are compared with what the model expects.
    pub expecting: bool,
    /// Where they differ.
    pub surprises: &'a [Surprise],
}

/// The counts of a run of the checker.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Properties that hold.
    pub hold: usize,
    /// Properties that are violated.
    pub violated: usize,
    /// Properties nobody knows about.
    pub unknown: usize,
}

impl Counts {
    /// Counts answers.
    pub fn of(answers: &[Answer]) -> Counts {
        let mut counts = Counts::default();
        for answer in answers {
            match answer.outcome {
                Outcome::Holds | Outcome::HoldsStatically => counts.hold += 1,
                Outcome::Violated => counts.violated += 1,
                Outcome::Unknown(_) => counts.unknown += 1,
            }
        }
        counts
    }
}
