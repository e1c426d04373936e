//! The value of a call of a pure function whose arguments are all constant.

use rustc_hash::FxHashMap;

use super::range::{self, Interval};
use super::{Call, Expr, ExprKind, LocalId, PureStmt, Type, Value};
use crate::vocabulary::{BinaryOp, UnaryOp};

/// The values of a function's variables.
type Locals = FxHashMap<LocalId, Value>;

/// The value of a call; `None` if something in it is not constant, or a check fails.
pub(super) fn call(call: &Call) -> Option<Value> {
    run_call(call, &mut Locals::default())
}

fn run_call(call: &Call, locals: &mut Locals) -> Option<Value> {
    for (local, argument) in &call.arguments {
        let value = eval(argument, locals)?;
        locals.insert(*local, value);
    }
    run(&call.body, locals)?
}

/// What a block returns: `Some(None)` if nothing yet.
fn run(stmts: &[PureStmt], locals: &mut Locals) -> Option<Option<Value>> {
    for stmt in stmts {
        match stmt {
            PureStmt::Assign {
                local,
                indices,
                value,
                ..
            } => {
                let at: Vec<usize> = indices
                    .iter()
                    .map(|index| match eval(index, locals)? {
                        Value::Int(index) => usize::try_from(index).ok(),
                        _ => None,
                    })
                    .collect::<Option<_>>()?;
                let value = eval(value, locals)?;
                match at.as_slice() {
                    [] => {
                        locals.insert(*local, value);
                    }
                    at => {
                        let mut place = locals.get_mut(local)?;
                        for index in at {
                            let Value::Array(items) = place else {
                                return None;
                            };
                            place = items.get_mut(*index)?;
                        }
                        *place = value;
                    }
                }
            }
            PureStmt::If {
                condition,
                then,
                otherwise,
            } => {
                let block = match eval(condition, locals)? {
                    Value::Bool(true) => then,
                    _ => otherwise,
                };
                if let Some(result) = run(block, locals)? {
                    return Some(Some(result));
                }
            }
            PureStmt::Return(value) => return eval(value, locals).map(Some),
        }
    }
    Some(None)
}

fn eval(e: &Expr, locals: &mut Locals) -> Option<Value> {
    let number = |e: &Expr, locals: &mut Locals| match eval(e, locals)? {
        Value::Int(value) => Some(value),
        _ => None,
    };
    let truth = |e: &Expr, locals: &mut Locals| Some(eval(e, locals)? == Value::Bool(true));
    Some(match &e.kind {
        ExprKind::Const(value) => value.clone(),
        ExprKind::Local(local) => locals.get(local)?.clone(),
        ExprKind::Fit(inner) => {
            let value = eval(inner, locals)?;
            return e.ty.contains(&value).then_some(value);
        }
        ExprKind::Call(call) => return run_call(call, locals),
        ExprKind::Index(base, index) => {
            let base = eval(base, locals)?;
            let index = usize::try_from(number(index, locals)?).ok()?;
            match base {
                Value::Array(items) => items.get(index)?.clone(),
                _ => return None,
            }
        }
        ExprKind::Array(items) => {
            let items: Option<Vec<Value>> = items.iter().map(|e| eval(e, locals)).collect();
            Value::Array(items?)
        }
        ExprKind::Record(fields) => {
            let Type::Record(record) = &e.ty else {
                return None;
            };
            let fields: Option<Vec<Value>> = fields.iter().map(|e| eval(e, locals)).collect();
            Value::Record(record.clone(), fields?)
        }
        ExprKind::Build(constructor, fields) => {
            let Type::Tagged(tagged) = &e.ty else {
                return None;
            };
            let fields: Option<Vec<Value>> = fields.iter().map(|e| eval(e, locals)).collect();
            Value::Tagged(tagged.clone(), *constructor, fields?)
        }
        ExprKind::Field(base, position) => match eval(base, locals)? {
            Value::Record(_, fields) => fields.get(*position as usize)?.clone(),
            Value::Tagged(tagged, constructor, fields) => {
                let mut own = tagged.constructors[constructor as usize].fields.iter();
                match own.position(|field| field == position) {
                    Some(at) => fields.get(at)?.clone(),
                    None => tagged.fields.get(*position as usize)?.ty.zero(),
                }
            }
            _ => return None,
        },
        ExprKind::Is(base, wanted) => match eval(base, locals)? {
            Value::Tagged(_, found, _) | Value::Data(_, found) => Value::Bool(found == *wanted),
            _ => return None,
        },
        ExprKind::Unary(UnaryOp::Not, e) => Value::Bool(!truth(e, locals)?),
        ExprKind::Unary(UnaryOp::Neg, e) => Value::Int(-number(e, locals)?),
        ExprKind::If(c, a, b) => match truth(c, locals)? {
            true => eval(a, locals)?,
            false => eval(b, locals)?,
        },
        ExprKind::Max(a, b) => Value::Int(number(a, locals)?.max(number(b, locals)?)),
        ExprKind::Min(a, b) => Value::Int(number(a, locals)?.min(number(b, locals)?)),
        ExprKind::Binary(BinaryOp::And, a, b) => {
            Value::Bool(truth(a, locals)? && truth(b, locals)?)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) => Value::Bool(truth(a, locals)? || truth(b, locals)?),
        ExprKind::Binary(BinaryOp::Eq, a, b) => {
            let a = eval(a, locals)?;
            Value::Bool(a == eval(b, locals)?)
        }
        ExprKind::Binary(BinaryOp::Ne, a, b) => {
            let a = eval(a, locals)?;
            Value::Bool(a != eval(b, locals)?)
        }
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (number(a, locals)?, number(b, locals)?);
            match e.ty {
                Type::Bool => {
                    Value::Bool(range::compare(*op, Interval::point(x), Interval::point(y))?)
                }
                _ => Value::Int(range::apply(*op, x, y).ok()?),
            }
        }
        _ => return None,
    })
}
