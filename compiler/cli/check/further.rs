//! What is found out about answers when they are there: when it was too late, who is to blame, what holds for a poor
//! reason, and which messages are left over. All within the time that is given to look for smaller runs, and only for models
//! that are small enough.

use std::time::{Duration, Instant};

use super::Task;
use super::answers::Answers;
use crate::analysis::left_over::{LeftOver, left_over};
use crate::analysis::{blame, vacuity};
use crate::check::{Answer, Findings, Options, World};

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

/// Looks at the answers once more; what is to be said about the model as a whole.
pub fn look(task: &Task<'_>, answers: &Answers<'_>, findings: &Findings) -> Vec<String> {
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
        return Vec::new();
    }
    let known = answers.all();
    let held: Vec<&Answer> = known.iter().filter(|a| a.verdict() == "holds").collect();
    // What never happens is known only when all states have been seen, if perhaps with shortcuts.
    let visited = findings.stats.map_or(0, |stats| stats.states);
    let states = findings.states.unwrap_or(visited);
    let notes = match states <= 4 * MOST_STATES {
        true => vacuity::notes(task.system, &held, &options, &world),
        false => Vec::new(),
    };
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
    // Whoever asks about one property wants to know nothing else.
    let left = match states <= MOST_STATES && task.args.property.is_empty() {
        true => left_over(task.system, &options, &world),
        false => None,
    };
    let told = left.map(|left| in_words(task, &left));
    told.into_iter().collect()
}

fn in_words(task: &Task<'_>, left: &LeftOver) -> String {
    let steps = match left.steps {
        1 => "1 step".to_owned(),
        many => format!("{many} steps"),
    };
    let names = left.faults.iter().map(|f| task.system.fault_name(*f));
    let names: Vec<&str> = names.collect();
    let faults = match (names.is_empty(), left.fewest) {
        (true, _) => "without any fault".to_owned(),
        (false, true) => format!("needs {}", names.join(", ")),
        (false, false) => format!("with {}", names.join(", ")),
    };
    let channels = left.channels.join(", ");
    format!(
        "messages can be left over when all processes have ended: {channels} after {steps}, {faults}"
    )
}
