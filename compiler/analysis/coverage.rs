//! What of a model is ever used: statements, branches, messages, faults; and which processes can get stuck for good.

use std::collections::{BTreeMap, VecDeque};

use super::messages::{Message, messages};
use super::recorded::{Edges, NO_FAULT, Recorded};
use super::survey::because;
use crate::check::{Options, World};
use crate::engine;
use crate::engine::space::{Space, StateId, Transition};
use crate::simplify::{Rules, Simplified, simplify_until};
use crate::system::{EdgeKind, Event, Expr, LocationKind, Property, PropertyKind, System};
use crate::trace::{self, Trace};
use crate::verdict::Run;
use crate::vocabulary::{ChannelId, FaultId, ProcessId};

/// When something happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// Never.
    Never,
    /// Only after a fault.
    WithFaults,
    /// Also without any fault.
    Always,
}

/// What of a model is ever used.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Coverage {
    /// For each process when each of its edges is taken.
    pub edges: Vec<Vec<When>>,
    /// Faults that are never injected.
    pub idle: Vec<FaultId>,
    /// Channels on which something is sent and nothing is ever received.
    pub unread: Vec<ChannelId>,
    /// The constructors that channels could carry, with when they are sent and received.
    pub messages: Vec<Message>,
    /// Processes that can get stuck for good.
    pub stuck: Vec<Stuck>,
    /// How many states there are.
    pub states: usize,
}

/// A process that waits, and can never move again without a fault.
#[derive(Clone, PartialEq, Debug)]
pub struct Stuck {
    /// The process.
    pub process: ProcessId,
    /// Whether it takes faults.
    pub when: When,
    /// A run that leads there.
    pub run: Option<Trace>,
}

/// Finds out what of a System is ever used; or why not.
///
/// # Errors
/// If there are too many states.
pub fn coverage(system: &System, options: &Options, world: &dyn World) -> Result<Coverage, String> {
    let stop = || world.is_over();
    let simplified = simplify_until(system, &Rules::EVERY_STEP, &stop);
    let settings = engine::Options {
        limits: options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    let found = engine::explore(&simplified.system, &settings, |space| {
        // To tell faults from what is no fault is enough.
        let edges = Edges::new(&simplified.system, &faults(&simplified.system));
        let mut go_on = |_| !stop();
        let space = Recorded::new(space, edges, options.limits.memory, &mut go_on);
        space
            .map(|mut space| look(system, &simplified, &mut space))
            .map_err(because)
    });
    let found = found.and_then(|found| found)?;
    Ok(Coverage {
        messages: messages(system, options, world),
        ..found
    })
}

fn faults(system: &System) -> Vec<FaultId> {
    // More than can be told apart are not told apart.
    (0..system.faults.len().min(64) as u32)
        .map(FaultId)
        .collect()
}

/// Whether a step is one of a fault.
fn is_fault(system: &System, place: (usize, usize)) -> bool {
    let kind = system.processes[place.0].edges[place.1].kind;
    matches!(kind, EdgeKind::Fault(_) | EdgeKind::Recovery(_))
}

fn look(system: &System, simplified: &Simplified, space: &mut Recorded<'_>) -> Coverage {
    let small = &simplified.system;
    let _ = NO_FAULT;
    // First what is reached without faults, then the rest.
    let mut reached = vec![When::Never; space.count()];
    let mut from: Vec<Option<(StateId, usize)>> = vec![None; space.count()];
    let mut queue: VecDeque<StateId> = (0..space.starts()).collect();
    for start in &queue {
        reached[*start as usize] = When::Always;
    }
    let mut later = Vec::new();
    while let Some(state) = queue.pop_front() {
        for (index, step) in space.steps(state).iter().enumerate() {
            if is_fault(small, space.edge(*step)) {
                later.push((state, index));
            } else if reached[step.target as usize] == When::Never {
                reached[step.target as usize] = When::Always;
                from[step.target as usize] = Some((state, index));
                queue.push_back(step.target);
            }
        }
    }
    let mut seeds: VecDeque<(StateId, usize)> = later.into();
    while let Some((state, index)) = seeds.pop_front() {
        let target = space.steps(state)[index].target;
        if reached[target as usize] != When::Never {
            continue;
        }
        reached[target as usize] = When::WithFaults;
        from[target as usize] = Some((state, index));
        seeds.extend((0..space.steps(target).len()).map(|next| (target, next)));
    }
    let mut edges: Vec<Vec<When>> = system
        .processes
        .iter()
        .map(|p| vec![When::Never; p.edges.len()])
        .collect();
    for state in 0..space.count() as StateId {
        for step in space.steps(state) {
            let (process, edge) = space.edge(*step);
            let when = match is_fault(small, (process, edge)) {
                true => When::WithFaults.min(reached[state as usize]),
                false => reached[state as usize],
            };
            for original in &simplified.steps[process][edge] {
                let known = &mut edges[process][original.edge];
                *known = (*known).max(when);
            }
        }
    }
    let stuck = stuck(system, simplified, space, &reached, &from);
    Coverage {
        idle: idle(system, &edges),
        unread: unread(system, &edges),
        messages: Vec::new(),
        stuck,
        states: space.count(),
        edges,
    }
}

/// The faults that are never injected.
fn idle(system: &System, edges: &[Vec<When>]) -> Vec<FaultId> {
    let mut injected: BTreeMap<FaultId, bool> = BTreeMap::new();
    for (process, edges) in system.processes.iter().zip(edges) {
        for (edge, when) in process.edges.iter().zip(edges) {
            if let EdgeKind::Fault(fault) = edge.kind {
                *injected.entry(fault).or_default() |= *when != When::Never;
            }
        }
    }
    let never = injected.into_iter().filter(|(_, injected)| !injected);
    never.map(|(fault, _)| fault).collect()
}

/// The channels on which something is sent and nothing is received.
fn unread(system: &System, edges: &[Vec<When>]) -> Vec<ChannelId> {
    let mut sent = vec![false; system.channels.len()];
    let mut received = vec![false; system.channels.len()];
    for (process, edges) in system.processes.iter().zip(edges) {
        for (edge, when) in process.edges.iter().zip(edges) {
            if *when == When::Never {
                continue;
            }
            for event in &edge.events {
                match event {
                    Event::Sent(c, _) | Event::Offered(c, _) => sent[c.0 as usize] = true,
                    Event::Received(c, _) => received[c.0 as usize] = true,
                    _ => {}
                }
            }
        }
    }
    let unread = (0..sent.len()).filter(|c| sent[*c] && !received[*c]);
    unread.map(|c| ChannelId(c as u32)).collect()
}

/// The processes that can wait with no way on: nothing that happens without a fault ever lets them move again.
fn stuck(
    system: &System,
    simplified: &Simplified,
    space: &mut Recorded<'_>,
    reached: &[When],
    from: &[Option<(StateId, usize)>],
) -> Vec<Stuck> {
    let small = &simplified.system;
    // The steps backwards, those of faults left out.
    let mut into: Vec<Vec<StateId>> = vec![Vec::new(); space.count()];
    for state in 0..space.count() as StateId {
        for step in space.steps(state) {
            if !is_fault(small, space.edge(*step)) {
                into[step.target as usize].push(state);
            }
        }
    }
    let mut found = Vec::new();
    for (id, process) in small.processes() {
        let waits = space.states_where(
            &small.at(id, |l| {
                let kind = process.locations[l.0 as usize].kind;
                matches!(kind, LocationKind::Statement | LocationKind::Inside)
            }),
            true,
        );
        let mut moves = vec![false; space.count()];
        let mut list = Vec::new();
        for state in 0..space.count() as StateId {
            if space.can_move(state, id.0 as usize) {
                moves[state as usize] = true;
                list.push(state);
            }
        }
        while let Some(state) = list.pop() {
            for before in &into[state as usize] {
                if !moves[*before as usize] {
                    moves[*before as usize] = true;
                    list.push(*before);
                }
            }
        }
        let lost = waits.into_iter().filter(|state| !moves[*state as usize]);
        // One that needs no fault says more.
        let worst = lost.max_by_key(|s| (reached[*s as usize], std::cmp::Reverse(*s)));
        if let Some(state) = worst {
            found.push(Stuck {
                process: id,
                when: reached[state as usize],
                run: run(system, simplified, space, from, state),
            });
        }
    }
    found
}

/// The run that leads to a state.
fn run(
    system: &System,
    simplified: &Simplified,
    space: &Recorded<'_>,
    from: &[Option<(StateId, usize)>],
    mut state: StateId,
) -> Option<Trace> {
    let mut moves = Vec::new();
    while let Some((before, index)) = from[state as usize] {
        let step = space.steps(before)[index];
        let (process, edge) = space.edge(step);
        moves.push(space.to_move(&Transition {
            target: step.target,
            process: process as u32,
            edge: edge as u32,
            picks: step.picks(),
            forced: false,
            fault: false,
        }));
        state = before;
    }
    moves.reverse();
    let run = Run {
        start: space.start(state),
        moves,
        loop_start: None,
    };
    let restored = simplified.restore(system, &run, None)?;
    // Replayed like every other: that it can be gone to its end is all that it shows.
    let mut plain = system.clone();
    plain.properties = vec![Property {
        form: None,
        name: "here".to_owned(),
        kind: PropertyKind::Reachable(Expr::yes()),
        tolerant: None,
        span: None,
    }];
    trace::replay(&plain, 0, &restored).ok()
}
