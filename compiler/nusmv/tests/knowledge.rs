//! What processes know in random Systems: NuSMV looks at every entry of the tables.

use std::cell::RefCell;
use std::time::Duration;

use super::super::{Limits, Tool, decide, emit};
use super::tool;
use crate::check::{
    self, Agreement, Engines, Extent, Failure, Name, Nowhere, Options, Second, Task, Told, Trouble,
};
use crate::source::Sources;
use crate::system::System;
use crate::system::state::walk;
use crate::testing::knowledge::{add_operator, ask_operators};
use crate::testing::random::Random;
use crate::testing::system::{random_system, tell_faults};
use crate::verdict::Outcome;

/// Most states a System may have to be asked about.
const MOST: usize = 1_000;

/// NuSMV, and how many of its answers were that something holds, or is violated; one of them can be turned round.
struct Asked<'a> {
    tool: &'a Tool,
    answers: RefCell<[usize; 2]>,
    turned: Option<usize>,
}

impl Second for Asked<'_> {
    fn find(&self) -> Result<Name, Failure> {
        Ok(Name {
            name: self.tool.version.name.clone(),
            version: self.tool.version.number(),
        })
    }

    fn ask(
        &self,
        system: &System,
        properties: &[usize],
        _: Extent,
        _: Option<Duration>,
    ) -> Result<Told, Failure> {
        let emitted = emit(system, &Sources::new());
        let report = decide(
            self.tool,
            system,
            &emitted,
            properties,
            Limits::default(),
            &mut |_| {},
        );
        let report = report.map_err(|error| Failure::Failed(error.to_string(), None))?;
        let mut verdicts = report.verdicts;
        for verdict in &mut verdicts {
            let mut answers = self.answers.borrow_mut();
            let violated = verdict.outcome == Outcome::Violated;
            answers[usize::from(violated)] += 1;
            if self.turned == Some(answers[0] + answers[1]) {
                verdict.outcome = match violated {
                    true => Outcome::Holds,
                    false => Outcome::Violated,
                };
            }
        }
        Ok(Told {
            verdicts: verdicts
                .into_iter()
                .map(|verdict| (verdict, None))
                .collect(),
            proofs: Vec::new(),
            possible: report.possible,
        })
    }
}

/// A System with three operators, of which the later ones read those before them.
fn asked(seed: u64) -> Option<System> {
    let mut system = random_system(seed);
    tell_faults(&mut system);
    walk(&system, MOST)?;
    let mut random = Random::new(seed);
    for number in 0..3 {
        add_operator(&mut system, &mut random, seed, number);
    }
    ask_operators(&mut system);
    Some(system)
}

/// Has NuSMV confirm what is known in a System; how many of its answers were that something holds, or is violated.
fn confirm(tool: &Tool, system: &System, turned: Option<usize>) -> Result<[usize; 2], Trouble> {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let second = Asked {
        tool,
        answers: RefCell::default(),
        turned,
    };
    let task = Task {
        system,
        wanted: &wanted,
        options: Options {
            confirm: Duration::from_secs(600),
            minimise: Duration::ZERO,
            ..Options::default()
        },
    };
    let found = check::check(&task, Engines::Both(&second), &Nowhere)?;
    if let Some(confirmation) = found.second {
        assert_eq!(confirmation.outcome, Agreement::Agrees);
    }
    Ok(second.answers.into_inner())
}

/// Has NuSMV confirm what is known in the Systems of some seeds; how many there were, and what it answered.
fn confirm_all(tool: &Tool, seeds: std::ops::Range<u64>) -> (usize, [usize; 2]) {
    let (mut systems, mut answers) = (0, [0, 0]);
    for seed in seeds {
        let Some(system) = asked(seed) else { continue };
        match confirm(tool, &system, None) {
            Ok([holds, violated]) => {
                systems += 1;
                answers[0] += holds;
                answers[1] += violated;
            }
            Err(trouble) => panic!("seed {seed}: {trouble:?}"),
        }
    }
    (systems, answers)
}

#[test]
fn what_is_known_is_confirmed_entry_by_entry() {
    let Some(tool) = tool() else { return };
    let (systems, answers) = confirm_all(&tool, 5_000..5_012);
    assert!(systems >= 8, "{systems}");
    assert!(answers.iter().all(|count| *count >= 20), "{answers:?}");
}

#[test]
#[ignore = "takes minutes"]
fn what_is_known_is_confirmed_entry_by_entry_at_length() {
    let Some(tool) = tool() else { return };
    let (systems, [holds, violated]) = confirm_all(&tool, 6_000..6_600);
    println!("{systems} Systems; {holds} claims hold, {violated} are violated");
    assert!(systems >= 500, "{systems}");
}

#[test]
fn one_wrong_entry_is_noticed() {
    let Some(tool) = tool() else { return };
    let system = asked(5_001).expect("few states");
    let all: usize = confirm(&tool, &system, None)
        .expect("it agrees")
        .iter()
        .sum();
    assert!(all > 8, "{all}");
    for turned in [all - 1, all] {
        let trouble = confirm(&tool, &system, Some(turned)).expect_err("it cannot agree");
        assert!(
            matches!(trouble, Trouble::Disagreement { .. }),
            "{trouble:?}"
        );
    }
}
