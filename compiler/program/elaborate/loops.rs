//! Loops: what is unrolled and what is not.

use std::rc::Rc;

use super::Checker;
use super::body::Body;
use super::expressions::unparenthesised;
use super::scope::{Binding, Messages, Role};
use crate::program::problem::{EntryProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, StmtKind, Type, Value, Variable, VariableId};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// `for {}`, `for c {}`
    pub fn while_loop(
        &mut self,
        body: &mut Body<'a>,
        condition: Option<&'a ast::Expr>,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let checked = match condition {
            None => Some(None),
            Some(condition) => self.condition(body, condition).map(Some),
        };
        let never = matches!(
            checked.as_ref().and_then(|c| c.as_ref()).map(|c| &c.kind),
            Some(ExprKind::Const(Value::Bool(false)))
        );
        let id = body.new_loop();
        body.loops.push((id, id));
        let stmts = self.possibly_dead(never, |checker| checker.block(body, block));
        body.loops.pop();
        Some(StmtKind::While {
            id,
            condition: checked?,
            body: stmts,
        })
    }

    /// `for x in xs {}`
    pub fn for_in(
        &mut self,
        body: &mut Body<'a>,
        var: &'a ast::Name,
        array: &'a ast::Expr,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let Some(bindings) = self.elements(body, array) else {
            // The body is looked at all the same.
            self.iteration(body, var, Binding::Broken, block);
            return None;
        };
        self.unrolled(body, var, bindings, block)
    }

    /// What the variable of `for x in xs` stands for in each iteration.
    fn elements(&mut self, body: &mut Body<'a>, array: &'a ast::Expr) -> Option<Vec<Binding>> {
        let written = unparenthesised(array);
        if let ast::ExprKind::Name(name) = &written.kind
            && let Some(local) = self.find(&body.scope, name)
            && let Binding::Channels(all) = local.binding
        {
            self.uses.read.insert(local.span);
            return Some(all.iter().map(|id| Binding::Channel(*id)).collect());
        }
        if let ast::ExprKind::Array(elements) = &written.kind
            && elements.iter().any(|e| self.is_channel(body, e))
        {
            return elements
                .iter()
                .map(|e| {
                    let channel = self.channel(&mut body.scope, e)?;
                    let Some(index) = channel.index else {
                        return Some(Binding::Channel(channel.channels[0]));
                    };
                    match index.as_int() {
                        Some(at) => self.report_value(EntryProblem::IndexOutOfBounds {
                            index: at,
                            length: channel.channels.len(),
                            span: index.span,
                        }),
                        None => {
                            self.misplaced(
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
        let messages = std::mem::replace(
            &mut body.scope.messages,
            Messages::ForbiddenIn("the array of a loop"),
        );
        let checked = self.expr(&mut body.scope, array, None);
        body.scope.messages = messages;
        let checked = checked?;
        let Type::Array(element, length) = &checked.ty else {
            self.report(TypeProblem::NotIterable {
                found: self.describe(&checked.ty),
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

    fn is_channel(&self, body: &Body<'a>, expr: &ast::Expr) -> bool {
        let mut inner = unparenthesised(expr);
        if let ast::ExprKind::Index(base, _) = &inner.kind {
            inner = unparenthesised(base);
        }
        matches!(&inner.kind, ast::ExprKind::Name(name)
        if self.find(&body.scope, name).is_some_and(|local| {
            matches!(local.binding, Binding::Channel(_) | Binding::Channels(_))
        }))
    }

    /// `for i in range a to b {}`
    pub fn for_range(
        &mut self,
        body: &mut Body<'a>,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let messages = std::mem::replace(
            &mut body.scope.messages,
            Messages::ForbiddenIn("the bound of a loop"),
        );
        let from = self.integer(&mut body.scope, from, "an integer");
        let to = self.integer(&mut body.scope, to, "an integer");
        body.scope.messages = messages;
        let (Some(from), Some(to)) = (from, to) else {
            self.iteration(body, var, Binding::Broken, block);
            return None;
        };
        if let (Some(a), Some(b)) = (from.as_int(), to.as_int()) {
            let count = (b - a).max(0) as u64;
            if count > 0 && self.too_long(count, var.span) {
                return None;
            }
            if a >= b {
                return self.never_unrolled(body, var, a, block);
            }
            let values = (a..b).map(|i| Binding::Value(Rc::new(Value::Int(i))));
            return self.unrolled(body, var, values, block);
        }
        self.counted(body, var, from, to, block)
    }

    /// Refuses a loop that cannot be unrolled before trying to.
    fn too_long(&mut self, count: u64, span: Span) -> bool {
        use crate::program::limits;
        use crate::program::problem::SizeProblem;
        if self.budget.statements.saturating_add(count) <= limits::STATEMENTS {
            return false;
        }
        self.budget.exhausted = true;
        self.report(SizeProblem::Statements { span });
        true
    }

    /// A loop without iterations: its body is looked at, and its variables exist, but it does nothing.
    fn never_unrolled(
        &mut self,
        body: &mut Body<'a>,
        var: &'a ast::Name,
        value: i64,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let copies = body.copies.clone();
        let binding = Binding::Value(Rc::new(Value::Int(value)));
        self.dead += 1;
        self.iteration(body, var, binding, block);
        self.dead -= 1;
        body.copies = copies;
        Some(StmtKind::Unrolled {
            iterations: Vec::new(),
            id: body.new_loop(),
        })
    }

    fn unrolled(
        &mut self,
        body: &mut Body<'a>,
        var: &'a ast::Name,
        bindings: impl IntoIterator<Item = Binding>,
        block: &'a ast::Block,
    ) -> Option<StmtKind> {
        let id = body.new_loop();
        let mut iterations = Vec::new();
        for binding in bindings {
            if self.budget.exhausted {
                return None;
            }
            self.budget.statements += 1;
            let next = body.new_loop();
            body.loops.push((id, next));
            let stmts = self.iteration(body, var, binding, block);
            body.loops.pop();
            iterations.push((next, stmts));
        }
        Some(StmtKind::Unrolled { iterations, id })
    }

    fn iteration(
        &mut self,
        body: &mut Body<'a>,
        var: &'a ast::Name,
        binding: Binding,
        block: &'a ast::Block,
    ) -> Vec<crate::program::Stmt> {
        body.scope.enter();
        body.depth += 1;
        self.declare(
            &mut body.scope,
            var,
            binding,
            Role::Loop,
            "variable in this block",
        );
        // `break` and `continue` are legal in a body that is only looked at.
        let bare = body.loops.is_empty();
        if bare {
            let id = body.new_loop();
            body.loops.push((id, id));
        }
        let stmts = self.block(body, block);
        if bare {
            body.loops.pop();
        }
        body.depth -= 1;
        body.scope.leave();
        stmts
    }

    /// `for i in range a to b` with bounds that are not constant.
    fn counted(
        &mut self,
        body: &mut Body<'a>,
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
        let number = body.outline.counters.get(&var.span).copied().unwrap_or(0);
        let counter = self.hidden(body, var.span, format!("loop{number}.{}", var.text), values);
        // The bound has no place of its own in the text; the end of the name is nobody else's.
        let bound = self.hidden(body, var.span.after(), format!("loop{number}.to"), end);
        let id = body.new_loop();
        body.loops.push((id, id));
        body.scope.enter();
        body.depth += 1;
        self.declare(
            &mut body.scope,
            var,
            Binding::Counter(counter, values),
            Role::Loop,
            "variable in this block",
        );
        let stmts = self.block(body, block);
        body.depth -= 1;
        body.scope.leave();
        body.loops.pop();
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
    fn hidden(
        &mut self,
        body: &mut Body<'a>,
        span: Span,
        name: String,
        values: Interval,
    ) -> VariableId {
        if let Some(id) = body.variables.get(&span) {
            let variable = &mut self.program.variables[id.0 as usize];
            variable.ty = variable.ty.join(&Type::int(values));
            variable.initial = variable.ty.zero();
            return *id;
        }
        self.count_state(1, span);
        let ty = Type::int(values);
        let id = self.add_variable(Variable {
            process: body.process,
            name,
            initial: ty.zero(),
            ty,
            durable: false,
            counter: true,
            span,
        });
        body.variables.insert(span, id);
        id
    }
}
