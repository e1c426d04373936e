//! Values of expressions, and the checks that evaluating them makes.

use std::collections::HashMap;

use sandalc::program::{Expr, ExprKind, LocalId, Pattern, Place, PureStmt, Step, Type};
use sandalc::system::Check;

use super::Machine;
use super::code::Control;
use super::state::{Contents, State, Value};
use sandalc::vocabulary::{BinaryOp, FaultId, UnaryOp};

/// Evaluates expressions in a state.
pub struct Eval<'a> {
    machine: &'a Machine<'a>,
    state: &'a State,
    /// Results of messaging expressions not asked for yet, the next one lowest.
    results: u64,
    /// The variables of pure functions.
    locals: HashMap<LocalId, Value>,
}

impl Machine<'_> {
    /// Whether a formula without temporal operators holds.
    pub fn holds(&self, state: &State, formula: &Expr) -> bool {
        let value = self.eval(state, 0).value(formula);
        value.expect("specifications make no checks").number() != 0
    }

    /// Evaluates with the results of messaging expressions that have been performed.
    pub fn eval<'a>(&'a self, state: &'a State, results: u64) -> Eval<'a> {
        Eval {
            machine: self,
            state,
            results,
            locals: HashMap::new(),
        }
    }
}

impl<'a> Eval<'a> {
    /// Evaluates with names that stand for values.
    pub fn with(mut self, names: &[(LocalId, Value)]) -> Eval<'a> {
        self.locals.extend(names.iter().cloned());
        self
    }
}

impl Eval<'_> {
    pub fn number(&mut self, e: &Expr) -> Result<i64, Check> {
        Ok(self.value(e)?.number())
    }

    pub fn truth(&mut self, e: &Expr) -> Result<bool, Check> {
        Ok(self.number(e)? != 0)
    }

    pub fn value(&mut self, e: &Expr) -> Result<Value, Check> {
        let at = |p: sandalc::vocabulary::ProcessId| self.state.control[p.0 as usize];
        let yes = |b: bool| Ok(Value::One(i64::from(b)));
        match &e.kind {
            ExprKind::Event(..) => panic!("the random models have events in a file of their own"),
            ExprKind::Suspects(detector) => yes(self.state.suspects[detector.0 as usize]),
            ExprKind::OfFault(aspect, faults) => {
                let asks = |f: &FaultId| {
                    let fault = f.0 as usize;
                    self.machine.about_fault(self.state, *aspect, fault)
                };
                yes(faults.iter().any(asks))
            }
            ExprKind::Const(constant) => Ok(Value::of(constant)),
            ExprKind::Variable(id) => Ok(self.state.vars[id.0 as usize].clone()),
            ExprKind::Array(items) => {
                let items: Result<Vec<Value>, Check> =
                    items.iter().map(|item| self.value(item)).collect();
                Ok(Value::Many(items?))
            }
            ExprKind::Record(values) | ExprKind::Build(_, values) => {
                let fields: Result<Vec<Value>, Check> =
                    values.iter().map(|value| self.value(value)).collect();
                let built = match &e.kind {
                    ExprKind::Build(index, _) => Value::message(i64::from(*index), fields?),
                    _ => Value::Many(fields?),
                };
                if fits(&built, &e.ty) {
                    Ok(built)
                } else {
                    Err(Check::Range)
                }
            }
            ExprKind::Field(base, field) => {
                let value = self.value(base)?;
                Ok(part(&value, &base.ty, *field))
            }
            ExprKind::Is(base, index) => {
                let value = self.value(base)?;
                yes(value.parts().0 == i64::from(*index))
            }
            ExprKind::Index(base, index) => {
                let base = self.value(base)?;
                let index = self.number(index)?;
                match base {
                    Value::Many(items) if index >= 0 && index < items.len() as i64 => {
                        Ok(items[index as usize].clone())
                    }
                    _ => Err(Check::Index),
                }
            }
            ExprKind::Unary(UnaryOp::Not, e) => {
                let value = self.truth(e)?;
                yes(!value)
            }
            ExprKind::Unary(UnaryOp::Neg, e) => Ok(Value::One(-self.number(e)?)),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Local(local) => Ok(self.locals[local].clone()),
            ExprKind::Fit(inner) => {
                let value = self.value(inner)?;
                match fits(&value, &e.ty) {
                    true => Ok(value),
                    false => Err(Check::Range),
                }
            }
            ExprKind::Call(call) => {
                for (local, argument) in &call.arguments {
                    let value = self.value(argument)?;
                    self.locals.insert(*local, value);
                }
                let result = self.run(&call.body)?;
                Ok(result.expect("a function returns"))
            }
            ExprKind::If(c, a, b) => match self.truth(c)? {
                true => self.value(a),
                false => self.value(b),
            },
            ExprKind::Max(a, b) => {
                let first = self.number(a)?;
                Ok(Value::One(first.max(self.number(b)?)))
            }
            ExprKind::Min(a, b) => {
                let first = self.number(a)?;
                Ok(Value::One(first.min(self.number(b)?)))
            }
            ExprKind::Message(_) => {
                let result = self.results & 1 != 0;
                self.results >>= 1;
                yes(result)
            }
            ExprKind::Done(p) => yes(at(*p) == Control::Done),
            ExprKind::Crashed(p) => yes(at(*p) == Control::Crashed),
            ExprKind::Failed(p) => yes(at(*p) == Control::Failed),
            ExprKind::Ticked => unreachable!("random models have no clock"),
            ExprKind::Waiting(p) => {
                let ended = matches!(at(*p), Control::Done | Control::Crashed | Control::Failed);
                let process = p.0 as usize;
                yes(!ended && !self.machine.can_move_without_fault(self.state, process))
            }
            ExprKind::At(p, label) => yes(self.machine.code[p.0 as usize].is_at(at(*p), label.0)),
            ExprKind::Len(c) => Ok(Value::One(self.length(c.0))),
            ExprKind::Full(c) => {
                let capacity = self.machine.program.channels[c.0 as usize].capacity;
                yes(self.length(c.0) == i64::from(capacity.expect("a buffer")))
            }
            ExprKind::Empty(c) => yes(self.length(c.0) == 0),
            ExprKind::Temporal(..) | ExprKind::Path(..) | ExprKind::Knows(_) => {
                panic!("a temporal formula")
            }
        }
    }

    /// What a pure function returns, unless it goes on.
    fn run(&mut self, stmts: &[PureStmt]) -> Result<Option<Value>, Check> {
        for stmt in stmts {
            match stmt {
                PureStmt::Assign {
                    local,
                    indices,
                    value,
                    ..
                } => {
                    let indices: Result<Vec<i64>, Check> =
                        indices.iter().map(|e| self.number(e)).collect();
                    let (indices, value) = (indices?, self.value(value)?);
                    let Some((last, outer)) = indices.split_last() else {
                        self.locals.insert(*local, value);
                        continue;
                    };
                    let mut place = self.locals.get_mut(local).expect("declared before");
                    for index in outer.iter().chain([last]) {
                        let Value::Many(items) = place else {
                            panic!("only arrays are indexed")
                        };
                        let at = usize::try_from(*index).map_err(|_| Check::Index)?;
                        place = items.get_mut(at).ok_or(Check::Index)?;
                    }
                    *place = value;
                }
                PureStmt::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let block = match self.truth(condition)? {
                        true => then,
                        false => otherwise,
                    };
                    if let Some(result) = self.run(block)? {
                        return Ok(Some(result));
                    }
                }
                PureStmt::Return(value) => return self.value(value).map(Some),
            }
        }
        Ok(None)
    }

    fn length(&self, channel: u32) -> i64 {
        match &self.state.channels[channel as usize] {
            Contents::Buffer(messages) => messages.len() as i64,
            Contents::Meeting(_) => panic!("no buffer"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Value, Check> {
        let yes = |b: bool| Ok(Value::One(i64::from(b)));
        match op {
            BinaryOp::And => {
                let value = self.truth(a)? && self.truth(b)?;
                return yes(value);
            }
            BinaryOp::Or => {
                let value = self.truth(a)? || self.truth(b)?;
                return yes(value);
            }
            BinaryOp::Implies => {
                let value = !self.truth(a)? || self.truth(b)?;
                return yes(value);
            }
            BinaryOp::Eq | BinaryOp::Iff => {
                let value = self.value(a)? == self.value(b)?;
                return yes(value);
            }
            BinaryOp::Ne => {
                let value = self.value(a)? != self.value(b)?;
                return yes(value);
            }
            _ => {}
        }
        let (x, y) = (self.number(a)?, self.number(b)?);
        Ok(Value::One(match op {
            BinaryOp::Lt => i64::from(x < y),
            BinaryOp::Le => i64::from(x <= y),
            BinaryOp::Gt => i64::from(x > y),
            BinaryOp::Ge => i64::from(x >= y),
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            BinaryOp::Div | BinaryOp::Rem if y == 0 => return Err(Check::Division),
            BinaryOp::Div => x / y,
            BinaryOp::Rem => x % y,
            BinaryOp::BitAnd => x & y,
            BinaryOp::BitOr => x | y,
            BinaryOp::BitXor => x ^ y,
            BinaryOp::Shl | BinaryOp::Shr if !(0..=31).contains(&y) => return Err(Check::Range),
            BinaryOp::Shl => x << y,
            BinaryOp::Shr => x >> y,
            _ => panic!("{} in a process", op.as_str()),
        }))
    }

    /// Whether a value fits a pattern. All that it is compared with is evaluated first.
    pub fn matches(&mut self, pattern: &Pattern, ty: &Type, value: &Value) -> Result<bool, Check> {
        for compared in pattern.values() {
            self.value(compared)?;
        }
        Ok(match pattern {
            Pattern::Any | Pattern::Into(_) => true,
            Pattern::Equal(e) => self.value(e)? == *value,
            Pattern::Between(lo, hi) => *lo <= value.number() && value.number() <= *hi,
            Pattern::Either(all) => {
                let mut fits = false;
                for pattern in all {
                    fits |= self.matches(pattern, ty, value)?;
                }
                fits
            }
            Pattern::Constructor(index, patterns) => {
                let Type::Tagged(tagged) = ty else {
                    panic!("a constructor of something else")
                };
                let (constructor, fields) = value.parts();
                if constructor != i64::from(*index) {
                    return Ok(false);
                }
                let mut fits = true;
                let types = tagged.fields_of(*index);
                for ((pattern, field), ty) in patterns.iter().zip(fields).zip(types) {
                    fits &= self.matches(pattern, &ty.ty, field)?;
                }
                fits
            }
        })
    }

    /// The indices of a target, evaluated but not compared with its bounds.
    pub fn indices(&mut self, place: &Place) -> Result<Vec<i64>, Check> {
        place.indices().map(|i| self.number(i)).collect()
    }
}

/// Whether a value may be stored in a variable of a type.
pub fn fits(value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::One(n), Type::Int { lo, hi }) => lo <= n && n <= hi,
        (Value::Many(items), Type::Array(element, _)) => items.iter().all(|i| fits(i, element)),
        (Value::Many(items), Type::Record(record)) => {
            let mut fields = items.iter().zip(&record.fields);
            fields.all(|(value, field)| fits(value, &field.ty))
        }
        (Value::Many(_), Type::Tagged(tagged)) => {
            let (constructor, items) = value.parts();
            let mut fields = items.iter().zip(tagged.fields_of(constructor as u32));
            fields.all(|(value, field)| fits(value, &field.ty))
        }
        _ => true,
    }
}

/// Stores a value: first the bounds of the indices are checked, then the range.
pub fn store(
    state: &mut State,
    place: &Place,
    indices: &[i64],
    value: &Value,
) -> Result<(), Check> {
    let mut at = &mut state.vars[place.variable.0 as usize];
    let mut indices = indices.iter();
    for step in &place.path {
        let Value::Many(items) = at else {
            panic!("a part of a number")
        };
        let index = match step {
            Step::Index(_) => *indices.next().expect("all are evaluated"),
            Step::Field(field) => i64::from(*field),
        };
        if index < 0 || index >= items.len() as i64 {
            return Err(Check::Index);
        }
        at = &mut items[index as usize];
    }
    if !fits(value, &place.ty) {
        return Err(Check::Range);
    }
    *at = value.clone();
    Ok(())
}

/// A field of a record, or of a message: zero if its constructor has none.
fn part(value: &Value, ty: &Type, field: u32) -> Value {
    match (ty, value) {
        (Type::Record(_), Value::Many(items)) => items[field as usize].clone(),
        (Type::Tagged(tagged), _) => {
            let (constructor, items) = value.parts();
            let own = &tagged.constructors[constructor as usize].fields;
            match own.iter().position(|other| *other == field) {
                Some(at) => items[at].clone(),
                None => Value::of(&tagged.fields[field as usize].ty.zero()),
            }
        }
        _ => panic!("a field of something that has none"),
    }
}

/// The targets of a pattern, with what goes there.
pub fn stores<'p>(
    pattern: &'p Pattern,
    ty: &Type,
    value: &Value,
    into: &mut Vec<(&'p Place, Value)>,
) {
    match (pattern, ty) {
        (Pattern::Into(place), _) => into.push((place, value.clone())),
        (Pattern::Constructor(index, patterns), Type::Tagged(tagged)) => {
            let fields = value.parts().1.iter().zip(tagged.fields_of(*index));
            for (pattern, (value, field)) in patterns.iter().zip(fields) {
                stores(pattern, &field.ty, value, into);
            }
        }
        _ => {}
    }
}
