//! How likely it is that a condition on independent faults is met: exactly, not by adding up.
//!
//! Shannon's expansion: the first fault is possible or it is not, and what is left of the condition is asked about the others;
//! what is left is the same on many ways, and is asked once. A. Rauzy, "New Algorithms for Fault Trees Analysis", 1993, does so with
//! decision diagrams.

use std::collections::HashMap;

use super::fault_set::FaultSet;
use super::violations::Implicant;

/// The probability that one of the implicants is met, given that of each fault.
pub fn probability(implicants: &[Implicant], faults: &[f64]) -> f64 {
    let conditions = implicants.to_vec();
    Expansion {
        faults,
        known: HashMap::new(),
    }
    .of(conditions, 0)
}

struct Expansion<'a> {
    faults: &'a [f64],
    known: HashMap<Vec<Implicant>, f64>,
}

impl Expansion<'_> {
    fn of(&mut self, mut conditions: Vec<Implicant>, from: usize) -> f64 {
        let met = |c: &Implicant| c.with.is_empty() && c.without.is_empty();
        if conditions.iter().any(met) {
            return 1.0;
        }
        let mentioned = conditions
            .iter()
            .fold(FaultSet::NONE, |all, c| all.and(c.with).and(c.without));
        let Some(fault) = mentioned.positions().find(|fault| *fault >= from) else {
            return 0.0;
        };
        conditions.sort_by_key(|c| (c.with.0, c.without.0));
        conditions.dedup();
        if let Some(known) = self.known.get(&conditions) {
            return *known;
        }
        let one = FaultSet::one(fault);
        let given = |possible: bool| {
            let excluded = |c: &Implicant| match possible {
                true => c.without.includes(one),
                false => c.with.includes(one),
            };
            let left = conditions.iter().filter(|c| !excluded(c));
            let rest = left.map(|c| Implicant {
                with: c.with.without(one),
                without: c.without.without(one),
            });
            rest.collect::<Vec<_>>()
        };
        let p = self.faults[fault];
        let (with, without) = (given(true), given(false));
        let result = p * self.of(with, fault + 1) + (1.0 - p) * self.of(without, fault + 1);
        self.known.insert(conditions, result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn it_is_the_sum_over_all_sets() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(7);
            let faults: Vec<f64> = (0..count)
                .map(|_| random.below(101) as f64 / 100.0)
                .collect();
            let implicants: Vec<Implicant> = (0..random.below(6))
                .map(|_| {
                    let with = FaultSet(random.below(1 << count) as u64);
                    let without = FaultSet(random.below(1 << count) as u64).without(with);
                    Implicant { with, without }
                })
                .collect();
            let mut sum = 0.0;
            for set in (0..1 << count).map(FaultSet) {
                let met = |c: &Implicant| set.includes(c.with) && !set.meets(c.without);
                if implicants.iter().any(met) {
                    let chance = |f: usize| match set.includes(FaultSet::one(f)) {
                        true => faults[f],
                        false => 1.0 - faults[f],
                    };
                    sum += (0..count).map(chance).product::<f64>();
                }
            }
            let found = probability(&implicants, &faults);
            assert!((found - sum).abs() < 1e-12, "seed {seed}: {found}, {sum}");
        }
    }
}
