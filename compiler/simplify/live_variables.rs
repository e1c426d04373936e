//! At which locations of a process the value of one of its variables still matters.
//!
//! The textbook backward analysis, for the variables that only this process changes: a variable is live at a
//! location if others may read it there, or if an edge that leaves reads it, or does not overwrite it and leads to
//! where it is live. An update reads only if what it writes is live afterwards. If two states differ in dead
//! variables only, the same moves lead from both to states that again do, and others see the same: they are
//! bisimilar, for every kind of property.

use indexmap::IndexSet;

use super::leaves::timeliness;
use super::observers::Observers;
use crate::system::expr::{Replaced, Seen};
use crate::system::predicates::{inline_in, knowing_at_in};
use crate::system::{Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// With more bits than this (locations times variables) every value is taken to matter: finding out would cost more than
/// it saves.
const MOST_BITS: usize = 1 << 29;

/// If the updates of an edge have more nodes than this, what each of them reads is not told apart.
const MOST_READ: usize = 1 << 18;

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
                let (mut inlined, mut located) = (Replaced::default(), Replaced::default());
                let mut known = |e: &Expr| {
                    let e = inline_in(system, e, &mut inlined);
                    knowing_at_in(&e, process, edge.from, &mut located)
                };
                let guards = [&edge.guard].into_iter().chain(timeliness(edge));
                let mut always: Vec<Expr> = guards.map(&mut known).collect();
                let mut for_update: Vec<(usize, Option<Expr>)> = Vec::new();
                let sizes = edge.updates.iter().map(|(_, value)| value.size());
                let large = sizes.fold(0, usize::saturating_add) > MOST_READ;
                for (var, value) in &edge.updates {
                    let value = known(value);
                    match liveness.position(*var) {
                        Some(position) if !large => for_update.push((position, Some(value))),
                        // If what is read for each is too much to be kept, it is taken to be read for all.
                        position => {
                            always.push(value);
                            for_update.extend(position.map(|p| (p, None)));
                        }
                    }
                }
                let mut seen = Seen::default();
                let mut found = IndexSet::new();
                for e in &always {
                    e.leaves_in(&mut seen, &mut |leaf| note(leaf, &mut found));
                }
                let reads_of = |e: Option<Expr>| {
                    let mut found = IndexSet::new();
                    e.iter()
                        .for_each(|e| e.leaves(&mut |leaf| note(leaf, &mut found)));
                    liveness.positions(&found)
                };
                let for_update = for_update.into_iter();
                Reads {
                    always: liveness.positions(&found),
                    for_update: for_update.map(|(p, e)| (p, reads_of(e))).collect(),
                }
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

    fn positions(&self, vars: &IndexSet<VarId>) -> Vec<usize> {
        vars.iter().filter_map(|v| self.position(*v)).collect()
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

/// Notes which variable a leaf is.
fn note(leaf: &Leaf, found: &mut IndexSet<VarId>) {
    if let Leaf::Var(v) = leaf {
        found.insert(*v);
    }
}
