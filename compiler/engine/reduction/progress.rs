//! Which steps may be keys so that keys cannot follow one another for ever.
//!
//! There are finitely many states, so keys that never end come back to a state, and each of them moves its process on a
//! cycle of keys: it *repeats*. Two things rule that out:
//!
//! - A repeating key that counts a variable down (the messages in a buffer, say) which no repeating key counts up again is
//!   *bounded*: it cannot be part of such a cycle.
//! - Of what is left, each cycle of locations has a step that *closes* it, which is no key ([`loops`](super::loops)). Some
//!   of these are bounded by now, and are keys after all.
//!
//! Where symmetric processes are exchanged, a cycle may go on in another process than it began in, and at another location
//! that stands for the one where it was. So processes of the same shape share their cycles, and so do such locations; and
//! it is the sum of the variables that exchanging takes to each other which is counted down: exchanging does not change it.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::loops::{Pair, closing, cyclic};
use super::rivals::Rivals;
use super::steps::{Step, Steps};
use super::{Harmless, Keys};
use crate::engine::symmetry::Symmetry;
use crate::system::{Expr, Leaf, LocId, Op, System, VarId};

/// Takes from the keys what might let them follow one another for ever.
pub fn close_loops(
    system: &System,
    steps: &Steps,
    rivals: &[Vec<Rivals>],
    symmetry: Option<&Symmetry>,
    keys: &mut Keys,
) {
    let loops = Loops::new(system, steps, symmetry);
    loops.give_way(rivals, keys);
    let bounded = loops.bounded(keys);
    let closed = loops.close(&bounded, keys);
    loops.reopen(closed, keys);
}

struct Loops<'a> {
    steps: &'a Steps,
    symmetry: Option<&'a Symmetry>,
    /// Processes that share their loops, and how many locations they have.
    groups: Vec<(usize, Vec<usize>)>,
}

impl<'a> Loops<'a> {
    fn new(system: &System, steps: &'a Steps, symmetry: Option<&'a Symmetry>) -> Self {
        let mut groups: IndexMap<(usize, usize), Vec<usize>> = IndexMap::new();
        for (index, process) in system.processes.iter().enumerate() {
            let alone = match symmetry {
                Some(_) => 0,
                None => index,
            };
            let shape = (process.locations.len(), alone);
            groups.entry(shape).or_default().push(index);
        }
        let groups = groups.into_iter();
        Loops {
            steps,
            symmetry,
            groups: groups
                .map(|((count, _), members)| (count, members))
                .collect(),
        }
    }

    fn pair(&self, step: &Step) -> Pair {
        let related = |location: LocId| match self.symmetry {
            Some(symmetry) => symmetry.related(step.process.0 as usize, location.0),
            None => location.0,
        };
        (related(step.from), related(step.to))
    }

    /// The variable that stands for all that exchanging takes to each other.
    fn class(&self, var: VarId) -> VarId {
        self.symmetry.map_or(var, |symmetry| symmetry.class(var))
    }

    /// The variables that a step may make greater.
    fn raised<'s>(&'s self, step: &'s Step) -> impl Iterator<Item = VarId> + 's {
        let raised = step.writes().filter(|v| !counts_down(step, *v));
        raised.map(|v| self.class(v))
    }

    /// The variables that a step counts down.
    fn lowered<'s>(&'s self, step: &'s Step) -> impl Iterator<Item = VarId> + 's {
        let raised: Vec<VarId> = self.raised(step).collect();
        let lowered = step.writes().filter(|v| counts_down(step, *v));
        lowered
            .map(|v| self.class(v))
            .filter(move |v| !raised.contains(v))
    }

    /// The steps of some processes that are keys, by process and index.
    fn keys_of<'k>(
        &'k self,
        members: &'k [usize],
        keys: &'k Keys,
    ) -> impl Iterator<Item = (usize, usize, &'k Step)> {
        members.iter().flat_map(move |process| {
            let own = self.steps.of[*process].iter().enumerate();
            own.filter(|(index, _)| keys[*process][*index].is_some())
                .map(|(index, step)| (*process, index, step))
        })
    }

    /// The keys that repeat, by process and index.
    fn repeating(&self, keys: &Keys) -> BTreeSet<(usize, usize)> {
        let mut repeating = BTreeSet::new();
        for (locations, members) in &self.groups {
            let pairs = self.keys_of(members, keys).map(|(_, _, s)| self.pair(s));
            let cyclic = cyclic(&pairs.collect(), *locations);
            let on_cycles = self.keys_of(members, keys);
            let on_cycles = on_cycles.filter(|(_, _, s)| cyclic.contains(&self.pair(s)));
            repeating.extend(on_cycles.map(|(process, index, _)| (process, index)));
        }
        repeating
    }

    /// The variables that some repeating key may make greater.
    fn rising(&self, keys: &Keys) -> BTreeSet<VarId> {
        let repeating = self.repeating(keys);
        let steps = repeating
            .iter()
            .map(|(p, index)| &self.steps.of[*p][*index]);
        steps.flat_map(|step| self.raised(step)).collect()
    }

    /// Keys that have rivals wherever they are give way to those without: that a message is sent is a worse key than that
    /// one is received if others send to the same buffer.
    fn give_way(&self, rivals: &[Vec<Rivals>], keys: &mut Keys) {
        let repeating = self.repeating(keys);
        let is_free = |(p, index): &(usize, usize)| rivals[*p][*index].as_key.is_empty();
        let step = |(p, index): &(usize, usize)| &self.steps.of[*p][*index];
        let free = repeating.iter().filter(|key| is_free(key));
        let wanted: BTreeSet<VarId> = free
            .clone()
            .flat_map(|key| self.lowered(step(key)))
            .collect();
        let kept: BTreeSet<VarId> = free.flat_map(|key| self.raised(step(key))).collect();
        for key in repeating.iter().filter(|key| !is_free(key)) {
            let is_in_the_way = |v: VarId| wanted.contains(&v) && !kept.contains(&v);
            if self.raised(step(key)).any(is_in_the_way) {
                keys[key.0][key.1] = None;
            }
        }
    }

    /// The keys that count down what no repeating key makes greater.
    fn bounded(&self, keys: &Keys) -> BTreeSet<(usize, usize)> {
        let rising = self.rising(keys);
        let falls = |step: &Step| self.lowered(step).any(|v| !rising.contains(&v));
        let all = self
            .groups
            .iter()
            .flat_map(|(_, members)| self.keys_of(members, keys));
        all.filter(|(_, _, step)| falls(step))
            .map(|(process, index, _)| (process, index))
            .collect()
    }

    /// Takes from the keys that are not bounded those that close loops of such; yields them.
    fn close(
        &self,
        bounded: &BTreeSet<(usize, usize)>,
        keys: &mut Keys,
    ) -> Vec<(usize, usize, Harmless)> {
        let mut closed = Vec::new();
        for (locations, members) in &self.groups {
            let open = self.keys_of(members, keys);
            let open: Vec<(usize, usize, Pair)> = open
                .filter(|(process, index, _)| !bounded.contains(&(*process, *index)))
                .map(|(process, index, step)| (process, index, self.pair(step)))
                .collect();
            let closing = closing(&open.iter().map(|(_, _, pair)| *pair).collect(), *locations);
            for (process, index, pair) in open {
                if closing.contains(&pair) {
                    let key = keys[process][index].take();
                    closed.extend(key.map(|key| (process, index, key)));
                }
            }
        }
        closed
    }

    /// Gives closing steps back to the keys if these are bounded all the same.
    ///
    /// For take a sequence of keys that never ends. It repeats a step that was given back. What this one counts down has a
    /// least value, so some key must make it greater again and again. But no key does that repeats, of those that are left nor
    /// of those that were given back.
    fn reopen(&self, closed: Vec<(usize, usize, Harmless)>, keys: &mut Keys) {
        let mut counted: BTreeSet<VarId> = BTreeSet::new();
        for (process, index, key) in closed {
            let step = &self.steps.of[process][index];
            if self.raised(step).any(|v| counted.contains(&v)) {
                continue;
            }
            keys[process][index] = Some(key);
            let rising = self.rising(keys);
            let falls = self.lowered(step).find(|v| !rising.contains(v));
            match falls {
                Some(var) if counted.iter().all(|v| !rising.contains(v)) => {
                    counted.insert(var);
                }
                _ => keys[process][index] = None,
            }
        }
    }
}

/// Whether all that a step does to a variable is to make it less.
fn counts_down(step: &Step, var: VarId) -> bool {
    step.updates.iter().any(|(v, value)| match value {
        Expr::Binary(Op::Sub, from, by) if *v == var => {
            **from == Expr::Leaf(Leaf::Var(var)) && by.as_const().is_some_and(|by| by > 0)
        }
        _ => false,
    })
}
