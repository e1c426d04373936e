//! Patterns: what a field of a message must be, and where it goes.
//!
//! ```text
//! recv(c, x)               a target: anything, into x
//! recv(c, _)               anything
//! recv(c, Ready)           a constant of the field's type: literals, constants, constructors, operators
//! recv(c, any(1..3))       a set of constants
//! recv(c, == me)           any expression
//! recv(c, Prepare(b, _))   a constructor, with patterns for its fields
//! ```

use super::declare::names_in;
use super::expr::{Context, Expressions, unparenthesised};
use super::scope::{Binding, Role};
use crate::program::problem::{DataProblem, TypeProblem};
use crate::program::{Pattern, Type};
use crate::source::Span;
use crate::syntax::ast::{self, AnySet, ExprKind as Ast};
use crate::syntax::print;
use crate::vocabulary::DataId;

/// Where a pattern stands.
#[derive(Clone)]
pub struct PatternContext {
    /// Whether variables may be targets; patterns of events have none.
    pub targets: bool,
    /// Whether `== e` may stand here; in a set only constants may.
    pub expressions: bool,
    /// Where the type comes from, and what to say there.
    pub because: Option<(Span, String)>,
}

impl<'a> Expressions<'_, 'a> {
    /// A pattern for a value of a type; `None` if it is faulty and has been reported.
    pub fn pattern(
        &mut self,
        written: &'a ast::Expr,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        let outer = self.enter(Context {
            comparing: true,
            ..self.context.without_messages("a pattern")
        });
        let pattern = self.pattern_inner(unparenthesised(written), ty, context);
        self.context = outer;
        pattern
    }

    fn pattern_inner(
        &mut self,
        written: &'a ast::Expr,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        match &written.kind {
            Ast::Name(name) if name == "_" => Some(Pattern::Any),
            Ast::Error => {
                self.log.incomplete = true;
                None
            }
            Ast::Any(set) => self.set(set, written.span, ty, context),
            Ast::EqualTo(value) if context.expressions => {
                let value = self.expr_of(value, ty, context.because.clone())?;
                if let Some(data) = value.ty.scalar().data()
                    && value.as_const().is_none()
                {
                    self.log.uses.opaque.insert(data);
                }
                Some(Pattern::Equal(value))
            }
            Ast::EqualTo(value) => {
                self.log.misplaced(
                    "a set has constants only",
                    written.span,
                    Some("write the values without `==`"),
                );
                self.expr(value, None);
                None
            }
            Ast::Call(name, arguments)
                if self.decls.constructors.contains_key(name.text.as_str()) =>
            {
                let found = self.constructor_of(&name.text, name.span, Some(ty))?;
                self.constructor_pattern(found, Some(arguments), written.span, ty, context)
            }
            Ast::CallOf(base, name, arguments) => {
                let found = self.qualified(base, name)?;
                self.constructor_pattern(found, Some(arguments), written.span, ty, context)
            }
            Ast::Name(name)
                if self.find(name).is_none()
                    && self.decls.constructors.contains_key(name.as_str()) =>
            {
                let found = self.constructor_of(name, written.span, Some(ty))?;
                self.constructor_pattern(found, None, written.span, ty, context)
            }
            Ast::Field(base, name, None) if self.is_data(base).is_some() => {
                let found = self.qualified(base, name)?;
                self.constructor_pattern(found, None, written.span, ty, context)
            }
            _ if context.targets && self.may_be_target(written) => {
                self.target_pattern(written, ty, context)
            }
            _ => self.constant_pattern(written, ty, context),
        }
    }

    fn is_data(&self, base: &ast::Expr) -> Option<DataId> {
        match &unparenthesised(base).kind {
            Ast::Name(owner) if self.find(owner).is_none() => {
                self.decls.data_ids.get(owner.as_str()).copied()
            }
            _ => None,
        }
    }

    /// The constructor `D.A`.
    fn qualified(&mut self, base: &'a ast::Expr, name: &'a ast::Name) -> Option<(DataId, u32)> {
        let Some(data) = self.is_data(base) else {
            self.log.report(DataProblem::Pattern {
                text: format!("{}.{}(..)", print::expr(base), name.text),
                target: false,
                span: base.span.to(name.span),
            });
            return None;
        };
        let Some(index) = self.constructor_in(data, &name.text) else {
            self.unknown_constructor(data, name);
            return None;
        };
        Some((data, index))
    }

    /// `Prepare(b)`, or a constructor alone, which matches whatever its fields.
    fn constructor_pattern(
        &mut self,
        (data, index): (DataId, u32),
        arguments: Option<&'a [ast::Expr]>,
        span: Span,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        let own = match ty {
            Type::Data(id) => Some(*id),
            Type::Tagged(tagged) => Some(tagged.data),
            _ => None,
        };
        if own != Some(data) {
            self.log.report(TypeProblem::Mismatch {
                wanted: self.decls.describe(ty),
                found: self.decls.describe(&Type::Data(data)),
                span,
                because: context.because.clone(),
                hint: None,
            });
            return None;
        }
        let Type::Tagged(tagged) = ty else {
            return match arguments {
                Some(arguments) => {
                    self.build(span, (data, index), arguments);
                    None
                }
                None => Some(Pattern::Equal(self.constructor_value(data, index, span)?)),
            };
        };
        self.note_constructor(data, index, span);
        let count = tagged.constructors[index as usize].fields.len();
        let Some(arguments) = arguments else {
            return Some(Pattern::Constructor(index, vec![Pattern::Any; count]));
        };
        if arguments.len() != count {
            self.constructor_fields(tagged, index, Some(arguments.len()), span, true);
            return None;
        }
        let declared = self.decls.constructor_spans[data.0 as usize][index as usize];
        let inner = PatternContext {
            because: Some((declared, "declared here".to_owned())),
            ..context.clone()
        };
        let fields: Vec<Option<Pattern>> = arguments
            .iter()
            .zip(tagged.fields_of(index))
            .map(|(argument, field)| self.pattern(argument, &field.ty, &inner))
            .collect();
        let fields = fields.into_iter().collect::<Option<_>>()?;
        Some(Pattern::Constructor(index, fields))
    }

    /// `any(..)`
    fn set(
        &mut self,
        set: &'a AnySet,
        span: Span,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        match set {
            AnySet::All => {
                self.log.misplaced(
                    "`any` alone is no pattern",
                    span,
                    Some("write `_` to take anything, or the values: `any(1, 2)`"),
                );
                None
            }
            AnySet::Range(lo, hi) => {
                let low = self.constant_int(lo, "the bound of a range");
                let high = self.constant_int(hi, "the bound of a range");
                let (low, high) = (low?, high?);
                if ty.range().is_none() {
                    self.log.report(TypeProblem::Mismatch {
                        wanted: self.decls.describe(ty),
                        found: "a set of integers".into(),
                        span,
                        because: context.because.clone(),
                        hint: None,
                    });
                    return None;
                }
                if low > high {
                    self.log.report_value(TypeProblem::EmptyRange {
                        lo: low,
                        hi: high,
                        span: lo.span.to(hi.span),
                    });
                    return None;
                }
                Some(Pattern::Between(low, high))
            }
            AnySet::Of(values) => {
                if values.is_empty() {
                    self.log
                        .misplaced("`any()` has nothing to choose from", span, None);
                    return None;
                }
                let constants = PatternContext {
                    targets: false,
                    expressions: false,
                    because: context.because.clone(),
                };
                let values: Vec<Option<Pattern>> = values
                    .iter()
                    .map(|value| self.pattern(value, ty, &constants))
                    .collect();
                values
                    .into_iter()
                    .collect::<Option<_>>()
                    .map(Pattern::Either)
            }
        }
    }

    /// Whether an expression is a variable or a part of one, or meant as one: a name that is no constant.
    fn may_be_target(&self, written: &ast::Expr) -> bool {
        let mut root = unparenthesised(written);
        while let Ast::Index(base, _) | Ast::Field(base, _, None) = &root.kind {
            root = unparenthesised(base);
        }
        match &root.kind {
            Ast::Name(name) => self.find(name).is_none_or(|local| {
                !matches!(local.binding, Binding::Value(_)) || is_given(local.role)
            }),
            _ => false,
        }
    }

    fn target_pattern(
        &mut self,
        written: &'a ast::Expr,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        let outer = self.enter(Context {
            comparing: false,
            ..self.context.without_messages("a target")
        });
        let place = self.target(written);
        self.context = outer;
        let place = place?;
        if !place.ty.same_shape(ty) {
            self.log.report(TypeProblem::Mismatch {
                wanted: self.decls.describe(ty),
                found: self.decls.describe(&place.ty),
                span: written.span,
                because: context.because.clone(),
                hint: None,
            });
            return None;
        }
        self.note_store(&place.ty, ty, written.span, "the variable");
        Some(Pattern::Into(place))
    }

    /// A constant of the field's type.
    fn constant_pattern(
        &mut self,
        written: &'a ast::Expr,
        ty: &Type,
        context: &PatternContext,
    ) -> Option<Pattern> {
        let mut fixed = true;
        names_in(written, &mut |name, _| {
            fixed &= match self.find(name) {
                Some(local) => matches!(
                    (&local.binding, local.role),
                    (
                        Binding::Value(_),
                        Role::Constant | Role::Given | Role::Varying
                    ) | (Binding::Broken, _)
                ),
                None => true,
            };
        });
        let value = match fixed {
            true => Some(self.expr_of(written, ty, context.because.clone())?),
            false => None,
        };
        let Some(value) = value.filter(|value| value.as_const().is_some()) else {
            self.log.report(DataProblem::Pattern {
                text: print::expr(written),
                target: context.targets,
                span: written.span,
            });
            return None;
        };
        if let Some(constant) = value.as_const()
            && !ty.contains(constant)
        {
            self.log.report_value(TypeProblem::Outside {
                value: constant.show(&self.decls.data),
                ty: ty.show(&self.decls.data),
                span: written.span,
                because: context.because.clone(),
            });
            return None;
        }
        Some(Pattern::Equal(value))
    }

    /// Reports variables that one step would write twice.
    pub fn distinct_targets(&mut self, patterns: &[Pattern]) -> bool {
        let places: Vec<_> = patterns.iter().flat_map(Pattern::places).collect();
        let mut sound = true;
        for (i, place) in places.iter().enumerate() {
            let first = places[..i]
                .iter()
                .find(|first| super::message::overlaps(first, place));
            if let Some(first) = first {
                self.target_twice(place.variable, place.span, first.span);
                sound = false;
            }
        }
        sound
    }

    /// Reports a target that a `switch` around it looks at.
    pub fn fixed_target(&mut self, place: &crate::program::Place) -> bool {
        let Some(fixed) = self.scope.fixed.iter().find(|fixed| fixed.is_hit(place)) else {
            return false;
        };
        let also = Some((fixed.span, "this `switch` looks at it"));
        let name = self.variables.get(place.variable).name.clone();
        self.log
            .report(DataProblem::changed(&name, place.span, also));
        true
    }

    /// A parameter or the like that is not a constant everywhere, as a target: says what was probably meant.
    pub fn comparison_hint(&self, name: &str) -> String {
        format!("to receive only a message that has this value here, write `== {name}`")
    }
}

/// Whether a name stands for a value that is a constant of the instance only.
fn is_given(role: Role) -> bool {
    matches!(role, Role::Parameter | Role::Loop)
}
