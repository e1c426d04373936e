//! Which keys are there, in little more than the bits that tell them apart: quotienting, after J. G. Cleary, "Compact
//! Hash Tables Using Bidirectional Linear Probing", 1984, filled by several threads without locks for those who only read.
//!
//! A key is a number of few bits, mixed beforehand. Its upper part says in which bucket it is at home, so only the rest is
//! stored. If that bucket is full it lies in one of the next ones, and how far from home is stored as well. So a key is
//! there or it is not: nothing is guessed.
//!
//! Buckets have one cache line each: a count, the lowest byte of each rest, by which it is found at once, and the other bits.
//! Whoever adds a key locks the bucket by a bit of the count, writes behind what is there, and raises the count. Who
//! reads looks at what the count covers, which never changes.
//!
//! The order of homes is that of keys. So the table grows in place, from its end to its beginning: no key moves down.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::Refused;

/// Bits that say how far from home a key is.
const AWAY_BITS: u32 = 5;

/// No key is as far from home as this.
const AWAY: u64 = 1 << AWAY_BITS;

/// Memory comes in pieces of so many buckets.
const SEGMENT: usize = if cfg!(test) { 1 << 3 } else { 1 << 14 };

/// Memory of a bucket.
pub const BUCKET: usize = size_of::<Bucket>();

/// Memory is taken in steps of so many bytes.
pub const STEP: usize = SEGMENT * BUCKET;

/// The bit of the first byte of a bucket that locks it; the others count its keys.
const LOCKED: u64 = 0x80;

/// So many of the first buckets are set aside while a table grows.
const FIRST: usize = 512;

/// Keys in buckets.
#[derive(Default)]
pub struct Table {
    segments: Vec<Vec<Bucket>>,
    form: Form,
}

/// From the lowest bit on: the count and the lock, a byte per key, the rests of the keys.
#[repr(C, align(64))]
#[derive(Default)]
struct Bucket([AtomicU64; 8]);

/// How keys are laid out.
#[derive(Clone, Copy, Default)]
struct Form {
    /// How many buckets keys are at home in.
    homes: u64,
    /// How many keys share a home.
    share: u64,
    /// 2^64 by that.
    reciprocal: u64,
    /// Bits of a key behind its byte.
    rest: u32,
    /// Keys of a bucket.
    lanes: u64,
}

impl Form {
    fn new(bits: u32, homes: usize) -> Form {
        let keys = 1u128 << bits;
        let share = keys.div_ceil(homes as u128).max(2) as u64;
        let within = 64 - (share - 1).leading_zeros();
        let rest = within.max(8) - 8 + AWAY_BITS;
        Form {
            homes: homes as u64,
            share,
            reciprocal: u64::MAX / share,
            rest,
            lanes: u64::from((512 - 8) / (8 + rest)),
        }
    }

    /// Where a key is at home, and what it is there.
    #[inline]
    fn home(&self, key: u64) -> (u64, u64) {
        let home = ((u128::from(key) * u128::from(self.reciprocal)) >> 64) as u64;
        let within = key - home * self.share;
        // The reciprocal is rounded down, so that the home may be one too low.
        match within >= self.share {
            true => (home + 1, within - self.share),
            false => (home, within),
        }
    }
}

/// A bit for each byte of a word that may be this one; sometimes also for one that is not.
#[inline]
fn matches(bytes: u64, byte: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let differs = bytes ^ byte.wrapping_mul(ONES);
    differs.wrapping_sub(ONES) & !differs & TOPS
}

impl Bucket {
    /// What is behind the byte of a key.
    #[inline]
    fn rest(&self, form: &Form, lane: u64) -> u64 {
        let bit = 8 * (form.lanes + 1) + lane * u64::from(form.rest);
        let (word, shift) = ((bit / 64) as usize, (bit % 64) as u32);
        let low = self.0[word].load(Relaxed) >> shift;
        let both = match shift + form.rest > 64 {
            true => low | self.0[word + 1].load(Relaxed) << (64 - shift),
            false => low,
        };
        both & ((1 << form.rest) - 1)
    }

    /// Whether a key is among the first so many.
    #[inline]
    fn has(&self, form: &Form, count: u64, byte: u64, rest: u64) -> bool {
        for word in 0..=(count / 8) as usize {
            let mut found = matches(self.0[word].load(Relaxed), byte);
            while found != 0 {
                let place = (word * 8) as u64 + u64::from(found.trailing_zeros()) / 8;
                // The first byte is the count.
                if (1..=count).contains(&place) && self.rest(form, place - 1) == rest {
                    let own = self.0[word].load(Relaxed) >> (place % 8 * 8) & 0xff;
                    if own == byte {
                        return true;
                    }
                }
                found &= found - 1;
            }
        }
        false
    }

    /// Writes a key behind so many others, by whoever has locked the bucket, and yields the first word with it.
    #[inline]
    fn write(&self, form: &Form, count: u64, byte: u64, rest: u64) -> u64 {
        let mut head = (self.0[0].load(Relaxed) & !0xff) | (count + 1);
        // Nothing but zeros has been written there before.
        let mut set = |word: usize, bits: u64| match word {
            0 => head |= bits,
            _ => self.0[word].store(self.0[word].load(Relaxed) | bits, Relaxed),
        };
        let place = count + 1;
        set((place / 8) as usize, byte << (place % 8 * 8));
        let bit = 8 * (form.lanes + 1) + count * u64::from(form.rest);
        let (word, shift) = ((bit / 64) as usize, (bit % 64) as u32);
        set(word, rest << shift);
        if shift + form.rest > 64 {
            set(word + 1, rest >> (64 - shift));
        }
        head
    }
}

impl Table {
    /// An empty table for keys of so many bits, if there is memory.
    pub fn new(bits: u32, buckets: usize) -> Option<Table> {
        let mut table = Table {
            segments: Vec::new(),
            form: Form::new(bits, buckets),
        };
        table.make_room(buckets).then_some(table)
    }

    /// How many buckets keys are at home in.
    pub fn len(&self) -> usize {
        self.form.homes as usize
    }

    /// Its memory.
    pub fn memory(&self) -> usize {
        self.segments.len() * SEGMENT * BUCKET
    }

    /// How many keys all buckets could hold.
    pub fn lanes(&self) -> usize {
        (self.form.homes * self.form.lanes) as usize
    }

    /// Sees to it that there are so many buckets, and those behind for what does not fit into the last.
    fn make_room(&mut self, buckets: usize) -> bool {
        let wanted = (buckets + AWAY as usize).div_ceil(SEGMENT);
        while self.segments.len() < wanted {
            let mut segment = Vec::new();
            if segment.try_reserve_exact(SEGMENT).is_err() {
                return false;
            }
            segment.resize_with(SEGMENT, Bucket::default);
            self.segments.push(segment);
        }
        true
    }

    #[inline]
    fn bucket(&self, place: u64) -> &Bucket {
        &self.segments[place as usize / SEGMENT][place as usize % SEGMENT]
    }

    /// Adds a key, unless it is there; whether it was not. Before it is added `prepare` is asked.
    #[inline]
    pub fn insert(
        &self,
        key: u64,
        prepare: impl Fn() -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let form = &self.form;
        let (home, within) = form.home(key);
        let byte = within & 0xff;
        for away in 0..AWAY {
            let rest = (within >> 8) << AWAY_BITS | away;
            let bucket = self.bucket(home + away);
            loop {
                let head = bucket.0[0].load(Acquire);
                let count = head & (LOCKED - 1);
                if bucket.has(form, count, byte, rest) {
                    return Ok(false);
                }
                if count == form.lanes {
                    break;
                }
                if head & LOCKED != 0 {
                    // Whoever has locked it is about to add a key, perhaps this one.
                    std::hint::spin_loop();
                    continue;
                }
                prepare()?;
                let lock = bucket.0[0].compare_exchange(head, head | LOCKED, Acquire, Relaxed);
                if lock.is_ok() {
                    let head = bucket.write(form, count, byte, rest);
                    bucket.0[0].store(head, Release);
                    return Ok(true);
                }
            }
        }
        Err(Refused::Full)
    }

    /// Reads a word of each bucket that is about to be needed: nothing depends on these reads, so the processor
    /// waits for all of them at the same time.
    #[inline]
    pub fn touch(&self, keys: &[u64]) {
        let mut seen = 0;
        for key in keys {
            let (home, _) = self.form.home(*key);
            seen ^= self.bucket(home).0[0].load(Relaxed);
        }
        std::hint::black_box(seen);
    }

    /// Grows to so many buckets or more, and to keys of so many bits: those that are there get zeros behind theirs. Says
    /// whether there was memory; if not, the table is of no use any more.
    pub fn grow(&mut self, bits: u32, longer: u32, mut buckets: usize) -> bool {
        let mut crowded = Vec::new();
        let mut longer = longer;
        loop {
            if !self.make_room(buckets) {
                return false;
            }
            let waiting = std::mem::take(&mut crowded);
            self.spread(bits, longer, buckets, &mut crowded);
            crowded.extend(waiting.iter().filter(|key| !self.add(**key)));
            if crowded.is_empty() {
                return true;
            }
            // Hardly ever: more keys than fit have nearly the same home.
            longer = 0;
            buckets += buckets / 4 + 1;
        }
    }

    /// Spreads the keys over so many buckets, but for those that have no room.
    fn spread(&mut self, bits: u32, longer: u32, buckets: usize, crowded: &mut Vec<u64>) {
        let (old, new) = (self.form, Form::new(bits, buckets));
        let used = old.homes as usize + AWAY as usize;
        // A key that was away from home by less than `AWAY` must not move to a bucket that has not been read.
        let before = u128::from(old.share) << longer;
        let apart = before * 8 >= u128::from(new.share) * 9;
        let aside = if apart { FIRST.min(used) } else { used };
        let mut first = Vec::new();
        for place in 0..aside {
            self.drain(old, place, |key| first.push(key << longer));
        }
        self.form = new;
        let mut keys = Vec::new();
        for place in (aside..used).rev() {
            keys.clear();
            self.drain(old, place, |key| keys.push(key << longer));
            crowded.extend(keys.iter().filter(|key| !self.add(**key)));
        }
        crowded.extend(first.iter().filter(|key| !self.add(**key)));
    }

    /// Takes the keys out of a bucket.
    fn drain(&mut self, form: Form, place: usize, mut each: impl FnMut(u64)) {
        let bucket = &mut self.segments[place / SEGMENT][place % SEGMENT];
        let count = *bucket.0[0].get_mut() & (LOCKED - 1);
        for lane in 0..count {
            let at = lane + 1;
            let byte = bucket.0[(at / 8) as usize].load(Relaxed) >> (at % 8 * 8) & 0xff;
            let rest = bucket.rest(&form, lane);
            let home = place as u64 - rest % AWAY;
            each(home * form.share + ((rest >> AWAY_BITS) << 8 | byte));
        }
        *bucket = Bucket::default();
    }

    /// Adds a key that is not there, with the only access to the table; says whether there was a lane near its home.
    fn add(&self, key: u64) -> bool {
        let (home, within) = self.form.home(key);
        for away in 0..AWAY {
            let bucket = self.bucket(home + away);
            let count = bucket.0[0].load(Relaxed) & (LOCKED - 1);
            if count < self.form.lanes {
                let rest = (within >> 8) << AWAY_BITS | away;
                let head = bucket.write(&self.form, count, within & 0xff, rest);
                bucket.0[0].store(head, Relaxed);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;
    use std::collections::HashSet;

    #[test]
    fn keys_are_those_that_were_added() {
        for bits in [3, 9, 20, 33, 48, 64] {
            let mut random = Random::new(u64::from(bits));
            let (mut bits, mut longer) = (bits, 0);
            let mut table = Table::new(bits, 3).unwrap();
            let mut known: HashSet<u64> = HashSet::new();
            let most = (1u128 << bits).min(6000) as usize;
            for _ in 0..4 * most {
                let key = (random.any() ^ random.any() << 32) >> (64 - bits);
                loop {
                    match table.insert(key, || Ok(())) {
                        Ok(new) => {
                            assert_eq!(new, known.insert(key));
                            break;
                        }
                        Err(Refused::Full) => {
                            // Now and then keys get longer.
                            let more = u32::from(
                                random.any().is_multiple_of(3) && bits < 64 && longer < 5,
                            );
                            (bits, longer) = (bits + more, longer + more);
                            known = known.into_iter().map(|key| key << more).collect();
                            let buckets = table.len() + table.len() / 4 + 1;
                            assert!(table.grow(bits, more, buckets));
                            if more > 0 {
                                break;
                            }
                        }
                        Err(limit) => panic!("{limit:?}"),
                    }
                }
            }
            assert!(known.len() > most / 3, "{} of {most}", known.len());
            for key in &known {
                assert_eq!(table.insert(*key, || panic!("{key} is there")), Ok(false));
            }
        }
    }

    /// How full a table is when it first has no lane for a key.
    #[test]
    fn tables_are_filled() {
        for bits in [24, 32, 40] {
            let mut random = Random::new(7);
            let table = Table::new(bits, 2000).unwrap();
            let mut added = 0;
            while let Ok(new) = table.insert(random.any() >> (64 - bits), || Ok(())) {
                added += usize::from(new);
            }
            let part = added * 100 / table.lanes();
            assert!(part >= 87, "{part} % with keys of {bits} bits");
        }
    }
}
