//! Types as written become types.

mod channel;
mod describe;
mod named;

pub use channel::{Capacity, ChannelType};

use crate::program::elaborate::declare::names_in_type;
use crate::program::elaborate::expr::Expressions;
use crate::program::problem::{Lint, SizeProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Type, limits};
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

/// What a name of a type stands for.
#[derive(Clone)]
pub enum NamedType {
    /// The type of a value.
    Value(Type),
    Channel(ChannelType),
    /// An array of channels; its length, if it is written.
    Channels(Option<u32>, ChannelType),
}

impl<'a> Expressions<'_, 'a> {
    /// The type of a value.
    pub fn value_type(&mut self, ty: &'a ast::Type) -> Option<Type> {
        let resolved = self.value_type_inner(ty)?;
        let scalars = resolved.scalars();
        if scalars > limits::SCALARS {
            self.log.report(SizeProblem::Scalars {
                count: scalars,
                span: ty.span,
            });
            return None;
        }
        Some(resolved)
    }

    fn value_type_inner(&mut self, ty: &'a ast::Type) -> Option<Type> {
        match &ty.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int => {
                self.log.report(Lint::BareInt { span: ty.span });
                Some(Type::Int { lo: 0, hi: 8 })
            }
            TypeKind::Bit => Some(Type::Int { lo: 0, hi: 1 }),
            TypeKind::Range(lo, hi) => {
                let lo = self.constant_int(lo, "the bound of a range");
                let hi = self.constant_int(hi, "the bound of a range");
                let (lo, hi) = (lo?, hi?);
                if lo > hi {
                    self.log.report_value(TypeProblem::EmptyRange {
                        lo,
                        hi,
                        span: ty.span,
                    });
                    if !self.log.hypothetical() {
                        return None;
                    }
                }
                Some(Type::int(Interval::new(lo, hi)))
            }
            TypeKind::Named(_) if self.decls.noun(self.unit(), ty).is_some() => {
                self.misplaced_type(
                    "`detector` is the type of a parameter only",
                    ty.span,
                    Some("make it a parameter, and create the detector in `init`"),
                );
                None
            }
            TypeKind::Named(name) => match self.named_type(name)? {
                NamedType::Value(ty) => Some(ty),
                NamedType::Channel(_) | NamedType::Channels(..) => {
                    self.channel_as_value(ty.span);
                    None
                }
            },
            TypeKind::Array(_, element)
                if self.decls.is_array_of_channels(self.unit(), element) =>
            {
                self.misplaced_type(
                    "an array of channels has one dimension, and is a parameter",
                    ty.span,
                    Some("write one array and compute the index, as in `cs[i * n + j]`"),
                );
                None
            }
            TypeKind::Array(length, element) => {
                let length = match length {
                    Some(length) => self.array_length(length),
                    None => {
                        self.misplaced_type(
                            "an array of values needs a length",
                            ty.span,
                            Some("write it between the brackets, as in `[3]bool`"),
                        );
                        None
                    }
                };
                let element = self.value_type_inner(element)?;
                Some(Type::Array(Box::new(element), length?))
            }
            TypeKind::Channel(..) => {
                self.channel_as_value(ty.span);
                None
            }
            TypeKind::Process => {
                self.misplaced_type(
                    "`process` is the type of a parameter only",
                    ty.span,
                    Some("make it a parameter, and pass the name of an instance in `init`"),
                );
                None
            }
            TypeKind::Error => {
                self.log.incomplete = true;
                None
            }
        }
    }

    pub fn misplaced_type(&mut self, text: &'static str, span: Span, hint: Option<&'static str>) {
        self.log
            .report(TypeProblem::MisplacedType { text, span, hint });
    }

    /// The length of an array.
    pub fn array_length(&mut self, length: &'a ast::Expr) -> Option<u32> {
        self.length(length, "an array", "the length of an array")
    }

    pub fn length(
        &mut self,
        length: &'a ast::Expr,
        of: &'static str,
        what: &'static str,
    ) -> Option<u32> {
        let value = self.constant_int(length, what)?;
        if value < 1 {
            self.log.report_value(TypeProblem::BadLength {
                of,
                length: value,
                span: length.span,
            });
            return (self.log.hypothetical()).then_some(1);
        }
        if value as u64 > limits::SCALARS {
            self.log.report(SizeProblem::Scalars {
                count: value as u64,
                span: length.span,
            });
            return None;
        }
        Some(value as u32)
    }

    /// Complains if a variable's type mentions the variable of an unrolled loop.
    pub fn fixed_type(&mut self, ty: &'a ast::Type) -> bool {
        let mut culprit = None;
        names_in_type(ty, &mut |name, span| {
            if culprit.is_none() && self.scope.local(name).is_some_and(|local| local.varies()) {
                culprit = Some((name, span));
            }
        });
        match culprit {
            None => true,
            Some((name, span)) => {
                self.log.report(TypeProblem::VaryingType {
                    name: name.to_owned(),
                    span,
                });
                false
            }
        }
    }
}
