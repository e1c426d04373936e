//! The strategy with a second engine and a world that are made up.

mod beside;
mod knowledge;
mod padded;

use std::cell::RefCell;
use std::time::Duration;

use super::*;
use crate::testing::model::program;
use crate::verdict::{Outcome, Verdict};
use crate::weave;

const MODEL: &str = "
    proc Ping(wire channel { bool }) {
        for i in range 0 to 3 { send(wire, true) }
    }
    proc Pong(wire channel { bool }) {
        var seen bool
        for { recv(wire, seen) }
    }
    init {
        wire: channel { bool } @drop,
        ping: Ping(wire),
        pong: Pong(wire),
    }
    invariant never { !pong.seen }
    reachable once { pong.seen }
    ltl always { F pong.seen }
";

/// What a made-up engine does.
enum Plan {
    Missing,
    Fails(&'static str),
    Says(Outcome),
    SaysNoRun,
}

struct Fake {
    plan: Plan,
    asked: RefCell<Vec<(Vec<usize>, Extent)>>,
}

impl Fake {
    fn new(plan: Plan) -> Fake {
        Fake {
            plan,
            asked: RefCell::default(),
        }
    }
}

impl Second for Fake {
    fn find(&self) -> Result<Name, Failure> {
        match self.plan {
            Plan::Missing => Err(Failure::NotFound),
            _ => Ok(Name {
                name: "Fake".to_owned(),
                version: "1".to_owned(),
            }),
        }
    }

    fn ask(
        &self,
        _: &System,
        properties: &[usize],
        extent: Extent,
        _: Option<Duration>,
    ) -> Result<Told, Failure> {
        self.asked.borrow_mut().push((properties.to_vec(), extent));
        let all = |outcome: &Outcome| {
            let verdict = |p: &usize| Verdict {
                property: *p,
                outcome: outcome.clone(),
                run: None,
                minimal: false,
            };
            let verdicts = properties
                .iter()
                .map(|p| (verdict(p), Some(Duration::ZERO)));
            verdicts.collect()
        };
        match &self.plan {
            Plan::Missing => Err(Failure::NotFound),
            Plan::Fails(why) => Err(Failure::Failed((*why).to_owned(), None)),
            Plan::Says(outcome) => Ok(Told {
                proofs: Vec::new(),
                verdicts: all(outcome),
                possible: None,
            }),
            Plan::SaysNoRun => Ok(Told {
                proofs: Vec::new(),
                verdicts: all(&Outcome::Unknown(String::new())),
                possible: Some(false),
            }),
        }
    }
}

/// A world that ends after it has been asked so many times.
struct Short {
    questions: RefCell<u64>,
    answers: RefCell<Vec<usize>>,
}

impl World for Short {
    fn is_over(&self) -> bool {
        let mut left = self.questions.borrow_mut();
        *left = left.saturating_sub(1);
        *left == 0
    }

    fn answer(&self, answer: &Answer) {
        self.answers.borrow_mut().push(answer.property);
    }
}

fn system() -> System {
    crate::build(&program(MODEL), &weave::Options::default())
}

fn named(system: &System, name: &str) -> usize {
    let position = system.properties.iter().position(|p| p.name == name);
    position.expect("it is one of the model's")
}

fn ask(
    system: &System,
    names: &[&str],
    options: Options,
    engines: Engines<'_>,
) -> Result<Findings, Trouble> {
    let mut wanted: Vec<usize> = names.iter().map(|name| named(system, name)).collect();
    wanted.sort_unstable();
    let task = Task {
        system,
        wanted: &wanted,
        options,
    };
    check(&task, engines, &Nowhere)
}

/// Options with which the embedded engine decides next to nothing.
fn starved() -> Options {
    let mut options = Options::default();
    options.limits.states = 1;
    options
}

#[test]
fn thresholds_do_not_change_answers() {
    let system = system();
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let verdicts = |thresholds: Thresholds, simplify: bool| {
        let task = Task {
            system: &system,
            wanted: &all,
            options: Options {
                thresholds,
                simplify,
                ..Options::default()
            },
        };
        let found = check(&task, Engines::Embedded, &Nowhere).expect("answers");
        let verdicts = found.answers.iter().map(|a| (a.property, a.verdict()));
        verdicts.collect::<Vec<_>>()
    };
    let usual = verdicts(Thresholds::default(), true);
    for few in [0, 1, 4, 1000] {
        for chance in [0, 3, 1000] {
            let thresholds = Thresholds {
                few,
                chances: [chance, 2 * chance, 3 * chance],
                worth_searching: chance,
                worth_a_lasso: chance,
            };
            for simplify in [true, false] {
                assert_eq!(verdicts(thresholds, simplify), usual, "{thresholds:?}");
            }
        }
    }
}

#[test]
fn states_are_counted_if_they_are_few() {
    let system = system();
    let with = |few| {
        let mut options = Options::default();
        options.thresholds.few = few;
        let found = ask(&system, &["never"], options, Engines::Embedded);
        found.expect("an answer").states
    };
    let count = with(10_000).expect("there are few");
    assert_eq!(with(count), Some(count));
    assert_eq!(with(0), None);
}

#[test]
fn a_second_engine_confirms() {
    let system = system();
    let holds = Fake::new(Plan::Says(Outcome::Holds));
    let found = ask(
        &system,
        &["once"],
        Options::default(),
        Engines::Both(&holds),
    );
    let second = found.expect("answers").second.expect("it was asked");
    assert_eq!(second.outcome, Agreement::Agrees);
    assert_eq!(second.engine, "Fake");
    assert_eq!(
        *holds.asked.borrow(),
        [(vec![named(&system, "once")], Extent::Verdicts)]
    );

    let slow = Fake::new(Plan::Says(Outcome::Unknown("no time".to_owned())));
    let found = ask(&system, &["once"], Options::default(), Engines::Both(&slow));
    let second = found.expect("answers").second.expect("it was asked");
    assert_eq!(second.outcome, Agreement::Undecided);
}

#[test]
fn a_second_engine_that_disagrees_is_a_bug() {
    let system = system();
    let wrong = Fake::new(Plan::Says(Outcome::Holds));
    let found = ask(
        &system,
        &["never"],
        Options::default(),
        Engines::Both(&wrong),
    );
    let expected = Trouble::Disagreement {
        ours: "`never` is violated".to_owned(),
        theirs: "holds".to_owned(),
    };
    assert_eq!(found.unwrap_err(), expected);
    let wrong = Fake::new(Plan::SaysNoRun);
    let found = ask(
        &system,
        &["always"],
        Options::default(),
        Engines::Both(&wrong),
    );
    assert!(
        matches!(found, Err(Trouble::Disagreement { .. })),
        "{found:?}"
    );
}

#[test]
fn trouble_with_a_second_engine_takes_nothing_away() {
    let system = system();
    for (plan, outcome) in [
        (Plan::Missing, Agreement::NotFound),
        (Plan::Fails("tired"), Agreement::Failed("tired".to_owned())),
    ] {
        let fake = Fake::new(plan);
        for options in [Options::default(), starved()] {
            let found = ask(&system, &["never"], options, Engines::Both(&fake));
            let found = found.expect("answers");
            assert_eq!(found.answers.len(), 1);
            assert_eq!(
                found.second.map(|second| second.outcome),
                Some(outcome.clone())
            );
        }
        let alone = ask(
            &system,
            &["never"],
            Options::default(),
            Engines::Second(&fake),
        );
        assert!(matches!(alone, Err(Trouble::Second(_))), "{alone:?}");
    }
}

#[test]
fn a_second_engine_answers_what_is_left_open() {
    let system = system();
    let holds = Fake::new(Plan::Says(Outcome::Holds));
    let found = ask(
        &system,
        &["never", "once"],
        starved(),
        Engines::Both(&holds),
    );
    let found = found.expect("answers");
    assert!(
        found
            .answers
            .iter()
            .all(|answer| answer.verdict() == "holds")
    );
    // Its own answers need no confirmation.
    assert_eq!(found.second, None);
    assert_eq!(holds.asked.borrow().len(), 1);
    let nobody = ask(&system, &["never"], starved(), Engines::Embedded).expect("answers");
    assert_eq!(nobody.answers[0].verdict(), "unknown");
    let impossible = Fake::new(Plan::SaysNoRun);
    let found = ask(&system, &["always"], starved(), Engines::Both(&impossible));
    assert_eq!(found.unwrap_err(), Trouble::NoRun);
}

#[test]
fn when_time_is_up_every_property_has_an_answer() {
    let system = system();
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    for questions in 1..40 {
        let task = Task {
            system: &system,
            wanted: &wanted,
            options: Options::default(),
        };
        let world = Short {
            questions: RefCell::new(questions),
            answers: RefCell::default(),
        };
        let found = check(&task, Engines::Embedded, &world).expect("answers");
        assert_eq!(found.answers.len(), wanted.len());
        let mut told = world.answers.into_inner();
        told.sort_unstable();
        assert_eq!(told, wanted);
    }
}
