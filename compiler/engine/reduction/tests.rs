//! The reduced search against the plain walker.

use std::collections::{HashSet, VecDeque};

use super::*;
use crate::engine::model::Select;
use crate::system::Check;
use crate::system::Event;
use crate::system::state;
use crate::system::state::State;
use crate::testing::system::{Shape, random_condition, random_system_of};

/// What can be found: states, how many steps are quiescent deadlocks, failing checks, sought conditions.
#[derive(PartialEq, Eq, Debug, Default)]
struct Findings {
    deadlock: bool,
    fails: Vec<bool>,
    sought: Vec<bool>,
}

/// What every state tells.
fn note(system: &System, sought: &[Expr], state: &State, findings: &mut Findings) {
    findings.deadlock |= state.holds(&system.deadlock());
    for (found, condition) in findings.sought.iter_mut().zip(sought) {
        *found |= state.holds(condition);
    }
}

fn empty(sought: &[Expr]) -> Findings {
    Findings {
        deadlock: false,
        fails: vec![false; Check::ALL.len()],
        sought: vec![false; sought.len()],
    }
}

fn plain(system: &System, sought: &[Expr], limit: usize) -> Option<(usize, Findings)> {
    let states = state::walk(system, limit)?;
    let mut findings = empty(sought);
    for state in &states {
        note(system, sought, state, &mut findings);
        for (found, check) in findings.fails.iter_mut().zip(Check::ALL) {
            *found |= state.holds(&system.fails(check));
        }
    }
    Some((states.len(), findings))
}

fn reduced(system: &System, sought: &[Expr]) -> Option<(usize, Findings)> {
    let (mut model, _) = CompiledSystem::new(system, &[]).expect("it is small");
    let reduction = Reduction::find(system, &mut model, sought, None)?;
    let mut findings = empty(sought);
    let mut scratch = model.scratch();
    let mut room = reduction.room::<8>();
    let packed = |state| {
        let mut words = [0; 8];
        model.layout.pack(&state, &mut words[..model.layout.words]);
        words
    };
    let mut queue: VecDeque<[u64; 8]> = state::initials(system).map(packed).collect();
    let mut known: HashSet<[u64; 8]> = queue.iter().copied().collect();
    while let Some(words) = queue.pop_front() {
        let state = model.layout.unpack(system, &words);
        note(system, sought, &state, &mut findings);
        reduction.successors(
            &model,
            &words,
            Select::Shortcuts,
            &mut scratch,
            &mut room,
            |edge, _, next| {
                let edge = &system.processes[edge.process as usize].edges[edge.edge as usize];
                for (found, check) in findings.fails.iter_mut().zip(Check::ALL) {
                    *found |= edge.events.contains(&Event::Failed(check));
                }
                if known.insert(next) {
                    queue.push_back(next);
                }
                true
            },
        );
    }
    Some((known.len(), findings))
}

/// How many states there are, plainly and reduced, if the answers are the same.
fn compare(system: &System, sought: &[Expr], what: &str) -> Option<(usize, usize)> {
    let (all, wanted) = plain(system, sought, 3000)?;
    let (some, found) = reduced(system, sought)?;
    assert_eq!(found, wanted, "{what}: {some} of {all} states");
    assert!(some <= all);
    Some((all, some))
}

fn random(seeds: std::ops::Range<u64>, shape: Shape, specs: u64) -> (usize, usize) {
    let mut smaller = 0;
    let mut compared = 0;
    for seed in seeds {
        let system = random_system_of(seed, shape);
        let sought: Vec<Expr> = (0..specs)
            .map(|i| random_condition(&system, seed * 7 + i))
            .collect();
        // One at a time less is seen, and more can be left out.
        let mut sets: Vec<&[Expr]> = vec![&[]];
        sets.extend(sought.chunks(1));
        sets.push(&sought);
        for set in sets {
            if let Some((all, some)) = compare(&system, set, &format!("seed {seed}")) {
                compared += 1;
                smaller += usize::from(some < all);
            }
        }
    }
    (compared, smaller)
}

const LOOSE: Shape = Shape {
    processes: 3,
    vars: 7,
    derived: 1,
    locations: 5,
    edges: 2,
    values: 2,
    specs: 1,
    faults: true,
    picks: true,
};

#[test]
fn answers_are_those_of_the_plain_walker() {
    let (compared, smaller) = random(0..150, LOOSE, 3);
    assert!(compared > 200, "{compared}");
    assert!(smaller > 60, "{smaller} of {compared}");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_answers_are_those_of_the_plain_walker() {
    let (compared, smaller) = random(1000..20_000, LOOSE, 3);
    println!("{smaller} smaller of {compared}");
    let four = Shape {
        processes: 4,
        vars: 9,
        locations: 3,
        ..LOOSE
    };
    let (compared, smaller) = random(0..10_000, four, 3);
    println!("{smaller} smaller of {compared}");
    let (compared, smaller) = random(0..10_000, Shape::default(), 3);
    println!("{smaller} smaller of {compared}");
}
