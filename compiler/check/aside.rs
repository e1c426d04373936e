//! Beside a search that takes long somebody else looks for proofs; whoever is first has answered.
//!
//! With proofs or runs for all that is open the search ends. If it ends first, nobody waits for proofs. What both have answered has
//! to be the same.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::strategy::Strategy;
use super::{Failure, Told, Trouble};
use crate::system::System;
use crate::verdict::{Outcome, Verdict};

/// Another engine that works beside a search.
pub trait Aside {
    /// Begins to look at some properties of a System. If it cannot, it has nothing to say.
    fn begin(&self, system: &System, properties: &[usize]);

    /// What it has found out since it was last asked. Asked often.
    fn news(&self) -> Option<Result<Told, Failure>>;

    /// Nobody wants to know any more.
    fn end(&self);
}

/// What is looked for beside one search, and what was found.
pub struct Beside<'a> {
    strategy: &'a Strategy<'a>,
    aside: Option<&'a dyn Aside>,
    begun: Cell<bool>,
    /// What nobody has answered.
    open: RefCell<Vec<usize>>,
    told: RefCell<Vec<(Verdict, Option<Duration>)>>,
    proofs: RefCell<Vec<(usize, super::Proof)>>,
    wrong: RefCell<Option<String>>,
}

impl<'a> Beside<'a> {
    /// Nothing is looked for yet.
    pub fn new(strategy: &'a Strategy<'a>, open: Vec<usize>) -> Self {
        Beside {
            strategy,
            // Without all the states there would be no figures.
            aside: (strategy.world.aside()).filter(|_| !strategy.task.options.full_space),
            begun: Cell::new(false),
            open: RefCell::new(open),
            told: RefCell::default(),
            proofs: RefCell::default(),
            wrong: RefCell::default(),
        }
    }

    /// The search has answered a property.
    pub fn is_answered(&self, property: usize) {
        self.open.borrow_mut().retain(|open| *open != property);
    }

    /// Hears what is new; whether everything is answered.
    pub fn is_done(&self) -> bool {
        let Some(aside) = self.aside else {
            return false;
        };
        if !self.begun.get() {
            let Strategy { task, world, .. } = self.strategy;
            if world.elapsed() < task.options.alone || self.open.borrow().is_empty() {
                return false;
            }
            self.begun.set(true);
            aside.begin(&self.strategy.simplified().system, &self.open.borrow());
        }
        while let Some(news) = aside.news() {
            match news {
                Ok(told) => {
                    let known = |(verdict, _): &(Verdict, Option<Duration>)| {
                        !matches!(verdict.outcome, Outcome::Unknown(_))
                    };
                    let told_now = told.verdicts.into_iter().filter(known);
                    self.told.borrow_mut().extend(told_now);
                    self.proofs.borrow_mut().extend(told.proofs);
                }
                Err(Failure::Internal(what)) => *self.wrong.borrow_mut() = Some(what),
                // It was nobody's wish that it be asked.
                Err(Failure::NotFound | Failure::Failed(..)) => {}
            }
        }
        let told = self.told.borrow();
        let is_told = |property: &usize| told.iter().any(|(v, _)| v.property == *property);
        let open = self.open.borrow();
        self.wrong.borrow().is_some() || !open.is_empty() && open.iter().all(is_told)
    }

    /// Ends it. What was found about properties that the search has not answered: verdicts, with the time that they took and, if there is
    /// one, their proofs.
    pub fn end(self) -> Result<Vec<Theirs>, Trouble> {
        if let Some(aside) = self.aside.filter(|_| self.begun.get()) {
            aside.end();
        }
        if let Some(wrong) = self.wrong.into_inner() {
            return Err(Trouble::Internal(wrong));
        }
        let mut proofs = self.proofs.into_inner();
        let found = self.told.into_inner().into_iter().map(|(verdict, time)| {
            let proof = proofs.iter().position(|(p, _)| *p == verdict.property);
            Theirs {
                proof: proof.map(|place| proofs.swap_remove(place).1),
                verdict,
                time,
            }
        });
        Ok(found.collect())
    }
}

/// What was found beside a search.
pub struct Theirs {
    /// About the simplified System.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Option<Duration>,
    /// Why it is so.
    pub proof: Option<super::Proof>,
}
