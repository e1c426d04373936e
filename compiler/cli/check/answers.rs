//! The answers of one run, printed in the model's order as they become known.

use std::time::Duration;

use super::Task;
use crate::cli::Exit;
use crate::cli::args::Format;
use crate::cli::shell::Shell;
use crate::report;
use crate::report::Answer;
use crate::trace;
use crate::verdict::{Outcome, Verdict};

/// What the run of a verdict shows.
#[derive(Clone, Copy)]
pub enum Shows {
    /// The fewest faults that it takes, and the fewest steps.
    Best,
    /// That it is so.
    Any,
    /// That it is so; another engine has found it, in this time.
    Foreign(Option<Duration>),
}

/// The answers as they come.
pub struct Answers<'a> {
    task: &'a Task<'a>,
    /// In the order of the properties asked for.
    known: Vec<Answer>,
    /// How many of them have been printed.
    printed: usize,
}

impl<'a> Answers<'a> {
    /// None yet.
    pub fn new(task: &'a Task<'a>) -> Self {
        Answers {
            task,
            known: Vec::new(),
            printed: 0,
        }
    }

    /// All that are known, in the model's order.
    pub fn all(&self) -> &[Answer] {
        &self.known
    }

    /// The properties without an answer.
    pub fn open(&self) -> Vec<usize> {
        let is_open = |p: &usize| !self.known.iter().any(|answer| answer.property == *p);
        self.task.wanted.iter().copied().filter(is_open).collect()
    }

    /// Replays a verdict's run and notes the answer; prints those that are next.
    ///
    /// # Errors
    /// If the run does not show what the verdict says: then the verdict is worth nothing.
    pub fn add(
        &mut self,
        verdict: &Verdict,
        shows: Shows,
        shell: &mut Shell,
    ) -> Result<(), String> {
        let Task { system, .. } = self.task;
        let trace = match &verdict.run {
            None => None,
            Some(run) => Some(trace::replay(system, verdict.property, run).map_err(|why| {
                let name = &system.properties[verdict.property].name;
                format!("the trace for `{name}` does not replay: {why}")
            })?),
        };
        let violated = verdict.outcome == Outcome::Violated;
        self.known.push(Answer {
            property: verdict.property,
            outcome: verdict.outcome.clone(),
            needs_fault: trace
                .as_ref()
                .filter(|_| violated)
                .map(|trace| trace.faults() > 0)
                .filter(|needs| !needs || matches!(shows, Shows::Best)),
            trace,
            time: match shows {
                Shows::Foreign(time) => time,
                Shows::Best | Shows::Any => None,
            },
        });
        let wanted = self.task.wanted;
        self.known
            .sort_by_key(|answer| wanted.iter().position(|p| *p == answer.property));
        while let Some(answer) = self.known.get(self.printed)
            && answer.property == wanted[self.printed]
        {
            if shell.format() == Format::Text {
                let sources = &self.task.model.sources;
                shell.print(&report::property(system, sources, answer, shell.style()));
            }
            self.printed += 1;
        }
        Ok(())
    }

    /// Prints the counterexamples and witnesses.
    pub fn show_traces(&self, shell: &mut Shell) {
        let Task { system, model, .. } = self.task;
        for answer in self.known.iter().filter(|answer| answer.trace.is_some()) {
            let name = &system.properties[answer.property].name;
            let word = if answer.is_violated() {
                "violated"
            } else {
                "reachable"
            };
            let heading = shell.bold(&format!("{name} is {word}:"));
            let steps = report::trace(system, &model.sources, answer, shell.style());
            shell.print(&format!("\n{heading}\n{steps}"));
        }
    }

    /// The exit code that the answers call for.
    pub fn exit(&self) -> Exit {
        let unknown = |answer: &Answer| matches!(answer.outcome, Outcome::Unknown(_));
        if self.known.iter().any(Answer::is_violated) {
            Exit::Violated
        } else if self.known.iter().any(unknown) || !self.open().is_empty() {
            Exit::Undecided
        } else {
            Exit::Ok
        }
    }
}
