//! `atomic { .. }`: its statements are lowered as always; the locations between them are marked, and weaving makes one edge of each
//! way through them.

use super::value::Values;
use super::{Lowerer, Node};
use crate::program::Stmt;
use crate::source::Span;
use crate::system::LocationKind;

impl Lowerer<'_> {
    /// `first` says whether it is itself the first statement of another one.
    pub(super) fn atomic(&mut self, stmts: &[Stmt], first: bool, span: Span, next: Node) -> Node {
        let first_new = self.nodes.len();
        self.first = first || self.atomic == 0;
        self.atomic += 1;
        let mut begin = self.block(stmts, next);
        self.atomic -= 1;
        self.first = false;
        if !self.nodes.is_new(begin, first_new) {
            // Nothing in it is a step, but the block is one.
            let from = self.nodes.add(LocationKind::Statement, span);
            self.edge(
                from,
                begin,
                &mut Values::default(),
                Vec::new(),
                Vec::new(),
                span,
            );
            begin = from;
        }
        self.nodes.put_inside(first_new, begin);
        begin
    }
}
