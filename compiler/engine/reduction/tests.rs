//! The reduced search against the plain walker.

use std::collections::{HashSet, VecDeque};

use super::*;
use crate::engine::model::Select;
use crate::simplify::{Rules, simplify};
use crate::system::Check;
use crate::system::Event;
use crate::system::state;
use crate::system::state::State;
use crate::testing::model::program;
use crate::testing::system::{Shape, random_condition, random_system_of};
use crate::weave;

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

fn reduced(system: &System, sought: &[Expr], by_faults: bool) -> Option<(usize, Findings)> {
    let (mut model, _) = CompiledSystem::new(system, &[]).expect("it is small");
    let reduction = Reduction::find(system, &mut model, sought, None, by_faults)?;
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
    let mut fewest = None;
    for by_faults in [true, false] {
        let Some((some, found)) = reduced(system, sought, by_faults) else {
            continue;
        };
        assert_eq!(found, wanted, "{what}: {some} of {all} states");
        assert!(some <= all);
        fewest = Some(fewest.unwrap_or(all).min(some));
    }
    Some((all, fewest?))
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

/// How many states a model has, plainly, reduced by faults, and reduced.
fn sizes(text: &str) -> [usize; 3] {
    let system = crate::build(&program(text), &weave::Options::default());
    let system = simplify(&system, &Rules::default()).system;
    let (all, wanted) = plain(&system, &[], 100_000).expect("it is small");
    let [by_faults, any] = [true, false].map(|by_faults| {
        let Some((some, found)) = reduced(&system, &[], by_faults) else {
            return all;
        };
        assert_eq!(found, wanted);
        some
    });
    [all, by_faults, any]
}

#[test]
fn a_message_for_one_step_is_none_for_the_others() {
    // While a message is there, only the sink that it is for can take a step, whatever is sent behind it.
    let text = "
        data Kind { A, B }
        proc Source(out channel [2] { Kind }) {
            for i in range 0 to 4 { choice { send(out, A) }, { send(out, B) } }
        }
        proc Sink(inbox channel [2] { Kind }) {
            var seen bool
            for { select { case recv(inbox, A) { seen = true } case recv(inbox, B) { seen = false } } }
        }
        init {
            a: channel [2] { Kind }, b: channel [2] { Kind },
            p: Source(a), q: Source(b), r: Sink(a), s: Sink(b),
        }";
    let [all, _, some] = sizes(text);
    assert!(5 * some < all, "{some} of {all}");
}

#[test]
fn a_loss_by_fault_stands_in_for_one_for_want_of_room() {
    let text = |fault: &str| {
        format!(
            "
            proc Source(out channel [2] {{ bool }}) {{
                for {{ nonblock_send(out, true); nonblock_send(out, false) }}
            }}
            proc Sink(inbox channel [2] {{ bool }}) {{
                for {{ recv(inbox, _) }}
            }}
            init {{
                a: channel [2] {{ bool }} {fault}, p: Source(a), q: Source(a), r: Sink(a),
            }}"
        )
    };
    let [all, by_faults, some] = sizes(&text(""));
    assert_eq!([by_faults, some], [all, all]);
    let [all, by_faults, some] = sizes(&text("@drop"));
    assert!(
        some < all && some < by_faults,
        "{some}, {by_faults} of {all}"
    );
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
