//! What the page's script reads: processes, variables, texts, and the runs step by step, in as few characters as is easy.

use indexmap::IndexSet;
use serde::Serialize;

use crate::check::Answer;
use crate::report::chart::{self, Chart, Fate, Life, Mark, Row, Tone, What};
use crate::report::graph;
use crate::source::{Sources, Span, printable, visible};
use crate::system::state::State;
use crate::system::{ChannelVars, Owner, System, VarId};
use crate::trace::{Trace, words};
use crate::vocabulary::{ChannelId, ProcessId};

/// A process with more places is not drawn in the page.
const LARGEST_MACHINE: usize = 300;
/// With more processes than this, state machines leave out the names of channels, so that those of one proc are one picture.
const MANY: usize = 8;

/// A row of the chart, as a list of numbers: they are many, and names would repeat.
type RowNumbers = (usize, usize, u32, usize, u8, i64, usize, u8, u8);

/// A step, likewise.
type StepNumbers = (i64, usize, u32, usize, i64, u8, u8, u32, Vec<usize>);

#[derive(Serialize)]
struct Data {
    files: Vec<File>,
    processes: Vec<Process>,
    /// The names of variables, then of channels.
    vars: Vec<String>,
    groups: Vec<Group>,
    runs: Vec<Run>,
    strings: Vec<String>,
}

#[derive(Serialize)]
struct File {
    path: String,
    lines: Vec<String>,
}

#[derive(Serialize)]
struct Process {
    name: String,
    /// The number of its picture, or -1.
    machine: i64,
    initial: u32,
}

#[derive(Serialize)]
struct Group {
    name: String,
    /// The process that has these variables, or -1.
    process: i64,
    vars: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    /// Process, and how it is from which step on.
    lanes: Vec<(u32, Vec<(usize, u8)>)>,
    left_out: Vec<String>,
    opening: Vec<usize>,
    /// From, to or -1, channel, text, fate, whether by a fault.
    messages: Vec<(usize, i64, usize, usize, u8, u8)>,
    /// Step, last step, file, line or 0, kind, message or lane, words, mark, tone.
    rows: Vec<RowNumbers>,
    /// Step, words, tone.
    rules: Vec<(usize, usize, u8)>,
    /// Process or -1, words, file, line or 0, fault or -1, untimely, quiet, place, changes: variable and value in turn.
    steps: Vec<StepNumbers>,
    #[serde(rename = "loop")]
    loops: i64,
    initial: Vec<usize>,
}

/// The data as JSON, and the pictures that it refers to.
pub fn data(system: &System, sources: &Sources, runs: &[&Answer]) -> (String, Vec<String>) {
    let mut pictures: IndexSet<String> = IndexSet::new();
    let processes = (system.processes())
        .map(|(id, process)| Process {
            name: printable(&process.name),
            machine: machine(system, sources, id, &mut pictures),
            initial: process.initial.0,
        })
        .collect();
    let mut writer = Writer {
        system,
        sources,
        strings: IndexSet::new(),
        shown: shown(system),
    };
    let runs = runs
        .iter()
        .filter_map(|answer| writer.run(answer))
        .collect();
    let data = Data {
        files: (sources.iter())
            .map(|(_, file)| File {
                path: printable(&file.path),
                lines: file.text.lines().map(source_line).collect(),
            })
            .collect(),
        processes,
        vars: writer.names(),
        groups: writer.groups(),
        runs,
        strings: writer.strings.into_iter().collect(),
    };
    let json = serde_json::to_string(&data).expect("a report is plain data");
    (json, pictures.into_iter().collect())
}

/// A line of a file as it is, but for what would upset its reader.
fn source_line(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.chars()
        .map(|c| if c == '\t' { c } else { visible(c) })
        .collect()
}

fn machine(
    system: &System,
    sources: &Sources,
    id: ProcessId,
    pictures: &mut IndexSet<String>,
) -> i64 {
    let process = system.process(id);
    if process.locations.len() > LARGEST_MACHINE {
        return -1;
    }
    let named = system.processes.len() <= MANY;
    let (mut graph, places) = graph::machine(system, sources, id, named);
    graph.title = process.proc_name.clone();
    let key = |index: usize| places[index].map(|place| place.0);
    let picture = graph::svg::part(&graph, &key);
    pictures.insert_full(picture).0 as i64
}

/// The variables that are shown: those of processes, and of others that are no channel's.
fn shown(system: &System) -> Vec<VarId> {
    let all = (0..system.vars.len()).map(|index| VarId(index as u32));
    all.filter(|id| {
        let var = system.var(*id);
        !var.hidden && !matches!(var.owner, Owner::Channel(_))
    })
    .collect()
}

struct Writer<'a> {
    system: &'a System,
    sources: &'a Sources,
    strings: IndexSet<String>,
    shown: Vec<VarId>,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) -> usize {
        self.strings.insert_full(printable(text)).0
    }

    fn names(&self) -> Vec<String> {
        let own = self
            .shown
            .iter()
            .map(|id| printable(&self.system.var(*id).name));
        let channels = self.system.channels.iter().map(|c| printable(&c.name));
        own.chain(channels).collect()
    }

    fn groups(&self) -> Vec<Group> {
        let of = |wanted: &dyn Fn(Owner) -> bool| -> Vec<usize> {
            let all = self.shown.iter().enumerate();
            all.filter(|(_, id)| wanted(self.system.var(**id).owner))
                .map(|(index, _)| index)
                .collect()
        };
        let mut groups: Vec<Group> = (self.system.processes())
            .map(|(id, process)| Group {
                name: printable(&process.name),
                process: i64::from(id.0),
                vars: of(&|owner| owner == Owner::Process(id)),
            })
            .collect();
        groups.push(Group {
            name: "channels".to_owned(),
            process: -1,
            vars: (self.shown.len()..self.shown.len() + self.system.channels.len()).collect(),
        });
        groups.push(Group {
            name: "faults".to_owned(),
            process: -1,
            vars: of(&|owner| !matches!(owner, Owner::Process(_))),
        });
        groups
    }

    /// What a channel holds.
    fn contents(&mut self, state: &State, channel: usize) -> usize {
        let id = ChannelId(channel as u32);
        let code = |var: &VarId| state.values[var.0 as usize];
        let text = match &self.system.channels[channel].vars {
            ChannelVars::Rendezvous {
                ready,
                received,
                values,
            } => {
                let values: Vec<String> = values
                    .iter()
                    .map(|var| words::value(self.system, *var, code(var)))
                    .collect();
                match (code(ready) != 0, code(received) != 0) {
                    (false, _) => "empty".to_owned(),
                    (true, false) => format!("{} offered", values.join(", ")),
                    (true, true) => format!("{} taken", values.join(", ")),
                }
            }
            _ => {
                let contents = words::contents(self.system, state, id).unwrap_or_default();
                let start = contents.find(" = ").map_or(0, |at| at + 3);
                contents[start..].to_owned()
            }
        };
        self.text(&text)
    }

    fn value(&mut self, id: VarId, state: &State) -> usize {
        let text = words::value(self.system, id, state.values[id.0 as usize]);
        self.text(&text)
    }

    fn place(&self, span: Option<Span>) -> (u32, usize) {
        span.map_or((0, 0), |span| (span.file.0, self.sources.line(span)))
    }

    fn run(&mut self, answer: &Answer) -> Option<Run> {
        let trace = answer.trace.as_ref()?;
        let full = chart::of(self.system, self.sources, answer)?;
        let chart = full.folded();
        let mut initial = Vec::new();
        for id in self.shown.clone() {
            initial.push(self.value(id, &trace.initial));
        }
        for channel in 0..self.system.channels.len() {
            initial.push(self.contents(&trace.initial, channel));
        }
        let mut quiet = vec![true; trace.steps.len()];
        for row in &full.rows {
            if let Some(quiet) = quiet.get_mut(row.step) {
                *quiet &= row.quiet;
            }
        }
        let steps = (0..trace.steps.len())
            .map(|index| self.step(trace, index, quiet[index]))
            .collect();
        let opening = chart.opening.iter().map(|line| self.text(line)).collect();
        let rows = chart.rows.iter().map(|row| self.row(&chart, row)).collect();
        let messages = chart
            .messages
            .iter()
            .map(|message| {
                let fate = match message.fate {
                    Fate::Received(_) => 0,
                    Fate::Lost => 1,
                    Fate::Withdrawn(_) => 2,
                    Fate::Waiting => 3,
                };
                (
                    message.from,
                    message.to.map_or(-1, |to| to as i64),
                    self.text(&message.channel_name),
                    self.text(&message.text),
                    fate,
                    u8::from(message.fault),
                )
            })
            .collect();
        let rules = chart.rules.iter();
        let rules = rules.map(|rule| (rule.step, self.text(&rule.text), tone(rule.tone)));
        Some(Run {
            rules: rules.collect(),
            lanes: (chart.lanes.iter())
                .map(|lane| {
                    let life = lane.life.iter().map(|(step, life)| {
                        let life = match life {
                            Life::Running => 0,
                            Life::Ended => 1,
                            Life::Crashed => 2,
                            Life::Failed => 3,
                        };
                        (*step, life)
                    });
                    (lane.process.0, life.collect())
                })
                .collect(),
            left_out: chart.left_out.iter().map(|name| printable(name)).collect(),
            opening,
            messages,
            rows,
            steps,
            loops: trace.loop_start.map_or(-1, |start| start as i64),
            initial,
        })
    }

    fn row(
        &mut self,
        chart: &Chart,
        row: &Row,
    ) -> (usize, usize, u32, usize, u8, i64, usize, u8, u8) {
        let (file, line) = row.place.map_or((0, 0), |place| (place.file.0, place.line));
        let (kind, what, words, mark) = match &row.what {
            What::Sent(m) => (0, *m as i64, 0, 0),
            What::Received(m) => (1, *m as i64, 0, 0),
            What::Passed(m) => (2, *m as i64, 0, 0),
            What::Lost(m) => (3, *m as i64, 0, 0),
            What::Mark { lane, kind, text } => {
                let mark = match kind {
                    Mark::Local => 0,
                    Mark::Timeout { .. } => 1,
                    Mark::Fault => 2,
                    Mark::Crash => 3,
                    Mark::Recovery => 4,
                    Mark::Failure => 5,
                    Mark::Waiting => 6,
                };
                (4, *lane as i64, self.text(text), mark)
            }
            What::Note(text) => (5, -1, self.text(text), 0),
        };
        let tone = tone(row.tone(chart));
        (
            row.step, row.last, file, line, kind, what, words, mark, tone,
        )
    }

    fn step(
        &mut self,
        trace: &Trace,
        index: usize,
        quiet: bool,
    ) -> (i64, usize, u32, usize, i64, u8, u8, u32, Vec<usize>) {
        let step = &trace.steps[index];
        let (file, line) = self.place(step.span);
        let words = words::step(self.system, self.sources, step);
        let words = self.text(&words);
        let fault = step
            .fault
            .map(|fault| self.system.fault_name(fault).to_owned());
        let mut changes = Vec::new();
        let mut channels: Vec<usize> = Vec::new();
        for change in &step.changes {
            match self.system.var(change.var).owner {
                Owner::Channel(channel) => {
                    let channel = channel.0 as usize;
                    if !channels.contains(&channel) {
                        channels.push(channel);
                        let contents = self.contents(&step.state, channel);
                        changes.extend([self.shown.len() + channel, contents]);
                    }
                }
                _ => {
                    if let Ok(place) = self.shown.binary_search(&change.var) {
                        changes.extend([place, self.value(change.var, &step.state)]);
                    }
                }
            }
        }
        let location = step
            .process
            .map_or(0, |p| step.state.locations[p.0 as usize].0);
        (
            step.process.map_or(-1, |p| i64::from(p.0)),
            words,
            file,
            line,
            fault.map_or(-1, |name| self.text(&name) as i64),
            u8::from(step.untimely),
            u8::from(quiet),
            location,
            changes,
        )
    }
}

fn tone(tone: Tone) -> u8 {
    match tone {
        Tone::Plain => 0,
        Tone::Faint => 1,
        Tone::Strong => 2,
        Tone::Odd => 3,
        Tone::Bad => 4,
    }
}
