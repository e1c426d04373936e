//! Temporal formulas over the states of a System.

use super::{Expr, Leaf};
use crate::vocabulary::{PathOp, TemporalOp};

/// A temporal formula; its propositional parts are single atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// A state formula without temporal operators.
    Atom(Expr),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Vec<Formula>),
    /// `f || g`
    Or(Vec<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Iff(Box<Formula>, Box<Formula>),
    /// `G f`, `AX f` and so on.
    Unary(TemporalOp, Box<Formula>),
    /// `f U g` and so on.
    Binary(BinaryTemporal, Box<Formula>, Box<Formula>),
    /// `A (f U g)`, `E (f U g)`
    Path(PathOp, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether it speaks about nothing but states and what can happen after them: that it is false, no run can show.
    pub fn is_about_what_can_happen(&self) -> bool {
        self.asks_what_can_happen(true)
    }

    /// Whether it asks what some runs, or all, do for ever: only then it matters which of them are fair, for every run that has come
    /// to a state can go on fairly.
    pub fn asks_fairness(&self) -> bool {
        let mut asks = false;
        self.visit(&mut |f| {
            asks |= matches!(
                f,
                Formula::Unary(TemporalOp::EG | TemporalOp::AF, _)
                    | Formula::Path(PathOp::All, ..)
                    | Formula::Binary(..)
            );
        });
        asks
    }

    fn asks_what_can_happen(&self, positive: bool) -> bool {
        use TemporalOp::{EF, EG, EX};
        let all =
            |parts: &[&Formula], positive| parts.iter().all(|f| f.asks_what_can_happen(positive));
        match self {
            Formula::Atom(_) => true,
            Formula::Not(f) => all(&[f], !positive),
            Formula::And(fs) | Formula::Or(fs) => {
                fs.iter().all(|f| f.asks_what_can_happen(positive))
            }
            Formula::Implies(f, g) => all(&[f], !positive) && all(&[g], positive),
            Formula::Unary(op, f) => matches!(op, EX | EF | EG) == positive && all(&[f], positive),
            Formula::Path(op, f, g) => {
                (*op == PathOp::Exists) == positive && all(&[f, g], positive)
            }
            Formula::Iff(..) | Formula::Binary(..) => false,
        }
    }

    /// Calls `visit` for this formula and every part of it.
    pub fn visit(&self, visit: &mut impl FnMut(&Formula)) {
        visit(self);
        match self {
            Formula::Atom(_) => {}
            Formula::Not(f) | Formula::Unary(_, f) => f.visit(visit),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| f.visit(visit)),
            Formula::Implies(f, g)
            | Formula::Iff(f, g)
            | Formula::Binary(_, f, g)
            | Formula::Path(_, f, g) => {
                f.visit(visit);
                g.visit(visit);
            }
        }
    }

    /// The condition that `G p` or `!F q` wants to hold in every state.
    pub fn everywhere(&self) -> Option<Expr> {
        let (formula, positive) = match self {
            Formula::Not(inner) => (&**inner, false),
            formula => (formula, true),
        };
        let inner = match (formula, positive) {
            (Formula::Unary(TemporalOp::G, inner), true)
            | (Formula::Unary(TemporalOp::F, inner), false) => &**inner,
            _ => return None,
        };
        match inner {
            Formula::Atom(e) if positive => Some(e.clone()),
            Formula::Atom(e) => Some(e.clone().not()),
            _ => None,
        }
    }

    /// Whether it counts steps (`X`, `Y`, `Z`), so that merging steps would change its meaning.
    pub fn counts_steps(&self) -> bool {
        let mut found = false;
        self.visit(&mut |f| {
            found |= matches!(
                f,
                Formula::Unary(
                    TemporalOp::X | TemporalOp::Y | TemporalOp::Z | TemporalOp::AX | TemporalOp::EX,
                    _
                )
            );
        });
        found
    }

    /// The same, with other state formulas; `atom` is called for them in the order of [`Formula::atoms`].
    pub fn map_atoms(&self, atom: &mut impl FnMut(&Expr) -> Expr) -> Formula {
        let mut of = |f: &Formula| Box::new(f.map_atoms(atom));
        match self {
            Formula::Not(f) => Formula::Not(of(f)),
            Formula::Unary(op, f) => Formula::Unary(*op, of(f)),
            Formula::Implies(f, g) => Formula::Implies(of(f), of(g)),
            Formula::Iff(f, g) => Formula::Iff(of(f), of(g)),
            Formula::Binary(op, f, g) => Formula::Binary(*op, of(f), of(g)),
            Formula::Path(op, f, g) => Formula::Path(*op, of(f), of(g)),
            Formula::Atom(e) => Formula::Atom(atom(e)),
            Formula::And(fs) => Formula::And(fs.iter().map(|f| f.map_atoms(atom)).collect()),
            Formula::Or(fs) => Formula::Or(fs.iter().map(|f| f.map_atoms(atom)).collect()),
        }
    }

    /// Calls `visit` for every state formula in it.
    pub fn atoms<'a>(&'a self, visit: &mut (impl FnMut(&'a Expr) + ?Sized)) {
        match self {
            Formula::Atom(e) => visit(e),
            Formula::Not(f) | Formula::Unary(_, f) => f.atoms(visit),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| f.atoms(visit)),
            Formula::Implies(f, g)
            | Formula::Iff(f, g)
            | Formula::Binary(_, f, g)
            | Formula::Path(_, f, g) => {
                f.atoms(visit);
                g.atoms(visit);
            }
        }
    }

    /// Replaces leaves of every state formula in it, those for which `leaf` yields something.
    pub fn rewrite(&mut self, leaf: &mut impl FnMut(&Leaf) -> Option<Expr>) {
        match self {
            Formula::Atom(e) => *e = e.replace(leaf),
            Formula::Not(f) | Formula::Unary(_, f) => f.rewrite(leaf),
            Formula::And(fs) | Formula::Or(fs) => fs.iter_mut().for_each(|f| f.rewrite(leaf)),
            Formula::Implies(f, g)
            | Formula::Iff(f, g)
            | Formula::Binary(_, f, g)
            | Formula::Path(_, f, g) => {
                f.rewrite(leaf);
                g.rewrite(leaf);
            }
        }
    }
}

/// Infix temporal operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryTemporal {
    /// `U`
    Until,
    /// `V`: the dual of `U`.
    Releases,
    /// `S`
    Since,
    /// `T`: the dual of `S`.
    Triggered,
}

impl BinaryTemporal {
    /// Its letter.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryTemporal::Until => "U",
            BinaryTemporal::Releases => "V",
            BinaryTemporal::Since => "S",
            BinaryTemporal::Triggered => "T",
        }
    }
}
