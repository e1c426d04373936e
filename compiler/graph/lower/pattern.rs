//! Patterns: when a message fits, and what goes where.

use super::Lowerer;
use super::value::Values;
use crate::graph::Expr;
use crate::program::{Pattern, Place, Type};
use crate::system::{Op, Scalar};

impl Lowerer<'_> {
    /// Whether a value, given by its scalars, fits a pattern.
    pub(super) fn fits(
        &self,
        pattern: &Pattern,
        ty: &Type,
        scalars: &[Expr],
        values: &mut Values,
    ) -> Expr {
        match pattern {
            Pattern::Any | Pattern::Into(_) => Expr::yes(),
            Pattern::Equal(value) => {
                let value = self.eval(values).flat(value);
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
                    .map(|pattern| self.fits(pattern, ty, scalars, values))
                    .collect();
                Expr::or(all)
            }
            Pattern::Constructor(index, fields) => {
                let mut parts = vec![is_constructor(ty, scalars[0].clone(), *index)];
                for (field, ty, scalars) in carried(ty, *index, fields, scalars) {
                    parts.push(self.fits(field, ty, &scalars, values));
                }
                Expr::and(parts)
            }
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
