//! When a process comes to know what it did not know: by which views, and how late that can be.

use indexmap::IndexSet;

use crate::engine::ctl::bits::Bits;
use crate::engine::ctl::graph::Graph;
use crate::engine::emptiness::components::components;
use crate::engine::space::StateId;
use crate::vocabulary::ProcessId;

/// What is counted from a fault to the moment at which it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The ticks of a clock.
    Ticks(ProcessId),
    /// All steps.
    Steps,
    /// Nothing: the steps are not those of the model.
    Nothing,
}

impl Count {
    /// What a move of a process counts.
    fn of(self, process: Option<ProcessId>) -> u64 {
        let counts = match (self, process) {
            (Count::Ticks(clock), Some(process)) => process == clock,
            (Count::Steps, process) => process.is_some(),
            (Count::Ticks(_), None) | (Count::Nothing, _) => false,
        };
        u64::from(counts)
    }
}

/// When something is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The numbers of the views by which it is first known.
    pub views: IndexSet<u32>,
    /// How late that can be, if there is a bound.
    pub latest: Option<u64>,
}

/// From some states on, on runs that end where a process is not ignorant any more: which views it has then, and how late.
pub fn moment(graph: &Graph, first: &Bits, ignorant: &Bits, views: &[u32], count: Count) -> Moment {
    let mut found: IndexSet<u32> = IndexSet::new();
    let at_once = first.iter().filter(|state| !ignorant.contains(*state));
    found.extend(at_once.map(|state| views[state as usize]));
    let starts = || first.iter().filter(|state| ignorant.contains(*state));
    let waiting = graph.reached(starts(), ignorant);
    let (component, number) = components(
        graph.states(),
        |state| waiting.contains(state),
        |state, cursor| {
            let next = graph.moves(state).nth(*cursor as usize)?;
            *cursor += 1;
            Some(next.0)
        },
    );
    // Components are numbered after those that they reach.
    let mut members: Vec<StateId> = waiting.iter().collect();
    members.sort_unstable_by_key(|state| component[*state as usize]);
    let mut latest: Vec<Option<u64>> = vec![Some(0); number as usize];
    for state in members {
        let own = component[state as usize] as usize;
        for (target, process) in graph.moves(state) {
            let cost = count.of(process);
            let after = match component.get(target as usize) {
                _ if !waiting.contains(target) => {
                    found.insert(views[target as usize]);
                    Some(0)
                }
                Some(other) if *other as usize == own && cost == 0 => continue,
                Some(other) if *other as usize == own => None,
                Some(other) => latest[*other as usize],
                None => None,
            };
            latest[own] = match (latest[own], after) {
                (Some(known), Some(after)) => Some(known.max(after + cost)),
                _ => None,
            };
        }
    }
    let late = starts().map(|state| latest[component[state as usize] as usize]);
    Moment {
        views: found,
        latest: late.fold(Some(0), |a, b| Some(a?.max(b?))),
    }
}
