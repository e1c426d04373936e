//! From a [`Program`] to one [`ProcessGraph`] per process: what is a step, and where it leads.
//!
//! Statements are lowered from the back: each is given the location that follows it and returns the
//! location where it begins. What is no step (`goto`, `break`, block ends, unrolled loops) only passes
//! locations on; a location that is needed before it is known is a placeholder, unified later. A cycle of
//! such statements alone keeps one step, as section 6 of `docs/language.md` asks.
//!
//! ```text
//! L: recv(c, x)                 s0 [L] --Received(c), x := head(c)--> s1
//!    if x == 1 { goto L }       s1 --x == 1--> s0,  s1 --!(x == 1)--> done
//! ```

mod assign;
mod atomic;
mod branch;
mod call;
mod layout;
mod loops;
mod message;
mod nodes;
mod own;
mod pattern;
mod select;
mod time;
mod value;

use indexmap::IndexMap;
pub use layout::{Layout, constants};
use nodes::{Node, Nodes};
pub use pattern::spec_fits;
use value::Values;
pub use value::{seen_values, spec_value};

use super::{Edge, Expr, FairCase, Graphs, Leaf, ProcessGraph, Var};
use crate::program::{LabelCopy, LoopId, Program, Stmt, StmtKind};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{Check, EdgeKind, LocationKind, VarId};
use crate::vocabulary::ProcessId;

/// Lowers every process of a program. In: a checked program. Out: graphs in which every location can be
/// reached (guards aside), edges in source order. Does not know what a channel is.
pub fn lower(program: &Program) -> Graphs {
    let (layout, mut vars) = Layout::of(program);
    let mut fair = Vec::new();
    let processes = (0..program.processes.len())
        .map(|index| {
            let process = ProcessId(index as u32);
            Lowerer::new(program, &layout, (&mut vars, &mut fair), process).run()
        })
        .collect();
    let joins = own::joins(program, &layout, (&mut vars, &mut fair));
    let graphs = Graphs {
        vars,
        layout,
        processes,
        fair,
        joins,
    };
    super::verify::debug_verify(&graphs);
    graphs
}

/// The state of lowering one process.
struct Lowerer<'a> {
    program: &'a Program,
    layout: &'a Layout,
    vars: &'a mut Vec<Var>,
    fair: &'a mut Vec<FairCase>,
    process: ProcessId,
    nodes: Nodes,
    done: Node,
    failed: Node,
    labels: IndexMap<LabelCopy, Node>,
    /// Where `break` and `continue` of the enclosing loops lead.
    loops: IndexMap<LoopId, LoopExits>,
    /// Hidden variables for the results of messaging expressions, reused by every statement.
    results: Vec<VarId>,
    /// Hidden timers for deadlines that are constant, and for sleep; a process is at one place at a time.
    timers: Vec<VarId>,
    /// In how many `atomic` blocks.
    atomic: u32,
    /// Whether the next statement is the first of one, so that it may wait.
    first: bool,
    /// Whether the send that is lowered must find room.
    must_find_room: bool,
}

#[derive(Clone, Copy)]
struct LoopExits {
    on_break: Node,
    on_continue: Node,
}

/// Where a step leads and what it changes besides its own effect.
#[derive(Clone)]
struct Outcome {
    to: Node,
    updates: Vec<(VarId, Expr)>,
    events: Vec<Event<Leaf>>,
}

impl Outcome {
    fn to(node: Node) -> Self {
        Outcome {
            to: node,
            updates: Vec::new(),
            events: Vec::new(),
        }
    }
}

impl<'a> Lowerer<'a> {
    fn new(
        program: &'a Program,
        layout: &'a Layout,
        (vars, fair): (&'a mut Vec<Var>, &'a mut Vec<FairCase>),
        process: ProcessId,
    ) -> Self {
        let end = program.processes[process.0 as usize].end;
        let mut nodes = Nodes::default();
        let done = nodes.add(LocationKind::Done, end);
        let failed = nodes.add(LocationKind::Failed, end);
        Lowerer {
            program,
            layout,
            vars,
            fair,
            process,
            nodes,
            done,
            failed,
            labels: IndexMap::new(),
            loops: IndexMap::new(),
            results: Vec::new(),
            timers: Vec::new(),
            atomic: 0,
            first: false,
            must_find_room: false,
        }
    }

    fn run(mut self) -> ProcessGraph {
        let body = &self.program.processes[self.process.0 as usize].body;
        let initial = self.block(body, self.done);
        let graph = ProcessGraph {
            results: self.results,
            ..(self.nodes).finish(self.process, initial, self.done, self.failed)
        };
        for deadline in graph.deadlines.iter().filter(|d| d.at == graph.initial) {
            self.vars[deadline.timer.0 as usize].init = deadline.ticks.unwrap_or(0);
        }
        graph
    }

    /// Lowers statements that are followed by `next`; returns where they begin.
    fn block(&mut self, stmts: &[Stmt], next: Node) -> Node {
        let first = std::mem::take(&mut self.first);
        let begin = stmts
            .iter()
            .enumerate()
            .rev()
            .fold(next, |next, (i, stmt)| {
                self.first = first && i == 0;
                self.stmt(stmt, next)
            });
        self.first = false;
        begin
    }

    fn stmt(&mut self, stmt: &Stmt, next: Node) -> Node {
        let span = stmt.span;
        let first_new = self.nodes.len();
        let first = self.first;
        let passes_on = matches!(
            stmt.kind,
            StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::Unrolled { .. }
        );
        self.first = first && passes_on;
        let begin = match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts, next),
            StmtKind::Atomic(stmts) => self.atomic(stmts, first, span, next),
            StmtKind::Skip => {
                self.simple_step(Values::default(), Vec::new(), Vec::new(), span, next)
            }
            StmtKind::Assign { target, value } => self.assign(target, value, span, next),
            StmtKind::AssignAll { targets, values } => self.assign_all(targets, values, span, next),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let then = self.block(then, next);
                let otherwise = self.block(otherwise, next);
                self.decide(condition, then, otherwise, span)
            }
            StmtKind::While {
                id,
                condition,
                body,
            } => self.while_loop(*id, condition.as_ref(), body, span, next),
            StmtKind::Unrolled { iterations, id } => self.unrolled(*id, iterations, next),
            StmtKind::Range {
                id,
                counter,
                bound,
                from,
                to,
                body,
            } => {
                let range = loops::Range {
                    id: *id,
                    counter: *counter,
                    bound: *bound,
                    from,
                    to,
                    body,
                };
                self.range_loop(range, span, next)
            }
            StmtKind::Break(id) => self.loops[id].on_break,
            StmtKind::Continue(id) => self.loops[id].on_continue,
            StmtKind::Goto(label) => self.label(*label),
            StmtKind::Return => self.done,
            StmtKind::Choice(blocks) => self.choice(blocks, false, span, next),
            StmtKind::Select(cases) => self.select(cases, false, span, next),
            StmtKind::Sleep(ticks) => self.sleep(ticks, span, next),
            StmtKind::Fair(inner) => match &inner.kind {
                StmtKind::Choice(blocks) => self.choice(blocks, true, span, next),
                StmtKind::Select(cases) => self.select(cases, true, span, next),
                other => unreachable!("only a choice is fair, not {other:?}"),
            },
            StmtKind::Switch { subject, cases } => self.switch(subject, cases, span, next),
            StmtKind::Message(message) => {
                self.first = first;
                self.message_alone(message, span, next)
            }
            StmtKind::Assert(e) => self.step_after_messages(&[e], span, |this, values, from| {
                let mut eval = this.eval(values);
                let ok = eval.scalar(e);
                eval.check(Check::Assert, ok);
                let updates = this.forget_results(values);
                this.edge(from, next, values, updates, vec![Event::Asserted], span);
            }),
        };
        for copy in &stmt.labels {
            let label = self.label(*copy);
            self.close_cycle(label, begin, span);
            self.nodes.mark(begin, copy.label);
            // A labelled send is also "at" its label while its message is on offer, and a sleeper while asleep.
            if is_send_alone(stmt) || matches!(stmt.kind, StmtKind::Sleep(_)) {
                for node in first_new..self.nodes.len() {
                    self.nodes.mark_if_still_there(Node(node), copy.label);
                }
            }
        }
        begin
    }

    /// The location of a label, a placeholder until its statement has been lowered.
    fn label(&mut self, copy: LabelCopy) -> Node {
        if let Some(node) = self.labels.get(&copy) {
            return *node;
        }
        let node = self.nodes.placeholder();
        self.labels.insert(copy, node);
        node
    }

    /// Makes a placeholder the same location as `begin`; if it already is, nothing between the two is a
    /// step, and the cycle keeps one.
    fn close_cycle(&mut self, placeholder: Node, begin: Node, span: Span) {
        if self.nodes.same(placeholder, begin) {
            self.nodes.become_statement(begin, span);
            self.edge(
                begin,
                begin,
                &mut Values::default(),
                Vec::new(),
                Vec::new(),
                span,
            );
        } else {
            self.nodes.unify(placeholder, begin);
        }
    }

    /// A statement that is one step.
    fn simple_step(
        &mut self,
        mut values: Values,
        updates: Vec<(VarId, Expr)>,
        events: Vec<Event<Leaf>>,
        span: Span,
        next: Node,
    ) -> Node {
        let from = self.nodes.add(LocationKind::Statement, span);
        self.edge(from, next, &mut values, updates, events, span);
        from
    }

    /// An ordinary edge that makes the checks collected in `values`.
    fn edge(
        &mut self,
        from: Node,
        to: Node,
        values: &mut Values,
        updates: Vec<(VarId, Expr)>,
        events: Vec<Event<Leaf>>,
        span: Span,
    ) {
        let edge = Edge {
            guard: Expr::yes(),
            picks: values.picks.clone(),
            updates,
            checks: values.checks.clone(),
            kind: EdgeKind::Normal,
            events,
            exit: None,
            checked: false,
            span,
        };
        self.nodes.connect(from, to, edge);
    }
}

/// Whether a statement is a `send`, or a `timeout_send` alone or as a whole right side.
fn is_send_alone(stmt: &Stmt) -> bool {
    use crate::program::{ExprKind, Rhs};
    match &stmt.kind {
        StmtKind::Message(message) => message.op.is_send(),
        StmtKind::Assign {
            value: Rhs::Expr(e),
            ..
        } => {
            matches!(&e.kind, ExprKind::Message(message) if message.op.is_send())
        }
        _ => false,
    }
}
