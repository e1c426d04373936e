//! Who else must be looked at when a process is: for each step the processes that may get in its way.

use super::order::order;
use super::steps::Steps;
use crate::system::{LocId, System};
use crate::vocabulary::ProcessId;

/// Work beyond which there is no reduction: the search would rather begin.
const MOST_WORK: u64 = 2_000_000;

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
}

/// The rivals of every step, by process and step, unless that would take too long.
pub fn rivals(system: &System, steps: &Steps) -> Option<Vec<Vec<Rivals>>> {
    let mut work = 0;
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
                let order = order(system, step, other, &mut work);
                if !order.e_may_go_first {
                    unordered.push(place);
                }
                if !order.commute {
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
            if step.is_picky() {
                // It may be possible with some picks and not with others.
                enabled = union(&enabled, &disabled);
                disabled = enabled.clone();
                as_key = union(&as_key, &enabled);
            }
            if step.guard.is_yes() {
                disabled.clear();
            }
            of_process.push(Rivals {
                as_key,
                enabled,
                disabled,
            });
            if work > MOST_WORK {
                return None;
            }
        }
        found.push(of_process);
    }
    Some(found)
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
