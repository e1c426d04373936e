//! Faults that a model defines: `fault lie(x var) on process { at write(x, v) { x = !v } }`.
//!
//! Each join is woven with what the built-in faults of its kind are woven with; what the definition says about the trigger
//! (`v`) is replaced by what the edge at hand would store or send.

use petgraph::graph::NodeIndex;
use rustc_hash::FxHashSet;

use super::Slot;
use super::anytime::{self, Place};
use super::send;
use super::write::{self, Effect};
use crate::graph::{Edge, Expr, Join, Leaf};
use crate::program::{Passing, Trigger};
use crate::system::event::{Act, Event, Word};
use crate::system::{ChannelVars, Check, Domain, VarId};
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, Sibling, act, act_on, fault_edge, var};

pub(super) fn weave(draft: &mut Draft, id: FaultId) {
    for join in draft.joins[id.0 as usize].clone() {
        match &join.trigger {
            Trigger::Write {
                process, variable, ..
            } => {
                let slot = Slot::of(draft, *process, variable);
                at_write(draft, id, &slot, &join);
            }
            Trigger::Send(passing) => at_send(draft, id, passing, &join),
            Trigger::Receive(passing) => at_receive(draft, id, passing, &join),
            Trigger::Reached(process, label) => {
                let (process, label) = (*process, Some(*label));
                at_place(draft, id, Place { process, label }, &join);
            }
            Trigger::Anytime(process) => at_place(draft, id, Place::any(*process), &join),
        }
    }
}

/// A join with what its trigger gives it.
struct Filled {
    condition: Expr,
    picks: Vec<Domain>,
    stores: Vec<(VarId, Expr)>,
    message: Option<Vec<Expr>>,
    checks: Vec<(Check, Expr)>,
}

/// Replaces what a join calls given by what an operation would store, send or receive; its picks come after those of the operation.
/// A condition is about an operation that can be computed: its own checks come first.
fn filled(join: &Join, given: &[Expr], picks: &[Domain], checks: &[(Check, Expr)]) -> Filled {
    let first = picks.len() as u32;
    let fill = |e: &Expr| {
        e.map(&mut |leaf| match leaf {
            Leaf::Given(i) => given[*i as usize].clone(),
            Leaf::Pick(i) => Expr::Leaf(Leaf::Pick(first + i)),
            other => Expr::Leaf(other.clone()),
        })
    };
    Filled {
        condition: Expr::and(join.condition.iter().flat_map(|condition| {
            let computable = checks.iter().map(|(_, ok)| ok.clone());
            computable.chain([fill(condition)])
        })),
        picks: picks.iter().chain(&join.picks).copied().collect(),
        stores: join.stores.iter().map(|(v, e)| (*v, fill(e))).collect(),
        message: join.message.as_ref().map(|m| m.iter().map(fill).collect()),
        checks: join.checks.iter().map(|(c, e)| (*c, fill(e))).collect(),
    }
}

fn at_write(draft: &mut Draft, fault: FaultId, slot: &Slot, join: &Join) {
    let crash = join.crashes.then(|| Crash::of(draft, slot.process));
    write::weave(draft, fault, slot, |writes, edge| {
        let given: Vec<Expr> = writes.iter().flat_map(|w| w.values.clone()).collect();
        let filled = filled(join, &given, &edge.picks, &edge.checks);
        let of = |v: VarId| filled.stores.iter().find(|(other, _)| *other == v);
        let instead = |w: &write::Write| {
            let scalar = w.scalars[0];
            [of(scalar).map_or(var(scalar), |(_, e)| e.clone())]
        };
        let told = |w: &write::Write| match of(w.scalars[0]) {
            Some(_) => ("stores", "becomes"),
            None => ("sticks", "stays"),
        };
        let sentence = match (&crash, writes) {
            (None, [w]) => Act {
                verb: told(w).0,
                sentence: vec![
                    w.name(),
                    Word::Plain(told(w).1),
                    w.shows(instead(w)),
                    Word::Plain("instead of"),
                    w.shows(w.values.clone()),
                ],
                passage: None,
            },
            _ => Act {
                verb: "crashes",
                sentence: vec![Word::Actor, Word::Plain("crashes")],
                passage: None,
            },
        };
        let written = |v: VarId| writes.iter().any(|w| w.scalars.contains(&v));
        Effect {
            stored: writes.iter().flat_map(|w| w.store(instead(w))).collect(),
            others: (filled.stores.iter())
                .filter(|(v, _)| crash.is_some() || !written(*v))
                .chain(crash.iter().flat_map(|crash| &crash.forgets))
                .cloned()
                .collect(),
            checks: filled.checks,
            crashed: crash.as_ref().map(|crash| crash.to),
            picks: filled.picks[edge.picks.len()..].to_vec(),
            ..Effect::new(filled.condition, sentence)
        }
    });
}

/// What a variable is updated to, the later wins.
fn overridden(updates: &[(VarId, Expr)], stores: Vec<(VarId, Expr)>) -> Vec<(VarId, Expr)> {
    let kept = updates
        .iter()
        .filter(|(v, _)| !stores.iter().any(|(other, _)| other == v));
    let mut all: Vec<(VarId, Expr)> = kept.cloned().collect();
    all.extend(stores);
    all
}

/// Where a process is that crashes inside of an operation, and what it forgets: the results that waited there.
struct Crash {
    to: NodeIndex,
    forgets: Vec<(VarId, Expr)>,
}

impl Crash {
    fn of(draft: &mut Draft, process: ProcessId) -> Crash {
        let results = &draft.processes[process.0 as usize].results;
        Crash {
            forgets: results.iter().map(|v| (*v, Expr::no())).collect(),
            to: draft.crashed(process),
        }
    }
}

fn at_send(draft: &mut Draft, fault: FaultId, passing: &Passing, join: &Join) {
    let channel = passing.channel;
    let crash = crash_of(draft, passing, join);
    let siblings = |edge: &Edge, to: NodeIndex| {
        let Some(message) = send::sent(edge)
            .filter(|(c, _)| *c == channel)
            .map(|(_, m)| m)
        else {
            return Vec::new();
        };
        let filled = filled(join, message, &edge.picks, &edge.checks);
        let mut sibling = match (&filled.message, &crash) {
            (_, Some(crash)) => {
                let told = act("crashes", [Word::Actor, Word::Plain("crashes")]);
                Sibling {
                    to: crash.to,
                    edge: Edge {
                        guard: edge.guard.clone(),
                        updates: crash.forgets.clone(),
                        checks: edge.checks.clone(),
                        ..fault_edge(fault, vec![told], edge.span)
                    },
                }
            }
            (Some(wrong), None) => {
                let picks = filled.picks.clone();
                let told = told_instead(passing, message, wrong);
                send::instead(edge, to, fault, told, (channel, wrong.clone(), picks))
            }
            (None, None) => send::lost(edge, to, fault, told_lost(passing, message)),
        };
        let other = &mut sibling.edge;
        other.guard = Expr::and([other.guard.clone(), filled.condition]);
        other.checks.extend(filled.checks);
        if !filled.stores.is_empty() {
            other.picks = filled.picks;
            other.updates = overridden(&other.updates, filled.stores.clone());
            if let Some(exit) = &mut other.exit {
                let unchanged =
                    |(v, _): &&(VarId, Expr)| !filled.stores.iter().any(|(other, _)| other == v);
                exit.updates = exit.updates.iter().filter(unchanged).cloned().collect();
            }
        }
        vec![sibling]
    };
    by(draft, passing.process, siblings);
}

/// Adds siblings to edges of one process, or of all.
fn by(
    draft: &mut Draft,
    process: Option<ProcessId>,
    siblings: impl FnMut(&Edge, NodeIndex) -> Vec<Sibling>,
) {
    match process {
        Some(process) => draft.alternative_of(process.0 as usize, siblings),
        None => draft.alternative(siblings),
    }
}

fn crash_of(draft: &mut Draft, passing: &Passing, join: &Join) -> Option<Crash> {
    let process = passing.process.filter(|_| join.crashes)?;
    Some(Crash::of(draft, process))
}

fn told_lost(passing: &Passing, message: &[Expr]) -> Event<Leaf> {
    let channel = passing.channel;
    let message_word = Word::Message(message.to_vec());
    match passing.process {
        None => act_on(
            "drops",
            [Word::Channel(channel), Word::Plain("drops"), message_word],
            channel,
            message,
            false,
        ),
        Some(_) => act_on(
            "withholds",
            [
                Word::Actor,
                Word::Plain("does not send"),
                message_word,
                Word::Plain("on"),
                Word::Channel(channel),
            ],
            channel,
            message,
            false,
        ),
    }
}

fn told_instead(passing: &Passing, message: &[Expr], wrong: &[Expr]) -> Event<Leaf> {
    let channel = Word::Channel(passing.channel);
    let (message, wrong) = (
        Word::Message(message.to_vec()),
        Word::Message(wrong.to_vec()),
    );
    match passing.process {
        None => act(
            "corrupts",
            [
                channel,
                Word::Plain("turns"),
                message,
                Word::Plain("from"),
                Word::Actor,
                Word::Plain("into"),
                wrong,
            ],
        ),
        Some(_) => act(
            "lies",
            [
                Word::Actor,
                Word::Plain("sends"),
                wrong,
                Word::Plain("instead of"),
                message,
                Word::Plain("on"),
                channel,
            ],
        ),
    }
}

/// The message is taken, but not copied.
fn at_receive(draft: &mut Draft, fault: FaultId, passing: &Passing, join: &Join) {
    let channel = passing.channel;
    let crash = crash_of(draft, passing, join);
    let held: FxHashSet<VarId> = match draft.channel(channel) {
        ChannelVars::Rendezvous { values, .. } => values.iter().copied().collect(),
        ChannelVars::Buffered { slots, .. } => slots.iter().flatten().copied().collect(),
    };
    let copies = |e: &Expr| {
        let mut found = false;
        e.leaves(&mut |leaf| {
            found |= match leaf {
                Leaf::Head(c, _) | Leaf::Stored(c, ..) => *c == channel,
                Leaf::Var(v) => held.contains(v),
                _ => false,
            };
        });
        found
    };
    let siblings = |edge: &Edge, to: NodeIndex| {
        let taken = edge.events.iter().find_map(|event| match event {
            Event::Received(c, message) if *c == channel => Some(message),
            _ => None,
        });
        let Some(message) = taken else {
            return Vec::new();
        };
        let filled = filled(join, message, &edge.picks, &edge.checks);
        let kept: Vec<(VarId, Expr)> = match &crash {
            Some(crash) => crash.forgets.clone(),
            None => (edge.updates.iter().filter(|(_, e)| !copies(e)).cloned()).collect(),
        };
        let told = match (&crash, filled.stores.as_slice()) {
            (Some(_), _) => act("crashes", [Word::Actor, Word::Plain("crashes")]),
            (None, []) => act(
                "ignores",
                [
                    Word::Actor,
                    Word::Plain("does not store"),
                    Word::Message(message.clone()),
                    Word::Plain("from"),
                    Word::Channel(channel),
                ],
            ),
            (None, stores) => {
                let mut words = told_stores(stores);
                words.extend([
                    Word::Plain("instead of"),
                    Word::Message(message.clone()),
                    Word::Plain("from"),
                    Word::Channel(channel),
                ]);
                act("mistakes", words)
            }
        };
        let events = edge.events.iter().filter(|e| !matches!(e, Event::Wrote(_)));
        let events = std::iter::once(told).chain(events.cloned()).collect();
        let edge = Edge {
            guard: Expr::and([edge.guard.clone(), filled.condition]),
            picks: filled.picks,
            updates: overridden(&kept, filled.stores),
            checks: edge.checks.iter().cloned().chain(filled.checks).collect(),
            exit: None,
            ..fault_edge(fault, events, edge.span)
        };
        let to = crash.as_ref().map_or(to, |crash| crash.to);
        vec![Sibling { to, edge }]
    };
    by(draft, passing.process, siblings);
}

/// `p.x becomes 0 and p.y becomes 1`
fn told_stores(stores: &[(VarId, Expr)]) -> Vec<Word<Leaf>> {
    let mut words = Vec::new();
    for (v, value) in stores {
        if !words.is_empty() {
            words.push(Word::Plain("and"));
        }
        let value = Word::Message(vec![value.clone()]);
        words.extend([Word::Variable(*v), Word::Plain("becomes"), value]);
    }
    words
}

fn at_place(draft: &mut Draft, fault: FaultId, place: Place, join: &Join) {
    let filled = filled(join, &[], &[], &[]);
    let mut words = told_stores(&filled.stores);
    words.push(Word::Plain("all by itself"));
    let span = draft.about[place.process.0 as usize].span;
    let edge = Edge {
        guard: filled.condition,
        picks: filled.picks,
        updates: filled.stores,
        checks: filled.checks,
        ..fault_edge(fault, vec![act("changes", words)], span)
    };
    match join.crashes {
        true => anytime::crash(draft, fault, place, &edge),
        false => anytime::change(draft, place, edge),
    }
}
