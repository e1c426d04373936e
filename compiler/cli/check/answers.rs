//! The answers of one run, printed in the model's order as they become known.

use std::sync::{Mutex, MutexGuard, PoisonError};
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
    /// Whoever watches the limits reads them as well.
    known: Mutex<Known>,
}

/// What is known.
struct Known {
    /// An answer for each of the properties asked for, in their order.
    answers: Vec<Option<Answer>>,
    /// How many of them have been printed.
    printed: usize,
}

impl<'a> Answers<'a> {
    /// None yet.
    pub fn new(task: &'a Task<'a>) -> Self {
        let answers = task.wanted.iter().map(|_| None).collect();
        Answers {
            task,
            known: Mutex::new(Known {
                answers,
                printed: 0,
            }),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nobody changes them half.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are known, in the model's order.
    pub fn all(&self) -> Vec<Answer> {
        self.known().answers.iter().flatten().cloned().collect()
    }

    /// The properties without an answer.
    pub fn open(&self) -> Vec<usize> {
        let known = self.known();
        let all = self.task.wanted.iter().zip(&known.answers);
        all.filter(|(_, answer)| answer.is_none())
            .map(|(property, _)| *property)
            .collect()
    }

    /// Replays a verdict's run and notes the answer; prints those that are next.
    ///
    /// # Errors
    /// If the run does not show what the verdict says: then the verdict is worth nothing.
    pub fn add(&self, verdict: &Verdict, shows: Shows, shell: &mut Shell) -> Result<(), String> {
        let Task { system, .. } = self.task;
        let trace = match &verdict.run {
            None => None,
            Some(run) => Some(trace::replay(system, verdict.property, run).map_err(|why| {
                let name = &system.properties[verdict.property].name;
                format!("the trace for `{name}` does not replay: {why}")
            })?),
        };
        let violated = verdict.outcome == Outcome::Violated;
        let answer = Answer {
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
        };
        let wanted = self.task.wanted;
        let mut known = self.known();
        // The properties asked for are in order.
        if let Ok(place) = wanted.binary_search(&verdict.property) {
            known.answers[place] = Some(answer);
        }
        while let Some(Some(answer)) = known.answers.get(known.printed) {
            let said = !self.task.args.quiet || answer.verdict() != "holds";
            if shell.format() == Format::Text && said {
                let sources = &self.task.model.sources;
                shell.print(&report::property(system, sources, answer, shell.style()));
            }
            known.printed += 1;
        }
        Ok(())
    }

    /// Notes that nobody knows the rest.
    pub fn give_up(&self, why: &str, shell: &mut Shell) {
        for property in self.open() {
            let verdict = Verdict {
                property,
                outcome: Outcome::Unknown(why.to_owned()),
                run: None,
            };
            // Without a run there is nothing to replay.
            let _ = self.add(&verdict, Shows::Any, shell);
        }
    }

    /// Prints the counterexamples, and the witnesses if they are asked for.
    pub fn show_traces(&self, shell: &mut Shell) {
        let Task {
            system,
            model,
            args,
            ..
        } = self.task;
        let detail = match args.full_trace {
            true => report::Detail::Full,
            false => report::Detail::Folded,
        };
        let is_shown = |answer: &&Answer| {
            answer.trace.is_some() && !args.quiet && (args.witness || answer.is_violated())
        };
        for answer in self.all().iter().filter(is_shown) {
            let name = &system.properties[answer.property].name;
            let word = if answer.is_violated() {
                "violated"
            } else {
                "reachable"
            };
            let heading = shell.bold(&format!("{name} is {word}:"));
            let steps = report::trace(system, &model.sources, answer, detail, shell.style());
            shell.print(&format!("\n{heading}\n{steps}"));
        }
    }

    /// The exit code that the answers call for.
    pub fn exit(&self) -> Exit {
        let unknown = |answer: &Answer| matches!(answer.outcome, Outcome::Unknown(_));
        let known = self.known();
        let answers = || known.answers.iter().flatten();
        if answers().any(Answer::is_violated) {
            Exit::Violated
        } else if answers().any(unknown) || known.answers.iter().any(Option::is_none) {
            Exit::Undecided
        } else {
            Exit::Ok
        }
    }
}
