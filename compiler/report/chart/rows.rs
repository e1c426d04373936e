//! The rows of a chart, step by step, and the lanes that they need.

use super::messages::{Messages, Passage, Seen};
use super::{Chart, Fate, Lane, Life, Mark, Message, Place, Row, Telling, What};
use crate::source::Span;
use crate::system::event::Act;
use crate::system::state::State;
use crate::system::{Event, LocationKind, System};
use crate::trace::{TraceStep, words};
use crate::vocabulary::{ChannelId, ProcessId};

/// Lays out a run.
pub fn layout(telling: &Telling<'_>) -> Chart {
    let Telling { system, trace, .. } = *telling;
    let mut draft = Draft {
        telling,
        messages: Messages::new(system),
        known: Vec::new(),
        rows: Vec::new(),
    };
    for index in 0..trace.steps.len() {
        draft.step(index);
    }
    if telling.waiting {
        for (process, text, span) in words::waits(system, trace.last()) {
            let kind = Mark::Waiting;
            draft.push(
                trace.steps.len(),
                Some(span),
                false,
                Draft::mark(process, kind, text),
            );
        }
    }
    draft.finish()
}

/// A chart whose lanes are not yet chosen: a process stands for its lane.
struct Draft<'a> {
    telling: &'a Telling<'a>,
    messages: Messages<'a>,
    /// What is known of each message besides who sent it.
    known: Vec<Known>,
    rows: Vec<Row>,
}

/// What becomes of a message.
#[derive(Clone, Copy)]
struct Known {
    to: Option<ProcessId>,
    fate: Fate,
    fault: bool,
}

impl Known {
    const NEW: Known = Known {
        to: None,
        fate: Fate::Waiting,
        fault: false,
    };
}

impl Draft<'_> {
    fn mark(process: ProcessId, kind: Mark, text: String) -> What {
        What::Mark {
            lane: process.0 as usize,
            kind,
            text,
        }
    }

    fn push(&mut self, step: usize, span: Option<Span>, quiet: bool, what: What) {
        let place = span.map(|span| Place {
            file: span.file,
            line: self.telling.sources.line(span),
        });
        self.rows.push(Row {
            step,
            last: step,
            place,
            quiet,
            what,
        });
    }

    fn step(&mut self, index: usize) {
        let Telling {
            system,
            sources,
            trace,
            ..
        } = *self.telling;
        let step = &trace.steps[index];
        let before = trace.before(index);
        let passages = self.messages.follow(index, before, step);
        self.known.resize(self.messages.seen.len(), Known::NEW);
        let own = |process: &ProcessId| !system.process(*process).is_added();
        let Some(process) = step.process.filter(own) else {
            let note = What::Note(words::step(system, sources, step));
            self.push(index, step.span, false, note);
            return;
        };
        if step.events.contains(&Event::Ticked) {
            self.push(index, step.span, false, What::Note(words::passing(1)));
            return;
        }
        let fault = step.fault.is_some();
        let lost = self.lost(index, process, step);
        let rest: Vec<Event> = step
            .events
            .iter()
            .filter(|event| !is_drawn(event, &passages) && !lost.iter().any(|(e, _)| e == *event))
            .cloned()
            .collect();
        let last = index + 1 == trace.steps.len();
        let told = !passages.is_empty() || !lost.is_empty();
        let quiet = trace.is_noise(index)
            || !last && !told && !fault && rest.is_empty() && !step.events.is_empty();
        if !told || rest.iter().any(|event| matters(event, step)) {
            let kind = kind(system, before, step, process);
            let text = deed(self.telling, step, process, kind, &rest, told);
            if kind != Mark::Local || !text.is_empty() {
                self.push(index, step.span, quiet, Draft::mark(process, kind, text));
            }
        }
        for (_, id) in &lost {
            self.push(index, step.span, false, What::Lost(*id));
        }
        for passage in passages {
            match passage {
                Passage::Sent(id) => {
                    self.known[id].fault |= fault;
                    self.push(index, step.span, false, What::Sent(id));
                }
                Passage::Received(id) => self.receive(index, process, step, id),
                Passage::Withdrawn(id) => self.known[id].fate = Fate::Withdrawn(index),
            }
        }
        // A message that arrives and stays: what the channel holds does not show it.
        let arrivals = step.events.iter().filter_map(|event| match event {
            Event::Acted(Act {
                passage: Some(passage),
                ..
            }) if passage.arrives => Some(passage.channel),
            _ => None,
        });
        for channel in arrivals.collect::<Vec<ChannelId>>() {
            if let Some(id) = self.messages.head(channel) {
                let copy = self.messages.seen[id].clone();
                let copy = self.messages.note(copy);
                self.known.resize(self.messages.seen.len(), Known::NEW);
                self.receive(index, process, step, copy);
            }
        }
    }

    fn receive(&mut self, index: usize, process: ProcessId, step: &TraceStep, id: usize) {
        let known = &mut self.known[id];
        known.to = Some(process);
        known.fate = Fate::Received(index);
        known.fault |= step.fault.is_some();
        self.push(index, step.span, false, What::Received(id));
    }

    /// The messages that a step sends and nobody gets, each with the event that says so.
    fn lost(&mut self, index: usize, process: ProcessId, step: &TraceStep) -> Vec<(Event, usize)> {
        let system = self.telling.system;
        let mut found = Vec::new();
        for event in &step.events {
            let Event::Acted(Act {
                passage: Some(passage),
                ..
            }) = event
            else {
                continue;
            };
            if passage.arrives {
                continue;
            }
            let id = self.messages.note(Seen {
                from: process,
                channel: passage.channel,
                text: words::message(system, passage.channel, &passage.message),
                step: index,
                rendezvous: false,
            });
            self.known.resize(self.messages.seen.len(), Known::NEW);
            self.known[id].fate = Fate::Lost;
            self.known[id].fault = step.fault.is_some();
            found.push((event.clone(), id));
        }
        found
    }

    /// Chooses the lanes, and puts them in the place of the processes.
    fn finish(self) -> Chart {
        let Telling { system, trace, .. } = *self.telling;
        let to: Vec<Option<ProcessId>> = self
            .messages
            .seen
            .iter()
            .zip(&self.known)
            .map(|(seen, known)| known.to.or_else(|| addressee(system, seen)))
            .collect();
        let mut matters = vec![false; system.processes.len()];
        for row in self.rows.iter().filter(|row| !row.quiet) {
            match &row.what {
                What::Sent(m) | What::Received(m) | What::Passed(m) | What::Lost(m) => {
                    matters[self.messages.seen[*m].from.0 as usize] = true;
                    if let Some(to) = to[*m] {
                        matters[to.0 as usize] = true;
                    }
                }
                What::Mark { lane, .. } => matters[*lane] = true,
                What::Note(_) => {}
            }
        }
        let mut lanes = Vec::new();
        let mut left_out = Vec::new();
        let mut lane_of = vec![None; system.processes.len()];
        for (id, process) in system.processes() {
            let index = id.0 as usize;
            if !matters[index] {
                if !process.is_added() {
                    left_out.push(process.name.clone());
                }
                continue;
            }
            lane_of[index] = Some(lanes.len());
            lanes.push(Lane {
                process: id,
                name: process.name.clone(),
                proc_name: process.proc_name.clone(),
                life: life(self.telling, id),
            });
        }
        let lane = |process: ProcessId| lane_of[process.0 as usize];
        let messages = (self.messages.seen.into_iter())
            .zip(&self.known)
            .zip(&to)
            .map(|((seen, known), to)| Message {
                from: lane(seen.from).unwrap_or(0),
                to: to.and_then(lane),
                channel_name: system.channel(seen.channel).name.clone(),
                channel: seen.channel,
                text: seen.text,
                sent: seen.step,
                fate: known.fate,
                rendezvous: seen.rendezvous,
                fault: known.fault,
            })
            .collect();
        let rows = (self.rows.into_iter())
            .filter_map(|mut row| {
                if let What::Mark { lane, .. } = &mut row.what {
                    *lane = lane_of[*lane]?;
                }
                Some(row)
            })
            .collect();
        Chart {
            lanes,
            left_out,
            opening: opening(self.telling),
            messages,
            rows,
            loop_start: trace.loop_start,
            rules: Vec::new(),
            steps: trace.steps.len(),
        }
    }
}

/// Whether an arrow shows what an event says.
fn is_drawn(event: &Event, passages: &[Passage]) -> bool {
    match event {
        // Without a message that came or went, it was not what it seems.
        Event::Offered(..) | Event::Sent(..) | Event::Received(..) => !passages.is_empty(),
        Event::Completed(_) | Event::Injected(_) => true,
        _ => false,
    }
}

/// Whether an event is worth a mark beside an arrow.
fn matters(event: &Event, step: &TraceStep) -> bool {
    match event {
        Event::Decided(..) | Event::Looped(_) | Event::Asserted => false,
        Event::Wrote(var) => step.changes.iter().any(|change| change.var == *var),
        _ => true,
    }
}

fn location(system: &System, state: &State, process: ProcessId) -> LocationKind {
    let here = state.locations[process.0 as usize];
    system.process(process).locations[here.0 as usize].kind
}

fn kind(system: &System, before: &State, step: &TraceStep, process: ProcessId) -> Mark {
    let was = location(system, before, process);
    let is = location(system, &step.state, process);
    let timed_out = |event: &Event| matches!(event, Event::TimedOut(_));
    match (was, is) {
        (LocationKind::Crashed, LocationKind::Crashed) => Mark::Local,
        (_, LocationKind::Crashed) => Mark::Crash,
        (LocationKind::Crashed, _) => Mark::Recovery,
        (_, LocationKind::Failed) => Mark::Failure,
        _ if step.fault.is_some() => Mark::Fault,
        _ if step.events.iter().any(timed_out) => Mark::Timeout {
            untimely: step.untimely,
        },
        _ => Mark::Local,
    }
}

/// What a process does, in few words and without its name; `rest` is what no arrow tells.
fn deed(
    telling: &Telling<'_>,
    step: &TraceStep,
    process: ProcessId,
    kind: Mark,
    rest: &[Event],
    told: bool,
) -> String {
    let Telling {
        system, sources, ..
    } = *telling;
    let words = match told {
        true => {
            let rest = TraceStep {
                events: rest.to_vec(),
                ..step.clone()
            };
            words::step(system, sources, &rest)
        }
        false => words::step(system, sources, step),
    };
    let who = format!("{} ", system.process(process).name);
    let parts = words.split("; ").map(|part| {
        let part = part.strip_prefix("FAULT ").unwrap_or(part);
        let part = part.strip_prefix(who.as_str()).unwrap_or(part);
        part.strip_prefix("sets ").unwrap_or(part).to_owned()
    });
    let mut text = parts.collect::<Vec<_>>().join("; ");
    if kind == (Mark::Timeout { untimely: true }) {
        text = text.replace(
            "times out, although it could have gone on",
            "times out, untimely",
        );
    }
    text
}

/// The only process that receives on the channel of a message, other than its sender.
fn addressee(system: &System, seen: &Seen) -> Option<ProcessId> {
    let takes = |event: &Event| matches!(event, Event::Received(c, _) if *c == seen.channel);
    let mut receivers = system.processes().filter(|(id, process)| {
        *id != seen.from
            && process
                .edges
                .iter()
                .any(|edge| edge.events.iter().any(takes))
    });
    let first = receivers.next()?.0;
    receivers.next().is_none().then_some(first)
}

/// The values that the run has chosen at its start.
fn opening(telling: &Telling<'_>) -> Vec<String> {
    let chosen = words::chosen(telling.system, &telling.trace.initial);
    let values = chosen
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    match values.collect::<Vec<_>>().join(", ") {
        values if values.is_empty() => Vec::new(),
        values => vec![format!("starts with {values}")],
    }
}

/// How a process is, from the start and after each step that changes it.
fn life(telling: &Telling<'_>, process: ProcessId) -> Vec<(usize, Life)> {
    let Telling { system, trace, .. } = *telling;
    let how = |state: &State| match location(system, state, process) {
        LocationKind::Statement | LocationKind::Inside | LocationKind::Idle => Life::Running,
        LocationKind::Done => Life::Ended,
        LocationKind::Crashed => Life::Crashed,
        LocationKind::Failed => Life::Failed,
    };
    let mut found = vec![(0, how(&trace.initial))];
    for (index, step) in trace.steps.iter().enumerate() {
        let now = how(&step.state);
        if found.last().is_some_and(|(_, last)| *last != now) {
            found.push((index + 1, now));
        }
    }
    found
}
