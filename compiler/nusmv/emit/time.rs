//! Whether time goes on, asked in CTL.
//!
//! From every reachable state, *by steps that are no faults*, a state must be reached in which time passes or nobody has to move. CTL
//! cannot tell steps apart, but it can ask about a System in which faults come to an end at a free moment: `calm` says that they
//! have.
//!
//! ```text
//! without faults   AG EF passes
//! with faults      AG (calm -> EF passes)      its states are the System's, calm or not
//! ```
//!
//! It is asked of a model of its own, in which nobody is fair: that makes no difference to what can be reached, but a large one to
//! NuSMV.

use super::fairness;
use crate::system::{Domain, Edge, EdgeKind, Expr, Formula, Leaf, LocId, Location, LocationKind};
use crate::system::{Owner, Process, PropertyKind, System, Var, VarId};
use crate::vocabulary::{FaultId, ProcessId, TemporalOp};

/// Whether a System asks whether time goes on.
pub fn is_asked(system: &System) -> bool {
    (system.properties.iter()).any(|p| p.kind == PropertyKind::Time)
}

/// Whether faults have to come to an end first.
pub fn has_faults(system: &System) -> bool {
    let mut edges = system.processes.iter().flat_map(|p| &p.edges);
    edges.any(|edge| !edge.kind.is_forced())
}

/// The formula that asks, for a System without faults.
pub fn formula(system: &System) -> Formula {
    about(system, Expr::yes())
}

fn about(system: &System, given: Expr) -> Formula {
    let passes = Formula::Atom(system.lets_time_pass());
    let reached = Formula::Unary(TemporalOp::EF, Box::new(passes));
    let given = Expr::and(std::iter::once(given).chain(system.ordinary.clone()));
    let reached = match given.is_yes() {
        true => reached,
        false => Formula::Implies(Box::new(Formula::Atom(given)), Box::new(reached)),
    };
    Formula::Unary(TemporalOp::AG, Box::new(reached))
}

/// The System in which faults come to an end, with the question about it in place of the property.
pub fn calm(system: &System) -> System {
    let mut calm = fairness::without(system);
    calm.assumptions.clear();
    let mut given = Expr::yes();
    if has_faults(system) {
        let var = VarId(calm.vars.len() as u32);
        let is_calm = Expr::Leaf(Leaf::Var(var));
        calm.vars.push(Var {
            name: "calm".to_owned(),
            owner: Owner::Fault(FaultId(0)),
            domain: Domain::Bool,
            init: 0,
            derived: None,
            hidden: true,
        });
        let edges = calm.processes.iter_mut().flat_map(|p| &mut p.edges);
        for edge in edges.filter(|edge| !edge.kind.is_forced()) {
            edge.guard = Expr::and([edge.guard.clone(), is_calm.clone().not()]);
        }
        calm.processes.push(peace(system, var));
        given = is_calm;
    }
    let asked = about(system, given);
    for property in &mut calm.properties {
        if property.kind == PropertyKind::Time {
            property.kind = PropertyKind::Ctl(asked.clone());
        }
    }
    calm
}

/// A process that ends all faults at a free moment.
fn peace(system: &System, calm: VarId) -> Process {
    let span = system.process(ProcessId(0)).span;
    let location = |kind| Location {
        kind,
        labels: Vec::new(),
        span,
    };
    let kinds = [LocationKind::Idle, LocationKind::Done, LocationKind::Failed];
    Process {
        name: "peace".to_owned(),
        proc_name: "peace".to_owned(),
        locations: kinds.map(location).into(),
        edges: vec![Edge {
            from: LocId(0),
            to: LocId(0),
            guard: Expr::Leaf(Leaf::Var(calm)).not(),
            picks: Vec::new(),
            updates: vec![(calm, Expr::yes())],
            kind: EdgeKind::Moment(FaultId(0)),
            events: Vec::new(),
            span,
        }],
        initial: LocId(0),
        done: LocId(1),
        failed: LocId(2),
        crashed: None,
        recovers: false,
        labels: Vec::new(),
        span,
    }
}
