//! Declarations of variables, and what they hold at the start of the run.

use std::rc::Rc;

use super::Statements;
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{FunctionProblem, ProcessProblem, TypeProblem};
use crate::program::time::LONGEST;
use crate::program::{Expr, ExprKind, Place, Rhs, StmtKind, Type, Value, Variable, VariableId};
use crate::syntax::ast;

impl<'a> Statements<'_, 'a> {
    pub fn variable(
        &mut self,
        durable: bool,
        name: &'a ast::Name,
        written: &'a ast::Type,
        init: Option<&'a ast::Expr>,
    ) -> Option<StmtKind> {
        if durable && self.call.is_some() {
            self.log.report(FunctionProblem::Durable {
                name: name.text.clone(),
                span: name.span,
            });
        } else if durable && (self.begun || self.depth > 0) {
            self.log.report(ProcessProblem::DurablePlace {
                name: name.text.clone(),
                span: name.span,
            });
        }
        let fixed = self.exprs().fixed_type(written);
        let timer = self.timer_type(written, name.span).filter(|_| fixed);
        let ty = match &timer {
            Some(timer) => Some(timer.clone()),
            None => self.exprs().value_type(written).filter(|_| fixed),
        };
        if let (Some(_), Some(init)) = (&timer, init)
            && self.any_timer(init, written.span)
        {
            self.declare(name, Binding::Broken, Role::Variable);
            return None;
        }
        if let Some(ty) = &ty {
            self.exprs().charge(ty.scalars(), name.span)?;
        }
        if let (Some(ty), Some(init), false) = (&ty, init, durable)
            && let Some((_, arguments, unit, func)) = self.called_with_steps(init)
        {
            let id =
                self.declared_variable(name, ty, (ty.zero(), Vec::new()), (false, timer.is_some()));
            let target = Place {
                variable: id,
                path: Vec::new(),
                ty: ty.clone(),
                span: name.span,
            };
            let called = self.call(init.span, arguments, unit, func, Some(target));
            self.declare(name, Binding::Variable(id), Role::Variable);
            return called;
        }
        // The initialiser is evaluated before the name is visible.
        let value = match (&ty, init) {
            (Some(ty), None) => Some(Rhs::Expr(Expr {
                kind: ExprKind::Const(ty.zero()),
                ty: ty.zero().type_of(),
                span: name.span,
            })),
            (Some(_), Some(init)) if self.exprs().received_value(&name.text, init) => None,
            // What it may start with is no step that chooses.
            (Some(_), Some(init)) if durable && matches!(init.kind, ast::ExprKind::Any(_)) => None,
            (Some(ty), Some(init)) => {
                self.exprs()
                    .right_side(init, ty, (written.span, "because of this type".to_owned()))
            }
            (None, init) => {
                if let Some(init) = init
                    && !matches!(init.kind, ast::ExprKind::Any(_))
                {
                    self.exprs().expr(init, None);
                }
                None
            }
        };
        let Some(ty) = ty else {
            self.declare(name, Binding::Broken, Role::Variable);
            return None;
        };
        let starts = match (durable, init.map(|init| &init.kind)) {
            (true, Some(ast::ExprKind::Any(set))) => {
                let because = (written.span, "because of this type".to_owned());
                let span = init.map_or(name.span, |init| init.span);
                let starts = self.exprs().free_values(set, &ty, because, span);
                starts.unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let initial = match starts.first() {
            Some(first) => ty.filled(first),
            None => self.initial_value(
                durable,
                init,
                value.as_ref(),
                (&ty, timer.is_some()),
                written,
            ),
        };
        let id = self.declared_variable(name, &ty, (initial, starts), (durable, timer.is_some()));
        self.declare(name, Binding::Variable(id), Role::Variable);
        if durable {
            return None;
        }
        Some(StmtKind::Assign {
            target: Place {
                variable: id,
                path: Vec::new(),
                ty,
                span: name.span,
            },
            value: value?,
        })
    }

    /// The value a variable has at the start of the run.
    pub fn initial_value(
        &mut self,
        durable: bool,
        init: Option<&'a ast::Expr>,
        value: Option<&Rhs>,
        (ty, is_timer): (&Type, bool),
        written: &'a ast::Type,
    ) -> Value {
        let (Some(init), Some(value)) = (init, value) else {
            return ty.zero();
        };
        let constant = match value {
            Rhs::Expr(expr) => expr.as_const(),
            _ => None,
        };
        let constant = constant.filter(|_| !self.exprs().varies(init));
        match constant {
            Some(value) if ty.contains(value) => value.clone(),
            // A timer is as large as what is stored in it.
            Some(value) if is_timer && value.flat().iter().all(is_ticks) => value.clone(),
            Some(value) => {
                let problem = TypeProblem::Outside {
                    value: value.show(&self.decls.data),
                    ty: match is_timer {
                        true => "timer".to_owned(),
                        false => ty.show(&self.decls.data),
                    },
                    span: init.span,
                    because: Some((written.span, "because of this type".into())),
                };
                self.log.report_value(problem);
                ty.zero()
            }
            None => {
                if durable && !matches!(init.kind, ast::ExprKind::Any(_)) {
                    self.log.report(TypeProblem::NotConstant {
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
        name: &'a ast::Name,
        ty: &Type,
        (initial, starts): (Value, Vec<Value>),
        (durable, is_timer): (bool, bool),
    ) -> VariableId {
        if let Some(id) = self.own.get(&name.span) {
            return *id;
        }
        let all = &self.outline.variables[name.text.as_str()];
        let shown = if all.len() == 1 {
            name.text.clone()
        } else {
            format!("{}#{}", name.text, self.outline.ordinals[&name.span])
        };
        let shown = match &self.call {
            Some(call) => format!("{}.{shown}", call.name()),
            None => shown,
        };
        self.log.uses.variables.push((name.text.clone(), name.span));
        self.log.count_state(ty.scalars(), name.span);
        let id = self.variables.add(Variable {
            process: self.process,
            name: shown,
            ty: ty.clone(),
            initial,
            starts,
            durable,
            timer: is_timer,
            counter: false,
            span: name.span,
        });
        self.own.insert(name.span, id);
        id
    }

    /// `const N = e` inside a proc.
    pub fn local_constant(&mut self, constant: &'a ast::Const) {
        let value = self.exprs().constant_declaration(constant);
        let role = if self.exprs().varies(&constant.value) {
            Role::Varying
        } else if self.exprs().is_same_everywhere(&constant.value) {
            Role::Constant
        } else {
            Role::Given
        };
        let binding = value.map_or(Binding::Broken, |value| Binding::Value(Rc::new(value)));
        self.declare(&constant.name, binding, role);
    }
}

/// Whether a timer can have a value.
fn is_ticks(value: &Value) -> bool {
    matches!(value, Value::Int(0..=LONGEST))
}
