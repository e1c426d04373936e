//! Events in words: the one place that turns what happened into what a user reads.

use super::{Trace, TraceStep};
use crate::source::Span;
use crate::system::LocationKind;
use crate::system::event::Word;
use crate::system::print::expr as print_expr;
use crate::system::{Check, Edge, Event, Expr, LocId, System};
use crate::vocabulary::ProcessId;

/// A step in words, without its place: `worker1 sends Ready on rep1`, `FAULT req2 drops Commit`.
pub fn step(system: &System, step: &TraceStep) -> String {
    let Some(process) = step.process else {
        return "nobody moves any more".to_string();
    };
    let who = &system.process(process).name;
    let channel = |c: &crate::vocabulary::ChannelId| system.channel(*c).name.clone();
    let message = |values: &[Expr]| {
        values
            .iter()
            .map(|e| print_expr(system, e))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut parts: Vec<String> = Vec::new();
    let mut wrote = false;
    for event in &step.events {
        let part = match event {
            Event::Wrote(_) if std::mem::replace(&mut wrote, true) => continue,
            Event::Wrote(var) => assignment(system, step, who, *var),
            // What was sent instead follows as an event of its own.
            Event::Offered(..) | Event::Sent(..) if step.fault.is_some() => continue,
            Event::Offered(c, m) | Event::Sent(c, m) => {
                format!("{who} sends {} on {}", message(m), channel(c))
            }
            Event::Completed(c) => format!("{who} completes its send on {}", channel(c)),
            Event::Withdrew(c) => format!("{who} withdraws its message on {}", channel(c)),
            Event::Received(c, m) => format!("{who} receives {} from {}", message(m), channel(c)),
            Event::Peeked(c, m) => format!("{who} peeks at {} on {}", message(m), channel(c)),
            Event::Decided(value) => format!("{who} finds its condition {value}"),
            Event::Chose(block) => format!("{who} chooses block {}", block + 1),
            Event::Asserted => format!("{who} passes an assertion"),
            Event::TimedOut(_) if step.untimely => {
                format!("{who} times out, although it could have gone on")
            }
            Event::TimedOut(_) => format!("{who} times out"),
            Event::Declined => format!("{who} finds nothing to do"),
            Event::Failed(check) => format!("{who} fails: {}", failure(*check)),
            Event::Acted(act) => {
                let words = act.sentence.iter().map(|word| match word {
                    Word::Plain(word) => (*word).to_string(),
                    Word::Actor => who.clone(),
                    Word::Channel(c) => channel(c),
                    Word::Message(m) => message(m),
                    Word::Count(n) => n.to_string(),
                });
                let sentence = words.collect::<Vec<_>>().join(" ");
                // A recovery is told by the fault too, but it injects nothing.
                match step.fault {
                    Some(_) => format!("FAULT {sentence}"),
                    None => sentence,
                }
            }
            Event::Injected(_) => continue,
        };
        parts.push(part);
    }
    if parts.is_empty() {
        parts.push(format!("{who} goes on"));
    }
    parts.join("; ")
}

fn assignment(system: &System, step: &TraceStep, who: &str, var: crate::system::VarId) -> String {
    let changed: Vec<String> = step
        .changes
        .iter()
        .filter(|c| system.var(c.var).owner == system.var(var).owner)
        .map(|c| {
            format!(
                "{} = {}",
                system.var(c.var).name,
                value(system, c.var, c.to)
            )
        })
        .collect();
    if changed.is_empty() {
        format!("{who} assigns {} (no change)", system.var(var).name)
    } else {
        format!("{who} sets {}", changed.join(", "))
    }
}

fn failure(check: Check) -> &'static str {
    match check {
        Check::Assert => "an assertion is false",
        Check::Range => "a value is out of range",
        Check::Division => "a division by zero",
        Check::Index => "an index is out of bounds",
    }
}

/// A value of a variable, as the user writes it.
pub fn value(system: &System, var: crate::system::VarId, code: i64) -> String {
    print_expr(system, &Expr::Const(system.var(var).domain.scalar(code)))
}

/// What a process that cannot move waits for, and where: of every process that has not stopped.
pub fn waiting(system: &System, trace: &Trace) -> Vec<(String, Span)> {
    let state = trace.last();
    let mut found = Vec::new();
    for (id, process) in system.processes() {
        let here = state.locations[id.0 as usize];
        let location = &process.locations[here.0 as usize];
        if matches!(
            location.kind,
            LocationKind::Statement | LocationKind::Inside
        ) {
            let what = waits_for(system, id, here);
            found.push((format!("{} waits {what}", process.name), location.span));
        }
    }
    found
}

fn waits_for(system: &System, process: ProcessId, here: LocId) -> String {
    let edges = system.process(process).edges.iter();
    let mut reasons: Vec<String> = Vec::new();
    for edge in edges.filter(|e| e.from == here && e.kind.is_forced()) {
        if let Some(reason) = reason(system, edge)
            && !reasons.contains(&reason)
        {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        "for ever".to_string()
    } else {
        reasons.join(" or ")
    }
}

fn reason(system: &System, edge: &Edge) -> Option<String> {
    edge.events.iter().find_map(|event| match event {
        Event::Received(c, _) => Some(format!("to receive from {}", system.channel(*c).name)),
        Event::Peeked(c, _) => Some(format!("for a message on {}", system.channel(*c).name)),
        Event::Offered(c, _) | Event::Sent(c, _) => {
            Some(format!("to send on {}", system.channel(*c).name))
        }
        Event::Completed(c) => Some(format!(
            "for its message on {} to be received",
            system.channel(*c).name
        )),
        _ => None,
    })
}
