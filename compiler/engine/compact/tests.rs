//! The states are those that were added, level by level, whether they fit into memory or not.

use super::*;
use crate::engine::store::hash;
use crate::engine::tests::MemoryDisk;
use crate::testing::random::Random;
use std::collections::HashSet;

fn state(random: &mut Random) -> [u64; 2] {
    [
        (random.any() % 60) | ((random.any() % 8) << 40),
        random.any() % 30,
    ]
}

/// Fills one from so many threads at the same time, level by level; each level has the states that are new.
fn levels(threads: usize, disk: Option<&dyn Disk>, limits: Limits) -> Result<u64, Exhausted> {
    let mut random = Random::new(threads as u64);
    let like: Vec<[u64; 2]> = (0..10).map(|_| state(&mut random)).collect();
    let mut compact = Compact::new(9, &like, limits, threads, disk)?;
    let mut known = HashSet::new();
    for level in 0..25 {
        let found: Vec<Vec<[u64; 2]>> = (0..threads)
            .map(|_| (0..level * 8).map(|_| state(&mut random)).collect())
            .collect();
        let mut left: Vec<&[[u64; 2]]> = found.iter().map(Vec::as_slice).collect();
        while left.iter().any(|states| !states.is_empty()) {
            let shared = &compact;
            std::thread::scope(|scope| {
                for (thread, left) in left.iter_mut().enumerate() {
                    scope.spawn(move || {
                        let mut batch = Batch::default();
                        while let Some((states, more)) = left.split_at_checked(7.min(left.len()))
                            && !states.is_empty()
                        {
                            batch.clear();
                            states.iter().for_each(|s| batch.push_hashed(*s, hash(s)));
                            match shared.insert_all(thread, &mut batch, |_| {}) {
                                Ok(()) => *left = more,
                                Err(refused) => return assert_eq!(refused, Refused::Full),
                            }
                        }
                    });
                }
            });
            compact.grow()?;
        }
        let mut wanted: Vec<[u64; 2]> = found.into_iter().flatten().collect();
        wanted.retain(|state| known.insert(*state));
        wanted.sort_unstable();
        assert_eq!(compact.end_level()?, wanted.len() as u64);
        assert_eq!(compact.len(), known.len() as u64);
        if wanted.is_empty() {
            continue;
        }
        let last = compact.layers.levels() - 1;
        let mut read = Vec::new();
        for mut blocks in compact.blocks(last) {
            while !blocks.blocks.is_empty() {
                let one = blocks.only(blocks.blocks.start..blocks.blocks.start + 1);
                compact.read(&one, &mut read)?;
                blocks.blocks.start += 1;
            }
        }
        for (key, words) in &read {
            assert_eq!(compact.find(words), Some(*key));
            assert_eq!(compact.words(*key), *words);
        }
        let mut read: Vec<[u64; 2]> = read.into_iter().map(|(_, words)| words).collect();
        read.sort_unstable();
        assert_eq!(read, wanted);
    }
    Ok(known.len() as u64)
}

#[test]
fn every_level_has_the_states_that_are_new() {
    for threads in [1, 2, 5] {
        let wanted = levels(threads, None, Limits::NONE).unwrap();
        let disk = MemoryDisk::default();
        assert_eq!(levels(threads, Some(&disk), Limits::NONE), Ok(wanted));
        // A disk that is full is as good as none, as long as there is memory.
        let full = MemoryDisk::with_room(300);
        assert_eq!(levels(threads, Some(&full), Limits::NONE), Ok(wanted));
    }
}

#[test]
fn states_are_limited() {
    let limits = Limits {
        states: 50,
        ..Limits::NONE
    };
    let mut compact = Compact::<1>::new(2, &[[1]], limits, 1, None).unwrap();
    let mut batch = Batch::default();
    (0..100).for_each(|i| batch.push_hashed([i], 0));
    let ended = loop {
        match compact.insert_all(0, &mut batch, |_| {}) {
            Err(Refused::Full) => compact.grow().unwrap(),
            other => break other,
        }
    };
    assert_eq!(ended, Err(Refused::Limit(Exhausted::States)));
    assert_eq!(compact.end_level(), Ok(50));
}
