//! Declarations of variables, and what they hold at the start of the run.

use super::Checker;
use super::body::Body;
use super::scope::{Binding, Role};
use crate::program::problem::{ProcessProblem, SizeProblem, TypeProblem};
use crate::program::{
    Expr, ExprKind, Place, Rhs, StmtKind, Type, Value, Variable, VariableId, limits,
};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub fn variable(
        &mut self,
        body: &mut Body<'a>,
        durable: bool,
        name: &'a ast::Name,
        written: &'a ast::Type,
        init: Option<&'a ast::Expr>,
    ) -> Option<StmtKind> {
        if durable && (body.begun || body.depth > 0) {
            self.report(ProcessProblem::DurablePlace {
                name: name.text.clone(),
                span: name.span,
            });
        }
        let fixed = self.fixed_type(&body.scope, written);
        let ty = self.value_type(&mut body.scope, written).filter(|_| fixed);
        if let Some(ty) = &ty {
            self.charge(&body.scope, ty.scalars(), name.span)?;
        }
        // The initialiser is evaluated before the name is visible.
        let value = match (&ty, init) {
            (Some(ty), None) => Some(Rhs::Expr(Expr {
                kind: ExprKind::Const(ty.zero()),
                ty: ty.zero().type_of(),
                span: name.span,
            })),
            (Some(ty), Some(init)) => self.right_side(
                &mut body.scope,
                init,
                ty,
                (written.span, "because of this type".to_owned()),
            ),
            (None, init) => {
                if let Some(init) = init
                    && !matches!(init.kind, ast::ExprKind::Any(_))
                {
                    self.expr(&mut body.scope, init, None);
                }
                None
            }
        };
        let Some(ty) = ty else {
            self.declare(
                &mut body.scope,
                name,
                Binding::Broken,
                Role::Variable,
                "variable in this block",
            );
            return None;
        };
        let initial = self.initial_value(body, durable, init, value.as_ref(), &ty, written);
        let id = self.declared_variable(body, name, &ty, initial, durable);
        self.declare(
            &mut body.scope,
            name,
            Binding::Variable(id),
            Role::Variable,
            "variable in this block",
        );
        if durable {
            return None;
        }
        Some(StmtKind::Assign {
            target: Place {
                variable: id,
                indices: Vec::new(),
                ty,
                span: name.span,
            },
            value: value?,
        })
    }

    /// The value a variable has at the start of the run.
    pub fn initial_value(
        &mut self,
        body: &Body<'a>,
        durable: bool,
        init: Option<&'a ast::Expr>,
        value: Option<&Rhs>,
        ty: &Type,
        written: &'a ast::Type,
    ) -> Value {
        let (Some(init), Some(value)) = (init, value) else {
            return ty.zero();
        };
        let constant = match value {
            Rhs::Expr(expr) => expr.as_const(),
            _ => None,
        };
        let constant = constant.filter(|_| !self.varies(&body.scope, init));
        match constant {
            Some(value) if ty.contains(value) => value.clone(),
            Some(value) => {
                let problem = TypeProblem::Outside {
                    value: value.show(&self.program.data),
                    ty: ty.show(&self.program.data),
                    span: init.span,
                    because: Some((written.span, "because of this type".into())),
                };
                self.report_value(problem);
                ty.zero()
            }
            None => {
                if durable {
                    self.report(TypeProblem::NotConstant {
                        what: "the initial value of a durable variable",
                        span: init.span,
                        culprit: None,
                    });
                }
                ty.zero()
            }
        }
    }

    /// The variable of a declaration: one per instance, however often it is met.
    pub fn declared_variable(
        &mut self,
        body: &mut Body<'a>,
        name: &'a ast::Name,
        ty: &Type,
        initial: Value,
        durable: bool,
    ) -> VariableId {
        if let Some(id) = body.variables.get(&name.span) {
            return *id;
        }
        let all = &body.outline.variables[name.text.as_str()];
        let shown = if all.len() == 1 {
            name.text.clone()
        } else {
            format!("{}#{}", name.text, body.outline.ordinals[&name.span])
        };
        self.uses.variables.push((name.text.clone(), name.span));
        self.count_state(ty.scalars(), name.span);
        let id = self.add_variable(Variable {
            process: body.process,
            name: shown,
            ty: ty.clone(),
            initial,
            durable,
            counter: false,
            span: name.span,
        });
        body.variables.insert(name.span, id);
        id
    }

    /// Adds a variable to the program.
    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.program.variables.push(variable);
        VariableId(self.program.variables.len() as u32 - 1)
    }

    /// Counts scalars of the state.
    pub fn count_state(&mut self, scalars: u64, span: Span) {
        if self.sampling {
            return;
        }
        self.budget.state += scalars;
        if self.budget.state > limits::STATE && !self.budget.exhausted {
            self.budget.exhausted = true;
            self.report(SizeProblem::State { span });
        }
    }
}
