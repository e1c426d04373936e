//! Deadlines: `case after` and `sleep`.
//!
//! ```text
//! case after t {..}    s0 --timeout, t = 0--> body             and what else leaves s0 only while t > 0
//! case after 3 {..}    the same with a hidden timer, which counts at s0 and is set to 3 by what leads there
//! sleep(any(0..3))     s0 --timer := pick--> (asleep) --timeout, timer = 0--> s1
//! ```

use super::value::Values;
use super::{Lowerer, Node};
use crate::graph::{Edge, Expr, Leaf, Var};
use crate::program;
use crate::program::{Case, CaseKind, Deadline, ExprKind, FaultVariable, Rhs, Type, Within};
use crate::source::Span;
use crate::system::event::{Event, Expiry};
use crate::system::{Domain, EdgeKind, Op, VarId};

/// A deadline of a `select`.
pub(super) struct Over {
    /// That it is over.
    pub over: Expr,
    /// What is.
    pub what: Expiry,
}

impl Lowerer<'_> {
    /// The deadlines of a `select` that waits at a location, in order; those that are constant get hidden timers.
    pub(super) fn deadlines(&mut self, cases: &[Case], from: Node, select: Span) -> Vec<Over> {
        let mut hidden = 0;
        let mut found = Vec::new();
        for case in cases {
            let CaseKind::After(deadline) = &case.kind else {
                continue;
            };
            found.push(match deadline {
                Deadline::Timer(timer) => {
                    let timer = self.timer_scalar(timer);
                    Over {
                        over: is_over(timer),
                        what: Expiry::Timer(timer),
                    }
                }
                Deadline::Ticks(ticks) => {
                    let timer = self.hidden_timer(hidden, *ticks);
                    hidden += 1;
                    self.nodes.count(from, timer, Some(*ticks));
                    Over {
                        over: is_over(timer),
                        // `sleep(3)` is such a `select`, and nothing else of it is written.
                        what: match case.span == select {
                            true => Expiry::Sleep,
                            false => Expiry::Ticks(*ticks),
                        },
                    }
                }
            });
        }
        found
    }

    /// `sleep` for a time that a first step finds out.
    pub(super) fn sleep(&mut self, ticks: &Rhs, span: Span, next: Node) -> Node {
        let most = |e: &program::Expr| e.ty.range().map_or(0, |range| range.hi);
        let hi = match ticks {
            Rhs::Expr(e) => most(e),
            Rhs::AnyOf(all) => all.iter().map(most).max().unwrap_or(0),
            Rhs::AnyRange(_, hi) => *hi,
            Rhs::Any => 0,
        };
        let hi = hi.max(0);
        let timer = self.hidden_timer(0, hi);
        let asleep = self.nodes.add_asleep(span);
        self.nodes.count(asleep, timer, None);
        let wakes = Edge {
            guard: is_over(timer),
            kind: EdgeKind::Timeout,
            events: vec![Event::TimedOut(Expr::no()), Event::Expired(Expiry::Sleep)],
            ..Edge::new(span)
        };
        self.nodes.connect(asleep, next, wakes);
        let mut values = Values::default();
        let scalars = self.right_side(&Type::Int { lo: 0, hi }, ticks, &mut values);
        let chosen = scalars.into_iter().next().expect("a number of ticks");
        let domain = Domain::Int { lo: 0, hi };
        self.eval(&mut values).check_store(&chosen, domain);
        let events = vec![Event::Slept(chosen.clone())];
        self.simple_step(values, vec![(timer, chosen)], events, span, asleep)
    }

    /// The scalar of a timer, or of an element of an array of timers.
    fn timer_scalar(&self, timer: &program::Expr) -> VarId {
        let mut path = Vec::new();
        let mut inner = timer;
        while let ExprKind::Index(base, index) = &inner.kind {
            path.insert(0, Within::Element(index.as_int().unwrap_or(0) as u32));
            inner = base;
        }
        let ExprKind::Variable(variable) = inner.kind else {
            unreachable!("a deadline is a timer");
        };
        self.layout.part(&FaultVariable { variable, path }).0[0]
    }

    /// The hidden timer with this position among those of a location, at least so large.
    fn hidden_timer(&mut self, position: usize, ticks: i64) -> VarId {
        while self.timers.len() <= position {
            let id = VarId(self.vars.len() as u32);
            self.vars.push(Var {
                name: format!("__timer{}", self.timers.len()),
                process: self.process,
                domain: Domain::Int { lo: 0, hi: 0 },
                init: 0,
                starts: Vec::new(),
                durable: false,
                timer: true,
                hidden: true,
            });
            self.timers.push(id);
        }
        let timer = self.timers[position];
        if let Domain::Int { hi, .. } = &mut self.vars[timer.0 as usize].domain {
            *hi = ticks.max(*hi);
        }
        timer
    }
}

fn is_over(timer: VarId) -> Expr {
    Expr::binary(Op::Eq, Expr::Leaf(Leaf::Var(timer)), Expr::int(0))
}
