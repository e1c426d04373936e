//! Expressions become scalars, and the run-time checks that their evaluation makes, in order.
//!
//! The right side of `&&` and `||` is checked only where it is evaluated. A check that the ranges of the
//! variables prove vanishes here.

use rustc_hash::FxHashMap;

use super::layout::{Layout, Listed, constants, width};
use super::pattern::is_constructor;
use super::{Lowerer, Node};
use crate::graph::{Expr, Leaf, Var};
use crate::program;
use crate::program::{ExprKind, LocalId, Message, Type};
use crate::source::Span;
use crate::system::{Check, Domain, LocationKind, Op, Scalar, VarId};
use crate::vocabulary::{BinaryOp, UnaryOp};

/// What evaluating the expressions of one step needs besides their values.
#[derive(Clone, Default)]
pub(super) struct Values {
    /// The checks made so far, in evaluation order.
    pub checks: Vec<(Check, Expr)>,
    /// The values chosen freely.
    pub picks: Vec<Domain>,
    /// Under which conditions evaluation got here.
    pub(super) path: Vec<Expr>,
    /// The variables of the pure functions that are being evaluated.
    pub(super) locals: FxHashMap<LocalId, Vec<Expr>>,
    /// What the trigger of a fault may store or send.
    pub given: Vec<Domain>,
    /// Where the results of the statement's messaging expressions wait.
    pub results: Vec<(Span, VarId)>,
}

/// Evaluates expressions of one step.
pub(super) struct Evaluator<'a> {
    pub(super) layout: &'a Layout,
    pub(super) vars: &'a [Var],
    pub(super) values: &'a mut Values,
}

/// The scalars of an expression that a process sees.
pub fn seen_values(layout: &Layout, vars: &[Var], e: &program::Expr) -> Vec<Expr> {
    let mut values = Values::default();
    Evaluator {
        layout,
        vars,
        values: &mut values,
    }
    .flat(e)
}

/// The value of a scalar expression of a specification that has no temporal operators.
pub fn spec_value(layout: &Layout, vars: &[Var], e: &program::Expr) -> Expr {
    let mut values = Values::default();
    // Specifications are checked by their types: none of these checks can fail.
    Evaluator {
        layout,
        vars,
        values: &mut values,
    }
    .scalar(e)
}

impl Evaluator<'_> {
    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, e: &program::Expr) -> Expr {
        let mut flat = self.flat(e);
        debug_assert_eq!(flat.len(), 1, "a scalar has one value");
        flat.remove(0)
    }

    /// The scalars of an expression.
    pub(super) fn flat(&mut self, e: &program::Expr) -> Vec<Expr> {
        let one = |leaf| vec![Expr::Leaf(leaf)];
        match &e.kind {
            ExprKind::Const(value) => constants(value),
            ExprKind::Variable(id) => self.layout.elements(*id),
            ExprKind::Array(items) => items.iter().flat_map(|item| self.flat(item)).collect(),
            ExprKind::Record(values) => {
                let scalars: Vec<Expr> = values.iter().flat_map(|value| self.flat(value)).collect();
                self.check_stores(&scalars, &e.ty);
                scalars
            }
            ExprKind::Build(index, values) => self.build(&e.ty, *index, values),
            ExprKind::Field(base, field) => self.field(base, *field),
            ExprKind::Is(base, index) => {
                let tag = self.flat(base).swap_remove(0);
                vec![is_constructor(&base.ty, tag, *index)]
            }
            ExprKind::Index(base, index) => {
                let stride = width(&e.ty);
                if let (ExprKind::Variable(id), 1) = (&base.kind, stride) {
                    let listed = Listed::Elements(*id);
                    let items = self.layout.common(listed, || self.layout.elements(*id));
                    let index = self.scalar(index);
                    self.check_index(&index, items.len());
                    return vec![Expr::item(index, items)];
                }
                let items = self.flat(base);
                let index = self.scalar(index);
                self.check_index(&index, items.len() / stride);
                (0..stride)
                    .map(|j| {
                        let column = items.iter().skip(j).step_by(stride).cloned().collect();
                        Expr::select(index.clone(), column)
                    })
                    .collect()
            }
            ExprKind::Unary(UnaryOp::Not, e) => vec![self.scalar(e).not()],
            ExprKind::Unary(UnaryOp::Neg, e) => {
                vec![self.scalar(e).negated()]
            }
            ExprKind::Binary(op, a, b) => vec![self.binary(*op, a, b)],
            ExprKind::If(c, a, b) => {
                let c = self.scalar(c);
                self.values.path.push(c.clone());
                let a = self.flat(a);
                self.values.path.pop();
                self.values.path.push(c.clone().not());
                let b = self.flat(b);
                self.values.path.pop();
                let both = a.into_iter().zip(b);
                both.map(|(a, b)| Expr::ite(c.clone(), a, b)).collect()
            }
            ExprKind::Max(a, b) => vec![self.extreme(Op::Ge, a, b)],
            ExprKind::Min(a, b) => vec![self.extreme(Op::Le, a, b)],
            ExprKind::Local(local) => self.values.locals[local].clone(),
            ExprKind::Fit(inner) => {
                let scalars = self.flat(inner);
                let domain = self.layout.domain(&e.ty);
                for scalar in &scalars {
                    self.check_store(scalar, domain);
                }
                scalars
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Message(message) => {
                let waiting = self
                    .values
                    .results
                    .iter()
                    .find(|(span, _)| *span == message.span);
                one(Leaf::Var(
                    waiting.expect("messages are performed before the rest").1,
                ))
            }
            ExprKind::Done(p) => one(Leaf::Done(*p)),
            ExprKind::Crashed(p) => one(Leaf::Crashed(*p)),
            ExprKind::Suspects(d) => one(Leaf::Suspects(*d)),
            ExprKind::Failed(p) => one(Leaf::Failed(*p)),
            ExprKind::Waiting(p) => one(Leaf::Waiting(*p)),
            ExprKind::Ticked => one(Leaf::Ticked),
            ExprKind::Event(id, _) => one(Leaf::Event(*id)),
            ExprKind::OfFault(aspect, faults) => {
                let of = faults
                    .iter()
                    .map(|f| Expr::Leaf(Leaf::OfFault(*aspect, *f)));
                vec![Expr::or(of)]
            }
            ExprKind::Knows(knows) => one(Leaf::Known(knows.id)),
            ExprKind::At(p, label) => one(Leaf::AtLabel(*p, *label)),
            ExprKind::Len(c) => one(Leaf::Len(*c)),
            // A channel that overflows takes a message when it is full, too.
            ExprKind::Full(c) if self.layout.overflows(*c) => {
                let capacity = self.layout.capacity(*c).map_or(0, i64::from);
                let len = Expr::Leaf(Leaf::Len(*c));
                vec![Expr::binary(Op::Ge, len, Expr::int(capacity))]
            }
            ExprKind::Full(c) => vec![Expr::Leaf(Leaf::CanSend(*c)).not()],
            ExprKind::Empty(c) => vec![Expr::Leaf(Leaf::CanReceive(*c)).not()],
            ExprKind::Temporal(..) | ExprKind::Path(..) => {
                unreachable!("temporal formulas are taken apart before")
            }
        }
    }

    /// The one of two numbers that compares so with the other.
    fn extreme(&mut self, op: Op, a: &program::Expr, b: &program::Expr) -> Expr {
        let (a, b) = (self.scalar(a), self.scalar(b));
        Expr::ite(Expr::binary(op, a.clone(), b.clone()), a, b)
    }

    fn binary(&mut self, op: BinaryOp, a: &program::Expr, b: &program::Expr) -> Expr {
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies) {
            let a = self.scalar(a);
            let goes_on = if op == BinaryOp::Or {
                a.clone().not()
            } else {
                a.clone()
            };
            self.values.path.push(goes_on);
            let b = self.scalar(b);
            self.values.path.pop();
            return match op {
                BinaryOp::And => Expr::and([a, b]),
                BinaryOp::Or => Expr::or([a, b]),
                _ => Expr::or([a.not(), b]),
            };
        }
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff) {
            let (a, b) = (self.flat(a), self.flat(b));
            let equal = Expr::and(
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| Expr::binary(Op::Eq, a, b)),
            );
            return match (op, equal) {
                (BinaryOp::Ne, Expr::Binary(Op::Eq, a, b)) => Expr::Binary(Op::Ne, a, b),
                (BinaryOp::Ne, equal) => equal.not(),
                (_, equal) => equal,
            };
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        let arithmetic = match op {
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => Op::Div,
            BinaryOp::Rem => Op::Rem,
            _ => return self.bits(op, a, b),
        };
        if matches!(arithmetic, Op::Div | Op::Rem) {
            self.check(
                Check::Division,
                Expr::binary(Op::Ne, b.clone(), Expr::int(0)),
            );
        }
        Expr::binary(arithmetic, a, b)
    }

    /// A bit operator: a table over the ranges of its operands.
    fn bits(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if shift {
            self.check_range(&b, 0, 31);
        }
        let (a_lo, a_hi) = self.bounds(&a);
        let (mut b_lo, mut b_hi) = self.bounds(&b);
        if shift {
            (b_lo, b_hi) = (b_lo.clamp(0, 31), b_hi.clamp(0, 31));
        }
        let listed = Listed::Bits(op, (a_lo, a_hi), (b_lo, b_hi));
        let table = self.layout.common(listed, || {
            let row = |a| (b_lo..=b_hi).map(move |b| Expr::int(bit_operation(op, a, b)));
            (a_lo..=a_hi).flat_map(row).collect()
        });
        let row = Expr::binary(Op::Sub, a, Expr::int(a_lo));
        let row = match b_hi - b_lo + 1 {
            1 => row,
            columns => Expr::binary(Op::Mul, row, Expr::int(columns)),
        };
        let column = Expr::binary(Op::Sub, b, Expr::int(b_lo));
        Expr::item(Expr::binary(Op::Add, row, column), table)
    }

    /// Records a check, unless the ranges prove it.
    pub(super) fn check(&mut self, check: Check, ok: Expr) {
        let reached = Expr::and(self.values.path.iter().cloned());
        let ok = Expr::or([reached.not(), ok]);
        if self.bounds(&ok).0 != 1 {
            self.values.checks.push((check, ok));
        }
    }

    pub(super) fn check_index(&mut self, index: &Expr, count: usize) {
        let ok = Expr::and([
            Expr::binary(Op::Ge, index.clone(), Expr::int(0)),
            Expr::binary(Op::Lt, index.clone(), Expr::int(count as i64)),
        ]);
        self.check(Check::Index, ok);
    }

    fn check_range(&mut self, value: &Expr, lo: i64, hi: i64) {
        let ok = Expr::and([
            Expr::binary(Op::Ge, value.clone(), Expr::int(lo)),
            Expr::binary(Op::Le, value.clone(), Expr::int(hi)),
        ]);
        self.check(Check::Range, ok);
    }

    /// The check that a value may be stored where `domain` is asked for.
    pub(super) fn check_store(&mut self, value: &Expr, domain: Domain) {
        if let Domain::Int { lo, hi } = domain {
            self.check_range(value, lo, hi);
        }
    }

    /// The checks that values may be stored where a type is asked for.
    pub(super) fn check_stores(&mut self, scalars: &[Expr], ty: &Type) {
        let domains = self.layout.domains(ty);
        for (scalar, domain) in scalars.iter().zip(domains) {
            self.check_store(scalar, domain);
        }
    }

    /// A constructor with its fields: rooms that it does not use hold zero.
    fn build(&mut self, ty: &Type, index: u32, values: &[program::Expr]) -> Vec<Expr> {
        let Type::Tagged(tagged) = ty else {
            unreachable!("only data types have constructors")
        };
        let mut rooms: Vec<Expr> = tagged
            .rooms
            .iter()
            .flat_map(|room| constants(&room.zero()))
            .collect();
        // All fields are evaluated before the first is stored.
        let flat: Vec<Vec<Expr>> = values.iter().map(|value| self.flat(value)).collect();
        let fields = &tagged.constructors[index as usize].fields;
        for (field, scalars) in fields.iter().zip(flat) {
            self.check_stores(&scalars, &tagged.fields[*field as usize].ty);
            let own = &tagged.rooms_of[*field as usize];
            for (room, scalar) in own.iter().zip(scalars) {
                rooms[*room as usize] = scalar;
            }
        }
        rooms.insert(0, Expr::Const(Scalar::Data(tagged.data, index)));
        rooms
    }

    /// A field of a record, or of a message: zero if its constructor has none.
    fn field(&mut self, base: &program::Expr, field: u32) -> Vec<Expr> {
        let scalars = self.flat(base);
        match &base.ty {
            Type::Record(record) => scalars[record.scalars_of(field)].to_vec(),
            Type::Tagged(tagged) => {
                let rooms = tagged.rooms_of[field as usize].iter();
                let rooms = rooms.map(|room| scalars[1 + *room as usize].clone());
                if tagged.is_alone(field) {
                    return rooms.collect();
                }
                let carriers = tagged.carriers(field).into_iter();
                let carried = Expr::or(
                    carriers.map(|index| is_constructor(&base.ty, scalars[0].clone(), index)),
                );
                let zero = constants(&tagged.fields[field as usize].ty.zero());
                rooms
                    .zip(zero)
                    .map(|(room, zero)| Expr::ite(carried.clone(), room, zero))
                    .collect()
            }
            other => unreachable!("{other:?} has no fields"),
        }
    }

    fn bounds(&self, e: &Expr) -> (i64, i64) {
        e.bounds(&|leaf| match leaf {
            Leaf::Var(v) => self.vars[v.0 as usize].domain.bounds(),
            Leaf::Pick(i) => self.values.picks[*i as usize].bounds(),
            Leaf::Head(c, i) | Leaf::Stored(c, _, i) => {
                self.layout.message(*c)[*i as usize].bounds()
            }
            Leaf::Given(i) => self.values.given[*i as usize].bounds(),
            Leaf::Len(c) => (0, self.layout.capacity(*c).map_or(0, i64::from)),
            _ => (0, 1),
        })
    }
}

/// The value of a bit operator on two's complement of unlimited width.
fn bit_operation(op: BinaryOp, a: i64, b: i64) -> i64 {
    match op {
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => a << b,
        BinaryOp::Shr => a >> b,
        _ => unreachable!("{} is no bit operator", op.as_str()),
    }
}

impl Lowerer<'_> {
    /// Evaluates expressions of a step of this process.
    pub(super) fn eval<'b>(&'b self, values: &'b mut Values) -> Evaluator<'b> {
        Evaluator {
            layout: self.layout,
            vars: self.vars,
            values,
        }
    }

    /// A statement whose expressions may contain messaging expressions: each of those is a step of its own,
    /// then `step` adds the statement's edges from the location it is given. Returns where it begins.
    pub(super) fn step_after_messages(
        &mut self,
        exprs: &[&program::Expr],
        span: Span,
        step: impl FnOnce(&mut Self, &mut Values, Node),
    ) -> Node {
        let mut messages = Vec::new();
        exprs
            .iter()
            .for_each(|e| collect_messages(e, &mut messages));
        let begin = self.nodes.add(LocationKind::Statement, span);
        let mut values = Values::default();
        let mut at = begin;
        for (i, message) in messages.into_iter().enumerate() {
            let result = self.result(i);
            let after = self.nodes.add(LocationKind::Inside, span);
            let mut yes = super::Outcome::to(after);
            yes.updates.push((result, Expr::yes()));
            self.message(message, &values, at, yes, Some(super::Outcome::to(after)));
            values.results.push((message.span, result));
            at = after;
        }
        step(self, &mut values, at);
        begin
    }

    /// The updates that forget the results of a statement's messaging expressions.
    pub(super) fn forget_results(&self, values: &Values) -> Vec<(VarId, Expr)> {
        values
            .results
            .iter()
            .map(|(_, var)| (*var, Expr::no()))
            .collect()
    }

    /// The hidden variable in which the i-th result of a statement waits.
    fn result(&mut self, i: usize) -> VarId {
        while self.results.len() <= i {
            let id = VarId(self.vars.len() as u32);
            self.vars.push(Var {
                name: format!("__result{}", self.results.len()),
                process: self.process,
                domain: Domain::Bool,
                init: 0,
                starts: Vec::new(),
                durable: false,
                timer: false,
                hidden: true,
            });
            self.results.push(id);
        }
        self.results[i]
    }
}

/// The messaging expressions in an expression, in the order they are performed.
fn collect_messages<'e>(e: &'e program::Expr, into: &mut Vec<&'e Message>) {
    match &e.kind {
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Max(a, b)
        | ExprKind::Min(a, b) => {
            collect_messages(a, into);
            collect_messages(b, into);
        }
        ExprKind::Array(items) | ExprKind::Record(items) | ExprKind::Build(_, items) => {
            items.iter().for_each(|item| collect_messages(item, into));
        }
        ExprKind::Unary(_, e) | ExprKind::Field(e, _) | ExprKind::Is(e, _) => {
            collect_messages(e, into);
        }
        ExprKind::Message(message) => {
            if let Some(index) = &message.channel.index {
                collect_messages(index, into);
            }
            message
                .values
                .iter()
                .for_each(|value| collect_messages(value, into));
            into.push(message);
        }
        _ => {}
    }
}
