//! What processes know, against a second, plain implementation: for each reachable state a look at all others.

use super::padded::tell_faults;
use crate::check::knowledge::Known;
use crate::check::{Nowhere, Options, Task};
use crate::engine;
use crate::system::knowledge::{Operator, Sight, SightKind};
use crate::system::state::{self, State};
use crate::system::{Domain, Expr, Formula, Leaf, Owner, Property, PropertyKind, System, VarId};
use crate::testing::random::Random;
use crate::testing::system::{random_condition, random_system};
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

/// Adds an operator about random processes with random views, of a formula that may read the operators before it.
fn add_operator(system: &mut System, random: &mut Random, seed: u64, number: u64) {
    let count = system.processes.len();
    let processes: Vec<ProcessId> = match random.below(3) {
        0 => vec![ProcessId(random.below(count) as u32)],
        _ => (0..count as u32).map(ProcessId).collect(),
    };
    let how = match processes.len() {
        1 => Knowing::Own,
        _ => *random.choose(&[Knowing::Common, Knowing::Distributed]),
    };
    let views = processes.iter().map(|p| view(system, random, *p)).collect();
    let atom = random_condition(system, seed * 31 + number);
    let inner = system.knowledge.last().map(|inner| inner.var);
    let atom = match inner {
        Some(inner) => {
            let inner = Expr::Leaf(Leaf::Var(inner));
            match random.below(3) {
                0 => Expr::or([atom, inner]),
                1 => Expr::and([atom, inner]),
                _ => inner.not(),
            }
        }
        None => atom,
    };
    let what = match random.below(4) {
        0 => Formula::Unary(TemporalOp::EF, Box::new(Formula::Atom(atom))),
        1 => Formula::Unary(TemporalOp::AG, Box::new(Formula::Atom(atom))),
        _ => Formula::Atom(atom),
    };
    let var = system.declare_hidden(&format!("known {number}"), Domain::Bool, 0);
    system.knowledge.push(Operator {
        var,
        how,
        processes,
        views,
        what,
        within: None,
    });
}

/// Some of what there is to be seen of a process.
fn view(system: &System, random: &mut Random, process: ProcessId) -> Vec<Sight> {
    let mut sights = Vec::new();
    if random.chance(1, 2) {
        sights.push(Sight {
            name: "location".to_owned(),
            kind: SightKind::Location(process),
        });
    }
    for (index, var) in system.vars.iter().enumerate() {
        let own = var.owner == Owner::Process(process) && var.derived.is_none();
        if own && random.chance(2, 3) {
            let value = Expr::Leaf(Leaf::Var(VarId(index as u32)));
            sights.push(Sight {
                name: var.name.clone(),
                kind: SightKind::Value(value, var.domain),
            });
        }
    }
    sights
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
        system.properties = (system.knowledge.iter())
            .map(|operator| Property {
                name: "asked".to_owned(),
                kind: PropertyKind::Invariant(Expr::Leaf(Leaf::Var(operator.var))),
                tolerant: None,
                form: None,
                span: None,
            })
            .collect();
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
    system.properties = vec![Property {
        name: "asked".to_owned(),
        kind: PropertyKind::Invariant(Expr::Leaf(Leaf::Var(system.knowledge[0].var))),
        tolerant: None,
        form: None,
        span: None,
    }];
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
