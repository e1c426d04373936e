//! What types and values can tell about themselves.

use std::sync::Arc;

use super::data::{Field, RecordType};
use super::range::Interval;
use super::{Expr, ExprKind, PureStmt};
use super::{Type, Value};
use crate::vocabulary::DataType;

impl Expr {
    /// Calls `visit` for this expression and every part of it; messaging expressions have no parts here.
    pub fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Max(a, b)
            | ExprKind::Min(a, b)
            | ExprKind::Path(_, a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
            ExprKind::If(a, b, c) => {
                a.visit(visit);
                b.visit(visit);
                c.visit(visit);
            }
            ExprKind::Unary(_, e)
            | ExprKind::Temporal(_, e)
            | ExprKind::Field(e, _)
            | ExprKind::Is(e, _)
            | ExprKind::Fit(e) => e.visit(visit),
            ExprKind::Array(parts) | ExprKind::Record(parts) | ExprKind::Build(_, parts) => {
                parts.iter().for_each(|e| e.visit(visit));
            }
            ExprKind::Knows(knows) => knows.what.visit(visit),
            ExprKind::Call(call) => {
                call.arguments.iter().for_each(|(_, e)| e.visit(visit));
                call.body.iter().for_each(|stmt| stmt.visit(visit));
            }
            ExprKind::Event(_, event) => {
                let values = event.values().into_iter();
                values.for_each(|e| e.visit(visit));
            }
            ExprKind::Const(_)
            | ExprKind::Variable(_)
            | ExprKind::Local(_)
            | ExprKind::Message(_)
            | ExprKind::Done(_)
            | ExprKind::Crashed(_)
            | ExprKind::Suspects(_)
            | ExprKind::Failed(_)
            | ExprKind::Waiting(_)
            | ExprKind::Ticked
            | ExprKind::At(..)
            | ExprKind::OfFault(..)
            | ExprKind::Len(_)
            | ExprKind::Full(_)
            | ExprKind::Empty(_) => {}
        }
    }
}

impl PureStmt {
    fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        match self {
            PureStmt::Assign { indices, value, .. } => {
                indices.iter().for_each(|e| e.visit(visit));
                value.visit(visit);
            }
            PureStmt::If {
                condition,
                then,
                otherwise,
            } => {
                condition.visit(visit);
                then.iter().chain(otherwise).for_each(|s| s.visit(visit));
            }
            PureStmt::Return(value) => value.visit(visit),
        }
    }
}

impl Type {
    /// A value of this type all of whose elements are one.
    pub fn filled(&self, scalar: &Value) -> Value {
        match self {
            Type::Array(element, count) => {
                Value::Array(vec![element.filled(scalar); *count as usize])
            }
            _ => scalar.clone(),
        }
    }

    /// All values of a scalar type.
    pub fn values(&self, data: &[DataType]) -> Vec<Value> {
        match self {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int { lo, hi } => (*lo..=*hi).map(Value::Int).collect(),
            Type::Data(id) => (0..data[id.0 as usize].constructors.len() as u32)
                .map(|index| Value::Data(*id, index))
                .collect(),
            Type::Array(element, _) => element.values(data),
            Type::Record(_) | Type::Tagged(_) => self.all(data),
        }
    }

    /// `lo..hi`
    pub fn int(range: Interval) -> Type {
        Type::Int {
            lo: range.lo,
            hi: range.hi,
        }
    }

    /// The range of an integer type.
    pub fn range(&self) -> Option<Interval> {
        match self {
            Type::Int { lo, hi } => Some(Interval { lo: *lo, hi: *hi }),
            _ => None,
        }
    }

    /// The value a variable of this type has if the model gives it none.
    pub fn zero(&self) -> Value {
        match self {
            Type::Bool => Value::Bool(false),
            Type::Int { lo, hi } if *lo <= 0 && 0 <= *hi => Value::Int(0),
            Type::Int { lo, .. } => Value::Int(*lo),
            Type::Data(id) => Value::Data(*id, 0),
            Type::Array(element, length) => Value::Array(vec![element.zero(); *length as usize]),
            Type::Record(record) => {
                let fields = record.fields.iter().map(|field| field.ty.zero());
                Value::Record(record.clone(), fields.collect())
            }
            Type::Tagged(tagged) => {
                let fields = tagged.fields_of(0).map(|field| field.ty.zero());
                Value::Tagged(tagged.clone(), 0, fields.collect())
            }
        }
    }

    /// Whether the two are equal but for the ranges of integers: then one can be stored in the other,
    /// with a check if the ranges do not fit.
    pub fn same_shape(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Bool, Type::Bool) | (Type::Int { .. }, Type::Int { .. }) => true,
            (Type::Data(a), Type::Data(b)) => a == b,
            (Type::Array(a, n), Type::Array(b, m)) => n == m && a.same_shape(b),
            (Type::Record(a), Type::Record(b)) => {
                let mut fields = a.fields.iter().zip(&b.fields);
                Arc::ptr_eq(a, b)
                    || (a.span == b.span && fields.all(|(a, b)| a.ty.same_shape(&b.ty)))
            }
            (Type::Tagged(a), Type::Tagged(b)) => a.data == b.data,
            _ => false,
        }
    }

    /// The smallest type around two of the same shape.
    pub fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => Type::Int {
                lo: *a.min(c),
                hi: *b.max(d),
            },
            (Type::Array(a, n), Type::Array(b, _)) => Type::Array(Box::new(a.join(b)), *n),
            (Type::Record(a), Type::Record(b)) if !Arc::ptr_eq(a, b) => {
                let pairs = a.fields.iter().zip(&b.fields);
                let fields = pairs.map(|(a, b)| Field {
                    name: a.name.clone(),
                    ty: a.ty.join(&b.ty),
                });
                let joined = RecordType::new(a.name.clone(), fields.collect(), a.span);
                Type::Record(Arc::new(joined))
            }
            _ => self.clone(),
        }
    }

    /// Whether `value` is one of this type.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Bool, Value::Bool(_)) => true,
            (Type::Int { lo, hi }, Value::Int(v)) => lo <= v && v <= hi,
            (Type::Data(a), Value::Data(b, _)) => a == b,
            (Type::Array(element, n), Value::Array(values)) => {
                values.len() == *n as usize && values.iter().all(|v| element.contains(v))
            }
            (Type::Record(record), Value::Record(of, values)) => {
                let mut fields = record.fields.iter().zip(values);
                record.span == of.span && fields.all(|(field, value)| field.ty.contains(value))
            }
            (Type::Tagged(tagged), Value::Tagged(of, constructor, values)) => {
                let mut fields = tagged.fields_of(*constructor).zip(values);
                tagged.data == of.data && fields.all(|(field, value)| field.ty.contains(value))
            }
            _ => false,
        }
    }

    /// How many scalars it has: 1, or for an array those of all its elements.
    pub fn scalars(&self) -> u64 {
        match self {
            Type::Array(element, n) => element.scalars().saturating_mul(u64::from(*n)),
            Type::Record(record) => record.scalars,
            Type::Tagged(tagged) => 1 + tagged.rooms.len() as u64,
            Type::Bool | Type::Int { .. } | Type::Data(_) => 1,
        }
    }

    /// The type of its elements, and of theirs, that is no array.
    pub fn scalar(&self) -> &Type {
        match self {
            Type::Array(element, _) => element.scalar(),
            scalar => scalar,
        }
    }

    /// How many values it has, as far as that can be counted.
    pub fn count(&self, data: &[DataType]) -> u64 {
        match self {
            Type::Bool => 2,
            Type::Int { lo, hi } => Interval { lo: *lo, hi: *hi }.size(),
            Type::Data(id) => data[id.0 as usize].constructors.len() as u64,
            Type::Array(element, n) => element.count(data).saturating_pow(*n),
            Type::Record(record) => count(record.fields.iter(), data),
            Type::Tagged(tagged) => {
                let constructors = 0..tagged.constructors.len() as u32;
                let counts = constructors.map(|c| count(tagged.fields_of(c), data));
                counts.fold(0, u64::saturating_add)
            }
        }
    }

    /// Every value it has, in order; they are [`count`](Type::count)ed before.
    pub fn all(&self, data: &[DataType]) -> Vec<Value> {
        match self {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int { lo, hi } => (*lo..=*hi).map(Value::Int).collect(),
            Type::Data(id) => {
                let count = data[id.0 as usize].constructors.len() as u32;
                (0..count).map(|index| Value::Data(*id, index)).collect()
            }
            Type::Array(element, n) => {
                let elements = vec![element.all(data); *n as usize];
                product(&elements).into_iter().map(Value::Array).collect()
            }
            Type::Record(record) => {
                let fields: Vec<_> = record.fields.iter().map(|f| f.ty.all(data)).collect();
                let values = product(&fields).into_iter();
                values.map(|v| Value::Record(record.clone(), v)).collect()
            }
            Type::Tagged(tagged) => (0..tagged.constructors.len() as u32)
                .flat_map(|constructor| {
                    let fields = tagged.fields_of(constructor);
                    let fields: Vec<_> = fields.map(|field| field.ty.all(data)).collect();
                    let values = product(&fields).into_iter();
                    values.map(move |values| Value::Tagged(tagged.clone(), constructor, values))
                })
                .collect(),
        }
    }

    /// As a model writes it.
    pub fn show(&self, data: &[DataType]) -> String {
        match self {
            Type::Bool => "bool".into(),
            Type::Int { lo, hi } => format!("{lo}..{hi}"),
            Type::Data(id) => data[id.0 as usize].name.clone(),
            Type::Array(element, n) => format!("[{n}]{}", element.show(data)),
            Type::Record(record) => record.name.clone(),
            Type::Tagged(tagged) => tagged.name.clone(),
        }
    }
}

impl Value {
    /// The smallest type that has it. Arrays have at least one element.
    pub fn type_of(&self) -> Type {
        match self {
            Value::Bool(_) => Type::Bool,
            Value::Int(v) => Type::Int { lo: *v, hi: *v },
            Value::Data(id, _) => Type::Data(*id),
            Value::Array(values) => {
                let element = values
                    .iter()
                    .map(Value::type_of)
                    .reduce(|a, b| a.join(&b))
                    .unwrap_or(Type::Bool);
                Type::Array(Box::new(element), values.len() as u32)
            }
            Value::Record(record, _) => Type::Record(record.clone()),
            Value::Tagged(tagged, ..) => Type::Tagged(tagged.clone()),
        }
    }

    /// How many scalars it has: 1, or for an array those of all its elements.
    pub fn scalars(&self) -> u64 {
        match self {
            Value::Array(values) | Value::Record(_, values) => {
                values.iter().map(Value::scalars).sum()
            }
            Value::Tagged(tagged, ..) => 1 + tagged.rooms.len() as u64,
            Value::Bool(_) | Value::Int(_) | Value::Data(..) => 1,
        }
    }

    /// Its scalars, in the order of [`Type::flat`].
    pub fn flat(&self) -> Vec<Value> {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Data(..) => vec![self.clone()],
            Value::Array(values) | Value::Record(_, values) => {
                values.iter().flat_map(Value::flat).collect()
            }
            Value::Tagged(tagged, constructor, values) => {
                let mut rooms: Vec<Value> = tagged.rooms.iter().map(Type::zero).collect();
                let fields = &tagged.constructors[*constructor as usize].fields;
                for (field, value) in fields.iter().zip(values) {
                    let own = &tagged.rooms_of[*field as usize];
                    for (room, scalar) in own.iter().zip(value.flat()) {
                        rooms[*room as usize] = scalar;
                    }
                }
                rooms.insert(0, Value::Data(tagged.data, *constructor));
                rooms
            }
        }
    }

    /// As a model writes it.
    pub fn show(&self, data: &[DataType]) -> String {
        match self {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Data(id, index) => data[id.0 as usize].constructors[*index as usize].clone(),
            Value::Array(values) => {
                let shown: Vec<_> = values.iter().map(|v| v.show(data)).collect();
                format!("[{}]", shown.join(", "))
            }
            Value::Record(record, values) => {
                let pairs = record.fields.iter().zip(values);
                let shown: Vec<_> = pairs
                    .map(|(field, value)| format!("{}: {}", field.name, value.show(data)))
                    .collect();
                format!("{}{{{}}}", record.name, shown.join(", "))
            }
            Value::Tagged(tagged, constructor, values) => {
                let name = &tagged.constructors[*constructor as usize].name;
                let shown: Vec<_> = values.iter().map(|v| v.show(data)).collect();
                match shown.as_slice() {
                    [] => name.clone(),
                    shown => format!("{name}({})", shown.join(", ")),
                }
            }
        }
    }
}

fn count<'f>(fields: impl Iterator<Item = &'f Field>, data: &[DataType]) -> u64 {
    fields
        .map(|field| field.ty.count(data))
        .fold(1, u64::saturating_mul)
}

/// Every way to take one of each.
fn product(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    choices.iter().fold(vec![Vec::new()], |taken, choice| {
        let with = |taken: &Vec<Value>, value: &Value| {
            taken.iter().chain([value]).cloned().collect::<Vec<Value>>()
        };
        let longer = taken.iter();
        longer
            .flat_map(|taken| choice.iter().map(move |value| with(taken, value)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::DataId;

    #[test]
    fn zero_values_follow_the_table_of_types() {
        assert_eq!(Type::Int { lo: -2, hi: 2 }.zero(), Value::Int(0));
        assert_eq!(Type::Int { lo: 3, hi: 5 }.zero(), Value::Int(3));
        assert_eq!(Type::Int { lo: -5, hi: -3 }.zero(), Value::Int(-5));
        assert_eq!(Type::Data(DataId(1)).zero(), Value::Data(DataId(1), 0));
        let array = Type::Array(Box::new(Type::Bool), 2);
        assert_eq!(array.zero(), Value::Array(vec![Value::Bool(false); 2]));
        assert!(array.contains(&array.zero()));
    }

    #[test]
    fn the_type_of_an_array_covers_its_elements() {
        let value = Value::Array(vec![Value::Int(3), Value::Int(-1)]);
        let ty = Type::Array(Box::new(Type::Int { lo: -1, hi: 3 }), 2);
        assert_eq!(value.type_of(), ty);
        assert_eq!(ty.show(&[]), "[2]-1..3");
        assert_eq!(value.show(&[]), "[3, -1]");
        assert_eq!(ty.count(&[]), 25);
    }
}
