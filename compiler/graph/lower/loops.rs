//! Loops. A loop with constant bounds has been unrolled and costs no step of its own.

use super::value::Values;
use super::{LoopExits, Lowerer, Node};
use crate::graph::{Edge, Expr, Leaf};
use crate::program;
use crate::program::{LoopId, Stmt, VariableId};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{LocationKind, Op};

/// `for i in range a to b` with bounds that are not constant.
pub(super) struct Range<'a> {
    pub id: LoopId,
    pub counter: VariableId,
    pub bound: VariableId,
    pub from: &'a program::Expr,
    pub to: &'a program::Expr,
    pub body: &'a [Stmt],
}

impl Lowerer<'_> {
    /// `for {}` and `for c {}`.
    pub(super) fn while_loop(
        &mut self,
        id: LoopId,
        condition: Option<&program::Expr>,
        body: &[Stmt],
        span: Span,
        next: Node,
    ) -> Node {
        let head = self.nodes.placeholder();
        self.loops.insert(
            id,
            LoopExits {
                on_break: next,
                on_continue: head,
            },
        );
        let body = self.block(body, head);
        let begin = match condition {
            Some(condition) => self.decide(condition, body, next, span),
            None => body,
        };
        self.close_cycle(head, begin, span);
        begin
    }

    /// A loop with constant bounds: its iterations one after the other.
    pub(super) fn unrolled(
        &mut self,
        id: LoopId,
        iterations: &[(LoopId, Vec<Stmt>)],
        next: Node,
    ) -> Node {
        let first = std::mem::take(&mut self.first);
        iterations
            .iter()
            .enumerate()
            .rev()
            .fold(next, |after, (i, (iteration, body))| {
                self.first = first && i == 0;
                self.loops.insert(
                    id,
                    LoopExits {
                        on_break: next,
                        on_continue: after,
                    },
                );
                self.loops.insert(
                    *iteration,
                    LoopExits {
                        on_break: next,
                        on_continue: after,
                    },
                );
                self.block(body, after)
            })
    }

    /// Entering (both bounds evaluated once), each advance and leaving are one step each; an empty range
    /// is left in one. Advancing happens inside the statement.
    pub(super) fn range_loop(&mut self, range: Range<'_>, span: Span, next: Node) -> Node {
        let counter = self.layout.variable(range.counter)[0];
        let bound = self.layout.variable(range.bound)[0];
        let advance = self.nodes.add(LocationKind::Inside, span);
        self.loops.insert(
            range.id,
            LoopExits {
                on_break: next,
                on_continue: advance,
            },
        );
        let body = self.block(range.body, advance);

        let begin = self.nodes.add(LocationKind::Statement, span);
        let mut values = Values::default();
        let (low, high) = {
            let mut eval = self.eval(&mut values);
            (eval.scalar(range.from), eval.scalar(range.to))
        };
        let ok = self.fail_unless(begin, Expr::yes(), &values.checks, span);
        let more = Expr::binary(Op::Lt, low.clone(), high.clone());
        let mut step = |from: Node, to: Node, guard: Expr, updates: Vec<_>, again: bool| {
            if !guard.is_no() {
                let events = vec![Event::Looped(again)];
                self.nodes.connect(
                    from,
                    to,
                    Edge {
                        guard,
                        updates,
                        events,
                        ..Edge::new(span)
                    },
                );
            }
        };
        let start = vec![(counter, low), (bound, high)];
        step(
            begin,
            body,
            Expr::and([ok.clone(), more.clone()]),
            start,
            true,
        );
        step(begin, next, Expr::and([ok, more.not()]), Vec::new(), false);

        let following = Expr::binary(Op::Add, Expr::Leaf(Leaf::Var(counter)), Expr::int(1));
        let more = Expr::binary(Op::Lt, following.clone(), Expr::Leaf(Leaf::Var(bound)));
        step(
            advance,
            body,
            more.clone(),
            vec![(counter, following)],
            true,
        );
        step(advance, next, more.not(), Vec::new(), false);
        begin
    }
}
