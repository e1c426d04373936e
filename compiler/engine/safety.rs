//! The safety search: invariants, `reachable`, deadlock and run-time checks, all in one pass.
//!
//! States are visited in order of the fewest faults and then the fewest steps that lead to them. All states that take
//! `f` faults are found, level by level, before the first that takes `f + 1`: those are what fault edges lead to
//! from the former, merged by the number of steps with what other edges lead to from each other. So the
//! first state that violates a property is a closest one, and when its level is complete so are the closest ones.

use super::code::Range;
use super::explorer::{Explorer, Level};
use super::model::Select;
use super::space::Exhausted;
use super::trace::{self, Goal, Target};
use super::{Notice, Options, Progress};
use crate::graph::Check;
use crate::verdict::{Outcome, Verdict};
use crate::weave::{Expr, PropertyKind, System};

/// States are expanded in batches of about so many successors.
const BATCH: usize = 64;

/// After so many successors the caller is asked whether to go on.
const POLL: u64 = 16_384;

/// A property to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// An index into `System::properties`.
    pub property: usize,
    /// What decides it when found.
    pub goal: Goal,
    /// Whether finding it means that the property holds.
    pub holds_if_found: bool,
}

impl Question {
    /// The condition that a property asks about, if it is a safety property.
    pub fn condition(system: &System, property: usize) -> Option<Expr> {
        match &system.properties[property].kind {
            PropertyKind::Deadlock => Some(system.deadlock_if_quiescent()),
            PropertyKind::Check(_) => Some(Expr::yes()),
            PropertyKind::Invariant(e) | PropertyKind::Reachable(e) => Some(e.clone()),
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) => None,
        }
    }

    /// The question of a property whose condition has been compiled.
    pub fn new(system: &System, property: usize, condition: Range) -> Option<Question> {
        let (goal, holds_if_found) = match system.properties[property].kind {
            PropertyKind::Deadlock => (Goal::Quiescent(condition), false),
            PropertyKind::Check(check) => (Goal::Failing(bit(check)), false),
            PropertyKind::Invariant(_) => {
                let value = false;
                (Goal::State { condition, value }, false)
            }
            PropertyKind::Reachable(_) => {
                let value = true;
                (Goal::State { condition, value }, true)
            }
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) => return None,
        };
        Some(Question {
            property,
            goal,
            holds_if_found,
        })
    }
}

/// The bit of a check in `EdgeCode::fails`.
fn bit(check: Check) -> u8 {
    let position = Check::ALL.iter().position(|c| *c == check);
    1 << position.expect("every check is listed")
}

/// Answers the questions, in the order in which the answers are found.
pub fn search<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    questions: &[Question],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> (Vec<Verdict>, Result<(), Exhausted>) {
    let mut search = Search {
        open: questions.iter().map(|q| (*q, None)).collect(),
        explorer,
        options,
        notice,
        verdicts: Vec::new(),
        work: 0,
    };
    search.settle_statically();
    let ended = if search.is_over() {
        Ok(())
    } else {
        search.run()
    };
    if ended.is_err() {
        // What was found in a level that is not complete is found nevertheless.
        search.settle();
    }
    let explorer = &*search.explorer;
    let left: Vec<Verdict> = search
        .open
        .iter()
        .map(|(question, _)| Verdict {
            property: question.property,
            outcome: match ended {
                Ok(()) if question.holds_if_found => Outcome::Violated,
                Ok(()) => Outcome::Holds,
                Err(_) => Outcome::Unknown(explored(explorer)),
            },
            run: None,
        })
        .collect();
    for verdict in &left {
        (search.notice)(Notice::Verdict(verdict));
    }
    search.verdicts.extend(left);
    (search.verdicts, ended)
}

/// How far a search has come.
pub fn explored<const W: usize>(explorer: &Explorer<'_, W>) -> String {
    format!(
        "explored {} states to depth {}",
        explorer.store.len(),
        explorer.depth()
    )
}

struct Search<'s, 'a, const W: usize> {
    explorer: &'s mut Explorer<'a, W>,
    /// What is undecided, and how far away the closest answer is once it has been found.
    open: Vec<(Question, Option<(u32, u32)>)>,
    options: &'s Options<'s>,
    notice: &'s mut dyn FnMut(Notice<'_>),
    verdicts: Vec<Verdict>,
    work: u64,
}

impl<const W: usize> Search<'_, '_, W> {
    fn is_over(&self) -> bool {
        self.open.is_empty() && !self.options.full_space
    }

    /// Answers what is plain without a search.
    fn settle_statically(&mut self) {
        let fails = self.explorer.model.fails();
        let code = &self.explorer.model.code;
        let never = |condition: Range| code.is_never(condition);
        let mut settled = Vec::new();
        self.open.retain(|(question, _)| {
            let impossible = match question.goal {
                Goal::Failing(check) => fails & check == 0,
                Goal::Quiescent(condition) => never(condition),
                Goal::State { condition, value } => {
                    if value {
                        never(condition)
                    } else {
                        condition.start == condition.end
                    }
                }
            };
            if impossible {
                settled.push(Verdict {
                    property: question.property,
                    outcome: if question.holds_if_found {
                        Outcome::Violated
                    } else {
                        Outcome::HoldsStatically
                    },
                    run: None,
                });
            }
            !impossible
        });
        for verdict in settled {
            (self.notice)(Notice::Verdict(&verdict));
            self.verdicts.push(verdict);
        }
    }

    fn run(&mut self) -> Result<(), Exhausted> {
        let initial = self.explorer.store.load(0);
        look(self.explorer, &mut self.open, &initial, (0, 0));
        self.settle();
        let mut below = 0..0;
        for faults in 0.. {
            // The levels of this layer begin here; that of no faults begins with the initial state.
            let first = if faults == 0 {
                0
            } else {
                self.explorer.levels.len()
            };
            let (mut here, mut under) = (first, below.start);
            loop {
                if self.is_over() {
                    return Ok(());
                }
                let own = self.explorer.levels.get(here).copied();
                let lower = (under < below.end).then(|| self.explorer.levels[under]);
                let steps = own.iter().chain(&lower).map(|l| l.steps).min();
                let Some(steps) = steps else {
                    break;
                };
                let mut sources = Vec::with_capacity(2);
                if let Some(level) = own.filter(|l| l.steps == steps) {
                    sources.push((level, Select::Steps));
                    here += 1;
                }
                if let Some(level) = lower.filter(|l| l.steps == steps) {
                    sources.push((level, Select::Faults));
                    under += 1;
                }
                self.build(faults, steps + 1, &sources)?;
                self.settle();
            }
            if self.explorer.levels.len() == first {
                break;
            }
            below = first..self.explorer.levels.len();
        }
        self.explorer.complete = true;
        Ok(())
    }

    /// Finds the states of a level from those of the levels that lead to it.
    fn build(
        &mut self,
        faults: u32,
        steps: u32,
        sources: &[(Level, Select)],
    ) -> Result<(), Exhausted> {
        let start = self.explorer.store.len() as u32;
        let mut ended = Ok(());
        for (level, select) in sources {
            ended = ended.and_then(|()| self.expand(*level, *select, (faults, steps)));
        }
        let end = self.explorer.store.len() as u32;
        if end > start {
            let levels = &mut self.explorer.levels;
            levels.try_reserve(1).map_err(|_| Exhausted::Memory)?;
            levels.push(Level {
                faults,
                steps,
                start,
                end,
            });
        }
        self.explorer.peak = self.explorer.peak.max(self.explorer.memory());
        ended
    }

    fn expand(
        &mut self,
        level: Level,
        select: Select,
        distance: (u32, u32),
    ) -> Result<(), Exhausted> {
        let mut failed = 0;
        let fails_wanted = self.open.iter().fold(0, |bits, (q, _)| match q.goal {
            Goal::Failing(bit) => bits | bit,
            _ => bits,
        });
        let deadlock_wanted = select == Select::Steps
            && self
                .open
                .iter()
                .any(|(q, _)| matches!(q.goal, Goal::Quiescent(_)));
        let explorer = &mut *self.explorer;
        explorer.batch.clear();
        for id in level.start..level.end {
            let words = explorer.store.load(id);
            let mut forced = false;
            let batch = &mut explorer.batch;
            let before = batch.len();
            explorer
                .model
                .successors(&words, select, &mut explorer.scratch, |edge, _, next| {
                    forced |= edge.forced;
                    failed |= edge.fails;
                    batch.push(next);
                });
            self.work += 1 + (explorer.batch.len() - before) as u64;
            if deadlock_wanted && !forced {
                for (question, found) in &mut self.open {
                    if let Goal::Quiescent(condition) = question.goal
                        && found.is_none()
                        && explorer
                            .model
                            .code
                            .holds(condition, &words, &mut explorer.scratch)
                    {
                        *found = Some((level.faults, level.steps));
                    }
                }
            }
            if explorer.batch.len() >= BATCH || id + 1 == level.end {
                insert(explorer, &mut self.open, distance)?;
            }
            if self.work >= POLL {
                self.work = 0;
                if (self.options.stop)() {
                    insert(explorer, &mut self.open, distance)?;
                    return Err(Exhausted::Stopped);
                }
                (self.notice)(Notice::Progress(Progress {
                    states: explorer.store.len() as u64,
                    queue: (explorer.store.len() as u32 - id) as u64,
                    transitions: explorer.transitions,
                    faults: distance.0,
                    depth: distance.1,
                    memory: explorer.memory(),
                }));
            }
        }
        if failed & fails_wanted != 0 {
            for (question, found) in &mut self.open {
                if let Goal::Failing(bit) = question.goal
                    && failed & bit != 0
                    && found.is_none()
                {
                    *found = Some(distance);
                }
            }
        }
        Ok(())
    }

    /// Answers the questions whose closest answers have been found.
    fn settle(&mut self) {
        let mut next = 0;
        while next < self.open.len() {
            let (question, Some((faults, steps))) = self.open[next] else {
                next += 1;
                continue;
            };
            self.open.remove(next);
            let target = Target {
                faults,
                steps,
                goal: question.goal,
            };
            let run = trace::shortest(self.explorer, target, self.options.limits.memory);
            let verdict = Verdict {
                property: question.property,
                outcome: if question.holds_if_found {
                    Outcome::Holds
                } else {
                    Outcome::Violated
                },
                run,
            };
            (self.notice)(Notice::Verdict(&verdict));
            self.verdicts.push(verdict);
        }
    }
}

/// Looks up the successors found so far and looks at the new ones.
fn insert<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    open: &mut [(Question, Option<(u32, u32)>)],
    distance: (u32, u32),
) -> Result<(), Exhausted> {
    let Explorer {
        model,
        store,
        batch,
        scratch,
        transitions,
        ..
    } = explorer;
    *transitions += batch.len() as u64;
    let inserted = store.insert_all(batch, |_, words| {
        for (question, found) in open.iter_mut() {
            if let Goal::State { condition, value } = question.goal
                && found.is_none()
                && model.code.holds(condition, words, scratch) == value
            {
                *found = Some(distance);
            }
        }
    });
    batch.clear();
    inserted
}

/// Looks at a single state.
fn look<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    open: &mut [(Question, Option<(u32, u32)>)],
    words: &[u64; W],
    distance: (u32, u32),
) {
    for (question, found) in open {
        if let Goal::State { condition, value } = question.goal
            && found.is_none()
            && explorer
                .model
                .code
                .holds(condition, words, &mut explorer.scratch)
                == value
        {
            *found = Some(distance);
        }
    }
}
