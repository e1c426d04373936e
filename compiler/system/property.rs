//! What is to be checked of a System, and the formulas that say it.

use super::Expr;
use super::event::Check;
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
    /// No reachable state is a deadlock ([`System::deadlock`]).
    Deadlock,
    /// No edge with `Event::Failed` of this check can be taken ([`System::fails`]).
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
