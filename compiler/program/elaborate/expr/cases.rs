//! The cases of a `switch`: what they are for, and the names that stand for the fields of a message.

use std::rc::Rc;

use super::{Expressions, part_of, unparenthesised};
use crate::program::elaborate::pattern::PatternContext;
use crate::program::elaborate::scope::{Binding, Fixed, Role};
use crate::program::problem::{DataProblem, NameProblem};
use crate::program::{Expr, ExprKind, Pattern, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

impl<'a> Expressions<'_, 'a> {
    /// What the values of a case are.
    pub fn case_patterns(
        &mut self,
        subject: &Expr,
        written: &'a ast::Expr,
        values: &'a [ast::Expr],
        covered: &mut Covered,
    ) -> Option<Vec<Pattern>> {
        let mut patterns = Vec::new();
        for value in values {
            let pattern = match &unparenthesised(value).kind {
                Ast::Call(_, arguments) | Ast::CallOf(_, _, arguments)
                    if matches!(subject.ty, Type::Tagged(_)) =>
                {
                    self.binding_case(subject, written, value, arguments, values.len() == 1)
                }
                _ => {
                    let because = (
                        written.span,
                        format!("this is {}", self.decls.describe(&subject.ty)),
                    );
                    let context = PatternContext {
                        targets: false,
                        expressions: false,
                        because: Some(because),
                    };
                    let name = unparenthesised(value);
                    if matches!(&name.kind, Ast::Name(text) if text == "_") {
                        self.log.misplaced(
                            "`_` is no case",
                            value.span,
                            Some("write `default { .. }`"),
                        );
                        None
                    } else {
                        self.pattern(value, &subject.ty, &context)
                    }
                }
            };
            let pattern = pattern?;
            if let Some((shown, first)) =
                covered.add(&pattern, &subject.ty, value.span, &self.decls.data)
            {
                self.log.report(DataProblem::CoveredTwice {
                    value: shown,
                    span: value.span,
                    first,
                });
                return None;
            }
            patterns.push(pattern);
        }
        Some(patterns)
    }

    /// `case Prepare(b)`: b stands for the field.
    fn binding_case(
        &mut self,
        subject: &Expr,
        written: &'a ast::Expr,
        case: &'a ast::Expr,
        arguments: &'a [ast::Expr],
        alone: bool,
    ) -> Option<Pattern> {
        let mut bound: Vec<(usize, &'a str, Span)> = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            if let Some(name) = self.bound_name(argument)? {
                bound.push((position, name, argument.span));
            }
        }
        let pattern = self.bound_case(subject, written, case, &bound, (arguments.len(), alone));
        if pattern.is_none() {
            // The block is looked at all the same.
            for (_, name, span) in bound {
                self.scope.bind(name, Binding::Broken, Role::Field, span);
            }
        }
        pattern
    }

    fn bound_case(
        &mut self,
        subject: &Expr,
        written: &'a ast::Expr,
        case: &'a ast::Expr,
        bound: &[(usize, &'a str, Span)],
        (count, alone): (usize, bool),
    ) -> Option<Pattern> {
        let Type::Tagged(tagged) = subject.ty.clone() else {
            return None;
        };
        let (data, index) = self.case_constructor(case, &tagged)?;
        self.log
            .uses
            .compared
            .entry((data, index))
            .or_insert(case.span);
        let fields = &tagged.constructors[index as usize].fields;
        if fields.len() != count {
            self.constructor_fields(&tagged, index, Some(count), case.span, true);
            return None;
        }
        let pattern = Pattern::Constructor(index, vec![Pattern::Any; fields.len()]);
        if bound.is_empty() {
            return Some(pattern);
        }
        if !alone {
            self.log.report(DataProblem::Bound {
                text: "a case for several constructors has no names for fields".to_owned(),
                span: case.span,
                hint: "write `_` for every field, or a case for each constructor".to_owned(),
                also: None,
            });
            return None;
        }
        let Some(fixed) = Fixed::of(subject, written.span) else {
            self.log.report(DataProblem::Bound {
                text: "this may be another value when the case reads its fields".to_owned(),
                span: written.span,
                hint: "copy it to a variable before the `switch`".to_owned(),
                also: Some((case.span, "the fields have names here")),
            });
            return None;
        };
        if fixed.variable.is_some() || fixed.local.is_some() {
            self.scope.fixed.push(fixed);
        }
        for &(position, name, span) in bound {
            let part = part_of(subject.clone(), fields[position], span);
            let binding = match part.kind {
                ExprKind::Const(value) => Binding::Value(Rc::new(value)),
                _ => Binding::Element(Rc::new(part)),
            };
            if let Some(first) = self.scope.bind(name, binding, Role::Field, span) {
                self.log.report(NameProblem::Duplicate {
                    name: name.to_owned(),
                    what: "name in this case",
                    span,
                    first,
                });
            }
        }
        Some(pattern)
    }

    fn case_constructor(
        &mut self,
        case: &'a ast::Expr,
        tagged: &crate::program::data::TaggedType,
    ) -> Option<(crate::vocabulary::DataId, u32)> {
        let name = match &unparenthesised(case).kind {
            Ast::Call(name, _) | Ast::CallOf(_, name, _) => name,
            _ => return None,
        };
        if let Ast::CallOf(base, _, _) = &unparenthesised(case).kind
            && !matches!(&unparenthesised(base).kind, Ast::Name(owner) if *owner == tagged.name)
        {
            self.unknown_constructor(tagged.data, name);
            return None;
        }
        let found = self.constructor_in(tagged.data, &name.text);
        if found.is_none() {
            self.unknown_constructor(tagged.data, name);
        }
        found.map(|index| (tagged.data, index))
    }

    /// A name for a field; `Some(None)` for `_`.
    fn bound_name(&mut self, argument: &'a ast::Expr) -> Option<Option<&'a str>> {
        let Ast::Name(name) = &argument.kind else {
            if let Ast::Error = argument.kind {
                self.log.incomplete = true;
                return None;
            }
            self.log.report(DataProblem::Bound {
                text: "only a new name or `_` can stand for a field here".to_owned(),
                span: argument.span,
                hint: "give the field a name, and compare it inside the case".to_owned(),
                also: None,
            });
            return None;
        };
        if name == "_" {
            return Some(None);
        }
        let local = self.find(name);
        let constant = local.as_ref().is_some_and(|local| {
            matches!(local.binding, Binding::Value(_))
                && matches!(local.role, Role::Constant | Role::Given | Role::Varying)
        });
        let constructor = self.decls.constructors.contains_key(name.as_str());
        if constant || constructor {
            let what = if constant {
                "a constant"
            } else {
                "a constructor"
            };
            self.log.report(DataProblem::Bound {
                text: format!("`{name}` is {what}, and cannot be the name of a field here"),
                span: argument.span,
                hint: "choose another name for the field, and compare it inside the case"
                    .to_owned(),
                also: None,
            });
            return None;
        }
        Some(Some(name))
    }
}
/// Whether a constant is one that a case is for.
pub fn fits(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Equal(expected), _) => expected.as_const() == Some(value),
        (Pattern::Between(lo, hi), Value::Int(value)) => lo <= value && value <= hi,
        (Pattern::Either(all), _) => all.iter().any(|pattern| fits(pattern, value)),
        (Pattern::Constructor(index, _), Value::Tagged(_, found, _)) => index == found,
        _ => false,
    }
}

/// What the cases of a `switch` so far are for.
#[derive(Default)]
pub struct Covered {
    /// Codes of values, as ranges, with where they are written.
    ranges: Vec<(i64, i64, Span)>,
    pub default: Option<Span>,
}

impl Covered {
    /// Adds what a case is for; yields what is there already.
    pub fn add(
        &mut self,
        pattern: &Pattern,
        ty: &Type,
        span: Span,
        data: &[crate::vocabulary::DataType],
    ) -> Option<(String, Span)> {
        let (lo, hi) = match pattern {
            Pattern::Equal(value) => {
                let code = match value.as_const()? {
                    Value::Bool(value) => i64::from(*value),
                    Value::Int(value) => *value,
                    Value::Data(_, index) | Value::Tagged(_, index, _) => i64::from(*index),
                    Value::Array(_) | Value::Record(..) => return None,
                };
                (code, code)
            }
            Pattern::Between(lo, hi) => (*lo, *hi),
            Pattern::Constructor(index, _) => (i64::from(*index), i64::from(*index)),
            Pattern::Either(all) => {
                return all.iter().find_map(|inner| self.add(inner, ty, span, data));
            }
            Pattern::Any | Pattern::Into(_) => return None,
        };
        let twice = self
            .ranges
            .iter()
            .find(|(from, to, _)| *from <= hi && lo <= *to)
            .map(|(from, _, first)| (shown(ty, lo.max(*from), data), *first));
        self.ranges.push((lo, hi, span));
        twice
    }

    /// The values that no case is for, the first ones if there are many.
    pub fn missing(&self, ty: &Type, data: &[crate::vocabulary::DataType]) -> Vec<String> {
        let (lo, hi) = match ty {
            Type::Bool => (0, 1),
            Type::Int { lo, hi } => (*lo, *hi),
            Type::Data(id) => (0, data[id.0 as usize].constructors.len() as i64 - 1),
            Type::Tagged(tagged) => (0, tagged.constructors.len() as i64 - 1),
            Type::Array(..) | Type::Record(_) => return Vec::new(),
        };
        let mut ranges: Vec<(i64, i64)> = self.ranges.iter().map(|(a, b, _)| (*a, *b)).collect();
        ranges.sort_unstable();
        let mut missing = Vec::new();
        let mut next = lo;
        for (from, to) in ranges.into_iter().chain([(hi + 1, hi + 1)]) {
            if next < from && next <= hi {
                gap(ty, next, (from - 1).min(hi), data, &mut missing);
            }
            next = next.max(to + 1);
        }
        missing
    }
}

fn gap(
    ty: &Type,
    from: i64,
    to: i64,
    data: &[crate::vocabulary::DataType],
    missing: &mut Vec<String>,
) {
    match ty {
        Type::Int { .. } if to > from => missing.push(format!("{from}..{to}")),
        _ => missing.extend((from..=to).map(|code| shown(ty, code, data))),
    }
}

fn shown(ty: &Type, code: i64, data: &[crate::vocabulary::DataType]) -> String {
    match ty {
        Type::Bool => (code != 0).to_string(),
        Type::Data(id) => data[id.0 as usize].constructors[code as usize].clone(),
        Type::Tagged(tagged) => tagged.constructors[code as usize].name.clone(),
        _ => code.to_string(),
    }
}
