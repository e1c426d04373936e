//! The trace that is shown: of all with the fewest faults and then the fewest steps the one with the fewest
//! switches between processes, and of those the first in declaration order.
//!
//! The search keeps no predecessors. It numbers states by their distance, and every edge of a shortest trace leads from
//! one distance to the next; so the states on shortest traces are found by going back through the levels once, asking
//! of each state whether it leads to one that is marked. A mark holds the fewest switches from there to the end and
//! the processes that may move first for that; with these the trace is read off from the beginning.

use super::code::Range;
use super::explorer::{Explorer, Level};
use super::model::{EdgeCode, Select, to_move};
use super::space::INITIAL;
use super::store::{UNKNOWN, hash};
use crate::verdict::Run;

/// Where a trace shall end.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How many faults it takes.
    pub faults: u32,
    /// How many steps it takes.
    pub steps: u32,
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
    id: u32,
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
        steps: vec![Vec::new(); target.steps as usize + 1],
        sets: Vec::new(),
        processes: explorer.model.processes(),
        memory: 0,
    };
    let everybody = marks.everybody();
    if let Some(level) = explorer.level(target.faults, target.steps) {
        for id in level.start..level.end {
            if is_goal(explorer, id, target.goal) {
                marks.add(target.steps, id, 0, &everybody, memory)?;
                if thin {
                    break;
                }
            }
        }
    }
    let mut filter = Filter::default();
    let mut costs = Costs::new(marks.processes);
    for step in (0..target.steps).rev() {
        filter.fill(explorer, &marks.steps[step as usize + 1]);
        'layers: for faults in 0..=target.faults {
            let Some(level) = explorer.level(faults, step) else {
                continue;
            };
            for id in level.start..level.end {
                costs.clear();
                each_tight(
                    explorer,
                    target,
                    &marks,
                    &filter,
                    level,
                    id,
                    |edge, _, _, rest| {
                        costs.add(edge.process as usize, rest);
                    },
                );
                if let Some(best) = costs.best {
                    let set = &costs.first;
                    marks.add(step, id, best, set, memory)?;
                    if thin {
                        break 'layers;
                    }
                }
            }
        }
    }
    Some(marks)
}

fn is_goal<const W: usize>(explorer: &mut Explorer<'_, W>, id: u32, goal: Goal) -> bool {
    let words = explorer.store.load(id);
    let code = &explorer.model.code;
    match goal {
        Goal::State { condition, value } => {
            code.holds(condition, &words, &mut explorer.scratch) == value
        }
        Goal::Quiescent(condition) => {
            code.holds(condition, &words, &mut explorer.scratch) && !explorer.is_forced(&words)
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
    id: u32,
    mut found: impl FnMut(&EdgeCode, u32, u32, u32),
) {
    let words = explorer.store.load(id);
    let model = &explorer.model;
    let store = &explorer.store;
    let levels = &explorer.levels;
    let last = level.steps + 1 == target.steps;
    let range = |faults: u32| {
        let found =
            levels.binary_search_by_key(&(faults, level.steps + 1), |l| (l.faults, l.steps));
        found.map_or(0..0, |i| levels[i].start..levels[i].end)
    };
    for select in [Select::Steps, Select::Faults] {
        let faults = level.faults + u32::from(select == Select::Faults);
        if faults > target.faults {
            continue;
        }
        let there = range(faults);
        model.successors(
            &words,
            select,
            &mut explorer.scratch,
            |edge, picks, next| {
                if let Goal::Failing(bit) = target.goal
                    && last
                {
                    if edge.fails & bit != 0 && faults == target.faults {
                        found(edge, picks, UNKNOWN, 0);
                    }
                    return;
                }
                let hash = hash(&next);
                if !filter.may_have(hash) {
                    return;
                }
                let Some(next) = store.find(&next, hash).filter(|id| there.contains(id)) else {
                    return;
                };
                if let Some(mark) = marks.get(level.steps + 1, next) {
                    let rest = marks.rest(mark, edge.process as usize);
                    found(edge, picks, next, rest);
                }
            },
        );
    }
}

/// The trace, from the beginning: at each state the first move in declaration order that leads to the fewest
/// switches.
fn read_off<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    marks: &Marks,
) -> Option<Run> {
    let mut run = Run::default();
    let mut id = INITIAL;
    let mut faults = 0;
    let mut left = marks.get(0, id)?.switches;
    let mut previous: Option<u32> = None;
    let mut filter = Filter::default();
    for step in 0..target.steps {
        let level = explorer.level(faults, step)?;
        filter.fill(explorer, &marks.steps[step as usize + 1]);
        let mut best: Option<([u32; 3], u32, u32, bool)> = None;
        each_tight(
            explorer,
            target,
            marks,
            &filter,
            level,
            id,
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
        id = next;
    }
    Some(run)
}

/// The fewest switches after a first move, by who makes it.
struct Costs {
    best: Option<u32>,
    /// Who makes the first move then: a bit per process.
    first: Vec<u64>,
}

impl Costs {
    fn new(processes: usize) -> Self {
        Costs {
            best: None,
            first: vec![0; processes.div_ceil(64).max(1)],
        }
    }

    fn clear(&mut self) {
        self.best = None;
    }

    fn add(&mut self, process: usize, cost: u32) {
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
        id: u32,
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
            id,
            switches,
            first,
        });
        Some(())
    }

    fn get(&self, step: u32, id: u32) -> Option<&Mark> {
        let marks = &self.steps[step as usize];
        let found = marks.binary_search_by_key(&id, |mark| mark.id);
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
            let bit = self.position(hash(&explorer.store.load(mark.id)));
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
