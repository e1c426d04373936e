//! `select`

use super::Statements;
use crate::program::problem::ProcessProblem;
use crate::program::{Case, CaseKind, ExprKind, StmtKind, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::MessageOp;

/// Where messaging expressions cannot stand.
const CASE: &str = "a case of `select`";

impl<'a> Statements<'_, 'a> {
    /// `select { .. }`
    pub fn select(&mut self, span: Span, cases: &'a [ast::Case]) -> Option<StmtKind> {
        if cases.is_empty() {
            self.log.report(ProcessProblem::EmptySelect { span });
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
                    self.log.report(ProcessProblem::CaseTwice {
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
            match self.case(case) {
                Some(case) => checked.push(case),
                None => sound = false,
            }
        }
        sound.then_some(StmtKind::Select(checked))
    }

    fn case(&mut self, case: &'a ast::Case) -> Option<Case> {
        let kind = match &case.kind {
            ast::CaseKind::Timeout => Some(CaseKind::Timeout),
            ast::CaseKind::Default => Some(CaseKind::Default),
            ast::CaseKind::Error => {
                self.log.incomplete = true;
                None
            }
            ast::CaseKind::Message(message) => self.case_message(message),
        };
        let condition = match (&case.condition, &case.kind) {
            (None, _) => Some(None),
            (Some(condition), ast::CaseKind::Timeout | ast::CaseKind::Default) => {
                self.log.report(ProcessProblem::CaseCondition {
                    what: match case.kind {
                        ast::CaseKind::Timeout => "case timeout",
                        _ => "default",
                    },
                    span: condition.span,
                });
                None
            }
            (Some(condition), _) => {
                let context = self.exprs_without_messages(CASE).context;
                self.condition_in(context, condition).map(Some)
            }
        };
        let never = matches!(
            condition.as_ref().and_then(|c| c.as_ref()).map(|c| &c.kind),
            Some(ExprKind::Const(Value::Bool(false)))
        );
        let block = self.possibly_dead(never, |stmts| stmts.block(&case.body));
        Some(Case {
            kind: kind?,
            condition: condition?,
            body: block,
            span: case.span,
        })
    }

    fn case_message(&mut self, message: &'a ast::Message) -> Option<CaseKind> {
        if message.op.is_expression() {
            self.log.report(ProcessProblem::CaseOperation {
                op: message.op.as_str(),
                span: message.keyword,
            });
            return None;
        }
        let checked = self.exprs_without_messages(CASE).message(message)?;
        if checked.op == MessageOp::Send
            && !self.exprs().needs_buffer(&checked.channel, "case send")
        {
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
