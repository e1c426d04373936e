//! At which locations of a process the value of one of its variables still matters.
//!
//! The textbook backward analysis, for the variables that only this process changes: a variable is live at a
//! location if others may read it there, or if an edge that leaves reads it, or does not overwrite it and leads to
//! where it is live. An update reads only if what it writes is live afterwards. If two states differ in dead
//! variables only, the same moves lead from both to states that again do, and others see the same: they are
//! bisimilar, for every kind of property.

use indexmap::IndexSet;

use super::leaves::{Writer, at, inline, reads, timeliness};
use super::observers::Observers;
use crate::system::{Expr, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// Which variables are live at each location of a process.
pub(super) struct Liveness {
    live: Vec<IndexSet<VarId>>,
}

impl Liveness {
    /// Analyses a process.
    pub(super) fn of(
        system: &System,
        process: ProcessId,
        writers: &[Writer],
        observers: &Observers<'_>,
    ) -> Liveness {
        let p = system.process(process);
        let own = |v: &VarId| writers[v.0 as usize] == Writer::Only(process);
        let mut live: Vec<IndexSet<VarId>> = (0..p.locations.len() as u32)
            .map(|l| observers.read_at(LocId(l)))
            .collect();
        let reads_of = |e: &Expr, from: LocId| {
            let mut found = IndexSet::new();
            reads(&at(&inline(system, e), process, from), &mut found);
            found.retain(own);
            found
        };
        struct Reads {
            always: IndexSet<VarId>,
            /// What each update of an own variable reads.
            for_update: Vec<(VarId, IndexSet<VarId>)>,
            written: IndexSet<VarId>,
        }
        let edges: Vec<Reads> = p
            .edges
            .iter()
            .map(|edge| {
                let mut always = reads_of(&edge.guard, edge.from);
                for could in timeliness(edge) {
                    always.extend(reads_of(could, edge.from));
                }
                let mut for_update = Vec::new();
                for (var, value) in &edge.updates {
                    let found = reads_of(value, edge.from);
                    if own(var) {
                        for_update.push((*var, found));
                    } else {
                        always.extend(found);
                    }
                }
                Reads {
                    always,
                    for_update,
                    written: edge.updates.iter().map(|(v, _)| *v).collect(),
                }
            })
            .collect();
        loop {
            let mut changed = false;
            for (edge, reads) in p.edges.iter().zip(&edges).rev() {
                let after = live[edge.to.0 as usize].clone();
                let before = &mut live[edge.from.0 as usize];
                let count = before.len();
                before.extend(&reads.always);
                before.extend(after.difference(&reads.written));
                for (var, found) in &reads.for_update {
                    if after.contains(var) {
                        before.extend(found);
                    }
                }
                changed |= before.len() > count;
            }
            if !changed {
                return Liveness { live };
            }
        }
    }

    /// Whether the value of a variable matters at a location.
    pub(super) fn is_live(&self, location: LocId, var: VarId) -> bool {
        self.live[location.0 as usize].contains(&var)
    }
}
