//! Specifications.

use super::{Expr, Protocol, Tolerated};
use crate::source::Span;
use crate::vocabulary::SpecKind;

/// A specification.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name, given or made (`ltl_1`).
    pub name: String,
    /// Its kind.
    pub kind: SpecKind,
    /// What it says.
    pub says: Says,
    /// Of `tolerant`, and only of that: what is to be borne.
    pub tolerated: Option<Tolerated>,
    /// The keyword and the name.
    pub span: Span,
}

/// What a specification says.
#[derive(Clone, PartialEq, Debug)]
pub enum Says {
    /// A boolean expression, temporal for `ltl`, `ctl` and `assume`.
    Formula(Expr),
    /// Of `reachable` and `unreachable`: several, one after the other; at least two.
    Sequence(Vec<Expr>),
    /// Which messages may follow each other.
    Protocol(Box<Protocol>),
}

impl Property {
    /// The formula of one that has a formula.
    pub fn formula(&self) -> Option<&Expr> {
        match &self.says {
            Says::Formula(formula) => Some(formula),
            _ => None,
        }
    }

    /// The expressions in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.says {
            Says::Formula(formula) => vec![formula],
            Says::Sequence(lines) => lines.iter().collect(),
            Says::Protocol(protocol) => {
                let letters = protocol.letters.iter();
                letters.flat_map(|letter| letter.event.values()).collect()
            }
        }
    }
}
