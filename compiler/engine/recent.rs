//! The states that a thread has lately come across.
//!
//! About half of the steps of a search lead to a state to which another step led shortly before: whoever moves first,
//! two processes that do not touch each other end in the same state. To see that here costs a look into the
//! processor's cache; to find the state in the store costs a wait for memory.

/// At most so many bytes, about half of a processor's second cache.
const MOST: usize = 1 << 18;

/// Some of the states that the search knows: for each few bits of a hash the last one with these.
#[derive(Default)]
pub struct Recent<const W: usize> {
    /// As many as a power of two, or none.
    slots: Vec<[u64; W]>,
}

impl<const W: usize> Recent<W> {
    /// Has room for what is useful if there are so many states. All slots hold a known state.
    pub fn make_room(&mut self, states: usize, known: &[u64; W]) {
        let most = (MOST / (8 * W)).max(16);
        let wanted = (states.min(most) * 2).next_power_of_two().clamp(16, most);
        if wanted > self.slots.len() {
            self.slots = vec![*known; wanted.next_power_of_two()];
        }
    }

    /// Whether a state is known to be known; from now on it is.
    #[inline]
    pub fn has(&mut self, words: &[u64; W], hash: u64) -> bool {
        // A bucket of the store is chosen by the upper bits: states that lie close there are kept apart here.
        let position = (hash >> 24) as usize & self.slots.len().wrapping_sub(1);
        let Some(slot) = self.slots.get_mut(position) else {
            return false;
        };
        let same = *slot == *words;
        *slot = *words;
        same
    }

    /// The memory in use.
    pub fn memory(&self) -> usize {
        self.slots.len() * W * 8
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::hash;
    use super::*;
    use crate::testing::random::Random;
    use std::collections::HashSet;

    #[test]
    fn only_what_it_was_told_is_known() {
        let mut random = Random::new(3);
        let mut recent = Recent::<2>::default();
        let mut told = HashSet::from([[7, 7]]);
        let mut found = 0;
        for round in 0..5000 {
            let words = [random.any() % 30, random.any() % 30];
            let known = recent.has(&words, hash(&words));
            assert!(!known || told.contains(&words));
            found += usize::from(known);
            told.insert(words);
            if round % 100 == 0 {
                recent.make_room(told.len(), &[7, 7]);
            }
        }
        assert!(found > 1000, "{found}");
        assert!(recent.memory() <= MOST);
    }
}
