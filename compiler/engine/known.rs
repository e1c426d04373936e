//! The states that a search knows, level by level: numbered while they are few, then in as few bytes as possible.
//!
//! Numbered states ([`Store`]) are found and loaded a little faster while they are few, and searches for infinite runs need the
//! numbers. Beyond some number of states the safety search goes on with [`Compact`] ones.

use std::ops::Range;

use super::compact::{Blocks, Compact};
use super::disk::Disk;
use super::space::Exhausted;
use super::store::{Batch, Limits, Refused, Store};

/// So many states are looked at together.
const PART: u32 = if cfg!(test) { 3 } else { 1024 };

/// To make states compact takes a megabyte at least, so it is not done for fewer than this because memory is short.
const FEWEST: u64 = 50_000;

/// So many states show how to make them compact.
const SAMPLE: usize = 100_000;

/// States in levels.
pub struct Known<'a, const W: usize> {
    /// Numbered states, as long as there are no compact ones.
    pub store: Store<W>,
    compact: Option<Compact<'a, W>>,
    /// Whether it was found that few bytes would not be enough.
    stays_numbered: bool,
    /// For each level and each thread, one past the last numbered state that it found.
    ends: Vec<u32>,
    bytes: usize,
    limits: Limits,
}

/// States of a level that lie together.
pub enum Part {
    /// Some of those that a thread has numbered.
    Numbered {
        /// The thread.
        thread: usize,
        /// How it counts them.
        indexes: Range<u32>,
    },
    /// Compact ones.
    Compact(Blocks),
}

impl Part {
    /// Takes about so many states, as long as there are any.
    pub fn take(&mut self, most: u32) -> Option<Part> {
        let (range, most) = match self {
            Part::Numbered { indexes, .. } => (indexes, most),
            Part::Compact(blocks) => (&mut blocks.blocks, 1),
        };
        let taken = range.start..range.end.min(range.start.saturating_add(most));
        range.start = taken.end;
        (!taken.is_empty()).then(|| match self {
            Part::Numbered { thread, .. } => Part::Numbered {
                thread: *thread,
                indexes: taken,
            },
            Part::Compact(blocks) => Part::Compact(blocks.only(taken)),
        })
    }
}

impl<'a, const W: usize> Known<'a, W> {
    /// Nothing, for states of so many bytes that so many threads will find.
    pub fn new(bytes: usize, limits: Limits, threads: usize) -> Result<Self, Exhausted> {
        Ok(Known {
            store: Store::new(bytes, limits, threads)?,
            compact: None,
            stays_numbered: false,
            ends: Vec::new(),
            bytes,
            limits,
        })
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        match &self.compact {
            Some(compact) => compact.len(),
            None => self.store.len() as u64,
        }
    }

    /// How many threads can find states.
    pub fn threads(&self) -> usize {
        self.store.threads()
    }

    /// The memory it uses.
    pub fn memory(&self) -> usize {
        let states = match &self.compact {
            Some(compact) => compact.memory(),
            None => self.store.memory(),
        };
        states + self.ends.capacity() * 4
    }

    /// How many bytes it has on the disk.
    pub fn spilled(&self) -> u64 {
        self.compact.as_ref().map_or(0, Compact::spilled)
    }

    /// Whether states should be made compact: if there are more than a few, or if they take so large a share of the memory.
    pub fn are_many(&self, few: u64, share: usize) -> bool {
        let is_short = self.memory() > self.limits.memory / share && self.len() > FEWEST;
        let is_decided = self.compact.is_some() || self.stays_numbered;
        !is_decided && (self.len() > few || is_short)
    }

    /// Adds those states of a batch that are not known; `new` is called with them. If that ends early the same batch can
    /// be given again.
    #[inline]
    pub fn insert_all(
        &self,
        thread: usize,
        batch: &mut Batch<W>,
        mut new: impl FnMut(&[u64; W]),
    ) -> Result<(), Refused> {
        match &self.compact {
            Some(compact) => compact.insert_all(thread, batch, new),
            None => self.store.insert_all(thread, batch, |_, words| new(words)),
        }
    }

    /// Makes room for more.
    pub fn grow(&mut self) -> Result<(), Exhausted> {
        match &mut self.compact {
            Some(compact) => compact.grow(),
            None => self.store.grow(),
        }
    }

    /// Makes room now if with so many more states it would have to.
    pub fn expect(&mut self, states: usize) -> Result<(), Exhausted> {
        match &self.compact {
            Some(_) => Ok(()),
            None => self.store.expect(states),
        }
    }

    /// Ends a level: it has all states that have been found since the last one. Returns how many these are. Without any it is
    /// none, unless it may be empty.
    pub fn end_level(&mut self, even_empty: bool) -> Result<u64, Exhausted> {
        if let Some(compact) = &mut self.compact {
            return compact.end_level();
        }
        let threads = self.threads();
        let begins = self.ends.len() - self.ends.len().min(threads);
        let before: u64 = self.ends[begins..].iter().map(|e| u64::from(*e)).sum();
        let added = self.len() - before;
        if added > 0 || even_empty {
            let room = self.ends.try_reserve(threads);
            room.map_err(|_| Exhausted::Memory)?;
            self.ends.extend((0..threads).map(|t| self.store.added(t)));
        }
        Ok(added)
    }

    /// The states of a level, in few pieces.
    pub fn pieces(&self, level: usize) -> Vec<Part> {
        match &self.compact {
            Some(compact) => compact.blocks(level).map(Part::Compact).collect(),
            None => self.numbered(level),
        }
    }

    /// Which of the states that a thread has numbered a level has.
    pub fn range(&self, level: usize, thread: usize) -> Range<u32> {
        let threads = self.threads();
        let start = match level {
            0 => 0,
            _ => self.ends[(level - 1) * threads + thread],
        };
        start..self.ends[level * threads + thread]
    }

    /// The numbered states of a level.
    fn numbered(&self, level: usize) -> Vec<Part> {
        let part = |thread| Part::Numbered {
            thread,
            indexes: self.range(level, thread),
        };
        (0..self.threads()).map(part).collect()
    }

    /// The states of a level, in parts that can be read one after another.
    pub fn parts(&self, level: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        for mut piece in self.pieces(level) {
            while let Some(part) = piece.take(PART) {
                parts.push(part);
            }
        }
        parts
    }

    /// How many states a part has.
    pub fn states_of(&self, part: &Part) -> u32 {
        match (part, &self.compact) {
            (Part::Compact(blocks), Some(compact)) => compact.states_of(blocks),
            (Part::Compact(_), None) => 0,
            (Part::Numbered { indexes, .. }, _) => indexes.len() as u32,
        }
    }

    /// Replaces a list by the states of a part, each with its number.
    pub fn read(&self, part: &Part, out: &mut Vec<(u64, [u64; W])>) -> Result<(), Exhausted> {
        out.clear();
        match (part, &self.compact) {
            (Part::Compact(blocks), Some(compact)) => compact.read(blocks, out),
            (Part::Compact(_), None) => Err(Exhausted::Disk),
            (Part::Numbered { thread, indexes }, _) => {
                let numbers = self.store.numbers(*thread, indexes.clone());
                out.extend(numbers.map(|number| (u64::from(number), self.store.load(number))));
                Ok(())
            }
        }
    }

    /// The number of a state that is known; also of some that are not, once states are compact.
    pub fn find(&self, words: &[u64; W], hash: u64) -> Option<u64> {
        match &self.compact {
            Some(compact) => compact.find(words),
            None => self.store.find(words, hash).map(u64::from),
        }
    }

    /// The state with a number.
    pub fn words(&self, number: u64) -> [u64; W] {
        match &self.compact {
            Some(compact) => compact.words(number),
            None => self.store.load(number as u32),
        }
    }

    /// Makes states compact, between two levels, of which there are so many; unless that does not make them smaller.
    pub fn make_compact(
        &mut self,
        levels: usize,
        disk: Option<&'a dyn Disk>,
    ) -> Result<(), Exhausted> {
        let threads = self.threads();
        let step = (self.store.len() / SAMPLE).max(1);
        let sample: Vec<[u64; W]> = (0..threads)
            .flat_map(|t| self.store.numbers(t, 0..self.store.added(t)).step_by(step))
            .map(|number| self.store.load(number))
            .collect();
        let mut compact = Compact::new(self.bytes, &sample, self.limits, threads, disk)?;
        if !compact.pays(sample.len()) {
            self.stays_numbered = true;
            return Ok(());
        }
        drop(sample);
        let mut states = Vec::new();
        let mut batch = Batch::default();
        for level in 0..levels {
            for part in self.parts(level) {
                self.read(&part, &mut states)?;
                batch.clear();
                for (_, words) in &states {
                    batch.push_hashed(*words, 0);
                }
                while let Err(refused) = compact.insert_all(0, &mut batch, |_| {}) {
                    match refused {
                        Refused::Full => compact.grow()?,
                        Refused::Limit(limit) => return Err(limit),
                    }
                }
            }
            compact.end_level()?;
        }
        self.ends = Vec::new();
        self.store = Store::new(self.bytes, self.limits, threads)?;
        self.compact = Some(compact);
        Ok(())
    }
}
