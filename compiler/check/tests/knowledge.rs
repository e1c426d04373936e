//! What processes know, against a second, plain implementation: for each reachable state a look at all others.

use std::time::Duration;

use crate::check::knowledge::Known;
use crate::check::{Answer, Engines, Findings, Nowhere, Options, Task, Thresholds, check};
use crate::engine;
use crate::engine::replicas::{Replicas, replicas};
use crate::system::knowledge::{Operator, Sight};
use crate::system::state::{self, State};
use crate::system::{Domain, Expr, Formula, Leaf, Property, PropertyKind, System, VarId};
use crate::testing::knowledge::{add_operator, ask_operators, whole_view};
use crate::testing::random::Random;
use crate::testing::system::{random_system, tell_faults};
use crate::vocabulary::{Knowing, ProcessId, TemporalOp};

/// How many random Systems are tried.
const FEW: u64 = 80;

/// States of a System, few enough to compare each with each.
const MOST: usize = 400;

/// A random System whose faults say that they are some.
fn random(seed: u64) -> System {
    let mut system = random_system(seed);
    tell_faults(&mut system);
    system
}

/// The states in which a formula holds, given those in which operators do.
fn holds(
    states: &[State],
    next: &[Vec<usize>],
    formula: &Formula,
    known: &[(VarId, Vec<bool>)],
) -> Vec<bool> {
    match formula {
        Formula::Atom(e) => (states.iter().enumerate())
            .map(|(index, state)| {
                let mut state = state.clone();
                for (var, truth) in known {
                    state.values[var.0 as usize] = i64::from(truth[index]);
                }
                state.holds(e)
            })
            .collect(),
        // From every state there is a fair run, so what can be reached can be reached on one.
        Formula::Unary(op, f) => {
            let inner = holds(states, next, f, known);
            let wanted = *op == TemporalOp::EF;
            let mut found: Vec<bool> = inner.iter().map(|truth| *truth == wanted).collect();
            loop {
                let before = found.clone();
                for (index, after) in next.iter().enumerate() {
                    found[index] |= after.iter().any(|n| before[*n]);
                }
                if found == before {
                    break;
                }
            }
            found.into_iter().map(|truth| truth == wanted).collect()
        }
        other => panic!("not made here: {other:?}"),
    }
}

/// Where an operator holds.
fn knows(system: &System, states: &[State], operator: &Operator, what: &[bool]) -> Vec<bool> {
    let codes = |state: &State, view: &[Sight]| -> Vec<i64> {
        let values = view.iter().map(|sight| state.eval(&sight.value(system)));
        values.collect()
    };
    let views: Vec<Vec<Vec<i64>>> = (states.iter())
        .map(|state| operator.views.iter().map(|v| codes(state, v)).collect())
        .collect();
    let alike = |a: usize, b: usize| match operator.how {
        Knowing::Own | Knowing::Distributed => views[a] == views[b],
        Knowing::Common => views[a].iter().zip(&views[b]).any(|(a, b)| a == b),
    };
    (0..states.len())
        .map(|start| {
            let mut seen = vec![false; states.len()];
            let mut rest = vec![start];
            seen[start] = true;
            while let Some(at) = rest.pop() {
                if !what[at] {
                    return false;
                }
                for (other, seen) in seen.iter_mut().enumerate() {
                    if !*seen && alike(at, other) {
                        *seen = true;
                        rest.push(other);
                    }
                }
            }
            true
        })
        .collect()
}

/// Compares what is worked out with what a look at all states yields; how many operators were true somewhere and false
/// elsewhere.
fn compare(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut compared, mut telling) = (0, 0);
    for seed in seeds {
        let mut system = random(seed);
        let Some(states) = state::walk(&system, MOST) else {
            continue;
        };
        let mut random = Random::new(seed);
        for number in 0..3 {
            add_operator(&mut system, &mut random, seed, number);
        }
        ask_operators(&mut system);
        let states: Vec<State> = states
            .into_iter()
            .map(|mut state| {
                state.values.resize(system.vars.len(), 0);
                state
            })
            .collect();
        let position = |state: &State| states.iter().position(|s| s == state).expect("known");
        let next: Vec<Vec<usize>> = (states.iter())
            .map(|s| {
                let all = state::successors(&system, s).into_iter();
                all.map(|(_, next)| position(&next)).collect()
            })
            .collect();
        let mut expected: Vec<(VarId, Vec<bool>)> = Vec::new();
        for operator in &system.knowledge {
            let what = holds(&states, &next, &operator.what, &expected);
            expected.push((operator.var, knows(&system, &states, operator, &what)));
        }
        let fair = system.fair.is_empty();
        for simplify in [true, false] {
            let wanted: Vec<usize> = (0..system.properties.len()).collect();
            let task = Task {
                system: &system,
                wanted: &wanted,
                options: Options {
                    simplify,
                    ..Options::default()
                },
            };
            let known = Known::of(&task, &Nowhere).expect("something is asked");
            for (property, (_, truths)) in expected.iter().enumerate() {
                if known.why_unknown(property).is_some() {
                    assert!(!fair, "seed {seed}: unknown");
                    continue;
                }
                let PropertyKind::Invariant(found) = &known.system().properties[property].kind
                else {
                    panic!("it was an invariant");
                };
                for (state, truth) in states.iter().zip(truths) {
                    assert_eq!(
                        state.holds(found),
                        *truth,
                        "seed {seed}, operator {property}, simplified {simplify}"
                    );
                }
                compared += 1;
                telling += usize::from(truths.contains(&true) && truths.contains(&false));
            }
        }
    }
    (compared, telling)
}

#[test]
fn what_is_known_is_what_a_look_at_all_states_yields() {
    let (compared, telling) = compare(0..FEW);
    assert!(compared > 100, "{compared} compared");
    assert!(
        telling > 20,
        "{telling} of {compared} are neither true nor false everywhere"
    );
}

#[test]
#[ignore = "takes minutes"]
fn what_is_known_is_what_a_look_at_all_states_yields_at_length() {
    let (compared, _) = compare(1_000..2_000);
    assert!(compared > 3_000, "{compared} compared");
}

#[test]
fn a_limit_leaves_it_unknown() {
    let mut system = random(3);
    add_operator(&mut system, &mut Random::new(3), 3, 0);
    ask_operators(&mut system);
    let task = Task {
        system: &system,
        wanted: &[0],
        options: Options {
            limits: engine::Limits {
                states: 1,
                ..engine::Limits::NONE
            },
            ..Options::default()
        },
    };
    let known = Known::of(&task, &Nowhere).expect("something is asked");
    assert!(known.why_unknown(0).is_some());
}

/// Asks about the copies of a process what each of them knows, in a way that does not tell them apart.
fn ask_copies(system: &mut System, copies: u32, known: &Expr, seen: &Expr) {
    let known: Vec<VarId> = (0..copies)
        .map(|copy| {
            let process = ProcessId(copy);
            let var = system.declare_hidden(&format!("known by {copy}"), Domain::Bool, 0);
            system.knowledge.push(Operator {
                var,
                how: Knowing::Own,
                processes: vec![process],
                views: vec![whole_view(system, process)],
                what: Formula::Atom(known.clone()),
                within: None,
            });
            var
        })
        .collect();
    let each = |known: &VarId| Expr::Leaf(Leaf::Var(*known));
    let all = Expr::and(known.iter().map(each));
    let some = Expr::or(known.iter().map(each));
    let implied = |a: &Expr, b: Expr| Expr::or([a.clone().not(), b]);
    ask_operators(system);
    system.properties.truncate(1);
    let always = |formula| Formula::Unary(TemporalOp::G, Box::new(formula));
    let again = Formula::Unary(TemporalOp::F, Box::new(Formula::Atom(some.clone())));
    for (name, kind) in [
        ("all", PropertyKind::Invariant(implied(seen, all.clone()))),
        ("some", PropertyKind::Invariant(implied(seen, some.clone()))),
        ("never", PropertyKind::Invariant(some.clone().not())),
        (
            "once",
            PropertyKind::Reachable(Expr::and([all.clone().not(), some])),
        ),
        ("together", PropertyKind::Reachable(all)),
        ("again", PropertyKind::Ltl(always(again))),
    ] {
        system.properties.push(Property {
            name: name.to_owned(),
            kind,
            tolerant: None,
            form: None,
            span: None,
        });
    }
}

/// Compares the answers of searches with and without symmetry, reduction and simplification; how many there were, how many
/// properties held, and how many searches made use of symmetry.
fn with_and_without(seeds: std::ops::Range<u64>) -> [usize; 3] {
    let [mut compared, mut holding, mut symmetric] = [0, 0, 0];
    for seed in seeds {
        let copies = 2 + seed as u32 % 2;
        let Replicas {
            mut system,
            conditions,
        } = replicas(seed, copies);
        tell_faults(&mut system);
        let [known, seen, ..] = conditions.as_slice() else {
            continue;
        };
        if state::walk(&system, MOST).is_none() {
            continue;
        }
        ask_copies(&mut system, copies, known, seen);
        let ask = |simplify, shortcuts| {
            let wanted: Vec<usize> = (0..system.properties.len()).collect();
            let task = Task {
                system: &system,
                wanted: &wanted,
                options: Options {
                    simplify,
                    reduction: shortcuts,
                    symmetry: shortcuts,
                    minimise: Duration::ZERO,
                    thresholds: Thresholds {
                        few: 0,
                        ..Thresholds::default()
                    },
                    ..Options::default()
                },
            };
            check(&task, Engines::Embedded, &Nowhere).expect("it can be relied on")
        };
        let verdicts = |found: &Findings| -> Vec<&'static str> {
            found.answers.iter().map(Answer::verdict).collect()
        };
        let plain = ask(false, false);
        for (simplify, shortcuts) in [(true, false), (false, true), (true, true)] {
            let found = ask(simplify, shortcuts);
            assert_eq!(
                verdicts(&found),
                verdicts(&plain),
                "seed {seed}, {simplify}, {shortcuts}"
            );
            symmetric += usize::from(found.stats.is_some_and(|stats| stats.symmetry));
        }
        compared += plain.answers.len();
        holding += verdicts(&plain).iter().filter(|v| **v == "holds").count();
    }
    [compared, holding, symmetric]
}

#[test]
fn symmetry_and_simplification_change_no_answer() {
    let [compared, holding, symmetric] = with_and_without(0..60);
    assert!(compared > 150, "{compared}");
    assert!(
        holding > 30 && compared - holding > 30,
        "{holding} of {compared} hold"
    );
    assert!(symmetric > 10, "{symmetric}");
}

#[test]
#[ignore = "takes minutes"]
fn symmetry_and_simplification_change_no_answer_at_length() {
    let [compared, holding, symmetric] = with_and_without(1_000..2_500);
    println!("{holding} of {compared} hold; {symmetric} searches with symmetry");
    assert!(compared > 3_000, "{compared}");
}
