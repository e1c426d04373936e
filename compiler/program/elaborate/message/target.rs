//! Targets: variables and elements of them that a step may write.

use crate::program::elaborate::expr::{Expressions, part_of};
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{NameProblem, ProcessProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Place, Step, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

impl<'a> Expressions<'_, 'a> {
    /// The target of an assignment or a receive.
    pub fn target(&mut self, expr: &'a ast::Expr) -> Option<Place> {
        let place = self.part_target(expr)?;
        (!self.fixed_target(&place)).then_some(place)
    }

    fn part_target(&mut self, expr: &'a ast::Expr) -> Option<Place> {
        match &expr.kind {
            Ast::Paren(inner) => self.part_target(inner),
            Ast::Name(name) => self.named_target(name, expr.span),
            Ast::Index(base, written) => {
                let index = self.integer(written, "an integer index");
                let base = self.part_target(base)?;
                let index = index?;
                let Type::Array(element, length) = base.ty else {
                    self.log.report(TypeProblem::NotArray {
                        found: self.decls.describe(&base.ty),
                        span: base.span,
                    });
                    return None;
                };
                let bounds = Interval {
                    lo: 0,
                    hi: i64::from(length) - 1,
                };
                self.index_within(index.ty.range()?, bounds, written)?;
                let mut path = base.path;
                path.push(Step::Index(index));
                Some(Place {
                    variable: base.variable,
                    path,
                    ty: *element,
                    span: expr.span,
                })
            }
            Ast::Field(base, name, None) if self.is_part(base) => {
                let base = self.part_target(base)?;
                self.field_target(base, name, expr.span)
            }
            Ast::Error => {
                self.log.incomplete = true;
                None
            }
            _ => {
                self.log
                    .report(ProcessProblem::NotATarget { span: expr.span });
                None
            }
        }
    }

    /// Whether what stands before a `.` is a variable or a part of one.
    fn is_part(&self, base: &ast::Expr) -> bool {
        match &base.kind {
            Ast::Paren(inner) | Ast::Index(inner, _) | Ast::Field(inner, _, None) => {
                self.is_part(inner)
            }
            Ast::Name(name) => self
                .find(name)
                .is_some_and(|local| local.binding.what().is_none()),
            _ => false,
        }
    }

    /// The field of a target.
    fn field_target(&mut self, base: Place, name: &'a ast::Name, span: Span) -> Option<Place> {
        let (field, ty) = self.target_field(&base.ty, name, span)?;
        let mut path = base.path;
        path.push(Step::Field(field));
        Some(Place {
            variable: base.variable,
            path,
            ty,
            span,
        })
    }

    /// The position and type of a field that can be assigned to.
    pub fn target_field(
        &mut self,
        base: &Type,
        name: &'a ast::Name,
        span: Span,
    ) -> Option<(u32, Type)> {
        let record = match base {
            Type::Record(record) => record.clone(),
            other => {
                let found = self.decls.describe(other);
                let hint = match other {
                    Type::Tagged(_) => "assign a whole value: `m = A(..)`",
                    _ => "only records have fields",
                };
                self.log.misplaced(
                    format!(
                        "this is {found}, and `{}` is no part that can be assigned to",
                        name.text
                    ),
                    span,
                    Some(hint),
                );
                return None;
            }
        };
        let Some(field) = record.position(&name.text) else {
            self.unknown_field(&record, name);
            return None;
        };
        Some((field, record.fields[field as usize].ty.clone()))
    }

    fn named_target(&mut self, name: &str, span: Span) -> Option<Place> {
        let Some(local) = self.find(name) else {
            self.unknown_target(name, span);
            return None;
        };
        let what = match (&local.binding, local.role) {
            (Binding::Variable(id), role) if role != Role::Parameter => {
                self.log.uses.written.insert(local.span);
                return Some(Place {
                    variable: *id,
                    path: Vec::new(),
                    ty: self.variables.get(*id).ty.clone(),
                    span,
                });
            }
            (Binding::Broken, _) => return None,
            (_, Role::Parameter | Role::Argument) => "a parameter",
            (_, Role::Loop) => "the variable of a loop",
            (_, Role::Field) => "a field of the message",
            (Binding::Channel(_) | Binding::Channels(_), _) => "a channel",
            _ => "a constant",
        };
        let hint = match (&local.binding, local.role) {
            (Binding::Value(_), Role::Parameter | Role::Loop)
                if self.context.comparing_fields() =>
            {
                Some(self.comparison_hint(name))
            }
            (
                Binding::Value(_) | Binding::Variable(_) | Binding::Element(_),
                Role::Parameter | Role::Argument | Role::Field,
            ) => Some(format!("copy it to a variable: `var v .. = {name}`")),
            (Binding::Element(_), Role::Loop) => Some(
                "loop over the indices: `for i in range 0 to n`, and assign to the element".into(),
            ),
            _ => None,
        };
        self.log.report(ProcessProblem::NotAssignable {
            name: name.to_owned(),
            what,
            span,
            declared: Some(local.span),
            hint,
        });
        None
    }

    fn unknown_target(&mut self, name: &str, span: Span) {
        if name == "_" {
            self.log.report(NameProblem::Blank { span });
            return;
        }
        if self.decls.constructors.contains_key(name) {
            self.log.report(ProcessProblem::NotAssignable {
                name: name.to_owned(),
                what: "a constructor",
                span,
                declared: None,
                hint: None,
            });
            return;
        }
        let candidates: Vec<&str> = self
            .scope
            .locals()
            .filter(|(_, local)| local.role == Role::Variable)
            .map(|(name, _)| name)
            .collect();
        let suggestion = self.log.near(name, candidates);
        let problem = NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "variable",
        };
        self.log
            .report_unknown(self.log.lost.declarations || self.scope.lost, problem);
    }

    /// The value that a target has now, for `x += e`.
    pub fn value_of(&self, place: &Place) -> Expr {
        let variable = self.variables.get(place.variable);
        let mut value = Expr {
            kind: ExprKind::Variable(place.variable),
            ty: variable.ty.clone(),
            span: place.span,
        };
        for step in &place.path {
            value = match step {
                Step::Field(field) => part_of(value, *field, place.span),
                Step::Index(index) => {
                    let Type::Array(element, _) = value.ty.clone() else {
                        unreachable!("a target has as many indices as its type allows");
                    };
                    Expr {
                        kind: ExprKind::Index(Box::new(value), Box::new(index.clone())),
                        ty: *element,
                        span: place.span,
                    }
                }
            };
        }
        value
    }
}
