//! Prime implicants of a boolean function that is given by its table.
//!
//! Quine, "The problem of simplifying truth functions", 1952, and McCluskey, 1956: two conditions that differ in one fault,
//! which one asks for and the other rules out, are one condition that does not mention it; what cannot be joined any more is
//! prime. All of them are listed, not only a smallest selection: each says something that is true.

use std::collections::{HashMap, HashSet};

use super::fault_set::FaultSet;
use super::violations::Implicant;

/// The prime implicants of a function of so many faults, for the sets that the table has; by how many faults they mention, then
/// in the order of declaration.
pub fn prime_implicants(faults: usize, table: &HashMap<FaultSet, bool>) -> Vec<Implicant> {
    let all = FaultSet::all(faults);
    let violated = table.iter().filter(|(_, violated)| **violated);
    let mut here: HashSet<Implicant> = violated
        .map(|(set, _)| Implicant {
            with: *set,
            without: all.without(*set),
        })
        .collect();
    let mut prime = Vec::new();
    while !here.is_empty() {
        let mut joined = HashSet::new();
        for implicant in &here {
            let mut is_prime = true;
            let mentioned = implicant.with.and(implicant.without);
            for fault in mentioned.positions().map(FaultSet::one) {
                let (with, without) = match implicant.with.includes(fault) {
                    true => (implicant.with.without(fault), implicant.without.and(fault)),
                    false => (implicant.with.and(fault), implicant.without.without(fault)),
                };
                if here.contains(&Implicant { with, without }) {
                    is_prime = false;
                    joined.insert(Implicant {
                        with: implicant.with.without(fault),
                        without: implicant.without.without(fault),
                    });
                }
            }
            if is_prime {
                prime.push(*implicant);
            }
        }
        here = joined;
    }
    prime.sort_by_key(|p| {
        let mentioned = p.with.and(p.without).len();
        (mentioned, p.with.order(), p.without.order())
    });
    prime
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn they_say_when_a_random_function_is_true_and_none_can_be_shorter() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let faults = 1 + random.below(5);
            let sets = || (0..1 << faults).map(FaultSet);
            let table: HashMap<FaultSet, bool> =
                sets().map(|set| (set, random.chance(1, 2))).collect();
            let primes = prime_implicants(faults, &table);
            let says = |p: &Implicant, set: FaultSet| set.includes(p.with) && !set.meets(p.without);
            for set in sets() {
                let said = primes.iter().any(|p| says(p, set));
                assert_eq!(said, table[&set], "seed {seed}, {set:?}");
            }
            for prime in &primes {
                for fault in prime.with.and(prime.without).positions().map(FaultSet::one) {
                    let shorter = Implicant {
                        with: prime.with.without(fault),
                        without: prime.without.without(fault),
                    };
                    let implies = sets().all(|set| !says(&shorter, set) || table[&set]);
                    assert!(!implies, "seed {seed}: {prime:?} is not prime");
                }
            }
        }
    }
}
