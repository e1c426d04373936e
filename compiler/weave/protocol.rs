//! `protocol`: the state of its automaton, which every message that it is about changes.
//!
//! ```text
//! before   s0 --send m--> s1
//! after    s0 --send m, state := (state = 0 ? 1 : wrong)--> s1       of `protocol p on c { sent(c, m) }`
//! ```
//!
//! The messages of an atomic step are read one after the other. Where one does not fit, the automaton is in a state of its own,
//! the last, and stays there.

use petgraph::graph::EdgeIndex;
use rustc_hash::FxHashMap;

use super::draft::{Draft, var};
use super::happening::{Moment, Taken};
use crate::graph::{self, Expr, Leaf};
use crate::program::{self, Happening, Program, Protocol, Says};
use crate::system::conduct::{Conduct, Letter};
use crate::system::{Domain, Op, VarId};
use crate::vocabulary::ProcessId;

/// Keeps the states of all protocols.
pub(super) fn weave(draft: &mut Draft, program: &Program) {
    for (index, property) in program.properties.iter().enumerate() {
        let Says::Protocol(protocol) = &property.says else {
            continue;
        };
        let states = protocol.automaton.states() as i64;
        let domain = Domain::Int { lo: 0, hi: states };
        let name = format!("{} state", property.name);
        let state = draft.keep(name, domain, 0);
        for process in 0..draft.processes.len() {
            for edge in (0..draft.processes[process].graph.edge_count()).map(EdgeIndex::new) {
                let taken = Taken::new(draft, process, edge);
                let value = update(protocol, taken, state);
                let edge = &mut draft.processes[process].graph[edge];
                edge.updates.extend(value.map(|value| (state, value)));
            }
        }
        draft.kept.insert(index, holds(protocol, state));
    }
}

fn is(state: VarId, code: i64) -> Expr {
    Expr::binary(Op::Eq, var(state), Expr::int(code))
}

/// Whether everything has fitted so far, and, if the protocol is to be complete, it is at its end where nobody has to move.
fn holds(protocol: &Protocol, state: VarId) -> Expr {
    let automaton = &protocol.automaton;
    let fitted = is(state, automaton.states() as i64).not();
    if !protocol.complete {
        return fitted;
    }
    // No process has this number: nobody is left out.
    let quiet = Expr::Leaf(Leaf::Quiet(ProcessId(u32::MAX)));
    let ends = (0..).zip(&automaton.ends).filter(|(_, ends)| **ends);
    let at_end = Expr::or(ends.map(|(code, _)| is(state, code)));
    Expr::and([fitted, Expr::or([quiet.not(), at_end])])
}

/// What the protocol allows, for those who tell about it.
pub(super) fn conduct(draft: &Draft, protocol: &Protocol) -> Conduct {
    let letter = |letter: &program::Letter| {
        let (Happening::Sent(passing) | Happening::Received(passing)) = &letter.event else {
            unreachable!("only messages are letters")
        };
        let fields = match passing.channels.first() {
            Some(first) => draft.fields[first.0 as usize].as_slice(),
            None => &[],
        };
        let count = passing
            .channels
            .first()
            .map_or(0, |c| draft.layout.message(*c).len());
        let scalars: Vec<Expr> = (0..count as u32)
            .map(|i| Expr::Leaf(Leaf::Pick(i)))
            .collect();
        let (layout, vars) = (&draft.layout, &draft.written);
        let fits = graph::spec_fits(layout, vars, &passing.patterns, fields, &scalars);
        Letter {
            sent: matches!(letter.event, Happening::Sent(_)),
            by: passing.by.clone(),
            channels: passing.channels.clone(),
            fits: draft.resolve(&fits),
            text: letter.text.clone(),
            span: letter.span,
        }
    };
    Conduct {
        channels: protocol.channels.clone(),
        processes: protocol.processes.clone(),
        letters: protocol.letters.iter().map(letter).collect(),
        positions: protocol.positions.clone(),
    }
}

/// The state after a step, if it may change.
fn update(protocol: &Protocol, taken: Taken<'_>, state: VarId) -> Option<Expr> {
    let process = ProcessId(taken.process as u32);
    let moments = taken.moments();
    let read = |m: &&Moment<'_>| protocol.reads(m.sent, process, m.channel);
    let mut value: Option<Expr> = None;
    for moment in moments.iter().filter(read) {
        let next = next(protocol, taken, moment, state);
        value = Some(match value {
            None => next,
            Some(before) => next.map(&mut |leaf| match leaf {
                Leaf::Var(v) if *v == state => before.clone(),
                other => Expr::Leaf(other.clone()),
            }),
        });
    }
    value.filter(|value| *value != var(state))
}

/// The state after one message.
fn next(protocol: &Protocol, taken: Taken<'_>, moment: &Moment<'_>, state: VarId) -> Expr {
    let automaton = &protocol.automaton;
    let letters: Vec<Expr> = (protocol.letters.iter())
        .map(|letter| taken.is_at(&letter.event, moment))
        .collect();
    let all: Vec<usize> = (0..automaton.classes.len()).collect();
    let choice = Choice {
        protocol,
        letters: &letters,
    };
    // States that go on alike are tested together; the state of what did not fit stays as it is.
    let wrong = automaton.states() as i64;
    let mut groups: Vec<(Expr, Vec<i64>)> = vec![(Expr::int(wrong), vec![wrong])];
    let mut known: FxHashMap<Expr, usize> = FxHashMap::default();
    known.insert(Expr::int(wrong), 0);
    for from in 0..automaton.states() {
        let to = choice.next(from, &all);
        let group = *known.entry(to.clone()).or_insert(groups.len());
        if group == groups.len() {
            groups.push((to, Vec::new()));
        }
        groups[group].1.push(from as i64);
    }
    let largest = (0..groups.len()).max_by_key(|g| (groups[*g].1.len(), groups.len() - g));
    let (default, _) = groups.remove(largest.unwrap_or(0));
    groups.into_iter().rev().fold(default, |rest, (to, from)| {
        let one_of = Expr::or(from.into_iter().map(|code| is(state, code)));
        Expr::ite(one_of, to, rest)
    })
}

/// Which class a message is in decides where it leads.
struct Choice<'a> {
    protocol: &'a Protocol,
    /// When the message is each of the events of the protocol.
    letters: &'a [Expr],
}

impl Choice<'_> {
    /// The state after a message that is in one of these classes.
    fn next(&self, from: usize, classes: &[usize]) -> Expr {
        let automaton = &self.protocol.automaton;
        let wrong = automaton.states() as u32;
        let to = |class: &usize| automaton.next[from][*class].unwrap_or(wrong);
        let has =
            |class: &usize, letter: &u32| automaton.classes[*class].binary_search(letter).is_ok();
        let Some(first) = classes.first().map(to) else {
            return Expr::int(i64::from(wrong));
        };
        if classes.iter().all(|class| to(class) == first) {
            return Expr::int(i64::from(first));
        }
        // A letter that some of them have and some have not; what is certain first.
        let telling = |letter: &u32| {
            let count = classes.iter().filter(|class| has(class, letter)).count();
            count > 0 && count < classes.len()
        };
        let letters = 0..self.letters.len() as u32;
        let mut telling: Vec<u32> = letters.filter(telling).collect();
        telling.sort_by_key(|letter| {
            let when = &self.letters[*letter as usize];
            !(when.is_yes() || when.is_no())
        });
        let Some(letter) = telling.first() else {
            return Expr::int(i64::from(first));
        };
        let (with, without): (Vec<usize>, Vec<usize>) =
            classes.iter().partition(|class| has(class, letter));
        let when = &self.letters[*letter as usize];
        match (when.is_yes(), when.is_no()) {
            (true, _) => self.next(from, &with),
            (_, true) => self.next(from, &without),
            _ => Expr::ite(
                when.clone(),
                self.next(from, &with),
                self.next(from, &without),
            ),
        }
    }
}
