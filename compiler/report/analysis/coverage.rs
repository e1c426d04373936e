//! `check --coverage`: what of a model is never used, for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;

use crate::analysis::coverage::{Coverage, When};
use crate::check::{Answer, Shows};
use crate::report::text::{self, Detail, Style, thousands};
use crate::source::{Sources, Span};
use crate::system::{Event, LocationKind, System};
use crate::trace::words;
use crate::verdict::Outcome;

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
            let from = process.locations[edge.from.0 as usize].kind;
            if from == LocationKind::Statement {
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
                let answer = Answer {
                    outcome: Outcome::Holds,
                    trace: stuck.run.clone().map(Arc::new),
                    shows: Shows::Any,
                    ..Answer::unknown(0, String::new())
                };
                Stuck {
                    process: system.process(stuck.process).name.clone(),
                    when: in_words(stuck.when),
                    run: steps.map(|s| words::step(system, sources, s)).collect(),
                    shown: text::trace(system, sources, &answer, Detail::Folded, style),
                }
            })
            .collect(),
    }
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
