//! The safety search: invariants, `reachable`, deadlock and run-time checks, all in one pass.
//!
//! Without shortcuts states are visited in order of the fewest faults and then the fewest steps that lead to them; with
//! shortcuts by steps alone, unless [`Options::by_faults`] asks for that order, as it does where there are faults. In it all states that take `f` faults are
//! found, level by level, before the first that takes `f + 1`: those are what fault edges lead to from the former, merged by
//! the number of steps with what other edges lead to from each other. So without shortcuts the first state that violates a
//! property is a closest one, and when its level is complete all the closest ones are known.
//!
//! The order by faults works with shortcuts as well. What the reduction puts before a run is a key, which is no fault, and
//! otherwise it only moves steps of the run about (see [`super::reduction`]): so if a sought state can be reached with `f`
//! faults, one can be in the reduced space. Exchanging processes exchanges steps with steps and faults with faults. Only
//! the number of steps means little then.

use super::code::Range;
use super::expand::{Built, Standing};
use super::explorer::{Explorer, Level};
use super::model::Select;
use super::searchers::Searchers;
use super::space::Exhausted;
use super::trace::{Goal, Target};
use super::{Notice, Options, Progress};
use crate::system::Check;
use crate::system::{Expr, Sought, System};
use crate::verdict::{Outcome, Verdict};

/// A state of more words than these counts as several where a search ends with enough of them.
const USUAL_WORDS: u64 = 16;

/// So many times what is enough a level may find before it is given up: there are models in which one is a thousand times as large as
/// the one before.
const MOST_LEVEL: u64 = 8;

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
        match system.properties[property].kind.sought(system) {
            Sought::State(e, _) | Sought::Rest(e) => Some(e),
            Sought::Failure(_) => Some(Expr::yes()),
            Sought::Run => None,
        }
    }

    /// The question of a property whose condition has been compiled.
    pub fn new(system: &System, property: usize, condition: Range) -> Option<Question> {
        let kind = &system.properties[property].kind;
        let goal = match kind.sought(system) {
            Sought::State(_, value) => Goal::State { condition, value },
            Sought::Rest(_) => Goal::Quiescent(condition),
            Sought::Failure(check) => Goal::Failing(bit(check)),
            Sought::Run => return None,
        };
        Some(Question {
            property,
            goal,
            holds_if_found: kind.holds_if_found(),
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
    searchers: &mut dyn Searchers<W>,
    questions: &[Question],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> (Vec<Verdict>, Result<(), Exhausted>) {
    let mut search = Search {
        open: questions.iter().map(|q| (*q, None)).collect(),
        enough: enough(options, explorer.model.layout.words),
        explorer,
        searchers,
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
    let states = search.searchers.states(search.explorer);
    let explored = explored(states, search.explorer.depth());
    let left: Vec<Verdict> = search
        .open
        .iter()
        .map(|(question, _)| Verdict {
            property: question.property,
            outcome: match ended {
                Ok(()) if question.holds_if_found => Outcome::Violated,
                Ok(()) => Outcome::Holds,
                Err(_) => Outcome::Unknown(explored.clone()),
            },
            run: None,
            minimal: false,
        })
        .collect();
    for verdict in &left {
        (search.notice)(Notice::Verdict(verdict));
    }
    search.verdicts.extend(left);
    (search.verdicts, ended)
}

/// With how many states of so many words a search has enough.
fn enough(options: &Options<'_>, words: usize) -> u64 {
    match options.enough {
        u64::MAX => u64::MAX,
        enough => enough.saturating_mul(USUAL_WORDS) / (words as u64).max(USUAL_WORDS),
    }
}

/// How far a search has come.
pub fn explored(states: u64, depth: u32) -> String {
    format!("explored {states} states to depth {depth}")
}

struct Search<'s, 'a, const W: usize> {
    explorer: &'s mut Explorer<'a, W>,
    /// Who does the work.
    searchers: &'s mut dyn Searchers<W>,
    /// What is undecided, and how far away the closest answer is once it has been found.
    open: Vec<(Question, Option<Level>)>,
    options: &'s Options<'s>,
    /// With more states it is time to ask whether to go on.
    enough: u64,
    notice: &'s mut dyn FnMut(Notice<'_>),
    verdicts: Vec<Verdict>,
    /// How much has been done, so that whoever waits is asked now and then whether to go on.
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
                        // A condition without a test always holds.
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
                    minimal: false,
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
        self.look_at_the_initial_states()?;
        self.settle();
        match (self.explorer.shortcuts.any(), self.options.by_faults) {
            (true, true) => self.run_in_order(Select::ShortcutSteps, Select::ShortcutFaults),
            (true, false) => self.run_with_shortcuts(),
            (false, _) => self.run_in_order(Select::Steps, Select::Faults),
        }
    }

    /// Level by level, by steps alone: where shortcuts are taken distances mean little.
    fn run_with_shortcuts(&mut self) -> Result<(), Exhausted> {
        for steps in 0.. {
            if self.is_over() {
                return Ok(());
            }
            if self.explorer.levels.len() <= steps as usize {
                break;
            }
            let level = Level {
                faults: 0,
                steps: steps + 1,
            };
            self.build(level, &[(steps as usize, Select::Shortcuts)])?;
            self.settle();
        }
        self.explorer.complete = true;
        Ok(())
    }

    /// By faults, and then by steps.
    fn run_in_order(&mut self, step: Select, fault: Select) -> Result<(), Exhausted> {
        let mut below = 0..0;
        for faults in 0.. {
            if faults > self.options.max_faults {
                return Err(Exhausted::Faults);
            }
            // The levels of this layer begin here; that of no faults begins with the initial state.
            let first = match faults {
                0 => 0,
                _ => self.explorer.levels.len(),
            };
            let (mut here, mut under) = (first, below.start);
            loop {
                if self.is_over() {
                    return Ok(());
                }
                let own = self.explorer.levels.get(here).map(|l| l.steps);
                let lower = (under < below.end).then(|| self.explorer.levels[under].steps);
                let Some(steps) = own.into_iter().chain(lower).min() else {
                    break;
                };
                let mut sources = Vec::with_capacity(2);
                if own == Some(steps) {
                    sources.push((here, step));
                    here += 1;
                }
                if lower == Some(steps) {
                    sources.push((under, fault));
                    under += 1;
                }
                let steps = steps + 1;
                self.build(Level { faults, steps }, &sources)?;
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

    fn look_at_the_initial_states(&mut self) -> Result<(), Exhausted> {
        let mut met = vec![false; self.open.len()];
        for state in self.explorer.initials() {
            let words = self.explorer.known.words(state);
            let code = &self.explorer.model.code;
            for ((question, _), met) in self.open.iter().zip(&mut met) {
                if let Goal::State { condition, value } = question.goal {
                    *met |= code.holds(condition, &words, &mut self.explorer.scratch) == value;
                }
            }
        }
        self.searchers.join(&mut met)?;
        let first = Level {
            faults: 0,
            steps: 0,
        };
        for ((_, found), met) in self.open.iter_mut().zip(met) {
            *found = met.then_some(first);
        }
        Ok(())
    }

    /// Finds the states of a level from those of the levels that lead to it.
    fn build(&mut self, level: Level, sources: &[(usize, Select)]) -> Result<(), Exhausted> {
        let questions: Vec<Question> = self.open.iter().map(|(question, _)| *question).collect();
        let transitions = self.explorer.transitions;
        let (stop, notice) = (self.options.stop, &mut *self.notice);
        let most = self.enough.saturating_mul(MOST_LEVEL);
        let mut go_on = |now: Standing| {
            if stop() || now.states > most {
                return false;
            }
            notice(Notice::Progress(Progress {
                states: now.states,
                queue: now.queue,
                transitions: transitions + now.transitions,
                faults: level.faults,
                depth: level.steps,
                memory: now.memory,
            }));
            true
        };
        let Built { met, ended } = self.searchers.build(
            self.explorer,
            level,
            sources,
            &questions,
            &mut self.work,
            &mut go_on,
        );
        if self.searchers.states(self.explorer) > most {
            // What was found here by then would depend on the threads.
            self.searchers.end_level(self.explorer, level)?;
            return Err(Exhausted::States);
        }
        let here = sources.iter().find(|(_, select)| !select.is_faults());
        for ((question, found), met) in self.open.iter_mut().zip(met) {
            if met {
                *found = match question.goal {
                    // It is the states that were expanded that are deadlocks.
                    Goal::Quiescent(_) => here.map(|(source, _)| self.explorer.levels[*source]),
                    Goal::State { .. } | Goal::Failing(_) => Some(level),
                };
            }
        }
        self.searchers.end_level(self.explorer, level)?;
        ended?;
        if self.searchers.states(self.explorer) <= self.enough {
            return Ok(());
        }
        let outlook = self.searchers.outlook(self.explorer);
        self.enough = outlook
            .and_then(self.options.persists)
            .ok_or(Exhausted::States)?;
        Ok(())
    }

    /// Answers the questions whose closest answers have been found.
    fn settle(&mut self) {
        let mut next = 0;
        while next < self.open.len() {
            let (question, Some(level)) = self.open[next] else {
                next += 1;
                continue;
            };
            self.open.remove(next);
            let target = Target {
                level,
                goal: question.goal,
            };
            let run = self.searchers.run_to(self.explorer, target, self.options);
            let verdict = Verdict {
                property: question.property,
                outcome: if question.holds_if_found {
                    Outcome::Holds
                } else {
                    Outcome::Violated
                },
                minimal: run.is_some() && !self.explorer.shortcuts.any(),
                run,
            };
            (self.notice)(Notice::Verdict(&verdict));
            self.verdicts.push(verdict);
        }
    }
}
