//! Somebody who looks for proofs beside a search.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::super::*;
use super::{named, system};
use crate::system::System;
use crate::verdict::{Outcome, Verdict};

/// A world with somebody who says what is planned, once he is asked.
struct Proving {
    elapsed: Duration,
    news: RefCell<Vec<Result<Told, Failure>>>,
    begun: RefCell<Vec<Vec<usize>>>,
    ended: Cell<usize>,
}

impl Proving {
    fn after(seconds: u64, news: Vec<Result<Told, Failure>>) -> Proving {
        Proving {
            elapsed: Duration::from_secs(seconds),
            news: RefCell::new(news),
            begun: RefCell::default(),
            ended: Cell::default(),
        }
    }
}

impl World for Proving {
    fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn aside(&self) -> Option<&dyn Aside> {
        Some(self)
    }
}

impl Aside for Proving {
    fn begin(&self, _: &System, properties: &[usize]) {
        self.begun.borrow_mut().push(properties.to_vec());
    }

    fn news(&self) -> Option<Result<Told, Failure>> {
        self.news.borrow_mut().pop()
    }

    fn end(&self) {
        self.ended.set(self.ended.get() + 1);
    }
}

/// That a property comes out so, with a proof if it holds.
fn says(property: usize, outcome: Outcome) -> Result<Told, Failure> {
    let proof = Proof {
        engine: "Fake 1".to_owned(),
        conditions: Some(vec!["x == 1".to_owned()]),
    };
    let holds = outcome == Outcome::Holds;
    let verdict = Verdict {
        property,
        outcome,
        run: None,
        minimal: false,
    };
    Ok(Told {
        verdicts: vec![(verdict, Some(Duration::ZERO))],
        proofs: holds.then_some((property, proof)).into_iter().collect(),
        possible: None,
    })
}

/// Asks about one property; with `states` the search decides it or not.
fn ask(name: &str, states: u64, world: &Proving) -> Result<Findings, Trouble> {
    let system = system();
    let wanted = [named(&system, name)];
    let mut options = Options::default();
    options.limits.states = states;
    // So that the search begins several times, and asks in between.
    options.thresholds.few = 1;
    options.thresholds.chances = [1; 3];
    let task = Task {
        system: &system,
        wanted: &wanted,
        options,
    };
    check(&task, Engines::Embedded, world)
}

#[test]
fn a_search_that_is_quick_asks_nobody() {
    let deadlock = named(&system(), "deadlock");
    let world = Proving::after(9, vec![says(deadlock, Outcome::Holds)]);
    let found = ask("deadlock", 1, &world).unwrap();
    assert_eq!(found.answers[0].verdict(), "unknown");
    assert!(world.begun.borrow().is_empty());
    assert_eq!(world.ended.get(), 0);
}

#[test]
fn what_is_proved_beside_a_search_is_answered() {
    let deadlock = named(&system(), "deadlock");
    let world = Proving::after(10, vec![says(deadlock, Outcome::Holds)]);
    let found = ask("deadlock", 1, &world).unwrap();
    let answer = &found.answers[0];
    assert_eq!(answer.verdict(), "holds");
    assert_eq!(answer.proof.as_ref().unwrap().engine, "Fake 1");
    assert_eq!(answer.time, Some(Duration::ZERO));
    assert_eq!(*world.begun.borrow(), [[deadlock]]);
    assert_eq!(world.ended.get(), 1);
}

#[test]
fn who_has_nothing_to_say_changes_nothing() {
    let deadlock = named(&system(), "deadlock");
    let failed = Failure::Failed("no".to_owned(), None);
    let unknown = Outcome::Unknown("too large".to_owned());
    for news in [Err(failed), Err(Failure::NotFound), says(deadlock, unknown)] {
        let world = Proving::after(10, vec![news]);
        let found = ask("deadlock", 1, &world).unwrap();
        let Outcome::Unknown(why) = &found.answers[0].outcome else {
            panic!("{found:?}");
        };
        assert!(!why.contains("too large"), "{why}");
        assert_eq!(world.ended.get(), 1);
    }
}

#[test]
fn a_contradiction_is_a_bug() {
    let system = system();
    let (never, deadlock) = (named(&system, "never"), named(&system, "deadlock"));
    // It says so early, and the search goes on for the other property.
    let world = Proving::after(10, vec![says(never, Outcome::Holds)]);
    let wanted = [deadlock, never];
    let mut options = Options::default();
    options.thresholds.few = 1;
    options.thresholds.chances = [1; 3];
    let task = Task {
        system: &system,
        wanted: &wanted,
        options,
    };
    let found = check(&task, Engines::Embedded, &world);
    assert!(
        matches!(found, Err(Trouble::Disagreement { .. })),
        "{found:?}"
    );
    let wrong = Failure::Internal("broken".to_owned());
    let world = Proving::after(10, vec![Err(wrong)]);
    let found = ask("deadlock", 1, &world);
    assert_eq!(found, Err(Trouble::Internal("broken".to_owned())));
}
