//! A run as a sequence chart: a lane for each process that takes part, arrows for messages, marks for what else happens.
//!
//! In: a trace. Out: a [`Chart`], plain data that says what is drawn and in which order, but nothing about characters, pixels or
//! colours. The terminal ([`terminal`]), the picture ([`svg`]), the HTML report and the formats for other tools all read it.
//! A step that nothing here knows how to draw is told in its words, on the lane of its process.

mod fold;
pub(super) mod grid;
mod messages;
mod rows;
mod signs;
pub mod svg;
pub mod terminal;

use super::levels;
use crate::check::Answer;
use crate::source::{FileId, Sources};
use crate::system::{PropertyKind, System};
use crate::trace::Trace;
use crate::verdict::Outcome;
use crate::vocabulary::{ChannelId, ProcessId};

/// A run as a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// A lane for each process that takes part, in the order of the model.
    pub lanes: Vec<Lane>,
    /// The processes that do nothing that matters, in the order of the model.
    pub left_out: Vec<String>,
    /// What is to be known before the first step, a line each: values that the run has chosen at its start.
    pub opening: Vec<String>,
    /// The messages, in the order in which they are first seen.
    pub messages: Vec<Message>,
    /// What happens, from top to bottom. A step may have several rows, or none if it is left out.
    pub rows: Vec<Row>,
    /// If the run is infinite: after its last step it goes on with this one.
    pub loop_start: Option<usize>,
    /// Lines across all lanes, with what is to be said there.
    pub rules: Vec<Rule>,
    /// How many steps the run has.
    pub steps: usize,
}

/// A process that takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The process.
    pub process: ProcessId,
    /// `worker[1]`
    pub name: String,
    /// The proc it is an instance of.
    pub proc_name: String,
    /// How it is from a step on, in order; the first is at step 0: how it begins.
    pub life: Vec<(usize, Life)>,
}

/// How a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It goes on.
    Running,
    /// It has come to the end of its body.
    Ended,
    /// It has crashed.
    Crashed,
    /// A run-time check of it has failed.
    Failed,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The lane that sent it.
    pub from: usize,
    /// The lane that received it, or the only one that could have.
    pub to: Option<usize>,
    /// The channel.
    pub channel: ChannelId,
    /// Its name.
    pub channel_name: String,
    /// What it says: `Ready`, `1, 2`.
    pub text: String,
    /// The step that sent it.
    pub sent: usize,
    /// What became of it.
    pub fate: Fate,
    /// Whether its sender waits until it is received.
    pub rendezvous: bool,
    /// Whether a fault has to do with it.
    pub fault: bool,
}

/// What becomes of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is received at this step.
    Received(usize),
    /// It is lost.
    Lost,
    /// Its sender takes it back at this step.
    Withdrawn(usize),
    /// At the end of the run it is still there.
    Waiting,
}

/// A row: what a step does, or a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The step, from 0; of what is said about the end of the run, the number of steps.
    pub step: usize,
    /// The last step that is told here too: of several that are one row the last, else the same.
    pub last: usize,
    /// Where it is written.
    pub place: Option<Place>,
    /// Whether it changes nothing and shows no choice, so that it may be left out.
    pub quiet: bool,
    /// What happens.
    pub what: What,
}

/// A line of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: usize,
}

/// What a row shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A message leaves its sender; its arrival is a row of its own, or there is none.
    Sent(usize),
    /// A message arrives that was sent before.
    Received(usize),
    /// A message is sent and received.
    Passed(usize),
    /// A message is sent and lost.
    Lost(usize),
    /// Something else happens to a process.
    Mark {
        /// Its lane.
        lane: usize,
        /// What kind of thing.
        kind: Mark,
        /// In words, without the name of the process.
        text: String,
    },
    /// Something happens to nobody in particular.
    Note(String),
}

/// What kind of thing happens to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It sets a variable, chooses, decides.
    Local,
    /// It gives up waiting; `untimely` if it could have gone on.
    Timeout {
        /// Whether it could have gone on.
        untimely: bool,
    },
    /// A fault that has no sign of its own.
    Fault,
    /// It crashes.
    Crash,
    /// It begins again.
    Recovery,
    /// A run-time check fails.
    Failure,
    /// At the end of the run it waits for something that never comes.
    Waiting,
}

/// A line across all lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Before the rows of this step; the number of steps: at the end.
    pub step: usize,
    /// What is said there.
    pub text: String,
    /// How much it matters.
    pub tone: Tone,
}

/// How something is to be shown, for those who have colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Like everything else.
    Plain,
    /// Beside the point: numbers, lines.
    Faint,
    /// A name.
    Strong,
    /// Worth a second look: an untimely timeout, a loop.
    Odd,
    /// A fault or a failure.
    Bad,
}

/// How a run is to be told.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    /// The System that the run is one of.
    pub system: &'a System,
    /// Its texts.
    pub sources: &'a Sources,
    /// The run.
    pub trace: &'a Trace,
    /// Whether to say at the end what each process waits for.
    pub waiting: bool,
}

/// Lays out a run, every step with at least one row. [`Chart::folded`] leaves out what does not matter.
pub fn layout(telling: &Telling<'_>) -> Chart {
    rows::layout(telling)
}

/// The run of an answer, with what it shows at its end.
pub fn of(system: &System, sources: &Sources, answer: &Answer) -> Option<Chart> {
    let trace = answer.trace.as_ref()?;
    let property = &system.properties[answer.property];
    let mut chart = layout(&Telling {
        system,
        sources,
        trace,
        waiting: matches!(property.kind, PropertyKind::Deadlock),
    });
    let name = &property.name;
    let end = match (&property.kind, answer.level) {
        _ if trace.loop_start.is_some() => None,
        // It stands beside a run that does show something.
        _ if matches!(answer.outcome, Outcome::Unknown(_)) => None,
        (_, Some(level)) => Some((levels::end(property, level), Tone::Bad)),
        // The step that fails says so itself.
        (PropertyKind::Check(_), _) => None,
        (PropertyKind::Deadlock, _) => Some(("a deadlock".to_owned(), Tone::Bad)),
        (kind, _) if kind.holds_if_found() => {
            Some((format!("here {name} is reached"), Tone::Strong))
        }
        _ => {
            // Of a protocol: which message did not fit.
            let told = crate::trace::ending::ending(system, answer.property, trace);
            let why = told.first().map(|(text, _)| format!(": {text}"));
            let why = why.unwrap_or_default();
            Some((format!("here {name} is violated{why}"), Tone::Bad))
        }
    };
    let no_return = answer.blame.as_ref().and_then(|blame| blame.no_return);
    chart.rules.extend(no_return.map(|step| Rule {
        step,
        text: "no return: from here on no further fault is needed".to_owned(),
        tone: Tone::Odd,
    }));
    chart.rules.extend(end.map(|(text, tone)| Rule {
        step: chart.steps,
        text,
        tone,
    }));
    Some(chart)
}

impl Lane {
    /// How the process is just before a step.
    pub fn before(&self, step: usize) -> Life {
        let earlier = self.life.iter().rev().find(|(from, _)| *from <= step);
        earlier.map_or(Life::Running, |(_, life)| *life)
    }
}

impl Mark {
    /// How it is to be shown.
    pub fn tone(self) -> Tone {
        match self {
            Mark::Fault | Mark::Crash | Mark::Failure => Tone::Bad,
            Mark::Timeout { untimely: true } | Mark::Recovery | Mark::Waiting => Tone::Odd,
            Mark::Timeout { untimely: false } | Mark::Local => Tone::Plain,
        }
    }
}

impl Message {
    /// `order1: Ready`
    pub fn label(&self) -> String {
        format!("{}: {}", self.channel_name, self.text)
    }

    /// How it is to be shown.
    pub fn tone(&self) -> Tone {
        match self.fault || self.fate == Fate::Lost {
            true => Tone::Bad,
            false => Tone::Plain,
        }
    }
}

impl Row {
    /// How it is to be shown.
    pub fn tone(&self, chart: &Chart) -> Tone {
        match &self.what {
            What::Sent(m) | What::Received(m) | What::Passed(m) | What::Lost(m) => {
                chart.messages[*m].tone()
            }
            What::Mark { kind, .. } => kind.tone(),
            What::Note(text) if text.starts_with("FAULT") => Tone::Bad,
            What::Note(_) => Tone::Plain,
        }
    }
}

impl Chart {
    /// The rows that are in the loop.
    pub fn is_in_loop(&self, row: &Row) -> bool {
        self.loop_start
            .is_some_and(|start| row.last >= start && row.step < self.steps)
    }
}
