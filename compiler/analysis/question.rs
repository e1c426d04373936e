//! What a property asks of a state space, when many sets of faults are to be told apart.

use crate::engine::ctl;
use crate::system::{
    Domain, EdgeKind, Event, Expr, Formula, Leaf, Owner, PropertyKind, Sought, System, VarId,
};
use crate::vocabulary::{FaultId, PathOp, TemporalOp};

/// What a property asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// Whether some state is reached in which a condition holds.
    State {
        /// The condition.
        condition: Expr,
        /// Whether nobody may have to move there.
        quiescent: bool,
        /// Whether the property holds if it is reached.
        good: bool,
    },
    /// Whether a step is taken on which this happens.
    Step(Event),
    /// Whether a formula holds on every fair run.
    Runs {
        /// The formula.
        formula: Formula,
        /// Whether only the runs that satisfy the assumptions count.
        assuming: bool,
    },
    /// Whether a formula of branching time holds.
    Branches(Formula),
    /// Something that has to be asked of every set by itself.
    Each,
}

/// What a property asks, if these faults are to be told apart.
pub fn question(system: &System, faults: &[FaultId], property: usize) -> Question {
    let kind = &system.properties[property].kind;
    // Without some faults processes know other things.
    let knows = !system.knowledge_of(property).is_empty();
    if knows || !faults.iter().all(|fault| is_additive(system, *fault, kind)) {
        return Question::Each;
    }
    let assuming = !system.assumptions.is_empty();
    let state = |condition, quiescent| Question::State {
        condition,
        quiescent,
        good: kind.holds_if_found(),
    };
    match kind.sought(system) {
        Sought::State(e, value) => return state(if value { e } else { e.not() }, false),
        Sought::Rest(e) => return state(e, true),
        Sought::Failure(check) => return Question::Step(Event::Failed(check)),
        Sought::Run => {}
    }
    match kind {
        PropertyKind::Ltl(formula) => match formula.everywhere() {
            // Every state has a fair continuation.
            Some(e) if !assuming => state(e.not(), false),
            _ => Question::Runs {
                formula: formula.clone(),
                assuming,
            },
        },
        // A `ctl` formula and fair choices: nobody answers that, and says why, but for the questions of `tolerant`.
        PropertyKind::Ctl(formula)
            if system.fair.is_empty() || system.properties[property].is_level() =>
        {
            match ctl::linear(formula) {
                Some(formula) => Question::Runs {
                    formula,
                    assuming: false,
                },
                None if system.fair.is_empty() || !formula.asks_fairness() => {
                    Question::Branches(formula.clone())
                }
                None => Question::Each,
            }
        }
        // What is not listed is asked about anew.
        _ => Question::Each,
    }
}

/// Whether leaving out the edges of a fault is the same as leaving out the fault, for a property: nothing else looks at what
/// the fault remembers, and no other fault leads where it recovers from.
pub fn is_additive(system: &System, fault: FaultId, kind: &PropertyKind) -> bool {
    let owned = |leaf: &Leaf| match leaf {
        Leaf::Var(v) => {
            system.var(*v).owner == Owner::Fault(fault) && !only_remembers(system, fault, *v)
        }
        _ => false,
    };
    let reads = |e: &Expr| {
        let mut found = false;
        e.leaves(&mut |leaf| found |= owned(leaf));
        found
    };
    let mut apart = true;
    kind.atoms(&mut |e| apart &= !reads(e));
    if kind.is_temporal() {
        let assumptions = system.assumptions.iter();
        assumptions.for_each(|a| a.formula.atoms(&mut |e| apart &= !reads(e)));
    }
    for process in &system.processes {
        let recovers = (process.edges.iter()).any(|e| e.kind == EdgeKind::Recovery(fault));
        for edge in &process.edges {
            if matches!(edge.kind, EdgeKind::Fault(f) | EdgeKind::Recovery(f) if f == fault) {
                continue;
            }
            let lands = Some(edge.to) == process.crashed && Some(edge.from) != process.crashed;
            apart &= !(recovers && lands);
            apart &= !reads(&edge.guard);
            apart &= edge
                .updates
                .iter()
                .all(|(var, value)| system.var(*var).owner == Owner::Fault(fault) || !reads(value));
        }
    }
    apart
}

/// Whether a variable of a fault says nothing but what the fault's own edges have done: all others forget it. Without them it is as at the
/// start, which is what whoever reads it sees if the fault is left out.
fn only_remembers(system: &System, fault: FaultId, var: VarId) -> bool {
    let known = system.var(var);
    let start = Expr::bool(false);
    let others = (system.processes.iter())
        .flat_map(|process| &process.edges)
        .filter(
            |edge| !matches!(edge.kind, EdgeKind::Fault(f) | EdgeKind::Recovery(f) if f == fault),
        );
    let mut updates = others.flat_map(|edge| &edge.updates);
    known.domain == Domain::Bool
        && known.init == 0
        && updates.all(|(updated, value)| *updated != var || *value == start)
}

/// Whether more behaviour can only break a formula of branching time (`Some(true)`), only repair it (`Some(false)`), or
/// both.
pub fn direction(formula: &Formula) -> Option<bool> {
    let mut all = true;
    let mut some = true;
    look(formula, true, &mut |universal| match universal {
        true => some = false,
        false => all = false,
    });
    match (all, some) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

/// Visits the path quantifiers, each turned round by the negations around it.
fn look(formula: &Formula, positive: bool, visit: &mut dyn FnMut(bool)) {
    match formula {
        Formula::Atom(_) => {}
        Formula::Not(f) => look(f, !positive, visit),
        Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| look(f, positive, visit)),
        Formula::Implies(f, g) => {
            look(f, !positive, visit);
            look(g, positive, visit);
        }
        Formula::Iff(f, g) => {
            for side in [f, g] {
                look(side, true, visit);
                look(side, false, visit);
            }
        }
        Formula::Unary(op, f) => {
            let universal = matches!(op, TemporalOp::AX | TemporalOp::AG | TemporalOp::AF);
            visit(universal == positive);
            look(f, positive, visit);
        }
        Formula::Path(op, f, g) => {
            visit((*op == PathOp::All) == positive);
            look(f, positive, visit);
            look(g, positive, visit);
        }
        Formula::Binary(_, f, g) => {
            look(f, positive, visit);
            look(g, positive, visit);
        }
    }
}
