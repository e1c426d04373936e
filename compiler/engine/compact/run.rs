//! Sorted keys, each written as its distance from the one before.
//!
//! Distances of keys that lie evenly are mostly of one size: that many bits are written as they are, and how often
//! that is exceeded as so many ones (R. F. Rice's codes). Keys are written in blocks that can be read by themselves.

use std::ops::Range;

/// Keys of a block.
pub const BLOCK: usize = if cfg!(test) { 5 } else { 512 };

/// Sorted keys.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// How many there are.
    pub count: u32,
    /// Bits of the lower half of a key that are in use.
    low: u32,
    /// The bit at which each block begins, and where the last one ends.
    starts: Vec<u32>,
    /// The first key of each block.
    firsts: Vec<u64>,
    /// The others; none if they are elsewhere.
    pub bits: Vec<u64>,
}

/// Bits of the number that says how long the lower part of a distance is.
const LENGTH: u32 = 6;

/// More ones than this are not written: then the distance follows as it is.
const MOST: u32 = 40;

impl Run {
    /// The most keys of a run: its blocks begin at bits that are numbered by 32 bits.
    pub const MOST: usize = if cfg!(test) { 40 } else { 1 << 20 };

    /// Keys that are sorted, none twice.
    pub fn new(keys: &[u64]) -> Run {
        let low = keys.iter().fold(0, |all, key| all | *key as u32);
        let mut run = Run {
            count: keys.len() as u32,
            low: 32 - low.leading_zeros(),
            ..Run::default()
        };
        let mut end = 0;
        for block in keys.chunks(BLOCK) {
            run.starts.push(end);
            run.firsts.push(block[0]);
            run.write(&mut end, block);
        }
        run.starts.push(end);
        run.bits.truncate((end as usize).div_ceil(64));
        run.bits.shrink_to_fit();
        run
    }

    /// Forgets all keys but the first of each block.
    pub fn forget(&mut self) {
        self.bits = Vec::new();
    }

    /// The memory it takes.
    pub fn memory(&self) -> usize {
        8 * (self.bits.capacity() + self.firsts.capacity()) + 4 * self.starts.capacity()
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u32 {
        self.firsts.len() as u32
    }

    /// How many keys some blocks have.
    pub fn keys_of(&self, blocks: &Range<u32>) -> u32 {
        let before = |block: u32| (block * BLOCK as u32).min(self.count);
        before(blocks.end) - before(blocks.start)
    }

    /// The first key of a block.
    pub fn first(&self, block: u32) -> u64 {
        self.firsts[block as usize]
    }

    /// A key without the bits that none has.
    fn squeeze(&self, key: u64) -> u64 {
        (key >> 32) << self.low | key & 0xffff_ffff
    }

    fn stretch(&self, short: u64) -> u64 {
        let low = short & ((1 << self.low) - 1);
        (short >> self.low) << 32 | low
    }

    fn write(&mut self, end: &mut u32, keys: &[u64]) {
        let short: Vec<u64> = keys.iter().map(|key| self.squeeze(*key)).collect();
        let span = short[short.len() - 1] - short[0];
        let length = (span / short.len() as u64).max(1).ilog2();
        self.put(end, u64::from(length), LENGTH);
        for pair in short.windows(2) {
            let distance = pair[1] - pair[0];
            let often = distance >> length;
            if often >= u64::from(MOST) {
                self.put(end, (1 << MOST) - 1, MOST);
                self.put(end, distance, 64);
            } else {
                // As many ones, and a zero.
                self.put(end, (1 << often) - 1, often as u32 + 1);
                self.put(end, distance & ((1 << length) - 1), length);
            }
        }
    }

    fn put(&mut self, end: &mut u32, value: u64, count: u32) {
        let (word, shift) = (*end as usize / 64, *end % 64);
        self.bits.resize(word + 2, 0);
        self.bits[word] |= value << shift;
        if shift > 0 {
            self.bits[word + 1] |= value >> (64 - shift);
        }
        *end += count;
    }

    /// Adds the keys of some blocks to a list; `fetch` yields words that are elsewhere.
    pub fn read<E>(
        &self,
        blocks: Range<u32>,
        keys: &mut Vec<u64>,
        fetch: impl Fn(Range<usize>) -> Result<Vec<u64>, E>,
    ) -> Result<(), E> {
        let bit = |block: u32| self.starts[block as usize] as usize;
        let words = bit(blocks.start) / 64..bit(blocks.end).div_ceil(64);
        let fetched;
        let (bits, before) = match self.bits.is_empty() && !words.is_empty() {
            true => {
                let before = words.start * 64;
                fetched = fetch(words)?;
                (&fetched, before)
            }
            false => (&self.bits, 0),
        };
        for block in blocks {
            self.read_block(block, bits, (bit(block) - before) as u64, keys);
        }
        Ok(())
    }

    fn read_block(&self, block: u32, bits: &[u64], mut bit: u64, keys: &mut Vec<u64>) {
        let first = self.first(block);
        let mut short = self.squeeze(first);
        let length = (at(bits, bit) & ((1 << LENGTH) - 1)) as u32;
        bit += u64::from(LENGTH);
        keys.push(first);
        for _ in 1..self.keys_of(&(block..block + 1)) {
            let next = at(bits, bit);
            let ones = next.trailing_ones();
            if ones >= MOST {
                short += at(bits, bit + u64::from(MOST));
                bit += u64::from(MOST) + 64;
            } else {
                bit += u64::from(ones) + 1;
                let lower = at(bits, bit) & ((1 << length) - 1);
                bit += u64::from(length);
                short += u64::from(ones) << length | lower;
            }
            keys.push(self.stretch(short));
        }
    }
}

/// 64 bits from some bit on; zeros where there are no more.
#[inline]
fn at(bits: &[u64], bit: u64) -> u64 {
    let (word, shift) = ((bit / 64) as usize, (bit % 64) as u32);
    let part = |word: usize| bits.get(word).copied().unwrap_or(0);
    part(word) >> shift | part(word + 1) << 1 << (63 - shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn keys_are_read_as_they_were_written() {
        let mut random = Random::new(5);
        for (high, low) in [(1, 32), (5, 3), (14, 14), (0, 20), (32, 0), (32, 32)] {
            for count in [0, 1, 2, 5, 6, 39] {
                let mut keys: Vec<u64> = (0..count)
                    .map(|_| {
                        let part =
                            |random: &mut Random, bits: u32| random.any() & ((1 << bits) - 1);
                        part(&mut random, high) << 32 | part(&mut random, low)
                    })
                    .collect();
                keys.sort_unstable();
                keys.dedup();
                let run = Run::new(&keys);
                let mut away = run.clone();
                away.forget();
                let fetch = |words: Range<usize>| Ok::<_, ()>(run.bits[words].to_vec());
                let (mut read, mut fetched) = (Vec::new(), Vec::new());
                for block in 0..run.blocks() {
                    assert_eq!(run.first(block), keys[read.len()]);
                    run.read(block..block + 1, &mut read, fetch).unwrap();
                    away.read(block..block + 1, &mut fetched, fetch).unwrap();
                }
                assert_eq!(read, keys);
                assert_eq!(fetched, keys);
                let mut all = Vec::new();
                away.read(0..run.blocks(), &mut all, fetch).unwrap();
                assert_eq!(all, keys);
            }
        }
    }

    #[test]
    fn keys_that_lie_evenly_take_few_bits() {
        let mut random = Random::new(9);
        let mut keys: Vec<u64> = (0..40).map(|_| random.any() >> 44).collect();
        keys.sort_unstable();
        keys.dedup();
        let bits = Run::new(&keys).bits.len() * 64;
        // Per key the 15 bits of its distance and about two more.
        assert!(bits < 8 * 6 + 40 * 18 + 64, "{bits}");
    }
}
