//! What the properties see: which steps may make a sought state an unsought one.
//!
//! A sought state is one that decides a property. A step that is taken earlier than in some run must not make a
//! sought state unsought. It does not if it turns no atom of the sought condition from true to false, atoms
//! being taken without the negations around them.

use super::steps::{Step, Steps};
use crate::system::predicates::inline;
use crate::system::{Expr, Leaf, System, VarId};
use crate::vocabulary::ProcessId;

/// An atom of a sought condition, true if it helps.
pub struct Atom {
    /// The atom.
    pub expr: Expr,
    reads: Vec<VarId>,
    looks_at: Vec<ProcessId>,
}

/// How a step must be watched so that it does no harm.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Atoms by their index: it does harm if it turns one from true to false.
    pub atoms: Vec<usize>,
    /// It does harm if it changes one of these.
    pub vars: Vec<VarId>,
    /// It does harm, whatever it does.
    pub always: bool,
}

/// The atoms of conditions that are sought.
pub fn atoms(system: &System, sought: &[Expr]) -> Vec<Atom> {
    let mut found: Vec<Expr> = Vec::new();
    for condition in sought {
        split(&inline(system, condition), true, &mut found);
    }
    found.into_iter().map(Atom::new).collect()
}

fn split(expr: &Expr, positive: bool, found: &mut Vec<Expr>) {
    match expr {
        Expr::Const(_) => {}
        Expr::Not(e) => split(e, !positive, found),
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().for_each(|e| split(e, positive, found));
        }
        other => {
            let atom = match positive {
                true => other.clone(),
                false => other.clone().not(),
            };
            if !found.contains(&atom) {
                found.push(atom);
            }
        }
    }
}

impl Atom {
    fn new(expr: Expr) -> Atom {
        let (mut reads, mut looks_at) = (Vec::new(), Vec::new());
        expr.leaves(&mut |leaf| match leaf {
            Leaf::Var(v) => reads.push(*v),
            Leaf::At(p, _) => looks_at.push(*p),
            Leaf::Pick(_) => {}
        });
        Atom {
            expr,
            reads,
            looks_at,
        }
    }

    /// Whether where a process is matters, and it matters whether a step has been taken.
    fn notices_move(&self, step: &Step) -> bool {
        let mut notices = false;
        self.expr.leaves(&mut |leaf| {
            if let Leaf::At(p, locations) = leaf {
                let changes = locations.contains(&step.from) != locations.contains(&step.to);
                notices |= *p == step.process && changes;
            }
        });
        notices
    }
}

/// How a step must be watched.
pub fn watch(steps: &Steps, atoms: &[Atom], step: &Step) -> Watch {
    let mut watch = Watch::default();
    for (index, atom) in atoms.iter().enumerate() {
        let written: Vec<VarId> = step.writes().filter(|v| atom.reads.contains(v)).collect();
        let moves = atom.notices_move(step);
        if written.is_empty() && !moves {
            continue;
        }
        // What nobody else changes is in any later state what it is now, and so is the harm.
        let own = |v: &VarId| steps.is_written_only_by(*v, step.process);
        if atom.reads.iter().all(own) && atom.looks_at.iter().all(|p| *p == step.process) {
            watch.atoms.push(index);
        } else if moves || !written.iter().all(own) {
            watch.always = true;
        } else {
            watch.vars.extend(written);
        }
    }
    watch.vars.sort();
    watch.vars.dedup();
    watch
}
