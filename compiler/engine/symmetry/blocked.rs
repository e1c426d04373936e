//! Edges that can never be taken again, because of what a unit has come to.
//!
//! An arbiter that waits for the votes of its workers in turn never gets past one that has crashed without a vote: the
//! workers after it, and those before, will never hear of it again, and can be exchanged although it would treat
//! them differently if it went on. So what a process outside allows is what it allows at the locations it can *still*
//! reach.
//!
//! A *need* is a part of guards that only asks about one unit: where a process of it is, or what a variable of it holds.
//! A unit *fails* a need, now and for ever, if it does not hold and no edge can make it hold: every edge that could is one
//! of the unit's own processes, and starts at a location that the process cannot reach from where it is.
//!
//! Sound: let the locations that an outside process can still reach be those that it reaches by edges without a
//! failed need, and let `a` map the edges out of each of these to themselves, targets included. In the state that `a`
//! makes, the renamed needs fail, so the same locations can still be reached. After any step of anybody what failed
//! fails, so no further location can be reached: `a` keeps its property, and the argument for
//! [`symmetry`](super) goes through with it in place of the relation `R(a)`.

use rustc_hash::FxHashMap;

use super::classes::{Graph, Partition, meet};
use super::moves::Moves;
use super::terms::{Term, Terms};
use super::units::{Place, Units};
use crate::engine::layout::{Field, Layout};
use crate::weave::{ProcessId, System};

/// What can fail for ever, and what follows.
#[derive(Clone, Debug)]
pub struct Blocking {
    needs: Vec<Need>,
    processes: Vec<Outside>,
    partition: Partition,
}

/// A need of a unit; its position is its bit.
#[derive(Clone, Debug)]
struct Need {
    /// For each process of the unit, at which locations an edge may still make it hold.
    hopes: Vec<(Field, Vec<bool>)>,
    /// A variable and, for each code, whether the need holds.
    holds: Option<(Field, Vec<bool>)>,
}

/// A process outside.
#[derive(Clone, Debug)]
struct Outside {
    /// For each location the first that cannot be told from it.
    first: Vec<u32>,
    /// For each location what it allows by itself.
    local: Vec<Partition>,
    /// For each location its targets and the needs on the way, a bit each.
    edges: Vec<Vec<(u32, u64)>>,
}

impl Blocking {
    /// What can fail for ever; none if that would not make a difference.
    pub fn new(
        system: &System,
        units: &Units,
        graph: &Graph,
        partition: &Partition,
        outside: (&[usize], &[Moves]),
        terms: &Terms<'_>,
        layout: &Layout,
    ) -> Option<Blocking> {
        // What moves processes about is not told apart here from what stays.
        let (numbers, moves) = outside;
        if moves.iter().any(|m| m.moved.iter().any(|m| !m.is_empty())) {
            return None;
        }
        let mut finder = Finder {
            system,
            units,
            graph,
            terms,
            layout,
            writers: None,
            known: FxHashMap::default(),
            needs: Vec::new(),
        };
        let mut processes = Vec::new();
        for moves in moves {
            let edges = moves.steps.iter().map(|steps| {
                let edge = |(action, to): &(Term, u32)| (*to, finder.needs_of(*action));
                steps.iter().map(edge).collect()
            });
            processes.push(Outside {
                edges: edges.collect(),
                first: moves.first.clone(),
                local: moves.local.clone(),
            });
        }
        debug_assert_eq!(numbers.len(), processes.len());
        (!finder.needs.is_empty()).then(|| Blocking {
            needs: finder.needs,
            processes,
            partition: partition.clone(),
        })
    }

    /// The needs that fail for ever in a state, a bit each.
    #[inline]
    pub fn failed(&self, words: &[u64]) -> u64 {
        let mut failed = 0;
        for (bit, need) in self.needs.iter().enumerate() {
            let holds = need
                .holds
                .as_ref()
                .is_some_and(|(field, codes)| codes[field.code(words) as usize]);
            let hope = || {
                let mut hopes = need.hopes.iter();
                hopes.any(|(field, at)| at[field.code(words) as usize])
            };
            failed |= u64::from(!holds && !hope()) << bit;
        }
        failed
    }

    /// What the processes outside allow at these locations when these needs fail.
    pub fn allowed(&self, locations: &[u32], failed: u64) -> Partition {
        let mut allowed = self.partition.clone();
        for (process, location) in self.processes.iter().zip(locations) {
            let mut seen = vec![false; process.first.len()];
            let mut stack = vec![process.first[*location as usize]];
            seen[stack[0] as usize] = true;
            while let Some(here) = stack.pop() {
                allowed = meet(&allowed, &process.local[here as usize]);
                for (to, needs) in &process.edges[here as usize] {
                    if needs & failed == 0 && !std::mem::replace(&mut seen[*to as usize], true) {
                        stack.push(*to);
                    }
                }
            }
        }
        allowed
    }
}

/// An edge that writes something: whose process, from where, what it does.
type Writer = (ProcessId, u32, Term, Option<i64>);

struct Finder<'f, 'a> {
    system: &'f System,
    units: &'f Units,
    graph: &'f Graph,
    terms: &'f Terms<'a>,
    layout: &'f Layout,
    /// For each variable of a unit those that write it; made when first asked for.
    writers: Option<FxHashMap<Place, Vec<Writer>>>,
    known: FxHashMap<Term, Option<usize>>,
    needs: Vec<Need>,
}

impl Finder<'_, '_> {
    /// The needs of an action, a bit each.
    fn needs_of(&mut self, action: Term) -> u64 {
        let mut bits = 0;
        for part in self.terms.conjuncts(action) {
            let known = match self.known.get(part) {
                Some(known) => *known,
                None => {
                    let need = self.need(*part).filter(|_| self.needs.len() < 64);
                    let bit = need.map(|need| {
                        self.needs.push(need);
                        self.needs.len() - 1
                    });
                    self.known.insert(*part, bit);
                    bit
                }
            };
            bits |= known.map_or(0, |bit| 1 << bit);
        }
        bits
    }

    fn need(&mut self, part: Term) -> Option<Need> {
        if let Some((place, set)) = self.terms.as_location(part) {
            let process = self.units.processes[place.unit as usize][place.slot as usize];
            let field = self.layout.locations[process.0 as usize]?;
            let hopes = self.reaching(process, set.iter().map(|l| l.0));
            return hopes.contains(&false).then(|| Need {
                hopes: vec![(field, hopes)],
                holds: None,
            });
        }
        let place = self.terms.as_test(part)?;
        let var = self.units.vars[place.unit as usize][place.slot as usize];
        let field = self.layout.vars[var.0 as usize]?;
        let domain = self.system.var(var).domain;
        if domain.size() > 256 {
            return None;
        }
        let (lo, hi) = domain.bounds();
        let holds: Vec<bool> = (lo..=hi).map(|v| self.terms.test(part, v) != 0).collect();
        let mut hopes = Vec::new();
        let mut starts: FxHashMap<ProcessId, Vec<u32>> = FxHashMap::default();
        for (process, from, action, value) in self.writers(place) {
            let spoils = value.is_some_and(|v| self.terms.test(part, v) == 0);
            // An edge that needs it itself cannot make it hold.
            if spoils || self.terms.conjuncts(action).contains(&part) {
                continue;
            }
            if self.units.process(process).unit != place.unit {
                return None;
            }
            starts.entry(process).or_default().push(from);
        }
        for process in &self.units.processes[place.unit as usize] {
            let starts = starts.remove(process).unwrap_or_default();
            if starts.is_empty() {
                continue;
            }
            let at = self.reaching(*process, starts.into_iter());
            if !at.contains(&false) {
                return None;
            }
            hopes.push((self.layout.locations[process.0 as usize]?, at));
        }
        Some(Need {
            hopes,
            holds: Some((field, holds)),
        })
    }

    fn writers(&mut self, place: Place) -> Vec<Writer> {
        if self.writers.is_none() {
            let mut writers: FxHashMap<Place, Vec<Writer>> = FxHashMap::default();
            for (process, locations) in (0..).map(ProcessId).zip(&self.graph.steps) {
                for (from, steps) in (0..).zip(locations) {
                    for (action, _) in steps {
                        for (place, value) in self.terms.writes(*action) {
                            let writer = (process, from, *action, value);
                            writers.entry(place).or_default().push(writer);
                        }
                    }
                }
            }
            self.writers = Some(writers);
        }
        let writers = self.writers.as_ref();
        let found = writers.and_then(|writers| writers.get(&place));
        found.cloned().unwrap_or_default()
    }

    /// For each location of a process whether it can reach one of these.
    fn reaching(&self, process: ProcessId, goals: impl Iterator<Item = u32>) -> Vec<bool> {
        let steps = &self.graph.steps[process.0 as usize];
        let mut reaching = vec![false; steps.len()];
        goals.for_each(|l| reaching[l as usize] = true);
        let mut changed = true;
        while changed {
            changed = false;
            for l in (0..steps.len()).rev() {
                if !reaching[l] && steps[l].iter().any(|(_, to)| reaching[*to as usize]) {
                    reaching[l] = true;
                    changed = true;
                }
            }
        }
        reaching
    }
}
