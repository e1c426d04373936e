//! The strategy: which Systems are searched, with which shortcuts and how far, which run is shown for an answer, and when
//! a second engine is asked.
//!
//! [`check`] is the whole of it, and reads in this order:
//!
//! - `levels`: a `tolerant` property is six questions, whose answers are put together again;
//! - `strategy`: what all parts share. It makes the Systems that are searched, when somebody first asks for them, and replays every
//!   run (`answer`) before anybody outside hears of it, first to *announce* a verdict, then to *settle* it;
//! - `search`: the embedded engine is asked, one way of searching after another; then smaller runs are looked for (`minimise` with
//!   `shrink`, `lassos`), and what a violation needs (`cause`, `notes`);
//! - `second`: another engine answers what is left, and confirms the rest.
//!
//! `together` lets several processes search where one would search alone.
//!
//! `expect` stands apart: what a model's comments say about the answers.
//!
//! It is pure. Clock, terminal and other programs are behind two small traits, [`World`] and [`Second`]; what counts as
//! few or many is in [`Thresholds`], so that tests go every way with tiny ones.

mod answer;
mod aside;
mod cause;
mod expect;
mod knowledge;
mod lassos;
mod levels;
mod minimise;
mod notes;
mod search;
mod second;
mod shrink;
mod strategy;
mod together;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Blame, Proof, Seen, SeenValue, Shows, Twin, seen};
pub use aside::Aside;
pub use expect::{Expectations, Surprise};
pub use second::{Agreement, Confirmation, Extent, Failure, Name, Second, Told};
pub use together::{Sharing, Together};

use std::time::Duration;

use crate::engine;
use crate::system::System;
use strategy::Strategy;

/// What is to be answered, and how.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The System as it is woven, in whose words everything is told.
    pub system: &'a System,
    /// The properties, by their index.
    pub wanted: &'a [usize],
    /// How.
    pub options: Options,
}

/// How to find the answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the engines get a simplified System.
    pub simplify: bool,
    /// Whether steps may be left out whose order does not matter.
    pub reduction: bool,
    /// Whether identical processes may be exchanged.
    pub symmetry: bool,
    /// Whether all states shall be found, even if the answers are known before.
    pub full_space: bool,
    /// Whether every level of `tolerant` is asked about; else only the one that has to be reached.
    pub levels: bool,
    /// How much may be stored.
    pub limits: engine::Limits,
    /// How many threads may search.
    pub threads: usize,
    /// How long a second engine has to confirm answers.
    pub confirm: Duration,
    /// How long to look for smaller runs than the first ones.
    pub minimise: Duration,
    /// How long a search goes on alone before proofs are looked for beside it.
    pub alone: Duration,
    /// What is few, and what is many.
    pub thresholds: Thresholds,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            simplify: true,
            reduction: true,
            symmetry: true,
            full_space: false,
            levels: true,
            limits: engine::Limits::NONE,
            threads: 1,
            confirm: Duration::from_secs(10),
            minimise: Duration::from_secs(10),
            alone: Duration::from_secs(10),
            thresholds: Thresholds::default(),
        }
    }
}

/// Numbers of states that decide how to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    /// With about so many states a search takes no shortcuts, and the states are counted even if every answer is known
    /// before.
    pub few: u64,
    /// How far the searches with shortcuts go before another one is tried, by turns with every step as it is and with
    /// steps merged. The first goes so far only if its end seems near after a quarter of it, and what the second has found is
    /// given up only if the third seems to be better.
    pub chances: [u64; 3],
    /// With more states than this a search for the shortest run ends, and one with the fewest faults is shown.
    pub worth_searching: u64,
    /// The same for the best infinite run, where a good one is shown instead.
    pub worth_a_lasso: u64,
}

impl Default for Thresholds {
    /// Those that served best on the models of `benches/`.
    fn default() -> Self {
        Thresholds {
            few: 200_000,
            chances: [400_000, 4_000_000, 8_000_000],
            worth_searching: 20_000_000,
            worth_a_lasso: 2_000_000,
        }
    }
}

/// What the strategy has to do with the world outside. It is asked and told from one thread.
pub trait World {
    /// Whether to give up, with what is known. Asked often.
    fn is_over(&self) -> bool {
        false
    }

    /// How long the work has taken so far.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// How much time is left, if there is a limit.
    fn time_left(&self) -> Option<Duration> {
        None
    }

    /// Somebody who looks for proofs while a search goes on, if there is anybody.
    fn aside(&self) -> Option<&dyn Aside> {
        None
    }

    /// Where searches put what does not fit into memory, if there is such a place.
    fn disk(&self) -> Option<&dyn engine::Disk> {
        None
    }

    /// Those with whom the embedded engine searches, if there are any.
    fn together(&self) -> Option<&dyn Sharing> {
        None
    }

    /// A search goes on.
    fn progress(&self, _: &engine::Progress) {}

    /// An answer is known; it will be told once more, perhaps with a smaller run.
    fn first_answer(&self, _: &Answer) {}

    /// An answer is known.
    fn answer(&self, _: &Answer) {}
}

/// A world in which time stands still and nobody listens: for those who want the answers only.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl World for Nowhere {}

/// Who answers.
#[derive(Clone, Copy)]
pub enum Engines<'a> {
    /// The embedded engine.
    Embedded,
    /// A second engine alone.
    Second(&'a dyn Second),
    /// The embedded engine; the second one is asked what that does not know, and confirms the rest.
    Both(&'a dyn Second),
}

/// What has been found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// The answers, in the order of the properties asked for.
    pub answers: Vec<Answer>,
    /// How many states there are, if that is known.
    pub states: Option<u64>,
    /// Figures of the embedded engine's search.
    pub stats: Option<engine::Stats>,
    /// What a second engine says.
    pub second: Option<Confirmation>,
}

/// Why there are no answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A bug of ours.
    Internal(String),
    /// No run satisfies all the assumptions, so that `ltl` properties say nothing: the model is wrong.
    NoRun,
    /// A second engine does not answer.
    Second(Failure),
    /// Two engines answer differently: what each says. A bug.
    Disagreement {
        /// What the embedded one says.
        ours: String,
        /// What the second one says.
        theirs: String,
    },
}

impl Trouble {
    /// What is said about assumptions that no run satisfies, and what to do about it.
    pub const NO_RUN: (&'static str, &'static str) = (
        "no run satisfies all the assumptions",
        "remove or weaken one of the `assume` specifications",
    );
}

/// Answers the properties of a task; each answer is told when it is known.
///
/// # Errors
/// If what was found cannot be relied on, or there is nobody to ask.
pub fn check(
    task: &Task<'_>,
    engines: Engines<'_>,
    world: &dyn World,
) -> Result<Findings, Trouble> {
    let Some(spread) = levels::Spread::of(task) else {
        return answer(task, engines, world);
    };
    let questions = Task {
        system: &spread.system,
        wanted: &spread.wanted,
        options: task.options.clone(),
    };
    let gathering = levels::Gathering::new(&spread, world);
    let mut findings = answer(&questions, engines, &gathering)?;
    findings.answers = in_order(task, spread.gather(findings.answers));
    Ok(findings)
}

/// Answers properties each of which is one question; first what processes know is worked out.
fn answer(task: &Task<'_>, engines: Engines<'_>, world: &dyn World) -> Result<Findings, Trouble> {
    let Some(known) = knowledge::Known::of(task, world) else {
        return decide(task, None, engines, world);
    };
    let wanted = task.wanted.iter().copied();
    let (wanted, unknown): (Vec<usize>, Vec<usize>) =
        wanted.partition(|property| known.why_unknown(*property).is_none());
    let told = Task {
        system: known.system(),
        wanted: &wanted,
        options: task.options.clone(),
    };
    let mut findings = match wanted.is_empty() && !unknown.is_empty() {
        true => Findings::default(),
        false => decide(&told, Some(&known), engines, world)?,
    };
    for property in unknown {
        let why = known.why_unknown(property).unwrap_or_default();
        let answer = Answer::unknown(property, why.to_owned());
        world.answer(&answer);
        findings.answers.push(answer);
    }
    findings.answers = in_order(task, findings.answers);
    Ok(findings)
}

/// A System in which conditions over what processes see have replaced what they know, for those who look at single runs.
///
/// # Errors
/// Why it is not known.
pub fn resolved(system: &System, options: &Options, world: &dyn World) -> Result<System, String> {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let task = Task {
        system,
        wanted: &wanted,
        options: options.clone(),
    };
    let Some(known) = knowledge::Known::of(&task, world) else {
        return Ok(system.clone());
    };
    match wanted
        .iter()
        .find_map(|property| known.why_unknown(*property))
    {
        Some(why) => Err(why.to_owned()),
        None => Ok(known.system().clone()),
    }
}

/// Answers properties that read nothing but states.
fn decide(
    task: &Task<'_>,
    known: Option<&knowledge::Known>,
    engines: Engines<'_>,
    world: &dyn World,
) -> Result<Findings, Trouble> {
    let strategy = Strategy::new(task, known, world);
    let mut findings = Findings::default();
    match engines {
        Engines::Second(second) => second::alone(&strategy, second)?,
        Engines::Embedded | Engines::Both(_) => {
            let found = search::search(&strategy)?;
            findings.states = found.states;
            findings.stats = Some(found.stats);
            match engines {
                Engines::Both(second) => {
                    findings.second = second::after(&strategy, second, found.undecided)?;
                }
                _ => strategy.leave_open(found.undecided)?,
            }
        }
    }
    findings.answers = in_order(task, strategy.answers());
    Ok(findings)
}

/// Answers in the order of the properties asked for.
fn in_order(task: &Task<'_>, mut answers: Vec<Answer>) -> Vec<Answer> {
    let position = |answer: &Answer| task.wanted.iter().position(|p| *p == answer.property);
    answers.sort_by_cached_key(position);
    answers
}
