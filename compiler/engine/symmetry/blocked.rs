//! Edges that can never be taken again, because of what a unit has come to.
//!
//! An arbiter that waits for the votes of its workers in turn never gets past one that has crashed without a vote: the
//! workers after it, and those before, will never hear of it again, and can be exchanged although it would treat
//! them differently if it went on. So what a process outside allows is what it allows at the locations it can *still*
//! reach.
//!
//! A *need* is a part of guards that only asks about one unit: where a process of it is, or what a variable of it holds.
//! A unit *fails* a need if it does not hold and nothing can make it hold again. That is so if every edge that could is one
//! of the unit's own processes, and cannot be reached any more: not by edges of that process that can be taken while
//! the outside process is where it can come to without the need ([`hopeless`]). Until the need holds the outside process
//! stays there, so the unit does not come to an edge that makes it hold: it never holds again.
//!
//! Sound: let the locations that an outside process can *still* reach be those that it reaches by edges without a
//! failed need, and let `a` map the edges out of each of these to themselves, targets included. Whatever step
//! is taken from a state or the one that `a` makes of it, the other has the renamed step: an outside process only takes
//! edges without a failed need, to locations that it can still reach. What failed fails after it, so no further
//! location can be reached: `a` has the same property there. With it in place of the relation `R(a)` the
//! argument for [`symmetry`](super) goes through.

mod hopeless;

use rustc_hash::FxHashMap;

use super::classes::{Graph, Partition, meet};
use super::moves::Moves;
use super::terms::{Term, Terms};
use super::units::{Place, Units};
use crate::engine::layout::{Field, Layout};
use crate::system::System;
use crate::vocabulary::ProcessId;

/// What can fail for ever, and what follows.
#[derive(Clone, Debug)]
pub struct Blocking {
    processes: Vec<Outside>,
    /// The locations of processes that needs depend on, and where their cells begin in a row.
    columns: Vec<(Field, usize)>,
    /// How many cells a row has.
    width: usize,
    /// For each need that is about a variable, which, and for each of its codes whether it holds.
    tests: Vec<Option<(Field, Vec<bool>)>>,
    partition: Partition,
}

/// A need of a unit.
#[derive(Clone, Debug)]
pub struct Need {
    /// From where in which processes of the unit it may come to hold; there are no other ways.
    goals: Vec<(ProcessId, Vec<u32>)>,
    /// A variable and, for each code, whether the need holds.
    test: Option<(Field, Vec<bool>)>,
}

/// A process outside.
#[derive(Clone, Debug)]
pub struct Outside {
    /// Where its location is stored; nowhere if it has only one.
    field: Option<Field>,
    /// For each location the first that cannot be told from it.
    first: Vec<u32>,
    /// For each location what it allows by itself.
    local: Vec<Partition>,
    /// For each location its targets and the needs on the way, a bit each.
    edges: Vec<Vec<(u32, u64)>>,
    /// For each location the needs of edges that it can still come to, a bit each.
    useful: Vec<u64>,
    /// A row for each location: for each column and each location there the needs that are hopeless.
    hopeless: Vec<u64>,
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
        for (process, moves) in numbers.iter().zip(moves) {
            let edges = moves.steps.iter().map(|steps| {
                let edge = |(action, to): &(Term, u32)| (*to, finder.needs_of(*action));
                steps.iter().map(edge).collect()
            });
            processes.push(Outside {
                edges: edges.collect(),
                field: layout.locations[*process],
                first: moves.first.clone(),
                local: moves.local.clone(),
                useful: Vec::new(),
                hopeless: Vec::new(),
            });
        }
        let needs = finder.needs;
        let goals = needs.iter().flat_map(|need| &need.goals);
        let mut columns: Vec<ProcessId> = goals.map(|(process, _)| *process).collect();
        columns.sort_unstable();
        columns.dedup();
        for (number, process) in numbers.iter().zip(&mut processes) {
            process.useful = hopeless::useful(process);
            process.hopeless = hopeless::table(*number, process, &needs, &columns, graph, terms)?;
        }
        let mut width = 0;
        let mut fields = Vec::new();
        for process in &columns {
            fields.push((layout.locations[process.0 as usize]?, width));
            width += graph.steps[process.0 as usize].len();
        }
        (!needs.is_empty()).then_some(Blocking {
            columns: fields,
            width,
            tests: needs.into_iter().map(|need| need.test).collect(),
            processes,
            partition: partition.clone(),
        })
    }

    /// The needs that fail for ever in a state, a bit each.
    #[inline]
    pub fn failed(&self, words: &[u64]) -> u64 {
        let mut failed = 0;
        for process in &self.processes {
            let at = process.field.map_or(0, |field| field.code(words));
            let at = process.first[at as usize] as usize;
            let row = &process.hopeless[at * self.width..][..self.width];
            failed |= self
                .columns
                .iter()
                .fold(process.useful[at], |bits, (field, start)| {
                    bits & row[start + field.code(words) as usize]
                });
        }
        let mut left = failed;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if let Some((field, holds)) = &self.tests[bit as usize]
                && holds[field.code(words) as usize]
            {
                failed &= !(1 << bit);
            }
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
            return Some(Need {
                goals: vec![(process, set.iter().map(|l| l.0).collect())],
                test: None,
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
        let holds = (lo..=hi).map(|v| self.terms.test(part, v) != 0).collect();
        let mut goals: Vec<(ProcessId, Vec<u32>)> = Vec::new();
        for (process, from, action, value) in self.writers(place) {
            let spoils = value.is_some_and(|v| self.terms.test(part, v) == 0);
            // An edge that needs it itself cannot make it hold.
            if spoils || self.terms.conjuncts(action).contains(&part) {
                continue;
            }
            if self.units.process(process).unit != place.unit {
                return None;
            }
            match goals.iter_mut().find(|(p, _)| *p == process) {
                Some((_, starts)) => starts.push(from),
                None => goals.push((process, vec![from])),
            }
        }
        Some(Need {
            goals,
            test: Some((field, holds)),
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
}
