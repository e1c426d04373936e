//! The smallest sets of faults with which something is possible, by asking about few sets.
//!
//! Gunopulos, Khardon, Mannila and Toivonen, "Data mining, hypergraph transversals, and machine learning", 1997. A set that
//! meets all smallest sets known so far is ruled out, and it is asked whether the thing is possible all the same: if so,
//! there is another smallest set, which is found by leaving out fault after fault; if not, to rule these out is enough.
//! When every such set has been asked about there is no other. So there are about as many questions as there are answers, however many
//! sets there are.

use super::fault_set::{FaultSet, Minimal};
use super::violations::Possible;

/// Whether something is possible with exactly these faults: then with which of them, as few as are known to do; or why nobody
/// knows.
pub type Asks<'a> = &'a mut dyn FnMut(FaultSet) -> Result<Option<FaultSet>, String>;

/// More sets to rule out than this are not kept.
const MOST: usize = 100_000;

/// The smallest sets of so many faults with which something is possible, and why they are not all known, if they are
/// not. What is known in the beginning is built upon.
pub fn smallest(count: usize, known: Possible, ask: Asks<'_>) -> (Possible, Option<String>) {
    let all = FaultSet::all(count);
    let mut possible = known;
    let mut missing = None;
    let mut ruled_out = Minimal::from_iter([FaultSet::NONE]);
    for set in possible.smallest.sorted() {
        ruled_out = ruled_out.extended(set);
    }
    let mut asked: Minimal = Minimal::default();
    loop {
        let next = ruled_out
            .sorted()
            .into_iter()
            .find(|set| possible.with(all.without(*set)).is_none() && !asked.sets().contains(set));
        let Some(out) = next else {
            break;
        };
        match ask(all.without(out)) {
            Ok(None) => possible.impossible.push(all.without(out)),
            Ok(Some(used)) => {
                let smallest = shrink(used, &mut possible, ask, &mut missing);
                possible.smallest.add(smallest);
                ruled_out = ruled_out.extended(smallest);
                if ruled_out.sets().len() > MOST {
                    missing = Some("there are too many combinations of faults".to_owned());
                    break;
                }
            }
            Err(why) => {
                missing.get_or_insert(why);
                asked.add(out);
            }
        }
    }
    (possible, missing)
}

/// Leaves out fault after fault, as long as the thing is possible.
fn shrink(
    mut set: FaultSet,
    possible: &mut Possible,
    ask: Asks<'_>,
    missing: &mut Option<String>,
) -> FaultSet {
    for position in set.positions() {
        let fewer = set.without(FaultSet::one(position));
        if fewer == set {
            continue;
        }
        let found = match possible.with(fewer) {
            Some(false) => Ok(None),
            // Another smallest set that is known already is inside: nothing is gained by finding it again.
            Some(true) => Ok(Some(fewer)),
            None => ask(fewer),
        };
        match found {
            Ok(Some(used)) => set = used,
            Ok(None) => possible.impossible.push(fewer),
            Err(why) => {
                missing.get_or_insert(why);
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn the_smallest_sets_are_found_with_few_questions() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(9);
            let family: Minimal = (0..random.below(5))
                .map(|_| FaultSet(random.below(1 << count) as u64))
                .collect();
            let mut questions = 0;
            let (found, missing) = smallest(count, Possible::default(), &mut |set| {
                questions += 1;
                Ok(family.covers(set).then_some(set))
            });
            assert_eq!(missing, None);
            assert_eq!(found.smallest.sorted(), family.sorted(), "seed {seed}");
            let hardening = family.hitting(1000).expect("they are few").sets().len();
            let most = family.sets().len() * (count + 1) + hardening;
            assert!(questions <= most, "seed {seed}: {questions} > {most}");
            for set in (0..1 << count).map(FaultSet) {
                assert_eq!(found.with(set), Some(family.covers(set)), "seed {seed}");
            }
        }
    }

    #[test]
    fn what_nobody_knows_is_not_said() {
        let family = Minimal::from_iter([FaultSet(0b001)]);
        let (found, missing) = smallest(3, Possible::default(), &mut |set| match set.0 {
            0b110 => Err("it takes too long".to_owned()),
            _ => Ok(family.covers(set).then_some(set)),
        });
        assert_eq!(missing.as_deref(), Some("it takes too long"));
        assert_eq!(found.with(FaultSet(0b011)), Some(true));
        assert_eq!(found.with(FaultSet(0b110)), None);
    }
}
