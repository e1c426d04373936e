//! `if`, and what constants make unreachable.

use super::Statements;
use crate::program::elaborate::expr::Context;
use crate::program::{Expr, ExprKind, Stmt, StmtKind, Type, Value};
use crate::syntax::ast;

impl<'a> Statements<'_, 'a> {
    /// `if c {} else {}`
    pub fn conditional(
        &mut self,
        condition: &'a ast::Expr,
        then: &'a ast::Block,
        otherwise: Option<&'a ast::Else>,
    ) -> Option<StmtKind> {
        let checked = self.condition(condition);
        let known = match checked.as_ref().map(|c| &c.kind) {
            Some(ExprKind::Const(Value::Bool(value))) => Some(*value),
            _ => None,
        };
        let then = self.possibly_dead(known == Some(false), |stmts| stmts.block(then));
        let otherwise: Vec<Stmt> =
            self.possibly_dead(known == Some(true), |stmts| match otherwise {
                None => Vec::new(),
                Some(ast::Else::Block(block)) => stmts.block(block),
                Some(ast::Else::If(stmt)) => {
                    let mut out = Vec::new();
                    stmts.statement(stmt, &mut out);
                    out
                }
            });
        Some(StmtKind::If {
            condition: checked?,
            then,
            otherwise,
        })
    }

    /// The condition of `if` or `for`.
    pub fn condition(&mut self, condition: &'a ast::Expr) -> Option<Expr> {
        let context = self.exprs().context;
        self.condition_in(context, condition)
    }

    /// A condition in a certain context.
    pub fn condition_in(&mut self, context: Context, condition: &'a ast::Expr) -> Option<Expr> {
        let mut exprs = self.exprs();
        exprs.context = context;
        let checked = exprs.expr_of(condition, &Type::Bool, None)?;
        exprs.note_condition(condition, &checked);
        Some(checked)
    }

    /// Elaborates something that may never be executed.
    pub fn possibly_dead<T>(&mut self, dead: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.log.dead += u32::from(dead);
        let result = f(self);
        self.log.dead -= u32::from(dead);
        result
    }
}
