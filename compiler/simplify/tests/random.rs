//! Equal verdicts on random Systems, rule by rule and all together, and runs that can be mapped back.

use std::ops::Range;

use super::corpus::outcomes;
use super::fair::{faults, replay, violating_run};
use super::models::{random_atoms, random_ctl_over, random_ltl, random_model};
use crate::simplify::{Rules, Simplified, simplify};
use crate::system::EdgeKind;
use crate::system::lasso::holds_on_lasso;
use crate::system::state::{State, initial, successors, walk};
use crate::system::verify::verify;
use crate::system::{Assumption, Event, Expr, Formula, Property, PropertyKind, System, print};
use crate::testing::random::Random;
use crate::testing::system::{random_system, span};
use crate::verdict::{Move, Run};

const LIMIT: usize = 1500;

/// What a safety property looks for.
fn sought(system: &System, kind: &PropertyKind) -> Expr {
    match kind {
        PropertyKind::Deadlock => system.deadlock(),
        PropertyKind::Check(check) => system.fails(*check),
        PropertyKind::Invariant(e) => e.clone().not(),
        PropertyKind::Reachable(e) => e.clone(),
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => {
            unreachable!("no safety property")
        }
    }
}

/// A shortest run to a state in which an expression holds.
fn run_to(system: &System, sought: &Expr) -> Option<Run> {
    let mut seen = indexmap::IndexMap::from([(initial(system), None::<(usize, Move)>)]);
    let mut next = 0;
    while next < seen.len() {
        let (state, _) = seen.get_index(next).expect("in range");
        if state.holds(sought) {
            let mut moves = Vec::new();
            let mut at = next;
            while let Some((before, step)) = &seen[at] {
                moves.push(step.clone());
                at = *before;
            }
            moves.reverse();
            return Some(Run {
                start: Vec::new(),
                moves,
                loop_start: None,
            });
        }
        for (step, to) in successors(system, &state.clone()) {
            seen.entry(to).or_insert(Some((next, step)));
        }
        next += 1;
    }
    None
}

fn only(select: impl Fn(&mut Rules)) -> Rules {
    let mut rules = Rules::NONE;
    select(&mut rules);
    rules
}

fn all_rules() -> Vec<(&'static str, Rules)> {
    vec![
        ("unreachable", only(|r| r.unreachable = true)),
        ("constant", only(|r| r.constant = true)),
        ("derived", only(|r| r.derived = true)),
        ("dead", only(|r| r.dead = true)),
        ("merge", only(|r| r.merge = true)),
        ("all", Rules::default()),
    ]
}

/// The System of a seed, with fault edges that inject.
fn wild_system(seed: u64) -> System {
    let mut system = random_system(seed);
    for edge in system.processes.iter_mut().flat_map(|p| &mut p.edges) {
        if let EdgeKind::Fault(f) = edge.kind
            && !edge.events.contains(&Event::Injected(f))
        {
            edge.events.push(Event::Injected(f));
        }
    }
    assert_eq!(verify(&system), Ok(()), "seed {seed}");
    system
}

fn check_safety(name: &str, original: &System, rules: &Rules) -> Option<(usize, usize)> {
    let before = walk(original, LIMIT)?;
    let simplified = simplify(original, rules);
    let dump = || {
        format!(
            "{name}\n{}\n{}",
            print::system(original),
            print::system(&simplified.system)
        )
    };
    if let Err(problem) = verify(&simplified.system) {
        panic!("{problem}\n{}", dump());
    }
    let after = walk(&simplified.system, LIMIT)
        .unwrap_or_else(|| panic!("more states than {}\n{}", before.len(), dump()));
    let after = stored(&simplified.system, &after);
    assert!(after <= before.len(), "{after} states\n{}", dump());
    for (index, property) in original.properties.iter().enumerate() {
        let wanted = sought(original, &property.kind);
        let found = before.iter().any(|s| s.holds(&wanted));
        let kind = &simplified.system.properties[index].kind;
        let run = run_to(&simplified.system, &sought(&simplified.system, kind));
        assert_eq!(run.is_some(), found, "{}\n{}", property.name, dump());
        let Some(run) = run else { continue };
        let restored = simplified.restore(original, &run, Some(index));
        let restored = restored.unwrap_or_else(|| panic!("{run:?}\n{}", dump()));
        let states = replay(original, &restored).unwrap_or_else(|e| panic!("{e}\n{}", dump()));
        let last = states.last().expect("not empty");
        assert!(
            last.holds(&wanted),
            "{}: {restored:?}\n{}",
            property.name,
            dump()
        );
        assert!(faults(original, &restored) <= faults(&simplified.system, &run));
    }
    Some((before.len(), after))
}

/// How many states there are, derived variables aside.
fn stored(system: &System, states: &indexmap::IndexSet<State>) -> usize {
    let kept = |s: &State| -> (Vec<u32>, Vec<i64>) {
        let values = s.values.iter().zip(&system.vars);
        (
            s.locations.iter().map(|l| l.0).collect(),
            values
                .filter(|(_, v)| v.derived.is_none())
                .map(|(value, _)| *value)
                .collect(),
        )
    };
    states
        .iter()
        .map(kept)
        .collect::<indexmap::IndexSet<_>>()
        .len()
}

#[test]
fn wild_systems_keep_their_safety_verdicts() {
    wild_safety(0..25);
}

#[test]
#[ignore = "takes minutes"]
fn many_wild_systems_keep_their_safety_verdicts() {
    wild_safety(1000..2500);
}

fn wild_safety(seeds: Range<u64>) {
    let mut checked = 0;
    let enough = 3 * (seeds.end - seeds.start);
    for seed in seeds {
        for (name, rules) in all_rules() {
            let name = format!("seed {seed}, {name}");
            checked += u64::from(check_safety(&name, &wild_system(seed), &rules).is_some());
        }
    }
    assert!(checked > enough, "{checked}");
}

#[test]
fn models_keep_their_safety_verdicts_and_lose_states() {
    model_safety(0..60);
}

#[test]
#[ignore = "takes minutes"]
fn many_models_keep_their_safety_verdicts_and_lose_states() {
    model_safety(1000..3000);
}

fn model_safety(seeds: Range<u64>) {
    let (mut before, mut after) = (0, 0);
    for seed in seeds {
        for (name, rules) in all_rules() {
            let what = format!("seed {seed}, {name}");
            if let Some((b, a)) = check_safety(&what, &random_model(seed), &rules)
                && name == "all"
            {
                before += b;
                after += a;
            }
        }
    }
    assert!(after * 2 < before, "{before} states before, {after} after");
}

fn check_ltl(name: &str, original: &System, formula: &Formula, rules: &Rules) -> Option<bool> {
    let mut original = original.clone();
    original.properties.push(Property {
        tolerant: None,
        form: None,
        name: "ltl".into(),
        kind: PropertyKind::Ltl(formula.clone()),
        span: None,
    });
    let index = original.properties.len() - 1;
    let expected = violating_run(&original, formula, LIMIT).ok()?;
    let simplified = simplify(&original, rules);
    let PropertyKind::Ltl(after) = &simplified.system.properties[index].kind else {
        panic!("an ltl property stays one");
    };
    let found = violating_run(&simplified.system, after, LIMIT).ok()?;
    let dump = || {
        format!(
            "{name}: expected {expected:?}, found {found:?}\n{}\n{}",
            print::system(&original),
            print::system(&simplified.system)
        )
    };
    assert_eq!(found.is_some(), expected.is_some(), "{}", dump());
    if let Some(run) = &found {
        let restored =
            restore_lasso(&simplified, &original, run, index).unwrap_or_else(dump_panic(&dump));
        assert!(
            !lasso_satisfies(&original, &restored, formula),
            "{}",
            dump()
        );
        for assumption in &original.assumptions {
            assert!(lasso_satisfies(&original, &restored, &assumption.formula));
        }
    }
    Some(found.is_some())
}

fn dump_panic<'a, T>(dump: &'a dyn Fn() -> String) -> impl Fn(String) -> T + 'a {
    move |problem| panic!("{problem}\n{}", dump())
}

fn restore_lasso(
    simplified: &Simplified,
    original: &System,
    run: &Run,
    property: usize,
) -> Result<Run, String> {
    let restored = simplified
        .restore(original, run, Some(property))
        .ok_or("it cannot be restored")?;
    replay(original, &restored).map(|_| restored)
}

fn lasso_satisfies(system: &System, run: &Run, formula: &Formula) -> bool {
    let states = replay(system, run).expect("it replays");
    let start = run.loop_start.expect("a cycle");
    holds_on_lasso(formula, states.len() - 1, start, |i, atom| {
        states[i].holds(atom)
    })
}

#[test]
fn models_keep_their_temporal_verdicts() {
    model_ltl(0..90);
}

#[test]
#[ignore = "takes minutes"]
fn many_models_keep_their_temporal_verdicts() {
    model_ltl(1000..6000);
}

fn model_ltl(seeds: Range<u64>) {
    let (mut violated, mut held) = (0, 0);
    let enough = (seeds.end - seeds.start) / 2;
    for seed in seeds {
        let model = random_model(seed);
        let mut random = Random::new(seed);
        let atoms = random_atoms(&model, seed, 3);
        for round in 0..3 {
            let formula = random_ltl(&mut random, &atoms);
            let (name, rules) = [
                ("merge", only(|r| r.merge = true)),
                ("all", Rules::default()),
                ("all", Rules::default()),
            ][round];
            let name = format!("seed {seed}, formula {round}, {name}");
            let mut model = model.clone();
            if round == 2 {
                model.assumptions.push(Assumption {
                    name: "assumed".into(),
                    formula: random_ltl(&mut random, &atoms),
                    span: span(),
                });
            }
            match check_ltl(&name, &model, &formula, &rules) {
                Some(true) => violated += 1,
                Some(false) => held += 1,
                None => {}
            }
        }
    }
    assert!(
        violated > enough && held > enough,
        "{violated} violated, {held} held"
    );
}

#[test]
fn models_keep_their_branching_verdicts() {
    let (mut violated, mut held) = (0, 0);
    for seed in 0..60 {
        let mut model = random_model(seed);
        if walk(&model, LIMIT).is_none() {
            continue;
        }
        let mut random = Random::new(seed);
        let atoms = random_atoms(&model, seed, 3);
        for i in 0..3 {
            model.properties.push(Property {
                tolerant: None,
                form: None,
                name: format!("ctl_{i}"),
                kind: PropertyKind::Ctl(random_ctl_over(&mut random, &atoms)),
                span: None,
            });
        }
        let simplified = simplify(&model, &Rules::default());
        let expected = outcomes(&model);
        let dump = || {
            format!(
                "{}\n{}",
                print::system(&model),
                print::system(&simplified.system)
            )
        };
        assert_eq!(
            outcomes(&simplified.system),
            expected,
            "seed {seed}\n{}",
            dump()
        );
        let found = |word: &str| expected.iter().filter(|(_, o)| *o == word).count();
        violated += found("violated");
        held += found("holds");
    }
    assert!(
        violated > 50 && held > 50,
        "{violated} violated, {held} held"
    );
}
