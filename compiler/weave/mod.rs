//! From process graphs to a [`System`]: what channels and faults mean, as ordinary edges.
//!
//! Everything is done to one `Draft`, in the order of the lines of [`weave`], and the order is part of the meaning:
//!
//! 1. Channels (`channel`, `network`) and detectors get their variables, and what a bag or an overflowing channel does becomes
//!    edges: that is no fault, and faults see each of these edges.
//! 2. Faults (`phase`, `fault`, `always`) add edges beside those of the program, and both still speak of channels in events. So
//!    a fault need not know what a channel is made of, and it never meets another fault's edges.
//! 3. Only then do events become guards and updates (`timely`, `channel::expand`), checks become edges to *failed* (`check`),
//!    and atomic blocks become one edge for each way (`atomic`), those of faults included.
//! 4. What counts and remembers watches the edges as they are now: budgets and phases (`budget`, `phase`), time (`clock`), and
//!    what specifications ask about faults, messages and the last step (`aspect`, `sequence`, `protocol`, `progress`, `recent`).
//! 5. Specifications become formulas (`property`, with `tolerant`), symbolic leaves become variables and locations (`resolve`),
//!    and fair choices learn when they are owed something (`fair`).
//!
//! `happening` says which steps are an event, for 4; `select` reads `--faults`.

mod always;
mod aspect;
mod atomic;
mod budget;
mod channel;
mod check;
mod clock;
mod detector;
mod draft;
mod fair;
mod fault;
mod happening;
mod knowledge;
mod network;
mod phase;
mod progress;
mod property;
mod protocol;
mod recent;
mod resolve;
mod select;
mod sequence;
mod timely;
mod tolerant;

pub use fault::FAULTS;
pub use select::{UnknownFault, select_faults, split_faults};

use crate::graph::Graphs;
use crate::program;
use crate::program::{FaultTarget, Program, VariableId};
use crate::system::{Channel, Expr, Fault, Starts, System, VarId, verify};
use crate::vocabulary::FaultId;

/// How to weave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The faults to weave, or `None` for all that are marked.
    pub faults: Option<Vec<FaultId>>,
    /// Let a timeout be taken only when its operation cannot go.
    pub timely: bool,
    /// Whether deadlock freedom is one of the properties.
    pub deadlock: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            faults: None,
            timely: false,
            deadlock: true,
        }
    }
}

/// Weaves channels, faults and budgets into process graphs. In: a checked program and its graphs. Out: a
/// [`System`] in which every channel operation, fault and failing check is an ordinary edge. Weaving a
/// model without markers adds no fault edge. Does not simplify.
pub fn weave(program: &Program, graphs: Graphs, options: &Options) -> System {
    let mut draft = draft::Draft::new(graphs, program);
    // 1. What is there besides processes.
    channel::declare(&mut draft, program);
    network::weave(&mut draft);
    detector::declare(&mut draft, program);
    // 2. Faults, while channels are events.
    let woven = woven_faults(program, options);
    let asked = aspect::asked(program);
    let begun = phase::declare(&mut draft, program, &woven, &asked);
    for id in &woven {
        let fault = &program.faults[id.0 as usize];
        let fair = || (fault.name.clone(), fault.span);
        draft.fair_fault = fault.fair.then(fair);
        draft.lost = lost(program, &draft, fault);
        draft.alike = alike(program, &woven, *id);
        fault::weave(&mut draft, *id, fault);
    }
    always::weave(&mut draft, program);
    // 3. Events become guards and updates, checks become edges, blocks become single edges.
    if options.timely {
        timely::weave(&mut draft);
    }
    channel::expand(&mut draft);
    // (Asked before blocks become single edges, which no longer tell of their sends that those must find room.)
    let room = draft.checks_room();
    check::materialise(&mut draft);
    atomic::compose(&mut draft);
    // 4. What counts and remembers.
    let budgets = budget::declare(&mut draft, program, &woven, &begun);
    phase::weave(&mut draft, program, &woven, &budgets);
    budget::weave(&mut draft, &budgets);
    let clock = clock::weave(&mut draft, program);
    let injected = aspect::weave(&mut draft, program, &woven, &asked, &budgets);
    sequence::weave(&mut draft, program);
    protocol::weave(&mut draft, program);
    progress::declare(&mut draft);
    recent::weave(&mut draft, program, injected);
    let known = knowledge::declare(&mut draft, program);

    let lowering = property::Lowering { draft: &draft };
    let knowledge = knowledge::lower(&lowering, program, &known);
    let (properties, assumptions) = property::lower(
        &lowering,
        program,
        &property::Builtins {
            deadlock: options.deadlock,
            room,
            time: clock.is_some(),
        },
    );
    let shapes = draft.layout.shapes(program);
    let channels = program.channels.iter().zip(&draft.channels);
    let ordinary = draft.ordinary.as_ref().map(|e| draft.resolve(e));
    let rules = draft.start_rules.iter().map(|rule| draft.resolve(rule));
    let only = (!draft.start_rules.is_empty()).then(|| Expr::and(rules));
    let mut processes = draft.processes();
    let fair = fair::finish(&draft.fair, &mut processes);
    let system = System {
        ordinary,
        data: program.data.clone(),
        processes,
        channels: channels
            .map(|(c, vars)| Channel {
                name: c.name.clone(),
                vars: vars.clone(),
                span: c.span,
            })
            .collect(),
        vars: draft.vars,
        faults: (program.faults.iter())
            .map(|fault| Fault {
                name: fault.name.clone(),
                span: fault.span,
                phase: None,
                always: fault.timing.always,
            })
            .zip(&draft.phases)
            .map(|(fault, phase)| Fault {
                phase: *phase,
                ..fault
            })
            .collect(),
        properties,
        assumptions,
        starts: Starts {
            only,
            ..draft.starts
        },
        fair,
        shapes,
        knowledge,
        kept: Vec::new(),
    };
    verify::debug_verify(&system);
    system
}

/// The scalars of the durable variables that a fault loses, of every process: a fault takes those of its own.
fn lost(program: &Program, draft: &draft::Draft, fault: &program::Fault) -> Vec<VarId> {
    let variables = (0..).map(VariableId).zip(&program.variables);
    let lost =
        variables.filter(|(_, v)| v.durable && fault.loses.iter().any(|(n, _)| *n == v.name));
    lost.flat_map(|(id, _)| draft.layout.variable(id).to_vec())
        .collect()
}

/// What a fault can happen to that another one of its kind can happen to, too.
fn alike(program: &Program, woven: &[FaultId], id: FaultId) -> Vec<FaultTarget> {
    let fault = |id: &FaultId| &program.faults[id.0 as usize];
    let own = fault(&id);
    let others = woven.iter().filter(|other| **other != id).map(fault);
    let others: Vec<_> = others.filter(|other| other.kind == own.kind).collect();
    let shared = |target: &FaultTarget| others.iter().any(|other| other.targets.contains(target));
    own.targets
        .iter()
        .filter(|target| shared(target))
        .copied()
        .collect()
}

/// The faults that are asked for and may happen at least once: a budget of 0 is as good as no marker.
pub fn woven_faults(program: &Program, options: &Options) -> Vec<FaultId> {
    (0..program.faults.len() as u32)
        .map(FaultId)
        .filter(|id| {
            options
                .faults
                .as_ref()
                .is_none_or(|wanted| wanted.contains(id))
        })
        .filter(|id| program.faults[id.0 as usize].max != Some(0))
        .filter(|id| {
            !program
                .limits
                .iter()
                .any(|l| l.bound == 0 && l.faults.contains(id))
        })
        .collect()
}

#[cfg(test)]
mod tests;
