//! Random questions about who knows what.

use super::random::Random;
use super::system::random_condition;
use crate::system::knowledge::{Operator, Sight, SightKind};
use crate::system::{Domain, Expr, Formula, Leaf, Owner, Property, PropertyKind, System, VarId};
use crate::vocabulary::{Knowing, ProcessId, TemporalOp};

/// Adds an operator about random processes with random views, of a formula that may read the operators before it.
pub fn add_operator(system: &mut System, random: &mut Random, seed: u64, number: u64) {
    let count = system.processes.len();
    let processes: Vec<ProcessId> = match random.below(3) {
        0 => vec![ProcessId(random.below(count) as u32)],
        _ => (0..count as u32).map(ProcessId).collect(),
    };
    let how = match processes.len() {
        1 => Knowing::Own,
        _ => *random.choose(&[Knowing::Common, Knowing::Distributed]),
    };
    let views = processes.iter().map(|p| view(system, random, *p)).collect();
    let atom = random_condition(system, seed * 31 + number);
    let inner = system.knowledge.last().map(|inner| inner.var);
    let atom = match inner {
        Some(inner) => {
            let inner = Expr::Leaf(Leaf::Var(inner));
            match random.below(3) {
                0 => Expr::or([atom, inner]),
                1 => Expr::and([atom, inner]),
                _ => inner.not(),
            }
        }
        None => atom,
    };
    let what = match random.below(4) {
        0 => Formula::Unary(TemporalOp::EF, Box::new(Formula::Atom(atom))),
        1 => Formula::Unary(TemporalOp::AG, Box::new(Formula::Atom(atom))),
        _ => Formula::Atom(atom),
    };
    let var = system.declare_hidden(&format!("known {number}"), Domain::Bool, 0);
    system.knowledge.push(Operator {
        var,
        how,
        processes,
        views,
        what,
        within: None,
    });
}

/// Some of what there is to be seen of a process.
fn view(system: &System, random: &mut Random, process: ProcessId) -> Vec<Sight> {
    let mut sights = whole_view(system, process);
    let location = random.chance(1, 2);
    sights.retain(|sight| match sight.kind {
        SightKind::Location(_) => location,
        SightKind::Value(..) => random.chance(2, 3),
    });
    sights
}

/// All that there is to be seen of a process.
pub fn whole_view(system: &System, process: ProcessId) -> Vec<Sight> {
    let location = Sight {
        name: "location".to_owned(),
        kind: SightKind::Location(process),
    };
    let vars = system.vars.iter().zip(0..);
    let own = vars.filter(|(var, _)| var.owner == Owner::Process(process) && var.derived.is_none());
    let own = own.map(|(var, index)| Sight {
        name: var.name.clone(),
        kind: SightKind::Value(Expr::Leaf(Leaf::Var(VarId(index))), var.domain),
    });
    std::iter::once(location).chain(own).collect()
}

/// Leaves a System no properties but one for each operator: that it is always true.
pub fn ask_operators(system: &mut System) {
    let asked = system.knowledge.iter().map(|operator| Property {
        name: "asked".to_owned(),
        kind: PropertyKind::Invariant(Expr::Leaf(Leaf::Var(operator.var))),
        tolerant: None,
        form: None,
        span: None,
    });
    system.properties = asked.collect();
}
