//! Where the strategy meets the world: the clock, the line that shows progress, the answers as they are printed.

use std::cell::RefCell;
use std::time::Duration;

use super::answers::Answers;
use super::watch::Watch;
use crate::check::{Answer, Aside, Sharing, World};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::cli::spill::Spill;
use crate::engine;

/// The world of one run.
pub struct Desk<'a> {
    watch: &'a Watch,
    answers: &'a Answers<'a>,
    aside: Option<&'a dyn Aside>,
    together: Option<&'a dyn Sharing>,
    spill: Option<&'a Spill>,
    line: RefCell<ProgressLine>,
    shell: RefCell<Shell>,
}

impl<'a> Desk<'a> {
    /// Nothing shown yet.
    pub fn new(
        watch: &'a Watch,
        answers: &'a Answers<'a>,
        aside: Option<&'a dyn Aside>,
        together: Option<&'a dyn Sharing>,
        spill: Option<&'a Spill>,
        shell: &Shell,
    ) -> Self {
        Desk {
            watch,
            answers,
            aside,
            together,
            spill,
            line: RefCell::new(ProgressLine::new(shell)),
            shell: RefCell::new(shell.clone()),
        }
    }
}

impl World for Desk<'_> {
    fn is_over(&self) -> bool {
        self.watch.is_over() || self.together.is_some_and(Sharing::is_over)
    }

    fn elapsed(&self) -> Duration {
        self.watch.start.elapsed()
    }

    fn time_left(&self) -> Option<Duration> {
        self.watch.time_left()
    }

    fn aside(&self) -> Option<&dyn Aside> {
        self.aside
    }

    fn together(&self) -> Option<&dyn Sharing> {
        self.together
    }

    fn disk(&self) -> Option<&dyn engine::Disk> {
        self.spill.map(|spill| spill as &dyn engine::Disk)
    }

    fn progress(&self, now: &engine::Progress) {
        self.line.borrow_mut().show(now);
    }

    fn first_answer(&self, answer: &Answer) {
        self.answers.keep(answer.clone());
    }

    fn answer(&self, answer: &Answer) {
        self.line.borrow_mut().clear();
        let shell = &mut self.shell.borrow_mut();
        self.answers.add(answer.clone(), shell);
    }
}
