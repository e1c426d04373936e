//! Patterns: when a message fits, and what goes where.

use super::Lowerer;
use super::layout::{Layout, width};
use super::value::{Evaluator, Values};
use crate::graph::{Expr, Var};
use crate::program::{Pattern, Place, Type};
use crate::system::{Op, Scalar};

/// Whether a message, given by its scalars, fits the patterns of an event; none fits everything.
pub fn spec_fits(
    layout: &Layout,
    vars: &[Var],
    patterns: &[Pattern],
    fields: &[Type],
    message: &[Expr],
) -> Expr {
    let mut values = Values::default();
    // Specifications are checked by their types: none of these checks can fail.
    let mut evaluator = Evaluator {
        layout,
        vars,
        values: &mut values,
    };
    let mut rest = message;
    let mut all = Vec::new();
    for (pattern, ty) in patterns.iter().zip(fields) {
        let (scalars, behind) = rest.split_at(width(ty));
        rest = behind;
        all.push(fits(pattern, ty, scalars, &mut evaluator));
    }
    Expr::and(all)
}

impl Lowerer<'_> {
    /// Whether a value, given by its scalars, fits a pattern.
    pub(super) fn fits(
        &self,
        pattern: &Pattern,
        ty: &Type,
        scalars: &[Expr],
        values: &mut Values,
    ) -> Expr {
        fits(pattern, ty, scalars, &mut self.eval(values))
    }
}

fn fits(pattern: &Pattern, ty: &Type, scalars: &[Expr], evaluator: &mut Evaluator<'_>) -> Expr {
    match pattern {
        Pattern::Any | Pattern::Into(_) => Expr::yes(),
        Pattern::Equal(value) => {
            let value = evaluator.flat(value);
            let pairs = scalars.iter().cloned().zip(value);
            Expr::and(pairs.map(|(a, b)| Expr::binary(Op::Eq, a, b)))
        }
        Pattern::Between(lo, hi) => Expr::and([
            Expr::binary(Op::Ge, scalars[0].clone(), Expr::int(*lo)),
            Expr::binary(Op::Le, scalars[0].clone(), Expr::int(*hi)),
        ]),
        Pattern::Either(all) => {
            let all: Vec<Expr> = all
                .iter()
                .map(|pattern| fits(pattern, ty, scalars, evaluator))
                .collect();
            Expr::or(all)
        }
        Pattern::Constructor(index, fields) => {
            let mut parts = vec![is_constructor(ty, scalars[0].clone(), *index)];
            for (field, ty, scalars) in carried(ty, *index, fields, scalars) {
                parts.push(fits(field, ty, &scalars, evaluator));
            }
            Expr::and(parts)
        }
    }
}

/// The targets of a pattern, each with the scalars that go there.
pub(super) fn stores<'p>(
    pattern: &'p Pattern,
    ty: &Type,
    scalars: &[Expr],
    into: &mut Vec<(&'p Place, Vec<Expr>)>,
) {
    match pattern {
        Pattern::Into(place) => into.push((place, scalars.to_vec())),
        Pattern::Constructor(index, fields) => {
            for (field, ty, scalars) in carried(ty, *index, fields, scalars) {
                stores(field, ty, &scalars, into);
            }
        }
        Pattern::Any | Pattern::Equal(_) | Pattern::Between(..) | Pattern::Either(_) => {}
    }
}

/// The patterns of a constructor's fields, with their types and scalars.
fn carried<'p, 't>(
    ty: &'t Type,
    index: u32,
    fields: &'p [Pattern],
    scalars: &[Expr],
) -> Vec<(&'p Pattern, &'t Type, Vec<Expr>)> {
    let Type::Tagged(tagged) = ty else {
        unreachable!("only data types have constructors")
    };
    let own = &tagged.constructors[index as usize].fields;
    let carried = |(pattern, field): (&'p Pattern, &u32)| {
        let rooms = tagged.rooms_of[*field as usize].iter();
        let scalars = rooms.map(|room| scalars[1 + *room as usize].clone());
        let ty = &tagged.fields[*field as usize].ty;
        (pattern, ty, scalars.collect())
    };
    fields.iter().zip(own).map(carried).collect()
}

/// Whether a tag is that of a constructor.
pub(super) fn is_constructor(ty: &Type, tag: Expr, index: u32) -> Expr {
    let data = ty.data().expect("only data types have constructors");
    Expr::binary(Op::Eq, tag, Expr::Const(Scalar::Data(data, index)))
}
