//! What is found out about answers when they are there: when it was too late, who is to blame, and what holds for a poor
//! reason. All within the time that is given to look for smaller runs, and only for models that are small enough.

use std::time::{Duration, Instant};

use super::Task;
use super::answers::Answers;
use crate::analysis::{blame, vacuity};
use crate::check::{Answer, Options, World};

/// With more states than this it would take longer than the answers themselves.
pub const MOST_STATES: u64 = 50_000;

/// A world that ends with a budget.
pub struct Budget<'a> {
    task: &'a Task<'a>,
    start: Instant,
    most: Duration,
}

impl<'a> Budget<'a> {
    /// So many seconds from now, if there is a limit.
    pub fn new(task: &'a Task<'a>, seconds: Option<f64>) -> Self {
        Budget {
            task,
            start: Instant::now(),
            most: seconds.map_or(Duration::MAX, Duration::from_secs_f64),
        }
    }
}

impl World for Budget<'_> {
    fn is_over(&self) -> bool {
        self.task.watch.is_over() || self.start.elapsed() >= self.most
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Looks at the answers once more.
pub fn look(task: &Task<'_>, answers: &Answers<'_>) {
    let mut options = task.search_options();
    options.limits.states = options.limits.states.min(MOST_STATES);
    let options = Options {
        full_space: false,
        ..options
    };
    let world = Budget {
        task,
        start: Instant::now(),
        most: options.minimise,
    };
    if world.is_over() {
        return;
    }
    let known = answers.all();
    let held: Vec<&Answer> = known.iter().filter(|a| a.verdict() == "holds").collect();
    let notes = vacuity::notes(task.system, &held, &options, &world);
    // That takes time, and whoever watches the limits must be able to read the answers meanwhile.
    let mut blames = (known.iter())
        .map(|answer| blame::blame(task.system, answer, &options, &world))
        .collect::<Vec<_>>()
        .into_iter();
    answers.improve(|answer| {
        answer.blame = blames.next().flatten();
        let own = notes.iter().filter(|(p, _)| *p == answer.property);
        answer.notes.extend(own.map(|(_, note)| note.clone()));
    });
}
