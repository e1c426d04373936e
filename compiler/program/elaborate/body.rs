//! The body of one process instance.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Checker;
use super::outline::Outline;
use super::scope::{Binding, Place as Where, Role, Scope};
use crate::program::problem::{ProcessProblem, SizeProblem};
use crate::program::{LabelCopy, LoopId, MessageOp, Stmt, StmtKind, Type, VariableId, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::StmtKind as Ast;
use crate::vocabulary::ProcessId;

/// A body being elaborated.
pub struct Body<'a> {
    pub scope: Scope<'a>,
    pub process: ProcessId,
    pub outline: Rc<Outline<'a>>,
    pub variables: FxHashMap<Span, VariableId>,
    /// For `break` and `continue`, innermost last.
    pub loops: Vec<(LoopId, LoopId)>,
    pub next_loop: u32,
    /// How many copies each label has so far; the last one is the current one.
    pub copies: Vec<u32>,
    /// Whether statements have come before, at the top of the body.
    pub begun: bool,
    /// How deep in blocks.
    pub depth: u32,
}

impl<'a> Body<'a> {
    /// A new loop.
    pub fn new_loop(&mut self) -> LoopId {
        self.next_loop += 1;
        LoopId(self.next_loop - 1)
    }
}

impl<'a> Checker<'a> {
    /// Elaborates the bodies of all processes.
    pub fn bodies(&mut self) {
        for index in 0..self.program.processes.len() {
            if self.budget.exhausted {
                return;
            }
            self.process_body(ProcessId(index as u32));
        }
    }

    /// Elaborates the body of one process whose arguments are bound.
    pub fn process_body(&mut self, process: ProcessId) {
        let instance = &self.instances[process.0 as usize];
        let proc = instance.proc;
        let outline = instance.outline.clone();
        let mut scope = Scope::new(instance.frame, Where::Process);
        for (param, local) in proc.params.iter().zip(&instance.arguments) {
            scope.bind(
                &param.name.text,
                local.binding.clone(),
                Role::Parameter,
                param.name.span,
            );
        }
        let mut body = Body {
            scope,
            process,
            variables: FxHashMap::default(),
            loops: Vec::new(),
            next_loop: 0,
            copies: vec![0; outline.labels.len()],
            outline,
            begun: false,
            depth: 0,
        };
        self.uses.checked.insert(proc.name.span);
        self.current = Some(process);
        self.lost.statements = body.outline.lost;
        let stmts = self.statements(&mut body, &proc.body);
        self.current = None;
        self.lost.statements = false;
        let labels = body.outline.labels.clone();
        let checked = &mut self.program.processes[process.0 as usize];
        checked.body = stmts;
        checked.labels = labels;
        self.instances[process.0 as usize].variables = body.variables;
    }

    /// A block with a scope of its own.
    pub fn block(&mut self, body: &mut Body<'a>, block: &'a ast::Block) -> Vec<Stmt> {
        body.scope.enter();
        body.depth += 1;
        let stmts = self.statements(body, block);
        body.depth -= 1;
        body.scope.leave();
        stmts
    }

    fn statements(&mut self, body: &mut Body<'a>, block: &'a ast::Block) -> Vec<Stmt> {
        if !body.outline.labels.is_empty() {
            let outline = body.outline.clone();
            for id in outline.block_labels.get(&block.span).into_iter().flatten() {
                body.copies[id.0 as usize] += 1;
            }
        }
        let mut out = Vec::with_capacity(block.stmts.len());
        for stmt in &block.stmts {
            if self.budget.exhausted {
                break;
            }
            self.statement(body, stmt, &mut out);
            if body.depth == 0
                && !matches!(stmt.kind, Ast::Const(_) | Ast::Var { durable: true, .. })
            {
                body.begun = true;
            }
        }
        out
    }

    /// One statement with its labels.
    pub fn statement(&mut self, body: &mut Body<'a>, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) {
        let mut labels = Vec::new();
        let mut inner = stmt;
        let mut label = None;
        while let Ast::Labelled(name, labelled) = &inner.kind {
            self.check_name(name, false);
            if let Some(id) = body.outline.label_ids.get(name.text.as_str())
                && body.outline.labels[id.0 as usize].span == name.span
            {
                labels.push(LabelCopy {
                    label: *id,
                    copy: body.copies[id.0 as usize] - 1,
                });
            }
            label = Some(name);
            match labelled {
                Some(labelled) => inner = labelled,
                None => {
                    self.empty_label(name);
                    return;
                }
            }
        }
        if let Some(name) = label
            && matches!(inner.kind, Ast::Const(_) | Ast::Var { durable: true, .. })
        {
            self.empty_label(name);
        }
        self.budget.statements += 1;
        if self.budget.statements > limits::STATEMENTS {
            self.budget.exhausted = true;
            self.report(SizeProblem::Statements { span: stmt.span });
            return;
        }
        let kind = self.statement_kind(body, inner);
        // A label stays where it is although its statement is faulty: jumps lead to it.
        let kind = kind.or_else(|| (!labels.is_empty()).then_some(StmtKind::Skip));
        if let Some(kind) = kind {
            out.push(Stmt {
                kind,
                labels,
                span: inner.span,
            });
        }
    }

    fn empty_label(&mut self, name: &ast::Name) {
        self.report(ProcessProblem::EmptyLabel {
            name: name.text.clone(),
            span: name.span,
        });
    }

    fn statement_kind(&mut self, body: &mut Body<'a>, stmt: &'a ast::Stmt) -> Option<StmtKind> {
        match &stmt.kind {
            Ast::Const(constant) => {
                self.local_constant(body, constant);
                None
            }
            Ast::Var {
                durable,
                name,
                ty,
                init,
            } => self.variable(body, *durable, name, ty, init.as_ref()),
            Ast::Assign { target, op, value } => {
                self.assignment(body, stmt.span, target, *op, value)
            }
            Ast::If {
                condition,
                then,
                otherwise,
            } => self.conditional(body, condition, then, otherwise.as_ref()),
            Ast::Block(block) => Some(StmtKind::Block(self.block(body, block))),
            Ast::While {
                condition,
                body: block,
            } => self.while_loop(body, condition.as_ref(), block),
            Ast::ForIn {
                var,
                array,
                body: block,
            } => self.for_in(body, var, array, block),
            Ast::ForRange {
                var,
                from,
                to,
                body: block,
            } => self.for_range(body, var, (from, to), block),
            Ast::Break => self.jump_out(body, stmt.span, "break"),
            Ast::Continue => self.jump_out(body, stmt.span, "continue"),
            Ast::Goto(name) => {
                if body.outline.bad_jumps.contains(&name.span) {
                    return None;
                }
                let label = body.outline.label_ids[name.text.as_str()];
                Some(StmtKind::Goto(LabelCopy {
                    label,
                    copy: body.copies[label.0 as usize] - 1,
                }))
            }
            Ast::Labelled(..) => None,
            Ast::Return => Some(StmtKind::Return),
            Ast::Skip => Some(StmtKind::Skip),
            Ast::Choice(blocks) => Some(StmtKind::Choice(
                blocks.iter().map(|block| self.block(body, block)).collect(),
            )),
            Ast::Select(cases) => self.select(body, stmt.span, cases),
            Ast::Message(message) => self
                .message(&mut body.scope, message)
                .map(StmtKind::Message),
            Ast::Assert(condition) => self
                .expr_of(&mut body.scope, condition, &Type::Bool, None)
                .map(StmtKind::Assert),
            Ast::Expr(expr) => {
                self.bare_expression(expr);
                None
            }
            Ast::Error => {
                self.incomplete = true;
                None
            }
        }
    }

    fn bare_expression(&mut self, expr: &'a ast::Expr) {
        match &expr.kind {
            ast::ExprKind::Call(name, _) => {
                let operations = MessageOp::ALL.iter().map(|op| op.as_str());
                let suggestion = self.near(&name.text, operations.chain(["assert"]));
                self.report(ProcessProblem::UnknownOperation {
                    name: name.text.clone(),
                    span: name.span,
                    suggestion,
                });
            }
            ast::ExprKind::Error => self.incomplete = true,
            _ => self.report(ProcessProblem::NotAStatement { span: expr.span }),
        }
    }

    fn local_constant(&mut self, body: &mut Body<'a>, constant: &'a ast::Const) {
        let value = self.constant_declaration(&mut body.scope, constant);
        let role = if self.varies(&body.scope, &constant.value) {
            Role::Varying
        } else if self.is_same_everywhere(&body.scope, &constant.value) {
            Role::Constant
        } else {
            Role::Given
        };
        let binding = value.map_or(Binding::Broken, |value| Binding::Value(Rc::new(value)));
        self.declare(
            &mut body.scope,
            &constant.name,
            binding,
            role,
            "definition in this block",
        );
    }

    /// Whether an expression mentions the variable of an unrolled loop.
    pub fn varies(&self, scope: &Scope<'a>, expr: &'a ast::Expr) -> bool {
        let mut found = false;
        super::constants::names_in(expr, &mut |name, _| {
            found = found || scope.local(name).is_some_and(|local| local.varies());
        });
        found
    }

    fn jump_out(&mut self, body: &Body<'a>, span: Span, what: &'static str) -> Option<StmtKind> {
        match body.loops.last() {
            Some((leave, _)) if what == "break" => Some(StmtKind::Break(*leave)),
            Some((_, next)) => Some(StmtKind::Continue(*next)),
            None => {
                self.report(ProcessProblem::OutsideLoop { what, span });
                None
            }
        }
    }
}
