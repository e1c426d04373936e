//! A smaller [`System`] with the same answers.
//!
//! One rule per file; each opens with before and after and says why it keeps the verdict of every property:
//!
//! - `unreachable`: locations and edges that no run uses;
//! - `constant`: what can hold only one value;
//! - `derived`: variables that are functions of the location of a process;
//! - `merge`: two steps where nobody can tell them from one;
//! - `dead`: values that no longer matter.
//!
//! What they need to know of a System they are told by analyses, which change nothing: `ranges` (with `values`: what a variable can
//! hold where), `live_variables` (where its value still matters), `observers` (what others can tell about a process), `leaves` (what
//! expressions read). `restore` is the way back, from runs of the smaller System to those of the original.
//!
//! All but `merge` keep every step, so they also keep properties that count steps (`X`, `Y`, `Z`) or
//! branches (`ctl`); if there is such a property nothing is merged.

mod constant;
mod dead;
mod derived;
mod leaves;
mod live_variables;
mod merge;
mod observers;
mod ranges;
mod restore;
mod unreachable;
mod values;

#[cfg(test)]
mod tests;

use crate::system::verify::debug_verify;
use crate::system::{Form, System};
use crate::vocabulary::ProcessId;

/// Which rules to apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Remove locations and edges that no run uses.
    pub unreachable: bool,
    /// Fold what can hold only one value.
    pub constant: bool,
    /// Derive variables that are functions of a location.
    pub derived: bool,
    /// Merge steps.
    pub merge: bool,
    /// Reset values that no longer matter.
    pub dead: bool,
}

impl Rules {
    /// No rule at all: the System stays as it is.
    pub const NONE: Rules = Rules {
        unreachable: false,
        constant: false,
        derived: false,
        merge: false,
        dead: false,
    };

    /// All that keep every step: a run of the simplified System is the run of the original with the same moves, so that
    /// the shortest runs are the shortest ones of the original too.
    pub const EVERY_STEP: Rules = Rules {
        unreachable: true,
        constant: true,
        derived: true,
        merge: false,
        dead: true,
    };
}

impl Default for Rules {
    /// All of them.
    fn default() -> Self {
        Rules {
            unreachable: true,
            constant: true,
            derived: true,
            merge: true,
            dead: true,
        }
    }
}

/// A simplified System, and what its edges stand for.
#[derive(Clone, PartialEq, Debug)]
pub struct Simplified {
    /// The smaller System. Variables, processes, channels, faults and properties have the numbers they had;
    /// locations and edges have not.
    pub system: System,
    /// For each process and edge the edges of the original it stands for, in the order they are taken.
    pub steps: Vec<Vec<Vec<OriginalStep>>>,
    /// For each process and location the silent edges of the original that a process waiting there may be taken to
    /// have made already: several ways, of which at most one can be gone to its end.
    pending: Vec<Vec<Vec<Vec<usize>>>>,
}

/// An edge of the original that an edge of the simplified System stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OriginalStep {
    /// Its index among the edges of the same process of the original.
    pub edge: usize,
    /// How many picks it has: that many of the merged edge's next picks are its.
    pub picks: usize,
}

/// As many times are the rules applied at most.
const MOST_ROUNDS: usize = 6;

/// Simplifies a System: a smaller one with the same verdict for every property, and the way back from its runs
/// to those of the original ([`Simplified::restore`]). The rules are applied until they change nothing more.
pub fn simplify(system: &System, rules: &Rules) -> Simplified {
    simplify_until(system, rules, &|| false)
}

/// As [`simplify`], but not all the way if `stop` says so: it is asked again and again.
pub fn simplify_until(system: &System, rules: &Rules, stop: &dyn Fn() -> bool) -> Simplified {
    let mut simplified = Simplified::unchanged(system);
    for _ in 0..MOST_ROUNDS {
        let before = simplified.system.clone();
        for (wanted, rule) in [
            (
                rules.unreachable,
                unreachable::remove as fn(&mut Simplified, &dyn Fn() -> bool),
            ),
            (rules.constant, constant::fold),
            (rules.derived, derived::derive),
            (rules.merge, merge::merge),
            (rules.dead, dead::reset),
        ] {
            if wanted && !stop() {
                rule(&mut simplified, stop);
                debug_verify(&simplified.system);
            }
        }
        if simplified.system == before {
            break;
        }
    }
    simplified
}

impl Simplified {
    /// A System as it is.
    fn unchanged(system: &System) -> Simplified {
        let steps = system.processes.iter().map(|p| {
            let edges = p.edges.iter().enumerate();
            edges
                .map(|(edge, e)| {
                    vec![OriginalStep {
                        edge,
                        picks: e.picks.len(),
                    }]
                })
                .collect()
        });
        Simplified {
            steps: steps.collect(),
            pending: system
                .processes
                .iter()
                .map(|p| vec![Vec::new(); p.locations.len()])
                .collect(),
            system: {
                // Who wants the levels of `tolerant` asks about them before.
                let mut system = system.clone();
                for property in &mut system.properties {
                    if property.tolerant.take().is_some() {
                        property.form = Some(Form::Level);
                    }
                }
                system.knowledge.clear();
                system
            },
        }
    }

    /// Keeps only some edges of a process.
    fn retain_edges(&mut self, process: ProcessId, keep: impl Fn(usize) -> bool) {
        let index = process.0 as usize;
        let edges = &mut self.system.processes[index].edges;
        let kept: Vec<bool> = (0..edges.len()).map(keep).collect();
        let mut flags = kept.iter();
        edges.retain(|_| *flags.next().expect("one for each"));
        let mut flags = kept.iter();
        self.steps[index].retain(|_| *flags.next().expect("one for each"));
    }
}
