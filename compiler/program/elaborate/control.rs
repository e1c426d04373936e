//! `if` and `select`.

use super::Checker;
use super::body::Body;
use super::scope::Messages;
use crate::program::problem::ProcessProblem;
use crate::program::{Case, CaseKind, Expr, ExprKind, MessageOp, Stmt, StmtKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// `if c {} else {}`
    pub fn conditional(
        &mut self,
        body: &mut Body<'a>,
        condition: &'a ast::Expr,
        then: &'a ast::Block,
        otherwise: Option<&'a ast::Else>,
    ) -> Option<StmtKind> {
        let checked = self.condition(body, condition);
        let known = match checked.as_ref().map(|c| &c.kind) {
            Some(ExprKind::Const(Value::Bool(value))) => Some(*value),
            _ => None,
        };
        let then = self.possibly_dead(known == Some(false), |checker| checker.block(body, then));
        let otherwise: Vec<Stmt> =
            self.possibly_dead(known == Some(true), |checker| match otherwise {
                None => Vec::new(),
                Some(ast::Else::Block(block)) => checker.block(body, block),
                Some(ast::Else::If(stmt)) => {
                    let mut out = Vec::new();
                    checker.statement(body, stmt, &mut out);
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
    pub fn condition(&mut self, body: &mut Body<'a>, condition: &'a ast::Expr) -> Option<Expr> {
        let checked = self.expr_of(&mut body.scope, condition, &Type::Bool, None)?;
        self.note_condition(&body.scope, condition, &checked);
        Some(checked)
    }

    /// Elaborates something that may never be executed.
    pub fn possibly_dead<T>(&mut self, dead: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.dead += u32::from(dead);
        let result = f(self);
        self.dead -= u32::from(dead);
        result
    }

    /// `select { .. }`
    pub fn select(
        &mut self,
        body: &mut Body<'a>,
        span: Span,
        cases: &'a [ast::Case],
    ) -> Option<StmtKind> {
        if cases.is_empty() {
            self.report(ProcessProblem::EmptySelect { span });
            return None;
        }
        let mut checked = Vec::with_capacity(cases.len());
        let mut sound = true;
        let mut alternative: Option<(bool, Span)> = None;
        for case in cases {
            let timeout = match case.kind {
                ast::CaseKind::Timeout => Some(true),
                ast::CaseKind::Default => Some(false),
                _ => None,
            };
            if let Some(timeout) = timeout {
                if let Some((first, place)) = alternative {
                    self.report(ProcessProblem::CaseTwice {
                        text: match (first, timeout) {
                            (true, true) => "second `case timeout`",
                            (false, false) => "second `default`",
                            _ => "`case timeout` and `default` exclude each other",
                        },
                        span: head(case),
                        first: place,
                    });
                    sound = false;
                } else {
                    alternative = Some((timeout, head(case)));
                }
            }
            match self.case(body, case) {
                Some(case) => checked.push(case),
                None => sound = false,
            }
        }
        sound.then_some(StmtKind::Select(checked))
    }

    fn case(&mut self, body: &mut Body<'a>, case: &'a ast::Case) -> Option<Case> {
        let messages = std::mem::replace(
            &mut body.scope.messages,
            Messages::ForbiddenIn("a case of `select`"),
        );
        let kind = match &case.kind {
            ast::CaseKind::Timeout => Some(CaseKind::Timeout),
            ast::CaseKind::Default => Some(CaseKind::Default),
            ast::CaseKind::Error => {
                self.incomplete = true;
                None
            }
            ast::CaseKind::Message(message) => self.case_message(body, message),
        };
        let condition = match (&case.condition, &case.kind) {
            (None, _) => Some(None),
            (Some(condition), ast::CaseKind::Timeout | ast::CaseKind::Default) => {
                self.report(ProcessProblem::CaseCondition {
                    what: match case.kind {
                        ast::CaseKind::Timeout => "case timeout",
                        _ => "default",
                    },
                    span: condition.span,
                });
                None
            }
            (Some(condition), _) => self.condition(body, condition).map(Some),
        };
        body.scope.messages = messages;
        let never = matches!(
            condition.as_ref().and_then(|c| c.as_ref()).map(|c| &c.kind),
            Some(ExprKind::Const(Value::Bool(false)))
        );
        let block = self.possibly_dead(never, |checker| checker.block(body, &case.body));
        Some(Case {
            kind: kind?,
            condition: condition?,
            body: block,
            span: case.span,
        })
    }

    fn case_message(&mut self, body: &mut Body<'a>, message: &'a ast::Message) -> Option<CaseKind> {
        if message.op.is_expression() {
            self.report(ProcessProblem::CaseOperation {
                op: message.op.as_str(),
                span: message.keyword,
            });
            return None;
        }
        let checked = self.message(&mut body.scope, message)?;
        if checked.op == MessageOp::Send && !self.needs_buffer(&checked.channel, "case send") {
            return None;
        }
        Some(CaseKind::Message(checked))
    }
}

/// The part of a case before its block.
fn head(case: &ast::Case) -> Span {
    Span {
        end: case.body.span.start,
        ..case.span
    }
}
