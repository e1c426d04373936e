//! Calls of functions that take steps: their statements are written out in place of the call.
//!
//! A call is a loop with one iteration that `return` leaves; `return e` first stores e where the result goes. The function's variables
//! belong to the process, one per declaration as always, so that all its calls share them.

use std::rc::Rc;

use super::Statements;
use crate::program::elaborate::declare::{FuncDecl, ParameterKind};
use crate::program::elaborate::expr::unparenthesised;
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::elaborate::types::ChannelType;
use crate::program::problem::{EntryProblem, FunctionProblem, TypeProblem};
use crate::program::{ChannelRef, Expr, ExprKind, Label, LoopId, Place, Rhs, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::ChannelId;

/// A function that is being written out.
#[derive(Clone)]
pub struct Written<'a> {
    func: &'a FuncDecl<'a>,
    /// What `return` leaves.
    leave: LoopId,
    /// Where the result goes, and its type.
    result: Option<(Place, Type)>,
    /// Whether it is only looked at, with sample arguments.
    sample: bool,
}

impl<'a> Written<'a> {
    /// The name of the function.
    pub fn name(&self) -> &'a str {
        &self.func.proc.ast.name.text
    }
}

/// A call that is a statement or a whole right side.
type Called<'a> = (&'a ast::Name, &'a [ast::Expr], usize, &'a FuncDecl<'a>);

impl<'a> Statements<'_, 'a> {
    /// The function that an expression calls, if it takes steps.
    pub fn called_with_steps(&mut self, expr: &'a ast::Expr) -> Option<Called<'a>> {
        self.called(expr)
            .filter(|(.., func)| func.steps.is_some() && func.result.is_some())
    }

    /// The function that an expression calls.
    pub fn called(&mut self, expr: &'a ast::Expr) -> Option<Called<'a>> {
        let ast::ExprKind::Call(name, arguments) = &unparenthesised(expr).kind else {
            return None;
        };
        let unit = self.exprs().unit();
        let (unit, func) = self.decls.func(unit, &name.text)?;
        Some((name, arguments, unit, func))
    }

    /// `f(x)` as a statement.
    pub fn call_alone(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
        unit: usize,
        func: &'a FuncDecl<'a>,
    ) -> Option<StmtKind> {
        if func.result.is_some() {
            self.exprs().checked_arguments(arguments);
            let proc = func.proc.ast;
            self.log.uses.instantiated.insert(proc.name.span);
            self.log.report(FunctionProblem::Result {
                name: name.text.clone(),
                span,
                declared: proc.name.span,
                unused: true,
            });
            return None;
        }
        self.call(span, arguments, unit, func, None)
    }

    /// A call whose result goes to a place.
    pub fn call(
        &mut self,
        span: Span,
        arguments: &'a [ast::Expr],
        unit: usize,
        func: &'a FuncDecl<'a>,
        target: Option<Place>,
    ) -> Option<StmtKind> {
        let proc = func.proc.ast;
        self.log.uses.checked.insert(proc.name.span);
        self.log.uses.instantiated.insert(proc.name.span);
        let count = proc.params.len();
        if !self.exprs().counted(&proc.name, count, arguments, span) || func.cyclic {
            self.exprs().checked_arguments(arguments);
            return None;
        }
        let frame = self.exprs().frame_of(unit);
        let mut scope = Scope::new(frame);
        scope.lost = func.proc.outline.lost;
        for (param, argument) in proc.params.iter().zip(arguments) {
            let binding = self.argument(&mut scope, unit, param, argument);
            let binding = binding.unwrap_or(Binding::Broken);
            let (text, at) = (&param.name.text, param.name.span);
            scope.bind(text, binding, Role::Argument, at);
        }
        let mut sound = true;
        let result = match (func.result, target) {
            (Some(ty), Some(target)) => {
                let ty = self.exprs().inside(&mut scope).value_type(ty);
                sound = self.result_fits(ty.as_ref(), &target, span, func);
                ty.map(|ty| (target, ty))
            }
            _ => None,
        };
        let (id, leave) = (self.new_loop(), self.new_loop());
        let written = Written {
            func,
            leave: id,
            result,
            sample: false,
        };
        let stmts = self.written_out(scope, written);
        sound.then_some(StmtKind::Unrolled {
            iterations: vec![(leave, stmts)],
            id,
        })
    }

    /// Whether the result of a function can be stored where it goes.
    fn result_fits(
        &mut self,
        ty: Option<&Type>,
        target: &Place,
        span: Span,
        func: &FuncDecl<'a>,
    ) -> bool {
        let Some(ty) = ty.filter(|ty| !ty.same_shape(&target.ty)) else {
            return ty.is_some();
        };
        let because = func.result.map(|ty| (ty.span, "returned here".to_owned()));
        self.log.report(TypeProblem::Mismatch {
            wanted: self.decls.describe(&target.ty),
            found: self.decls.describe(ty),
            span,
            because,
            hint: None,
        });
        false
    }

    /// The statements of a function, with its names and not with those of the caller.
    fn written_out(&mut self, scope: Scope<'a>, written: Written<'a>) -> Vec<Stmt> {
        let func = written.func;
        let proc = &func.proc;
        let first = self.labels_of(func);
        let outer_scope = std::mem::replace(&mut self.scope, scope);
        let outer_outline = std::mem::replace(&mut self.outline, &proc.outline);
        let outer_loops = std::mem::take(&mut self.loops);
        let outer_first = std::mem::replace(&mut self.first_label, first);
        let outer_call = self.call.replace(written);
        let outer_begun = std::mem::replace(&mut self.begun, true);
        self.depth += 1;
        let stmts = self.statements(&proc.ast.body);
        self.depth -= 1;
        self.begun = outer_begun;
        self.call = outer_call;
        self.first_label = outer_first;
        self.loops = outer_loops;
        self.outline = outer_outline;
        self.scope = outer_scope;
        stmts
    }

    /// What was looked at only has no copies of labels; functions that it is the first to call keep their labels.
    pub fn forget_copies(&mut self, before: Vec<u32>) {
        self.copies = before;
        self.copies.resize(self.labels.len(), 0);
    }

    /// Where the labels of a function begin among those of the process.
    fn labels_of(&mut self, func: &'a FuncDecl<'a>) -> u32 {
        let name = &func.proc.ast.name;
        if let Some(first) = self.function_labels.get(&name.span) {
            return *first;
        }
        let first = self.labels.len() as u32;
        let labels = func.proc.outline.labels.iter();
        self.labels.extend(labels.map(|label| Label {
            name: format!("{}.{}", name.text, label.name),
            span: label.span,
        }));
        self.copies.resize(self.labels.len(), 0);
        self.function_labels.insert(name.span, first);
        first
    }

    /// Looks at a function that nobody calls, as if it were the body of a process.
    pub fn sample_call(&mut self, func: &'a FuncDecl<'a>) {
        let id = self.new_loop();
        self.call = Some(Written {
            func,
            leave: id,
            result: None,
            sample: true,
        });
        self.depth = 1;
    }

    /// `return`, `return e`
    pub fn return_from(&mut self, span: Span, value: Option<&'a ast::Expr>) -> Option<StmtKind> {
        let Some(call) = self.call.clone() else {
            return match value {
                None => Some(StmtKind::Return),
                Some(value) => {
                    self.exprs().expr(value, None);
                    self.wrong_return("a process returns nothing", span, "write `return` alone");
                    None
                }
            };
        };
        match (value, call.func.result) {
            (None, None) if call.sample => Some(StmtKind::Return),
            (None, None) => Some(StmtKind::Break(call.leave)),
            (None, Some(_)) => {
                self.wrong_return("this function returns a value", span, "write `return e`");
                None
            }
            (Some(value), None) => {
                self.exprs().expr(value, None);
                self.wrong_return(
                    "this function has no result",
                    span,
                    "write its type after the parameters, or `return` alone",
                );
                None
            }
            (Some(value), Some(written)) if call.sample => {
                let ty = self.exprs().value_type(written)?;
                if self.called_with_steps(value).is_none() {
                    let because = (written.span, "because of this type".to_owned());
                    self.exprs().right_side(value, &ty, because)?;
                }
                Some(StmtKind::Return)
            }
            (Some(value), Some(written)) => {
                let (place, ty) = call.result?;
                let leave = |kind| Stmt {
                    kind,
                    labels: Vec::new(),
                    span,
                };
                let stored = match self.called_with_steps(value) {
                    Some((_, arguments, unit, func)) => {
                        self.call(value.span, arguments, unit, func, Some(place))?
                    }
                    None => {
                        let because = (written.span, "because of this type".to_owned());
                        let value = match self.exprs().right_side(value, &ty, because)? {
                            Rhs::Expr(e) if matches!(e.kind, ExprKind::Message(_)) => Rhs::Expr(e),
                            Rhs::Expr(e) => {
                                self.exprs()
                                    .note_store(&place.ty, &e.ty, e.span, "the variable");
                                Rhs::Expr(self.exprs().fitted(e, &ty)?)
                            }
                            other => other,
                        };
                        StmtKind::Assign {
                            target: place,
                            value,
                        }
                    }
                };
                let stmts = vec![leave(stored), leave(StmtKind::Break(call.leave))];
                Some(StmtKind::Block(stmts))
            }
        }
    }

    fn wrong_return(&mut self, text: &str, span: Span, hint: &'static str) {
        self.log.report(FunctionProblem::Return {
            text: text.to_owned(),
            span,
            hint,
        });
    }

    /// What a parameter stands for.
    fn argument(
        &mut self,
        scope: &mut Scope<'a>,
        unit: usize,
        param: &'a ast::Param,
        argument: &'a ast::Expr,
    ) -> Option<Binding> {
        match self.decls.parameter_kind(unit, &param.ty) {
            ParameterKind::Value => {
                let ty = self.exprs().inside(scope).value_type(&param.ty);
                let value = self.exprs().value_argument(param, argument, ty.as_ref())?;
                if let Some(what) = self.volatile(&value) {
                    self.log.report(FunctionProblem::Volatile {
                        what: what.to_owned(),
                        span: argument.span,
                        declared: param.name.span,
                    });
                    return None;
                }
                Some(match value.kind {
                    ExprKind::Const(value) => Binding::Value(Rc::new(value)),
                    _ => Binding::Element(Rc::new(value)),
                })
            }
            ParameterKind::Channel(ty) => {
                let ty = self.exprs().inside(scope).channel_type(ty, true);
                let mut exprs = self.exprs_without_messages("an argument");
                let channel = exprs.channel(argument)?;
                let ty = ty?;
                for id in channel.channels.clone() {
                    if !self.channel_fits(id, &ty, param, argument.span) {
                        return None;
                    }
                }
                Some(match channel {
                    ChannelRef {
                        channels,
                        index: None,
                        ..
                    } => Binding::Channel(channels[0]),
                    chosen => Binding::Chosen(Rc::new(chosen)),
                })
            }
            ParameterKind::Channels(ty) => {
                let ty = self.exprs().inside(scope).channels_type(ty);
                let all: Rc<[ChannelId]> = match &unparenthesised(argument).kind {
                    ast::ExprKind::Array(_) => {
                        let elements = self.elements(argument)?.into_iter();
                        let ids = elements.map(|binding| match binding {
                            Binding::Channel(id) => Some(id),
                            _ => None,
                        });
                        ids.collect::<Option<Vec<_>>>()?.into()
                    }
                    _ => self.exprs().channel_array(argument)?,
                };
                let (length, ty) = ty?;
                for id in all.iter() {
                    if !self.channel_fits(*id, &ty, param, argument.span) {
                        return None;
                    }
                }
                if let Some(wanted) = length.filter(|length| *length as usize != all.len()) {
                    self.log.report_value(EntryProblem::ElementCount {
                        what: "channel",
                        found: all.len(),
                        wanted,
                        span: argument.span,
                        declared: param.name.span,
                    });
                    return None;
                }
                Some(Binding::Channels(all))
            }
            ParameterKind::One(noun) => self.exprs().watched(noun, argument)?.only(self.log),
            ParameterKind::Many(noun, _) => self.exprs().watched_array(noun, argument),
        }
    }

    fn channel_fits(
        &mut self,
        id: ChannelId,
        wanted: &ChannelType,
        param: &ast::Param,
        span: Span,
    ) -> bool {
        let channel = &self.made.channels[id.0 as usize];
        match self.decls.channel_fits(channel, wanted, param, span) {
            Ok(()) => true,
            Err(problem) => {
                self.log.report(problem);
                false
            }
        }
    }
}

impl Statements<'_, '_> {
    /// What in an argument may change although the process does nothing.
    fn volatile(&self, e: &Expr) -> Option<&'static str> {
        let mut found = None;
        e.visit(&mut |e| match e.kind {
            ExprKind::Done(_) | ExprKind::Crashed(_) => {
                found = found.or(Some("the state of another process"));
            }
            ExprKind::Variable(id) if self.variables.get(id).timer => {
                found = found.or(Some("a timer"));
            }
            ExprKind::Suspects(_) => found = found.or(Some("the suspicion of a detector")),
            _ => {}
        });
        found
    }
}
