//! The quotient against the plain walker.

mod language;
mod random;
pub mod replicas;

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::{ArrangeScratch, Symmetry};
use crate::engine::layout::Layout;
use crate::engine::safety::Question;
use crate::system::state;
use crate::system::state::State;
use crate::system::{Check, EdgeKind, Event, Expr, PropertyKind, System};
use crate::verdict::Move;

const WORDS: usize = 8;

/// A System with its symmetry, if it has one.
struct Reduced<'a> {
    system: &'a System,
    conditions: Vec<Expr>,
    layout: Layout,
    symmetry: Option<Symmetry>,
    room: ArrangeScratch,
}

/// How a step counts: forced, fault, failing checks.
type Label = (bool, bool, Vec<Check>);

impl<'a> Reduced<'a> {
    fn new(system: &'a System, conditions: Vec<Expr>) -> Self {
        let layout = Layout::new(system);
        Reduced {
            symmetry: Symmetry::find(system, &conditions, &layout),
            room: ArrangeScratch::default(),
            conditions,
            layout,
            system,
        }
    }

    /// For all safety properties.
    fn for_all(system: &'a System) -> Self {
        let all = 0..system.properties.len();
        let conditions = all.filter_map(|p| Question::condition(system, p));
        Self::new(system, conditions.collect())
    }

    fn canonical(&mut self, state: &State) -> State {
        let Some(symmetry) = &self.symmetry else {
            return state.clone();
        };
        let mut words = [0; WORDS];
        self.layout.pack(state, &mut words[..self.layout.words]);
        symmetry.canonical(&mut words, &mut self.room);
        let once = words;
        symmetry.canonical(&mut words, &mut self.room);
        assert_eq!(words, once, "what stands for others stands for itself");
        self.layout.unpack(self.system, &words)
    }

    /// The canonical successors of a state, and how the steps count.
    fn successors(&mut self, state: &State) -> BTreeSet<(Label, Vec<i64>)> {
        let mut all = BTreeSet::new();
        for (step, next) in state::successors(self.system, state) {
            if let Move::Step { process, edge, .. } = step {
                let edge = &self.system.process(process).edges[edge];
                let fails = |c: &Check| edge.events.contains(&Event::Failed(*c));
                let label = (
                    edge.kind.is_forced(),
                    matches!(edge.kind, EdgeKind::Fault(_)),
                    Check::ALL.into_iter().filter(|c| fails(c)).collect(),
                );
                let next = self.canonical(&next);
                let locations = next.locations.iter().map(|l| i64::from(l.0));
                all.insert((label, locations.chain(next.values).collect()));
            }
        }
        all
    }

    fn quotient(&mut self) -> IndexSet<State> {
        let mut states = IndexSet::from([self.canonical(&state::initial(self.system))]);
        let mut next = 0;
        while next < states.len() {
            let state = states[next].clone();
            next += 1;
            for (_, successor) in state::successors(self.system, &state) {
                states.insert(self.canonical(&successor));
            }
        }
        states
    }

    /// Compares the quotient with the full space and yields the sizes of both.
    fn check(&mut self, limit: usize, name: &str) -> Option<(usize, usize)> {
        assert!(self.layout.words <= WORDS);
        let full = state::walk(self.system, limit)?;
        let mut forms = IndexSet::new();
        for state in &full {
            let form = self.canonical(state);
            for condition in &self.conditions {
                assert_eq!(state.holds(condition), form.holds(condition), "{name}");
            }
            // Bisimilar, one step at a time.
            let (a, b) = (self.successors(state), self.successors(&form));
            assert_eq!(a, b, "{name}: {state:?} and {form:?}");
            forms.insert(form);
        }
        let quotient = self.quotient();
        assert!(quotient.iter().all(|s| forms.contains(s)), "{name}");
        assert_eq!(quotient.len(), forms.len(), "{name}");
        // The answers themselves.
        for condition in &self.conditions {
            for value in [false, true] {
                let answers =
                    [&full, &quotient].map(|s| s.iter().any(|s| s.holds(condition) == value));
                assert_eq!(answers[0], answers[1], "{name}");
            }
        }
        let asked = self
            .conditions
            .contains(&self.system.deadlock_if_quiescent());
        for property in &self.system.properties {
            let condition = match property.kind {
                PropertyKind::Deadlock if asked => self.system.deadlock(),
                PropertyKind::Check(check) => self.system.fails(check),
                _ => continue,
            };
            let answers = [&full, &quotient].map(|s| s.iter().any(|s| s.holds(&condition)));
            assert_eq!(answers[0], answers[1], "{name}");
        }
        Some((full.len(), quotient.len()))
    }
}
