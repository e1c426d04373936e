//! `select` and `await`.

use std::rc::Rc;

use super::Statements;
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{ProcessProblem, TimeProblem};
use crate::program::{Case, CaseKind, ExprKind, StmtKind, Value};
use crate::source::Span;
use crate::syntax::ast::{self, CaseItem};
use crate::vocabulary::MessageOp;

/// Where messaging expressions cannot stand.
pub const CASE: &str = "a case of `select`";

impl<'a> Statements<'_, 'a> {
    /// `select { .. }`
    pub fn select(&mut self, span: Span, items: &'a [CaseItem]) -> Option<StmtKind> {
        let mut cases = Cases::default();
        self.case_items(items, false, &mut cases);
        let Cases {
            checked, broken, ..
        } = cases;
        if checked.is_empty() && !broken {
            self.log.report(ProcessProblem::EmptySelect {
                span,
                written: !items.is_empty(),
            });
            return None;
        }
        (!broken).then_some(StmtKind::Select(checked))
    }

    /// `await e`: a `select` with one case.
    pub fn wait_for(&mut self, span: Span, condition: &'a ast::Expr) -> Option<StmtKind> {
        let context = self.exprs_without_messages("`await`").context;
        let condition = self.condition_in(context, condition)?;
        Some(StmtKind::Select(vec![Case {
            kind: CaseKind::If,
            condition: Some(condition),
            body: Vec::new(),
            span,
        }]))
    }

    fn case_items(&mut self, items: &'a [CaseItem], replicated: bool, cases: &mut Cases) {
        for item in items {
            match item {
                CaseItem::Case(case) => {
                    self.alternative(case, replicated, cases);
                    match self.case(case) {
                        Some(case) => cases.checked.push(case),
                        None => cases.broken = true,
                    }
                }
                CaseItem::For {
                    var,
                    over,
                    cases: inner,
                    ..
                } => self.replicated(var, over, inner, cases),
            }
        }
    }

    /// `for i in range a to b { cases }`: the cases once for each.
    fn replicated(
        &mut self,
        var: &'a ast::Name,
        over: &'a ast::Over,
        items: &'a [CaseItem],
        cases: &mut Cases,
    ) {
        let bindings = match over {
            ast::Over::Array(array) => self.elements(array),
            ast::Over::Range(from, to) => {
                let what = "the bound of replicated cases";
                let from = self.exprs().constant_int(from, what);
                let to = self.exprs().constant_int(to, what);
                match (from, to) {
                    (Some(a), Some(b)) if a < b && self.log.too_long((b - a) as u64, var.span) => {
                        None
                    }
                    (Some(a), Some(b)) => {
                        let value = |i| Binding::Value(Rc::new(Value::Int(i)));
                        Some((a..b).map(value).collect())
                    }
                    _ => None,
                }
            }
        };
        let copies = self.copies.clone();
        let written = bindings.as_ref().map_or(0, Vec::len);
        cases.broken |= bindings.is_none();
        let mut bindings = bindings.unwrap_or_else(|| vec![Binding::Broken]);
        if bindings.is_empty() {
            bindings.push(Binding::Value(Rc::new(Value::Int(0))));
        }
        // Cases that are written out for nothing are looked at all the same.
        let mut looked_at = Cases::default();
        for binding in bindings {
            if self.log.budget.exhausted {
                cases.broken = true;
                return;
            }
            self.log.count_iteration();
            self.scope.enter();
            self.depth += 1;
            self.declare(var, binding, Role::Loop);
            let into = if written == 0 {
                &mut looked_at
            } else {
                &mut *cases
            };
            self.possibly_dead(written == 0, |stmts| stmts.case_items(items, true, into));
            self.depth -= 1;
            self.scope.leave();
        }
        if written == 0 {
            self.forget_copies(copies);
        }
    }

    /// Of `timeout` and `default` there is at most one, not beside `after`, and none of them in a loop.
    fn alternative(&mut self, case: &ast::Case, replicated: bool, cases: &mut Cases) {
        let (what, timeout) = match case.kind {
            ast::CaseKind::Timeout => ("case timeout", true),
            ast::CaseKind::Default => ("default", false),
            ast::CaseKind::After(_) => ("case after", false),
            _ => return,
        };
        if replicated {
            self.log.report(ProcessProblem::ReplicatedAlternative {
                what,
                span: head(case),
            });
            cases.broken = true;
            return;
        }
        if let ast::CaseKind::After(_) = case.kind {
            let deadline = *cases.after.get_or_insert(head(case));
            if let Some((timeout, place)) = cases.alternative {
                self.beside(timeout, place, deadline, cases);
            }
        } else if let Some(deadline) = cases.after {
            self.beside(timeout, head(case), deadline, cases);
        } else if let Some((first, place)) = cases.alternative {
            self.log.report(ProcessProblem::CaseTwice {
                text: match (first, timeout) {
                    (true, true) => "second `case timeout`",
                    (false, false) => "second `default`",
                    _ => "`case timeout` and `default` exclude each other",
                },
                span: head(case),
                first: place,
            });
            cases.broken = true;
        } else {
            cases.alternative = Some((timeout, head(case)));
        }
    }

    /// `case timeout` or `default` beside `case after`.
    fn beside(&mut self, timeout: bool, span: Span, after: Span, cases: &mut Cases) {
        let what = if timeout {
            "`case timeout`"
        } else {
            "`default`"
        };
        self.log.report(TimeProblem::Beside { what, span, after });
        cases.broken = true;
    }

    fn case(&mut self, case: &'a ast::Case) -> Option<Case> {
        let kind = match &case.kind {
            ast::CaseKind::If => Some(CaseKind::If),
            ast::CaseKind::Timeout => Some(CaseKind::Timeout),
            ast::CaseKind::After(deadline) => self.after(case, deadline),
            ast::CaseKind::Default => Some(CaseKind::Default),
            ast::CaseKind::Error => {
                self.log.incomplete = true;
                None
            }
            ast::CaseKind::Message(message) => self.case_message(message),
        };
        let condition = match &case.condition {
            _ if matches!(case.kind, ast::CaseKind::After(_)) => Some(None),
            None => Some(None),
            Some(condition) => {
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

/// The cases of a `select` so far.
#[derive(Default)]
struct Cases {
    checked: Vec<Case>,
    /// `timeout` (true) or `default`, and where.
    alternative: Option<(bool, Span)>,
    /// The first `case after`.
    after: Option<Span>,
    /// Whether one of them is faulty and has been reported.
    broken: bool,
}

/// The part of a case before its block.
fn head(case: &ast::Case) -> Span {
    Span {
        end: case.body.span.start,
        ..case.span
    }
}
