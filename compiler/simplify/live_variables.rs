//! At which locations of a process the value of one of its variables still matters.
//!
//! The textbook backward analysis, for the variables that only this process changes: a variable is live at a
//! location if others may read it there, or if an edge that leaves reads it, or does not overwrite it and leads to
//! where it is live. An update reads only if what it writes is live afterwards. If two states differ in dead
//! variables only, the same moves lead from both to states that again do, and others see the same: they are
//! bisimilar, for every kind of property.

use indexmap::IndexSet;

use super::leaves::{at, inline, reads, timeliness};
use super::observers::Observers;
use crate::system::{Expr, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// With more bits than this (locations times variables) every value is taken to matter: finding out would cost more than
/// it saves.
const MOST_BITS: usize = 1 << 29;

/// Which variables are live at each location of a process.
pub(super) struct Liveness<'a> {
    /// The variables that only this process changes, in order.
    own: &'a [VarId],
    /// How many words a location has.
    width: usize,
    /// For each location a bit for each own variable; nothing if every value is taken to matter.
    live: Vec<u64>,
}

/// What an edge reads and writes of its process's own variables, by their positions.
struct Reads {
    always: Vec<usize>,
    /// What each update of an own variable reads.
    for_update: Vec<(usize, Vec<usize>)>,
}

impl<'a> Liveness<'a> {
    /// Analyses a process, given the variables that only it changes.
    pub(super) fn of(
        system: &System,
        process: ProcessId,
        own: &'a [VarId],
        observers: &Observers,
    ) -> Liveness<'a> {
        let p = system.process(process);
        let width = own.len().div_ceil(64);
        let mut liveness = Liveness {
            own,
            width,
            live: Vec::new(),
        };
        if own.is_empty() || p.locations.len().saturating_mul(own.len()) > MOST_BITS {
            return liveness;
        }
        liveness.live = vec![0; width * p.locations.len()];
        for l in 0..p.locations.len() {
            let read = observers.read_at(LocId(l as u32));
            let positions: Vec<usize> = read.iter().filter_map(|v| liveness.position(*v)).collect();
            liveness.add(l, &positions);
        }
        let edges: Vec<Reads> = p
            .edges
            .iter()
            .map(|edge| {
                let reads_of = |e: &Expr| {
                    let mut found = IndexSet::new();
                    reads(&at(&inline(system, e), process, edge.from), &mut found);
                    let positions = found.iter().filter_map(|v| liveness.position(*v));
                    positions.collect::<Vec<usize>>()
                };
                let mut always = reads_of(&edge.guard);
                for could in timeliness(edge) {
                    always.extend(reads_of(could));
                }
                let mut for_update = Vec::new();
                for (var, value) in &edge.updates {
                    match liveness.position(*var) {
                        Some(position) => for_update.push((position, reads_of(value))),
                        None => always.extend(reads_of(value)),
                    }
                }
                Reads { always, for_update }
            })
            .collect();
        let mut arriving: Vec<Vec<usize>> = vec![Vec::new(); p.locations.len()];
        for (index, edge) in p.edges.iter().enumerate() {
            arriving[edge.to.0 as usize].push(index);
        }
        let mut open: Vec<usize> = (0..p.edges.len()).collect();
        let mut is_open = vec![true; p.edges.len()];
        while let Some(index) = open.pop() {
            is_open[index] = false;
            let (from, to) = (p.edges[index].from.0 as usize, p.edges[index].to.0 as usize);
            if liveness.follow(from, to, &edges[index]) {
                for before in arriving[from].iter().filter(|e| !is_open[**e]) {
                    open.push(*before);
                }
                for before in &arriving[from] {
                    is_open[*before] = true;
                }
            }
        }
        liveness
    }

    fn position(&self, var: VarId) -> Option<usize> {
        self.own.binary_search(&var).ok()
    }

    fn row(&self, location: usize) -> &[u64] {
        &self.live[location * self.width..][..self.width]
    }

    fn add(&mut self, location: usize, positions: &[usize]) {
        for position in positions {
            self.live[location * self.width + position / 64] |= 1 << (position % 64);
        }
    }

    /// Notes what matters before an edge; whether that is more than was known.
    fn follow(&mut self, from: usize, to: usize, edge: &Reads) -> bool {
        let before = self.row(from).to_vec();
        let mut after = self.row(to).to_vec();
        for (written, found) in &edge.for_update {
            if after[written / 64] >> (written % 64) & 1 == 1 {
                self.add(from, found);
            }
        }
        for (written, _) in &edge.for_update {
            after[written / 64] &= !(1 << (written % 64));
        }
        self.add(from, &edge.always);
        let row = &mut self.live[from * self.width..][..self.width];
        for (word, more) in row.iter_mut().zip(after) {
            *word |= more;
        }
        *row != before
    }

    /// Whether the value of a variable matters at a location.
    pub(super) fn is_live(&self, location: LocId, var: VarId) -> bool {
        self.position(var).is_some_and(|position| {
            self.live.is_empty()
                || self.row(location.0 as usize)[position / 64] >> (position % 64) & 1 == 1
        })
    }

    /// The variables whose values matter at one location and no longer at the other, in order.
    pub(super) fn dying(&self, from: LocId, to: LocId) -> Vec<VarId> {
        if self.live.is_empty() {
            return Vec::new();
        }
        let rows = self
            .row(from.0 as usize)
            .iter()
            .zip(self.row(to.0 as usize));
        let mut found = Vec::new();
        for (index, (before, after)) in rows.enumerate() {
            let mut rest = before & !after;
            while rest != 0 {
                found.push(self.own[index * 64 + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        found
    }
}
