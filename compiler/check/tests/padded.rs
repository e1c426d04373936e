//! Random Systems beside bystanders that have nothing to do with them: the number of faults shown is the same.

use super::super::minimise::cost;
use super::*;
use crate::system::{
    Edge, EdgeKind, Expr, Fault, Leaf, LocId, Location, LocationKind, Process, Property,
    PropertyKind,
};
use crate::testing::system::{Shape, random_condition, random_system_of, span, tell_faults};
use crate::verdict::Run;
use crate::vocabulary::{FaultId, ProcessId};

const SHAPE: Shape = Shape {
    processes: 2,
    vars: 4,
    derived: 1,
    locations: 4,
    edges: 2,
    values: 2,
    specs: 0,
    faults: true,
    picks: true,
};

/// A process that goes round and round by itself, and may be thrown back from anywhere by a fault.
fn bystander(system: &mut System, round: u32) {
    let number = system.processes.len();
    let fault = FaultId(system.faults.len() as u32);
    system.faults.push(Fault {
        phase: None,
        always: false,
        name: format!("bystander{number}@restart"),
        span: span(),
    });
    let edge = |from: u32, to: u32, kind: EdgeKind| Edge {
        from: LocId(from),
        to: LocId(to),
        guard: Expr::yes(),
        picks: Vec::new(),
        updates: Vec::new(),
        kind,
        events: Vec::new(),
        span: span(),
    };
    let rounds = (0..round).map(|at| edge(at, (at + 1) % round, EdgeKind::Normal));
    let faults = (1..round).map(|at| edge(at, 0, EdgeKind::Fault(fault)));
    let location = |kind| Location {
        kind,
        labels: Vec::new(),
        span: span(),
    };
    let mut locations: Vec<Location> = (0..round)
        .map(|_| location(LocationKind::Statement))
        .collect();
    locations.extend([location(LocationKind::Done), location(LocationKind::Failed)]);
    system.processes.push(Process {
        name: format!("bystander{number}"),
        proc_name: "Bystander".to_owned(),
        locations,
        edges: rounds.chain(faults).collect(),
        initial: LocId(0),
        done: LocId(round),
        failed: LocId(round + 1),
        crashed: None,
        recovers: false,
        labels: Vec::new(),
        span: span(),
    });
}

/// The run that is shown for the last property, and what it shows.
fn shown(system: &System, thresholds: Thresholds) -> Option<(Run, Answer)> {
    let wanted = [system.properties.len() - 1];
    let task = Task {
        system,
        wanted: &wanted,
        options: Options {
            thresholds,
            ..Options::default()
        },
    };
    let strategy = Strategy::new(&task, None, &Nowhere);
    let found = search::decide(&strategy).expect("it can be relied on");
    let spent = minimise::Spent {
        visited: Some(1),
        many: true,
    };
    let candidates = minimise::minimise(&strategy, found, spent).expect("it can be relied on");
    let candidate = candidates.into_iter().next()?;
    let answer = Answer::new(system, &candidate.verdict, candidate.shows).expect("it replays");
    Some((candidate.verdict.run?, answer))
}

/// Compares the faults of padded models with those of the models; how many, and how many of these need faults.
fn compare(seeds: std::ops::Range<u64>, bystanders: u32, thresholds: Thresholds) -> (usize, usize) {
    let (mut compared, mut faulty) = (0, 0);
    for seed in seeds {
        let mut system = random_system_of(seed, SHAPE);
        let mut sought = random_condition(&system, seed * 3);
        let (id, process) = (ProcessId(0), &system.processes[0]);
        if let Some(crashed) = process.crashed.filter(|_| seed % 2 == 0) {
            let crashed = Expr::Leaf(Leaf::At(id, vec![crashed]));
            sought = Expr::and([sought, crashed]);
        }
        system.properties.push(Property {
            form: None,
            name: "sought".to_owned(),
            kind: PropertyKind::Invariant(sought.not()),
            tolerant: None,
            span: None,
        });
        let last = system.properties.len() - 1;
        let plain = engine::check(&system, &[last], &engine::Options::default(), &mut |_| {});
        let Some(run) = &plain.verdicts[0].run else {
            continue;
        };
        let (faults, _) = cost(&system, run);
        for number in 0..bystanders {
            bystander(&mut system, 5 + number % 3);
        }
        tell_faults(&mut system);
        let (run, answer) = shown(&system, thresholds).expect("it is violated there, too");
        assert_eq!(cost(&system, &run).0, faults, "seed {seed}");
        assert!(answer.shows > Shows::Any, "seed {seed}");
        compared += 1;
        faulty += usize::from(faults > 0);
    }
    (compared, faulty)
}

#[test]
fn bystanders_do_not_add_faults() {
    let tiny = Thresholds {
        few: 20,
        chances: [50, 200, 400],
        worth_searching: 100,
        worth_a_lasso: 100,
    };
    let (compared, faulty) = compare(0..120, 4, tiny);
    assert!(compared > 30, "{compared}");
    assert!(faulty > 3, "{faulty} of {compared}");
}

#[test]
#[ignore = "takes minutes"]
fn many_bystanders_do_not_add_faults() {
    let (compared, faulty) = compare(1000..2000, 9, Thresholds::default());
    println!("{faulty} of {compared} need faults");
    assert!(compared > 300, "{compared}");
}
