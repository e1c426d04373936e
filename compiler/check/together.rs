//! Several processes answer together: one leads, and the others search when it does.
//!
//! The leader does all that one process does alone. Only when it searches for what a state or a step decides it tells the others, which
//! have made the same System of the same model, what to search and how; then all do that together.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use super::levels::Spread;
use super::strategy::Strategy;
use super::{Task, World};
use crate::engine::distributed::{Broken, Journal, Mesh, check, exchange};
use crate::engine::{Notice, Options, Report};
use crate::system::System;

/// Those with whom the engine searches.
pub trait Sharing {
    /// Searches with them, as [`crate::engine::check`] does alone. They have to be told whether the System is the `stepwise` one.
    fn search(
        &self,
        stepwise: bool,
        question: (&System, &[usize]),
        options: &Options<'_>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Report;

    /// Whether one of them is lost, or at its end.
    fn is_over(&self) -> bool;
}

/// A process and those with which it answers.
pub struct Together<'m> {
    mesh: RefCell<&'m mut dyn Mesh>,
    journal: RefCell<Option<&'m mut dyn Journal>>,
}

/// What the leader tells the others.
#[derive(Serialize, Deserialize)]
enum Order {
    /// To search.
    Search {
        stepwise: bool,
        wanted: Vec<usize>,
        full_space: bool,
        states: u64,
        enough: u64,
        reduction: bool,
        symmetry: bool,
        by_faults: bool,
        max_faults: u32,
    },
    /// That this is all, and how it ends.
    End(u8),
}

impl<'m> Together<'m> {
    /// Nothing has been told yet.
    pub fn new(mesh: &'m mut dyn Mesh, journal: Option<&'m mut dyn Journal>) -> Self {
        Together {
            mesh: RefCell::new(mesh),
            journal: RefCell::new(journal),
        }
    }

    /// Does what the leader says, until it says that this is all; how it ends. Nothing if somebody is lost.
    pub fn serve(&self, task: &Task<'_>, world: &dyn World) -> Option<u8> {
        let spread = Spread::of(task);
        let task = match &spread {
            Some(spread) => &Task {
                system: &spread.system,
                wanted: &spread.wanted,
                options: task.options.clone(),
            },
            None => task,
        };
        let strategy = Strategy::new(task, None, world);
        let stop = || world.is_over();
        loop {
            match self.hear(None).ok()? {
                Order::End(code) => return Some(code),
                Order::Search {
                    stepwise,
                    wanted,
                    full_space,
                    states,
                    enough,
                    reduction,
                    symmetry,
                    by_faults,
                    max_faults,
                } => {
                    let mut options = Options {
                        full_space,
                        enough,
                        reduction,
                        symmetry,
                        by_faults,
                        max_faults,
                        ..strategy.options(&stop)
                    };
                    options.limits.states = states;
                    let system = &strategy.way(stepwise).system;
                    self.check((system, &wanted), &options, &mut |_| {});
                }
            }
        }
    }

    /// Tells the others that this is all, and how it ends.
    pub fn end(&self, code: u8) {
        self.mesh.borrow_mut().end_soon();
        // Who is lost need not be told.
        let _ = self.hear(Some(Order::End(code)));
    }

    /// What the leader tells all, which is `own` if this is the leader.
    fn hear(&self, own: Option<Order>) -> Result<Order, Broken> {
        let said = exchange(&mut **self.mesh.borrow_mut(), &own)?;
        said.into_iter().next().flatten().ok_or(Broken)
    }

    fn check(
        &self,
        question: (&System, &[usize]),
        options: &Options<'_>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Report {
        let mesh = &mut **self.mesh.borrow_mut();
        let journal = &mut *self.journal.borrow_mut();
        match journal {
            Some(journal) => check(mesh, Some(&mut **journal), question, options, notice),
            None => check(mesh, None, question, options, notice),
        }
    }
}

impl Sharing for Together<'_> {
    fn search(
        &self,
        stepwise: bool,
        question: (&System, &[usize]),
        options: &Options<'_>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Report {
        // Who is lost is noticed by the search as well, and that ends with what there is to say.
        let _ = self.hear(Some(Order::Search {
            stepwise,
            wanted: question.1.to_vec(),
            full_space: options.full_space,
            states: options.limits.states,
            enough: options.enough,
            reduction: options.reduction,
            symmetry: options.symmetry,
            by_faults: options.by_faults,
            max_faults: options.max_faults,
        }));
        self.check(question, options, notice)
    }

    fn is_over(&self) -> bool {
        // While it is searched together the search itself notices.
        self.mesh.try_borrow().is_ok_and(|mesh| mesh.is_over())
    }
}
