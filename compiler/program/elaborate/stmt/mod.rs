//! The third phase: the body of every process instance. One file per kind of statement; [`Statements::kind`]
//! sends each to its own.

mod assign;
mod atomic;
mod call;
mod conditional;
mod jump;
mod loops;
mod select;
mod switch;
mod time;
mod variable;

use rustc_hash::FxHashMap;

use super::declare::{Declarations, FuncDecl, Outline};
use super::expr::{Context, Expressions, Site};
use super::init::Instances;
use super::log::Log;
use super::scope::{Binding, Role, Scope};
use crate::program::problem::ProcessProblem;
use crate::program::{Label, LabelCopy, LoopId, Stmt, StmtKind, Type, Variable, VariableId};
use crate::source::Span;
use crate::syntax::ast::{self, StmtKind as Ast};
use crate::vocabulary::LabelId;
use crate::vocabulary::{MessageOp, ProcessId, is_progress};
use time::is_sleep;

/// The variables of all processes.
#[derive(Default)]
pub struct Variables {
    pub list: Vec<Variable>,
    /// For each process, its variables by the place of the declaration.
    declared: Vec<FxHashMap<Span, VariableId>>,
    /// For each process its labels: those of its proc, then those of the functions it calls.
    labels: Vec<Vec<Label>>,
}

/// Where there are none yet.
pub static NO_VARIABLES: Variables = Variables {
    list: Vec::new(),
    declared: Vec::new(),
    labels: Vec::new(),
};

impl Variables {
    /// Adds a variable.
    pub fn add(&mut self, variable: Variable) -> VariableId {
        self.list.push(variable);
        VariableId(self.list.len() as u32 - 1)
    }

    /// A variable.
    pub fn get(&self, id: VariableId) -> &Variable {
        &self.list[id.0 as usize]
    }

    /// The variable of a process that is declared at a place, if its body has been there.
    pub fn declared_at(&self, process: ProcessId, span: Span) -> Option<VariableId> {
        self.declared.get(process.0 as usize)?.get(&span).copied()
    }

    /// The labels of a process, if its body has been elaborated.
    pub fn labels(&self, process: ProcessId) -> &[Label] {
        self.labels
            .get(process.0 as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a statement of some process is labelled as progress.
    pub fn have_progress(&self) -> bool {
        let mut labels = self.labels.iter().flatten();
        labels.any(|label| is_progress(&label.name))
    }

    /// Forgets later processes and variables.
    pub fn truncate(&mut self, processes: usize, variables: usize) {
        self.labels.truncate(processes);
        self.declared.truncate(processes);
        self.list.truncate(variables);
    }
}

/// Elaborates the bodies of all processes.
pub fn bodies<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    log: &mut Log,
) -> (Variables, Vec<Vec<Stmt>>) {
    let mut variables = Variables::default();
    let mut all = Vec::with_capacity(made.processes.len());
    for index in 0..made.processes.len() {
        if log.budget.exhausted {
            break;
        }
        all.push(body(
            decls,
            made,
            &mut variables,
            log,
            ProcessId(index as u32),
            None,
        ));
    }
    (variables, all)
}

/// Elaborates the body of one process; of a sample, perhaps that of a function.
pub fn body<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    variables: &mut Variables,
    log: &mut Log,
    process: ProcessId,
    func: Option<&'a FuncDecl<'a>>,
) -> Vec<Stmt> {
    let instance = &made.instances[process.0 as usize];
    let (proc, outline) = (instance.proc.ast, &instance.proc.outline);
    let mut scope = Scope::new(instance.frame);
    scope.lost = outline.lost;
    let mut own = FxHashMap::default();
    for (param, local) in proc.params.iter().zip(&instance.arguments) {
        let binding = match &local.binding {
            Binding::Free(free) => {
                let span = param.name.span;
                log.count_state(free.ty.scalars(), span);
                let id = variables.add(Variable {
                    process,
                    name: param.name.text.clone(),
                    initial: free.ty.filled(&free.values[0]),
                    starts: free.values.clone(),
                    ty: free.ty.clone(),
                    durable: true,
                    timer: false,
                    counter: false,
                    span,
                });
                own.insert(span, id);
                Binding::Variable(id)
            }
            other => other.clone(),
        };
        scope.bind(&param.name.text, binding, Role::Parameter, param.name.span);
    }
    log.uses.checked.insert(proc.name.span);
    log.process =
        (!proc.params.is_empty()).then(|| made.processes[process.0 as usize].name.clone());
    let mut statements = Statements {
        decls,
        made,
        variables,
        log,
        scope,
        process,
        outline,
        own,
        loops: Vec::new(),
        switches: Vec::new(),
        next_loop: 0,
        copies: vec![0; outline.labels.len()],
        labels: outline.labels.clone(),
        first_label: 0,
        function_labels: FxHashMap::default(),
        call: None,
        begun: false,
        depth: 0,
    };
    if let Some(func) = func {
        statements.sample_call(func);
    }
    let stmts = statements.statements(&proc.body);
    let (own, labels) = (statements.own, statements.labels);
    log.process = None;
    debug_assert_eq!(variables.declared.len(), process.0 as usize);
    variables.declared.push(own);
    variables.labels.push(labels);
    stmts
}

/// A body being elaborated.
pub struct Statements<'c, 'a> {
    decls: &'a Declarations<'a>,
    made: &'c Instances<'a>,
    variables: &'c mut Variables,
    log: &'c mut Log,
    scope: Scope<'a>,
    process: ProcessId,
    outline: &'a Outline<'a>,
    /// Its variables by the place of the declaration.
    own: FxHashMap<Span, VariableId>,
    /// For `break` and `continue`, innermost last.
    loops: Vec<(LoopId, LoopId)>,
    /// For each `switch` around, how many loops were around it.
    switches: Vec<usize>,
    next_loop: u32,
    /// How many copies each label has so far; the last one is the current one.
    copies: Vec<u32>,
    /// The labels of the process.
    labels: Vec<Label>,
    /// Where those of the body that is looked at begin among them.
    first_label: u32,
    /// Where those of each function begin that has been called.
    function_labels: FxHashMap<Span, u32>,
    /// The function that is written out, if it is one.
    call: Option<call::Written<'a>>,
    /// Whether statements have come before, at the top of the body.
    begun: bool,
    /// How deep in blocks.
    depth: u32,
}

impl<'a> Statements<'_, 'a> {
    /// For the expressions of a statement.
    fn exprs(&mut self) -> Expressions<'_, 'a> {
        Expressions {
            decls: self.decls,
            made: self.made,
            variables: self.variables,
            log: self.log,
            scope: &mut self.scope,
            context: Context::new(Site::Process),
        }
    }

    /// For expressions in which no messaging expression may stand.
    fn exprs_without_messages(&mut self, construct: &'static str) -> Expressions<'_, 'a> {
        let mut exprs = self.exprs();
        exprs.context = exprs.context.without_messages(construct);
        exprs
    }

    /// Declares a name in the innermost block.
    fn declare(&mut self, name: &'a ast::Name, binding: Binding, role: Role) {
        self.scope.declare(self.log, name, binding, role);
    }

    /// A new loop.
    fn new_loop(&mut self) -> LoopId {
        self.next_loop += 1;
        LoopId(self.next_loop - 1)
    }

    /// A block with a scope of its own.
    pub fn block(&mut self, block: &'a ast::Block) -> Vec<Stmt> {
        self.scope.enter();
        self.depth += 1;
        let stmts = self.statements(block);
        self.depth -= 1;
        self.scope.leave();
        stmts
    }

    fn statements(&mut self, block: &'a ast::Block) -> Vec<Stmt> {
        if !self.outline.labels.is_empty() {
            let outline = self.outline;
            for id in outline.block_labels.get(&block.span).into_iter().flatten() {
                self.copies[(self.first_label + id.0) as usize] += 1;
            }
        }
        let mut out = Vec::with_capacity(block.stmts.len());
        for stmt in &block.stmts {
            if self.log.budget.exhausted {
                break;
            }
            self.statement(stmt, &mut out);
            if self.depth == 0
                && !matches!(stmt.kind, Ast::Const(_) | Ast::Var { durable: true, .. })
            {
                self.begun = true;
            }
        }
        out
    }

    /// One statement with its labels.
    pub fn statement(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) {
        let mut labels = Vec::new();
        let mut inner = stmt;
        let mut label = None;
        while let Ast::Labelled(name, labelled) = &inner.kind {
            self.log.legal_name(name, false);
            if let Some(id) = self.outline.label_ids.get(name.text.as_str())
                && self.outline.labels[id.0 as usize].span == name.span
            {
                let id = LabelId(self.first_label + id.0);
                labels.push(LabelCopy {
                    label: id,
                    copy: self.copies[id.0 as usize] - 1,
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
        if !self.log.count_statement(stmt.span) {
            return;
        }
        let kind = self.kind(inner);
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
        self.log.report(ProcessProblem::EmptyLabel {
            name: name.text.clone(),
            span: name.span,
        });
    }

    fn kind(&mut self, stmt: &'a ast::Stmt) -> Option<StmtKind> {
        match &stmt.kind {
            Ast::Const(constant) => {
                self.local_constant(constant);
                None
            }
            Ast::Var {
                durable,
                name,
                ty,
                init,
            } => self.variable(*durable, name, ty, init.as_ref()),
            Ast::Assign { target, op, value } => self.assignment(stmt.span, target, *op, value),
            Ast::AssignAll {
                targets,
                op,
                values,
            } => self.assign_all(stmt.span, targets, *op, values),
            Ast::If {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then, otherwise.as_ref()),
            Ast::Block(block) => Some(StmtKind::Block(self.block(block))),
            Ast::While {
                condition,
                body: block,
            } => self.while_loop(condition.as_ref(), block),
            Ast::ForIn {
                var,
                array,
                body: block,
            } => self.for_in(var, array, block),
            Ast::ForRange {
                var,
                from,
                to,
                body: block,
            } => self.for_range(var, (from, to), block),
            Ast::Break => self.jump_out(stmt.span, "break"),
            Ast::Continue => self.jump_out(stmt.span, "continue"),
            Ast::Goto(name) => self.goto(name),
            Ast::Labelled(..) => None,
            Ast::Return(value) => self.return_from(stmt.span, value.as_ref()),
            Ast::Skip => Some(StmtKind::Skip),
            Ast::Choice(blocks) => Some(StmtKind::Choice(
                blocks.iter().map(|block| self.block(block)).collect(),
            )),
            Ast::Fair(stmt) => Some(StmtKind::Fair(Box::new(Stmt {
                kind: self.kind(stmt)?,
                labels: Vec::new(),
                span: stmt.span,
            }))),
            Ast::Select(cases) => self.select(stmt.span, cases),
            Ast::Switch { subject, cases } => self.switch(subject, cases, stmt.span),
            Ast::Message(message) => self.exprs().message(message).map(StmtKind::Message),
            Ast::Assert(condition) => self
                .exprs()
                .expr_of(condition, &Type::Bool, None)
                .map(StmtKind::Assert),
            Ast::Atomic(block) => self.atomic(stmt.span, block),
            Ast::Await(condition) => self.wait_for(stmt.span, condition),
            Ast::Expr(expr) => match self.called(expr) {
                Some((name, arguments, unit, func)) => {
                    self.call_alone(expr.span, name, arguments, unit, func)
                }
                None if is_sleep(expr) => self.sleep(expr),
                None => {
                    self.bare_expression(expr);
                    None
                }
            },
            Ast::Error => {
                self.log.incomplete = true;
                None
            }
        }
    }

    fn bare_expression(&mut self, expr: &'a ast::Expr) {
        match &expr.kind {
            ast::ExprKind::Call(name, _) => {
                let units = &self.decls.units;
                let is_proc = units.iter().any(|unit| unit.proc(&name.text).is_some());
                let operations = MessageOp::ALL.iter().map(|op| op.as_str());
                let known = units.iter().flat_map(|unit| unit.func_ids.keys().copied());
                let all = operations.chain(["assert", "sleep"]).chain(known);
                let suggestion = self.log.near(&name.text, all);
                self.log.report(ProcessProblem::UnknownOperation {
                    name: name.text.clone(),
                    span: name.span,
                    suggestion,
                    is_proc,
                });
            }
            ast::ExprKind::Error => self.log.incomplete = true,
            _ => self
                .log
                .report(ProcessProblem::NotAStatement { span: expr.span }),
        }
    }
}
