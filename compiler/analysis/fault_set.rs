//! Sets of faults, and families of sets of which no member includes another.

use crate::vocabulary::FaultId;

/// A set of at most 64 faults, each by its position among those that are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct FaultSet(pub u64);

impl FaultSet {
    /// No fault.
    pub const NONE: FaultSet = FaultSet(0);

    /// The most faults that a set can tell apart.
    pub const MOST: usize = 64;

    /// The first so many faults.
    pub fn all(count: usize) -> FaultSet {
        match count {
            Self::MOST => FaultSet(u64::MAX),
            _ => FaultSet((1 << count) - 1),
        }
    }

    /// The fault at a position alone.
    pub fn one(position: usize) -> FaultSet {
        FaultSet(1 << position)
    }

    /// How many faults it has.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has all faults of another.
    pub fn includes(self, other: FaultSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether it has a fault in common with another.
    pub fn meets(self, other: FaultSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The faults of both.
    pub fn and(self, other: FaultSet) -> FaultSet {
        FaultSet(self.0 | other.0)
    }

    /// Without the faults of another.
    pub fn without(self, other: FaultSet) -> FaultSet {
        FaultSet(self.0 & !other.0)
    }

    /// The positions of its faults.
    pub fn positions(self) -> impl Iterator<Item = usize> {
        (0..Self::MOST).filter(move |position| self.0 >> position & 1 == 1)
    }

    /// By size, then in the order of declaration: how sets are listed.
    pub fn order(self) -> (u32, std::cmp::Reverse<u64>) {
        // Of two sets of a size, that with the first fault comes first.
        (self.len(), std::cmp::Reverse(self.0.reverse_bits()))
    }

    /// The faults themselves, given all that are looked at.
    pub fn faults(self, all: &[FaultId]) -> Vec<FaultId> {
        self.positions().map(|position| all[position]).collect()
    }
}

/// A family of sets of which none includes another: the smallest of those that were added.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Minimal(Vec<FaultSet>);

impl Minimal {
    /// Adds a set; those that include it go. Whether it is new.
    pub fn add(&mut self, set: FaultSet) -> bool {
        if self.covers(set) {
            return false;
        }
        self.0.retain(|known| !known.includes(set));
        self.0.push(set);
        true
    }

    /// Whether a set includes one of them.
    pub fn covers(&self, set: FaultSet) -> bool {
        self.0.iter().any(|known| set.includes(*known))
    }

    /// The sets, by size, then in the order of declaration.
    pub fn sorted(&self) -> Vec<FaultSet> {
        let mut sets = self.0.clone();
        sets.sort_by_key(|set| set.order());
        sets
    }

    /// The sets, in no particular order.
    pub fn sets(&self) -> &[FaultSet] {
        &self.0
    }

    /// The smallest sets that have a fault in common with each of these.
    ///
    /// Berge, "Hypergraphs", 1989: one set after another, each hitting set so far that misses it is extended by each of
    /// its faults. `None` if there are more than `most` on the way.
    pub fn hitting(&self, most: usize) -> Option<Minimal> {
        let mut hitting = Minimal(vec![FaultSet::NONE]);
        for set in self.sorted() {
            hitting = hitting.extended(set);
            if hitting.0.len() > most {
                return None;
            }
        }
        Some(hitting)
    }

    /// The smallest sets that include one of these and have a fault in common with another set as well.
    pub fn extended(&self, set: FaultSet) -> Minimal {
        let (hits, misses): (Vec<FaultSet>, Vec<FaultSet>) =
            self.0.iter().partition(|known| known.meets(set));
        let mut all = Minimal(hits);
        for miss in misses {
            for position in set.positions() {
                all.add(miss.and(FaultSet::one(position)));
            }
        }
        all
    }
}

impl FromIterator<FaultSet> for Minimal {
    fn from_iter<I: IntoIterator<Item = FaultSet>>(sets: I) -> Minimal {
        let mut minimal = Minimal::default();
        sets.into_iter().for_each(|set| {
            minimal.add(set);
        });
        minimal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn hitting_sets_are_those_found_by_trying_all() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(6);
            let family: Minimal = (0..random.below(6))
                .map(|_| FaultSet(random.below(1 << count) as u64))
                .collect();
            let hits = |set: FaultSet| family.sets().iter().all(|other| set.meets(*other));
            let all: Minimal = (0..1 << count).map(FaultSet).filter(|s| hits(*s)).collect();
            let found = family.hitting(1000).expect("they are few");
            assert_eq!(found.sorted(), all.sorted(), "seed {seed}: {family:?}");
            // Twice is where one started.
            assert_eq!(
                found.hitting(1000).expect("they are few").sorted(),
                family.sorted()
            );
        }
    }

    #[test]
    fn sets_are_listed_by_size_and_declaration() {
        let sets: Minimal = [0b1100, 0b0011, 0b10000, 0b0110]
            .into_iter()
            .map(FaultSet)
            .collect();
        let order: Vec<u64> = sets.sorted().into_iter().map(|set| set.0).collect();
        assert_eq!(order, [0b10000, 0b0011, 0b0110, 0b1100]);
    }
}
