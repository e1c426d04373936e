//! The edges of a process while they are being merged.

use std::collections::BTreeSet;

use crate::simplify::OriginalStep;
use crate::system::{Edge, LocId};

/// An edge, and what it stands for.
pub(super) struct Step {
    pub edge: Edge,
    pub originals: Vec<OriginalStep>,
}

/// The edges by the location that they leave, so that those around a location are found at once.
pub(super) struct Flow {
    leaving: Vec<Vec<Step>>,
    /// For each location those from which an edge leads to it.
    sources: Vec<BTreeSet<LocId>>,
}

/// Where an edge is: the location that it leaves, and its position there.
pub(super) type Place = (LocId, usize);

impl Flow {
    /// The edges of a process with so many locations.
    pub(super) fn new(
        locations: usize,
        edges: Vec<Edge>,
        originals: Vec<Vec<OriginalStep>>,
    ) -> Flow {
        let mut flow = Flow {
            leaving: (0..locations).map(|_| Vec::new()).collect(),
            sources: vec![BTreeSet::new(); locations],
        };
        for (edge, originals) in edges.into_iter().zip(originals) {
            flow.sources[edge.to.0 as usize].insert(edge.from);
            flow.leaving[edge.from.0 as usize].push(Step { edge, originals });
        }
        flow
    }

    /// All edges, by the locations that they leave.
    pub(super) fn into_edges(self) -> (Vec<Edge>, Vec<Vec<OriginalStep>>) {
        let steps = self.leaving.into_iter().flatten();
        steps.map(|step| (step.edge, step.originals)).unzip()
    }

    /// The edges that leave a location.
    pub(super) fn leaving(&self, location: LocId) -> impl Iterator<Item = &Edge> + Clone {
        self.steps(location).iter().map(|step| &step.edge)
    }

    /// The same with what they stand for.
    pub(super) fn steps(&self, location: LocId) -> &[Step] {
        &self.leaving[location.0 as usize]
    }

    /// The edges that lead to a location, with their places.
    pub(super) fn arriving(&self, location: LocId) -> impl Iterator<Item = (Place, &Edge)> {
        let sources = self.sources[location.0 as usize].iter();
        sources.flat_map(move |from| {
            let all = self.leaving(*from).enumerate();
            all.filter(move |(_, edge)| edge.to == location)
                .map(|(index, edge)| ((*from, index), edge))
        })
    }

    /// What an edge stands for, which is going to be replaced.
    pub(super) fn take_originals(&mut self, (from, index): Place) -> Vec<OriginalStep> {
        std::mem::take(&mut self.leaving[from.0 as usize][index].originals)
    }

    /// Removes a location; each edge that leads to it is replaced by others.
    pub(super) fn remove(&mut self, location: LocId, replaced: Vec<(Place, Vec<Step>)>) {
        for step in std::mem::take(&mut self.leaving[location.0 as usize]) {
            self.sources[step.edge.to.0 as usize].remove(&location);
        }
        self.sources[location.0 as usize].clear();
        let mut replaced = replaced.into_iter().peekable();
        while let Some(((from, _), _)) = replaced.peek() {
            let from = *from;
            let old = std::mem::take(&mut self.leaving[from.0 as usize]);
            let mut new = Vec::new();
            for (index, step) in old.into_iter().enumerate() {
                match replaced.next_if(|(place, _)| *place == (from, index)) {
                    Some((_, steps)) => new.extend(steps),
                    None => new.push(step),
                }
            }
            for step in &new {
                self.sources[step.edge.to.0 as usize].insert(from);
            }
            self.leaving[from.0 as usize] = new;
        }
    }
}
