//! What is to be checked of a System, and the formulas that say it.

use super::event::Check;
use super::{Expr, Leaf};
use crate::source::Span;
use crate::vocabulary::{PathOp, TemporalOp};

/// Something to be checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// Where it is written; built-ins have no place.
    pub span: Option<Span>,
}

/// What a property says.
#[derive(Clone, PartialEq, Debug)]
pub enum PropertyKind {
    /// No reachable state is a deadlock ([`System::deadlock`](super::System::deadlock)).
    Deadlock,
    /// No edge with `Event::Failed` of this check can be taken ([`System::fails`](super::System::fails)).
    Check(Check),
    /// It holds in every reachable state.
    Invariant(Expr),
    /// It holds in some reachable state.
    Reachable(Expr),
    /// It holds on every fair run that satisfies the assumptions.
    Ltl(Formula),
    /// It holds in the initial state, paths being fair runs.
    Ctl(Formula),
}

impl PropertyKind {
    /// `invariant`, `ltl`, ... or `builtin`.
    pub fn as_str(&self) -> &'static str {
        match self {
            PropertyKind::Deadlock | PropertyKind::Check(_) => "builtin",
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::Reachable(_) => "reachable",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Ctl(_) => "ctl",
        }
    }

    /// Whether it is about whole runs, not about single states.
    pub fn is_temporal(&self) -> bool {
        matches!(self, PropertyKind::Ltl(_) | PropertyKind::Ctl(_))
    }

    /// Whether its meaning depends on how many steps there are or on where runs part, so that steps must not be merged.
    pub fn counts_steps_or_branches(&self) -> bool {
        match self {
            PropertyKind::Ltl(f) => f.counts_steps(),
            PropertyKind::Ctl(_) => true,
            _ => false,
        }
    }

    /// Calls `visit` for every state formula in it.
    pub fn atoms<'a>(&'a self, visit: &mut (impl FnMut(&'a Expr) + ?Sized)) {
        match self {
            PropertyKind::Invariant(e) | PropertyKind::Reachable(e) => visit(e),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => f.atoms(visit),
            PropertyKind::Deadlock | PropertyKind::Check(_) => {}
        }
    }

    /// Replaces leaves of every state formula in it, those for which `leaf` yields something.
    pub fn rewrite(&mut self, leaf: &mut impl FnMut(&Leaf) -> Option<Expr>) {
        match self {
            PropertyKind::Invariant(e) | PropertyKind::Reachable(e) => *e = e.replace(leaf),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => f.rewrite(leaf),
            PropertyKind::Deadlock | PropertyKind::Check(_) => {}
        }
    }
}

/// `assume name { .. }`
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What every run satisfies.
    pub formula: Formula,
    /// Where it is written.
    pub span: Span,
}

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
