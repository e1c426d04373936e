//! Markers and detectors that never have an effect.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::elaborate::log::Log;
use crate::program::fault::{Happens, Takes};
use crate::program::problem::Lint;
use crate::program::{Acts, Detector, Fault, FaultTarget, FaultVariable, Join, Program, Trigger};
use crate::source::Span;
use crate::vocabulary::DetectorId;

/// Detectors that never suspect anybody; on replicated entries if none of them ever does.
pub fn idle_detectors(program: &Program, log: &mut Log) {
    let mut acting: FxHashSet<Span> = FxHashSet::default();
    let mut idle: IndexMap<Span, &Detector> = IndexMap::new();
    for (index, detector) in program.detectors.iter().enumerate() {
        let own = FaultTarget::Detector(DetectorId(index as u32));
        let watched = FaultTarget::Process(detector.process);
        let acts = program.faults.iter().any(|fault| {
            let hits = |target| fault.targets.contains(&target);
            hits(own) || (fault.kind.crashes && hits(watched))
        });
        match acts {
            true => _ = acting.insert(detector.span),
            false => _ = idle.entry(detector.span).or_insert(detector),
        }
    }
    for (span, detector) in idle {
        if !acting.contains(&span) {
            let watched = &program.processes[detector.process.0 as usize];
            log.report(Lint::IdleDetector {
                name: detector.name.clone(),
                watched: watched.name.clone(),
                span,
            });
        }
    }
}

/// Markers on something that never acts; on arrays and replicated entries if no element ever does.
pub fn idle_markers(program: &Program, log: &mut Log) {
    let mut idle: Vec<(Span, Option<(String, String)>)> = Vec::new();
    let mut known: FxHashMap<Span, usize> = FxHashMap::default();
    let bodies = program.processes.iter();
    let acts: Vec<Acts> = match program.faults.is_empty() {
        true => Vec::new(),
        false => bodies.map(|process| Acts::of(&process.body)).collect(),
    };
    for fault in &program.faults {
        let why = |(index, target): (usize, &FaultTarget)| match (*target, fault.kind.happens) {
            _ if fault.kind.takes == Takes::Arguments => own_idle(program, fault, *target, &acts),
            (FaultTarget::Process(id), happens) => {
                let process = &program.processes[id.0 as usize];
                let acts = &acts[id.0 as usize];
                let written = |about: &FaultVariable| acts.writes.contains(&about.variable);
                let name = &process.name;
                match happens {
                    _ if process.body.is_empty() => Some(format!("`{name}` does nothing")),
                    Happens::AtSends if acts.sends.is_empty() => {
                        Some(format!("`{name}` sends nothing"))
                    }
                    Happens::AtWrites if !written(&fault.variables[index]) => {
                        let variable = fault.variables[index].variable;
                        let variable = &program.variables[variable.0 as usize].name;
                        Some(format!("`{name}` never writes `{variable}`"))
                    }
                    _ => None,
                }
            }
            (FaultTarget::Detector(_), _) => None,
            (FaultTarget::Channel(id), Happens::AtSends) => {
                (!log.uses.sent.contains(&id)).then(|| {
                    format!(
                        "no process sends on `{}`",
                        program.channels[id.0 as usize].name
                    )
                })
            }
            (FaultTarget::Channel(id), _) => (!log.uses.received.contains(&id)).then(|| {
                format!(
                    "no process receives from `{}`",
                    program.channels[id.0 as usize].name
                )
            }),
        };
        let reasons: Option<Vec<String>> = (fault.targets.iter().enumerate()).map(why).collect();
        let first = reasons.and_then(|all| all.into_iter().next());
        let answer = first.map(|why| (fault.kind.name.to_string(), why));
        match known.get(&fault.span) {
            Some(index) if answer.is_none() => idle[*index].1 = None,
            Some(_) => {}
            None => {
                known.insert(fault.span, idle.len());
                idle.push((fault.span, answer));
            }
        }
    }
    for (span, answer) in idle {
        if let Some((marker, why)) = answer {
            log.report(Lint::IdleMarker { marker, why, span });
        }
    }
}

/// Why none of the joins of a fault that the model defines can ever happen to an entry.
fn own_idle(
    program: &Program,
    fault: &Fault,
    target: FaultTarget,
    acts: &[Acts],
) -> Option<String> {
    let name = program.entry_name(target);
    let idle = |join: &Join| match &join.trigger {
        Trigger::Write {
            process, variable, ..
        } => {
            let written = acts[process.0 as usize].writes.contains(&variable.variable);
            let variable = &program.variables[variable.variable.0 as usize].name;
            (!written).then(|| format!("`{name}` never writes `{variable}`"))
        }
        Trigger::Send(passing) if passing.process.is_none() => {
            let sent = acts
                .iter()
                .any(|acts| acts.sends.contains(&passing.channel));
            (!sent).then(|| format!("no process sends on `{name}`"))
        }
        Trigger::Receive(passing) if passing.process.is_none() => {
            let taken = acts
                .iter()
                .any(|acts| acts.receives.contains(&passing.channel));
            (!taken).then(|| format!("no process receives from `{name}`"))
        }
        Trigger::Send(_) | Trigger::Receive(_) => None,
        Trigger::Reached(process, _) | Trigger::Anytime(process) => {
            let body = &program.processes[process.0 as usize].body;
            body.is_empty().then(|| format!("`{name}` does nothing"))
        }
    };
    let of = |join: &&Join| match (&join.trigger, target) {
        (Trigger::Send(passing) | Trigger::Receive(passing), FaultTarget::Channel(id)) => {
            passing.channel == id
        }
        (Trigger::Send(passing) | Trigger::Receive(passing), FaultTarget::Process(id)) => {
            passing.process == Some(id)
        }
        (Trigger::Write { process, .. }, FaultTarget::Process(id)) => *process == id,
        (Trigger::Reached(process, _) | Trigger::Anytime(process), FaultTarget::Process(id)) => {
            *process == id
        }
        _ => false,
    };
    let joins: Vec<&Join> = fault.joins.iter().filter(of).collect();
    if joins.is_empty() {
        return Some(format!("`{name}` sends or receives nothing"));
    }
    let why: Option<Vec<String>> = joins.into_iter().map(idle).collect();
    why.and_then(|all| all.into_iter().next())
}
