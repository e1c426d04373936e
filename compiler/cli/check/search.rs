//! The embedded engine's part: which System it is asked about, with which shortcuts, and which runs are shown.

use std::collections::VecDeque;

use super::answers::{Answers, Shows};
use super::engines::Trouble;
use super::{Findings, Task};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::engine;
use crate::engine::space::Exhausted;
use crate::engine::{Limits, Notice};
use crate::nusmv;
use crate::simplify::Simplified;
use crate::system::{EdgeKind, PropertyKind, System};
use crate::verdict::{Move, Outcome, Verdict};

/// Searches with the embedded engine. Answers that it knows are added; the others are returned.
pub fn search(
    task: &Task,
    answers: &Answers,
    shell: &mut Shell,
) -> Result<(Findings, Vec<Verdict>), Trouble> {
    let is_temporal = |p: &usize| {
        let kind = &task.system.properties[*p].kind;
        matches!(kind, PropertyKind::Ltl(_) | PropertyKind::Ctl(_))
    };
    let (temporal, safety): (Vec<usize>, Vec<usize>) =
        task.wanted.iter().partition(|p| is_temporal(p));
    let mut search = Search {
        task,
        progress: ProgressLine::new(shell),
        found: Vec::new(),
        undecided: Vec::new(),
        reachable: None,
        many: false,
        stats: engine::Stats::default(),
        possible: None,
    };
    search.safety(safety, answers, shell)?;
    search.temporal(temporal, answers, shell)?;
    if search.possible == Some(false) {
        return Err(nusmv::Error::Assumptions.into());
    }
    for (verdict, shows) in with_runs(task, search.found)? {
        answers.add(&verdict, shows, shell).map_err(Trouble::Ours)?;
    }
    let findings = Findings {
        states: match search.many {
            true => search.reachable,
            false => search.reachable.or_else(|| count(task, &search.stats)),
        },
        stats: Some(search.stats),
        second: None,
    };
    Ok((findings, search.undecided))
}

/// A search in progress.
struct Search<'a> {
    task: &'a Task<'a>,
    progress: ProgressLine,
    /// Verdicts that a run shows, whether it is known or not.
    found: Vec<Verdict>,
    undecided: Vec<Verdict>,
    reachable: Option<u64>,
    /// Whether there are too many states to count them.
    many: bool,
    stats: engine::Stats,
    possible: Option<bool>,
}

impl Search<'_> {
    /// Answers safety properties, one way after another until all are answered.
    fn safety(
        &mut self,
        mut open: Vec<usize>,
        answers: &Answers,
        shell: &mut Shell,
    ) -> Result<(), Trouble> {
        let task = self.task;
        let stop = || task.is_over();
        let mut ways = VecDeque::from(ways(task));
        while let Some(way) = ways.pop_front() {
            let mut options = options(task, task.args.stats, &stop);
            options.enough = way.enough;
            options.reduction = way.reduction;
            options.symmetry = way.symmetry;
            let system = match way.stepwise {
                true => &task.stepwise().system,
                false => &task.simplified().system,
            };
            self.ask(system, &open, &options, answers, shell)?;
            if self.stats.exhausted == Some(Exhausted::Memory) {
                ways.retain(|other| !other.is_as(&way));
            }
            if self.undecided.is_empty() || task.is_over() || ways.is_empty() {
                break;
            }
            open = self.undecided.drain(..).map(|v| v.property).collect();
            self.stats = engine::Stats::default();
            self.many = true;
        }
        Ok(())
    }

    fn temporal(
        &mut self,
        properties: Vec<usize>,
        answers: &Answers,
        shell: &mut Shell,
    ) -> Result<(), Trouble> {
        let task = self.task;
        let stop = || task.is_over();
        let mut options = options(task, false, &stop);
        options.effort = engine::emptiness::Effort::NONE;
        self.ask(
            &task.simplified().system,
            &properties,
            &options,
            answers,
            shell,
        )
    }

    /// Asks the engine about some properties of a System.
    fn ask(
        &mut self,
        system: &System,
        properties: &[usize],
        options: &engine::Options<'_>,
        answers: &Answers,
        shell: &mut Shell,
    ) -> Result<(), Trouble> {
        if properties.is_empty() {
            return Ok(());
        }
        let mut wrong = Ok(());
        let report = engine::check(system, properties, options, &mut |notice| match notice {
            Notice::Progress(now) => self.progress.show(&now),
            Notice::Verdict(verdict) => {
                if matches!(verdict.outcome, Outcome::Unknown(_)) {
                    self.undecided.push(verdict.clone());
                } else if is_shown_by_a_run(self.task, verdict) {
                    self.found.push(verdict.clone());
                } else {
                    self.progress.clear();
                    let added = answers.add(verdict, Shows::Best, shell);
                    if wrong.is_ok() {
                        wrong = added;
                    }
                }
            }
        });
        self.progress.clear();
        self.reachable = self.reachable.or(report.reachable);
        self.possible = self.possible.or(report.possible);
        self.stats = self.stats.and(report.stats);
        wrong.map_err(Trouble::Ours)
    }
}

/// A way to search.
struct Way {
    /// Whether steps are left as they are instead of being merged.
    stepwise: bool,
    reduction: bool,
    symmetry: bool,
    /// With more states the next way is tried.
    enough: u64,
}

impl Way {
    /// Whether it is the same, but for how far it goes.
    fn is_as(&self, other: &Way) -> bool {
        let key = |way: &Way| (way.stepwise, way.reduction, way.symmetry);
        key(self) == key(other)
    }
}

/// The ways to try, the last one to its end.
fn ways(task: &Task) -> Vec<Way> {
    let reduction = !task.args.no_reduction;
    let symmetry = !task.args.no_symmetry;
    let last = Way {
        stepwise: false,
        reduction,
        symmetry,
        enough: u64::MAX,
    };
    let mut ways = Vec::new();
    // What is small is searched plainly, without looking for shortcuts first.
    if (reduction || symmetry) && !task.args.stats {
        ways.push(Way {
            reduction: false,
            symmetry: false,
            enough: FEW,
            ..last
        });
    }
    // Where the order of steps does not matter they need not be merged, and choices that are made late are made fewer
    // times; where it does, merging leaves fewer states. Which it is shows when one of the two comes to its end: by
    // orders of magnitude at times, so each gets a second chance.
    if reduction {
        let chances = [(true, 2), (false, 20), (true, 40)];
        ways.extend(chances.map(|(stepwise, times)| Way {
            stepwise,
            enough: times * FEW,
            ..last
        }));
    }
    ways.push(last);
    ways
}

/// Whether there is a run that shows why a verdict is what it is.
fn is_shown_by_a_run(task: &Task, verdict: &Verdict) -> bool {
    let violated = verdict.outcome == Outcome::Violated;
    match task.system.properties[verdict.property].kind {
        PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Invariant(_) => violated,
        PropertyKind::Reachable(_) => !violated,
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) => verdict.run.is_some(),
    }
}

fn options<'a>(task: &Task, full_space: bool, stop: &'a dyn Fn() -> bool) -> engine::Options<'a> {
    engine::Options {
        limits: Limits {
            states: task.args.max_states.unwrap_or(u64::MAX),
            memory: task.watch.memory,
        },
        full_space,
        enough: u64::MAX,
        reduction: false,
        symmetry: false,
        effort: engine::emptiness::Effort::SOME,
        threads: match task.args.threads {
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        },
        stop,
    }
}

/// With about so many states a search takes no shortcuts, and the states are counted even if every answer is known before.
const FEW: u64 = 200_000;

/// How many states there are, if they are few: a search ends as soon as it has all answers.
fn count(task: &Task, stats: &engine::Stats) -> Option<u64> {
    if stats.exhausted.is_some() || stats.states > FEW {
        return None;
    }
    let stop = || task.is_over();
    let mut options = options(task, true, &stop);
    options.limits.states = options.limits.states.min(FEW);
    let all = engine::check(&task.simplified().system, &[], &options, &mut |_| {}).stats;
    all.complete.then_some(all.states)
}

/// With more states than this a search for the best run ends, and any run is shown.
const WORTH_SEARCHING: u64 = 20_000_000;

/// Verdicts with the runs that the language promises: the fewest faults, then the fewest steps, counted in the
/// user's own steps. Where that search ends early, some run will do.
fn with_runs(task: &Task, found: Vec<Verdict>) -> Result<Vec<(Verdict, Shows)>, Trouble> {
    let (lassos, finite): (Vec<Verdict>, Vec<Verdict>) = found.into_iter().partition(|verdict| {
        let kind = &task.system.properties[verdict.property].kind;
        matches!(kind, PropertyKind::Ltl(_) | PropertyKind::Ctl(_))
    });
    let mut shown = Vec::new();
    shown.extend(with_lassos(task, lassos)?);
    let mut open: Vec<usize> = finite.iter().map(|verdict| verdict.property).collect();
    let stop = || task.is_over();
    let mut options = options(task, false, &stop);
    options.enough = WORTH_SEARCHING;
    for shows in [Shows::Best, Shows::Any] {
        if open.is_empty() {
            return Ok(shown);
        }
        let report = engine::check(&task.stepwise().system, &open, &options, &mut |_| {});
        for verdict in report.verdicts.into_iter().filter(|v| v.run.is_some()) {
            open.retain(|property| *property != verdict.property);
            shown.push((restored(task, task.stepwise(), verdict)?, shows));
        }
        options.enough = u64::MAX;
        options.reduction = !task.args.no_reduction;
    }
    // What is known is told, even if there is no time or memory to show it.
    let left = finite.into_iter().filter(|v| open.contains(&v.property));
    shown.extend(left.map(|mut verdict| {
        verdict.run = None;
        (verdict, Shows::Any)
    }));
    Ok(shown)
}

/// With more states than this a search for the best infinite run ends, and a good one is shown.
const WORTH_SEARCHING_FOR_LASSOS: u64 = 2_000_000;

/// The same for infinite runs: those of merged steps are made of more steps than they would have to.
fn with_lassos(task: &Task, lassos: Vec<Verdict>) -> Result<Vec<(Verdict, Shows)>, Trouble> {
    if lassos.is_empty() {
        return Ok(Vec::new());
    }
    let stop = || task.is_over();
    let mut options = options(task, false, &stop);
    options.limits.states = options.limits.states.min(WORTH_SEARCHING_FOR_LASSOS);
    let properties: Vec<usize> = lassos.iter().map(|verdict| verdict.property).collect();
    let report = engine::check(&task.stepwise().system, &properties, &options, &mut |_| {});
    let mut shown = Vec::new();
    for verdict in lassos {
        let better = (report.verdicts.iter())
            .find(|v| v.property == verdict.property && v.run.is_some())
            .cloned();
        let mut best = restored(task, task.simplified(), verdict)?;
        best.minimal = false;
        if let Some(better) = better {
            let better = restored(task, task.stepwise(), better)?;
            let (ours, theirs) = (cost(task.system, &best), cost(task.system, &better));
            if theirs < ours {
                best = better;
            } else {
                best.minimal = better.minimal;
            }
        }
        let shows = if best.minimal {
            Shows::Best
        } else {
            Shows::Any
        };
        shown.push((best, shows));
    }
    Ok(shown)
}

/// The faults and the steps of a verdict's run.
fn cost(system: &System, verdict: &Verdict) -> (usize, usize) {
    let moves = verdict.run.as_ref().map_or(&[][..], |run| &run.moves);
    let is_fault = |step: &&Move| match step {
        Move::Stutter => false,
        Move::Step { process, edge, .. } => {
            let kind = &system.process(*process).edges[*edge].kind;
            matches!(kind, EdgeKind::Fault(_))
        }
    };
    (moves.iter().filter(is_fault).count(), moves.len())
}

/// A verdict whose run is one of the model as it was written.
pub fn restored(
    task: &Task,
    simplified: &Simplified,
    mut verdict: Verdict,
) -> Result<Verdict, Trouble> {
    let Some(run) = &verdict.run else {
        return Ok(verdict);
    };
    let restored = simplified.restore(task.system, run, Some(verdict.property));
    if restored.is_none() {
        let name = &task.system.properties[verdict.property].name;
        return Err(Trouble::Ours(format!(
            "the trace for `{name}` of the simplified model is none of the model"
        )));
    }
    verdict.run = restored;
    Ok(verdict)
}
