//! The keys of all levels, in runs: in memory, or on a disk.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::run::Run;
use crate::engine::disk::Disk;
use crate::engine::space::Exhausted;

/// The runs, and which of them a level has.
pub struct Layers<'a> {
    runs: Vec<Kept>,
    /// For each level one past its last run.
    ends: Vec<usize>,
    /// The keys of so many of the first runs are not in the table.
    forgotten: usize,
    /// So many of the first runs have no key of another one.
    settled: usize,
    memory: usize,
    /// How many bytes are on the disk.
    pub written: u64,
    disk: Option<&'a dyn Disk>,
}

/// A run; its keys are perhaps elsewhere.
struct Kept {
    run: Run,
    /// Where on the disk.
    place: Option<u64>,
}

/// Blocks of a run.
#[derive(Clone, Debug)]
pub struct Blocks {
    run: usize,
    /// Which ones.
    pub blocks: Range<u32>,
}

impl Blocks {
    /// Some of them.
    pub fn only(&self, blocks: Range<u32>) -> Blocks {
        Blocks {
            run: self.run,
            blocks,
        }
    }
}

impl<'a> Layers<'a> {
    /// None yet.
    pub fn new(disk: Option<&'a dyn Disk>) -> Self {
        if let Some(disk) = disk {
            disk.clear();
        }
        Layers {
            runs: Vec::new(),
            ends: Vec::new(),
            forgotten: 0,
            settled: 0,
            memory: 0,
            written: 0,
            disk,
        }
    }

    /// Whether there is a disk.
    pub fn has_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// The memory it takes.
    pub fn memory(&self) -> usize {
        self.memory + self.runs.capacity() * size_of::<Kept>() + self.ends.capacity() * 8
    }

    /// The blocks of a level.
    pub fn blocks(&self, level: usize) -> impl Iterator<Item = Blocks> {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start..self.ends[level]).map(|run| Blocks {
            run,
            blocks: 0..self.runs[run].run.blocks(),
        })
    }

    /// How many levels there are.
    #[cfg(test)]
    pub fn levels(&self) -> usize {
        self.ends.len()
    }

    /// How many keys blocks have.
    pub fn states_of(&self, blocks: &Blocks) -> u32 {
        self.runs[blocks.run].run.keys_of(&blocks.blocks)
    }

    /// Adds the keys of some blocks to a list.
    pub fn read(&self, blocks: &Blocks, keys: &mut Vec<u64>) -> Result<(), Exhausted> {
        let kept = &self.runs[blocks.run];
        let blocks = blocks.blocks.clone();
        let fetch = |words| read(self.disk, kept.place, words);
        kept.run.read(blocks, keys, fetch)
    }

    /// Adds runs that have been found in the level at hand.
    pub fn add(&mut self, runs: &mut Vec<Run>) {
        for run in runs.drain(..) {
            self.push(run);
        }
    }

    fn push(&mut self, run: Run) {
        self.memory += run.memory();
        self.runs.push(Kept { run, place: None });
    }

    /// Ends a level; how many keys it has.
    pub fn end_level(&mut self) -> u64 {
        let start = self.ends.last().copied().unwrap_or(0);
        let level = self.runs[start..].iter();
        let added = level.map(|kept| u64::from(kept.run.count)).sum();
        if added > 0 {
            self.ends.push(self.runs.len());
        }
        added
    }

    /// From now on no key is in the table.
    pub fn turn_over(&mut self) {
        self.forgotten = self.runs.len();
    }

    /// Strikes out which of the keys that were added last are known, so many at a time, with some threads, and moves the others
    /// to the disk. How many were struck out.
    pub fn settle(&mut self, batch: usize, threads: usize) -> Result<u64, Exhausted> {
        let mut struck = 0;
        if self.forgotten > 0 {
            let mut open = self.runs.split_off(self.settled);
            self.memory -= open.iter().map(|kept| kept.run.memory()).sum::<usize>();
            open.reverse();
            while !open.is_empty() {
                let mut keys = Vec::new();
                while let Some(kept) = open.last()
                    && (keys.is_empty() || keys.len() + kept.run.count as usize <= batch)
                {
                    let all = 0..kept.run.blocks();
                    kept.run.read(all, &mut keys, |_| Err(Exhausted::Disk))?;
                    open.pop();
                }
                keys.sort_unstable();
                let before = keys.len();
                self.strike(&mut keys, threads)?;
                struck += (before - keys.len()) as u64;
                for part in keys.chunks(Run::MOST) {
                    self.push(Run::new(part));
                }
            }
        }
        self.settled = self.runs.len();
        self.move_out();
        Ok(struck)
    }

    /// Writes runs to the disk, as long as there is room; what has no room stays.
    fn move_out(&mut self) {
        let Some(disk) = self.disk else { return };
        let moved = self.runs.iter().rposition(|kept| kept.place.is_some());
        let from = moved.map_or(0, |last| last + 1);
        for kept in &mut self.runs[from..] {
            let bytes: Vec<u8> = (kept.run.bits.iter())
                .flat_map(|word| word.to_le_bytes())
                .collect();
            let Some(place) = disk.append(&bytes) else {
                return;
            };
            kept.place = Some(place);
            self.written += bytes.len() as u64;
            self.memory -= kept.run.memory();
            kept.run.forget();
            self.memory += kept.run.memory();
        }
    }

    /// Takes out of sorted keys those that have been forgotten.
    fn strike(&self, keys: &mut Vec<u64>, threads: usize) -> Result<(), Exhausted> {
        let known: Vec<AtomicU64> = (0..keys.len().div_ceil(64))
            .map(|_| AtomicU64::new(0))
            .collect();
        let (next, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
        let look = || {
            let mut read = Vec::new();
            while let Some(kept) = self.runs[..self.forgotten].get(next.fetch_add(1, Relaxed)) {
                if self.mark(kept, keys, &known, &mut read).is_err() {
                    broken.store(true, Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Whoever is not started leaves more to the others.
                let named = thread::Builder::new().name("search".into());
                let _ = named.spawn_scoped(scope, look);
            }
            look();
        });
        if broken.into_inner() {
            return Err(Exhausted::Disk);
        }
        let mut place = 0;
        keys.retain(|_| {
            let bit = known[place / 64].load(Relaxed) >> (place % 64) & 1;
            place += 1;
            bit == 0
        });
        Ok(())
    }

    /// Marks which of sorted keys a run has.
    fn mark(
        &self,
        kept: &Kept,
        keys: &[u64],
        known: &[AtomicU64],
        read_keys: &mut Vec<u64>,
    ) -> Result<(), Exhausted> {
        let run = &kept.run;
        let mut place = 0;
        // Only blocks in which a key can be are read, those that follow one another together.
        let mut wanted: Vec<Range<u32>> = Vec::new();
        for block in 0..run.blocks() {
            place += keys[place..].partition_point(|key| *key < run.first(block));
            let below = match block + 1 < run.blocks() {
                true => keys
                    .get(place)
                    .is_some_and(|key| *key < run.first(block + 1)),
                false => place < keys.len(),
            };
            match wanted.last_mut() {
                _ if !below => {}
                Some(last) if last.end == block => last.end += 1,
                _ => wanted.push(block..block + 1),
            }
        }
        for blocks in wanted {
            read_keys.clear();
            run.read(blocks, read_keys, |words| {
                read(self.disk, kept.place, words)
            })?;
            let mut ours = keys.partition_point(|key| *key < read_keys[0]);
            for key in &*read_keys {
                while ours < keys.len() && keys[ours] < *key {
                    ours += 1;
                }
                match keys.get(ours) {
                    None => break,
                    Some(same) if same == key => {
                        known[ours / 64].fetch_or(1 << (ours % 64), Relaxed);
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }
}

/// Some of the words that were written to the disk at a place.
fn read(
    disk: Option<&dyn Disk>,
    place: Option<u64>,
    words: Range<usize>,
) -> Result<Vec<u64>, Exhausted> {
    let (Some(disk), Some(place)) = (disk, place) else {
        return Err(Exhausted::Disk);
    };
    let mut bytes = vec![0; words.len() * 8];
    if !disk.read(place + words.start as u64 * 8, &mut bytes) {
        return Err(Exhausted::Disk);
    }
    let words = bytes.as_chunks::<8>().0.iter();
    Ok(words.map(|bytes| u64::from_le_bytes(*bytes)).collect())
}
