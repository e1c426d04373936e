//! `break`, `continue` and `goto`.

use super::Statements;
use crate::program::problem::{Lint, ProcessProblem};
use crate::program::{LabelCopy, StmtKind};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::LabelId;

impl<'a> Statements<'_, 'a> {
    /// `goto L`: to the current copy of the label.
    pub fn goto(&self, name: &ast::Name) -> Option<StmtKind> {
        if self.outline.bad_jumps.contains(&name.span) {
            return None;
        }
        let label = self.outline.label_ids[name.text.as_str()];
        let label = LabelId(self.first_label + label.0);
        Some(StmtKind::Goto(LabelCopy {
            label,
            copy: self.copies[label.0 as usize] - 1,
        }))
    }

    /// `break`, `continue`
    pub fn jump_out(&mut self, span: Span, what: &'static str) -> Option<StmtKind> {
        if what == "break" && self.switches.last() == Some(&self.loops.len()) {
            self.log.report(Lint::BreakInSwitch { span });
        }
        match self.loops.last() {
            Some((leave, _)) if what == "break" => Some(StmtKind::Break(*leave)),
            Some((_, next)) => Some(StmtKind::Continue(*next)),
            None => {
                self.log.report(ProcessProblem::OutsideLoop { what, span });
                None
            }
        }
    }
}
