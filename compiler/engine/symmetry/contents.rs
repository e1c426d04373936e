//! What a unit holds, as a key that can be compared: where its bits are in a packed state and in the key.

use super::units::Units;
use crate::engine::layout::{Field, Layout};

/// Bits of a unit that lie together, also in its key.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    word: u16,
    shift: u8,
    /// As many ones as it has bits.
    ones: u64,
    /// Its place in the key: which word, and its lowest bit there.
    pub key: u16,
    at: u8,
}

impl Chunk {
    /// Its bits, at their place in the key.
    #[inline]
    pub fn get(self, words: &[u64]) -> u64 {
        ((words[self.word as usize] >> self.shift) & self.ones) << self.at
    }

    /// Sets its bits from the word of a key.
    #[inline]
    pub fn set(self, words: &mut [u64], key: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.ones << self.shift) | ((key >> self.at) & self.ones) << self.shift;
    }
}

/// What a unit holds, as words that are compared.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Its bits.
    pub chunks: Vec<Chunk>,
    /// How many words its key has.
    pub width: usize,
}

/// The contents of the units of a family; none if they are not stored alike.
pub fn contents(
    units: &Units,
    family: std::ops::Range<u8>,
    layout: &Layout,
) -> Option<Vec<Contents>> {
    let fields: Vec<Vec<Field>> = family
        .map(|unit| {
            let unit = unit as usize;
            let processes = units.processes[unit].iter();
            let locations = processes.map(|p| layout.locations[p.0 as usize]);
            let vars = units.vars[unit].iter().map(|v| layout.vars[v.0 as usize]);
            locations.chain(vars).flatten().collect()
        })
        .collect();
    let count = fields[0].len();
    let alike = |other: &Vec<Field>| {
        other.len() == count
            && other
                .iter()
                .zip(&fields[0])
                .all(|(a, b)| (a.bits, a.lo) == (b.bits, b.lo))
    };
    if !fields.iter().all(alike) {
        return None;
    }
    // Where each field goes in the key, the same in all units.
    let mut keys: Vec<(u16, u8)> = Vec::new();
    let (mut key, mut at) = (0, 0);
    for field in &fields[0] {
        if at + field.bits > 64 {
            key += 1;
            at = 0;
        }
        keys.push((key, at));
        at += field.bits;
    }
    let width = key as usize + 1;
    let contents = fields.iter().map(|unit| Contents {
        chunks: chunks(unit, &keys),
        width,
    });
    Some(contents.collect())
}

/// The fields of a unit and their places in its key, joined where they lie together in both.
fn chunks(fields: &[Field], keys: &[(u16, u8)]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut slot = 0;
    while slot < fields.len() {
        let first = fields[slot];
        let (key, at) = keys[slot];
        let mut bits = first.bits;
        let mut end = slot + 1;
        while end < fields.len()
            && fields[end].word == first.word
            && fields[end].shift == first.shift + bits
            && keys[end] == (key, at + bits)
        {
            bits += fields[end].bits;
            end += 1;
        }
        chunks.push(Chunk {
            word: first.word,
            shift: first.shift,
            ones: u64::MAX >> (64 - bits),
            key,
            at,
        });
        slot = end;
    }
    chunks
}
