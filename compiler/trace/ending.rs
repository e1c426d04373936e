//! Why a run that violates a property ends where it does, as places with words: who waits for what in a deadlock and what lies
//! in the channels, or which message did not fit a protocol and what would have.

use super::words;
use super::{Trace, TraceStep};
use crate::source::Span;
use crate::system::conduct::Conduct;
use crate::system::expr::Expr as GenericExpr;
use crate::system::state::State;
use crate::system::{
    ChannelVars, Event, Expr, Form, Leaf, LocationKind, PropertyKind, System, VarId,
};
use crate::vocabulary::{ChannelId, ProcessId};

/// What there is to say about the end of a run that violates a property.
pub fn ending(system: &System, property: usize, trace: &Trace) -> Vec<(String, Span)> {
    let asked = &system.properties[property];
    match (&asked.kind, &asked.form) {
        (PropertyKind::Deadlock, _) => deadlock(system, trace),
        (_, Some(Form::Protocol(conduct))) => {
            let span = asked
                .span
                .unwrap_or(Span::new(crate::source::FileId(0), 0, 0));
            misfit(system, conduct, span, trace)
        }
        _ => Vec::new(),
    }
}

/// Who waits for what, and what lies in the channels they wait at.
fn deadlock(system: &System, trace: &Trace) -> Vec<(String, Span)> {
    let state = trace.last();
    let mut told = words::waiting(system, trace);
    let awaited = awaited(system, state);
    let mut channels: Vec<ChannelId> = awaited.iter().map(|wait| wait.channel).collect();
    channels.sort_unstable();
    channels.dedup();
    for channel in channels {
        let (name, span) = (&system.channel(channel).name, system.channel(channel).span);
        if let Some(holds) = holds(system, state, channel) {
            told.push((format!("{name} {holds}"), span));
        }
    }
    for wait in &awaited {
        if wait.receives && !anybody_sends(system, state, wait) {
            let who = &system.process(wait.process).name;
            let name = &system.channel(wait.channel).name;
            told.push((
                format!("nobody ever sends what {who} waits for on {name}"),
                wait.span,
            ));
        }
    }
    told
}

/// A channel that a process waits at.
struct Wait<'a> {
    process: ProcessId,
    channel: ChannelId,
    receives: bool,
    guard: &'a Expr,
    span: Span,
}

fn awaited<'a>(system: &'a System, state: &State) -> Vec<Wait<'a>> {
    let mut found: Vec<Wait<'a>> = Vec::new();
    for (process, p) in system.processes() {
        let here = state.locations[process.0 as usize];
        let kind = p.locations[here.0 as usize].kind;
        if !matches!(kind, LocationKind::Statement | LocationKind::Inside) {
            continue;
        }
        for edge in (p.edges.iter()).filter(|e| e.from == here && e.kind.is_forced()) {
            if words::ruled_out(system, state, process, &edge.guard) {
                continue;
            }
            let operation = edge.events.iter().find_map(|event| match event {
                Event::Received(c, _) | Event::Peeked(c, _) => Some((*c, true)),
                Event::Offered(c, _) | Event::Sent(c, _) | Event::Completed(c) => Some((*c, false)),
                _ => None,
            });
            if let Some((channel, receives)) = operation {
                found.push(Wait {
                    process,
                    channel,
                    receives,
                    guard: &edge.guard,
                    span: edge.span,
                });
            }
        }
    }
    found
}

/// What lies in a channel: `is empty`, `holds [Ready]`.
fn holds(system: &System, state: &State, channel: ChannelId) -> Option<String> {
    let code = |var: &VarId| state.values[var.0 as usize];
    match &system.channel(channel).vars {
        ChannelVars::Buffered { len, .. } if code(len) == 0 => Some("is empty".to_owned()),
        ChannelVars::Buffered { len, slots, .. } => {
            let full = match code(len) == slots.len() as i64 {
                true => ", which is all it has room for",
                false => "",
            };
            let contents = words::contents(system, state, channel)?;
            let (_, messages) = contents.split_once(" = ")?;
            Some(format!("holds {messages}{full}"))
        }
        ChannelVars::Rendezvous {
            ready,
            received,
            values,
        } => Some(match (code(ready) != 0, code(received) != 0) {
            (false, _) => "has no message on offer".to_owned(),
            (true, taken) => {
                let scalar = |v: &VarId| Expr::Const(system.var(*v).domain.scalar(code(v)));
                let values: Vec<Expr> = values.iter().map(scalar).collect();
                let message = words::message(system, channel, &values);
                match taken {
                    false => format!("has {message} on offer"),
                    true => format!("has {message}, which has been taken"),
                }
            }
        }),
    }
}

/// Whether some process has a statement that may send what is waited for: a message of constants is tried, any other may be it.
fn anybody_sends(system: &System, state: &State, wait: &Wait<'_>) -> bool {
    let head: &[VarId] = match &system.channel(wait.channel).vars {
        ChannelVars::Rendezvous { values, .. } => values,
        ChannelVars::Buffered { slots, .. } => &slots[0],
    };
    // What the guard says about the message, and about nothing else.
    let parts = match wait.guard {
        Expr::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let only_head = |part: &&Expr| {
        let (mut only, mut some) = (true, false);
        part.leaves(&mut |leaf| {
            some = true;
            only &= matches!(leaf, Leaf::Var(v) if head.contains(v));
        });
        only && some
    };
    let about: Vec<&Expr> = parts.iter().filter(only_head).collect();
    let edges = system.processes.iter().flat_map(|p| &p.edges);
    let mut messages = edges
        .flat_map(|edge| &edge.events)
        .filter_map(|event| match event {
            Event::Offered(c, m) | Event::Sent(c, m) if *c == wait.channel => Some(m),
            _ => None,
        });
    messages.any(|message| {
        about.iter().all(|part| {
            let tried = part.replace(&mut |leaf| match leaf {
                Leaf::Var(v) => {
                    let at = head.iter().position(|own| own == v)?;
                    message.get(at).cloned()
                }
                _ => None,
            });
            let mut constant = true;
            tried.leaves(&mut |_| constant = false);
            !constant || state.holds(&tried)
        })
    })
}

/// Which message did not fit, and what would have.
fn misfit(
    system: &System,
    conduct: &Conduct,
    property: Span,
    trace: &Trace,
) -> Vec<(String, Span)> {
    let mut at: Option<Vec<u32>> = None;
    for step in &trace.steps {
        let Some(process) = step.process else {
            continue;
        };
        for (sent, channel, message) in messages(step) {
            if !conduct.reads(sent, process, channel) {
                continue;
            }
            let expected = conduct.positions.after(at.as_deref());
            let is = |letter: &u32| {
                let letter = &conduct.letters[*letter as usize];
                let by = letter.by.as_ref().is_none_or(|by| by.contains(&process));
                let picks: Vec<i64> = message.iter().map(|e| code(&step.state, e)).collect();
                letter.sent == sent
                    && by
                    && letter.channels.contains(&channel)
                    && step.state.eval_with(&letter.fits, &picks) != 0
            };
            let next: Vec<u32> = expected.iter().copied().filter(is).collect();
            if !next.is_empty() {
                at = Some(next);
                continue;
            }
            let who = &system.process(process).name;
            let what = words::message(system, channel, message);
            let name = &system.channel(channel).name;
            let did = match sent {
                true => format!("{who} sends {what} on {name}, which does not fit"),
                false => format!("{who} receives {what} from {name}, which does not fit"),
            };
            let mut told = vec![(did, step.span.unwrap_or(property))];
            told.extend(would_fit(conduct, &expected, "would have fitted"));
            if conduct.positions.may_end(at.as_deref()) {
                let end = match expected.is_empty() {
                    true => "the protocol had come to its end",
                    false => "the protocol could also have been at its end",
                };
                told.push((end.to_owned(), property));
            }
            return told;
        }
    }
    if conduct.positions.may_end(at.as_deref()) {
        return Vec::new();
    }
    let end = "the protocol is not at its end, and nobody moves any more";
    let mut told = vec![(end.to_owned(), property)];
    let expected = conduct.positions.after(at.as_deref());
    told.extend(would_fit(conduct, &expected, "should have followed"));
    told
}

/// The events that fit, each place once.
fn would_fit(conduct: &Conduct, expected: &[u32], verb: &str) -> Vec<(String, Span)> {
    let mut told: Vec<(String, Span)> = Vec::new();
    for letter in expected {
        let letter = &conduct.letters[*letter as usize];
        if !told.iter().any(|(_, span)| *span == letter.span) {
            told.push((format!("{} {verb}", letter.text), letter.span));
        }
    }
    told
}

/// The messages of a step, in program order: whether sent, on which channel, and what.
fn messages(step: &TraceStep) -> Vec<(bool, ChannelId, &[Expr])> {
    let messages = step.events.iter().filter_map(|event| match event {
        Event::Offered(c, m) | Event::Sent(c, m) => Some((true, *c, m.as_slice())),
        Event::Received(c, m) | Event::Delivered(c, m) => Some((false, *c, m.as_slice())),
        _ => None,
    });
    messages.collect()
}

/// The code of a constant.
fn code(state: &State, constant: &GenericExpr<Leaf>) -> i64 {
    state.eval(constant)
}
