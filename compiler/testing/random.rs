//! A small seeded generator of random numbers, the same on every machine.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// One that always yields the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.any() % n as u64) as usize
    }

    /// A number from `lo` to `hi`.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.any() % ((hi - lo + 1) as u64)) as i64
    }

    /// True in `n` of `of` cases.
    pub fn chance(&mut self, n: usize, of: usize) -> bool {
        self.below(of) < n
    }

    /// One of them.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
