//! The run that is reported, found by all together: the same one as `trace` finds, in the same way.
//!
//! A state is marked by its owner, who needs the marks of the states that it leads to: so all are told all marks of a step before
//! they go back to the one before. To read the run off, each offers the first of the best steps that lead to a state of its own.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::desk::{pack, unpack};
use super::mesh::{Broken, Mesh, exchange, gather};
use crate::engine::explorer::{Explorer, Level};
use crate::engine::model::{EdgeCode, Select, to_move};
use crate::engine::trace::{Costs, Goal, Target, is_goal};
use crate::system::state;
use crate::verdict::Run;

/// What is known of a state on a shortest run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mark {
    /// The fewest faults that lead to it.
    faults: u32,
    /// The fewest switches from here to the end.
    switches: u32,
    /// The processes of the System that may move first then.
    first: Vec<u64>,
}

/// The marked states that are so many steps away.
type Marks<const W: usize> = FxHashMap<[u64; W], Mark>;

/// A step that is offered for a run: best are the least.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Offer {
    process: u32,
    edge: u32,
    picks: u32,
    /// The state it leads to, if that is looked at.
    next: Option<Vec<u64>>,
    /// How many switches follow.
    rest: u32,
    fault: bool,
}

/// The shortest run to a target that the search has found, or none if the target is not there.
pub fn shortest<const W: usize>(
    mesh: &mut dyn Mesh,
    explorer: &mut Explorer<'_, W>,
    target: Target,
    memory: usize,
) -> Result<Option<Run>, Broken> {
    let spare = memory.saturating_sub(explorer.memory());
    let mut search = Search {
        mesh,
        explorer,
        target,
        thin: false,
        spare,
    };
    let mut marks = search.mark()?;
    if marks.is_none() {
        // Where memory is short a run with the fewest faults and steps must do.
        (search.thin, search.spare) = (true, usize::MAX);
        marks = search.mark()?;
    }
    match marks {
        Some((own, starts)) => search.read_off(&own, &starts),
        None => Ok(None),
    }
}

struct Search<'s, 'a, const W: usize> {
    mesh: &'s mut dyn Mesh,
    explorer: &'s mut Explorer<'a, W>,
    target: Target,
    /// Whether one state per step is enough.
    thin: bool,
    /// Bytes that marks may take.
    spare: usize,
}

/// The marks of a process by the number of steps, and those of all that are no step away.
type Marked<const W: usize> = (Vec<Marks<W>>, Marks<W>);

impl<const W: usize> Search<'_, '_, W> {
    /// Marks the states on shortest runs; nothing if somebody has too little memory for that.
    fn mark(&mut self) -> Result<Option<Marked<W>>, Broken> {
        let last = self.target.level.steps;
        let processes = self.explorer.model.processes();
        let mut own: Vec<Marks<W>> = vec![Marks::default(); last as usize + 1];
        let mut here = Marks::default();
        let goals: Vec<_> = match self.explorer.level(self.target.level) {
            Some(level) => self.explorer.states_of(level).collect(),
            None => Vec::new(),
        };
        for state in goals {
            let words = self.explorer.known.store.load(state);
            if is_goal(self.explorer, &words, self.target.goal) {
                let everybody = vec![u64::MAX; processes.div_ceil(64).max(1)];
                self.add(&mut here, state, (self.target.level.faults, 0, &everybody));
            }
        }
        let mut costs = Costs::new(processes);
        let Some(mut next) = self.share(&mut here, &own)? else {
            return Ok(None);
        };
        own[last as usize] = here;
        for steps in (0..last).rev() {
            let mut here = Marks::default();
            for faults in 0..=self.target.level.faults {
                let level = Level { faults, steps };
                let Some(position) = self.explorer.level(level) else {
                    continue;
                };
                for state in self.explorer.states_of(position) {
                    costs.clear();
                    let words = self.explorer.known.store.load(state);
                    self.each_tight(&words, level, &next, |edge, _, _, rest| {
                        costs.add(edge.process as usize, rest);
                    });
                    if let Some(best) = costs.best {
                        self.add(&mut here, state, (faults, best, &costs.first));
                    }
                }
                if self.thin && !here.is_empty() {
                    break;
                }
            }
            let Some(all) = self.share(&mut here, &own)? else {
                return Ok(None);
            };
            own[steps as usize] = here;
            next = all;
        }
        Ok(Some((own, next)))
    }

    /// Marks a state. Of a thin run only the least one is.
    fn add(&self, marks: &mut Marks<W>, state: u32, (faults, switches, first): (u32, u32, &[u64])) {
        let words = self.explorer.known.store.load(state);
        if self.thin {
            if marks.keys().any(|known| *known <= words) {
                return;
            }
            marks.clear();
        }
        let mark = Mark {
            faults,
            switches,
            first: first.to_vec(),
        };
        marks.insert(words, mark);
    }

    /// Tells all what is marked; what all have marked. Nothing if that is too much for somebody.
    fn share(&mut self, here: &mut Marks<W>, own: &[Marks<W>]) -> Result<Option<Marks<W>>, Broken> {
        let (size, sets) = (
            self.explorer.model.layout.bytes,
            self.explorer.model.processes().div_ceil(64).max(1),
        );
        let each = size_of::<([u64; W], Mark)>() + 8 * sets;
        let kept: usize = own.iter().map(Marks::len).sum();
        let used = (kept + here.len() * self.mesh.processes()).saturating_mul(2 * each);
        let sizes = exchange(self.mesh, &(used <= self.spare))?;
        if sizes.contains(&false) {
            return Ok(None);
        }
        let mut message = Vec::with_capacity(here.len() * (size + 8 + 8 * sets));
        for (words, mark) in here.iter() {
            pack(&mut message, words, size);
            message.extend_from_slice(&mark.faults.to_le_bytes());
            message.extend_from_slice(&mark.switches.to_le_bytes());
            let first = mark.first.iter().flat_map(|set| set.to_le_bytes());
            message.extend(first);
        }
        let mut all = Marks::default();
        for said in gather(self.mesh, message)? {
            for entry in said.chunks_exact(size + 8 + 8 * sets) {
                let (words, rest) = entry.split_at(size);
                let words = unpack(words, size).next().ok_or(Broken)?;
                let number = |at: usize| {
                    let bytes = rest.get(at..at + 4).and_then(|b| b.try_into().ok());
                    bytes.map(u32::from_le_bytes).ok_or(Broken)
                };
                let mark = Mark {
                    faults: number(0)?,
                    switches: number(4)?,
                    first: unpack::<1>(&rest[8..], 8).map(|[set]| set).collect(),
                };
                all.insert(words, mark);
            }
        }
        if self.thin {
            let best = all
                .iter()
                .min_by_key(|(words, mark)| (mark.faults, **words));
            let best = best.map(|(words, _)| *words);
            all.retain(|words, _| Some(*words) == best);
            here.retain(|words, _| Some(*words) == best);
        }
        Ok(Some(all))
    }

    /// Calls `found` with the edges out of a state that shortest runs take, as far as the states they lead to are in `marks`: the
    /// edge, the position of its picks, the state, and the fewest switches after it.
    fn each_tight(
        &mut self,
        words: &[u64; W],
        level: Level,
        marks: &Marks<W>,
        mut found: impl FnMut(&EdgeCode, u32, Option<[u64; W]>, u32),
    ) {
        let target = self.target;
        let mut scratch = std::mem::take(&mut self.explorer.scratch);
        let steps = level.steps + 1;
        for select in [Select::Steps, Select::Faults] {
            let faults = level.faults + u32::from(select == Select::Faults);
            if faults > target.level.faults {
                continue;
            }
            let model = &self.explorer.model;
            model.successors(words, select, &mut scratch, |edge, picks, next| {
                if let Goal::Failing(check) = target.goal
                    && steps == target.level.steps
                {
                    if edge.fails & check != 0 && faults == target.level.faults {
                        found(edge, picks, None, 0);
                    }
                } else if let Some(mark) = marks.get(&next).filter(|mark| mark.faults == faults) {
                    let process = edge.process as usize;
                    let stays = (mark.first[process / 64] >> (process % 64)) & 1 != 0;
                    found(edge, picks, Some(next), mark.switches + u32::from(!stays));
                }
                true
            });
        }
        self.explorer.scratch = scratch;
    }

    /// The run, from the beginning: at each state the first move in declaration order that leads to the fewest switches.
    fn read_off(&mut self, own: &[Marks<W>], starts: &Marks<W>) -> Result<Option<Run>, Broken> {
        // Of the initial states those that need the fewest switches, and of those the first.
        let marked = state::initials(self.explorer.system).filter_map(|state| {
            let words = self.explorer.pack(&state);
            Some((starts.get(&words)?.switches, words))
        });
        let first = marked.reduce(|best, other| if other.0 < best.0 { other } else { best });
        let Some((mut left, mut words)) = first else {
            return Ok(None);
        };
        let Some((start, _)) = self.explorer.start(&words) else {
            return Ok(None);
        };
        let mut run = Run {
            start,
            ..Run::default()
        };
        let mut faults = 0;
        let mut previous: Option<u32> = None;
        for steps in 0..self.target.level.steps {
            let mut best: Option<Offer> = None;
            let level = Level { faults, steps };
            let marks = &own[steps as usize + 1];
            self.each_tight(&words, level, marks, |edge, picks, next, rest| {
                let switch = previous.is_some_and(|p| p != edge.process);
                if rest + u32::from(switch) == left {
                    let offer = Offer {
                        process: edge.process,
                        edge: edge.edge,
                        picks,
                        next: next.map(|words| words.to_vec()),
                        rest,
                        fault: edge.fault,
                    };
                    best = Some(match best.take() {
                        Some(best) => best.min(offer),
                        None => offer,
                    });
                }
            });
            let offers = exchange(self.mesh, &best)?;
            let Some(offer) = offers.into_iter().flatten().min() else {
                return Ok(None);
            };
            let step = to_move(self.explorer.system, offer.process, offer.edge, offer.picks);
            run.moves.push(step);
            previous = Some(offer.process);
            left = offer.rest;
            faults += u32::from(offer.fault);
            if let Some(next) = offer.next {
                words = next.try_into().map_err(|_| Broken)?;
            }
        }
        Ok(Some(run))
    }
}
