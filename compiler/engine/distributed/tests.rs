//! Several processes find what one finds, in the same order.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::*;
use crate::engine;
use crate::engine::store::Limits;
use crate::testing::system::random_system;

/// Processes that are threads, and send each other what they have to say.
struct Threads {
    index: usize,
    others: Vec<Sender<(usize, u64, Said)>>,
    said: Receiver<(usize, u64, Said)>,
    parcels: VecDeque<(usize, u64, Vec<u8>)>,
    /// How many have closed each round.
    closed: HashMap<u64, usize>,
    round: u64,
    is_closed: bool,
    halted: Option<u64>,
    bytes: u64,
    /// After so many parcels it is lost.
    left: u64,
    /// After so long others are taken for lost.
    patience: Duration,
}

enum Said {
    Parcel(Vec<u8>),
    Close,
    Halt(bool),
}

impl Threads {
    fn all(count: usize) -> Vec<Threads> {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
        let all = receivers.into_iter().enumerate();
        all.map(|(index, said)| Threads {
            index,
            others: senders.clone(),
            said,
            parcels: VecDeque::new(),
            closed: HashMap::new(),
            round: 0,
            is_closed: false,
            halted: None,
            bytes: 0,
            left: u64::MAX,
            patience: Duration::from_secs(60),
        })
        .collect()
    }

    fn say(&mut self, to: usize, what: Said) -> Result<(), Broken> {
        self.left = self.left.checked_sub(1).ok_or(Broken)?;
        let sent = self.others[to].send((self.index, self.round, what));
        sent.map_err(|_| Broken)
    }

    fn hear(&mut self, (from, round, what): (usize, u64, Said)) {
        match what {
            Said::Parcel(parcel) => self.parcels.push_back((from, round, parcel)),
            Said::Close => *self.closed.entry(round).or_default() += 1,
            Said::Halt(for_good) => self.halted = Some(if for_good { u64::MAX } else { round }),
        }
    }
}

impl Mesh for Threads {
    fn index(&self) -> usize {
        self.index
    }

    fn processes(&self) -> usize {
        self.others.len()
    }

    fn send(&mut self, to: usize, parcel: Vec<u8>) -> Result<(), Broken> {
        assert!(
            !self.is_closed || self.left == 0,
            "it has said that this is all"
        );
        self.bytes += parcel.len() as u64;
        self.say(to, Said::Parcel(parcel))
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Broken> {
        while let Ok(said) = self.said.try_recv() {
            self.hear(said);
        }
        let due = self
            .parcels
            .iter()
            .position(|(_, round, _)| *round == self.round);
        let due = due.and_then(|at| self.parcels.remove(at));
        Ok(due.map(|(from, _, parcel)| (from, parcel)))
    }

    fn close(&mut self) -> Result<bool, Broken> {
        if !self.is_closed {
            self.is_closed = true;
            for to in 0..self.others.len() {
                self.say(to, Said::Close)?;
            }
        }
        let all = self.closed.get(&self.round) == Some(&self.others.len());
        let is_due = |(_, round, _): &(usize, u64, Vec<u8>)| *round == self.round;
        if all && self.parcels.iter().any(is_due) {
            return Ok(false);
        }
        if all {
            self.round += 1;
            self.is_closed = false;
            return Ok(true);
        }
        match self.said.recv_timeout(self.patience) {
            Ok(said) => self.hear(said),
            Err(_) => {
                self.left = 0;
                return Err(Broken);
            }
        }
        Ok(false)
    }

    fn halt(&mut self, for_good: bool) -> Result<(), Broken> {
        (0..self.others.len()).try_for_each(|to| self.say(to, Said::Halt(for_good)))
    }

    fn is_halted(&self) -> bool {
        self.halted == Some(self.round) || self.halted == Some(u64::MAX)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.halted == Some(u64::MAX)
    }

    fn end_soon(&mut self) {}

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The safety properties of a System.
fn safety(system: &System) -> Vec<usize> {
    let all = 0..system.properties.len();
    all.filter(|p| !system.properties[*p].kind.is_temporal())
        .collect()
}

/// The reports of all processes.
fn together(
    meshes: Vec<Threads>,
    system: &System,
    options: &(dyn Fn(usize) -> Options<'static> + Sync),
) -> Vec<Report> {
    let wanted = safety(system);
    thread::scope(|scope| {
        let all: Vec<_> = (meshes.into_iter())
            .map(|mut mesh| {
                let wanted = &wanted;
                scope.spawn(move || {
                    let options = options(mesh.index);
                    check(&mut mesh, None, (system, wanted), &options, &mut |_| {})
                })
            })
            .collect();
        let reports = all.into_iter().map(|one| one.join().expect("it ends"));
        reports.collect()
    })
}

/// A report without what depends on how many have searched.
fn essence(mut report: Report) -> Report {
    report.stats.memory = 0;
    report.stats.processes = 0;
    report.stats.bytes = 0;
    report.stats.outlook = None;
    report
}

fn agrees(seed: u64, options: &(dyn Fn() -> Options<'static> + Sync)) -> u64 {
    let system = random_system(seed);
    let alone = engine::check(&system, &safety(&system), &options(), &mut |_| {});
    let processes = 1 + seed as usize % 4;
    for report in together(Threads::all(processes), &system, &|_| options()) {
        assert_eq!(report.stats.processes, processes);
        assert_eq!(essence(report), essence(alone.clone()), "seed {seed}");
    }
    let runs = alone.verdicts.iter().filter_map(|v| v.run.as_ref());
    runs.map(|run| run.moves.len() as u64).sum()
}

#[test]
fn several_processes_find_what_one_finds() {
    let full: &(dyn Fn() -> Options<'static> + Sync) = &|| Options {
        full_space: true,
        ..Options::default()
    };
    let mut steps = 0;
    for seed in 0..120 {
        steps += agrees(seed, full);
        steps += agrees(seed, &Options::default);
    }
    assert!(steps > 500, "{steps} steps of runs were compared");
}

#[test]
fn shortcuts_are_the_same_for_all() {
    for seed in 200..260 {
        for (reduction, symmetry, by_faults) in [
            (true, false, false),
            (false, true, true),
            (true, true, true),
        ] {
            agrees(seed, &|| Options {
                reduction,
                symmetry,
                by_faults,
                ..Options::default()
            });
        }
    }
}

#[test]
fn limits_end_the_search_at_the_same_level() {
    for seed in 300..340 {
        for enough in [3, 20, 100] {
            agrees(seed, &|| Options {
                enough,
                full_space: true,
                max_faults: 1,
                ..Options::default()
            });
        }
    }
}

/// Who shows the shortest runs needs memory; with little of it a thin one is shown.
#[test]
fn a_thin_run_is_the_same_one() {
    let mut thin = 0;
    for seed in 0..60 {
        let system = random_system(seed);
        let alone = engine::check(&system, &safety(&system), &Options::default(), &mut |_| {});
        let used = alone.stats.memory;
        for report in together(Threads::all(3), &system, &|_| Options {
            limits: Limits {
                memory: used + 200,
                ..Limits::NONE
            },
            ..Options::default()
        }) {
            if report.stats.exhausted.is_some() {
                continue;
            }
            for (ours, theirs) in report.verdicts.iter().zip(&alone.verdicts) {
                assert_eq!(ours.outcome, theirs.outcome);
                let length = |v: &crate::verdict::Verdict| v.run.as_ref().map(|r| r.moves.len());
                assert_eq!(length(ours), length(theirs), "seed {seed}");
                thin += usize::from(ours.run != theirs.run);
            }
        }
    }
    assert!(thin > 0);
}

#[test]
fn who_stops_stops_all() {
    for (who, seed) in [(0, 3), (1, 4), (2, 5)] {
        let system = random_system(seed);
        let reports = together(Threads::all(3), &system, &move |index| Options {
            full_space: true,
            stop: match index == who {
                true => &|| true,
                false => &|| false,
            },
            ..Options::default()
        });
        for report in reports {
            assert_eq!(report.stats.exhausted, Some(Exhausted::Stopped));
            assert!(!report.stats.complete);
        }
    }
}

/// Whenever somebody is lost, the others end, and what they say is true.
#[test]
fn nobody_waits_for_who_is_lost() {
    let system = random_system(11);
    let alone = engine::check(&system, &safety(&system), &Options::default(), &mut |_| {});
    for left in [0, 1, 5, 20, 60, 100] {
        let mut meshes = Threads::all(3);
        meshes[1].left = left;
        meshes
            .iter_mut()
            .for_each(|m| m.patience = Duration::from_millis(100));
        for report in together(meshes, &system, &|_| Options::default()) {
            for (ours, theirs) in report.verdicts.iter().zip(&alone.verdicts) {
                if !matches!(ours.outcome, crate::verdict::Outcome::Unknown(_)) {
                    assert_eq!(ours.outcome, theirs.outcome);
                }
            }
        }
    }
}

#[test]
fn states_are_shared_evenly() {
    for processes in [1, 2, 3, 7, 100] {
        let mut counts = vec![0; processes];
        for state in 0..100_000u64 {
            counts[owner(engine::store::hash(&[state]), processes)] += 1;
        }
        let even = 100_000 / processes;
        assert!(
            counts
                .iter()
                .all(|count| (even * 8 / 10..=even * 12 / 10).contains(count))
        );
    }
}
