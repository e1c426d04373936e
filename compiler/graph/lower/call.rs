//! Calls of pure functions: their bodies are run on expressions, so that nothing of them is a step or a variable.
//!
//! Both sides of an `if` are run, each under its condition, and a variable is then the one or the other. What follows a `return` is
//! evaluated only where nothing has been returned yet: checks know under which conditions they are made.

use super::layout::width;
use super::value::Evaluator;
use crate::graph::Expr;
use crate::program::{Call, PureStmt, Type};
use crate::system::Op;

/// What a function has returned so far.
struct Returned {
    /// When it has.
    when: Expr,
    /// Then this.
    value: Option<Vec<Expr>>,
}

impl Returned {
    fn nothing() -> Self {
        Returned {
            when: Expr::no(),
            value: None,
        }
    }

    /// What is returned where nothing has been before.
    fn then(&mut self, when: Expr, value: Option<Vec<Expr>>) {
        let Some(value) = value else { return };
        self.value = Some(match self.value.take() {
            Some(earlier) => choose(&self.when, earlier, value),
            None => value,
        });
        self.when = Expr::or([self.when.clone(), when]);
    }
}

fn choose(condition: &Expr, yes: Vec<Expr>, no: Vec<Expr>) -> Vec<Expr> {
    let both = yes.into_iter().zip(no);
    both.map(|(a, b)| Expr::ite(condition.clone(), a, b))
        .collect()
}

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Vec<Expr> {
        for (local, argument) in &call.arguments {
            let value = self.flat(argument);
            self.values.locals.insert(*local, value);
        }
        let mut returned = Returned::nothing();
        self.run(&call.body, &mut returned);
        returned.value.expect("a function ends in a `return`")
    }

    fn run(&mut self, stmts: &[PureStmt], returned: &mut Returned) {
        for stmt in stmts {
            if returned.when.is_yes() {
                return;
            }
            let goes_on = returned.when.clone().not();
            self.values.path.push(goes_on);
            match stmt {
                PureStmt::Assign {
                    local,
                    ty,
                    indices,
                    value,
                } => {
                    let indices: Vec<Expr> = indices.iter().map(|e| self.scalar(e)).collect();
                    let value = self.flat(value);
                    let stored = match indices.is_empty() {
                        true => value,
                        false => {
                            let old = self.values.locals[local].clone();
                            self.stored(ty, &indices, value, old)
                        }
                    };
                    self.values.locals.insert(*local, stored);
                }
                PureStmt::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.scalar(condition);
                    let before = self.values.locals.clone();
                    let yes = self.branch(condition.clone(), then);
                    let after = std::mem::replace(&mut self.values.locals, before);
                    let no = self.branch(condition.clone().not(), otherwise);
                    for (local, value) in &mut self.values.locals {
                        if let Some(other) = after.get(local).filter(|other| *other != value) {
                            let no = std::mem::take(value);
                            *value = choose(&condition, other.clone(), no);
                        }
                    }
                    let value = match (yes.value, no.value) {
                        (Some(a), Some(b)) => Some(choose(&condition, a, b)),
                        (a, b) => a.or(b),
                    };
                    let when = Expr::or([
                        Expr::and([condition.clone(), yes.when]),
                        Expr::and([condition.not(), no.when]),
                    ]);
                    // Where both sides return there is nothing to ask.
                    let sure = always_returns(then) && always_returns(otherwise);
                    returned.then(if sure { Expr::yes() } else { when }, value);
                }
                PureStmt::Return(value) => {
                    let value = self.flat(value);
                    returned.then(Expr::yes(), Some(value));
                }
            }
            self.values.path.pop();
        }
    }

    fn branch(&mut self, condition: Expr, stmts: &[PureStmt]) -> Returned {
        let mut returned = Returned::nothing();
        self.values.path.push(condition);
        self.run(stmts, &mut returned);
        self.values.path.pop();
        returned
    }

    /// An array with another value at some indices.
    fn stored(
        &mut self,
        ty: &Type,
        indices: &[Expr],
        value: Vec<Expr>,
        old: Vec<Expr>,
    ) -> Vec<Expr> {
        let Some((index, rest)) = indices.split_first() else {
            return value;
        };
        let Type::Array(element, count) = ty else {
            unreachable!("only arrays are indexed")
        };
        self.check_index(index, *count as usize);
        let stride = width(element);
        let mut new = Vec::with_capacity(old.len());
        for (k, chunk) in old.chunks(stride).enumerate() {
            let here = Expr::binary(Op::Eq, index.clone(), Expr::int(k as i64));
            if here.is_no() {
                new.extend(chunk.iter().cloned());
                continue;
            }
            let changed = self.stored(element, rest, value.clone(), chunk.to_vec());
            new.extend(choose(&here, changed, chunk.to_vec()));
        }
        new
    }
}

/// Whether control never comes out of the end of a block.
fn always_returns(stmts: &[PureStmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        PureStmt::Assign { .. } => false,
        PureStmt::If {
            then, otherwise, ..
        } => always_returns(then) && always_returns(otherwise),
        PureStmt::Return(_) => true,
    })
}
