//! Random runs: the same seed gives the same run on every machine.
//!
//! Each step is chosen in three throws, so that a process with many ways to go on is not favoured: whether a fault is
//! injected (if one can be), then which fault or which process, then which of its edges and values.

use super::choices::{enabled, find_picks};
use super::monitor::Monitor;
use super::{Trace, step};
use crate::system::state::{self, State};
use crate::system::{EdgeKind, System};
use crate::verdict::{Move, Run};
use crate::vocabulary::{FaultId, ProcessId};

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): 64 bits of state, no
/// floating point, nothing that differs between machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// True with a probability in parts of a million.
    pub fn chance(&mut self, millionths: u64) -> bool {
        self.below(1_000_000) < millionths
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// How a random run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It was long enough.
    Long,
    /// Nobody can move any more.
    Over,
    /// A property is violated.
    Violated,
    /// Somebody wants it to end.
    Stopped,
}

/// A random run.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulated {
    /// Its moves.
    pub run: Run,
    /// Its steps.
    pub trace: Trace,
    /// Why it is not longer.
    pub end: End,
    /// The properties that its end violates.
    pub violated: Vec<usize>,
    /// The `reachable` properties that were reached, in order.
    pub reached: Vec<usize>,
}

/// How to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The most steps of a run.
    pub steps: usize,
    /// How likely a fault is where one can be injected, in parts of a million.
    pub fault_rate: u64,
}

/// A random run of a System; it ends where a property is violated, or when `stop` says so.
pub fn simulate(
    system: &System,
    monitor: &Monitor,
    settings: Settings,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Simulated {
    let mut random = Random::new(seed);
    let initial = begin(system, &mut random);
    let mut run = Run {
        start: state::start_codes(system, &initial),
        ..Run::default()
    };
    let mut trace = Trace::start(system, initial);
    let mut reached = Vec::new();
    let mut end = End::Long;
    let mut course = monitor.begin();
    loop {
        for goal in monitor.reached(trace.last()) {
            if !reached.contains(&goal) {
                reached.push(goal);
            }
        }
        let mut violated = monitor.read(&mut course, trace.steps.last(), trace.last());
        if !violated.is_empty() {
            end = End::Violated;
        } else if stop() {
            end = End::Stopped;
        } else if trace.steps.len() < settings.steps {
            match choose(system, trace.last(), settings.fault_rate, &mut random) {
                Some(taken) => {
                    let next = step(system, trace.last(), &taken);
                    trace
                        .steps
                        .push(next.expect("a move that was found possible"));
                    run.moves.push(taken);
                    continue;
                }
                None => {
                    end = End::Over;
                    let (found, endless, shown) = monitor.at_rest(system, &run, &trace);
                    if !found.is_empty() {
                        (end, violated, run, trace) = (End::Violated, found, endless, shown);
                    }
                }
            }
        }
        reached.sort_unstable();
        return Simulated {
            run,
            trace,
            end,
            violated,
            reached,
        };
    }
}

/// So many throws, and then the first initial state will do.
const THROWS: usize = 1_000;

/// A random initial state.
pub fn begin(system: &System, random: &mut Random) -> State {
    for _ in 0..THROWS {
        let choices = system.starts.choices.iter();
        let codes: Vec<i64> = choices.map(|choice| *random.pick(&choice.codes)).collect();
        if let Some(state) = state::start(system, &codes) {
            return state;
        }
    }
    state::initial(system)
}

/// A random move, or `None` if nobody can move, or has to and will.
pub fn choose(
    system: &System,
    state: &State,
    fault_rate: u64,
    random: &mut Random,
) -> Option<Move> {
    let mut movers: Vec<(ProcessId, Vec<usize>)> = Vec::new();
    let mut faults: Vec<(FaultId, Vec<(ProcessId, usize)>)> = Vec::new();
    for (process, p) in system.processes() {
        let mut ordinary = Vec::new();
        for (edge, _) in enabled(system, state, process) {
            match p.edges[edge].kind {
                EdgeKind::Fault(fault) => match faults.iter_mut().find(|(f, _)| *f == fault) {
                    Some((_, edges)) => edges.push((process, edge)),
                    None => faults.push((fault, vec![(process, edge)])),
                },
                _ => ordinary.push(edge),
            }
        }
        if !ordinary.is_empty() {
            movers.push((process, ordinary));
        }
    }
    let (process, edge) = if !faults.is_empty() && random.chance(fault_rate) {
        let (_, edges) = random.pick(&faults);
        *random.pick(edges)
    } else if movers.is_empty() {
        return None;
    } else {
        let (process, edges) = random.pick(&movers);
        (*process, *random.pick(edges))
    };
    let picks = find_picks(state, &system.process(process).edges[edge], &mut |count| {
        random.below(count)
    });
    Some(Move::Step {
        process,
        edge,
        picks: picks.expect("the edge can go"),
    })
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the published reference implementation for the seed 1234567.
    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
        assert!((0..1000).all(|_| random.below(3) < 3));
        assert!(!(0..1000).any(|_| random.chance(0)));
        assert!((0..1000).all(|_| random.chance(1_000_000)));
    }
}
