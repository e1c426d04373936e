//! Timers, `case after` and `sleep`.

use super::Statements;
use super::select::CASE;
use crate::program::elaborate::expr::unparenthesised;
use crate::program::problem::TimeProblem;
use crate::program::time::LONGEST;
use crate::program::{Case, CaseKind, Deadline, Expr, ExprKind, Rhs, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

/// Whether an expression is written like `sleep(2)`; a function of that name hides it.
pub fn is_sleep(expr: &ast::Expr) -> bool {
    matches!(&unparenthesised(expr).kind, ast::ExprKind::Call(name, _) if name.text == "sleep")
}

impl<'a> Statements<'_, 'a> {
    /// The type of a timer, or of an array of them, as large as it is taken to be.
    pub fn timer_type(&mut self, written: &'a ast::Type, declared: Span) -> Option<Type> {
        match &written.kind {
            TypeKind::Named(name) if self.exprs().means_timer(name) => {
                if !self.log.sampling {
                    self.log.uses.clock = true;
                }
                let hi = self.log.timers.most(self.process, declared);
                Some(Type::Int { lo: 0, hi })
            }
            TypeKind::Array(Some(length), element) => {
                let element = self.timer_type(element, declared)?;
                let length = self.exprs().array_length(length)?;
                Some(Type::Array(Box::new(element), length))
            }
            _ => None,
        }
    }

    /// Complains about `any` as what a timer is set to: which values are there?
    pub fn any_timer(&mut self, value: &ast::Expr, declared: Span) -> bool {
        let any = matches!(value.kind, ast::ExprKind::Any(ast::AnySet::All));
        if any {
            self.log.report(TimeProblem::AnyTimer {
                span: value.span,
                declared,
            });
        }
        any
    }

    /// `case after e`
    pub fn after(&mut self, case: &'a ast::Case, written: &'a ast::Expr) -> Option<CaseKind> {
        if let Some(condition) = &case.condition {
            self.log.report(TimeProblem::Condition {
                span: condition.span,
            });
            return None;
        }
        let deadline = self.exprs_without_messages(CASE).expr(written, None)?;
        let deadline = self.deadline(deadline, written.span)?;
        if deadline.is_none() {
            self.log.report(TimeProblem::NoTimer { span: written.span });
        }
        deadline.map(CaseKind::After)
    }

    /// When something waits no longer; the inner one is `None` if it is neither a timer nor constant.
    fn deadline(&mut self, e: Expr, span: Span) -> Option<Option<Deadline>> {
        if let Some(ticks) = e.as_int() {
            return self
                .ticks(ticks, span)
                .then_some(Some(Deadline::Ticks(ticks)));
        }
        let mut inner = &e;
        while let ExprKind::Index(base, index) = &inner.kind {
            if index.as_int().is_none() {
                return Some(None);
            }
            inner = base;
        }
        let timer = matches!(inner.kind, ExprKind::Variable(id) if self.variables.get(id).timer);
        let single = matches!(e.ty, Type::Int { .. });
        Some((timer && single).then_some(Deadline::Timer(e)))
    }

    /// Whether a number is one of ticks.
    fn ticks(&mut self, ticks: i64, span: Span) -> bool {
        if self.log.sampling {
            return true;
        }
        self.log.uses.clock = true;
        let sound = (0..=LONGEST).contains(&ticks);
        if !sound {
            self.log
                .report_value(TimeProblem::Ticks { found: ticks, span });
        }
        sound || self.log.hypothetical()
    }

    /// `sleep(e)`: of a constant or a timer a `select` with one case.
    pub fn sleep(&mut self, call: &'a ast::Expr) -> Option<StmtKind> {
        let ast::ExprKind::Call(_, arguments) = &unparenthesised(call).kind else {
            return None;
        };
        let wrong = |text: &str, span| TimeProblem::Sleep {
            text: text.to_owned(),
            span,
        };
        let [argument] = arguments.as_slice() else {
            self.exprs().checked_arguments(arguments);
            self.log
                .report(wrong("`sleep` takes one argument", call.span));
            return None;
        };
        if let ast::ExprKind::Any(ast::AnySet::All) = argument.kind {
            let text = "`any` has no largest number of ticks to choose from";
            self.log.report(wrong(text, argument.span));
            return None;
        }
        let integer = Type::Int { lo: 0, hi: LONGEST };
        let because = (call.span, "`sleep` waits for so many ticks".to_owned());
        let mut exprs = self.exprs_without_messages("`sleep`");
        let value = exprs.right_side(argument, &integer, because)?;
        let value = match value {
            Rhs::Expr(e) => match self.deadline(e.clone(), argument.span)? {
                Some(deadline) => {
                    return Some(StmtKind::Select(vec![Case {
                        kind: CaseKind::After(deadline),
                        condition: None,
                        body: Vec::new(),
                        span: call.span,
                    }]));
                }
                None => Rhs::Expr(e),
            },
            Rhs::AnyRange(lo, hi) => {
                (self.ticks(lo, argument.span) && self.ticks(hi, argument.span)).then_some(())?;
                Rhs::AnyRange(lo, hi)
            }
            other => other,
        };
        if !self.log.sampling {
            self.log.uses.clock = true;
        }
        Some(StmtKind::Sleep(value))
    }
}
