//! Variables that start with one of several values: what that means for their scalars.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::layout::code_of;
use crate::graph::{Expr, Leaf};
use crate::program::Value;
use crate::system::{Domain, Op, VarId};

/// The values that each element of a variable may start with, as codes of its scalars.
pub(super) struct Starts {
    /// A list for each value.
    values: Vec<Vec<i64>>,
    /// For each scalar of an element its codes, in the order of the values.
    codes: Vec<Vec<i64>>,
}

impl Starts {
    pub(super) fn of(values: &[Value]) -> Starts {
        let code = |value: &Value| value.flat().iter().map(code_of).collect();
        let values: Vec<Vec<i64>> = values.iter().map(code).collect();
        let width = values.first().map_or(0, Vec::len);
        let distinct = |at: usize| {
            let codes: IndexSet<i64, FxBuildHasher> =
                values.iter().map(|value| value[at]).collect();
            codes.into_iter().collect()
        };
        Starts {
            codes: (0..width).map(distinct).collect(),
            values,
        }
    }

    /// The codes that the scalar at a position of the variable may start with.
    pub(super) fn codes(&self, at: usize) -> &[i64] {
        match self.codes.len() {
            0 => &[],
            width => &self.codes[at % width],
        }
    }

    /// For each element which of its scalars' codes go together, if not all do: a message that has no use for a room has zero in it.
    pub(super) fn rules(&self, vars: &[VarId], scalars: &[(String, Domain)]) -> Vec<Expr> {
        let all = (self.codes.iter()).fold(1usize, |all, codes| all.saturating_mul(codes.len()));
        let distinct: IndexSet<&Vec<i64>, FxBuildHasher> = self.values.iter().collect();
        if distinct.len() == all || self.codes.is_empty() {
            return Vec::new();
        }
        let elements = vars
            .chunks(self.codes.len())
            .zip(scalars.chunks(self.codes.len()));
        elements
            .map(|(vars, scalars)| {
                let starts_as = |value: &&Vec<i64>| {
                    let several = (0..value.len()).filter(|at| self.codes[*at].len() > 1);
                    Expr::and(several.map(|at| {
                        let code = Expr::Const(scalars[at].1.scalar(value[at]));
                        Expr::binary(Op::Eq, Expr::Leaf(Leaf::Var(vars[at])), code)
                    }))
                };
                Expr::or(distinct.iter().map(starts_as))
            })
            .collect()
    }
}
