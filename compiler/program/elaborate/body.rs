//! The body of one process instance.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Checker;
use super::outline::Outline;
use super::scope::{Binding, Messages, Place as Where, Role, Scope};
use crate::program::problem::{ProcessProblem, SizeProblem, TypeProblem};
use crate::program::{
    BinaryOp, Expr, ExprKind, LabelCopy, LoopId, MessageOp, Place, ProcessId, Rhs, Stmt, StmtKind,
    Type, Value, Variable, VariableId, limits,
};
use crate::source::Span;
use crate::syntax::ast::{self, StmtKind as Ast};

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
        let stmts = self.statements(&mut body, &proc.body);
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
        if let Some(kind) = self.statement_kind(body, inner) {
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
        } else {
            Role::Constant
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

    fn variable(
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
    fn initial_value(
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
    fn declared_variable(
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
            let number = all.iter().position(|span| *span == name.span).unwrap_or(0) + 1;
            format!("{}#{number}", name.text)
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

    fn assignment(
        &mut self,
        body: &mut Body<'a>,
        span: Span,
        target: &'a ast::Expr,
        op: Option<BinaryOp>,
        value: &'a ast::Expr,
    ) -> Option<StmtKind> {
        let place = self.target(&mut body.scope, target);
        let Some(place) = place else {
            if !matches!(value.kind, ast::ExprKind::Any(_)) {
                self.expr(&mut body.scope, value, None);
            }
            return None;
        };
        let because = (target.span, format!("this is {}", self.describe(&place.ty)));
        let value = match op {
            None => self.right_side(&mut body.scope, value, &place.ty, because)?,
            Some(op) => {
                if place.ty.range().is_none() {
                    self.expr(&mut body.scope, value, None);
                    self.report(TypeProblem::Operand {
                        op: op.as_str(),
                        wanted: "integers",
                        found: self.describe(&place.ty),
                        span: target.span,
                        hint: None,
                    });
                    return None;
                }
                let right = self.integer(&mut body.scope, value, "an integer")?;
                let left = self.value_of(&place);
                Rhs::Expr(self.arithmetic_of(&body.scope, span, op, left, right)?)
            }
        };
        match &value {
            Rhs::Expr(expr) => {
                self.note_store(&place.ty, &expr.ty, expr.span, "the variable");
                if let ExprKind::Message(message) = &expr.kind
                    && let Some(twice) = message
                        .targets
                        .iter()
                        .flatten()
                        .find(|other| super::messages::overlaps(other, &place))
                {
                    self.target_twice(place.variable, twice.span, place.span);
                    return None;
                }
            }
            Rhs::AnyRange(lo, hi) => {
                let set = Type::Int { lo: *lo, hi: *hi };
                self.note_store(&place.ty, &set, span, "the variable");
            }
            Rhs::Any | Rhs::AnyOf(_) => {}
        }
        Some(StmtKind::Assign {
            target: place,
            value,
        })
    }

    /// The right side of `=`.
    fn right_side(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Rhs> {
        let ast::ExprKind::Any(set) = &expr.kind else {
            return self.expr_of(scope, expr, ty, Some(because)).map(Rhs::Expr);
        };
        if let Type::Data(data) = ty.scalar()
            && matches!(set, ast::AnySet::All)
        {
            self.uses.arbitrary.insert(*data);
        }
        match set {
            ast::AnySet::All => {
                let count = ty.scalar().count(&self.program.data);
                self.choices(count, expr.span)?;
                Some(Rhs::Any)
            }
            ast::AnySet::Range(lo, hi) => {
                let lo_value = self.constant_int(scope, lo, "the bound of a range");
                let hi_value = self.constant_int(scope, hi, "the bound of a range");
                let (lo_value, hi_value) = (lo_value?, hi_value?);
                if ty.range().is_none() {
                    self.report(TypeProblem::Mismatch {
                        wanted: self.describe(ty),
                        found: "a choice of integers".into(),
                        span: expr.span,
                        because: Some(because),
                        hint: None,
                    });
                    return None;
                }
                if lo_value > hi_value {
                    self.report_value(TypeProblem::EmptyRange {
                        lo: lo_value,
                        hi: hi_value,
                        span: lo.span.to(hi.span),
                    });
                    return Some(Rhs::AnyRange(lo_value, lo_value))
                        .filter(|_| self.sampling || self.dead > 0);
                }
                self.choices(lo_value.abs_diff(hi_value).saturating_add(1), expr.span)?;
                Some(Rhs::AnyRange(lo_value, hi_value))
            }
            ast::AnySet::Of(set) => {
                let messages =
                    std::mem::replace(&mut scope.messages, Messages::ForbiddenIn("`any`"));
                let set: Vec<Option<Expr>> = set
                    .iter()
                    .map(|element| self.expr_of(scope, element, ty, Some(because.clone())))
                    .collect();
                scope.messages = messages;
                let set: Vec<Expr> = set.into_iter().collect::<Option<_>>()?;
                if set.is_empty() {
                    self.misplaced("`any()` has nothing to choose from", expr.span, None);
                    return None;
                }
                Some(Rhs::AnyOf(set))
            }
        }
    }

    fn choices(&mut self, count: u64, span: Span) -> Option<()> {
        if count <= limits::CHOICES {
            return Some(());
        }
        self.report(SizeProblem::Choices { count, span });
        None
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
