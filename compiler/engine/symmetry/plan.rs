//! What to do with a state, by the locations of the processes that belong to no unit.
//!
//! The locations of one such process are divided into *modes*: where it allows the same exchanges and none of them
//! moves it, locations share one. For every combination of modes there is a [`Plan`]: which combination stands for
//! all those that exchanges take it to, how the units have to be rearranged to get there, and which of them may
//! then be sorted.

use std::collections::VecDeque;

use super::classes::{Partition, meet};
use super::moves::Moves;

/// There are at most so many combinations; processes with many modes are told to keep to one if there are more.
const MOST_PLANS: usize = 4096;

/// What to do with the units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The units to be rearranged, none twice.
    pub groups: Vec<Group>,
    /// Processes, by their position among those with modes, that are taken to be elsewhere.
    pub locations: Vec<(usize, u32)>,
}

/// Units whose contents are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Where the contents go, in ascending order.
    pub positions: Vec<u8>,
    /// Where they come from.
    pub sources: Vec<u8>,
}

/// The groups that these classes make, if unit `u` takes its contents from `source[u]`.
pub fn groups(classes: &Partition, source: &[u8]) -> Vec<Group> {
    let mut groups = Vec::new();
    for unit in 0..classes.len() as u8 {
        if classes[unit as usize] != unit {
            continue;
        }
        let positions: Vec<u8> = (unit..classes.len() as u8)
            .filter(|u| classes[*u as usize] == unit)
            .collect();
        let sources: Vec<u8> = positions.iter().map(|u| source[*u as usize]).collect();
        if positions.len() > 1 || positions != sources {
            groups.push(Group { positions, sources });
        }
    }
    groups
}

impl Plan {
    /// Whether nothing is to be done.
    pub fn is_idle(&self) -> bool {
        self.groups.is_empty() && self.locations.is_empty()
    }

    /// Whether every group stays in place but for the sorting.
    pub fn sorts_only(&self) -> bool {
        let in_place = |g: &Group| g.positions == g.sources;
        self.locations.is_empty() && self.groups.iter().all(in_place)
    }
}

/// The plans for all combinations.
pub struct Plans {
    /// For each process and each of its locations what it adds to the number of the plan.
    pub digits: Vec<Vec<u32>>,
    /// The plans.
    pub plans: Vec<Plan>,
}

/// A way in which one process allows exchanges.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mode {
    /// The location, if no other shares the mode.
    only: Option<u32>,
    /// The mode of the location that stands for this one.
    first: usize,
    kept: Partition,
    /// Exchanges that lead to other modes.
    moved: Vec<(u8, u8, usize)>,
}

/// The modes of a process and for each of its locations which it has.
#[derive(Clone)]
struct Modes {
    modes: Vec<Mode>,
    of: Vec<usize>,
}

impl Modes {
    fn new(moves: &Moves) -> Modes {
        let mut modes: Vec<Mode> = Vec::new();
        let mut of = Vec::new();
        for (l, first) in moves.first.iter().enumerate() {
            let first = *first as usize;
            let shared = first == l && moves.moved[l].is_empty();
            let known = modes
                .iter()
                .position(|m| shared && m.only.is_none() && m.kept == moves.kept[l]);
            of.push(known.unwrap_or_else(|| {
                modes.push(Mode {
                    only: (!shared).then_some(l as u32),
                    first,
                    kept: moves.kept[l].clone(),
                    moved: Vec::new(),
                });
                modes.len() - 1
            }));
        }
        // A location that stands for others gets a mode of its own too: plans have to name it.
        for (l, first) in moves.first.iter().enumerate() {
            let first = *first as usize;
            if first != l && modes[of[first]].only.is_none() {
                of[first] = modes.len();
                modes.push(Mode {
                    only: Some(first as u32),
                    first,
                    kept: moves.kept[first].clone(),
                    moved: Vec::new(),
                });
            }
        }
        for (l, moved) in moves.moved.iter().enumerate() {
            modes[of[l]].moved = moved
                .iter()
                .map(|(i, j, m)| (*i, *j, of[*m as usize]))
                .collect();
        }
        for mode in &mut modes {
            mode.first = match mode.only {
                Some(l) => of[moves.first[l as usize] as usize],
                None => usize::MAX,
            };
        }
        for (index, mode) in modes.iter_mut().enumerate() {
            if mode.only.is_none() {
                mode.first = index;
            }
        }
        Modes { modes, of }
    }

    /// One mode for all locations: what is allowed everywhere without moving.
    fn merged(&self) -> Modes {
        let firsts = self
            .modes
            .iter()
            .enumerate()
            .filter(|(m, mode)| *m == mode.first);
        let kept = firsts
            .map(|(_, m)| m.kept.clone())
            .reduce(|a, b| meet(&a, &b));
        Modes {
            modes: vec![Mode {
                only: None,
                first: 0,
                kept: kept.unwrap_or_default(),
                moved: Vec::new(),
            }],
            of: vec![0; self.of.len()],
        }
    }
}

impl Plans {
    /// The plans for processes that allow these moves.
    pub fn new(partition: &Partition, processes: &[Moves]) -> Plans {
        let mut modes: Vec<Modes> = processes.iter().map(Modes::new).collect();
        let total = |modes: &[Modes]| {
            let sizes = modes.iter().map(|m| m.modes.len());
            sizes.fold(1usize, |n, size| n.saturating_mul(size))
        };
        while total(&modes) > MOST_PLANS {
            let most = (0..modes.len()).max_by_key(|m| modes[*m].modes.len());
            let most = most.expect("there are many plans");
            modes[most] = modes[most].merged();
        }
        let mut strides = Vec::new();
        let mut stride = 1;
        for m in &modes {
            strides.push(stride);
            stride *= m.modes.len();
        }
        let digits = modes
            .iter()
            .zip(&strides)
            .map(|(m, stride)| m.of.iter().map(|mode| (mode * stride) as u32).collect())
            .collect();
        let joint = Joint {
            partition,
            modes,
            strides,
        };
        Plans {
            digits,
            plans: joint.plans(stride),
        }
    }
}

/// The modes of all processes together.
struct Joint<'a> {
    partition: &'a Partition,
    modes: Vec<Modes>,
    strides: Vec<usize>,
}

impl Joint<'_> {
    fn mode(&self, combination: usize, process: usize) -> &Mode {
        &self.modes[process].modes[self.digit(combination, process)]
    }

    fn digit(&self, combination: usize, process: usize) -> usize {
        combination / self.strides[process] % self.modes[process].modes.len()
    }

    fn plans(&self, count: usize) -> Vec<Plan> {
        // For each combination the one that stands for it, and how to get there: unit `u` here has the contents
        // that unit `from[u]` has there.
        let mut ways: Vec<Option<(usize, Vec<u8>)>> = vec![None; count];
        for start in 0..count {
            if self.first(start) != start || ways[start].is_some() {
                continue;
            }
            ways[start] = Some((start, (0..self.partition.len() as u8).collect()));
            let mut queue = VecDeque::from([start]);
            while let Some(here) = queue.pop_front() {
                let from = ways[here].as_ref().map(|(_, from)| from.clone());
                for (i, j, there) in self.moves(here) {
                    if ways[there].is_none() {
                        let mut from = from.clone().expect("it has been reached");
                        from.swap(i as usize, j as usize);
                        ways[there] = Some((start, from));
                        queue.push_back(there);
                    }
                }
            }
        }
        (0..count)
            .map(|here| match &ways[self.first(here)] {
                Some((target, from)) => self.plan(here, *target, from),
                None => Plan::default(),
            })
            .collect()
    }

    /// The combination in which every process is at a location that stands for itself.
    fn first(&self, combination: usize) -> usize {
        let firsts =
            (0..self.modes.len()).map(|p| self.mode(combination, p).first * self.strides[p]);
        firsts.sum()
    }

    /// The exchanges that lead to other combinations.
    fn moves(&self, here: usize) -> Vec<(u8, u8, usize)> {
        let mut found = Vec::new();
        for process in 0..self.modes.len() {
            for (i, j, _) in &self.mode(here, process).moved {
                let there = (0..self.modes.len()).try_fold(0, |sum, p| {
                    let mode = self.mode(here, p);
                    let kept = mode.kept[*i as usize] == mode.kept[*j as usize];
                    let digit = if kept {
                        Some(self.digit(here, p))
                    } else {
                        let moved = mode.moved.iter().find(|(a, b, _)| (a, b) == (i, j));
                        moved.map(|(_, _, to)| *to)
                    };
                    digit.map(|digit| sum + digit * self.strides[p])
                });
                found.extend(there.map(|there| (*i, *j, there)));
            }
        }
        found
    }

    fn plan(&self, here: usize, target: usize, from: &[u8]) -> Plan {
        let kept = (0..self.modes.len()).map(|p| &self.mode(target, p).kept);
        let classes = kept.fold(self.partition.clone(), |a, b| meet(&a, b));
        let mut source = vec![0; from.len()];
        for (unit, there) in (0..).zip(from) {
            source[*there as usize] = unit;
        }
        let locations = (0..self.modes.len()).filter_map(|p| {
            let to = self.mode(target, p).only?;
            (self.mode(here, p).only != Some(to)).then_some((p, to))
        });
        Plan {
            groups: groups(&classes, &source),
            locations: locations.collect(),
        }
    }
}
