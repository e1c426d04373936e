//! Predicates: names for state expressions, in specifications only.

use std::rc::Rc;

use super::Expressions;
use crate::program::elaborate::init::TOP;
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::problem::FunctionProblem;
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Expressions<'_, 'a> {
    /// A predicate in a specification: what it stands for, with its parameters.
    pub fn predicate_call(
        &mut self,
        span: Span,
        name: &ast::Name,
        predicate: &'a ast::Predicate,
        arguments: &'a [ast::Expr],
        want: Option<&Type>,
    ) -> Option<Expr> {
        self.log.uses.instantiated.insert(predicate.name.span);
        if !self.context.specification {
            self.checked_arguments(arguments);
            self.log.report(FunctionProblem::PredicateElsewhere {
                name: name.text.clone(),
                span,
            });
            return None;
        }
        if self.log.predicates.contains(&predicate.name.span) {
            self.log.report(FunctionProblem::Cycle {
                names: vec![predicate.name.text.clone()],
                span: predicate.name.span,
            });
            return None;
        }
        if !self.counted(&predicate.name, predicate.params.len(), arguments, span) {
            self.checked_arguments(arguments);
            return None;
        }
        let mut scope = Scope::new(TOP);
        let mut sound = true;
        for (param, argument) in predicate.params.iter().zip(arguments) {
            let ty = self.inside(&mut Scope::new(TOP)).value_type(&param.ty);
            let value = self.value_argument(param, argument, ty.as_ref());
            sound &= value.is_some();
            let binding = match value {
                None => Binding::Broken,
                Some(value) => match value.kind {
                    ExprKind::Const(value) => Binding::Value(Rc::new(value)),
                    _ => Binding::Element(Rc::new(value)),
                },
            };
            let (text, at) = (&param.name.text, param.name.span);
            scope.bind(text, binding, Role::Argument, at);
        }
        self.log.predicates.push(predicate.name.span);
        let mut inner = Expressions {
            decls: self.decls,
            made: self.made,
            variables: self.variables,
            log: self.log,
            scope: &mut scope,
            context: self.context.timeless(),
        };
        let body = inner.expr(&predicate.body, want);
        self.log.predicates.pop();
        let mut body = body?;
        body.span = span;
        sound.then_some(body)
    }
}
