//! The engine against the plain walker.

use super::emptiness::components::components;
use super::packed_space::PackedSpace;
use super::replicas::replicas;
use super::space::{Space, Transition};
use super::*;
use crate::system::Event;
use crate::system::state;
use crate::system::{Property, PropertyKind};
use crate::testing::model::program;
use crate::testing::plain_space::PlainSpace;
use crate::testing::shortest::shortest;
use crate::testing::system::{Shape, random_condition, random_system, random_system_of};
use crate::verdict::{Run, Verdict};
use std::sync::Mutex;

/// A disk that is none, with room for so many bytes.
#[derive(Debug)]
pub struct MemoryDisk {
    bytes: Mutex<Vec<u8>>,
    room: usize,
}

impl Default for MemoryDisk {
    fn default() -> Self {
        MemoryDisk::with_room(usize::MAX)
    }
}

impl MemoryDisk {
    pub fn with_room(room: usize) -> Self {
        MemoryDisk {
            bytes: Mutex::default(),
            room,
        }
    }
}

impl Disk for MemoryDisk {
    fn clear(&self) {
        self.bytes.lock().unwrap().clear();
    }

    fn append(&self, bytes: &[u8]) -> Option<u64> {
        let mut all = self.bytes.lock().unwrap();
        let place = all.len() as u64;
        (all.len() + bytes.len() <= self.room).then(|| {
            all.extend_from_slice(bytes);
            place
        })
    }

    fn read(&self, place: u64, bytes: &mut [u8]) -> bool {
        let all = self.bytes.lock().unwrap();
        let wanted = place as usize..place as usize + bytes.len();
        all.get(wanted)
            .map(|found| bytes.copy_from_slice(found))
            .is_some()
    }
}

fn all(system: &System) -> Vec<usize> {
    (0..system.properties.len()).collect()
}

fn check_all(system: &System, options: &Options<'_>) -> Report {
    let mut told = Vec::new();
    let report = check(system, &all(system), options, &mut |notice| {
        if let Notice::Verdict(verdict) = notice {
            told.push(verdict.clone());
        }
    });
    told.sort_by_key(|v| v.property);
    assert_eq!(told, report.verdicts);
    report
}

/// What a property has to be answered with: whether it holds, and the run.
fn wanted(system: &System, property: usize) -> (bool, Option<Run>) {
    let no_edge = |_: &crate::system::Edge| false;
    let (found_means, run) = match &system.properties[property].kind {
        PropertyKind::Deadlock => {
            let deadlock = system.deadlock();
            (false, shortest(system, |s| s.holds(&deadlock), no_edge))
        }
        PropertyKind::Check(check) => (
            false,
            shortest(
                system,
                |_| false,
                |e| e.events.contains(&Event::Failed(*check)),
            ),
        ),
        PropertyKind::Invariant(e) => (false, shortest(system, |s| !s.holds(e), no_edge)),
        PropertyKind::Reachable(e) => (true, shortest(system, |s| s.holds(e), no_edge)),
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => {
            unreachable!("only safety here")
        }
    };
    (run.is_some() == found_means, run)
}

fn agrees(system: &System, seed: u64, limit: usize) -> bool {
    let Some(states) = state::walk(system, limit) else {
        return false;
    };
    let full = || Options {
        full_space: true,
        ..Options::default()
    };
    let report = check_all(system, &full());
    assert!(report.stats.complete);
    assert_eq!(report.stats.states, states.len() as u64, "seed {seed}");
    let moves: usize = states
        .iter()
        .map(|s| {
            let steps = state::successors(system, s);
            steps
                .iter()
                .filter(|(m, _)| *m != crate::verdict::Move::Stutter)
                .count()
        })
        .sum();
    assert_eq!(report.stats.transitions, moves as u64, "seed {seed}");
    for verdict in &report.verdicts {
        let name = &system.properties[verdict.property].name;
        let (holds, run) = wanted(system, verdict.property);
        let found = matches!(verdict.outcome, Outcome::Holds | Outcome::HoldsStatically);
        assert_eq!(found, holds, "seed {seed}: {name}: {:?}", verdict.outcome);
        assert_eq!(verdict.run, run, "seed {seed}: {name}");
    }
    // Several threads find the same.
    for threads in [2, 5] {
        let options = Options { threads, ..full() };
        let mut other = check_all(system, &options);
        other.stats.memory = report.stats.memory;
        assert_eq!(other, report, "seed {seed}, {threads} threads");
    }
    in_few_bytes(system, seed, &report);
    with_shortcuts(system, seed, &report.verdicts);
    // Without the rest of the state space the answers are the same, and so they are one at a time.
    assert_eq!(
        check_all(system, &Options::default()).verdicts,
        report.verdicts
    );
    let one = (seed % report.verdicts.len() as u64) as usize;
    let alone = check(system, &[one], &Options::default(), &mut |_| {});
    assert_eq!(alone.verdicts, report.verdicts[one..=one]);
    true
}

/// However states are stored, everything is the same.
fn in_few_bytes(system: &System, seed: u64, wanted: &Report) {
    let mut used = 0;
    for (threads, on_disk) in [(1, false), (3, false), (1, true), (2, true)] {
        let disk = MemoryDisk::default();
        let options = Options {
            threads,
            few: seed % 40,
            disk: on_disk.then_some(&disk),
            full_space: true,
            ..Options::default()
        };
        let mut other = check_all(system, &options);
        other.stats.memory = wanted.stats.memory;
        let spilled = std::mem::take(&mut other.stats.spilled);
        assert!(on_disk || spilled == 0);
        used += u64::from(spilled > 0);
        assert_eq!(&other, wanted, "seed {seed}, {threads} threads, {on_disk}");
    }
    // Small Systems are done before there is anything to be made compact.
    assert!(used == 2 || wanted.stats.states < 200);
}

/// With shortcuts the answers are the same, and runs lead where they shall.
fn with_shortcuts(system: &System, seed: u64, wanted: &[Verdict]) {
    for (reduction, symmetry) in [(true, false), (false, true), (true, true)] {
        let options = Options {
            reduction,
            symmetry,
            threads: 1 + seed as usize % 2,
            few: if seed.is_multiple_of(3) {
                u64::MAX
            } else {
                seed % 20
            },
            ..Options::default()
        };
        let report = check_all(system, &options);
        for (found, wanted) in report.verdicts.iter().zip(wanted) {
            let name = &system.properties[found.property].name;
            let what = format!("seed {seed}, {reduction} {symmetry}: {name}");
            assert_eq!(found.outcome, wanted.outcome, "{what}");
            if let Some(run) = &found.run {
                assert!(leads_there(system, found.property, run), "{what}: {run:?}");
            }
        }
    }
}

fn leads_there(system: &System, property: usize, run: &Run) -> bool {
    let Some(mut state) = state::start(system, &run.start) else {
        return false;
    };
    let mut failed = Vec::new();
    for step in &run.moves {
        let crate::verdict::Move::Step {
            process,
            edge,
            picks,
        } = step
        else {
            return false;
        };
        let edge = &system.process(*process).edges[*edge];
        failed.extend(edge.events.iter().filter_map(|event| match event {
            Event::Failed(check) => Some(*check),
            _ => None,
        }));
        match state::take(system, &state, *process, edge, picks) {
            Some(next) => state = next,
            None => return false,
        }
    }
    match &system.properties[property].kind {
        PropertyKind::Deadlock => state.holds(&system.deadlock()),
        PropertyKind::Check(check) => failed.contains(check),
        PropertyKind::Invariant(e) => !state.holds(e),
        PropertyKind::Reachable(e) => state.holds(e),
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => false,
    }
}

#[test]
fn verdicts_counts_and_traces_are_those_of_the_plain_walker() {
    let checked = (0..400).filter(|seed| agrees(&random_system(*seed), *seed, 250));
    assert!(checked.count() >= 300);
}

#[test]
fn shortcuts_on_replicas() {
    on_replicas(0..150);
}

#[test]
#[ignore = "takes minutes"]
fn shortcuts_on_many_random_replicas() {
    on_replicas(1000..6000);
}

fn on_replicas(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let (mut checked, mut smaller) = (0, 0);
    for seed in seeds {
        let mut made = replicas(seed, 2 + seed as u32 % 3);
        let mut add = |name: &str, kind| {
            made.system.properties.push(Property {
                form: None,
                name: name.into(),
                kind,
                tolerant: None,
                span: None,
            });
        };
        for condition in made.conditions {
            add("always", PropertyKind::Invariant(condition.clone()));
            add("once", PropertyKind::Reachable(condition));
        }
        let options = Options {
            enough: 3000,
            ..Options::default()
        };
        let report = check_all(&made.system, &options);
        if report.stats.exhausted.is_none() {
            checked += 1;
            with_shortcuts(&made.system, seed, &report.verdicts);
            let options = Options {
                reduction: true,
                symmetry: true,
                ..Options::default()
            };
            let stats = check_all(&made.system, &options).stats;
            smaller += u64::from(stats.reduction && stats.symmetry);
        }
    }
    assert!(checked > count / 2, "{checked} of {count}");
    assert!(smaller > count / 8, "{smaller} of {count}");
}

#[test]
fn many_interleavings_with_faults() {
    let shape = Shape {
        processes: 4,
        locations: 4,
        vars: 2,
        values: 2,
        ..Shape::default()
    };
    let checked = (0..60).filter(|seed| agrees(&random_system_of(*seed, shape), *seed, 400));
    assert!(checked.count() >= 30);
}

/// One level may have a thousand times the states of the one before.
#[test]
fn a_level_that_is_far_too_large_is_given_up() {
    let text = "\
proc P() {
    var x 0..3
    x = 1
    x = 2
}

init {
    for i in range 0 to 300 { p[i]: P(), }
}
";
    let system = crate::build(&program(text), &crate::weave::Options::default());
    let options = Options {
        // More than there are processes, also with wide states counted as several; far fewer than there are pairs of them.
        enough: 1000,
        ..Options::default()
    };
    let report = check_all(&system, &options);
    assert_eq!(report.stats.exhausted, Some(space::Exhausted::States));
    let states = report.stats.states;
    assert!((400..30_000).contains(&states), "{states}");
}

#[test]
fn any_number_of_threads_finds_the_same() {
    for seed in 0..60 {
        let system = random_system(seed);
        let full = Options {
            full_space: true,
            ..Options::default()
        };
        let wanted = check_all(&system, &full);
        let conditions: Vec<Expr> = all(&system)
            .into_iter()
            .filter_map(|p| Question::condition(&system, p))
            .collect();
        let (model, conditions) = CompiledSystem::new(&system, &conditions).unwrap();
        let questions: Vec<Question> = conditions
            .into_iter()
            .enumerate()
            .filter_map(|(p, condition)| Question::new(&system, p, condition))
            .collect();
        let threads = 1 + seed as usize % 5;
        let mut explorer =
            Explorer::<4>::new(&system, model, Shortcuts::default(), Limits::NONE, threads)
                .unwrap();
        let (mut found, ended) =
            safety::search(&mut explorer, &mut Alone, &questions, &full, &mut |_| {});
        found.sort_by_key(|verdict| verdict.property);
        assert_eq!(ended, Ok(()));
        assert_eq!(found, wanted.verdicts);
        assert_eq!(explorer.states(), wanted.stats.states);
        assert_eq!(explorer.transitions, wanted.stats.transitions);
    }
}

#[test]
fn cycles_have_faults_only_where_they_may() {
    let (mut never, mut seen) = (0, 0);
    for seed in 0..300 {
        let system = random_system(seed);
        let mut plain = PlainSpace::new(&system, 200);
        let mut out: Vec<Vec<Transition>> = Vec::new();
        while out.len() < plain.states() {
            out.push(Vec::new());
            let state = out.len() - 1;
            if plain.successors(state as u32, &mut out[state]).is_err() {
                break;
            }
        }
        if out.len() < plain.states() {
            continue;
        }
        let next = |state: u32, cursor: &mut u32| {
            *cursor += 1;
            let transition = out[state as usize].get(*cursor as usize - 1);
            transition.map(|transition| transition.target)
        };
        let (component, _) = components(out.len(), |_| true, next);
        let recurs = out.iter().zip(&component).any(|(out, here)| {
            let inside = |t: &Transition| t.fault && component[t.target as usize] == *here;
            out.iter().any(inside)
        });
        let may = explore(&system, &Options::default(), |space| space.faults_recur()).unwrap();
        assert!(may || !recurs, "seed {seed}");
        never += usize::from(!may);
        seen += usize::from(recurs);
    }
    assert!(never >= 30 && seen >= 30, "{never} without, {seen} with");
}

#[test]
fn the_space_is_the_plain_one() {
    for seed in 0..80 {
        let system = random_system(seed);
        let (model, _) = CompiledSystem::new(&system, &[]).unwrap();
        let mut explorer =
            Explorer::<4>::new(&system, model, Shortcuts::default(), Limits::NONE, 1).unwrap();
        if seed % 2 == 0 {
            // Half of the time after a safety search: the numbers are others then.
            let options = Options {
                full_space: true,
                ..Options::default()
            };
            let (_, ended) = safety::search(&mut explorer, &mut Alone, &[], &options, &mut |_| {});
            assert_eq!(ended, Ok(()));
        }
        let never = || false;
        let mut packed = PackedSpace::new(&mut explorer, &never);
        let mut plain = PlainSpace::new(&system, 200);
        let atoms: Vec<(usize, usize)> = (0..4)
            .map(|i| random_condition(&system, seed * 5 + i % 3))
            .map(|e| (packed.atom(&e), plain.atom(&e)))
            .collect();
        assert_eq!(atoms[0], atoms[3]);
        // Numbers differ, so states are paired as they are found.
        let mut pairs = vec![(0, 0)];
        let mut next = 0;
        let (mut ours, mut theirs): (Vec<Transition>, Vec<Transition>) = Default::default();
        while let Some((a, b)) = pairs.get(next).copied() {
            next += 1;
            if plain.successors(b, &mut theirs).is_err() {
                break;
            }
            packed.successors(a, &mut ours).unwrap();
            assert_eq!(ours.len(), theirs.len());
            for (our, their) in ours.iter().zip(&theirs) {
                assert_eq!(packed.to_move(our), plain.to_move(their));
                let target = their.target;
                assert_eq!(Transition { target, ..*our }, *their);
                let pair = (our.target, their.target);
                let known = pairs.iter().find(|(a, b)| *a == pair.0 || *b == pair.1);
                match known {
                    Some(known) => assert_eq!(*known, pair),
                    None => pairs.push(pair),
                }
            }
            for p in 0..plain.processes() {
                assert_eq!(packed.can_move(a, p), plain.can_move(b, p));
            }
            for (ours, theirs) in &atoms {
                assert_eq!(packed.holds(a, *ours), plain.holds(b, *theirs));
            }
        }
    }
}

#[test]
fn limits_end_in_unknown() {
    let mut limited = 0;
    for seed in 0..80 {
        let system = random_system(seed);
        let Some(states) = state::walk(&system, 500) else {
            continue;
        };
        let count = states.len() as u64;
        let full = Options {
            full_space: true,
            ..Options::default()
        };
        let unlimited = check_all(&system, &full);
        for most in [1, count / 2, count - 1, count, count + 1] {
            let options = Options {
                limits: Limits {
                    states: most.max(1),
                    ..Limits::NONE
                },
                full_space: true,
                ..Options::default()
            };
            let report = check_all(&system, &options);
            assert!(report.stats.states <= most.max(1));
            assert_eq!(report.stats.complete, most.max(1) >= count);
            for (found, known) in report.verdicts.iter().zip(&unlimited.verdicts) {
                match &found.outcome {
                    Outcome::Unknown(why) => {
                        limited += 1;
                        assert!(!report.stats.complete);
                        let Stats { states, depth, .. } = report.stats;
                        assert_eq!(*why, format!("explored {states} states to depth {depth}"));
                    }
                    outcome => {
                        assert_eq!(*outcome, known.outcome, "seed {seed}");
                        // A shortest trace, if perhaps not the first among equals.
                        let length = |v: &Verdict| v.run.as_ref().map(|r| r.moves.len());
                        assert_eq!(length(found), length(known));
                    }
                }
            }
        }
    }
    assert!(limited > 200, "{limited}");
}

#[test]
fn a_search_that_is_told_to_stop_stops() {
    let shape = Shape {
        processes: 6,
        vars: 8,
        values: 8,
        specs: 0,
        ..Shape::default()
    };
    let system = (0..)
        .map(|seed| random_system_of(seed, shape))
        .find(|s| state::walk(s, 15_000).is_none())
        .unwrap();
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let options = Options {
        full_space: true,
        stop: &stop,
        ..Options::default()
    };
    let mut progress = Vec::new();
    let report = check(&system, &all(&system), &options, &mut |notice| {
        if let Notice::Progress(p) = notice {
            progress.push(p);
        }
    });
    assert_eq!(report.stats.exhausted, Some(Exhausted::Stopped));
    assert_eq!(progress.len(), 2);
    assert!(progress[0].states < progress[1].states);
    let known = |v: &Verdict| !matches!(v.outcome, Outcome::Unknown(_)) || v.run.is_none();
    assert!(report.verdicts.iter().all(known));
}
