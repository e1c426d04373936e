//! Compiled steps are those of the plain walker.

use super::*;
use crate::engine::code::Update;
use crate::system::state;
use crate::testing::system::{Shape, random_condition, random_system, random_system_of};

/// Moves, successors, enabledness and conditions are those of the plain walker, in every state.
fn agrees(system: &System, seed: u64, limit: usize) {
    let asked: Vec<Expr> = (0..5)
        .map(|i| random_condition(system, seed * 7 + i))
        .collect();
    let (model, conditions) = CompiledSystem::new(system, &asked).expect("it is small");
    assert!(model.layout.words <= 4);
    let mut scratch = model.scratch();
    let Some(states) = state::walk(system, limit) else {
        return;
    };
    for state in &states {
        let mut words = [0u64; 4];
        model.layout.pack(state, &mut words[..model.layout.words]);
        let mut found = Vec::new();
        model.all_successors(&words, &mut scratch, |edge, picks, next| {
            let step = to_move(system, edge.process, edge.edge, picks);
            found.push((step, model.layout.unpack(system, &next)));
            true
        });
        let mut wanted = state::successors(system, state);
        wanted.retain(|(step, _)| *step != Move::Stutter);
        assert_eq!(found, wanted, "seed {seed}");
        let mut split = 0;
        for select in [Select::Steps, Select::Faults] {
            model.successors(&words, select, &mut scratch, |edge, _, _| {
                assert_eq!(edge.fault, select == Select::Faults);
                split += 1;
                true
            });
        }
        assert_eq!(split, wanted.len());
        for (id, _) in system.processes() {
            let can = state.holds(&system.can_move_without_fault(id));
            let found = model.can_move(&words, id.0 as usize, &mut scratch);
            assert_eq!(found, can, "seed {seed}");
        }
        for (expr, condition) in asked.iter().zip(&conditions) {
            let holds = model.code.holds(*condition, &words, &mut scratch);
            assert_eq!(holds, state.holds(expr), "seed {seed}: {expr:?}");
        }
    }
}

#[test]
fn steps_are_those_of_the_plain_walker() {
    for seed in 0..400 {
        agrees(&random_system(seed), seed, 250);
    }
}

#[test]
fn wide_domains_and_many_picks_too() {
    let shape = Shape {
        values: 40,
        processes: 2,
        ..Shape::default()
    };
    for seed in 0..200 {
        agrees(&random_system_of(seed, shape), seed, 200);
    }
}

/// Edges that do not fit into one group, and guards that do not fit into a table.
#[test]
fn many_edges_out_of_one_location_too() {
    let shape = Shape {
        values: 12,
        processes: 2,
        vars: 8,
        locations: 2,
        edges: 12,
        ..Shape::default()
    };
    let (mut more, mut left) = (0, 0);
    for seed in 0..100 {
        let system = random_system_of(seed, shape);
        let (model, _) = CompiledSystem::new(&system, &[]).expect("it is small");
        more += model.groups.iter().filter(|g| g.more.is_some()).count();
        left += model.edges.iter().filter(|e| !e.guard.is_empty()).count();
        agrees(&system, seed, 200);
    }
    assert!(more > 5 && left > 50, "{more} {left}");
}

#[test]
fn buffers_are_updated_by_cases() {
    let text = "
        proc Sender(c channel [3] { 0..5, bool }) {
            for {
                var n 0..5 = any
                send(c, n, n > 2)
            }
        }
        proc Receiver(c channel [3] { 0..5, bool }) {
            var sum 0..9
            for {
                var n 0..5
                var b bool
                recv(c, n, b)
                if b { sum = (sum + n) % 10 }
            }
        }
        init {
            c: channel [3] { 0..5, bool } @drop @duplicate,
            s: Sender(c),
            r: Receiver(c),
        }";
    let program = crate::testing::model::program(text);
    let system = crate::build(&program, &crate::weave::Options::default());
    let (model, _) = CompiledSystem::new(&system, &[]).expect("it is small");
    let by_cases = |u: &&Update| matches!(u, Update::Cases(_));
    assert!(model.code.updates.iter().filter(by_cases).count() > 0);
    agrees(&system, 0, 20_000);
}
