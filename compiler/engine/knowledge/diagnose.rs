//! Which process can tell which fault: for all at once, from one exploration.
//!
//! Each view has the sets of faults that have begun in the states with it. A process knows that one of some faults has begun if
//! all of these sets have one of them. From the first injection of a fault on it surely comes to know that, if no fair run
//! goes on from there without ever getting to a view of which this is true.

use indexmap::{IndexMap, IndexSet};

use super::moments::{Count, moment};
use super::views::Views;
use super::{Unknown, set_of, unknown};
use crate::engine::ctl::Labelling;
use crate::engine::ctl::bits::Bits;
use crate::engine::emptiness::Stop;
use crate::engine::space::{Exhausted, StateId, States, Transition};
use crate::engine::{Options, explore};
use crate::system::{Event, Expr, System};
use crate::vocabulary::FaultId;

/// What is asked, in terms of the System that is searched.
#[derive(Clone, Debug)]
pub struct Question {
    /// What each process sees.
    pub views: Vec<Vec<Expr>>,
    /// For each fault whether it has begun; at most 64.
    pub begun: Vec<Expr>,
    /// The faults.
    pub faults: Vec<FaultId>,
    /// What is counted until it is known.
    pub count: Count,
}

/// What has been found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// How many states there are.
    pub states: u64,
    /// For each fault and each process the smallest sets of faults, that one among them, of which the process comes to know
    /// that one has begun: smaller ones first, then in the order of the faults.
    pub told: Vec<Vec<Vec<Told>>>,
}

/// A set of faults of which a process comes to know that one has begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Their numbers.
    pub faults: Vec<usize>,
    /// The views by which it first knows.
    pub views: Vec<Vec<i64>>,
    /// How late that can be, if there is a bound.
    pub latest: Option<u64>,
}

/// Finds all smallest sets.
///
/// # Errors
/// Why it is not known.
pub fn diagnose(
    system: &System,
    question: &Question,
    options: &Options<'_>,
) -> Result<Diagnosis, Unknown> {
    let memory = options.limits.memory;
    let found = explore(system, options, |space| {
        let found = match system.fair.is_empty() {
            true => sets(system, space, question, memory, options.stop),
            false => Err(Stop::FairChoice),
        };
        found.map_err(|stop| match stop {
            Stop::FairChoice => {
                Unknown::for_good("a diagnosis does not know fair choices (`fair`)")
            }
            stop => unknown(space, stop),
        })
    });
    found.map_err(Unknown::by_limit)?
}

fn sets(
    system: &System,
    space: &mut dyn States,
    question: &Question,
    memory: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Diagnosis, Stop> {
    let labelling = Labelling::new(space, memory)?;
    let states = labelling.count();
    let mut masks = vec![0u64; states];
    for (fault, begun) in question.begun.iter().enumerate() {
        let atom = space.atom(begun);
        for state in set_of(space, states, atom).iter() {
            masks[state as usize] |= 1 << fault;
        }
    }
    let mut first = Vec::new();
    for fault in &question.faults {
        first.push(first_injections(system, space, states, *fault).map_err(Stop::Exhausted)?);
    }
    let mut views = Views::default();
    views.number(space, &question.views, memory)?;
    let faults = question.begun.len();
    let mut found = vec![vec![Vec::new(); question.views.len()]; faults];
    for (process, exprs) in question.views.iter().enumerate() {
        let view = views.get(exprs);
        let mut begun: Vec<IndexSet<u64>> = vec![IndexSet::new(); view.codes.len()];
        for (state, number) in view.of.iter().enumerate() {
            begun[*number as usize].insert(masks[state]);
        }
        let mut tells = Tells {
            labelling: &labelling,
            numbers: &view.of,
            begun,
            first: &first,
            known: IndexMap::new(),
        };
        let all = (0..faults).fold(0, |all, fault| all | 1 << fault);
        let hopeful = tells.told_by(all);
        for set in subsets(faults) {
            if stop() {
                return Err(Stop::Exhausted(Exhausted::Stopped));
            }
            let open: Vec<usize> = (0..faults)
                .filter(|fault| set & hopeful & 1 << fault != 0)
                .filter(|fault| {
                    let known: &Vec<(u64, Told)> = &found[*fault][process];
                    known.iter().all(|(smaller, _)| smaller & !set != 0)
                })
                .collect();
            if open.is_empty() {
                continue;
            }
            let told = tells.told_by(set);
            for fault in open.into_iter().filter(|fault| told & 1 << fault != 0) {
                let ignorant = tells.ignorant(&tells.knows(set));
                let graph = labelling.graph();
                let moment = moment(graph, &first[fault], &ignorant, &view.of, question.count);
                let told = Told {
                    faults: (0..faults).filter(|f| set & 1 << f != 0).collect(),
                    views: (moment.views.iter())
                        .map(|number| view.codes[*number as usize].clone())
                        .collect(),
                    latest: moment.latest,
                };
                found[fault][process].push((set, told));
            }
        }
    }
    let each = |of: Vec<(u64, Told)>| of.into_iter().map(|(_, told)| told).collect();
    Ok(Diagnosis {
        states: states as u64,
        told: (found.into_iter())
            .map(|of| of.into_iter().map(each).collect())
            .collect(),
    })
}

/// Where first injections of a fault lead.
fn first_injections(
    system: &System,
    space: &mut dyn States,
    states: usize,
    fault: FaultId,
) -> Result<Bits, Exhausted> {
    let injects = |step: &Transition| {
        let process = system.processes.get(step.process as usize);
        let edge = process.and_then(|process| process.edges.get(step.edge as usize));
        edge.is_some_and(|edge| edge.events.contains(&Event::Injected(fault)))
    };
    let mut before = Bits::none(states);
    let mut found = Bits::none(states);
    let mut rest: Vec<StateId> = (0..space.starts()).collect();
    rest.retain(|start| before.insert(*start));
    let mut out = Vec::new();
    while let Some(state) = rest.pop() {
        space.successors(state, &mut out)?;
        for step in &out {
            if injects(step) {
                found.insert(step.target);
            } else if before.insert(step.target) {
                rest.push(step.target);
            }
        }
    }
    Ok(found)
}

/// What one process can tell.
struct Tells<'a> {
    labelling: &'a Labelling,
    /// For each state the number of its view.
    numbers: &'a [u32],
    /// For each view the sets of faults that have begun in states with it.
    begun: Vec<IndexSet<u64>>,
    /// For each fault where its first injection leads.
    first: &'a [Bits],
    /// What has been found out, by the views in which the process knows.
    known: IndexMap<Vec<bool>, u64>,
}

impl Tells<'_> {
    /// The faults after which the process comes to know that one of a set has begun.
    fn told_by(&mut self, set: u64) -> u64 {
        let knows = self.knows(set);
        if let Some(told) = self.known.get(&knows) {
            return *told;
        }
        let ignorant = self.ignorant(&knows);
        let never = self.labelling.forever(&ignorant);
        let told = (self.first.iter().enumerate())
            .filter(|(_, first)| first.and(&never).iter().next().is_none())
            .fold(0, |told, (fault, _)| told | 1 << fault);
        self.known.insert(knows, told);
        told
    }

    /// For each view whether the process then knows that one of a set has begun.
    fn knows(&self, set: u64) -> Vec<bool> {
        let begun = self.begun.iter();
        let knows = begun.map(|begun| begun.iter().all(|mask| mask & set != 0));
        knows.collect()
    }

    /// The states in which it does not.
    fn ignorant(&self, knows: &[bool]) -> Bits {
        let mut ignorant = Bits::none(self.numbers.len());
        for (state, number) in self.numbers.iter().enumerate() {
            if !knows[*number as usize] {
                ignorant.insert(state as StateId);
            }
        }
        ignorant
    }
}

/// All sets of so many elements, but for the empty one: smaller ones first, then in the order of the elements.
fn subsets(count: usize) -> impl Iterator<Item = u64> {
    (1..=count).flat_map(move |size| {
        let mut next: Option<Vec<usize>> = Some((0..size).collect());
        std::iter::from_fn(move || {
            let now = next.take()?;
            let set = now.iter().fold(0, |set, element| set | 1 << element);
            // The last element that can be moved on, and those behind it right after it.
            let at = (0..size).rfind(|at| now[*at] < count - size + at);
            next = at.map(|at| {
                let mut after = now.clone();
                for (step, element) in after[at..].iter_mut().enumerate() {
                    *element = now[at] + 1 + step;
                }
                after
            });
            Some(set)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_by_size_and_then_in_order() {
        let sets: Vec<u64> = subsets(3).collect();
        assert_eq!(sets, [0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111]);
        assert_eq!(subsets(6).count(), 63);
        assert_eq!(subsets(0).count(), 0);
    }
}
