//! What a format of reports has to say of itself: its option, what each model adds to its file, and how these become one.
//! The formats there are stand in [`FORMATS`](super::FORMATS); the command line reads them there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Account;
use crate::check::Answer;
use crate::system::System;

/// A format of reports, written to the file that its option names.
pub struct Format {
    /// The option, without dashes.
    pub option: &'static str,
    /// What the help says.
    pub help: &'static str,
    /// How a file is made.
    pub makes: Makes,
}

/// What makes the text for the run of an answer, if it has one.
pub type MakeRun = fn(&Account<'_>, &System, &Answer) -> Option<String>;

/// What makes one text of several, each with its name.
pub type MakePage = fn(&[(String, String)]) -> String;

/// How the file of a format is made.
#[derive(Clone, Copy)]
pub enum Makes {
    /// One file about all models: what each adds, and how that becomes the text.
    Whole {
        /// What a model adds.
        piece: fn(Subject<'_>) -> Value,
        /// The text for all.
        join: fn(&[Value]) -> String,
    },
    /// A file with one run; with a `page`, a file whose name ends in `.md` has all runs, each with its name.
    Run {
        /// The text for a run.
        run: MakeRun,
        /// The text for several.
        page: Option<MakePage>,
    },
    /// A page about one model, which is written together with the answers.
    Page,
}

/// A model that a report is about.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// What is known about it.
    Model(&'a Account<'a>),
    /// Nothing is known about it: its file, and why.
    Failed(&'a str, &'a str),
}

/// What a model adds to a file of runs.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct Runs {
    /// The texts that are needed, each with the name of its run.
    pub texts: Vec<(String, String)>,
    /// How many runs there are.
    pub count: usize,
}

impl Runs {
    /// The runs of a model: the first, or all of them.
    pub fn new(subject: Subject<'_>, run: MakeRun, all: bool) -> Runs {
        let Subject::Model(model) = subject else {
            return Runs::default();
        };
        let Some(system) = model.system else {
            return Runs::default();
        };
        let shown = |answer: &&Answer| answer.is_violated() && answer.trace.is_some();
        let answers: Vec<&Answer> = model.answers.iter().filter(shown).collect();
        let most = if all { answers.len() } else { 1 };
        let texts = answers.iter().take(most).filter_map(|answer| {
            let name = &system.properties[answer.property].name;
            Some((
                format!("{}: {name}", model.file),
                run(model, system, answer)?,
            ))
        });
        Runs {
            texts: texts.collect(),
            count: answers.len(),
        }
    }
}
