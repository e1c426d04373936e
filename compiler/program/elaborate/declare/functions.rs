//! Functions: which call themselves, and which are pure.
//!
//! A pure function has a result, parameters that are values, and a body that only computes; whether it is one is seen from its text
//! alone, so that a call means the same everywhere.

use super::order::dependency_order;
use super::{Declarations, ParameterKind, names_in};
use crate::program::elaborate::log::Log;
use crate::program::problem::FunctionProblem;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, Flow, Part, StmtKind};

/// Reports functions that call themselves, and marks those that lead to one.
pub fn find_cycles(decls: &mut Declarations<'_>, log: &mut Log) {
    let all = numbered(decls);
    let calls: Vec<Vec<usize>> = all
        .iter()
        .map(|(unit, id)| {
            let mut found = Vec::new();
            let body = &decls.units[*unit].funcs[*id].proc.ast.body;
            calls_in_block(body, &mut |name| {
                found.extend(number(decls, &all, *unit, &name.text));
            });
            found
        })
        .collect();
    let order = dependency_order(all.len(), &calls);
    for cycle in &order.cycles {
        let name = |n: &usize| &decls.units[all[*n].0].funcs[all[*n].1].proc.ast.name;
        log.report(FunctionProblem::Cycle {
            names: cycle.iter().map(|n| name(n).text.clone()).collect(),
            span: name(&cycle[0]).span,
        });
    }
    for ((unit, id), faulty) in all.iter().zip(&order.faulty) {
        decls.units[*unit].funcs[*id].cyclic = *faulty;
    }
    // Those that are called come before those that call them.
    for n in order.order {
        let (unit, id) = all[n];
        decls.function_order.push((unit, id));
    }
}

/// Finds out which functions are pure; those that they call have been found out before.
pub fn find_pure(decls: &mut Declarations<'_>) {
    for (unit, id) in decls.function_order.clone() {
        let steps = steps(decls, unit, id);
        decls.units[unit].funcs[id].steps = steps;
    }
}

/// All functions, as unit and position.
fn numbered(decls: &Declarations<'_>) -> Vec<(usize, usize)> {
    let units = decls.units.iter().enumerate();
    units
        .flat_map(|(unit, declared)| (0..declared.funcs.len()).map(move |id| (unit, id)))
        .collect()
}

fn number(
    decls: &Declarations<'_>,
    all: &[(usize, usize)],
    unit: usize,
    name: &str,
) -> Option<usize> {
    let found = [unit, 0].into_iter().find_map(|unit| {
        let id = decls.units[unit].func_ids.get(name)?;
        Some((unit, *id))
    })?;
    all.iter().position(|f| *f == found)
}

/// What in a function takes a step, or makes it unfit for an expression otherwise.
fn steps(decls: &Declarations<'_>, unit: usize, id: usize) -> Option<(&'static str, Span)> {
    let func = &decls.units[unit].funcs[id];
    let proc = func.proc.ast;
    if func.result.is_none() {
        return Some(("it returns nothing", proc.name.span));
    }
    for param in &proc.params {
        if !matches!(decls.parameter_kind(unit, &param.ty), ParameterKind::Value) {
            return Some(("this parameter is no value", param.name.span));
        }
    }
    let body = Body {
        decls,
        unit,
        params: &proc.params,
        variables: &func.proc.outline.variables,
    };
    body.block(&proc.body)
}

struct Body<'b, 'a> {
    decls: &'b Declarations<'a>,
    unit: usize,
    params: &'a [ast::Param],
    variables: &'b rustc_hash::FxHashMap<&'a str, Vec<Span>>,
}

type Step = Option<(&'static str, Span)>;

impl Body<'_, '_> {
    fn block(&self, block: &ast::Block) -> Step {
        block.stmts.iter().find_map(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &ast::Stmt) -> Step {
        let takes = match &stmt.kind {
            StmtKind::Const(_)
            | StmtKind::Var { durable: false, .. }
            | StmtKind::Assign { .. }
            | StmtKind::AssignAll { .. }
            | StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Block(_)
            | StmtKind::Return(_)
            | StmtKind::Error => None,
            StmtKind::ForIn { .. } => None,
            StmtKind::ForRange { from, to, .. } if self.is_fixed(from) && self.is_fixed(to) => None,
            StmtKind::ForRange { .. } => Some("this loop has no constant bounds"),
            StmtKind::While { .. } => Some("this loop is not unrolled"),
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => Some("this jump"),
            _ => Some("this statement is a step"),
        };
        if let Some(why) = takes {
            return Some((why, stmt.span));
        }
        let mut found = None;
        exprs_of(stmt, &mut |expr| {
            found = found.or_else(|| self.expr(expr));
        });
        found.or_else(|| match stmt.kind.flow() {
            Flow::On | Flow::Away => None,
            Flow::Branches { blocks, .. } => blocks.into_iter().find_map(|b| self.block(b)),
            Flow::Loop { body, .. } => self.block(body),
            Flow::Labelled(inner) => self.stmt(inner),
        })
    }

    /// Whether an expression is made of constants: of no parameter and of no variable.
    fn is_fixed(&self, expr: &ast::Expr) -> bool {
        let mut fixed = true;
        names_in(expr, &mut |name, _| {
            let own = self.params.iter().any(|param| param.name.text == name);
            fixed &= !own && !self.variables.contains_key(name);
        });
        fixed
    }

    fn expr(&self, expr: &ast::Expr) -> Step {
        let mut found = None;
        walk(expr, &mut |e| {
            let here = match &e.kind {
                ExprKind::Message(_) => Some("this operation is a step"),
                ExprKind::Any(_) => Some("this choice is a step"),
                ExprKind::Call(name, _) => self
                    .decls
                    .func(self.unit, &name.text)
                    .filter(|(_, func)| func.steps.is_some())
                    .map(|_| "this call takes steps"),
                _ => None,
            };
            if let (None, Some(why)) = (found, here) {
                found = Some((why, e.span));
            }
        });
        found
    }
}

/// Calls `f` with the name of everything that is called in a block.
fn calls_in_block<'a>(block: &'a ast::Block, f: &mut impl FnMut(&'a ast::Name)) {
    for stmt in &block.stmts {
        calls_in_stmt(stmt, f);
    }
}

fn calls_in_stmt<'a>(stmt: &'a ast::Stmt, f: &mut impl FnMut(&'a ast::Name)) {
    exprs_of(stmt, &mut |expr| {
        walk(expr, &mut |e| {
            if let ExprKind::Call(name, _) = &e.kind {
                f(name);
            }
        });
    });
    match stmt.kind.flow() {
        Flow::On | Flow::Away => {}
        Flow::Branches { blocks, .. } => blocks.into_iter().for_each(|b| calls_in_block(b, f)),
        Flow::Loop { body, .. } => calls_in_block(body, f),
        Flow::Labelled(inner) => calls_in_stmt(inner, f),
    }
}

/// Calls `f` with the expressions of a statement itself, not with those of the blocks in it.
fn exprs_of<'a>(stmt: &'a ast::Stmt, f: &mut dyn FnMut(&'a ast::Expr)) {
    stmt.kind.parts(&mut |part| match part {
        Part::Const(constant) => f(&constant.value),
        Part::Expr(expr) => f(expr),
        Part::Message(message) => message.args.iter().for_each(&mut *f),
        Part::Else(ast::Else::If(inner)) => exprs_of(inner, f),
        Part::Case(item) => {
            for case in ast::written(std::slice::from_ref(item)) {
                match &case.kind {
                    ast::CaseKind::Message(message) => message.args.iter().for_each(&mut *f),
                    ast::CaseKind::After(deadline) => f(deadline),
                    _ => {}
                }
                case.condition.iter().for_each(&mut *f);
            }
        }
        _ => {}
    });
}

/// Calls `f` with an expression and with all that it is made of.
fn walk<'a>(expr: &'a ast::Expr, f: &mut dyn FnMut(&'a ast::Expr)) {
    f(expr);
    match &expr.kind {
        ExprKind::Paren(e)
        | ExprKind::Unary(_, e)
        | ExprKind::Field(e, _, _)
        | ExprKind::At(e, _)
        | ExprKind::Temporal(_, e)
        | ExprKind::Path(_, e) => walk(e, f),
        ExprKind::Binary(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Any(ast::AnySet::Range(a, b)) => {
            walk(a, f);
            walk(b, f);
        }
        ExprKind::Array(elements)
        | ExprKind::Call(_, elements)
        | ExprKind::Any(ast::AnySet::Of(elements)) => elements.iter().for_each(|e| walk(e, f)),
        ExprKind::Group(_, elements, body) => {
            elements.iter().for_each(|e| walk(e, f));
            walk(body, f);
        }
        ExprKind::Message(message) => message.args.iter().for_each(|e| walk(e, f)),
        ExprKind::Quantified { from, to, body, .. } => {
            [from, to, body].into_iter().for_each(|e| walk(e, f));
        }
        _ => {}
    }
}
