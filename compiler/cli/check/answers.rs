//! The answers of one run, printed in the model's order as they become known.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Task;
use crate::check::{Answer, Surprise};
use crate::cli::Exit;
use crate::cli::args::{Format, TraceForm};
use crate::cli::drawing;
use crate::cli::shell::Shell;
use crate::report;
use crate::verdict::Outcome;

/// The answers as they come.
pub struct Answers<'a> {
    task: &'a Task<'a>,
    /// Whoever watches the limits reads them as well.
    known: Mutex<Known>,
    /// Whether the end of what is printed has begun.
    concluded: AtomicBool,
}

/// A run with more steps is left out where there is no time or memory to tell it.
const LONG: usize = 1_000;

/// What is known.
struct Known {
    /// An answer for each of the properties asked for, in their order.
    answers: Vec<Option<Answer>>,
    /// Which of them may still get a smaller run.
    first: Vec<bool>,
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
                first: vec![false; task.wanted.len()],
                printed: 0,
            }),
            concluded: AtomicBool::new(false),
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

    /// Notes an answer that may still get a smaller run: it is printed only if nothing follows.
    pub fn keep(&self, answer: Answer) {
        let mut known = self.known();
        if let Ok(place) = self.task.wanted.binary_search(&answer.property) {
            known.answers[place] = Some(answer);
            known.first[place] = true;
        }
    }

    /// Notes an answer, and prints those that are next.
    pub fn add(&self, answer: Answer, shell: &mut Shell) {
        let mut known = self.known();
        // The properties asked for are in order.
        if let Ok(place) = self.task.wanted.binary_search(&answer.property) {
            known.answers[place] = Some(answer);
            known.first[place] = false;
        }
        self.print(&mut known, shell);
    }

    /// Prints those that are next.
    fn print(&self, known: &mut Known, shell: &mut Shell) {
        let Task { system, .. } = self.task;
        while let Some(Some(answer)) = known.answers.get(known.printed)
            && !known.first[known.printed]
        {
            let said = !self.task.args.quiet || answer.verdict() != "holds";
            if shell.format() == Format::Text && said {
                let sources = &self.task.model.sources;
                shell.print(&report::property(system, sources, answer, shell.style()));
            }
            known.printed += 1;
        }
    }

    /// Adds to the answers what is found out about them in the end.
    pub fn improve(&self, mut change: impl FnMut(&mut Answer)) {
        self.known()
            .answers
            .iter_mut()
            .flatten()
            .for_each(&mut change);
    }

    /// Leaves out the runs that are too long to be told within the limits; all of them, if none is very long.
    pub fn leave_out_runs(&self) {
        let length = |answer: &Answer| answer.trace.as_ref().map(|trace| trace.steps.len());
        let mut known = self.known();
        let all = || known.answers.iter().flatten();
        let most = match all().filter_map(length).any(|steps| steps > LONG) {
            true => LONG,
            false => 0,
        };
        for answer in known.answers.iter_mut().flatten() {
            if let Some(steps) = length(answer).filter(|steps| *steps > most) {
                answer.trace = None;
                answer.notes.push(Answer::too_long(steps));
            }
        }
    }

    /// Whether the end of what is printed may be printed: once, whoever comes first.
    pub fn conclude(&self) -> bool {
        !self.concluded.swap(true, Ordering::Relaxed)
    }

    /// Prints what else is to be said about the answers.
    pub fn show_notes(&self, shell: &mut Shell) {
        for answer in self.all() {
            let name = &self.task.system.properties[answer.property].name;
            for note in answer.notes.iter().filter(|_| !self.task.args.quiet) {
                shell.print(&format!("note: {name}: {note}\n"));
            }
        }
    }

    /// Notes that nobody knows the rest.
    pub fn give_up(&self, why: &str, shell: &mut Shell) {
        for property in self.open() {
            self.add(Answer::unknown(property, why.to_owned()), shell);
        }
        let mut known = self.known();
        known.first.fill(false);
        self.print(&mut known, shell);
    }

    /// Prints the counterexamples, and the witnesses if they are asked for. Of a model that says what it expects, only
    /// the surprising ones.
    pub fn show_traces(&self, surprises: &[Surprise], shell: &mut Shell) {
        let Task {
            system,
            args,
            expectations,
            ..
        } = self.task;
        let form = drawing::form(&args.drawing, shell);
        let is_surprise = |answer: &Answer| {
            surprises
                .iter()
                .any(|s| s.property == Some(answer.property))
        };
        let is_shown = |answer: &&Answer| {
            answer.trace.is_some()
                && !args.quiet
                && form != TraceForm::None
                && (args.witness || answer.is_violated())
                && (expectations.is_none() || is_surprise(answer))
        };
        let all = self.all();
        for answer in all.iter().filter(is_shown) {
            let property = &system.properties[answer.property];
            let heading = match (answer.level, answer.is_violated()) {
                (Some(level), _) => report::levels::heading(property, level),
                (None, true) => format!("{} is violated", property.name),
                (None, false) => format!("{} is reachable", property.name),
            };
            self.show_trace(answer, &heading, form, shell);
        }
        // What a report about levels is made of: of a level that has to be reached the run is there already.
        let parts = all.iter().filter(|answer| !answer.levels.is_empty());
        let parts = parts.flat_map(|a| a.levels.iter().filter(|part| part.level != a.level));
        let parts: Vec<&Answer> = parts.filter(|part| part.trace.is_some()).collect();
        if args.quiet || form == TraceForm::None || expectations.is_some() {
            return;
        }
        for part in parts.iter().filter(|_| args.witness) {
            let property = &system.properties[part.property];
            let heading = part
                .level
                .map(|level| report::levels::heading(property, level));
            self.show_trace(part, &heading.unwrap_or_default(), form, shell);
        }
        if !args.witness && !parts.is_empty() {
            shell.print("\n`--witness` shows a run for each level that is not reached.\n");
        }
    }

    fn show_trace(&self, answer: &Answer, heading: &str, form: TraceForm, shell: &mut Shell) {
        let Task {
            system,
            model,
            args,
            ..
        } = self.task;
        let detail = match args.drawing.full_trace {
            true => report::Detail::Full,
            false => report::Detail::Folded,
        };
        let heading = shell.bold(&format!("{heading}:"));
        shell.print(&format!("\n{heading}\n"));
        if matches!(form, TraceForm::Chart | TraceForm::Both)
            && let Some(chart) = report::chart::of(system, &model.sources, answer)
        {
            drawing::chart(&args.drawing, &chart, &model.sources, shell);
            if form == TraceForm::Both {
                shell.print("\n");
            }
        }
        if matches!(form, TraceForm::Steps | TraceForm::Both) {
            let steps = report::trace(system, &model.sources, answer, detail, shell.style());
            shell.print(&steps);
        }
        shell.print(&report::blame(system, answer, shell.columns()));
        if let (Some(twin), Some(other)) = (&answer.twin, answer.other_run()) {
            let heading = report::twin::heading(system, &model.sources, twin);
            if report::twin::is_start(system, twin) {
                shell.print(&format!("\n{}\n", shell.bold(&heading)));
                return;
            }
            self.show_trace(&other, &heading, form, shell);
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
