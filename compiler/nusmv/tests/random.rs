//! Random Systems: NuSMV accepts what is emitted and agrees with the walker.

use super::super::{Count, Emitted, Limits, Tool, check, count_states, decide, emit};
use super::fair::Fair;
use super::odd::{assume, make_odd};
use super::tool;
use crate::source::Sources;
use crate::system::state::{State, walk};
use crate::system::{Expr, Formula, Property, PropertyKind, System};
use crate::testing::system::{random_condition, random_system, span};
use crate::trace::replay;
use crate::verdict::Outcome;
use crate::vocabulary::TemporalOp;

/// Most states a System may have to be compared.
const MOST: usize = 3_000;

fn same_count(tool: &Tool, seed: u64, system: &System, states: usize) -> Emitted {
    let emitted = emit(system, &Sources::new());
    let count = count_states(tool, &emitted, Limits::default())
        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", emitted.text));
    let expected = Count::Exact(states as u64);
    assert_eq!(count, expected, "seed {seed}\n{}", emitted.text);
    emitted
}

#[test]
fn emission_has_exactly_the_states_of_the_system() {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in 0..130 {
        let system = random_system(seed);
        if let Some(states) = walk(&system, MOST) {
            same_count(&tool, seed, &system, states.len());
            compared += 1;
        }
    }
    assert!(compared >= 100, "{compared}");
}

#[test]
fn odd_names_change_nothing() {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in 1_000..1_130 {
        let mut system = random_system(seed);
        let Some(states) = walk(&system, MOST) else {
            continue;
        };
        make_odd(&mut system, seed);
        let emitted = same_count(&tool, seed, &system, states.len());
        assert_eq!(emitted.text, emit(&system, &Sources::new()).text);
        compared += 1;
    }
    assert!(compared >= 100, "{compared}");
}

/// What the walker says about a safety property.
fn expected(system: &System, kind: &PropertyKind, states: &[State]) -> bool {
    let never = |expr: Expr| !states.iter().any(|s| s.holds(&expr));
    match kind {
        PropertyKind::Deadlock => never(system.deadlock()),
        PropertyKind::Check(check) => never(system.fails(*check)),
        PropertyKind::Invariant(expr) => never(expr.clone().not()),
        PropertyKind::Reachable(expr) => !never(expr.clone()),
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => {
            unreachable!("not about states")
        }
    }
}

/// Asks NuSMV about all properties, compares with what is expected, and replays the runs.
fn compare(tool: &Tool, seed: u64, system: &System, expected: &[bool]) {
    let emitted = emit(system, &Sources::new());
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let report = check(tool, system, &emitted, &all, Limits::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", emitted.text));
    let decided = decide(tool, system, &emitted, &all, Limits::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", emitted.text));
    for (with, without) in report.verdicts.iter().zip(&decided.verdicts) {
        assert_eq!(with.outcome, without.outcome, "seed {seed}");
        assert_eq!(without.run, None);
    }
    for (verdict, expected) in report.verdicts.iter().zip(expected) {
        let property = &system.properties[verdict.property];
        let holds = match verdict.outcome {
            Outcome::Holds | Outcome::HoldsStatically => true,
            Outcome::Violated => false,
            Outcome::Unknown(_) => panic!("seed {seed}: {} is unknown", property.name),
        };
        assert_eq!(
            holds, *expected,
            "seed {seed}: {property:?}\n{}",
            emitted.text
        );
        let shown = match property.kind {
            PropertyKind::Ctl(_) => false,
            PropertyKind::Reachable(_) => holds,
            _ => !holds,
        };
        assert_eq!(verdict.run.is_some(), shown, "seed {seed}: {property:?}");
        if let Some(run) = &verdict.run {
            replay(system, verdict.property, run)
                .unwrap_or_else(|e| panic!("seed {seed}: {property:?}: {e}\n{}", emitted.text));
        }
    }
}

#[test]
fn safety_verdicts_are_the_walkers() {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in 2_000..2_070 {
        let mut system = random_system(seed);
        if seed % 2 == 0 {
            make_odd(&mut system, seed);
        }
        let Some(states) = walk(&system, MOST) else {
            continue;
        };
        let states: Vec<State> = states.into_iter().collect();
        let expected: Vec<bool> = (system.properties.iter())
            .map(|p| expected(&system, &p.kind, &states))
            .collect();
        compare(&tool, seed, &system, &expected);
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

fn unary(op: TemporalOp, inner: Formula) -> Formula {
    Formula::Unary(op, Box::new(inner))
}

#[test]
fn liveness_verdicts_are_those_of_fair_components() {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in 3_000..3_060 {
        let mut system = random_system(seed);
        let Some(fair) = Fair::new(&system, 1_000) else {
            continue;
        };
        let [p, q] = [0, 1].map(|i| random_condition(&system, seed * 2 + i));
        let atom = || Formula::Atom(p.clone());
        let finally = unary(TemporalOp::F, atom());
        let again = unary(TemporalOp::G, unary(TemporalOp::F, atom()));
        let settles = unary(TemporalOp::F, unary(TemporalOp::G, atom()));
        let always = unary(TemporalOp::G, atom());
        let reset = unary(TemporalOp::AG, unary(TemporalOp::EF, atom()));
        let mut expected = vec![
            fair.finally(&p, None),
            fair.again(&p, None),
            fair.settles(&p, None),
            fair.always(&p),
            fair.finally(&p, None),
            !fair.finally(&p.clone().not(), None),
            fair.can_always_reach(&p),
        ];
        let mut kinds = vec![
            PropertyKind::Ltl(finally.clone()),
            PropertyKind::Ltl(again.clone()),
            PropertyKind::Ltl(settles.clone()),
            PropertyKind::Ltl(always),
            PropertyKind::Ctl(unary(TemporalOp::AF, atom())),
            PropertyKind::Ctl(unary(TemporalOp::EG, atom())),
            PropertyKind::Ctl(reset),
        ];
        if seed % 3 == 0 {
            // Runs on which q holds again and again; some do unless `!F q`.. settles on !q.
            let assumption = unary(
                TemporalOp::G,
                unary(TemporalOp::F, Formula::Atom(q.clone())),
            );
            if fair.settles(&q.clone().not(), None) {
                continue;
            }
            assume(&mut system, vec![assumption]);
            kinds = vec![
                PropertyKind::Ltl(finally),
                PropertyKind::Ltl(again),
                PropertyKind::Ltl(settles),
            ];
            expected = vec![
                fair.finally(&p, Some(&q)),
                fair.again(&p, Some(&q)),
                fair.settles(&p, Some(&q)),
            ];
        }
        system.properties = kinds
            .into_iter()
            .enumerate()
            .map(|(i, kind)| Property {
                form: None,
                name: format!("property_{i}"),
                kind,
                tolerant: None,
                span: Some(span()),
            })
            .collect();
        compare(&tool, seed, &system, &expected);
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn a_system_without_processes_is_one_state() {
    let Some(tool) = tool() else { return };
    let system = System {
        properties: vec![Property {
            form: None,
            name: "deadlock".into(),
            kind: PropertyKind::Deadlock,
            tolerant: None,
            span: None,
        }],
        ..System::default()
    };
    let emitted = same_count(&tool, 0, &system, 1);
    assert!(emitted.specs[0].holds_statically);
}
