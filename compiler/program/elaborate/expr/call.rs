//! Calls: the functions of specifications.

use super::{Expressions, Site};
use crate::program::Expr;
use crate::program::problem::NameProblem;
use crate::source::Span;
use crate::syntax::ast::{self};
use crate::vocabulary::MessageOp;

impl<'a> Expressions<'_, 'a> {
    pub fn call(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        if matches!(name.text.as_str(), "len" | "full" | "empty") {
            if matches!(self.context.site, Site::Spec(_)) {
                return self.buffer_state(span, name, arguments);
            }
            self.log.misplaced(
                format!("`{}` is for specifications", name.text),
                span,
                Some("use `nonblock_recv` or `nonblock_send` to ask whether an operation can go"),
            );
            return None;
        }
        let operations = MessageOp::ALL.iter().map(|op| op.as_str());
        let suggestion = match self.context.site {
            Site::Process => self.log.near(&name.text, operations),
            Site::Spec(_) => self.log.near(&name.text, ["len", "full", "empty"]),
            Site::Constant => None,
        };
        let hint = match self.context.site {
            Site::Spec(_) => ast::temporal_hint(&name.text),
            Site::Process | Site::Constant => None,
        };
        self.log.report(NameProblem::UnknownFunction {
            name: name.text.clone(),
            span: name.span,
            suggestion,
            hint,
        });
        None
    }
}
