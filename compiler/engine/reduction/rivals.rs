//! Who else must be looked at when a process is: for each step the processes that may get in its way.

use super::order::{Known, Order, order, parts};
use super::steps::{Step, Steps};
use crate::system::{Expr, LocId, System};
use crate::vocabulary::ProcessId;

/// Work beyond which there is no reduction: the search would rather begin.
const MOST_WORK: u64 = 2_000_000;

/// Further work beyond which no more rivals are ruled out by a closer look.
const MOST_REFINING: u64 = 500_000;

/// A process that may get in the way of a step, if it is where it can come to do so by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rival {
    /// The process.
    pub process: u32,
    /// A bit per location of it.
    pub from: Vec<u64>,
}

impl Rival {
    /// Whether a location is one of those.
    pub fn is_from(&self, at: usize) -> bool {
        self.from[at / 64] >> (at % 64) & 1 != 0
    }

    /// How much it matters, to compare.
    fn weight(&self) -> u32 {
        self.from.iter().map(|word| word.count_ones()).sum()
    }
}

/// The rivals of a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rivals {
    /// Without these it cannot be disabled, nor does it matter whether others move before it or after it.
    pub as_key: Vec<Rival>,
    /// Without these, if it can be taken, it matters neither.
    pub enabled: Vec<Rival>,
    /// Without these, if it cannot be taken, it still cannot be when others have moved.
    pub disabled: Vec<Rival>,
    /// The same, if one of some other steps of its process can be taken.
    pub beside: Option<Beside>,
}

/// What keeps a step from being possible while another one of its process is: a message has come, and it is not for this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beside {
    /// Steps from the same location, by their index in the process.
    pub others: Vec<u32>,
    /// Without these, while one of those can be taken, it will not be possible.
    pub disabled: Vec<Rival>,
}

/// The rivals of every step, by process and step, unless that would take too long. If a search goes by faults, no fault stands
/// in for a step that is none.
pub fn rivals(system: &System, steps: &Steps, by_faults: bool) -> Option<Vec<Vec<Rivals>>> {
    let mut work = 0;
    let mut refining = 0;
    let mut found = Vec::with_capacity(steps.of.len());
    for (process, own) in steps.of.iter().enumerate() {
        let process = ProcessId(process as u32);
        let mut of_process = Vec::with_capacity(own.len());
        // The steps of a process are in the order of their locations.
        let mut here = LocId(u32::MAX);
        let mut impossible = Vec::new();
        for step in own {
            if step.from != here {
                here = step.from;
                impossible = steps.impossible_while(process, here);
            }
            let (mut unordered, mut clashing) = (Vec::new(), Vec::new());
            let neighbours = steps.neighbours(step);
            work += neighbours.len() as u64;
            for place in neighbours {
                if impossible.binary_search(&place).is_ok() {
                    continue;
                }
                let other = &steps.of[place.0 as usize][place.1 as usize];
                let mut compared = order(system, step, other, Known::default(), &mut work);
                if refining <= MOST_REFINING && !(compared.e_may_go_first && compared.commute) {
                    compared = compared.or(with_stand_ins(
                        system,
                        steps,
                        (step, other),
                        by_faults,
                        &mut refining,
                    ));
                }
                if !compared.e_may_go_first {
                    unordered.push(place);
                }
                if !compared.commute {
                    clashing.push(place);
                }
                if work > MOST_WORK {
                    return None;
                }
            }
            let disabled = origins(system, steps, &impossible, &unordered, &mut work);
            let mut as_key = origins(system, steps, &impossible, &clashing, &mut work);
            let weight = |rivals: &[Rival]| -> u32 { rivals.iter().map(Rival::weight).sum() };
            // Either condition will do; the one that fewer can break is better.
            let mut enabled = match weight(&disabled) <= weight(&as_key) {
                true => disabled.clone(),
                false => as_key.clone(),
            };
            let mut disabled = disabled;
            let mut beside = None;
            if step.is_picky() {
                // It may be possible with some picks and not with others.
                enabled = union(&enabled, &disabled);
                disabled = enabled.clone();
                as_key = union(&as_key, &enabled);
            } else if refining <= MOST_REFINING && !unordered.is_empty() {
                let others = own.iter().enumerate().filter(|(_, s)| s.from == step.from);
                let lasting = lasting(system, steps, step, others, &mut refining);
                beside = lasting.map(|(lasting, others)| {
                    let known = Known {
                        lasting: &lasting,
                        ..Known::default()
                    };
                    unordered.retain(|(p, index)| {
                        let other = &steps.of[*p as usize][*index as usize];
                        !order(system, step, other, known, &mut refining).e_may_go_first
                    });
                    Beside {
                        others,
                        disabled: origins(system, steps, &impossible, &unordered, &mut refining),
                    }
                });
            }
            if step.guard.is_yes() {
                disabled.clear();
            }
            of_process.push(Rivals {
                as_key,
                enabled,
                disabled,
                beside,
            });
            if work > MOST_WORK {
                return None;
            }
        }
        found.push(of_process);
    }
    Some(found)
}

/// Compares a step with one of another process, for which others may stand in.
fn with_stand_ins(
    system: &System,
    steps: &Steps,
    (step, other): (&Step, &Step),
    by_faults: bool,
    work: &mut u64,
) -> Order {
    let stand_ins = steps.siblings(other, by_faults);
    if stand_ins.is_empty() {
        return Order::default();
    }
    let known = Known {
        stand_ins: &stand_ins,
        ..Known::default()
    };
    order(system, step, other, known, work)
}

/// What lasts of the guard of a step, and which others from the same location need it too.
fn lasting<'s>(
    system: &System,
    steps: &Steps,
    step: &Step,
    others: impl Iterator<Item = (usize, &'s Step)>,
    work: &mut u64,
) -> Option<(Vec<Expr>, Vec<u32>)> {
    let lasting = steps.lasting(system, step, work);
    let needs = |other: &Step| {
        lasting
            .iter()
            .all(|part| parts(&other.guard).contains(part))
    };
    let others = others.filter(|(_, other)| !std::ptr::eq(*other, step) && needs(other));
    let others: Vec<u32> = others.map(|(index, _)| index as u32).collect();
    (!lasting.is_empty() && !others.is_empty()).then_some((lasting, others))
}

fn union(a: &[Rival], b: &[Rival]) -> Vec<Rival> {
    let mut all: Vec<Rival> = a.to_vec();
    for rival in b {
        match all.iter_mut().find(|r| r.process == rival.process) {
            Some(known) => {
                let words = known.from.iter_mut().zip(&rival.from);
                words.for_each(|(a, b)| *a |= b);
            }
            None => all.push(rival.clone()),
        }
    }
    all.sort_by_key(|rival| rival.process);
    all
}

/// The processes of some steps, and from where they can come to these by themselves, without any step that is
/// impossible meanwhile.
fn origins(
    system: &System,
    steps: &Steps,
    impossible: &[(u32, u32)],
    targets: &[(u32, u32)],
    work: &mut u64,
) -> Vec<Rival> {
    let mut found = Vec::new();
    for group in targets.chunk_by(|a, b| a.0 == b.0) {
        let process = group[0].0;
        let own = &steps.of[process as usize];
        let count = system.processes[process as usize].locations.len();
        let mut rival = Rival {
            process,
            from: vec![0; count.div_ceil(64)],
        };
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (index, step) in own.iter().enumerate() {
            if impossible.binary_search(&(process, index as u32)).is_err() {
                into[step.to.0 as usize].push(step.from.0);
            }
        }
        *work += (own.len() / 16) as u64;
        let mut open: Vec<u32> = group
            .iter()
            .map(|(_, index)| own[*index as usize].from.0)
            .collect();
        while let Some(at) = open.pop() {
            if !rival.is_from(at as usize) {
                rival.from[at as usize / 64] |= 1 << (at % 64);
                open.extend(&into[at as usize]);
            }
        }
        found.push(rival);
    }
    found
}
