//! Messages that nobody will receive: they are still in a buffer when all processes have ended.
//!
//! That is no violation, for a reply that comes too late is often meant to be ignored. It is worth a remark, for as often somebody has
//! forgotten to receive it. Whether it happens is one question about reachable states.

use super::each::{Quiet, answers};
use crate::check::{Options, Shows, World};
use crate::system::{
    ChannelVars, Expr, Leaf, LocId, LocationKind, Op, Process, Property, PropertyKind, System,
};
use crate::trace::{Trace, words};
use crate::vocabulary::{ChannelId, FaultId};

/// Messages that are left over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOver {
    /// Each channel that is not empty, with its messages: `c = [1]`.
    pub channels: Vec<String>,
    /// After so many steps.
    pub steps: usize,
    /// The faults that were injected.
    pub faults: Vec<FaultId>,
    /// Whether no run with fewer faults leaves messages over.
    pub fewest: bool,
}

/// Messages that can be left over, after as few faults as possible; `None` if there are none, or nobody knows.
pub fn left_over(system: &System, options: &Options, world: &dyn World) -> Option<LeftOver> {
    let mut probe = system.clone();
    probe.assumptions.clear();
    probe.properties = vec![Property {
        form: None,
        name: "left over".to_owned(),
        kind: PropertyKind::Reachable(condition(system)?),
        tolerant: None,
        span: None,
    }];
    let found = answers(&probe, &[0], options, &Quiet(world)).ok()?;
    let answer = found.first()?;
    let trace = answer.trace.as_ref()?;
    Some(LeftOver {
        channels: contents(&probe, trace),
        steps: trace.steps.len(),
        faults: trace.faults_used(),
        fewest: answer.shows > Shows::Any,
    })
}

/// That all processes have ended and some buffer is not empty; `None` if that can be ruled out at once.
fn condition(system: &System) -> Option<Expr> {
    let lengths = system.channels.iter().filter_map(|c| match &c.vars {
        ChannelVars::Buffered { len, .. } => Some(Expr::Leaf(Leaf::Var(*len))),
        ChannelVars::Rendezvous { .. } => None,
    });
    let some = Expr::or(lengths.map(|len| Expr::binary(Op::Gt, len, Expr::int(0))));
    let mut parts = vec![some];
    for (id, process) in system.processes() {
        let is_end = |location: LocId| is_end(process, location);
        let ends = |edge: &crate::system::Edge| edge.from != edge.to && is_end(edge.to);
        if !is_end(process.initial) && !process.edges.iter().any(ends) {
            return None;
        }
        parts.push(system.at(id, is_end));
    }
    parts.extend(system.ordinary.clone());
    let all = Expr::and(parts);
    (!all.is_no()).then_some(all)
}

/// Whether a process that is there has ended: one that may come back after a crash has not.
fn is_end(process: &Process, location: LocId) -> bool {
    match process.locations[location.0 as usize].kind {
        LocationKind::Done | LocationKind::Failed | LocationKind::Idle => true,
        LocationKind::Crashed => !process.recovers,
        LocationKind::Statement | LocationKind::Inside => false,
    }
}

fn contents(system: &System, trace: &Trace) -> Vec<String> {
    let state = trace.last();
    let is_full = |channel: &ChannelId| match &system.channel(*channel).vars {
        ChannelVars::Buffered { len, .. } => state.values[len.0 as usize] > 0,
        ChannelVars::Rendezvous { .. } => false,
    };
    let channels = (0..system.channels.len() as u32).map(ChannelId);
    let told = channels.filter(is_full);
    told.filter_map(|channel| words::contents(system, state, channel))
        .collect()
}
