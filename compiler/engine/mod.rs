//! The embedded engine: every property answered by exploring packed states.

mod code;
mod compile;
pub mod emptiness;
mod explorer;
mod layout;
pub mod ltl;
mod model;
mod packed_space;
mod safety;
pub mod space;
mod store;
mod trace;

use explorer::Explorer;
use model::Model;
use safety::Question;
use space::Exhausted;
pub use store::Limits;

use crate::verdict::{Outcome, Verdict};
use crate::weave::{Expr, System};

/// How to search.
pub struct Options<'a> {
    /// How much may be stored.
    pub limits: Limits,
    /// Whether all states shall be found even if every property is decided before.
    pub full_space: bool,
    /// Asked now and then: whether to give up. The engine itself knows no clock.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::NONE,
            full_space: false,
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
    // Code for states of so many words; those in between are rounded up.
    macro_rules! with_words {
        ($($words:literal)*) => {
            match model.layout.words {
                $(0..=$words => {
                    search::<$words>(system, model, wanted, &questions, options, notice)
                })*
                words => {
                    let why = format!("a state has {words} words of 64 bits, more than 1,024");
                    give_up(wanted, why, notice)
                }
            }
        };
    }
    with_words!(1 2 3 4 5 6 8 12 16 32 128 1024)
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
    let mut explorer = match Explorer::<W>::new(system, model, options.limits) {
        Ok(explorer) => explorer,
        Err(_) => return give_up(wanted, "explored 0 states to depth 0".into(), notice),
    };
    let (mut verdicts, ended) = safety::search(&mut explorer, questions, options, notice);
    verdicts.sort_by_key(|v| wanted.iter().position(|p| *p == v.property));
    Report {
        verdicts,
        stats: Stats {
            states: explorer.store.len() as u64,
            complete: explorer.complete,
            transitions: explorer.transitions,
            depth: explorer.depth(),
            faults: explorer.levels.last().map_or(0, |l| l.faults),
            memory: explorer.peak.max(explorer.memory()),
            state_bits,
            exhausted: ended.err(),
        },
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
        stats: Stats::default(),
    }
}
