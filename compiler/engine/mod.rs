//! The embedded engine: every property answered by exploring packed states.
//!
//! In: a System and the properties to answer. Out: a verdict for each, with a run that nobody has replayed yet. [`check`] is the
//! way through the folder; in the order in which it calls them:
//!
//! - `layout`, `code`, `compile`, `model`: the System made ready. A state becomes a few machine words, guards and updates become
//!   tests and operations on them. The result, a `CompiledSystem`, is called *model* in this folder;
//! - `shortcuts`, with `reduction` and `symmetry`: which steps and states need not be looked at, and why;
//! - `explorer`, with `known` and `recent`: the states found so far, in levels; `store` numbers them, `compact` stores many in few
//!   bytes, and moves them to a `disk`, if there is one;
//! - `safety`, with `expand`: the search for all that a state or a step decides. `trace` finds the run to show for what it found,
//!   for the search keeps no predecessors;
//! - [`distributed`]: the same search by several processes, each of which keeps a part of the states;
//! - `temporal`: what needs infinite runs or branches. It sees the states as a `Space` (`packed_space`) and asks [`emptiness`]
//!   about `ltl`, whose automata come from [`ltl`], [`ctl`] about `ctl`, and `time` whether time goes on.
//!
//! The meaning of states and runs is not decided here: `system::state` and `system::lasso` say it plainly, and tests compare.

mod code;
mod compact;
mod compile;
pub mod ctl;
mod disk;
pub mod distributed;
pub mod emptiness;
mod expand;
mod explorer;
pub mod knowledge;
mod known;
mod layout;
pub mod ltl;
mod model;
mod outlook;
mod packed_space;
mod recent;
mod reduction;
mod safety;
mod searchers;
mod shortcuts;
pub mod space;
mod store;
mod symmetry;
mod temporal;
mod time;
mod trace;

pub use disk::Disk;
use explorer::Explorer;
use model::CompiledSystem;
pub use outlook::Outlook;
use packed_space::PackedSpace;
use safety::Question;
use searchers::Alone;
use shortcuts::Shortcuts;
use space::{Exhausted, States};
pub use store::Limits;

use crate::system::{Expr, System};
use crate::verdict::{Outcome, Verdict};

/// Runs code for states of so many words, those in between rounded up; an error if there are too many.
macro_rules! with_words {
    ($words:expr, $name:ident => $code:expr) => {
        with_words!($words, $name => $code, [1 2 3 4 6 8 16 64 1024])
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

use with_words;

/// How to search.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How much may be stored.
    pub limits: Limits,
    /// With more states than this the safety search stores them in as few bytes as it can.
    pub few: u64,
    /// Where the safety search puts what does not fit into memory.
    pub disk: Option<&'a dyn Disk>,
    /// With more states than this the safety search ends when a level is complete, or far too large; so it ends in the same way
    /// however many threads there are. Very wide states count as several.
    pub enough: u64,
    /// Asked then, as it looks: whether the search goes on all the same, and to how many states.
    pub persists: &'a dyn Fn(Outlook) -> Option<u64>,
    /// Whether all states shall be found even if every property is decided before.
    pub full_space: bool,
    /// How many threads may search. Answers do not depend on it; with a limit on states one is used, so that the
    /// limit is exact.
    pub threads: usize,
    /// Whether the safety search may leave out steps whose order does not matter. The answers are the same, but the runs
    /// are not the shortest ones. With [`Options::by_faults`] they have the fewest faults all the same.
    pub reduction: bool,
    /// Whether the safety search may take states for the same that differ only by exchanging identical processes. The answers
    /// are the same, but runs are not the shortest ones, and may be missing.
    pub symmetry: bool,
    /// What is done to find cheaper runs of `ltl` properties.
    pub effort: emptiness::Effort,
    /// Whether the safety search goes by the number of faults also where it takes shortcuts, so that the runs it finds have
    /// the fewest. Without shortcuts it always does.
    pub by_faults: bool,
    /// With more faults than this nothing is sought, if the search goes by them.
    pub max_faults: u32,
    /// Asked now and then: whether to give up. The engine itself knows no clock.
    pub stop: &'a dyn Fn() -> bool,
}

/// So many states are found as fast numbered as in few bytes.
pub const FEW: u64 = 1_000_000;

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::NONE,
            few: FEW,
            disk: None,
            enough: u64::MAX,
            persists: &|_| None,
            full_space: false,
            threads: 1,
            reduction: false,
            symmetry: false,
            effort: emptiness::Effort::SOME,
            by_faults: false,
            max_faults: u32::MAX,
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
    /// How many reachable states there are, if all have been found.
    pub reachable: Option<u64>,
    /// Figures.
    pub stats: Stats,
}

/// Figures of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States found; fewer than there are if shortcuts were taken.
    pub states: u64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Transitions taken, stuttering not counted.
    pub transitions: u64,
    /// The most steps that any state needs.
    pub depth: u32,
    /// The most faults that any state needs.
    pub faults: u32,
    /// The most memory used for states, in bytes.
    pub memory: usize,
    /// The most that was moved to the disk, in bytes.
    pub spilled: u64,
    /// Whether steps were left out whose order does not matter.
    pub reduction: bool,
    /// Whether identical processes were exchanged.
    pub symmetry: bool,
    /// Bits of a packed state.
    pub state_bits: usize,
    /// How many processes searched together; 0 if this one searched alone.
    pub processes: usize,
    /// Bytes that they have sent each other.
    pub bytes: u64,
    /// Why the search ended early, if it did.
    pub exhausted: Option<Exhausted>,
    /// How it looked at the end, if its levels tell.
    pub outlook: Option<Outlook>,
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
    let (model, shortcuts, questions) = match prepare(system, wanted, options) {
        Ok(ready) => ready,
        Err(why) => return give_up(wanted, why, notice),
    };
    let result = with_words!(model.layout.words, W => {
        search::<W>(system, model, shortcuts, wanted, &questions, options, notice)
    });
    result.unwrap_or_else(|why| give_up(wanted, why, notice))
}

/// A System made ready for a search, what makes that smaller, and the questions about what a state or a step decides.
fn prepare(
    system: &System,
    wanted: &[usize],
    options: &Options<'_>,
) -> Result<(CompiledSystem, Shortcuts, Vec<Question>), String> {
    let conditions: Vec<Expr> = wanted
        .iter()
        .map(|p| Question::condition(system, *p).unwrap_or_else(Expr::yes))
        .collect();
    let compiled = CompiledSystem::new(system, &conditions);
    let (mut model, codes) = compiled.map_err(|model::TooLarge(why)| why)?;
    let questions: Vec<(Question, &Expr)> = wanted
        .iter()
        .zip(codes)
        .zip(&conditions)
        .filter_map(|((p, code), expr)| Some((Question::new(system, *p, code)?, expr)))
        .collect();
    let shortcuts = Shortcuts::find(system, &mut model, &questions, options);
    let questions = questions.into_iter().map(|(question, _)| question);
    Ok((model, shortcuts, questions.collect()))
}

/// Calls `visit` with the state space of a System, unexplored but for its initial state.
pub fn explore<T>(
    system: &System,
    options: &Options<'_>,
    visit: impl FnOnce(&mut dyn States) -> T,
) -> Result<T, String> {
    let (model, _) = CompiledSystem::new(system, &[]).map_err(|model::TooLarge(why)| why)?;
    with_words!(model.layout.words, W => {
        let mut explorer = Explorer::<W>::new(system, model, Shortcuts::default(), options.limits, 1)
            .map_err(|_| String::from("explored 0 states to depth 0"))?;
        visit(&mut PackedSpace::new(&mut explorer, options.stop))
    })
}

fn search<const W: usize>(
    system: &System,
    model: CompiledSystem,
    shortcuts: Shortcuts,
    wanted: &[usize],
    questions: &[Question],
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Report {
    let mut report = Report {
        verdicts: Vec::new(),
        possible: None,
        reachable: None,
        stats: Stats::default(),
    };
    let asks_more = questions.len() < wanted.len();
    let spare = asks_more.then(|| model.clone());
    let nothing = String::from("explored 0 states to depth 0");
    if !questions.is_empty() || !asks_more || options.full_space {
        let threads = match options.limits.states {
            u64::MAX => options.threads.clamp(1, 64),
            _ => 1,
        };
        let explorer = Explorer::<W>::new(system, model, shortcuts, options.limits, threads);
        let Ok(mut explorer) = explorer else {
            return give_up(wanted, nothing, notice);
        };
        (explorer.few, explorer.disk) = (Some(options.few), options.disk);
        let (verdicts, ended) =
            safety::search(&mut explorer, &mut Alone, questions, options, notice);
        report.verdicts = verdicts;
        report.add(&explorer, ended.err());
    }
    if let Some(model) = spare {
        // Runs and branches may need every state, and the search above may have left some out; or they need few, and then it
        // has found too many. So they begin anew, without shortcuts, and find states as they ask for them.
        let explorer = Explorer::<W>::new(system, model, Shortcuts::default(), options.limits, 1);
        let Ok(mut explorer) = explorer else {
            return give_up(wanted, nothing, notice);
        };
        let answers = temporal::search(&mut explorer, wanted, options, notice);
        report.verdicts.extend(answers.verdicts);
        report.possible = answers.possible;
        report.add(&explorer, answers.exhausted);
    }
    report.in_order(wanted)
}

impl Stats {
    /// The figures of this search and another.
    pub fn and(self, other: Stats) -> Stats {
        Stats {
            states: self.states.max(other.states),
            complete: self.complete || other.complete,
            transitions: self.transitions + other.transitions,
            depth: self.depth.max(other.depth),
            faults: self.faults.max(other.faults),
            memory: self.memory.max(other.memory),
            spilled: self.spilled.max(other.spilled),
            reduction: self.reduction || other.reduction,
            symmetry: self.symmetry || other.symmetry,
            state_bits: self.state_bits.max(other.state_bits),
            processes: self.processes.max(other.processes),
            bytes: self.bytes + other.bytes,
            exhausted: self.exhausted.or(other.exhausted),
            outlook: self.outlook.or(other.outlook),
        }
    }
}

impl Report {
    /// With the verdicts in the order in which they were asked for.
    fn in_order(mut self, wanted: &[usize]) -> Report {
        let position = |v: &Verdict| wanted.iter().position(|p| *p == v.property);
        self.verdicts.sort_by_key(position);
        self
    }

    /// Adds the figures of a search.
    fn add<const W: usize>(&mut self, explorer: &Explorer<'_, W>, ended: Option<Exhausted>) {
        if explorer.complete && !explorer.shortcuts.any() {
            self.reachable = Some(explorer.states());
        }
        self.stats = self.stats.and(Stats {
            states: explorer.states(),
            complete: explorer.complete,
            transitions: explorer.transitions,
            depth: explorer.depth(),
            faults: explorer.levels.last().map_or(0, |l| l.faults),
            memory: explorer.peak.max(explorer.memory()),
            spilled: explorer.known.spilled(),
            reduction: explorer.shortcuts.reduces(),
            symmetry: explorer.shortcuts.exchanges(),
            state_bits: explorer.model.layout.bits,
            exhausted: ended,
            outlook: explorer.outlook(),
            ..Stats::default()
        });
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
            minimal: false,
        })
        .collect();
    for verdict in &verdicts {
        notice(Notice::Verdict(verdict));
    }
    Report {
        verdicts,
        possible: None,
        reachable: None,
        stats: Stats::default(),
    }
}

#[cfg(test)]
pub use symmetry::tests::replicas;
#[cfg(test)]
mod tests;
