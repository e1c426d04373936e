//! Sets of states.

use crate::engine::space::StateId;

/// A set of states, a bit for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// None of `len` states.
    pub fn none(len: usize) -> Self {
        Bits {
            words: vec![0; len.div_ceil(64)],
            len,
        }
    }

    /// All of `len` states.
    pub fn all(len: usize) -> Self {
        Bits::none(len).not()
    }

    /// Whether a state is in the set.
    pub fn contains(&self, state: StateId) -> bool {
        self.words[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// Puts a state into the set; whether it was not there before.
    pub fn insert(&mut self, state: StateId) -> bool {
        let fresh = !self.contains(state);
        self.words[state as usize / 64] |= 1 << (state % 64);
        fresh
    }

    /// The states in the set.
    pub fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(64 * i as u32 + bit)
            })
        })
    }

    /// Those not in the set.
    pub fn not(&self) -> Self {
        let mut words: Vec<u64> = self.words.iter().map(|w| !w).collect();
        if let Some(last) = words.last_mut()
            && !self.len.is_multiple_of(64)
        {
            *last &= (1 << (self.len % 64)) - 1;
        }
        Bits { words, ..*self }
    }

    /// Those in both.
    pub fn and(&self, other: &Bits) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Those in one or both.
    pub fn or(&self, other: &Bits) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Those in exactly one.
    pub fn xor(&self, other: &Bits) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    fn zip(&self, other: &Bits, op: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.words.iter().zip(&other.words);
        Bits {
            words: words.map(|(a, b)| op(*a, *b)).collect(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complements_have_no_bits_beyond_the_end() {
        for len in [0, 1, 63, 64, 65, 130] {
            let mut set = Bits::none(len);
            assert_eq!(Bits::all(len).iter().count(), len);
            if len > 0 {
                let last = len as u32 - 1;
                assert!(set.insert(last) && !set.insert(last));
                assert_eq!(set.iter().collect::<Vec<_>>(), [last]);
                assert_eq!(set.not().iter().count(), len - 1);
                assert_eq!(set.not().not(), set);
                assert_eq!(set.xor(&Bits::all(len)), set.not());
            }
        }
    }
}
