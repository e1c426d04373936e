//! The embedded engine's part: which System it is asked about, with which shortcuts and in which order, and which runs are shown.

use std::collections::VecDeque;

use super::answer::{Answer, Shows};
use super::aside::{Beside, Theirs};
use super::lassos::with_lassos;
use super::minimise::{Candidate, Spent, minimise};
use super::strategy::Strategy;
use super::{Options, Trouble};
use crate::engine;
use crate::engine::emptiness::Effort;
use crate::engine::space::Exhausted;
use crate::engine::{Notice, Outlook};
use crate::simplify::Simplified;
use crate::system::{PropertyKind, System};
use crate::verdict::{Outcome, Verdict};

/// What a search knows besides the answers that it has told.
pub struct Rest {
    /// What it does not know.
    pub undecided: Vec<Verdict>,
    /// How many states there are, if that is known.
    pub states: Option<u64>,
    /// Figures.
    pub stats: engine::Stats,
}

/// Searches with the embedded engine, and tells the answers that it knows.
pub fn search(strategy: &Strategy) -> Result<Rest, Trouble> {
    let system = strategy.task.system;
    let (temporal, safety): (Vec<usize>, Vec<usize>) =
        (strategy.task.wanted.iter()).partition(|p| system.properties[**p].kind.is_temporal());
    let mut search = Search::new(strategy);
    search.safety(safety)?;
    search.temporal(&temporal)?;
    if search.possible == Some(false) {
        return Err(Trouble::NoRun);
    }
    let spent = Spent {
        visited: Some(search.stats.states),
        many: search.many,
    };
    for (verdict, shows) in with_runs(strategy, search.found, spent)? {
        strategy.settle(&verdict, shows)?;
    }
    Ok(Rest {
        states: match search.many {
            true => search.reachable,
            false => search.reachable.or_else(|| count(strategy, &search.stats)),
        },
        stats: search.stats,
        undecided: search.undecided,
    })
}

/// A search in progress.
struct Search<'a> {
    strategy: &'a Strategy<'a>,
    /// Verdicts that a run of the model shows, whether it is known or not.
    found: Vec<Candidate>,
    undecided: Vec<Verdict>,
    reachable: Option<u64>,
    /// Whether there are too many states to count them.
    many: bool,
    stats: engine::Stats,
    possible: Option<bool>,
}

impl<'a> Search<'a> {
    fn new(strategy: &'a Strategy<'a>) -> Self {
        Search {
            strategy,
            found: Vec::new(),
            undecided: Vec::new(),
            reachable: None,
            many: false,
            stats: engine::Stats::default(),
            possible: None,
        }
    }

    /// Answers safety properties, one way after another until all are answered. All ways go by the number of faults, so that the
    /// first run has the fewest; most violations need few, and then most states need not be looked at.
    fn safety(&mut self, mut open: Vec<usize>) -> Result<(), Trouble> {
        let Strategy { task, world, .. } = self.strategy;
        let beside = Beside::new(self.strategy, open.clone());
        let stop = || world.is_over() || beside.is_done();
        let mut ways = VecDeque::from(ways(&task.options));
        // How the search with every step as it is looked when it was given up.
        let mut other = None;
        while let Some(way) = ways.pop_front() {
            let persists = |outlook| way.persists(outlook, other);
            let options = engine::Options {
                full_space: task.options.full_space,
                enough: way.enough,
                persists: &persists,
                reduction: way.reduction,
                symmetry: way.symmetry,
                by_faults: !task.system.faults.is_empty(),
                ..self.strategy.options(&stop)
            };
            self.ask(way.stepwise, &open, &options, &|p| beside.is_answered(p))?;
            if way.stepwise {
                other = self.stats.outlook;
            }
            if self.stats.exhausted == Some(Exhausted::Memory) {
                ways.retain(|other| !other.is_as(&way));
            }
            let is_last = world.is_over() || ways.is_empty();
            if self.undecided.is_empty() || beside.is_done() || is_last {
                break;
            }
            open = self.undecided.drain(..).map(|v| v.property).collect();
            self.stats = engine::Stats::default();
            self.many = true;
        }
        for found in beside.end()? {
            self.adopt(found)?;
        }
        Ok(())
    }

    /// Takes what was found beside the search for an answer if there is none; else it has to be the same.
    fn adopt(&mut self, theirs: Theirs) -> Result<(), Trouble> {
        let Theirs {
            verdict,
            time,
            proof,
        } = theirs;
        let property = verdict.property;
        let Some(place) = (self.undecided.iter()).position(|v| v.property == property) else {
            let found = (self.found.iter()).find(|c| c.verdict.property == property);
            let found = found.map(|c| Answer::unreplayed(&c.verdict).verdict());
            let settled = self.strategy.answers();
            let settled = settled.iter().find(|a| a.property == property);
            let ours = found.or(settled.map(Answer::verdict));
            let theirs = Answer::unreplayed(&verdict).verdict();
            let name = &self.strategy.task.system.properties[property].name;
            return match ours {
                Some(ours) if ours != theirs => Err(Trouble::Disagreement {
                    ours: format!("`{name}` is {ours}"),
                    theirs: theirs.to_owned(),
                }),
                _ => Ok(()),
            };
        };
        self.undecided.remove(place);
        self.many = true;
        if verdict.run.is_none() {
            return self.strategy.settle_proved(&verdict, time, proof);
        }
        let verdict = restored(self.strategy, self.strategy.simplified(), verdict)?;
        self.strategy.announce(&verdict)?;
        self.found.push(Candidate::any(verdict));
        Ok(())
    }

    fn temporal(&mut self, properties: &[usize]) -> Result<(), Trouble> {
        let stop = || self.strategy.world.is_over();
        let mut options = self.strategy.options(&stop);
        options.effort = Effort::NONE;
        self.ask(false, properties, &options, &|_| {})
    }

    /// Asks the engine about some properties.
    fn ask(
        &mut self,
        stepwise: bool,
        properties: &[usize],
        options: &engine::Options<'_>,
        answered: &dyn Fn(usize),
    ) -> Result<(), Trouble> {
        if properties.is_empty() {
            return Ok(());
        }
        let strategy = self.strategy;
        let mut wrong = Ok(());
        let simplified = strategy.way(stepwise);
        let report = strategy.ask(stepwise, properties, options, &mut |notice| match notice {
            Notice::Progress(now) => strategy.world.progress(&now),
            Notice::Verdict(verdict) => {
                if matches!(verdict.outcome, Outcome::Unknown(_)) {
                    self.undecided.push(verdict.clone());
                    return;
                }
                answered(verdict.property);
                if is_shown_by_a_run(strategy.task.system, verdict) {
                    let known = restored(strategy, simplified, verdict.clone());
                    let told = known.and_then(|verdict| {
                        strategy.announce(&verdict)?;
                        let shows = match verdict.run {
                            Some(_) if options.by_faults => Shows::Fewest,
                            _ => Shows::Any,
                        };
                        self.found.push(Candidate { verdict, shows });
                        Ok(())
                    });
                    wrong = wrong.clone().and(told);
                } else {
                    wrong = wrong.clone().and(strategy.settle(verdict, Shows::Best));
                }
            }
        });
        self.reachable = self.reachable.or(report.reachable);
        self.possible = self.possible.or(report.possible);
        self.stats = self.stats.and(report.stats);
        wrong
    }
}

/// A way to search.
struct Way {
    /// Whether steps are left as they are instead of being merged.
    stepwise: bool,
    reduction: bool,
    symmetry: bool,
    /// With more states the next way is tried, unless it looks as if this one were better.
    enough: u64,
    /// With more states the next way is tried however it looks.
    most: u64,
}

impl Way {
    /// How far it goes when it has come so far, given how the search with every step as it is looked when it was given up.
    ///
    /// What was found is not thrown away lightly: with merged steps the search goes on unless the other one is likely to
    /// have fewer states than this one has still to find. With every step as it is it goes on if the end is near.
    fn persists(&self, now: Outlook, other: Option<Outlook>) -> Option<u64> {
        let is_better = match (self.stepwise, now.total, other) {
            (true, total, _) => total.is_some_and(|total| total / 2 <= self.most),
            (false, Some(total), Some(other)) => {
                let left = total.saturating_sub(now.states);
                other.total.is_none_or(|total| total >= left)
            }
            (false, _, _) => false,
        };
        (now.states < self.most && is_better).then_some(self.most)
    }

    /// Whether it is the same, but for how far it goes.
    fn is_as(&self, other: &Way) -> bool {
        let key = |way: &Way| (way.stepwise, way.reduction, way.symmetry);
        key(self) == key(other)
    }
}

/// The ways to try, the last one to its end.
fn ways(options: &Options) -> Vec<Way> {
    let Options {
        reduction,
        symmetry,
        thresholds,
        ..
    } = *options;
    let last = Way {
        stepwise: false,
        reduction,
        symmetry,
        enough: u64::MAX,
        most: u64::MAX,
    };
    let mut ways = Vec::new();
    // What is small is searched plainly, without looking for shortcuts first.
    if (reduction || symmetry) && !options.full_space {
        ways.push(Way {
            reduction: false,
            symmetry: false,
            enough: thresholds.few,
            most: thresholds.few,
            ..last
        });
    }
    // Where the order of steps does not matter they need not be merged, and choices that are made late are made fewer
    // times; where it does, merging leaves fewer states. Which it is shows when one of the two comes to its end: by
    // orders of magnitude at times, so each gets a second chance, unless the way they grow tells already.
    if reduction {
        let [first, second, third] = thresholds.chances;
        let chances = [
            (true, first / 4, first),
            (false, second, u64::MAX),
            (true, third, third),
        ];
        ways.extend(chances.map(|(stepwise, enough, most)| Way {
            stepwise,
            enough,
            most,
            ..last
        }));
    }
    ways.push(last);
    ways
}

/// The runs that the searches for verdicts find.
#[cfg(test)]
pub fn decide(strategy: &Strategy) -> Result<Vec<Candidate>, Trouble> {
    let mut search = Search::new(strategy);
    search.safety(strategy.task.wanted.to_vec())?;
    Ok(search.found)
}

/// Whether there is a run that shows why a verdict is what it is.
fn is_shown_by_a_run(system: &System, verdict: &Verdict) -> bool {
    let violated = verdict.outcome == Outcome::Violated;
    match system.properties[verdict.property].kind {
        PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Invariant(_) => violated,
        PropertyKind::Reachable(_) => !violated,
        PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => verdict.run.is_some(),
    }
}

/// How many states there are, if they are few: a search ends as soon as it has all answers.
fn count(strategy: &Strategy, stats: &engine::Stats) -> Option<u64> {
    let few = strategy.task.options.thresholds.few;
    if stats.exhausted.is_some() || stats.states > few {
        return None;
    }
    let stop = || strategy.world.is_over();
    let mut options = strategy.options(&stop);
    options.full_space = true;
    options.limits.states = options.limits.states.min(few);
    let all = strategy.ask(false, &[], &options, &mut |_| {}).stats;
    all.complete.then_some(all.states)
}

/// Verdicts with the runs that the language promises: the fewest faults, then the fewest steps, counted in the
/// user's own steps; or what comes closest to them within the budget. The verdicts have cost so much.
fn with_runs(
    strategy: &Strategy,
    found: Vec<Candidate>,
    spent: Spent,
) -> Result<Vec<(Verdict, Shows)>, Trouble> {
    let properties = &strategy.task.system.properties;
    let (lassos, finite): (Vec<Candidate>, Vec<Candidate>) = found
        .into_iter()
        .partition(|c| properties[c.verdict.property].kind.is_temporal());
    let lassos = lassos.into_iter().map(|c| c.verdict).collect();
    let mut shown = with_lassos(strategy, lassos)?;
    let finite = minimise(strategy, finite, spent)?;
    shown.extend(finite.into_iter().map(|c| (c.verdict, c.shows)));
    Ok(shown)
}

/// A verdict whose run is one of the model as it was written.
pub fn restored(
    strategy: &Strategy,
    simplified: &Simplified,
    mut verdict: Verdict,
) -> Result<Verdict, Trouble> {
    let Some(run) = &verdict.run else {
        return Ok(verdict);
    };
    let system = strategy.task.system;
    let restored = simplified.restore(system, run, Some(verdict.property));
    if restored.is_none() {
        let name = &system.properties[verdict.property].name;
        return Err(Trouble::Internal(format!(
            "the trace for `{name}` of the simplified model is none of the model"
        )));
    }
    verdict.run = restored;
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Thresholds;

    #[test]
    fn a_search_goes_on_if_it_looks_better_than_the_other() {
        let options = Options {
            thresholds: Thresholds {
                few: 10,
                chances: [400, 4000, 8000],
                ..Thresholds::default()
            },
            ..Options::default()
        };
        let all = ways(&options);
        let [plain, first, merged, second, last] = all.as_slice() else {
            panic!("there are five ways");
        };
        assert_eq!(
            [plain, first, merged, second, last].map(|way| way.enough),
            [10, 100, 4000, 8000, u64::MAX]
        );
        let at = |states, total| Outlook { states, total };
        // What is few is searched no further than that.
        assert_eq!(plain.persists(at(11, Some(12)), None), None);
        // The first chance is used up if the end is near, else not.
        assert_eq!(first.persists(at(101, Some(700)), None), Some(400));
        assert_eq!(first.persists(at(101, Some(900)), None), None);
        assert_eq!(first.persists(at(101, None), None), None);
        assert_eq!(first.persists(at(401, Some(402)), None), None);
        // What has been found is given up for what seems to be less than is left only.
        let other = |total| Some(at(101, total));
        assert_eq!(
            merged.persists(at(4001, Some(9000)), other(Some(900))),
            None
        );
        let goes_on = Some(u64::MAX);
        assert_eq!(
            merged.persists(at(4001, Some(4500)), other(Some(900))),
            goes_on
        );
        assert_eq!(merged.persists(at(4001, Some(9000)), other(None)), goes_on);
        // Where nothing is known, the other gets its chance.
        assert_eq!(merged.persists(at(4001, None), other(Some(900))), None);
        assert_eq!(merged.persists(at(4001, Some(9000)), None), None);
        assert_eq!(second.persists(at(8001, Some(8002)), other(None)), None);
    }
}
