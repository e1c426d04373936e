//! The run that is reported, and so the trace that is shown: of all with the fewest faults and then the fewest steps the one
//! with the fewest switches between processes, and of those the first in declaration order.
//!
//! The search keeps no predecessors. It numbers states by their distance, and every edge of a shortest trace leads from
//! one distance to the next; so the states on shortest traces are found by going back through the levels once, asking
//! of each state whether it leads to one that is marked. A mark holds the fewest switches from there to the end and
//! the processes that may move first for that; with these the trace is read off from the beginning.
//!
//! In: where the search has met its goal. Out: a [`Run`]. Nothing is replayed here; that is what `crate::trace` is for.

mod some;

pub use some::some;

use super::code::Range;
use super::explorer::{Explorer, Level};
use super::model::{EdgeCode, Select, to_move};
use super::store::hash;
use crate::verdict::Run;

/// Where a trace shall end.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How far away it is.
    pub level: Level,
    /// What is there.
    pub goal: Goal,
}

/// What a trace leads to.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// A state in which a condition has a value.
    State {
        /// The condition.
        condition: Range,
        /// Its value.
        value: bool,
    },
    /// A state that nobody has to leave in which a condition holds.
    Quiescent(Range),
    /// The taking of an edge on which a run-time check fails: a bit of `EdgeCode::fails`.
    Failing(u8),
}

/// A state on a shortest trace.
#[derive(Clone, Copy, Debug)]
struct Mark {
    state: u64,
    /// The fewest faults that lead here.
    faults: u32,
    /// The fewest switches from here to the end.
    switches: u32,
    /// The processes that may move first then: a set of them, or its position in `Marks::sets`.
    first: u64,
}

/// The marked states by their distance from the initial state in steps; in order of their numbers.
struct Marks {
    steps: Vec<Vec<Mark>>,
    /// Sets of processes, if there are more than 64.
    sets: Vec<u64>,
    processes: usize,
    memory: usize,
}

/// The trace to a target that the search has found, or none if the target is not there.
pub fn shortest<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    memory: usize,
) -> Option<Run> {
    let spare = memory.saturating_sub(explorer.memory());
    let marks = mark(explorer, target, spare, false)
        // Where memory is short a trace with the fewest faults and steps must do.
        .or_else(|| mark(explorer, target, usize::MAX, true))?;
    let used = explorer.memory() + marks.memory;
    explorer.peak = explorer.peak.max(used);
    read_off(explorer, target, &marks)
}

/// Marks the states on shortest traces, or one of them per step if `thin`. None if that takes more memory than there
/// is.
fn mark<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    memory: usize,
    thin: bool,
) -> Option<Marks> {
    let mut marks = Marks {
        steps: vec![Vec::new(); target.level.steps as usize + 1],
        sets: Vec::new(),
        processes: explorer.model.processes(),
        memory: 0,
    };
    let everybody = marks.everybody();
    let last = target.level.steps;
    let mut states = Vec::new();
    if let Some(level) = explorer.level(target.level) {
        for part in explorer.known.parts(level) {
            explorer.known.read(&part, &mut states).ok()?;
            for (state, words) in &states {
                let state = (*state, target.level.faults);
                if is_goal(explorer, words, target.goal) && marks.wants(explorer, last, words, thin)
                {
                    marks.add(last, state, 0, &everybody, memory)?;
                }
            }
        }
    }
    let mut filter = Filter::default();
    let mut costs = Costs::new(marks.processes);
    for steps in (0..last).rev() {
        marks.sort(steps + 1);
        filter.fill(explorer, &marks.steps[steps as usize + 1]);
        for faults in 0..=target.level.faults {
            let level = Level { faults, steps };
            let Some(position) = explorer.level(level) else {
                continue;
            };
            for part in explorer.known.parts(position) {
                explorer.known.read(&part, &mut states).ok()?;
                for (state, words) in &states {
                    costs.clear();
                    each_tight(
                        explorer,
                        target,
                        &marks,
                        &filter,
                        level,
                        words,
                        |edge, _, _, rest| {
                            costs.add(edge.process as usize, rest);
                        },
                    );
                    if let Some(best) = costs.best
                        && marks.wants(explorer, steps, words, thin)
                    {
                        let set = &costs.first;
                        marks.add(steps, (*state, faults), best, set, memory)?;
                    }
                }
            }
            if thin && !marks.steps[steps as usize].is_empty() {
                break;
            }
        }
    }
    Some(marks)
}

/// Whether a state is what a trace leads to.
pub fn is_goal<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    words: &[u64; W],
    goal: Goal,
) -> bool {
    let code = &explorer.model.code;
    match goal {
        Goal::State { condition, value } => {
            code.holds(condition, words, &mut explorer.scratch) == value
        }
        Goal::Quiescent(condition) => {
            code.holds(condition, words, &mut explorer.scratch) && !explorer.is_forced(words)
        }
        Goal::Failing(_) => false,
    }
}

/// Calls `found` with the edges out of a state that shortest traces take, in no particular order: the edge,
/// the position of its picks, the state it leads to, and the fewest switches after it.
fn each_tight<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    marks: &Marks,
    filter: &Filter,
    level: Level,
    words: &[u64; W],
    mut found: impl FnMut(&EdgeCode, u32, Option<u64>, u32),
) {
    let mut scratch = std::mem::take(&mut explorer.scratch);
    let explored = &*explorer;
    let steps = level.steps + 1;
    for select in [Select::Steps, Select::Faults] {
        let faults = level.faults + u32::from(select == Select::Faults);
        if faults > target.level.faults {
            continue;
        }
        let there = explored.level(Level { faults, steps }).is_some();
        explored
            .model
            .successors(words, select, &mut scratch, |edge, picks, next| {
                if let Goal::Failing(check) = target.goal
                    && steps == target.level.steps
                {
                    if edge.fails & check != 0 && faults == target.level.faults {
                        found(edge, picks, None, 0);
                    }
                    return true;
                }
                let hash = hash(&next);
                if there
                    && filter.may_have(hash)
                    && let Some(next) = explored.known.find(&next, hash)
                    && let Some(mark) = marks.get(steps, next)
                    && mark.faults == faults
                {
                    let rest = marks.rest(mark, edge.process as usize);
                    found(edge, picks, Some(next), rest);
                }
                true
            });
    }
    explorer.scratch = scratch;
}

/// The trace, from the beginning: at each state the first move in declaration order that leads to the fewest
/// switches.
fn read_off<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    marks: &Marks,
) -> Option<Run> {
    // Of the initial states those that need the fewest switches, and of those the first.
    let starts = explorer.initials().into_iter().enumerate();
    let (_, mut state) = starts
        .filter(|(_, state)| marks.get(0, *state).is_some())
        .min_by_key(|(place, state)| (marks.get(0, *state).map(|mark| mark.switches), *place))?;
    let (start, _) = explorer.start(&explorer.known.words(state))?;
    let mut run = Run {
        start,
        ..Run::default()
    };
    let mut faults = 0;
    let mut left = marks.get(0, state)?.switches;
    let mut previous: Option<u32> = None;
    let mut filter = Filter::default();
    for steps in 0..target.level.steps {
        let level = Level { faults, steps };
        filter.fill(explorer, &marks.steps[steps as usize + 1]);
        let mut best: Option<([u32; 3], Option<u64>, u32, bool)> = None;
        let words = explorer.known.words(state);
        each_tight(
            explorer,
            target,
            marks,
            &filter,
            level,
            &words,
            |edge, picks, next, rest| {
                let switch = previous.is_some_and(|p| p != edge.process);
                if rest + u32::from(switch) == left {
                    let step = ([edge.process, edge.edge, picks], next, rest, edge.fault);
                    best = Some(best.map_or(step, |b| b.min(step)));
                }
            },
        );
        let ([process, edge, picks], next, rest, fault) = best?;
        run.moves
            .push(to_move(explorer.system, process, edge, picks));
        previous = Some(process);
        left = rest;
        faults += u32::from(fault);
        if let Some(next) = next {
            state = next;
        }
    }
    Some(run)
}

/// The fewest switches after a first move, by who makes it.
pub struct Costs {
    /// The fewest.
    pub best: Option<u32>,
    /// Who makes the first move then: a bit per process.
    pub first: Vec<u64>,
}

impl Costs {
    /// Of so many processes.
    pub fn new(processes: usize) -> Self {
        Costs {
            best: None,
            first: vec![0; processes.div_ceil(64).max(1)],
        }
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.best = None;
    }

    /// Adds a first move.
    pub fn add(&mut self, process: usize, cost: u32) {
        if self.best.is_none_or(|best| cost < best) {
            self.best = Some(cost);
            self.first.fill(0);
        }
        if self.best == Some(cost) {
            self.first[process / 64] |= 1 << (process % 64);
        }
    }
}

impl Marks {
    fn everybody(&self) -> Vec<u64> {
        vec![u64::MAX; self.processes.div_ceil(64).max(1)]
    }

    fn add(
        &mut self,
        step: u32,
        (state, faults): (u64, u32),
        switches: u32,
        first: &[u64],
        memory: usize,
    ) -> Option<()> {
        let first = match first {
            [set] => *set,
            sets => {
                self.memory += size_of_val(sets);
                self.sets.try_reserve(sets.len()).ok()?;
                self.sets.extend_from_slice(sets);
                (self.sets.len() - sets.len()) as u64
            }
        };
        let marks = &mut self.steps[step as usize];
        if marks.len() == marks.capacity() {
            // Doubling; the old half is free again when the new one is in use.
            let more = marks.len().max(4);
            self.memory += more * size_of::<Mark>();
            if self.memory > memory || marks.try_reserve_exact(more).is_err() {
                return None;
            }
        }
        marks.push(Mark {
            state,
            faults,
            switches,
            first,
        });
        Some(())
    }

    /// Whether a state is to be marked. Of a `thin` trace only one is, the same one however many threads have searched.
    fn wants<const W: usize>(
        &mut self,
        explorer: &Explorer<'_, W>,
        step: u32,
        state: &[u64; W],
        thin: bool,
    ) -> bool {
        let marks = &mut self.steps[step as usize];
        let words = |mark: &Mark| explorer.known.words(mark.state);
        if thin && marks.first().is_some_and(|mark| words(mark) <= *state) {
            return false;
        }
        if thin {
            marks.clear();
        }
        true
    }

    /// Puts the marks of a step in order: they were added level by level.
    fn sort(&mut self, step: u32) {
        self.steps[step as usize].sort_unstable_by_key(|mark| mark.state);
    }

    fn get(&self, step: u32, state: u64) -> Option<&Mark> {
        let marks = &self.steps[step as usize];
        let found = marks.binary_search_by_key(&state, |mark| mark.state);
        found.ok().map(|i| &marks[i])
    }

    /// The fewest switches from a marked state on if `process` has moved last.
    fn rest(&self, mark: &Mark, process: usize) -> u32 {
        let set = if self.processes <= 64 {
            mark.first
        } else {
            self.sets[mark.first as usize + process / 64]
        };
        let stays = (set >> (process % 64)) & 1 != 0;
        mark.switches + u32::from(!stays)
    }
}

/// Which hashes may be those of marked states: keeps most states from being looked up.
#[derive(Default)]
struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    fn fill<const W: usize>(&mut self, explorer: &Explorer<'_, W>, marks: &[Mark]) {
        let words = (marks.len() / 8).clamp(16, 1 << 20).next_power_of_two();
        self.bits.clear();
        self.bits.resize(words, 0);
        for mark in marks {
            let bit = self.position(hash(&explorer.known.words(mark.state)));
            self.bits[bit / 64] |= 1 << (bit % 64);
        }
    }

    fn position(&self, hash: u64) -> usize {
        (hash >> 8) as usize & (self.bits.len() * 64 - 1)
    }

    fn may_have(&self, hash: u64) -> bool {
        let bit = self.position(hash);
        (self.bits[bit / 64] >> (bit % 64)) & 1 != 0
    }
}
