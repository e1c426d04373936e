//! From formulas as written to negation normal form.

use rustc_hash::FxHashMap;

use super::form::{FormId, Forms, NO, Var, YES};
use crate::system::{BinaryTemporal, Expr, Formula, Op};
use crate::vocabulary::TemporalOp;

/// The negation normal form of an LTL formula, or of its negation, simplified. Parts without temporal
/// operators become single atoms. (A path quantifier is read as if there were one path.)
pub fn normal(forms: &mut Forms, formula: &Formula, positive: bool) -> FormId {
    Normal {
        forms,
        done: FxHashMap::default(),
    }
    .form(formula, positive)
}

struct Normal<'a> {
    forms: &'a mut Forms,
    /// By the formula's address: `<->` mentions both sides twice.
    done: FxHashMap<(*const Formula, bool), FormId>,
}

impl Normal<'_> {
    fn form(&mut self, formula: &Formula, positive: bool) -> FormId {
        let key = (std::ptr::from_ref(formula), positive);
        if let Some(known) = self.done.get(&key) {
            return *known;
        }
        let form = match state_formula(formula) {
            Some(expr) => self.atom(&expr, positive),
            None => self.temporal(formula, positive),
        };
        self.done.insert(key, form);
        form
    }

    fn temporal(&mut self, formula: &Formula, positive: bool) -> FormId {
        match formula {
            Formula::Atom(expr) => self.atom(expr, positive),
            Formula::Not(f) => self.form(f, !positive),
            Formula::And(parts) => self.join(parts, true, positive),
            Formula::Or(parts) => self.join(parts, false, positive),
            Formula::Implies(f, g) => {
                let (f, g) = (self.form(f, !positive), self.form(g, positive));
                if positive {
                    self.forms.or([f, g])
                } else {
                    self.forms.and([f, g])
                }
            }
            Formula::Iff(f, g) => {
                let (f, not_f) = (self.form(f, true), self.form(f, false));
                let (g, not_g) = (self.form(g, positive), self.form(g, !positive));
                let both = self.forms.and([f, g]);
                let neither = self.forms.and([not_f, not_g]);
                self.forms.or([both, neither])
            }
            Formula::Unary(op, f) => {
                let f = self.form(f, positive);
                self.unary(*op, f, positive)
            }
            Formula::Binary(op, f, g) => {
                let (f, g) = (self.form(f, positive), self.form(g, positive));
                self.binary(*op, f, g, positive)
            }
            Formula::Path(_, f, g) => {
                let (f, g) = (self.form(f, positive), self.form(g, positive));
                self.binary(BinaryTemporal::Until, f, g, positive)
            }
        }
    }

    /// A connective; its parts without temporal operators are one atom together.
    fn join(&mut self, parts: &[Formula], and: bool, positive: bool) -> FormId {
        let mut states = Vec::new();
        let mut forms = Vec::new();
        for part in parts {
            match state_formula(part) {
                Some(expr) => states.push(expr),
                None => forms.push(self.form(part, positive)),
            }
        }
        let states = if and {
            Expr::and(states)
        } else {
            Expr::or(states)
        };
        forms.push(self.atom(&states, positive));
        if and == positive {
            self.forms.and(forms)
        } else {
            self.forms.or(forms)
        }
    }

    fn unary(&mut self, op: TemporalOp, f: FormId, positive: bool) -> FormId {
        match op {
            TemporalOp::X | TemporalOp::AX | TemporalOp::EX => self.forms.next(f),
            TemporalOp::G | TemporalOp::AG | TemporalOp::EG => {
                self.binary(BinaryTemporal::Releases, constant(!positive), f, positive)
            }
            TemporalOp::F | TemporalOp::AF | TemporalOp::EF => {
                self.binary(BinaryTemporal::Until, constant(positive), f, positive)
            }
            TemporalOp::H => {
                self.binary(BinaryTemporal::Triggered, constant(!positive), f, positive)
            }
            TemporalOp::O => self.binary(BinaryTemporal::Since, constant(positive), f, positive),
            TemporalOp::Y if positive => self.forms.before(f),
            TemporalOp::Z if !positive => self.forms.before(f),
            TemporalOp::Y | TemporalOp::Z => self.forms.weak_before(f),
        }
    }

    /// An operator on operands that are already negated if it is.
    fn binary(&mut self, op: BinaryTemporal, f: FormId, g: FormId, positive: bool) -> FormId {
        match (op, positive) {
            (BinaryTemporal::Until, true) | (BinaryTemporal::Releases, false) => {
                self.forms.until(f, g)
            }
            (BinaryTemporal::Until, false) | (BinaryTemporal::Releases, true) => {
                self.forms.release(f, g)
            }
            (BinaryTemporal::Since, true) | (BinaryTemporal::Triggered, false) => {
                self.forms.since(f, g)
            }
            (BinaryTemporal::Since, false) | (BinaryTemporal::Triggered, true) => {
                self.forms.trigger(f, g)
            }
        }
    }

    fn atom(&mut self, expr: &Expr, positive: bool) -> FormId {
        if let Some(code) = expr.as_const() {
            return constant((code != 0) == positive);
        }
        let (expr, sign) = literal(expr);
        let index = self.forms.atoms.insert_full(expr).0;
        self.forms
            .literal(Var::Atom(index as u32), sign == positive)
    }
}

fn constant(value: bool) -> FormId {
    if value { YES } else { NO }
}

/// The expression that says what a formula without temporal operators does.
pub fn state_formula(formula: &Formula) -> Option<Expr> {
    Some(match formula {
        Formula::Atom(expr) => expr.clone(),
        Formula::Not(f) => state_formula(f)?.not(),
        Formula::And(parts) => Expr::and(
            parts
                .iter()
                .map(state_formula)
                .collect::<Option<Vec<_>>>()?,
        ),
        Formula::Or(parts) => Expr::or(
            parts
                .iter()
                .map(state_formula)
                .collect::<Option<Vec<_>>>()?,
        ),
        Formula::Implies(f, g) => Expr::or([state_formula(f)?.not(), state_formula(g)?]),
        Formula::Iff(f, g) => Expr::binary(Op::Eq, state_formula(f)?, state_formula(g)?),
        Formula::Unary(..) | Formula::Binary(..) | Formula::Path(..) => return None,
    })
}

/// The expression that stands for a state formula and its negation alike, and which of the two it is.
fn literal(expr: &Expr) -> (Expr, bool) {
    let opposite = |op: Op, a: &Expr, b: &Expr| (Expr::binary(op, a.clone(), b.clone()), false);
    match expr {
        Expr::Not(inner) => {
            let (inner, sign) = literal(inner);
            (inner, !sign)
        }
        Expr::Or(parts) => {
            let parts: Vec<Expr> = parts.iter().map(|p| p.clone().not()).collect();
            (Expr::and(parts), false)
        }
        Expr::Binary(Op::Ne, a, b) => opposite(Op::Eq, a, b),
        Expr::Binary(Op::Ge, a, b) => opposite(Op::Lt, a, b),
        Expr::Binary(Op::Gt, a, b) => opposite(Op::Le, a, b),
        other => (other.clone(), true),
    }
}
