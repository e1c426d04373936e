//! Where messaging expressions may stand.

use crate::program::elaborate::expr::{Expressions, Messages, Site};
use crate::program::problem::ProcessProblem;
use crate::syntax::{ast, print};

impl<'a> Expressions<'_, 'a> {
    /// Reports a messaging expression that cannot stand where it does.
    pub fn message_allowed(&mut self, message: &ast::Message) -> bool {
        match (self.context.site, self.context.messages) {
            (Site::Constant | Site::Spec(_), _) => {
                self.log.misplaced(
                    format!(
                        "`{}` can only be performed by a process",
                        message.op.as_str()
                    ),
                    message.span,
                    None,
                );
                false
            }
            (Site::Process, Messages::Allowed) => true,
            (Site::Process, Messages::RightOf(op)) => {
                self.log.report(ProcessProblem::ShortCircuit {
                    op: op.as_str(),
                    operation: message.op.as_str(),
                    message: print::message(message),
                    span: message.span,
                });
                false
            }
            (Site::Process, Messages::ForbiddenIn(place)) => {
                self.log.misplaced(
                    format!("`{}` cannot stand in {place}", message.op.as_str()),
                    message.span,
                    Some("store its result in a variable before"),
                );
                false
            }
        }
    }
}
