//! `check --coverage`: what of a model is never used, for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::analysis::coverage::{Coverage, When};
use crate::analysis::messages::Message;
use crate::report::text::{self, Detail, Style, thousands};
use crate::source::{Sources, Span};
use crate::system::{Event, LocId, LocationKind, System};
use crate::trace::{Trace, words};
use crate::vocabulary::ProcessId;

/// What of a model is never used.
#[derive(Serialize, Debug)]
pub struct Listed {
    states: usize,
    /// Statements that are never executed, or only after a fault.
    statements: Vec<Place>,
    /// Conditions that are never true, or never false, or only after a fault.
    branches: Vec<Branch>,
    /// Receives that are reached and never succeed, or only after a fault.
    receives: Vec<Place>,
    /// Labels that no process reaches, or only after a fault.
    labels: Vec<Label>,
    /// Constructors that are never sent, or never received, or only after a fault.
    messages: Vec<Unused>,
    /// Channels on which something is sent and nothing received.
    unread: Vec<String>,
    /// Faults that are never injected.
    never_injected: Vec<String>,
    /// Faults that are injected and change no verdict.
    harmless: Vec<String>,
    /// Processes that can wait for ever.
    stuck: Vec<Stuck>,
}

#[derive(Serialize, Debug)]
struct Place {
    file: String,
    line: usize,
    text: String,
    when: &'static str,
}

/// Of all processes of a proc together.
#[derive(Serialize, Debug)]
struct Label {
    proc: String,
    label: String,
    file: Option<String>,
    line: Option<usize>,
    when: &'static str,
}

#[derive(Serialize, Debug)]
struct Unused {
    message: String,
    data: String,
    file: String,
    line: usize,
    /// `null`: nobody knows.
    sent: Option<&'static str>,
    received: Option<&'static str>,
}

#[derive(Serialize, Debug)]
struct Branch {
    file: String,
    line: usize,
    text: String,
    value: bool,
    when: &'static str,
}

#[derive(Serialize, Debug)]
struct Stuck {
    process: String,
    when: &'static str,
    run: Vec<String>,
    #[serde(skip)]
    shown: String,
}

fn in_words(when: When) -> &'static str {
    match when {
        When::Never => "never",
        When::WithFaults => "only after a fault",
        When::Always => "without faults",
    }
}

/// Spans in the order of their places, with what is known about each.
type Seen = BTreeMap<(u32, usize), (Span, When)>;

fn note(seen: &mut Seen, span: Span, when: When) {
    let range = span.range();
    let key = (span.file.0, range.start);
    let known = seen.entry(key).or_insert((span, When::Never));
    known.1 = known.1.max(when);
}

/// Lists what is never used; `harmless` are the faults that change no verdict.
pub fn list(
    system: &System,
    sources: &Sources,
    coverage: &Coverage,
    harmless: Vec<String>,
    style: Style,
) -> Listed {
    let (mut statements, mut receives) = (Seen::new(), Seen::new());
    let mut branches: [Seen; 2] = [Seen::new(), Seen::new()];
    for (process, edges) in system.processes.iter().zip(&coverage.edges) {
        for (edge, when) in process.edges.iter().zip(edges) {
            if !edge.kind.is_forced() {
                continue;
            }
            let kind_of = |at: LocId| process.locations[at.0 as usize].kind;
            // A check that fails inside an `atomic` block has a place of its own, and what does not fail there has none.
            let fails = kind_of(edge.to) == LocationKind::Failed;
            if kind_of(edge.from) == LocationKind::Statement && !fails {
                note(&mut statements, edge.span, *when);
            }
            for event in &edge.events {
                match event {
                    Event::Decided(value, span) => {
                        note(&mut branches[usize::from(*value)], *span, *when);
                    }
                    Event::Received(..) => note(&mut receives, edge.span, *when),
                    _ => {}
                }
            }
        }
    }
    for (process, edges) in system.processes.iter().zip(&coverage.edges) {
        for (edge, when) in process.edges.iter().zip(edges) {
            let key = (edge.span.file.0, edge.span.range().start);
            if let Some(known) = statements.get_mut(&key).filter(|_| edge.kind.is_forced()) {
                known.1 = known.1.max(*when);
            }
        }
    }
    let path = |span: Span| sources.file(span.file).path.clone();
    let first_line = |span: Span| {
        let text = sources.slice(span);
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    let place = |(span, when): &(Span, When)| Place {
        file: path(*span),
        line: sources.line(*span),
        text: first_line(*span),
        when: in_words(*when),
    };
    let unused = |seen: &Seen| -> Vec<Place> {
        let unused = seen.values().filter(|(_, when)| *when != When::Always);
        unused.map(place).collect()
    };
    // A receive that is never reached is listed as a statement.
    let reached = |key: &(u32, usize)| {
        statements
            .get(key)
            .is_some_and(|(_, when)| *when != When::Never)
    };
    let failing: Seen = receives
        .iter()
        .filter(|(key, (_, when))| *when == When::Never && reached(key))
        .map(|(key, value)| (*key, *value))
        .collect();
    let mut listed = Vec::new();
    for (value, seen) in [(true, &branches[1]), (false, &branches[0])] {
        let unused = seen.values().filter(|(_, when)| *when != When::Always);
        listed.extend(unused.map(|(span, when)| Branch {
            file: path(*span),
            line: sources.line(*span),
            text: first_line(*span),
            value,
            when: in_words(*when),
        }));
    }
    listed.sort_by(|a, b| (&a.file, a.line, !a.value).cmp(&(&b.file, b.line, !b.value)));
    Listed {
        states: coverage.states,
        statements: unused(&statements),
        branches: listed,
        receives: unused(&failing),
        labels: labels(system, sources, coverage),
        messages: messages(system, sources, coverage),
        unread: (coverage.unread.iter())
            .map(|c| system.channel(*c).name.clone())
            .collect(),
        never_injected: (coverage.idle.iter())
            .map(|f| system.fault_name(*f).to_owned())
            .collect(),
        harmless,
        stuck: (coverage.stuck.iter())
            .map(|stuck| {
                let run = stuck.run.as_ref();
                let steps = run.into_iter().flat_map(|trace| &trace.steps);
                Stuck {
                    process: system.process(stuck.process).name.clone(),
                    when: in_words(stuck.when),
                    run: steps.map(|s| words::step(system, sources, s)).collect(),
                    shown: run.map_or_else(String::new, |trace| {
                        let steps = text::steps(system, sources, trace, Detail::Folded, style);
                        steps + &waits(system, sources, trace, stuck.process)
                    }),
                }
            })
            .collect(),
    }
}

/// What a process waits for at the end of a run; the others may well go on.
fn waits(system: &System, sources: &Sources, trace: &Trace, who: ProcessId) -> String {
    let all = words::waits(system, trace.last());
    let own = all.into_iter().filter(|(process, ..)| *process == who);
    own.map(|(_, what, span)| {
        let name = &system.process(who).name;
        format!("    {name} {what} ({})\n", sources.place(span))
    })
    .collect()
}

/// The labels that no process of their proc reaches, or only after a fault.
fn labels(system: &System, sources: &Sources, coverage: &Coverage) -> Vec<Label> {
    let mut seen: indexmap::IndexMap<(&str, &str), (Option<Span>, When)> =
        indexmap::IndexMap::new();
    for (process, edges) in system.processes.iter().zip(&coverage.edges) {
        let mut reached = vec![When::Never; process.locations.len()];
        reached[process.initial.0 as usize] = When::Always;
        for (edge, when) in process.edges.iter().zip(edges) {
            let known = &mut reached[edge.to.0 as usize];
            *known = (*known).max(*when);
        }
        for (index, name) in process.labels.iter().enumerate() {
            let known = seen
                .entry((&process.proc_name, name))
                .or_insert((None, When::Never));
            let locations = process.locations.iter().zip(&reached);
            for (location, when) in locations {
                if location
                    .labels
                    .iter()
                    .any(|label| label.0 as usize == index)
                {
                    known.0 = known.0.or(Some(location.span));
                    known.1 = known.1.max(*when);
                }
            }
        }
    }
    let unused = seen.iter().filter(|(_, (_, when))| *when != When::Always);
    let label = |((proc, label), (span, when)): (&(&str, &str), &(Option<Span>, When))| Label {
        proc: (*proc).to_owned(),
        label: (*label).to_owned(),
        file: span.map(|span| sources.file(span.file).path.clone()),
        line: span.map(|span| sources.line(span)),
        when: in_words(*when),
    };
    unused.map(label).collect()
}

/// The constructors that are never sent, or never received, or only after a fault.
fn messages(system: &System, sources: &Sources, coverage: &Coverage) -> Vec<Unused> {
    let used = Some(When::Always);
    let is_unused = |m: &&Message| {
        let known = m.sent.is_some() && m.received.is_some();
        known && (m.sent != used || m.received != used)
    };
    let unused = coverage.messages.iter().filter(is_unused);
    let list = unused.map(|m| {
        let data = &system.data[m.data.0 as usize];
        Unused {
            message: data.constructors[m.constructor as usize].clone(),
            data: data.name.clone(),
            file: sources.file(data.span.file).path.clone(),
            line: sources.line(data.span),
            sent: m.sent.map(in_words),
            received: m.received.map(in_words),
        }
    });
    list.collect()
}

/// What is never used, for people.
pub fn text(listed: &Listed, style: Style) -> String {
    let states = thousands(listed.states as u64);
    let mut out = format!("\n{}\n", style.bold(&format!("Coverage ({states} states)")));
    for s in &listed.statements {
        let _ = writeln!(
            out,
            "    executed {}: `{}` ({}:{})",
            s.when, s.text, s.file, s.line
        );
    }
    for b in &listed.branches {
        let Branch {
            value,
            when,
            text,
            file,
            line,
        } = b;
        let _ = writeln!(out, "    {value} {when}: `{text}` ({file}:{line})");
    }
    for r in &listed.receives {
        let _ = writeln!(
            out,
            "    never succeeds: `{}` ({}:{})",
            r.text, r.file, r.line
        );
    }
    for l in &listed.labels {
        let Label {
            proc, label, when, ..
        } = l;
        let place = match (&l.file, l.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        let _ = writeln!(out, "    reached {when}: label `{label}` of {proc}{place}");
    }
    for m in &listed.messages {
        let never = in_words(When::Never);
        let what = match (m.sent, m.received) {
            (Some(sent), _) if sent == never => "never sent".to_owned(),
            (_, Some(received)) if received == never => "sent but never received".to_owned(),
            (Some(sent), Some(received)) if sent == received => {
                format!("sent and received {sent}")
            }
            (_, Some(received)) => format!("received {received}"),
            _ => continue,
        };
        let Unused {
            message,
            data,
            file,
            line,
            ..
        } = m;
        let _ = writeln!(out, "    {what}: {message} of {data} ({file}:{line})");
    }
    for channel in &listed.unread {
        let _ = writeln!(
            out,
            "    sent but never received: what is sent on {channel}"
        );
    }
    for fault in &listed.never_injected {
        let _ = writeln!(out, "    never injected: {fault}");
    }
    for fault in &listed.harmless {
        let _ = writeln!(out, "    changes no verdict: {fault}");
    }
    for stuck in &listed.stuck {
        let _ = writeln!(
            out,
            "    can wait for ever, {}: {}\n{}",
            stuck.when,
            stuck.process,
            stuck.shown.trim_end()
        );
    }
    if out.lines().count() == 2 {
        out.push_str("    everything is used, and nobody can wait for ever\n");
    }
    out
}
