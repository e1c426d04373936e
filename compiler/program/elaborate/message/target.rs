//! Targets: variables and elements of them that a step may write.

use crate::program::elaborate::expr::Expressions;
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{NameProblem, ProcessProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Place, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

impl<'a> Expressions<'_, 'a> {
    /// The target of an assignment or a receive.
    pub fn target(&mut self, expr: &'a ast::Expr) -> Option<Place> {
        match &expr.kind {
            Ast::Paren(inner) => self.target(inner),
            Ast::Name(name) => self.named_target(name, expr.span),
            Ast::Index(base, written) => {
                let index = self.integer(written, "an integer index");
                let base = self.target(base)?;
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
                let mut indices = base.indices;
                indices.push(index);
                Some(Place {
                    variable: base.variable,
                    indices,
                    ty: *element,
                    span: expr.span,
                })
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
                    indices: Vec::new(),
                    ty: self.variables.get(*id).ty.clone(),
                    span,
                });
            }
            (Binding::Broken, _) => return None,
            (_, Role::Parameter | Role::Argument) => "a parameter",
            (_, Role::Loop) => "the variable of a loop",
            (Binding::Channel(_) | Binding::Channels(_), _) => "a channel",
            _ => "a constant",
        };
        let hint = match (&local.binding, local.role) {
            (
                Binding::Value(_) | Binding::Variable(_) | Binding::Element(_),
                Role::Parameter | Role::Argument,
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
        for index in &place.indices {
            let Type::Array(element, _) = value.ty.clone() else {
                unreachable!("a target has as many indices as its type allows");
            };
            value = Expr {
                kind: ExprKind::Index(Box::new(value), Box::new(index.clone())),
                ty: *element,
                span: place.span,
            };
        }
        value
    }
}
