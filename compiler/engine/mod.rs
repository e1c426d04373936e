//! The embedded engine: every property answered by exploring packed states.

mod code;
mod compile;
pub mod ctl;
pub mod emptiness;
mod expand;
mod explorer;
mod layout;
mod liveness;
pub mod ltl;
mod model;
mod packed_space;
mod safety;
pub mod space;
mod store;
pub mod symmetry;
mod trace;

use explorer::Explorer;
use model::Model;
use packed_space::PackedSpace;
use safety::Question;
use space::{Exhausted, Space};
pub use store::Limits;

use crate::verdict::{Outcome, Verdict};
use crate::weave::{Expr, System};

/// Runs code for states of so many words, those in between rounded up; an error if there are too many.
macro_rules! with_words {
    ($words:expr, $name:ident => $code:expr) => {
        with_words!($words, $name => $code, [1 2 3 4 5 6 8 12 16 32 128 1024])
    };
    ($words:expr, $name:ident => $code:expr, [$($count:literal)*]) => {
        match $words {
            $(0..=$count => {
                const $name: usize = $count;
                Ok($code)
            })*
            words => Err(format!("a state has {words} words of 64 bits, more than 1,024")),
        }
    };
}

/// How to search.
pub struct Options<'a> {
    /// How much may be stored.
    pub limits: Limits,
    /// Whether all states shall be found even if every property is decided before.
    pub full_space: bool,
    /// How many threads may search. Answers do not depend on it; with a limit on states one is used, so that the
    /// limit is exact.
    pub threads: usize,
    /// Asked now and then: whether to give up. The engine itself knows no clock.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::NONE,
            full_space: false,
            threads: 1,
            stop: &|| false,
        }
    }
}

/// What is told while searching.
#[derive(Debug)]
pub enum Notice<'a> {
    /// A property is decided.
    Verdict(&'a Verdict),
    /// The search goes on.
    Progress(Progress),
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States found whose successors are not known yet.
    pub queue: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// The fewest faults that lead where the search is.
    pub faults: u32,
    /// The fewest steps that lead where the search is.
    pub depth: u32,
    /// Bytes in use.
    pub memory: usize,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The answers, in the order of the properties asked for.
    pub verdicts: Vec<Verdict>,
    /// Whether some run satisfies all the assumptions; not known if there are none, or no `ltl` property was asked for.
    pub possible: Option<bool>,
    /// Figures.
    pub stats: Stats,
}

/// Figures of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States found.
    pub states: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Transitions taken, stuttering not counted.
    pub transitions: u64,
    /// The most steps that any state needs.
    pub depth: u32,
    /// The most faults that any state needs.
    pub faults: u32,
    /// The most memory used for states, in bytes.
    pub memory: usize,
    /// Bits of a packed state.
    pub state_bits: usize,
    /// Why the search ended early, if it did.
    pub exhausted: Option<Exhausted>,
}

/// Checks the properties of a System with the indexes `wanted`, and tells of each answer when it is known.
///
/// In: a woven System. Out: a verdict per property asked for, and figures. All safety properties are answered in one
/// search. Does not replay the runs it reports.
pub fn check(
    system: &System,
    wanted: &[usize],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Report {
    let conditions: Vec<Expr> = wanted
        .iter()
        .map(|p| Question::condition(system, *p).unwrap_or_else(Expr::yes))
        .collect();
    let (model, conditions) = match Model::new(system, &conditions) {
        Ok(model) => model,
        Err(model::TooLarge(why)) => return give_up(wanted, why, notice),
    };
    let questions: Vec<Question> = wanted
        .iter()
        .zip(conditions)
        .filter_map(|(p, condition)| Question::new(system, *p, condition))
        .collect();
    let result = with_words!(model.layout.words, W => {
        search::<W>(system, model, wanted, &questions, options, notice)
    });
    result.unwrap_or_else(|why| give_up(wanted, why, notice))
}

/// Calls `visit` with the state space of a System, unexplored but for its initial state.
pub fn explore<T>(
    system: &System,
    options: &Options<'_>,
    visit: impl FnOnce(&mut dyn Space) -> T,
) -> Result<T, String> {
    let (model, _) = Model::new(system, &[]).map_err(|model::TooLarge(why)| why)?;
    with_words!(model.layout.words, W => {
        let mut explorer = Explorer::<W>::new(system, model, options.limits, 1)
            .map_err(|_| String::from("explored 0 states to depth 0"))?;
        visit(&mut PackedSpace::new(&mut explorer, options.stop))
    })
}

fn search<const W: usize>(
    system: &System,
    model: Model,
    wanted: &[usize],
    questions: &[Question],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Report {
    let state_bits = model.layout.bits;
    let threads = match options.limits.states {
        u64::MAX => options.threads.clamp(1, 64),
        _ => 1,
    };
    let mut explorer = match Explorer::<W>::new(system, model, options.limits, threads) {
        Ok(explorer) => explorer,
        Err(_) => return give_up(wanted, "explored 0 states to depth 0".into(), notice),
    };
    let full = options.full_space;
    let (mut verdicts, ended) = safety::search(&mut explorer, questions, full, options, notice);
    let answers = liveness::search(&mut explorer, wanted, options, notice);
    verdicts.extend(answers.verdicts);
    verdicts.sort_by_key(|v| wanted.iter().position(|p| *p == v.property));
    Report {
        verdicts,
        stats: Stats {
            states: explorer.states(),
            complete: explorer.complete,
            transitions: explorer.transitions,
            depth: explorer.depth(),
            faults: explorer.levels.last().map_or(0, |l| l.faults),
            memory: explorer.peak.max(explorer.memory()),
            state_bits,
            exhausted: ended.err().or(answers.exhausted),
        },
        possible: answers.possible,
    }
}

/// Nobody knows any answer.
fn give_up(wanted: &[usize], why: String, notice: &mut dyn FnMut(Notice<'_>)) -> Report {
    let verdicts: Vec<Verdict> = wanted
        .iter()
        .map(|p| Verdict {
            property: *p,
            outcome: Outcome::Unknown(why.clone()),
            run: None,
        })
        .collect();
    for verdict in &verdicts {
        notice(Notice::Verdict(verdict));
    }
    Report {
        verdicts,
        possible: None,
        stats: Stats::default(),
    }
}

#[cfg(test)]
mod tests;
