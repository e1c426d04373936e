//! The states are those that were added, whoever added them.

use super::*;
use crate::testing::random::Random;
use std::collections::HashMap;

fn numbers<const W: usize>(bytes: usize, count: usize) {
    let mut random = Random::new(bytes as u64);
    let mut store = Store::<W>::new(bytes, Limits::NONE, 1).unwrap();
    let mut known: HashMap<[u64; W], u32> = HashMap::new();
    let mut batch = Batch::default();
    let used = bytes.div_ceil(8);
    for _ in 0..count / 16 {
        batch.clear();
        let mut states = Vec::new();
        for _ in 0..16 {
            let mut words = [0; W];
            // Few distinct values, and those in the corners of the words.
            for (i, word) in words.iter_mut().enumerate().take(used) {
                let bits = if i + 1 == used {
                    bytes * 8 - i * 64
                } else {
                    64
                };
                *word = (random.any() & 0x8888_8888_8888_888f) >> (64 - bits);
            }
            states.push(words);
            batch.push(words);
        }
        let mut fresh = Vec::new();
        store.add_all(&mut batch, |id, _| fresh.push(id)).unwrap();
        for (words, id) in states.iter().zip(&batch.ids) {
            let next = known.len() as u32;
            let wanted = *known.entry(*words).or_insert_with(|| {
                assert_eq!(fresh.remove(0), next);
                next
            });
            assert_eq!(*id, wanted);
            assert_eq!(store.load(*id), *words);
        }
        assert!(fresh.is_empty());
    }
    assert_eq!(store.len(), known.len());
    for (words, id) in known {
        assert_eq!(store.find(&words, hash(&words)), Some(id));
    }
}

#[test]
fn states_keep_their_numbers() {
    numbers::<1>(1, 1000);
    numbers::<1>(3, 20_000);
    numbers::<1>(8, 20_000);
    numbers::<2>(9, 20_000);
    numbers::<3>(24, 20_000);
    numbers::<6>(37, 20_000);
    numbers::<64>(300, 5_000);
}

#[test]
fn limits_are_kept() {
    let limits = Limits {
        states: 1000,
        ..Limits::NONE
    };
    let mut store = Store::<1>::new(4, limits, 1).unwrap();
    for i in 0..1000 {
        assert_eq!(insert(&mut store, i), Ok(i as u32));
    }
    assert_eq!(insert(&mut store, 1000), Err(Exhausted::States));
    assert_eq!(insert(&mut store, 999), Ok(999));
    assert_eq!(store.len(), 1000);
}

/// The number of a state.
fn insert(store: &mut Store<1>, state: u64) -> Result<u32, Exhausted> {
    let mut batch = Batch::default();
    batch.push([state]);
    store.add_all(&mut batch, |_, _| {})?;
    Ok(batch.ids[0])
}

#[test]
fn memory_is_filled_and_not_exceeded() {
    for megabytes in [3, 5] {
        let memory = megabytes << 20;
        let limits = Limits {
            memory,
            ..Limits::NONE
        };
        let mut store = Store::<1>::new(5, limits, 1).unwrap();
        let mut count = 0;
        let ended = loop {
            match insert(&mut store, count) {
                Ok(id) => assert_eq!(u64::from(id), count),
                Err(why) => break why,
            }
            assert!(store.memory() <= memory);
            count += 1;
        };
        assert_eq!(ended, Exhausted::Memory);
        // What is there is still found, and most of the memory holds states.
        for i in 0..store.len() as u64 {
            assert_eq!(store.find(&[i], hash(&[i])), Some(i as u32));
        }
        let each = memory as f64 / store.len() as f64;
        assert!(each < 20.0, "{each} bytes per state");
    }
}

/// Threads that add overlapping states, with a table that is full again and again.
#[test]
fn threads_agree_on_what_is_new() {
    const THREADS: usize = 3;
    const STATES: u64 = 30_000;
    for bytes in [5, 8, 11] {
        let mut store = Store::<2>::new(bytes, Limits::NONE, THREADS).unwrap();
        // What is left to do of each, and how many were new.
        let mut left = [(0, 0); THREADS];
        let high = |i: u64| if bytes > 8 { i % 251 } else { 0 };
        let state = |i: u64| [i.wrapping_mul(0x9e37_79b9) & 0xff_ffff_ffff, high(i)];
        while left.iter().any(|(next, _)| *next < STATES) {
            let shared = &store;
            thread::scope(|scope| {
                for (thread, (next, new)) in left.iter_mut().enumerate() {
                    scope.spawn(move || {
                        let mut batch = Batch::default();
                        while *next < STATES {
                            batch.clear();
                            let end = STATES.min(*next + 7 + thread as u64);
                            (*next..end).for_each(|i| batch.push(state(i)));
                            match shared.insert_all(thread, &mut batch, |_, _| *new += 1) {
                                Ok(()) => *next = end,
                                Err(why) => {
                                    assert_eq!(why, Refused::Full);
                                    return;
                                }
                            }
                        }
                    });
                }
            });
            store.grow().unwrap();
        }
        assert_eq!(store.len() as u64, STATES);
        assert_eq!(left.iter().map(|(_, new)| new).sum::<u64>(), STATES);
        let mut numbers: Vec<u32> = (0..STATES)
            .map(|i| {
                let number = store.find(&state(i), hash(&state(i))).unwrap();
                assert_eq!(store.load(number), state(i));
                number
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len() as u64, STATES);
    }
}
