//! The states of a large search, in a few bytes each: exact, and the states can be got back.
//!
//! A state is a key of two numbers ([`keys`]). All keys are in a [`table`] that says which are known, and once more in
//! order, level by level, as [`run`]s, from which states are taken to be expanded, and runs are read off. If there is a
//! disk, the runs go there.
//!
//! When even the table has no room any more it is emptied. From then on what it does not have may be known all the
//! same; so when a level is complete its states are compared with those on the disk, in order, and which are not new are
//! struck out (delayed duplicate detection, after U. Stern and D. Dill, "Using Magnetic Disk instead of Main Memory in the
//! Murphi Verifier", 1998). A state that was struck out has been asked about properties once more, which changes nothing.

mod keys;
mod layers;
mod run;
mod table;

use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::disk::Disk;
use super::space::Exhausted;
use super::store::{Batch, Limits, Refused};
use keys::Keys;
pub use layers::Blocks;
use layers::Layers;
use run::Run;
use table::{BUCKET, Table};

/// The table grows when so many of 100 lanes are taken, or `FULLEST` if memory is short.
const FULL: usize = 84;
const FULLEST: usize = 90;

/// A thread that adds states reserves so many lanes at a time, if there are many.
const SHARE: usize = 1024;

/// With a disk the table has no more states than this: only in tests, which are to need the disk.
const HELD: Option<usize> = if cfg!(test) { Some(20) } else { None };

/// States are looked up so many at a time.
const PART: usize = 128;

/// Which states are known.
pub struct Compact<'a, const W: usize> {
    keys: Keys<W>,
    table: Table,
    hands: Vec<Hand>,
    layers: Layers<'a>,
    /// How many states there are; until a level is complete perhaps more.
    count: AtomicU64,
    /// How many states the table has.
    held: AtomicUsize,
    /// How many it may have before it grows, and for how many of these nobody has reserved a lane.
    full_at: usize,
    spare: AtomicUsize,
    /// Whether the table is full.
    is_full: AtomicBool,
    limits: Limits,
}

/// What belongs to one thread. Aligned so that threads do not write to the same line of their caches.
#[repr(align(128))]
#[derive(Default)]
struct Hand {
    /// How many lanes of the table are kept for its next states.
    reserved: AtomicUsize,
    fresh: Mutex<Fresh>,
}

/// What a thread has found.
#[derive(Default)]
struct Fresh {
    keys: Vec<u64>,
    /// What has been put in order.
    runs: Vec<Run>,
}

impl Fresh {
    fn order(&mut self) {
        if !self.keys.is_empty() {
            self.keys.sort_unstable();
            self.runs.push(Run::new(&self.keys));
            self.keys.clear();
        }
    }

    fn memory(&self) -> usize {
        self.keys.capacity() * 8 + self.runs.iter().map(Run::memory).sum::<usize>()
    }
}

fn fresh(hand: &Hand) -> MutexGuard<'_, Fresh> {
    hand.fresh.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, const W: usize> Compact<'a, W> {
    /// Nothing but the halves of states of so many bytes like these.
    pub fn new(
        bytes: usize,
        like: &[[u64; W]],
        limits: Limits,
        threads: usize,
        disk: Option<&'a dyn Disk>,
    ) -> Result<Self, Exhausted> {
        let mut keys = Keys::new(bytes, like, threads)?;
        for words in like {
            keys.learn(words)?;
        }
        keys.widen(1);
        let mut compact = Compact {
            table: Table::default(),
            keys,
            hands: (0..threads).map(|_| Hand::default()).collect(),
            layers: Layers::new(disk),
            count: AtomicU64::new(0),
            held: AtomicUsize::new(0),
            full_at: 0,
            spare: AtomicUsize::new(0),
            is_full: AtomicBool::new(false),
            limits,
        };
        compact.renew(like.len() / 8 + 16)?;
        Ok(compact)
    }

    /// Whether so many states have far fewer halves; if not, they are better stored as they are.
    pub fn pays(&self, states: usize) -> bool {
        cfg!(test) || self.keys.halves() <= states
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.count.load(Relaxed)
    }

    /// How many bytes it has on the disk.
    pub fn spilled(&self) -> u64 {
        self.layers.written
    }

    /// The memory it uses.
    pub fn memory(&self) -> usize {
        let fresh: usize = self.hands.iter().map(|hand| fresh(hand).memory()).sum();
        fresh + self.memory_at_rest()
    }

    /// The memory it uses besides what threads are about to add.
    fn memory_at_rest(&self) -> usize {
        self.table.memory() + self.keys.memory() + self.layers.memory()
    }

    /// The number of a state whose halves are known.
    pub fn find(&self, words: &[u64; W]) -> Option<u64> {
        self.keys.find(words)
    }

    /// The state with a number.
    pub fn words(&self, key: u64) -> [u64; W] {
        self.keys.words(key)
    }

    /// The blocks in which the states of a level lie.
    pub fn blocks(&self, level: usize) -> impl Iterator<Item = Blocks> {
        self.layers.blocks(level)
    }

    /// How many states blocks have.
    pub fn states_of(&self, blocks: &Blocks) -> u32 {
        self.layers.states_of(blocks)
    }

    /// Adds the states of some blocks to a list, each with its number.
    pub fn read(&self, blocks: &Blocks, out: &mut Vec<(u64, [u64; W])>) -> Result<(), Exhausted> {
        let mut keys = Vec::with_capacity(self.states_of(blocks) as usize);
        self.layers.read(blocks, &mut keys)?;
        out.extend(keys.into_iter().map(|key| (key, self.keys.words(key))));
        Ok(())
    }

    /// Adds those states of a batch that are not known. `new` is called with them. If that ends early the same batch can be
    /// given again, and it goes on where it ended: what has been added may be forgotten by then.
    #[inline]
    pub fn insert_all(
        &self,
        thread: usize,
        batch: &mut Batch<W>,
        mut new: impl FnMut(&[u64; W]),
    ) -> Result<(), Refused> {
        let hand = &self.hands[thread];
        let mut fresh = fresh(hand);
        while batch.done < batch.len() {
            let end = batch.len().min(batch.done + PART);
            let words = &batch.words()[batch.done..end];
            let (mut keys, mut mixed) = ([0; PART], [0; PART]);
            for (i, words) in words.iter().enumerate() {
                keys[i] = self.keys.insert(thread, words)?;
                mixed[i] = self.keys.mix(keys[i]);
            }
            self.table.touch(&mixed[..words.len()]);
            for (key, mixed) in keys.into_iter().zip(mixed).take(end - batch.done) {
                let added = self.table.insert(mixed, || self.prepare(hand, &fresh));
                if added == Err(Refused::Full) {
                    self.is_full.store(true, SeqCst);
                }
                if added? {
                    let reserved = hand.reserved.load(Relaxed);
                    hand.reserved.store(reserved - 1, Relaxed);
                    self.keep(&mut fresh, key)?;
                    new(&batch.words()[batch.done]);
                }
                batch.done += 1;
            }
        }
        Ok(())
    }

    #[inline]
    fn keep(&self, fresh: &mut Fresh, key: u64) -> Result<(), Refused> {
        if fresh.keys.len() == fresh.keys.capacity() {
            let share = self.limits.memory / 128 / self.hands.len();
            let most = (self.len() as usize / 16).min(share);
            let most = most.clamp(Run::MOST / 16, Run::MOST);
            if fresh.keys.len() >= most {
                fresh.order();
            }
            let more = most.min(fresh.keys.len() * 2 + 8) - fresh.keys.len();
            let room = fresh.keys.try_reserve_exact(more);
            room.map_err(|_| Refused::Limit(Exhausted::Memory))?;
        }
        fresh.keys.push(key);
        Ok(())
    }

    /// Sees to it that the next state of a thread can be added.
    #[inline]
    fn prepare(&self, hand: &Hand, fresh: &Fresh) -> Result<(), Refused> {
        match hand.reserved.load(Relaxed) {
            0 => self.reserve(hand, fresh),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn reserve(&self, hand: &Hand, fresh: &Fresh) -> Result<(), Refused> {
        let left = self.limits.states.saturating_sub(self.len());
        if left == 0 {
            return Err(Refused::Limit(Exhausted::States));
        }
        // Others may have as much before them.
        let about = self.memory_at_rest() + fresh.memory() * self.hands.len();
        if about > self.limits.memory {
            return Err(Refused::Full);
        }
        // The last ones are shared out in small blocks, so that they are all used.
        let share = |spare: usize| {
            let fair = (spare / self.hands.len() / 2).clamp(1, SHARE);
            spare.min(fair).min(left as usize)
        };
        let less = |spare: usize| (spare > 0).then(|| spare - share(spare));
        match self.spare.fetch_update(Relaxed, Relaxed, less) {
            Ok(spare) => {
                hand.reserved.store(share(spare), Relaxed);
                self.held.fetch_add(share(spare), Relaxed);
                self.count.fetch_add(share(spare) as u64, Relaxed);
                Ok(())
            }
            Err(_) => Err(Refused::Full),
        }
    }

    /// Gives back what was reserved and not used.
    fn give_back(&mut self) {
        for hand in &mut self.hands {
            let unused = std::mem::take(hand.reserved.get_mut());
            *self.held.get_mut() -= unused;
            *self.count.get_mut() -= unused as u64;
        }
        *self.spare.get_mut() = self.full_at.saturating_sub(*self.held.get_mut());
    }

    /// Makes room.
    #[inline(never)]
    pub fn grow(&mut self) -> Result<(), Exhausted> {
        self.give_back();
        self.keys.grow()?;
        let narrow = self.keys.is_narrow();
        let over = self.memory() > self.limits.memory;
        if !std::mem::take(self.is_full.get_mut()) && !narrow && !over {
            return Ok(());
        }
        let buckets = self.table.len();
        // Large tables grow by less: the room is worth more than the time.
        let wanted = match buckets {
            0..0x1000 => buckets * 4,
            0x1000..0x8000 => buckets * 2,
            _ => buckets + buckets / 4,
        };
        let affordable = self.affordable();
        let may_grow =
            !self.layers.has_disk() || HELD.is_none_or(|most| *self.held.get_mut() < most);
        if may_grow && affordable > buckets + buckets / 6 {
            let longer = if narrow { self.keys.widen(1) } else { 0 };
            let buckets = wanted.min(affordable);
            if !self.table.grow(self.keys.bits(), longer, buckets) {
                return Err(Exhausted::Memory);
            }
            self.make_for(FULL);
            return Ok(());
        }
        if self.layers.has_disk() && *self.held.get_mut() > 0 {
            return self.turn_over();
        }
        let fullest = self.table.lanes() * FULLEST / 100;
        if narrow || over || self.full_at >= fullest {
            return Err(Exhausted::Memory);
        }
        self.make_for(FULLEST);
        Ok(())
    }

    /// How many buckets the table may have.
    fn affordable(&self) -> usize {
        let others = self.memory() - self.table.memory();
        // To compare states with those on a disk takes memory for a while, too.
        let aside = match self.layers.has_disk() {
            true => self.limits.memory / 8,
            false => others / 16,
        };
        let room = self.limits.memory.saturating_sub(others + aside);
        room.saturating_sub(table::STEP) / BUCKET
    }

    /// From now on the table is full with so many of 100 lanes.
    fn make_for(&mut self, percent: usize) {
        self.full_at = self.table.lanes() * percent / 100;
        if let Some(most) = HELD
            && self.layers.has_disk()
        {
            self.full_at = self.full_at.min(most);
        }
        self.give_back();
    }

    /// An empty table with so many buckets.
    fn renew(&mut self, buckets: usize) -> Result<(), Exhausted> {
        self.table = Table::default();
        self.table = Table::new(self.keys.bits(), buckets).ok_or(Exhausted::Memory)?;
        self.give_back();
        *self.held.get_mut() = 0;
        self.make_for(FULL);
        Ok(())
    }

    /// Empties the table: all that has been found is on the disk now.
    fn turn_over(&mut self) -> Result<(), Exhausted> {
        self.settle()?;
        self.layers.turn_over();
        self.keys.widen(1);
        let affordable = self.affordable();
        let buckets = self.table.len().min(affordable);
        // A table that is too small would be emptied all the time.
        if (buckets as u64) < (self.len() / 2000).max(16) {
            return Err(Exhausted::Memory);
        }
        self.renew(buckets)
    }

    /// Puts what has been found in order, and strikes out what is not new.
    fn settle(&mut self) -> Result<(), Exhausted> {
        self.give_back();
        for hand in &mut self.hands {
            let fresh = hand.fresh.get_mut().unwrap_or_else(PoisonError::into_inner);
            fresh.order();
            fresh.keys.shrink_to(Run::MOST / 16);
            self.layers.add(&mut fresh.runs);
        }
        let batch = self.limits.memory / 32 / 8;
        let struck = self.layers.settle(batch, self.hands.len())?;
        *self.count.get_mut() -= struck;
        Ok(())
    }

    /// Ends a level: it has all states that have been found since the last one. Returns how many these are.
    pub fn end_level(&mut self) -> Result<u64, Exhausted> {
        let settled = self.settle();
        let added = self.layers.end_level();
        settled.map(|()| added)
    }
}

#[cfg(test)]
mod tests;
