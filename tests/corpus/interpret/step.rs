//! What a process may do next.

use sandalc::program::{
    CaseKind, Expr, ExprKind, FaultTarget, Message, Place, Rhs, Stmt, StmtKind, SwitchCase, Type,
};
use sandalc::system::Check;
use sandalc::vocabulary::{ProcessId, UnaryOp};

use super::Machine;
use super::code::Control;
use super::eval::store;
use super::message::{After, Kept, Operation};
use super::state::{State, Value, all_values, product};

/// A step of the system.
pub struct Move {
    pub state: State,
    /// Whether it is neither a fault nor a recovery.
    pub forced: bool,
    /// The check that failed in it.
    pub failed: Option<Check>,
}

impl Machine<'_> {
    /// All steps from a state.
    pub fn moves(&self, state: &State) -> Vec<Move> {
        (0..self.code.len())
            .flat_map(|p| {
                let mut moves = self.crashes(state, p);
                moves.extend(self.steps(state, p));
                moves
            })
            .collect()
    }

    /// Whether a process has a step that is no fault.
    pub fn can_move_without_fault(&self, state: &State, process: usize) -> bool {
        self.steps(state, process).iter().any(|step| step.forced)
    }

    pub fn moved(&self, mut state: State, fault: Option<usize>) -> Move {
        if let Some(fault) = fault {
            self.inject(&mut state, fault);
        }
        Move {
            state,
            forced: fault.is_none(),
            failed: None,
        }
    }

    /// A check fails: nothing changes but the place.
    pub fn fail(&self, state: &State, process: usize, check: Check, fault: Option<usize>) -> Move {
        let mut next = state.clone();
        next.control[process] = Control::Failed;
        Move {
            failed: Some(check),
            ..self.moved(next, fault)
        }
    }

    /// A plain step to a place.
    fn go(&self, state: &State, process: usize, to: Control) -> Move {
        let mut next = state.clone();
        next.control[process] = to;
        next.results[process] = 0;
        self.moved(next, None)
    }

    fn crashes(&self, state: &State, process: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        let target = FaultTarget::Process(ProcessId(process as u32));
        let mut crash = |kind| {
            if let Some(fault) = self.fault(state, kind, target) {
                let mut next = state.clone();
                next.control[process] = Control::Crashed;
                moves.push(self.moved(next, Some(fault)));
            }
        };
        match state.control[process] {
            Control::At(_) => {
                crash("shutdown");
                crash("restart");
            }
            Control::Done => crash("restart"),
            Control::Crashed if self.may_restart(process) => {
                let mut next = state.clone();
                next.control[process] = self.code[process].start();
                for (variable, value) in self.program.variables.iter().zip(&mut next.vars) {
                    if variable.process.0 as usize == process && !variable.durable {
                        *value = Value::of(&variable.initial);
                    }
                }
                moves.push(Move {
                    forced: false,
                    ..self.moved(next, None)
                });
            }
            _ => {}
        }
        moves
    }

    fn steps(&self, state: &State, p: usize) -> Vec<Move> {
        let parts = self.parts(state, p).into_iter();
        parts
            .flat_map(|part| self.completed(state, p, part))
            .collect()
    }

    /// Goes on to the end of the `atomic` block that a part of a step has entered.
    fn completed(&self, origin: &State, p: usize, part: Move) -> Vec<Move> {
        if part.failed.is_some() {
            let mut next = origin.clone();
            next.control[p] = Control::Failed;
            next.used = part.state.used;
            return vec![Move {
                state: next,
                ..part
            }];
        }
        if !self.code[p].in_the_middle(part.state.control[p]) {
            return vec![part];
        }
        let rest = self.parts(&part.state, p).into_iter();
        rest.filter(|next| part.forced || next.forced)
            .flat_map(|next| {
                let forced = part.forced && next.forced;
                self.completed(origin, p, Move { forced, ..next })
            })
            .collect()
    }

    fn parts(&self, state: &State, p: usize) -> Vec<Move> {
        let code = &self.code[p];
        match state.control[p] {
            Control::Done | Control::Failed | Control::Crashed => Vec::new(),
            Control::At(id) if code.spins(id) => vec![self.go(state, p, Control::At(id))],
            Control::At(id) => self.stmt(state, p, id, 0),
            Control::After(id, n) => self.stmt(state, p, id, n),
            Control::Advance(id) => {
                let StmtKind::Range { counter, bound, .. } = &code.stmts[id].kind else {
                    panic!("only ranges advance")
                };
                let i = state.vars[counter.0 as usize].number() + 1;
                if i < state.vars[bound.0 as usize].number() {
                    let mut next = self.go(state, p, code.block_of(id, 0));
                    next.state.vars[counter.0 as usize] = Value::One(i);
                    vec![next]
                } else {
                    vec![self.go(state, p, code.next(id))]
                }
            }
            Control::Offered(id, n, which) => {
                let op = self.nth(state, p, id, n);
                let channel = op.message.channel.channels[which].0 as usize;
                self.offered(state, &op, channel)
            }
        }
    }

    /// The n-th messaging operation of a statement, and where it leads.
    fn nth(&self, state: &State, p: usize, id: usize, n: usize) -> Operation<'_> {
        let code = &self.code[p];
        let stmt: &Stmt = code.stmts[id];
        let operation = |message, yes, no| Operation {
            process: p,
            message,
            place: (id, n),
            yes,
            no,
        };
        let to = |control| After {
            control,
            result: Kept::Nothing,
        };
        match whole(stmt) {
            Some((message, Whole::Alone)) => {
                let no = message.op.is_expression().then(|| to(code.next(id)));
                operation(message, to(code.next(id)), no)
            }
            Some((message, Whole::Condition(positive))) => {
                let (then, otherwise) = match &stmt.kind {
                    StmtKind::If { .. } => (code.block_of(id, 0), code.block_of(id, 1)),
                    _ => (code.block_of(id, 0), code.next(id)),
                };
                let (yes, no) = if positive {
                    (then, otherwise)
                } else {
                    (otherwise, then)
                };
                operation(message, to(yes), Some(to(no)))
            }
            Some((message, Whole::RightSide(place))) => {
                let indices = self.eval(state, 0).indices(place).expect("simple targets");
                let kept = |result| After {
                    control: code.next(id),
                    result: Kept::Stored(place, indices.clone(), result),
                };
                operation(message, kept(true), Some(kept(false)))
            }
            None => {
                let kept = |result| After {
                    control: Control::After(id, n + 1),
                    result: Kept::Waits(n, result),
                };
                operation(messages(stmt)[n], kept(true), Some(kept(false)))
            }
        }
    }

    /// The steps of a statement of which n messaging expressions have been performed.
    fn stmt(&self, state: &State, p: usize, id: usize, n: usize) -> Vec<Move> {
        let code = &self.code[p];
        let stmt: &Stmt = code.stmts[id];
        if whole(stmt).is_some() || n < messages(stmt).len() {
            return self.operation(state, &self.nth(state, p, id, n));
        }
        let mut eval = self.eval(state, state.results[p]);
        let next = code.next(id);
        let fail = |check| vec![self.fail(state, p, check, None)];
        match &stmt.kind {
            StmtKind::Skip => vec![self.go(state, p, next)],
            StmtKind::Atomic(_) => vec![self.go(state, p, code.block_of(id, 0))],
            StmtKind::Assert(e) => match eval.truth(e) {
                Ok(true) => vec![self.go(state, p, next)],
                Ok(false) => fail(Check::Assert),
                Err(check) => fail(check),
            },
            StmtKind::If { condition, .. } => match eval.truth(condition) {
                Ok(truth) => vec![self.go(state, p, code.block_of(id, usize::from(!truth)))],
                Err(check) => fail(check),
            },
            StmtKind::While {
                condition: Some(condition),
                ..
            } => match eval.truth(condition) {
                Ok(true) => vec![self.go(state, p, code.block_of(id, 0))],
                Ok(false) => vec![self.go(state, p, next)],
                Err(check) => fail(check),
            },
            StmtKind::Range {
                counter,
                bound,
                from,
                to,
                ..
            } => {
                let bounds = eval.number(from).and_then(|a| Ok((a, eval.number(to)?)));
                match bounds {
                    Err(check) => fail(check),
                    Ok((a, b)) if a >= b => vec![self.go(state, p, next)],
                    Ok((a, b)) => {
                        let mut entered = self.go(state, p, code.block_of(id, 0));
                        entered.state.vars[counter.0 as usize] = Value::One(a);
                        entered.state.vars[bound.0 as usize] = Value::One(b);
                        vec![entered]
                    }
                }
            }
            StmtKind::Choice(blocks) => (0..blocks.len())
                .map(|i| self.go(state, p, code.block_of(id, i)))
                .collect(),
            StmtKind::Select(_) => self.select(state, p, id),
            StmtKind::Switch { subject, cases } => {
                let value = match eval.value(subject) {
                    Ok(value) => value,
                    Err(check) => return fail(check),
                };
                let mut fits = |case: &SwitchCase| {
                    let mut patterns = case.patterns.iter().flatten();
                    patterns.any(|pattern| eval.matches(pattern, &subject.ty, &value) == Ok(true))
                };
                let default = || cases.iter().position(|case| case.patterns.is_none());
                let found = cases.iter().position(&mut fits).or_else(default);
                vec![self.go(state, p, code.block_of(id, found.expect("one fits")))]
            }
            StmtKind::Assign { target, value } => self.assign(state, p, next, target, value),
            StmtKind::AssignAll { targets, values } => {
                self.assign_all(state, p, next, targets, values)
            }
            other => panic!("no step: {other:?}"),
        }
    }

    fn assign(
        &self,
        state: &State,
        p: usize,
        next: Control,
        target: &Place,
        value: &Rhs,
    ) -> Vec<Move> {
        let mut eval = self.eval(state, state.results[p]);
        let values = eval.indices(target).and_then(|indices| {
            let values = match value {
                Rhs::Expr(e) => vec![eval.value(e)?],
                Rhs::Any => all_values(&target.ty, self.program),
                Rhs::AnyRange(lo, hi) => {
                    let scalars: Vec<Value> = (*lo..=*hi).map(Value::One).collect();
                    spread(&target.ty, &scalars)
                }
                Rhs::AnyOf(es) => {
                    let values: Result<Vec<Value>, Check> =
                        es.iter().map(|e| eval.value(e)).collect();
                    values?
                }
            };
            Ok((indices, values))
        });
        match values {
            Err(check) => vec![self.fail(state, p, check, None)],
            Ok((indices, values)) => values
                .iter()
                .map(|value| {
                    let mut moved = self.go(state, p, next);
                    match store(&mut moved.state, target, &indices, value) {
                        Ok(()) => moved,
                        Err(check) => self.fail(state, p, check, None),
                    }
                })
                .collect(),
        }
    }

    fn assign_all(
        &self,
        state: &State,
        p: usize,
        next: Control,
        targets: &[Place],
        values: &[Expr],
    ) -> Vec<Move> {
        let mut eval = self.eval(state, 0);
        let read = targets
            .iter()
            .map(|target| eval.indices(target))
            .collect::<Result<Vec<_>, Check>>()
            .and_then(|indices| {
                let values: Result<Vec<Value>, Check> =
                    values.iter().map(|e| eval.value(e)).collect();
                Ok((indices, values?))
            });
        let (indices, values) = match read {
            Ok(read) => read,
            Err(check) => return vec![self.fail(state, p, check, None)],
        };
        let mut moved = self.go(state, p, next);
        for ((target, indices), value) in targets.iter().zip(&indices).zip(&values) {
            if let Err(check) = store(&mut moved.state, target, indices, value) {
                return vec![self.fail(state, p, check, None)];
            }
        }
        vec![moved]
    }

    fn select(&self, state: &State, p: usize, id: usize) -> Vec<Move> {
        let code = &self.code[p];
        let StmtKind::Select(cases) = &code.stmts[id].kind else {
            panic!("only select has cases")
        };
        let mut moves = Vec::new();
        let mut possible = false;
        for (i, case) in cases.iter().enumerate() {
            let condition = match &case.condition {
                Some(condition) => self.eval(state, 0).truth(condition),
                None => Ok(true),
            };
            if let CaseKind::If = &case.kind {
                possible |= condition != Ok(false);
                match condition {
                    Ok(true) => moves.push(self.go(state, p, code.block_of(id, i))),
                    Ok(false) => {}
                    Err(check) => moves.push(self.fail(state, p, check, None)),
                }
            }
            let CaseKind::Message(message) = &case.kind else {
                continue;
            };
            let channel = self.channel(state, message);
            let can = channel
                .is_ok_and(|(_, channel)| self.possible(state, message, channel).unwrap_or(true));
            possible |= can && condition != Ok(false);
            match (condition, channel) {
                (Ok(true), Err(check)) => moves.push(self.fail(state, p, check, None)),
                (Ok(true), Ok((which, channel))) => {
                    let op = Operation {
                        process: p,
                        message,
                        place: (id, 0),
                        yes: After {
                            control: code.block_of(id, i),
                            result: Kept::Nothing,
                        },
                        no: None,
                    };
                    self.perform(state, &op, which, channel, &mut moves);
                }
                // The checks of a condition wait for the channel.
                (Err(check), _) if can => moves.push(self.fail(state, p, check, None)),
                _ => {}
            }
        }
        for (i, case) in cases.iter().enumerate() {
            let condition = match (&case.kind, &case.condition) {
                (CaseKind::Timeout, Some(condition)) => self.eval(state, 0).truth(condition),
                _ => Ok(true),
            };
            if let Err(check) = condition {
                moves.push(self.fail(state, p, check, None));
            }
            let goes = match case.kind {
                CaseKind::Message(_) | CaseKind::If => false,
                CaseKind::Timeout => condition == Ok(true) && (!self.timely || !possible),
                CaseKind::Default => !possible,
                CaseKind::After(_) => unreachable!("random models have no clock"),
            };
            if goes {
                moves.push(self.go(state, p, code.block_of(id, i)));
            }
        }
        moves
    }
}

/// Every value of a type whose scalars are among the given ones.
fn spread(ty: &Type, scalars: &[Value]) -> Vec<Value> {
    match ty {
        Type::Array(element, count) => {
            let elements = vec![spread(element, scalars); *count as usize];
            product(&elements).into_iter().map(Value::Many).collect()
        }
        _ => scalars.to_vec(),
    }
}

/// How a messaging operation is all that its statement does.
enum Whole<'a> {
    Alone,
    /// The condition, or (false) its negation.
    Condition(bool),
    RightSide(&'a Place),
}

fn whole(stmt: &Stmt) -> Option<(&Message, Whole<'_>)> {
    match &stmt.kind {
        StmtKind::Message(message) => Some((message, Whole::Alone)),
        StmtKind::Assign {
            target,
            value: Rhs::Expr(e),
        } => match &e.kind {
            ExprKind::Message(message) => Some((message, Whole::RightSide(target))),
            _ => None,
        },
        StmtKind::If { condition, .. }
        | StmtKind::While {
            condition: Some(condition),
            ..
        } => {
            let (mut e, mut positive) = (condition, true);
            while let ExprKind::Unary(UnaryOp::Not, inner) = &e.kind {
                (e, positive) = (inner, !positive);
            }
            match &e.kind {
                ExprKind::Message(message) => Some((message, Whole::Condition(positive))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The messaging expressions of a statement, in order.
fn messages(stmt: &Stmt) -> Vec<&Message> {
    let mut found = Vec::new();
    match &stmt.kind {
        StmtKind::Assign { target, value } => {
            target.indices().for_each(|e| inside(e, &mut found));
            match value {
                Rhs::Expr(e) => inside(e, &mut found),
                Rhs::AnyOf(es) => es.iter().for_each(|e| inside(e, &mut found)),
                _ => {}
            }
        }
        StmtKind::If { condition: e, .. }
        | StmtKind::While {
            condition: Some(e), ..
        }
        | StmtKind::Assert(e) => inside(e, &mut found),
        _ => {}
    }
    found
}

fn inside<'e>(e: &'e Expr, found: &mut Vec<&'e Message>) {
    match &e.kind {
        ExprKind::Message(message) => found.push(message),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
            inside(a, found);
            inside(b, found);
        }
        ExprKind::Unary(_, e) | ExprKind::Field(e, _) => inside(e, found),
        ExprKind::Array(items) | ExprKind::Record(items) | ExprKind::Build(_, items) => {
            items.iter().for_each(|e| inside(e, found));
        }
        _ => {}
    }
}
