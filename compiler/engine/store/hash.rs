//! Hashes of packed states.

const SEEDS: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash of a packed state: the upper half chooses the bucket, the lowest byte is the tag.
#[inline]
pub fn hash<const W: usize>(words: &[u64; W]) -> u64 {
    let mut acc = SEEDS[0];
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        acc = fold(acc ^ pair[0], SEEDS[1] ^ pair[1]);
    }
    for word in pairs.remainder() {
        acc = fold(acc ^ word, SEEDS[2]);
    }
    fold(acc, SEEDS[3])
}
