//! Records, and messages that carry fields.
//!
//! Both are flattened: a record is its fields, one after the other. A value of a data type whose constructors carry
//! fields is a tag and *rooms*; fields that are never there together share a room if they have the same values, and a room
//! that is not in use holds zero, so that equal values are equal states.

use std::sync::Arc;

use super::Type;
use crate::source::Span;
use crate::vocabulary::{DataId, DataType};

/// `type Entry struct { term Term; value Value }`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordType {
    /// `Entry`
    pub name: String,
    /// Its fields, in order; at least one.
    pub fields: Vec<Field>,
    /// How many scalars it has.
    pub scalars: u64,
    /// Where it is declared: two records of one name may be declared in two modules.
    pub span: Span,
}

/// A field of a record or of a constructor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// `data Msg { Prepare(b Ballot), Accept(b Ballot, v Value), Nack }`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TaggedType {
    /// Whose constructors are the tags.
    pub data: DataId,
    /// `Msg`
    pub name: String,
    /// Its constructors, in order.
    pub constructors: Vec<Constructor>,
    /// All fields of all constructors: a name has one type.
    pub fields: Vec<Field>,
    /// The rooms of each field, one for each of its scalars.
    pub rooms_of: Vec<Vec<u32>>,
    /// The types of the rooms, all scalar.
    pub rooms: Vec<Type>,
}

/// A constructor with the positions of its fields among those of the type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<u32>,
}

impl RecordType {
    /// A record.
    pub fn new(name: String, fields: Vec<Field>, span: Span) -> Self {
        let scalars = fields.iter().map(|field| field.ty.scalars());
        RecordType {
            scalars: scalars.fold(0, u64::saturating_add),
            name,
            fields,
            span,
        }
    }

    /// The position of a field.
    pub fn position(&self, name: &str) -> Option<u32> {
        position(&self.fields, name)
    }

    /// The scalars of a field among those of the record.
    pub fn scalars_of(&self, field: u32) -> std::ops::Range<usize> {
        let before = &self.fields[..field as usize];
        let start = before.iter().map(|field| field.ty.scalars() as usize).sum();
        start..start + self.fields[field as usize].ty.scalars() as usize
    }
}

impl TaggedType {
    /// A data type whose constructors carry fields, with rooms for them: every field gets the first rooms of its
    /// types that no field has which some constructor has beside it.
    pub fn new(
        data: DataId,
        name: String,
        constructors: Vec<Constructor>,
        fields: Vec<Field>,
    ) -> Self {
        let mut rooms: Vec<Type> = Vec::new();
        let mut rooms_of: Vec<Vec<u32>> = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let mut taken = vec![false; rooms.len()];
            let beside = constructors
                .iter()
                .filter(|constructor| constructor.fields.contains(&(index as u32)))
                .flat_map(|constructor| &constructor.fields)
                .filter_map(|other| rooms_of.get(*other as usize));
            beside
                .flatten()
                .for_each(|room| taken[*room as usize] = true);
            let mut own = Vec::new();
            for ty in field.ty.flat() {
                let free = (0..rooms.len()).find(|room| !taken[*room] && rooms[*room] == ty);
                let room = free.unwrap_or(rooms.len());
                if room == rooms.len() {
                    rooms.push(ty);
                    taken.push(true);
                }
                taken[room] = true;
                own.push(room as u32);
            }
            rooms_of.push(own);
        }
        TaggedType {
            data,
            name,
            constructors,
            fields,
            rooms_of,
            rooms,
        }
    }

    /// The position of a field.
    pub fn position(&self, name: &str) -> Option<u32> {
        position(&self.fields, name)
    }

    /// The fields of a constructor.
    pub fn fields_of(&self, constructor: u32) -> impl Iterator<Item = &Field> {
        let fields = &self.constructors[constructor as usize].fields;
        fields.iter().map(|field| &self.fields[*field as usize])
    }

    /// The constructors that carry a field.
    pub fn carriers(&self, field: u32) -> Vec<u32> {
        let all = self.constructors.iter().enumerate();
        all.filter(|(_, constructor)| constructor.fields.contains(&field))
            .map(|(index, _)| index as u32)
            .collect()
    }

    /// Whether a field is alone in its rooms: what they hold under other constructors is zero.
    pub fn is_alone(&self, field: u32) -> bool {
        let own = &self.rooms_of[field as usize];
        let mut others = self.rooms_of.iter().enumerate();
        others.all(|(other, rooms)| {
            other == field as usize || !rooms.iter().any(|room| own.contains(room))
        })
    }
}

fn position(fields: &[Field], name: &str) -> Option<u32> {
    let found = fields.iter().position(|field| field.name == name);
    found.map(|index| index as u32)
}

impl Type {
    /// The types of its scalars, in order.
    pub fn flat(&self) -> Vec<Type> {
        let mut flat = Vec::new();
        self.flatten(&mut flat);
        flat
    }

    fn flatten(&self, into: &mut Vec<Type>) {
        match self {
            Type::Bool | Type::Int { .. } | Type::Data(_) => into.push(self.clone()),
            Type::Array(element, count) => {
                let flat = element.flat();
                for _ in 0..*count {
                    into.extend_from_slice(&flat);
                }
            }
            Type::Record(record) => {
                record
                    .fields
                    .iter()
                    .for_each(|field| field.ty.flatten(into));
            }
            Type::Tagged(tagged) => {
                into.push(Type::Data(tagged.data));
                into.extend_from_slice(&tagged.rooms);
            }
        }
    }

    /// How deep arrays, records and messages nest in it.
    pub fn depth(&self) -> usize {
        let deepest = |fields: &[Field]| fields.iter().map(|field| field.ty.depth()).max();
        match self {
            Type::Bool | Type::Int { .. } | Type::Data(_) => 0,
            Type::Array(element, _) => 1 + element.depth(),
            Type::Record(record) => 1 + deepest(&record.fields).unwrap_or(0),
            Type::Tagged(tagged) => 1 + deepest(&tagged.fields).unwrap_or(0),
        }
    }

    /// Whether every value of another type of the same shape is one of this.
    pub fn covers(&self, other: &Type) -> bool {
        let all = |a: &[Field], b: &[Field]| a.iter().zip(b).all(|(a, b)| a.ty.covers(&b.ty));
        match (self, other) {
            (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) => lo <= l && h <= hi,
            (Type::Array(a, _), Type::Array(b, _)) => a.covers(b),
            (Type::Record(a), Type::Record(b)) => Arc::ptr_eq(a, b) || all(&a.fields, &b.fields),
            (Type::Tagged(a), Type::Tagged(b)) => Arc::ptr_eq(a, b) || all(&a.fields, &b.fields),
            _ => true,
        }
    }

    /// The data type, if it is one.
    pub fn data(&self) -> Option<DataId> {
        match self {
            Type::Data(data) => Some(*data),
            Type::Tagged(tagged) => Some(tagged.data),
            _ => None,
        }
    }

    /// How many values each of its parts has that `any` chooses on its own: scalars, and messages with fields.
    pub fn choices(&self, data: &[DataType]) -> Vec<u64> {
        match self {
            Type::Array(element, _) => element.choices(data),
            Type::Record(record) => {
                let fields = record.fields.iter();
                fields.flat_map(|field| field.ty.choices(data)).collect()
            }
            _ => vec![self.count(data)],
        }
    }

    /// Whether it has records or messages with fields in it.
    pub fn is_composite(&self) -> bool {
        match self {
            Type::Bool | Type::Int { .. } | Type::Data(_) => false,
            Type::Array(element, _) => element.is_composite(),
            Type::Record(_) | Type::Tagged(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, ty: Type) -> Field {
        Field {
            name: name.into(),
            ty,
        }
    }

    #[test]
    fn fields_that_are_never_there_together_share_room() {
        let byte = Type::Int { lo: 0, hi: 7 };
        let constructor = |name: &str, fields: &[u32]| Constructor {
            name: name.into(),
            fields: fields.to_vec(),
        };
        // A(b, v), B(w), C(b, w), N
        let tagged = TaggedType::new(
            DataId(0),
            "M".into(),
            vec![
                constructor("A", &[0, 1]),
                constructor("B", &[2]),
                constructor("C", &[0, 2]),
                constructor("N", &[]),
            ],
            vec![
                field("b", byte.clone()),
                field("v", byte.clone()),
                field("w", byte.clone()),
            ],
        );
        assert_eq!(tagged.rooms, vec![byte.clone(), byte]);
        assert_eq!(tagged.rooms_of, vec![vec![0], vec![1], vec![1]]);
        assert!(tagged.is_alone(0) && !tagged.is_alone(1));
        assert_eq!(tagged.carriers(2), vec![1, 2]);
        let ty = Type::Tagged(Arc::new(tagged));
        assert_eq!(ty.scalars(), 3);
        // 64 + 8 + 64 + 1
        assert_eq!(ty.count(&[]), 137);
        assert_eq!(ty.all(&[]).len(), 137);
        assert!(ty.all(&[]).iter().all(|value| ty.contains(value)));
    }
}
