//! With which sets of faults is each property violated, and how many injections does it survive?
//!
//! What is asked of single states is answered for all sets at once ([`antichains`]); `ltl` properties and those `ctl` ones that
//! more faults can only break by asking about few sets ([`duality`]); other `ctl` properties set by set: all on one
//! exploration with all faults ([`Recorded`]). Where that is not possible (too large, or a fault that takes
//! behaviour away) each set is woven and checked by itself, as far as the limits allow.

use super::antichains::{self, Goal};
use super::duality;
use super::each;
use super::fault_set::FaultSet;
use super::question::{Question, question};
use super::recorded::{Edges, NO_FAULT, Recorded};
use super::violations::{Possible, Shape, Violations};
use crate::check::{Options, Trouble, World};
use crate::engine;
use crate::engine::ctl::Labelling;
use crate::engine::emptiness::{self, Effort, Stop};
use crate::engine::space::{Exhausted, Space};
use crate::simplify::{Rules, simplify_until};
use crate::system::{Event, Formula, System};
use crate::vocabulary::FaultId;

/// What is to be found out, and how.
pub struct Inquiry<'a> {
    /// The System with all the faults woven.
    pub system: &'a System,
    /// These faults: at most [`FaultSet::MOST`].
    pub faults: &'a [FaultId],
    /// The properties, by their index.
    pub wanted: &'a [usize],
    /// The System with only some faults woven.
    pub weave: &'a dyn Fn(&[FaultId]) -> System,
    /// How to search.
    pub options: Options,
    /// For a property that neither rises nor falls: with how many injections it is tried at most.
    pub max_faults: u32,
}

/// What was found out about a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Surveyed {
    /// Which property: an index into `System::properties`.
    pub property: usize,
    /// With which sets of faults it is violated.
    pub violations: Violations,
    /// How many injections it survives.
    pub tolerates: Tolerates,
}

/// How many injections a property survives, with all faults possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tolerates {
    /// It holds with at most so many injections in a run, and not with one more.
    AtMost(u32),
    /// It does not hold even without faults.
    Nothing,
    /// Any number.
    Any,
    /// Any finite number; it is violated only if faults are injected again and again for ever.
    AnyFinite,
    /// At least so many; with more it was not tried.
    AtLeast(u32),
    /// Nobody knows.
    Unknown,
}

/// What was found out about all properties.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Survey {
    /// In the order of the properties asked for.
    pub properties: Vec<Surveyed>,
    /// Figures, if one exploration was enough.
    pub figures: Option<Figures>,
}

/// How much work it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// States with all faults.
    pub states: usize,
    /// Pairs of a state and a smallest set of faults with which it is reached.
    pub pairs: usize,
    /// Sets that were asked about one by one.
    pub questions: usize,
}

/// Finds out with which sets of faults the properties of a task are violated.
///
/// # Errors
/// If the model cannot be answered: no run satisfies its assumptions, or there is a bug.
pub fn survey(task: &Inquiry<'_>, world: &dyn World) -> Result<Survey, Trouble> {
    let questions: Vec<(usize, Question)> = task
        .wanted
        .iter()
        .map(|property| (*property, question(task.system, task.faults, *property)))
        .collect();
    let (each, together): (Vec<_>, Vec<_>) = questions
        .into_iter()
        .partition(|(_, question)| matches!(question, Question::Each));
    let mut survey = match together.is_empty() {
        true => Survey::default(),
        false => match in_one_exploration(task, &together, world)? {
            Some(survey) => survey,
            None => each::survey(task, &together, world)?,
        },
    };
    if !each.is_empty() {
        let rest = each::survey(task, &each, world)?;
        survey.properties.extend(rest.properties);
    }
    let position = |s: &Surveyed| task.wanted.iter().position(|p| *p == s.property);
    survey.properties.sort_by_key(position);
    Ok(survey)
}

/// Answers everything on one exploration with all faults; `None` if that is too large, or takes more than half of the time there is:
/// the other half is for sets by themselves, which may be searched with shortcuts.
fn in_one_exploration(
    task: &Inquiry<'_>,
    questions: &[(usize, Question)],
    world: &dyn World,
) -> Result<Option<Survey>, Trouble> {
    let latest = world.time_left().map(|left| world.elapsed() + left / 2);
    let late = || latest.is_some_and(|latest| world.elapsed() > latest);
    let stop = || world.is_over() || late();
    let over = || world.is_over();
    let rules = match task.options.simplify {
        true => Rules::default(),
        false => Rules::NONE,
    };
    let simplified = simplify_until(task.system, &rules, &stop);
    let system = &simplified.system;
    // Its locations have other numbers.
    let asked = questions.iter().map(|(property, _)| *property);
    let questions: Vec<(usize, Question)> = asked
        .map(|property| (property, question(system, &[], property)))
        .collect();
    let options = engine::Options {
        limits: task.options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    let found = engine::explore(system, &options, |space| {
        let edges = Edges::new(system, task.faults);
        let mut progress = |states: usize| {
            world.progress(&engine::Progress {
                states: states as u64,
                queue: 0,
                transitions: 0,
                faults: 0,
                depth: 0,
                memory: 0,
            });
            !stop()
        };
        let memory = task.options.limits.memory;
        let space = Recorded::new(space, edges, memory, &mut progress);
        space.map(|space| {
            let mut here = Here {
                task,
                system,
                space,
                stop: &over,
                figures: Figures {
                    states: 0,
                    pairs: 0,
                    questions: 0,
                },
            };
            here.answer(&questions)
        })
    });
    match found {
        // What a state takes, or all of them do, is too much.
        Err(_) | Ok(Err(_)) => Ok(None),
        Ok(Ok(survey)) => survey.map(Some),
    }
}

/// One exploration, and what is asked about it.
struct Here<'h> {
    task: &'h Inquiry<'h>,
    system: &'h System,
    space: Recorded<'h>,
    stop: &'h dyn Fn() -> bool,
    figures: Figures,
}

impl Here<'_> {
    fn answer(&mut self, questions: &[(usize, Question)]) -> Result<Survey, Trouble> {
        self.figures.states = self.space.count();
        let mut properties = self.states(questions);
        for (property, question) in questions {
            let answer = match question {
                Question::Runs { formula, assuming } => self.runs(*property, formula, *assuming)?,
                Question::Branches(formula) => self.branches(*property, formula)?,
                Question::State { .. } | Question::Step(_) | Question::Each => continue,
            };
            properties.push(answer);
        }
        Ok(Survey {
            properties,
            figures: Some(self.figures),
        })
    }

    /// Answers what is asked of single states and steps.
    fn states(&mut self, questions: &[(usize, Question)]) -> Vec<Surveyed> {
        let mut goals = Vec::new();
        let mut asked = Vec::new();
        for (property, question) in questions {
            let (goal, rising) = match question {
                Question::State {
                    condition,
                    quiescent,
                    good,
                } => {
                    let mut states = self.space.states_where(condition, true);
                    states.retain(|state| !quiescent || !self.space.is_forced(*state));
                    let places = states.into_iter().map(|state| (state, NO_FAULT)).collect();
                    (Goal { places }, !good)
                }
                Question::Step(event) => (self.steps_with(event), true),
                _ => continue,
            };
            goals.push(goal);
            asked.push((*property, rising));
        }
        let count = self.task.faults.len();
        let memory = self.task.options.limits.memory;
        let left = memory.saturating_sub(self.space.bytes());
        let found = antichains::search(&self.space, &goals, count, left, self.stop);
        self.figures.pairs = found.pairs;
        let injections = antichains::fewest_injections(&self.space, &goals);
        let missing = found.ended.map(because);
        let results = asked.iter().zip(found.sets).zip(injections);
        results
            .map(|(((property, rising), smallest), injections)| {
                let possible = Possible {
                    smallest,
                    settled: found.settled,
                    impossible: Vec::new(),
                };
                let violated_without = possible.smallest.covers(FaultSet::NONE) == *rising;
                let tolerates = match (violated_without, injections, rising) {
                    (true, ..) => Tolerates::Nothing,
                    (false, Some(injections), true) => Tolerates::AtMost(injections - 1),
                    _ => Tolerates::Any,
                };
                // That nothing is possible is known without going through the sets.
                let possible = match goals_met(&possible, injections) {
                    true => possible,
                    false => Possible::known(possible.smallest),
                };
                let complete = possible.settled == u32::MAX;
                Surveyed {
                    property: *property,
                    violations: Violations {
                        faults: count,
                        shape: match rising {
                            true => Shape::Rising(possible),
                            false => Shape::Falling(possible),
                        },
                        missing: missing.clone().filter(|_| !complete),
                    },
                    tolerates,
                }
            })
            .collect()
    }

    /// The steps on which something happens.
    fn steps_with(&self, event: &Event) -> Goal {
        let mut places = Vec::new();
        for state in 0..self.space.count() as u32 {
            for step in self.space.steps(state) {
                let (process, edge) = self.space.edge(*step);
                if self.system.processes[process].edges[edge]
                    .events
                    .contains(event)
                {
                    places.push((state, self.space.fault(*step)));
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        Goal { places }
    }

    /// Answers what is asked of whole runs.
    fn runs(
        &mut self,
        property: usize,
        formula: &Formula,
        assuming: bool,
    ) -> Result<Surveyed, Trouble> {
        let assumptions: Vec<&Formula> = match assuming {
            true => self.system.assumptions.iter().map(|a| &a.formula).collect(),
            false => Vec::new(),
        };
        let count = self.task.faults.len();
        let limits = emptiness::Limits {
            memory: self.task.options.limits.memory,
            effort: Effort::NONE,
        };
        let all = FaultSet::all(count);
        if !assumptions.is_empty() {
            self.space.allowed = all;
            let stats = &mut emptiness::Stats::default();
            let run = emptiness::witness(&mut self.space, &assumptions, limits, stats);
            if matches!(run, Ok(None)) {
                return Err(Trouble::NoRun);
            }
        }
        let mut finite = None;
        let mut ask = |set: FaultSet| {
            if (self.stop)() {
                return Err(because(Exhausted::Stopped));
            }
            self.figures.questions += 1;
            self.space.allowed = set;
            let stats = &mut emptiness::Stats::default();
            let found =
                emptiness::counterexample(&mut self.space, formula, &assumptions, limits, stats);
            let Some(lasso) = found.map_err(stopped)? else {
                return Ok(None);
            };
            let run = lasso.transitions.iter().filter(|t| !t.is_stutter());
            let used = run.fold(FaultSet::NONE, |used, transition| {
                match self.space.fault_of(transition) {
                    NO_FAULT => used,
                    fault => used.and(FaultSet::one(fault.into())),
                }
            });
            if set == all {
                let (before, inside) = lasso.transitions.split_at(lasso.loop_start);
                let injections = before.iter().filter(|t| t.fault).count();
                let recurs = inside.iter().any(|t| t.fault);
                finite = Some((injections as u32, recurs));
            }
            Ok(Some(used))
        };
        let mut known = Possible::default();
        let mut missing = None;
        match ask(FaultSet::NONE) {
            Ok(Some(_)) => {
                known.smallest.add(FaultSet::NONE);
            }
            Ok(None) => known.impossible.push(FaultSet::NONE),
            Err(why) => missing = Some(why),
        }
        let (possible, incomplete) = duality::smallest(count, known, &mut ask);
        let tolerates = match (possible.with(FaultSet::NONE), possible.with(all), finite) {
            (Some(true), ..) => Tolerates::Nothing,
            (_, Some(false), _) => Tolerates::Any,
            (Some(false), _, Some((_, true))) => Tolerates::AnyFinite,
            (Some(false), _, Some((injections, false))) => {
                Tolerates::AtMost(injections.saturating_sub(1))
            }
            _ => Tolerates::Unknown,
        };
        Ok(Surveyed {
            property,
            violations: Violations {
                faults: count,
                shape: Shape::Rising(possible),
                missing: missing.or(incomplete),
            },
            tolerates,
        })
    }

    /// Answers what is asked of branching time, set by set.
    fn branches(&mut self, property: usize, formula: &Formula) -> Result<Surveyed, Trouble> {
        let count = self.task.faults.len();
        let memory = self.task.options.limits.memory;
        let mut ask = |set: FaultSet| {
            if (self.stop)() {
                return Err(because(Exhausted::Stopped));
            }
            self.figures.questions += 1;
            self.space.allowed = set;
            let labelling = Labelling::new(&mut self.space, memory).map_err(stopped)?;
            let holds = labelling.holds(&mut self.space, formula).map_err(stopped)?;
            Ok(!holds)
        };
        let violations = each::branching(count, formula, &mut ask);
        let tolerates = each::tolerates(self.task, property, &violations, self.stop);
        Ok(Surveyed {
            property,
            violations,
            tolerates,
        })
    }
}

/// Whether a goal is met at all.
fn goals_met(possible: &Possible, injections: Option<u32>) -> bool {
    injections.is_some() || !possible.smallest.sets().is_empty()
}

/// Why something is not known.
pub fn because(exhausted: Exhausted) -> String {
    match exhausted {
        Exhausted::States => "too many states".to_owned(),
        Exhausted::Memory => "the memory is used up".to_owned(),
        Exhausted::Disk => "the disk cannot be read".to_owned(),
        Exhausted::Faults => "too many faults".to_owned(),
        Exhausted::Stopped => "the time is up".to_owned(),
    }
}

fn stopped(stop: Stop) -> String {
    match stop {
        Stop::Exhausted(why) => because(why),
        other => other.to_string(),
    }
}
