//! States that are looked up together.

#[cfg(test)]
use super::hash;

/// States to be looked up together.
#[derive(Default)]
pub struct Batch<const W: usize> {
    pub(super) words: Vec<[u64; W]>,
    pub(super) hashes: Vec<u64>,
    /// Their numbers.
    pub ids: Vec<u32>,
    /// How many of them need not be looked up again.
    pub done: usize,
}

impl<const W: usize> Batch<W> {
    /// Adds a state.
    #[cfg(test)]
    pub fn push(&mut self, words: [u64; W]) {
        self.push_hashed(words, hash(&words));
    }

    /// Adds a state whose hash is known.
    #[inline]
    pub fn push_hashed(&mut self, words: [u64; W], hash: u64) {
        self.hashes.push(hash);
        self.words.push(words);
    }

    /// The states.
    #[inline]
    pub fn words(&self) -> &[[u64; W]] {
        &self.words
    }

    /// Each with its hash.
    pub fn hashed(&self) -> impl Iterator<Item = (&[u64; W], u64)> {
        self.words.iter().zip(self.hashes.iter().copied())
    }

    /// Each with its hash and its number.
    pub fn numbered(&self) -> impl Iterator<Item = (&[u64; W], u64, u32)> {
        let numbered = self.hashed().zip(&self.ids);
        numbered.map(|((words, hash), id)| (words, hash, *id))
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Forgets them.
    #[inline]
    pub fn clear(&mut self) {
        self.words.clear();
        self.hashes.clear();
        self.ids.clear();
        self.done = 0;
    }
}
