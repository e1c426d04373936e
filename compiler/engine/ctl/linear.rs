//! CTL formulas that say the same as an LTL formula.

use crate::engine::ltl::normal::state_formula;
use crate::system::{BinaryTemporal, Formula};
use crate::vocabulary::{PathOp, TemporalOp};

/// The LTL formula that says the same as a CTL formula, if that is plain from its shape: `AG (p -> AF q)` is `G (p ->
/// F q)`. A run that refutes the one refutes the other.
///
/// The shapes are from Maidl, "The Common Fragment of CTL and LTL", 2000: operators that speak about all runs, where
/// at most one part of a disjunction is about the future, and `AF` and `U` only of state formulas. What `E (p U q)` denies of q
/// may be about the future, for whether p still holds decides about it: `!E (!p U (p && !AF q))` is `p V (p -> F q)`.
pub fn linear(formula: &Formula) -> Option<Formula> {
    shape(formula, true)
}

/// The formula, or its negation.
fn shape(formula: &Formula, positive: bool) -> Option<Formula> {
    if let Some(expr) = state_formula(formula) {
        return Some(Formula::Atom(if positive { expr } else { expr.not() }));
    }
    match formula {
        Formula::Not(f) => shape(f, !positive),
        Formula::And(parts) => join(parts.iter().map(|f| (f, positive)), positive),
        Formula::Or(parts) => join(parts.iter().map(|f| (f, positive)), !positive),
        Formula::Implies(f, g) => {
            let parts = [(&**f, !positive), (&**g, positive)];
            join(parts.into_iter(), !positive)
        }
        Formula::Unary(op, f) => {
            let op = match (op, positive) {
                (TemporalOp::AX, true) | (TemporalOp::EX, false) => TemporalOp::X,
                (TemporalOp::AG, true) | (TemporalOp::EF, false) => TemporalOp::G,
                (TemporalOp::AF, true) | (TemporalOp::EG, false) => {
                    state_formula(f)?;
                    TemporalOp::F
                }
                _ => return None,
            };
            Some(Formula::Unary(op, Box::new(shape(f, positive)?)))
        }
        Formula::Path(op, f, g) => {
            state_formula(f)?;
            let op = match (op, positive) {
                (PathOp::All, true) => {
                    state_formula(g)?;
                    BinaryTemporal::Until
                }
                (PathOp::Exists, false) => BinaryTemporal::Releases,
                _ => return None,
            };
            let (f, g) = (shape(f, positive)?, shape(g, positive)?);
            Some(Formula::Binary(op, Box::new(f), Box::new(g)))
        }
        Formula::Atom(_) | Formula::Iff(..) | Formula::Binary(..) => None,
    }
}

/// The conjunction, or the disjunction, if it has the right shape.
fn join<'a>(
    parts: impl Iterator<Item = (&'a Formula, bool)> + Clone,
    and: bool,
) -> Option<Formula> {
    let temporal = parts.clone().filter(|(f, _)| state_formula(f).is_none());
    if !and && temporal.count() > 1 {
        return None;
    }
    let parts = parts
        .map(|(f, positive)| shape(f, positive))
        .collect::<Option<Vec<Formula>>>()?;
    Some(if and {
        Formula::And(parts)
    } else {
        Formula::Or(parts)
    })
}
