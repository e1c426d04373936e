//! From any run to the smallest one: the fewest faults, then the fewest steps, counted in the user's own steps.
//!
//! A run that was found is never lost: it is shown if nothing smaller is found within the budget, with what is known about
//! it. In this order:
//!
//! 1. Few states are searched plainly, in order of faults and steps: the first run is the smallest. If there are too many for that,
//!    the search for the verdict has seen it already.
//! 2. What is not known to have the fewest faults, because another engine has found it, is searched for in order of faults, with
//!    shortcuts: the first run has the fewest, or the one that is there has.
//! 3. Steps that a run does not need are left out ([`shrink`]).
//! 4. As many states as are worth it are searched plainly, but only with as many faults as are needed.

use std::time::Duration;

use super::answer::Shows;
use super::search::restored;
use super::shrink::shrink;
use super::strategy::Strategy;
use super::{Trouble, World};
use crate::engine;
use crate::engine::space::Exhausted;
use crate::system::{Edge, System, state};
use crate::trace::begun;
use crate::verdict::{Move, Run, Verdict};

/// A verdict with the best run that is known, and what is known about that.
pub struct Candidate {
    /// The verdict; its run is one of the model as it was written.
    pub verdict: Verdict,
    /// What its run shows.
    pub shows: Shows,
}

impl Candidate {
    /// A verdict of whose run nothing is known.
    pub fn any(verdict: Verdict) -> Self {
        Candidate {
            verdict,
            shows: Shows::Any,
        }
    }
}

/// The end of a budget of time.
pub struct Deadline<'a> {
    world: &'a dyn World,
    end: Duration,
}

impl<'a> Deadline<'a> {
    /// So long from now.
    pub fn new(world: &'a dyn World, budget: Duration) -> Self {
        Deadline {
            world,
            end: world.elapsed().saturating_add(budget),
        }
    }

    /// Whether the time is up, or everything ends.
    pub fn is_over(&self) -> bool {
        self.world.is_over() || self.world.elapsed() >= self.end
    }
}

/// Faults and steps of a run.
pub fn cost(system: &System, run: &Run) -> (usize, usize) {
    let start = state::start(system, &run.start);
    let begun = start.map_or(0, |start| begun(system, &start).len());
    let injected: usize = edges(system, run).map(Edge::injections).sum();
    (begun + injected, run.moves.len())
}

/// Whether a run has the fewest faults if it has the fewest steps that inject one. Searches count such steps; a step in which
/// several faults begin, or an initial state in which one need not have begun, costs more than that.
pub fn is_counted_by_searches(system: &System, run: &Run) -> bool {
    let chosen = |var| system.starts.choices.iter().any(|choice| choice.var == var);
    let start = state::start(system, &run.start);
    let begun = start.map_or(Vec::new(), |start| begun(system, &start));
    let mut phases = begun.iter().map(|f| system.faults[f.0 as usize].phase);
    phases.all(|phase| phase.is_none_or(|var| !chosen(var)))
        && edges(system, run).all(|edge| edge.injections() <= 1)
}

/// The edges that a run takes.
fn edges<'a>(system: &'a System, run: &'a Run) -> impl Iterator<Item = &'a Edge> {
    run.moves.iter().filter_map(|step| match step {
        Move::Stutter => None,
        Move::Step { process, edge, .. } => Some(&system.process(*process).edges[*edge]),
    })
}

/// What verdicts have cost.
#[derive(Clone, Copy)]
pub struct Spent {
    /// The states that the search for them has visited, if that is known.
    pub visited: Option<u64>,
    /// Whether a plain search has met too many of them.
    pub many: bool,
}

/// Makes the runs of safety properties smaller, whose verdicts have cost so much.
pub fn minimise(
    strategy: &Strategy,
    candidates: Vec<Candidate>,
    spent: Spent,
) -> Result<Vec<Candidate>, Trouble> {
    let options = &strategy.task.options;
    let thresholds = options.thresholds;
    let deadline = Deadline::new(strategy.world, options.minimise);
    let stop = || deadline.is_over();
    let mut minimiser = Minimiser {
        strategy,
        candidates,
    };
    let plain = |enough: u64| engine::Options {
        enough,
        ..strategy.options(&stop)
    };
    if !spent.many {
        minimiser.search(true, plain(thresholds.few), Shows::Best)?;
    }
    let by_faults = |enough: u64| engine::Options {
        enough,
        by_faults: true,
        reduction: options.reduction,
        symmetry: options.symmetry,
        ..strategy.options(&stop)
    };
    let [first, second, _] = thresholds.chances;
    for (stepwise, enough) in [(true, first), (false, second), (true, u64::MAX)] {
        minimiser.search(stepwise, by_faults(enough), Shows::Fewest)?;
    }
    minimiser.shrink(&stop);
    // A verdict that was cheap is not worth a run that is dear.
    let cheap = spent.visited.map_or(u64::MAX, |visited| {
        let most = visited.saturating_mul(20);
        most.max(thresholds.few.saturating_mul(2))
    });
    let worth = thresholds.worth_searching.min(cheap);
    minimiser.search(true, plain(worth), Shows::Best)?;
    minimiser.find_missing()?;
    minimiser.doubt();
    Ok(minimiser.candidates)
}

/// Runs in the making.
struct Minimiser<'a> {
    strategy: &'a Strategy<'a>,
    candidates: Vec<Candidate>,
}

impl Minimiser<'_> {
    fn faults(&self, candidate: &Candidate) -> Option<u32> {
        let run = candidate.verdict.run.as_ref()?;
        let (faults, _) = cost(self.strategy.task.system, run);
        u32::try_from(faults).ok()
    }

    /// Looks for runs that show more than the present ones do.
    fn search(
        &mut self,
        stepwise: bool,
        mut options: engine::Options<'_>,
        shows: Shows,
    ) -> Result<(), Trouble> {
        for candidate in &mut self.candidates {
            let run = candidate.verdict.run.as_ref();
            let free = run.is_some_and(|run| cost(self.strategy.task.system, run).0 == 0);
            if free && candidate.shows == Shows::Any {
                // Fewer there are not.
                candidate.shows = Shows::Fewest;
            }
        }
        let is_open = |candidate: &&Candidate| candidate.shows < shows;
        let open: Vec<&Candidate> = self.candidates.iter().filter(is_open).collect();
        if open.is_empty() || (options.stop)() {
            return Ok(());
        }
        // Of those that need at least one fault less than the run that is known, or as many if it is to be shorter.
        let fewer = u32::from(shows == Shows::Fewest);
        let most = |candidate: &&Candidate| match self.faults(candidate) {
            Some(faults) => faults.saturating_sub(fewer),
            None => u32::MAX,
        };
        options.max_faults = open.iter().map(most).max().unwrap_or(u32::MAX);
        let properties: Vec<usize> = open.iter().map(|c| c.verdict.property).collect();
        let world = self.strategy.world;
        let simplified = self.strategy.way(stepwise);
        let report = self
            .strategy
            .ask(stepwise, &properties, &options, &mut |notice| {
                if let engine::Notice::Progress(now) = notice {
                    world.progress(&now);
                }
            });
        let all_tried = matches!(report.stats.exhausted, None | Some(Exhausted::Faults));
        for verdict in report.verdicts {
            let position = |c: &Candidate| c.verdict.property == verdict.property;
            let Some(index) = self.candidates.iter().position(position) else {
                continue;
            };
            if verdict.run.is_some() {
                let verdict = restored(self.strategy, simplified, verdict)?;
                self.take(index, verdict, shows);
            } else if all_tried
                && shows == Shows::Fewest
                && self.candidates[index].verdict.run.is_some()
            {
                // With fewer faults there is none.
                self.candidates[index].shows = Shows::Fewest;
            }
        }
        Ok(())
    }

    /// Takes a run if it is smaller, or shows more.
    fn take(&mut self, index: usize, verdict: Verdict, shows: Shows) {
        let system = self.strategy.task.system;
        let candidate = &mut self.candidates[index];
        let price = |verdict: &Verdict| verdict.run.as_ref().map(|run| cost(system, run));
        let (old, new) = (price(&candidate.verdict), price(&verdict));
        let is_smaller = match (old, new) {
            (Some(old), Some(new)) => new < old,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_smaller || shows == Shows::Best {
            candidate.verdict = verdict;
        }
        candidate.shows = shows;
    }

    /// Leaves out what runs do not need.
    fn shrink(&mut self, stop: &dyn Fn() -> bool) {
        let system = self.strategy.task.system;
        for candidate in &mut self.candidates {
            if let Some(run) = &mut candidate.verdict.run
                && candidate.shows < Shows::Best
            {
                *run = shrink(system, candidate.verdict.property, run, stop);
            }
        }
    }

    /// Does not claim more than the searches know.
    fn doubt(&mut self) {
        for candidate in &mut self.candidates {
            let run = candidate.verdict.run.as_ref();
            if run.is_some_and(|run| !is_counted_by_searches(self.strategy.task.system, run)) {
                candidate.shows = Shows::Any;
            }
        }
    }

    /// What is violated is shown by some run, however long it takes to find one.
    fn find_missing(&mut self) -> Result<(), Trouble> {
        let is_missing = |c: &&Candidate| c.verdict.run.is_none();
        let missing: Vec<usize> = (self.candidates.iter().filter(is_missing))
            .map(|c| c.verdict.property)
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let strategy = self.strategy;
        let stop = || strategy.world.is_over();
        let options = engine::Options {
            reduction: strategy.task.options.reduction,
            ..strategy.options(&stop)
        };
        let stepwise = strategy.stepwise();
        let report = strategy.ask(true, &missing, &options, &mut |_| {});
        for verdict in report.verdicts.into_iter().filter(|v| v.run.is_some()) {
            let position = |c: &Candidate| c.verdict.property == verdict.property;
            if let Some(index) = self.candidates.iter().position(position) {
                let verdict = restored(strategy, stepwise, verdict)?;
                self.take(index, verdict, Shows::Any);
            }
        }
        Ok(())
    }
}
