//! Calls of pure functions, which are written out as expressions, and of predicates.

mod assign;
mod switch;

use std::rc::Rc;

use super::{Context, Expressions, Site};
use crate::program::elaborate::declare::FuncDecl;
use crate::program::elaborate::init::{FrameId, TOP};
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::problem::{FunctionProblem, ProcessProblem, TypeProblem};
use crate::program::{Call, Expr, ExprKind, LocalId, PureStmt, Type, Value, fold};
use crate::source::Span;
use crate::syntax::ast::{self, StmtKind};

impl<'a> Expressions<'_, 'a> {
    /// The frame in which a function of a unit sees its names.
    pub fn frame_of(&self, unit: usize) -> FrameId {
        match unit {
            0 => TOP,
            _ => self.scope.frame,
        }
    }

    /// The type that a call has, without complaints.
    pub fn probe_call(&self, name: &str) -> Option<Type> {
        let (_, func) = self.decls.func(self.unit(), name)?;
        let ast::TypeKind::Named(name) = &func.result?.kind else {
            return None;
        };
        let data = self.decls.data_ids.get(name.text.as_str())?;
        Some(Type::Data(*data))
    }

    /// A call inside an expression.
    pub fn function_call(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        unit: usize,
        func: &'a FuncDecl<'a>,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let proc = func.proc.ast;
        self.log.uses.checked.insert(proc.name.span);
        self.log.uses.instantiated.insert(proc.name.span);
        if let Some((why, place)) = func.steps {
            self.checked_arguments(arguments);
            self.log.report(match func.result {
                None => FunctionProblem::Result {
                    name: name.text.clone(),
                    span,
                    declared: proc.name.span,
                    unused: false,
                },
                Some(_) => FunctionProblem::TakesSteps {
                    name: name.text.clone(),
                    span,
                    because: (place, why),
                },
            });
            return None;
        }
        let counted = self.counted(&proc.name, proc.params.len(), arguments, span);
        if func.cyclic || !counted {
            self.checked_arguments(arguments);
            return None;
        }
        let frame = self.frame_of(unit);
        let mut scope = Scope::new(frame);
        let mut values = Vec::new();
        let mut sound = true;
        for (param, argument) in proc.params.iter().zip(arguments) {
            let ty = self.inside(&mut scope).value_type(&param.ty);
            let binding = match self.value_argument(param, argument, ty.as_ref()) {
                None => {
                    sound = false;
                    Binding::Broken
                }
                Some(value) => match value.kind {
                    ExprKind::Const(value) => Binding::Value(Rc::new(value)),
                    _ => {
                        let local = self.new_local();
                        let binding = Binding::Local(local, Rc::new(value.ty.clone()));
                        values.push((local, value));
                        binding
                    }
                },
            };
            let (text, at) = (&param.name.text, param.name.span);
            scope.bind(text, binding, Role::Argument, at);
        }
        let mut inner = self.inside(&mut scope);
        let result = inner.value_type(func.result?);
        let mut body = Vec::new();
        let complete = inner.pure_block(&proc.body, result.as_ref(), &mut body);
        let ty = result?;
        if !complete || !sound {
            return None;
        }
        let constant = values.is_empty();
        let call = Call {
            name: name.text.clone(),
            arguments: values,
            body,
        };
        if constant {
            match fold::call(&call) {
                Some(value) => return Some(Expr::constant(value, span)),
                None if self.context.site != Site::Process => {
                    self.log.report_value(TypeProblem::Undefined {
                        why: "a check fails in this call",
                        span,
                    });
                    return None;
                }
                None => {}
            }
        }
        Some(Expr {
            kind: ExprKind::Call(Box::new(call)),
            ty,
            span,
        })
    }

    /// The same elaboration with other names: inside a function.
    pub fn inside<'s>(&'s mut self, scope: &'s mut Scope<'a>) -> Expressions<'s, 'a> {
        Expressions {
            decls: self.decls,
            made: self.made,
            variables: self.variables,
            log: self.log,
            scope,
            context: Context {
                specification: false,
                ..self
                    .context
                    .timeless()
                    .without_messages("a function that is called in an expression")
            },
        }
    }

    pub fn new_local(&mut self) -> LocalId {
        self.log.locals += 1;
        LocalId(self.log.locals - 1)
    }

    fn pure_block(
        &mut self,
        block: &'a ast::Block,
        result: Option<&Type>,
        out: &mut Vec<PureStmt>,
    ) -> bool {
        self.scope.enter();
        let mut sound = true;
        for stmt in &block.stmts {
            if self.log.budget.exhausted || !self.log.count_statement(stmt.span) {
                sound = false;
                break;
            }
            sound &= self.pure_stmt(stmt, result, out).is_some();
        }
        self.scope.leave();
        sound
    }

    /// One statement; `None` if something in it is faulty.
    fn pure_stmt(
        &mut self,
        stmt: &'a ast::Stmt,
        result: Option<&Type>,
        out: &mut Vec<PureStmt>,
    ) -> Option<()> {
        match &stmt.kind {
            StmtKind::Const(constant) => {
                let value = self.constant_declaration(constant);
                let binding = value.map_or(Binding::Broken, |value| Binding::Value(Rc::new(value)));
                let scope = &mut *self.scope;
                scope.declare(self.log, &constant.name, binding, Role::Varying);
                Some(())
            }
            StmtKind::Var { name, ty, init, .. } => {
                let fixed = self.fixed_type(ty);
                let ty = self.value_type(ty).filter(|_| fixed);
                let value = match (&ty, init) {
                    (Some(ty), None) => Some(Expr::constant(ty.zero(), name.span)),
                    (Some(ty), Some(init)) => {
                        let value = self.expr_of(init, ty, None);
                        value.and_then(|value| self.fitted(value, ty))
                    }
                    (None, init) => {
                        init.iter().for_each(|init| {
                            self.expr(init, None);
                        });
                        None
                    }
                };
                let local = self.new_local();
                let binding = match &ty {
                    Some(ty) => Binding::Local(local, Rc::new(ty.clone())),
                    None => Binding::Broken,
                };
                let scope = &mut *self.scope;
                scope.declare(self.log, name, binding, Role::Variable);
                let (ty, value) = (ty?, value?);
                self.log.local_types.insert(local, value.ty.clone());
                out.push(PureStmt::Assign {
                    local,
                    ty,
                    indices: Vec::new(),
                    value,
                });
                Some(())
            }
            StmtKind::Assign { target, op, value } => {
                self.pure_assignment(target, *op, value, stmt.span, out)
            }
            StmtKind::AssignAll {
                targets,
                op: None,
                values,
            } if targets.len() == values.len() => self.pure_assign_all(targets, values, out),
            StmtKind::AssignAll {
                targets,
                op,
                values,
            } => {
                self.log.report(match op {
                    Some(op) => ProcessProblem::AssignAllOperator {
                        op: op.as_str(),
                        span: stmt.span,
                    },
                    None => ProcessProblem::AssignCount {
                        targets: targets.len(),
                        values: values.len(),
                        span: stmt.span,
                    },
                });
                None
            }
            StmtKind::Switch { subject, cases } => {
                self.pure_switch(subject, cases, stmt.span, result, out)
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr_of(condition, &Type::Bool, None);
                let known = match condition.as_ref().and_then(Expr::as_const) {
                    Some(Value::Bool(value)) => Some(*value),
                    _ => None,
                };
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                let before = self.log.local_types.clone();
                self.log.dead += u32::from(known == Some(false));
                let mut sound = self.pure_block(then, result, &mut yes);
                self.log.dead -= u32::from(known == Some(false));
                let after = std::mem::replace(&mut self.log.local_types, before);
                self.log.dead += u32::from(known == Some(true));
                sound &= match otherwise {
                    None => true,
                    Some(ast::Else::Block(block)) => self.pure_block(block, result, &mut no),
                    Some(ast::Else::If(stmt)) => self.pure_stmt(stmt, result, &mut no).is_some(),
                };
                self.log.dead -= u32::from(known == Some(true));
                match known {
                    Some(true) => self.log.local_types = after,
                    Some(false) => {}
                    // Where one side returns, the other is what goes on.
                    None if ends(&yes) => {}
                    None if ends(&no) => self.log.local_types = after,
                    None => {
                        for (local, ty) in &mut self.log.local_types {
                            if let Some(other) = after.get(local) {
                                *ty = ty.join(other);
                            }
                        }
                    }
                }
                let condition = condition?;
                match known {
                    Some(true) => out.extend(yes),
                    Some(false) => out.extend(no),
                    None => out.push(PureStmt::If {
                        condition,
                        then: yes,
                        otherwise: no,
                    }),
                }
                sound.then_some(())
            }
            StmtKind::Block(block) => self.pure_block(block, result, out).then_some(()),
            StmtKind::ForIn { var, array, body } => {
                let checked = self.expr(array, None)?;
                let bindings = self.value_elements(checked, array)?;
                self.pure_loop(var, bindings, body, result, out)
            }
            StmtKind::ForRange {
                var,
                from,
                to,
                body,
            } => {
                let from = self.constant_int(from, "the bound of this loop");
                let to = self.constant_int(to, "the bound of this loop");
                let (from, to) = (from?, to?);
                if from < to && self.log.too_long((to - from) as u64, var.span) {
                    return None;
                }
                let values = (from..to).map(|i| Binding::Value(Rc::new(Value::Int(i))));
                self.pure_loop(var, values.collect(), body, result, out)
            }
            StmtKind::Return(value) => {
                let ty = result?;
                let Some(value) = value else {
                    self.log.report(FunctionProblem::Return {
                        text: "this function returns a value".to_owned(),
                        span: stmt.span,
                        hint: "write `return e`",
                    });
                    return None;
                };
                let value = self.expr_of(value, ty, None)?;
                let value = self.fitted(value, ty)?;
                out.push(PureStmt::Return(value));
                Some(())
            }
            StmtKind::Error => {
                self.log.incomplete = true;
                None
            }
            _ => {
                self.log
                    .report(ProcessProblem::NotAStatement { span: stmt.span });
                None
            }
        }
    }

    fn pure_loop(
        &mut self,
        var: &'a ast::Name,
        bindings: Vec<Binding>,
        body: &'a ast::Block,
        result: Option<&Type>,
        out: &mut Vec<PureStmt>,
    ) -> Option<()> {
        let mut sound = true;
        for binding in bindings {
            if self.log.budget.exhausted {
                return None;
            }
            self.log.count_iteration();
            self.scope.enter();
            let scope = &mut *self.scope;
            scope.declare(self.log, var, binding, Role::Loop);
            sound &= self.pure_block(body, result, out);
            self.scope.leave();
        }
        sound.then_some(())
    }
}

/// Whether a block returns whatever happens.
fn ends(stmts: &[PureStmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        PureStmt::Assign { .. } => false,
        PureStmt::If {
            then, otherwise, ..
        } => ends(then) && ends(otherwise),
        PureStmt::Return(_) => true,
    })
}
