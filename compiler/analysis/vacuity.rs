//! Properties that hold for a poor reason: what they ask about never comes up. (I. Beer, S. Ben-David, C. Eisner and Y. Rodeh,
//! "Efficient Detection of Vacuity in ACTL Formulas", 1997, who ask the same of more formulas.)
//!
//! - `a -> b` where `a` is never true;
//! - `F a` and `b U a` where `a` is true at once, whenever it is asked for;
//! - `tolerant` properties about faults that are never injected;
//! - `ltl` properties under assumptions that no run with a fault satisfies.

use super::each::{Quiet, answers};
use crate::check::{Answer, Options, World};
use crate::system::{
    BinaryTemporal, Domain, EdgeKind, Expr, Formula, Leaf, Property, PropertyKind, System,
};
use crate::vocabulary::TemporalOp;
use std::time::Duration;

/// Why a property that holds says less than it seems to, for each property that does.
pub fn notes(
    system: &System,
    held: &[&Answer],
    options: &Options,
    world: &dyn World,
) -> Vec<(usize, String)> {
    let mut asked = Vec::new();
    for answer in held.iter().filter(|answer| answer.verdict() == "holds") {
        let property = answer.property;
        if let Some(tolerant) = &system.properties[property].tolerant {
            asked.push((property, Doubt::Injected(tolerant.injected.clone())));
            continue;
        }
        match &system.properties[property].kind {
            PropertyKind::Invariant(e) => {
                asked.extend(sides(e).map(|e| (property, Doubt::Left(e))))
            }
            PropertyKind::Ltl(f) => look(f, true, &mut |doubt| asked.push((property, doubt))),
            _ => {}
        }
    }
    let mut probe = system.clone();
    probe.assumptions.clear();
    probe.properties = asked.iter().map(|(_, doubt)| doubt.property()).collect();
    let wanted: Vec<usize> = (0..asked.len()).collect();
    let options = Options {
        minimise: Duration::ZERO,
        ..options.clone()
    };
    let found = answers(&probe, &wanted, &options, &Quiet(world)).unwrap_or_default();
    let mut notes = Vec::new();
    for answer in found {
        let (property, doubt) = &asked[answer.property];
        if doubt.is_confirmed(answer.verdict()) {
            notes.push((*property, doubt.to_string()));
        }
    }
    let is_ltl = |a: &&&Answer| matches!(system.properties[a.property].kind, PropertyKind::Ltl(_));
    let held_ltl = held
        .iter()
        .filter(|a| a.verdict() == "holds")
        .filter(is_ltl);
    let held_ltl: Vec<usize> = held_ltl.map(|a| a.property).collect();
    if !held_ltl.is_empty() && excludes_faults(system, &options, world) {
        let text = "no run with a fault satisfies the assumptions: nothing is said about faults";
        notes.extend(held_ltl.into_iter().map(|p| (p, text.to_owned())));
    }
    notes.sort();
    notes.dedup();
    notes
}

/// A reason to doubt that a property says anything.
#[derive(Debug)]
enum Doubt {
    /// This, that a fault has been injected, may never be true.
    Injected(Expr),
    /// This left side of an implication may never be true.
    Left(Expr),
    /// This may be true at once whenever it has to come: whenever the first is true, or at the start.
    AtOnce(Option<Expr>, Expr),
}

impl Doubt {
    fn property(&self) -> Property {
        let kind = match self {
            Doubt::Left(e) | Doubt::Injected(e) => PropertyKind::Reachable(e.clone()),
            Doubt::AtOnce(Some(when), comes) => {
                PropertyKind::Invariant(Expr::or([when.clone().not(), comes.clone()]))
            }
            Doubt::AtOnce(None, comes) => PropertyKind::Ltl(Formula::Atom(comes.clone())),
        };
        Property {
            form: None,
            name: "doubt".to_owned(),
            kind,
            tolerant: None,
            span: None,
        }
    }

    fn is_confirmed(&self, verdict: &str) -> bool {
        match self {
            Doubt::Left(_) | Doubt::Injected(_) => verdict == "violated",
            Doubt::AtOnce(..) => verdict == "holds",
        }
    }
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Doubt::Injected(_) => {
                "none of these faults is ever injected: nothing is said about them"
            }
            Doubt::Left(_) => "it holds because the left side of `->` is never true",
            Doubt::AtOnce(Some(_), _) => {
                "what has to come is there already, whenever the left side of `->` is true"
            }
            Doubt::AtOnce(None, _) => "what has to come is true at the start",
        })
    }
}

/// The left sides of a state formula that is an implication.
fn sides(e: &Expr) -> impl Iterator<Item = Expr> {
    // `a -> b` is `!a || b` by now.
    let left = match e {
        Expr::Or(parts) => match parts.first() {
            Some(Expr::Not(left)) if parts.len() > 1 => Some((**left).clone()),
            _ => None,
        },
        _ => None,
    };
    left.into_iter()
}

/// Looks for doubts in a formula that has to be true at the start, or always.
fn look(formula: &Formula, start: bool, doubt: &mut dyn FnMut(Doubt)) {
    match formula {
        Formula::Atom(e) => sides(e).for_each(|left| doubt(Doubt::Left(left))),
        Formula::And(parts) => parts.iter().for_each(|part| look(part, start, doubt)),
        Formula::Unary(TemporalOp::G, f) => look(f, false, doubt),
        Formula::Unary(TemporalOp::F, f) | Formula::Binary(BinaryTemporal::Until, _, f) => {
            if let (true, Formula::Atom(e)) = (start, &**f) {
                doubt(Doubt::AtOnce(None, e.clone()));
            }
        }
        Formula::Implies(left, right) => {
            let Formula::Atom(when) = &**left else { return };
            doubt(Doubt::Left(when.clone()));
            if let Formula::Unary(TemporalOp::F, f) | Formula::Binary(BinaryTemporal::Until, _, f) =
                &**right
                && let Formula::Atom(comes) = &**f
            {
                doubt(Doubt::AtOnce(Some(when.clone()), comes.clone()));
            }
        }
        _ => {}
    }
}

/// Whether there are faults and assumptions, and no run with a fault satisfies the assumptions.
fn excludes_faults(system: &System, options: &Options, world: &dyn World) -> bool {
    let is_fault = |kind: EdgeKind| matches!(kind, EdgeKind::Fault(_));
    let mut edges = system.processes.iter().flat_map(|p| &p.edges);
    if system.assumptions.is_empty() || !edges.any(|edge| is_fault(edge.kind)) {
        return false;
    }
    let mut probe = system.clone();
    let var = probe.declare_hidden("faulted", Domain::Bool, 0);
    for edge in probe.processes.iter_mut().flat_map(|p| &mut p.edges) {
        if is_fault(edge.kind) {
            edge.updates.push((var, Expr::yes()));
        }
    }
    let never = Expr::Leaf(Leaf::Var(var)).not();
    let formula = Formula::Unary(TemporalOp::G, Box::new(Formula::Atom(never)));
    probe.properties = vec![Property {
        form: None,
        name: "no_fault".to_owned(),
        kind: PropertyKind::Ltl(formula),
        tolerant: None,
        span: None,
    }];
    let found = answers(&probe, &[0], options, &Quiet(world)).unwrap_or_default();
    found
        .first()
        .is_some_and(|answer| answer.verdict() == "holds")
}
