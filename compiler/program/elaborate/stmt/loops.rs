//! Loops: what is unrolled and what is not.

use std::rc::Rc;

use super::Statements;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{EntryProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Stmt, StmtKind, Type, Value, Variable, VariableId};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Statements<'_, 'a> {
    /// `for {}`, `for c {}`
    pub fn while_loop(
        &mut self,
        condition: Option<&'a ast::Expr>,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let checked = match condition {
            None => Some(None),
            Some(condition) => self.condition(condition).map(Some),
        };
        let never = matches!(
            checked.as_ref().and_then(|c| c.as_ref()).map(|c| &c.kind),
            Some(ExprKind::Const(Value::Bool(false)))
        );
        let id = self.new_loop();
        self.loops.push((id, id));
        let stmts = self.possibly_dead(never, |stmts| stmts.block(block));
        self.loops.pop();
        Some(StmtKind::While {
            id,
            condition: checked?,
            body: stmts,
        })
    }

    /// `for x in xs {}`
    pub fn for_in(
        &mut self,
        var: &'a ast::Name,
        array: &'a ast::Expr,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let Some(bindings) = self.elements(array) else {
            // The body is looked at all the same.
            self.iteration(var, Binding::Broken, block);
            return None;
        };
        self.unrolled(var, bindings, block)
    }

    /// What the variable of `for x in xs` stands for in each iteration.
    pub fn elements(&mut self, array: &'a ast::Expr) -> Option<Vec<Binding>> {
        let written = unparenthesised(array);
        if let ast::ExprKind::Name(name) = &written.kind
            && let Some(local) = self.exprs().find(name)
            && let Some(all) = local.binding.elements()
        {
            self.log.uses.read.insert(local.span);
            return Some(all);
        }
        if let ast::ExprKind::Array(elements) = &written.kind
            && elements.iter().any(|e| self.is_channel(e))
        {
            return elements
                .iter()
                .map(|e| {
                    let channel = self.exprs().channel(e)?;
                    let Some(index) = channel.index else {
                        return Some(Binding::Channel(channel.channels[0]));
                    };
                    match index.as_int() {
                        Some(at) => self.log.report_value(EntryProblem::IndexOutOfBounds {
                            index: at,
                            length: channel.channels.len(),
                            span: index.span,
                        }),
                        None => {
                            self.log.misplaced(
                                "an array of channels has constant elements only",
                                e.span,
                                None,
                            );
                        }
                    }
                    None
                })
                .collect();
        }
        let checked = self
            .exprs_without_messages("the array of a loop")
            .expr(array, None);
        self.exprs().value_elements(checked?, array)
    }
}

impl<'a> Expressions<'_, 'a> {
    /// What the variable of a loop over an array of values stands for in each iteration.
    pub fn value_elements(&mut self, checked: Expr, array: &'a ast::Expr) -> Option<Vec<Binding>> {
        let Type::Array(element, length) = &checked.ty else {
            self.log.report(TypeProblem::NotIterable {
                found: self.decls.describe(&checked.ty),
                span: array.span,
            });
            return None;
        };
        let (element, length) = ((**element).clone(), *length);
        Some(match checked.kind {
            ExprKind::Const(Value::Array(values)) => values
                .into_iter()
                .map(|value| Binding::Value(Rc::new(value)))
                .collect(),
            ExprKind::Array(elements) => elements
                .into_iter()
                .map(|element| Binding::Element(Rc::new(element)))
                .collect(),
            _ => (0..length)
                .map(|k| {
                    Binding::Element(Rc::new(Expr {
                        kind: ExprKind::Index(
                            Box::new(checked.clone()),
                            Box::new(Expr::constant(Value::Int(i64::from(k)), array.span)),
                        ),
                        ty: element.clone(),
                        span: array.span,
                    }))
                })
                .collect(),
        })
    }
}

impl<'a> Statements<'_, 'a> {
    fn is_channel(&mut self, expr: &ast::Expr) -> bool {
        let mut inner = unparenthesised(expr);
        if let ast::ExprKind::Index(base, _) = &inner.kind {
            inner = unparenthesised(base);
        }
        matches!(&inner.kind, ast::ExprKind::Name(name)
        if self.exprs().find(name).is_some_and(|local| {
            matches!(
                local.binding,
                Binding::Channel(_) | Binding::Channels(_) | Binding::Chosen(_)
            )
        }))
    }

    /// `for i in range a to b {}`
    pub fn for_range(
        &mut self,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let what = "the bound of a loop";
        let from = self
            .exprs_without_messages(what)
            .integer(from, "an integer");
        let to = self.exprs_without_messages(what).integer(to, "an integer");
        let (Some(from), Some(to)) = (from, to) else {
            self.iteration(var, Binding::Broken, block);
            return None;
        };
        if let (Some(a), Some(b)) = (from.as_int(), to.as_int()) {
            let count = (b - a).max(0) as u64;
            if count > 0 && self.log.too_long(count, var.span) {
                return None;
            }
            if a >= b {
                return self.never_unrolled(var, a, block);
            }
            let values = (a..b).map(|i| Binding::Value(Rc::new(Value::Int(i))));
            return self.unrolled(var, values, block);
        }
        self.counted(var, from, to, block)
    }

    /// A loop without iterations: its body is looked at, and its variables exist, but it does nothing.
    fn never_unrolled(
        &mut self,
        var: &'a ast::Name,
        value: i64,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let copies = self.copies.clone();
        let binding = Binding::Value(Rc::new(Value::Int(value)));
        self.log.dead += 1;
        self.iteration(var, binding, block);
        self.log.dead -= 1;
        self.forget_copies(copies);
        Some(StmtKind::Unrolled {
            iterations: Vec::new(),
            id: self.new_loop(),
        })
    }

    fn unrolled(
        &mut self,
        var: &'a ast::Name,
        bindings: impl IntoIterator<Item = Binding>,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let id = self.new_loop();
        let mut iterations = Vec::new();
        for binding in bindings {
            if self.log.budget.exhausted {
                return None;
            }
            self.log.count_iteration();
            let next = self.new_loop();
            self.loops.push((id, next));
            let stmts = self.iteration(var, binding, block);
            self.loops.pop();
            iterations.push((next, stmts));
        }
        Some(StmtKind::Unrolled { iterations, id })
    }

    fn iteration(
        &mut self,
        var: &'a ast::Name,
        binding: Binding,
        block: &'a ast::Block,
    ) -> Vec<Stmt> {
        self.scope.enter();
        self.depth += 1;
        self.declare(var, binding, Role::Loop);
        // `break` and `continue` are legal in a body that is only looked at.
        let bare = self.loops.is_empty();
        if bare {
            let id = self.new_loop();
            self.loops.push((id, id));
        }
        let stmts = self.block(block);
        if bare {
            self.loops.pop();
        }
        self.depth -= 1;
        self.scope.leave();
        stmts
    }

    /// `for i in range a to b` with bounds that are not constant.
    fn counted(
        &mut self,
        var: &'a ast::Name,
        from: Expr,
        to: Expr,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let (start, end) = (from.ty.range()?, to.ty.range()?);
        let values = Interval {
            lo: start.lo,
            hi: start.lo.max(end.hi - 1),
        };
        let number = self.outline.counters.get(&var.span).copied().unwrap_or(0);
        let counter = self.hidden(var.span, format!("loop{number}.{}", var.text), values);
        // The bound has no place of its own in the text; the end of the name is nobody else's.
        let bound = self.hidden(var.span.after(), format!("loop{number}.to"), end);
        let id = self.new_loop();
        self.loops.push((id, id));
        self.scope.enter();
        self.depth += 1;
        self.declare(var, Binding::Counter(counter, values), Role::Loop);
        let stmts = self.block(block);
        self.depth -= 1;
        self.scope.leave();
        self.loops.pop();
        Some(StmtKind::Range {
            id,
            counter,
            bound,
            from,
            to,
            body: stmts,
        })
    }

    /// The variable of a loop: one per declaration, wide enough for every unrolled copy of the loop.
    fn hidden(&mut self, span: Span, name: String, values: Interval) -> VariableId {
        if let Some(id) = self.own.get(&span) {
            let variable = &mut self.variables.list[id.0 as usize];
            variable.ty = variable.ty.join(&Type::int(values));
            variable.initial = variable.ty.zero();
            return *id;
        }
        self.log.count_state(1, span);
        let ty = Type::int(values);
        let id = self.variables.add(Variable {
            process: self.process,
            name,
            initial: ty.zero(),
            starts: Vec::new(),
            ty,
            durable: false,
            timer: false,
            counter: true,
            span,
        });
        self.own.insert(span, id);
        id
    }
}
