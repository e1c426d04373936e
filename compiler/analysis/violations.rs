//! With which sets of faults a property is violated: a boolean function of the faults, as far as it is known.

use std::collections::HashMap;

use super::fault_set::{FaultSet, Minimal};
use super::primes;

/// With which sets of faults a property is violated.
#[derive(Clone, PartialEq, Debug)]
pub struct Violations {
    /// How many faults there are.
    pub faults: usize,
    /// What kind of function it is.
    pub shape: Shape,
    /// Why it is not known for every set, if it is not.
    pub missing: Option<String>,
}

/// What kind of function it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// More faults never repair: it is violated with the sets in which something bad is possible.
    Rising(Possible),
    /// More faults never harm: it is violated with the sets in which something good is impossible.
    Falling(Possible),
    /// Neither: what is known of each set.
    Table(HashMap<FaultSet, bool>),
}

/// With which sets of faults something is possible; with more faults more is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Possible {
    /// The smallest sets that are known.
    pub smallest: Minimal,
    /// With fewer faults than this it is possible with no other sets.
    pub settled: u32,
    /// Nor is it with these sets.
    pub impossible: Vec<FaultSet>,
}

impl Possible {
    /// Whether it is possible with a set, if that is known.
    pub fn with(&self, set: FaultSet) -> Option<bool> {
        if self.smallest.covers(set) {
            return Some(true);
        }
        let excluded = set.len() < self.settled || self.impossible.iter().any(|s| s.includes(set));
        excluded.then_some(false)
    }

    /// It is possible with sets that include one of these, and only with them.
    pub fn known(smallest: Minimal) -> Possible {
        Possible {
            smallest,
            settled: u32::MAX,
            impossible: Vec::new(),
        }
    }
}

/// A condition on the faults: with all of some, without all of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Implicant {
    /// These are possible,
    pub with: FaultSet,
    /// and these are not.
    pub without: FaultSet,
}

/// More hitting sets than this are not listed.
const MOST_HITTING: usize = 10_000;

impl Violations {
    /// Whether the property is violated with exactly these faults, if that is known.
    pub fn with(&self, set: FaultSet) -> Option<bool> {
        match &self.shape {
            Shape::Rising(possible) => possible.with(set),
            Shape::Falling(possible) => possible.with(set).map(|possible| !possible),
            Shape::Table(table) => table.get(&set).copied(),
        }
    }

    /// Whether the property holds with every set of faults, if that is known.
    pub fn never(&self) -> Option<bool> {
        let broken = match &self.shape {
            Shape::Rising(_) => self.with(self.all())?,
            Shape::Falling(_) => self.with(FaultSet::NONE)?,
            Shape::Table(table) => table.values().any(|violated| *violated),
        };
        match (broken, &self.missing) {
            (true, _) => Some(false),
            (false, None) => Some(true),
            (false, Some(_)) => None,
        }
    }

    /// All the faults.
    pub fn all(&self) -> FaultSet {
        FaultSet::all(self.faults)
    }

    /// Whether the smallest sets with which it is violated say everything.
    pub fn is_rising(&self) -> bool {
        matches!(self.shape, Shape::Rising(_))
    }

    /// The smallest sets of faults with which the property is violated, as far as they are known.
    pub fn cut_sets(&self) -> Vec<FaultSet> {
        match &self.shape {
            Shape::Rising(possible) => possible.smallest.sorted(),
            Shape::Falling(_) => match self.with(FaultSet::NONE) {
                Some(true) => vec![FaultSet::NONE],
                _ => Vec::new(),
            },
            Shape::Table(table) => {
                let violated = table.iter().filter(|(_, violated)| **violated);
                let smallest: Minimal = violated.map(|(set, _)| *set).collect();
                smallest.sorted()
            }
        }
    }

    /// The simplest conditions under which the property is violated, as far as they are known; together they say when it is.
    pub fn prime_implicants(&self) -> Vec<Implicant> {
        let with = |set: FaultSet| Implicant {
            with: set,
            without: FaultSet::NONE,
        };
        match &self.shape {
            Shape::Rising(_) => self.cut_sets().into_iter().map(with).collect(),
            Shape::Falling(possible) => {
                let hitting = possible.smallest.hitting(MOST_HITTING).unwrap_or_default();
                let without = |set: FaultSet| Implicant {
                    with: FaultSet::NONE,
                    without: set,
                };
                hitting.sorted().into_iter().map(without).collect()
            }
            Shape::Table(table) => primes::prime_implicants(self.faults, table),
        }
    }

    /// The smallest sets of faults to rule out so that the property holds, all others being possible; `None` if they are not
    /// known.
    pub fn hardening(&self) -> Option<Vec<FaultSet>> {
        if self.missing.is_some() {
            return None;
        }
        Some(match &self.shape {
            Shape::Rising(possible) => possible.smallest.hitting(MOST_HITTING)?.sorted(),
            Shape::Falling(_) => match self.with(self.all()) {
                Some(false) => vec![FaultSet::NONE],
                _ => Vec::new(),
            },
            Shape::Table(table) => {
                let holds = table.iter().filter(|(_, violated)| !**violated);
                let ruled_out = holds.map(|(set, _)| self.all().without(*set));
                ruled_out.collect::<Minimal>().sorted()
            }
        })
    }
}
