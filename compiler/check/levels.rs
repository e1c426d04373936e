//! `tolerant`: six questions instead of one, and one answer made of theirs.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Answer, Shows};
use super::{Aside, Sharing, Task, World};
use crate::engine;
use crate::system::{PropertyKind, System};
use crate::verdict::Outcome;
use crate::vocabulary::Level;

/// A task in which every `tolerant` property is replaced by its six questions.
pub struct Spread {
    /// The System with the questions as further properties.
    pub system: System,
    /// What is asked about it.
    pub wanted: Vec<usize>,
    /// Each `tolerant` property, with the first of its questions.
    groups: Vec<(usize, usize)>,
}

impl Spread {
    /// Spreads a task, if there is anything to spread.
    pub fn of(task: &Task<'_>) -> Option<Spread> {
        let is_tolerant = |p: &&usize| task.system.properties[**p].tolerant.is_some();
        if !task.options.levels || !task.wanted.iter().any(|p| is_tolerant(&p)) {
            return None;
        }
        let (system, first) = task.system.with_levels();
        let groups = task.wanted.iter().filter(is_tolerant);
        let groups: Vec<(usize, usize)> = groups
            .filter_map(|property| Some((*property, first[*property]?)))
            .collect();
        let plain = task.wanted.iter().filter(|p| !is_tolerant(p)).copied();
        let asked = (groups.iter()).flat_map(|(_, first)| *first..*first + Level::ALL.len());
        Some(Spread {
            wanted: plain.chain(asked).collect(),
            system,
            groups,
        })
    }

    /// The `tolerant` property that an answer is a part of.
    fn group(&self, answer: &Answer) -> Option<(usize, usize)> {
        let is_part = |(_, first): &&(usize, usize)| {
            (*first..*first + Level::ALL.len()).contains(&answer.property)
        };
        self.groups.iter().find(is_part).copied()
    }

    /// One answer of those to the six questions, if all are there.
    fn answer(&self, (property, first): (usize, usize), all: &[Answer]) -> Option<Answer> {
        let levels: Option<Vec<Answer>> = (Level::ALL.into_iter().zip(first..))
            .map(|(level, question)| {
                let mut answer = all.iter().find(|a| a.property == question)?.clone();
                self.end_early(&mut answer);
                answer.property = property;
                answer.level = Some(level);
                Some(answer)
            })
            .collect();
        let levels = levels?;
        let at = self.system.properties[property].tolerant.as_ref()?.at;
        let times = levels.iter().filter_map(|answer| answer.time);
        let time = times.reduce(|sum: Duration, time| sum + time);
        let mut answer = match at {
            Some(level) => levels[level as usize].clone(),
            None => {
                let unknown = levels.iter().map(|answer| &answer.outcome);
                let mut unknown = unknown.filter(|o| matches!(o, Outcome::Unknown(_)));
                Answer {
                    outcome: unknown.next().cloned().unwrap_or(Outcome::Holds),
                    ..Answer::unknown(property, String::new())
                }
            }
        };
        answer.time = time;
        answer.levels = levels;
        Some(answer)
    }

    /// Of a run that goes on for ever, although its beginning shows all there is to see, the beginning.
    fn end_early(&self, answer: &mut Answer) {
        let PropertyKind::Ctl(formula) = &self.system.properties[answer.property].kind else {
            return;
        };
        let begins = answer.trace.as_ref().and_then(|t| t.refuting(formula));
        if let Some(trace) = begins {
            answer.trace = Some(Arc::new(trace));
            // Of all runs with a loop it may be the smallest, but of these it need not be.
            answer.shows = Shows::Any;
            answer.cause = answer.cause.filter(|cause| {
                let trace = answer.trace.as_ref();
                trace.is_some_and(|trace| trace.cause() == *cause)
            });
        }
    }

    /// The answers to the task, of those to the spread one.
    pub fn gather(&self, answers: Vec<Answer>) -> Vec<Answer> {
        let whole = self.groups.iter().filter_map(|g| self.answer(*g, &answers));
        let whole: Vec<Answer> = whole.collect();
        let plain = answers.into_iter().filter(|a| self.group(a).is_none());
        plain.chain(whole).collect()
    }
}

/// A world that hears of whole answers only.
pub struct Gathering<'a> {
    spread: &'a Spread,
    world: &'a dyn World,
    parts: RefCell<Vec<Answer>>,
}

impl<'a> Gathering<'a> {
    /// Nothing heard yet.
    pub fn new(spread: &'a Spread, world: &'a dyn World) -> Self {
        Gathering {
            spread,
            world,
            parts: RefCell::default(),
        }
    }
}

impl World for Gathering<'_> {
    fn is_over(&self) -> bool {
        self.world.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.world.elapsed()
    }

    fn time_left(&self) -> Option<Duration> {
        self.world.time_left()
    }

    fn aside(&self) -> Option<&dyn Aside> {
        self.world.aside()
    }

    fn disk(&self) -> Option<&dyn engine::Disk> {
        self.world.disk()
    }

    fn together(&self) -> Option<&dyn Sharing> {
        self.world.together()
    }

    fn progress(&self, now: &engine::Progress) {
        self.world.progress(now);
    }

    fn first_answer(&self, answer: &Answer) {
        if self.spread.group(answer).is_none() {
            self.world.first_answer(answer);
        }
    }

    fn answer(&self, answer: &Answer) {
        let Some(group) = self.spread.group(answer) else {
            return self.world.answer(answer);
        };
        self.parts.borrow_mut().push(answer.clone());
        let whole = self.spread.answer(group, &self.parts.borrow());
        if let Some(whole) = whole {
            self.world.answer(&whole);
        }
    }
}
