//! What a process may do next.

use sandalc::program::{
    CaseKind, Expr, ExprKind, FaultTarget, Message, Place, Rhs, Stmt, StmtKind, SwitchCase, Type,
};
use sandalc::system::Check;
use sandalc::vocabulary::{ProcessId, UnaryOp};

use super::Machine;
use super::code::Control;
use super::eval::store;
use super::fault::Did;
use super::message::{After, Kept, Operation};
use super::state::{State, Value, all_values, product, starts};
use super::write::{Outcome, written};

/// A step of the system, or a part of one.
#[derive(Clone)]
pub struct Move {
    pub state: State,
    /// The process that takes it.
    pub by: Option<usize>,
    /// Whether it is neither a fault nor a recovery.
    pub forced: bool,
    /// The check that failed in it.
    pub failed: Option<Check>,
    /// The fault that it injects, of those that happen now and then.
    pub fault: Option<usize>,
    /// The faults that act in it, of those that happen at every occasion.
    pub acting: Vec<usize>,
    /// What it does to channels.
    pub did: Vec<Did>,
}

impl Move {
    /// A step to a state, in which nothing happens.
    pub fn plain(state: State) -> Move {
        Move {
            state,
            by: None,
            forced: true,
            failed: None,
            fault: None,
            acting: Vec::new(),
            did: Vec::new(),
        }
    }
}

impl Machine<'_> {
    /// All steps from a state, but for staying as it is.
    pub fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = self.moments(state);
        moves.extend(self.detections(state));
        for p in 0..self.code.len() {
            moves.extend(self.spontaneous(state, p));
            let own = self.crashes(state, p).into_iter();
            let own = own.chain(self.steps(state, p));
            moves.extend(own.map(|step| Move {
                by: Some(p),
                ..step
            }));
        }
        let moves = moves.into_iter();
        moves.map(|step| self.account(state, step)).collect()
    }

    /// Whether a process has a step that is no fault.
    pub fn can_move_without_fault(&self, state: &State, process: usize) -> bool {
        self.steps(state, process).iter().any(|step| step.forced)
    }

    /// A check fails: nothing changes but the place.
    pub fn fail(&self, state: &State, process: usize, check: Check) -> Move {
        let mut next = state.clone();
        next.control[process] = Control::Failed;
        Move {
            failed: Some(check),
            ..Move::plain(next)
        }
    }

    /// A plain step to a place.
    fn go(&self, state: &State, process: usize, to: Control) -> Move {
        let mut next = state.clone();
        next.control[process] = to;
        next.results[process] = 0;
        Move::plain(next)
    }

    /// Whether a process is marked with a `@restart` that can happen at all.
    pub fn may_restart(&self, process: usize) -> bool {
        let target = FaultTarget::Process(ProcessId(process as u32));
        self.faults_of(&["restart"], target).next().is_some()
    }

    fn crashes(&self, state: &State, process: usize) -> Vec<Move> {
        let target = FaultTarget::Process(ProcessId(process as u32));
        let kinds: &'static [&'static str] = match state.control[process] {
            Control::At(_) => &["shutdown", "restart"],
            Control::Done => &["restart"],
            Control::Crashed => {
                let by = state.crashed_by[process];
                let restarts = self.faults_of(&["restart"], target);
                return restarts
                    .filter(|fault| by.is_none_or(|by| by == *fault))
                    .flat_map(|fault| self.recoveries(state, process, fault))
                    .collect();
            }
            _ => &[],
        };
        let faults = self.faults_of(kinds, target);
        let ready = faults.filter(|fault| self.ready(state, *fault));
        ready
            .map(|fault| {
                let mut next = state.clone();
                next.control[process] = Control::Crashed;
                let restarts: Vec<usize> = self.faults_of(&["restart"], target).collect();
                if restarts.len() > 1 && restarts.contains(&fault) {
                    next.crashed_by[process] = Some(fault);
                }
                Move {
                    forced: false,
                    fault: Some(fault),
                    ..Move::plain(next)
                }
            })
            .collect()
    }

    /// How a process may begin again.
    fn recoveries(&self, state: &State, process: usize, fault: usize) -> Vec<Move> {
        let mut next = state.clone();
        next.control[process] = self.code[process].start();
        next.crashed_by[process] = None;
        let mut ways = vec![next];
        let loses = &self.program.faults[fault].loses;
        for (index, variable) in self.program.variables.iter().enumerate() {
            let lost = loses.iter().any(|(name, _)| *name == variable.name);
            if variable.process.0 as usize != process || (variable.durable && !lost) {
                continue;
            }
            let values = match lost && !variable.starts.is_empty() {
                true => starts(variable),
                false => vec![Value::of(&variable.initial)],
            };
            ways = (ways.iter())
                .flat_map(|way| {
                    values.iter().map(|value| {
                        let mut way = way.clone();
                        way.vars[index] = value.clone();
                        way
                    })
                })
                .collect();
        }
        ways.into_iter()
            .map(|next| Move {
                forced: false,
                ..Move::plain(next)
            })
            .collect()
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
            return vec![Move {
                state: next,
                did: Vec::new(),
                ..part
            }];
        }
        if !self.code[p].in_the_middle(part.state.control[p]) {
            return vec![part];
        }
        let rest = self.parts(&part.state, p).into_iter();
        // One fault each; those that happen at every occasion leave no room for others.
        let several = |next: &Move| {
            let faults = part.fault.iter().chain(&next.fault).count();
            let acts = !part.acting.is_empty() || !next.acting.is_empty();
            faults > 1 || (faults == 1 && acts)
        };
        rest.filter(|next| !several(next))
            .flat_map(|next| {
                let both = Move {
                    forced: part.forced && next.forced,
                    fault: part.fault.or(next.fault),
                    acting: [part.acting.clone(), next.acting].concat(),
                    did: [part.did.clone(), next.did].concat(),
                    ..next
                };
                self.completed(origin, p, both)
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
        let fail = |check| vec![self.fail(state, p, check)];
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
        let indices = eval.indices(target);
        let values = indices.clone().and_then(|_| match value {
            Rhs::Expr(e) => Ok(vec![eval.value(e)?]),
            Rhs::Any => Ok(all_values(&target.ty, self.program)),
            Rhs::AnyRange(lo, hi) => {
                let scalars: Vec<Value> = (*lo..=*hi).map(Value::One).collect();
                Ok(spread(&target.ty, &scalars))
            }
            Rhs::AnyOf(es) => es.iter().map(|e| eval.value(e)).collect(),
        });
        let place = indices.as_deref().map_err(|check| *check);
        let values = match values {
            Ok(values) => values,
            Err(check) => {
                let writes = written(target, place, None, state);
                return self.outcome(state, p, Outcome::plain(Err(check), writes));
            }
        };
        (values.iter())
            .flat_map(|value| {
                let mut moved = self.go(state, p, next);
                let stored = store(&mut moved.state, target, place.expect("known"), value);
                let writes = written(target, place, Some(value), state);
                let outcome = Outcome::plain(stored.map(|()| moved), writes);
                self.outcome(state, p, outcome)
            })
            .collect()
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
        let places: Vec<Result<Vec<i64>, Check>> =
            targets.iter().map(|target| eval.indices(target)).collect();
        let values: Vec<Result<Value, Check>> = values.iter().map(|e| eval.value(e)).collect();
        let mut writes = Vec::new();
        for ((target, place), value) in targets.iter().zip(&places).zip(&values) {
            let place = place.as_deref().map_err(|check| *check);
            writes.extend(written(target, place, value.as_ref().ok(), state));
        }
        let stored = || {
            let places: Result<Vec<Vec<i64>>, Check> = places.into_iter().collect();
            let places = places?;
            let values: Result<Vec<Value>, Check> = values.into_iter().collect();
            let values = values?;
            let mut moved = self.go(state, p, next);
            for ((target, indices), value) in targets.iter().zip(&places).zip(&values) {
                store(&mut moved.state, target, indices, value)?;
            }
            Ok(moved)
        };
        self.outcome(state, p, Outcome::plain(stored(), writes))
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
                    Err(check) => moves.push(self.fail(state, p, check)),
                }
            }
            let CaseKind::Message(message) = &case.kind else {
                continue;
            };
            let channel = self.channel(state, message);
            let can = channel.is_ok_and(|(_, channel)| {
                self.seems_possible(state, p, message, channel)
                    .unwrap_or(true)
            });
            possible |= can && condition != Ok(false);
            match (condition, channel) {
                (Ok(true), Err(check)) => moves.push(self.fail(state, p, check)),
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
                (Err(check), _) if can => moves.push(self.fail(state, p, check)),
                _ => {}
            }
        }
        for (i, case) in cases.iter().enumerate() {
            let condition = match (&case.kind, &case.condition) {
                (CaseKind::Timeout, Some(condition)) => self.eval(state, 0).truth(condition),
                _ => Ok(true),
            };
            if let Err(check) = condition {
                moves.push(self.fail(state, p, check));
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
