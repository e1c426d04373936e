//! On random Systems ABC's answers are the plain walker's, its runs replay, and its conditions hold in every reachable state.

use super::super::{Limits, Owner, check};
use super::steps::add_starts;
use super::tool;
use crate::source::Sources;
use crate::system::state::{State, walk};
use crate::system::{Expr, Property, PropertyKind, System};
use crate::testing::random::Random;
use crate::testing::system::random_system;
use crate::trace::replay;
use crate::verdict::Outcome;

/// Most states a System may have to be compared.
const MOST: usize = 3_000;

/// What the walker says about a safety property.
fn expected(system: &System, kind: &PropertyKind, states: &[State]) -> bool {
    let never = |expr: Expr| !states.iter().any(|s| s.holds(&expr));
    match kind {
        PropertyKind::Deadlock => never(system.deadlock()),
        PropertyKind::Check(check) => never(system.fails(*check)),
        PropertyKind::Invariant(expr) => never(expr.clone().not()),
        PropertyKind::Reachable(expr) => !never(expr.clone()),
        _ => unreachable!("not about states"),
    }
}

#[test]
fn verdicts_are_the_walkers() {
    let Some(tool) = tool() else { return };
    let (mut compared, mut proofs, mut conditions) = (0, 0, 0);
    // Random Systems have their places in some file.
    let mut sources = Sources::new();
    sources.add("random.sdl", "");
    for seed in 5_000..5_012 {
        let mut system = random_system(seed);
        if seed % 3 == 0 {
            add_starts(&mut system, &mut Random::new(seed));
        }
        let Some(states) = walk(&system, MOST).filter(|states| !states.is_empty()) else {
            continue;
        };
        let states: Vec<State> = states.into_iter().collect();
        let all: Vec<usize> = (0..system.properties.len()).collect();
        let mut told = 0;
        let replies = check(&tool, &system, &all, Limits::default(), &mut |_| told += 1)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!((replies.len(), told), (all.len(), all.len()));
        for (reply, property) in replies.iter().zip(&system.properties) {
            let holds = match &reply.verdict.outcome {
                Outcome::Holds | Outcome::HoldsStatically => true,
                Outcome::Violated => false,
                Outcome::Unknown(why) => panic!("seed {seed}: {}: {why}", property.name),
            };
            let right = expected(&system, &property.kind, &states);
            assert_eq!(holds, right, "seed {seed}: {property:?}");
            if let Some(run) = &reply.verdict.run {
                replay(&system, reply.verdict.property, run)
                    .unwrap_or_else(|error| panic!("seed {seed}: {property:?}: {error}"));
            }
            if let Some(proof) = &reply.proof {
                proofs += 1;
                let said = proof.show(&system, &sources);
                let found = proof.conditions.as_ref().expect("few values");
                assert_eq!(said.map(|said| said.len()), Some(found.len()));
                for condition in found {
                    conditions += 1;
                    assert!(!condition.never.iter().any(|(o, _)| *o == Owner::Started));
                    let broken = states.iter().find(|state| !condition.holds(state));
                    assert_eq!(broken, None, "seed {seed}: {condition:?}");
                }
            }
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared}");
    assert!(proofs >= 8 && conditions >= 8, "{proofs} {conditions}");
}

#[test]
fn what_is_about_whole_runs_is_not_answered() {
    let Some(tool) = tool() else { return };
    let mut system = random_system(7);
    let somewhere = system.at(crate::vocabulary::ProcessId(0), |_| true);
    system.properties = vec![Property {
        name: "always".into(),
        kind: PropertyKind::Ltl(crate::system::Formula::Atom(somewhere)),
        tolerant: None,
        form: None,
        span: None,
    }];
    let replies = check(&tool, &system, &[0], Limits::default(), &mut |_| {}).unwrap();
    let Outcome::Unknown(why) = &replies[0].verdict.outcome else {
        panic!("{replies:?}");
    };
    assert!(why.contains("whole run"), "{why}");
}
