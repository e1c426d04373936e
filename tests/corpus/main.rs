//! Random models: every engine that knows an answer gives the same.
//!
//! `SANDAL_CORPUS_COUNT` says how many models, `SANDAL_CORPUS_SEED` where to start, `SANDAL_CORPUS_ENGINES` who is
//! asked (`walker,interpreter` are quick): `cargo xtask soak` sets them. `SANDAL_CORPUS_BINARY` says which binary is run by those
//! tests that run one (an optimised one gets further in its time). A model on which two engines differ is shrunk and printed.

mod answer;
mod control;
mod conversations;
mod coverage;
mod expr;
mod fault;
mod formula;
mod generate;
mod interpret;
mod large;
mod message;
mod mutants;
mod mutate;
#[path = "../support/nusmv.rs"]
#[allow(dead_code, reason = "the list of what was left out is for another")]
mod nusmv;
mod own;
mod random;
mod shrink;
mod spec;
mod stmt;
mod style;
mod types;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use answer::{Judgement, engines, judge};
use formula::Parentheses;
use generate::{generate, written_with};

/// How many models an ordinary test run looks at.
const COUNT: u64 = 150;

fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => otherwise,
    }
}

/// The binary that is asked.
fn binary() -> String {
    let named = std::env::var("SANDAL_CORPUS_BINARY");
    named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_sandalc").to_owned())
}

#[test]
fn engines_agree_on_random_models() {
    let count = number("SANDAL_CORPUS_COUNT", COUNT);
    let first = number("SANDAL_CORPUS_SEED", 0);
    let engines = engines();
    let next = AtomicU64::new(first);
    let judged = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        break;
                    }
                    let judgement = judge(&generate(seed), &engines);
                    judged.lock().expect("no panic").push((seed, judgement));
                }
            });
        }
    });
    let mut judged = judged.into_inner().expect("no panic");
    judged.sort_by_key(|(seed, _)| *seed);
    let mut too_large = 0;
    let mut states = Vec::new();
    let mut wrong: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    for (seed, judgement) in judged {
        match judgement {
            Judgement::Agreed(count) => states.push(count),
            Judgement::TooLarge => too_large += 1,
            Judgement::Wrong(kind, what) => wrong.entry(kind).or_default().push((seed, what)),
        }
    }
    states.sort_unstable();
    let median = states.get(states.len() / 2).copied().unwrap_or(0);
    println!(
        "{count} models from seed {first}: {} agreed on (median {median} states, most {}), {too_large} too large",
        states.len(),
        states.last().copied().unwrap_or(0),
    );
    assert!(wrong.is_empty(), "{}", explain(&wrong));
    assert!(
        too_large * 5 <= count,
        "{too_large} of {count} models are too large to be of use"
    );
}

/// `SANDAL_CORPUS_SEED=7 cargo test --test corpus shows -- --ignored --nocapture`
#[test]
#[ignore = "for those who want to see a model"]
fn shows_a_model() {
    println!("{}", generate(number("SANDAL_CORPUS_SEED", 0)));
}

/// One shrunk model for each kind of trouble.
fn explain(wrong: &BTreeMap<String, Vec<(u64, String)>>) -> String {
    let mut text = String::new();
    for (kind, models) in wrong {
        let (seed, what) = &models[0];
        let others: Vec<String> = models.iter().map(|(seed, _)| seed.to_string()).collect();
        let fails =
            |text: &str| matches!(judge(text, &engines()), Judgement::Wrong(k, _) if k == *kind);
        let model = shrink::shrink(&generate(*seed), &fails);
        text += &format!(
            "\n== {kind} (seeds {})\n{what}\n\n{model}",
            others.join(", ")
        );
    }
    text
}

/// The engines all read what the parser understood, so they cannot tell whether it knows the precedences.
#[test]
fn needless_parentheses_change_nothing() {
    let specs = |text: &str| {
        let model = answer::model(text).unwrap_or_else(|why| panic!("{why}\n\n{text}"));
        let system = model.system;
        let kinds: Vec<_> = system.properties.into_iter().map(|p| p.kind).collect();
        let assumed: Vec<_> = system.assumptions.into_iter().map(|a| a.formula).collect();
        (kinds, assumed)
    };
    let mut different = 0;
    for seed in 0..COUNT {
        let sparse = generate(seed);
        let full = written_with(seed, Parentheses::All);
        different += u64::from(sparse != full);
        assert!(
            specs(&sparse) == specs(&full),
            "seed {seed}: the specifications differ\n\n{sparse}\n\n{full}"
        );
    }
    assert!(different * 10 >= COUNT * 9, "only {different} of {COUNT}");
}
