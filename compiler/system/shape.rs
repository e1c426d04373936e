//! How scalars make up the values that a model writes: for those who print them. What a System does never depends on it.

use super::expr::Scalar;
use super::{System, VarId};
use crate::vocabulary::ChannelId;

/// How the scalars of variables and messages belong together. Only those are listed that have records or messages with
/// fields in them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shapes {
    /// Variables of processes.
    pub variables: Vec<Shaped>,
    /// For each channel the fields of its messages; none if all are scalars and arrays.
    pub messages: Vec<Vec<Shape>>,
}

/// A variable of several scalars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shaped {
    /// Its first scalar; the others follow.
    pub first: VarId,
    /// Its name without the process's.
    pub name: String,
    /// How they belong together.
    pub shape: Shape,
}

/// How some scalars belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One.
    Scalar,
    /// So many elements of a shape.
    Array(Box<Shape>, u32),
    /// A record: its name, and its fields.
    Record(String, Vec<(String, Shape)>),
    /// A tag and rooms.
    Tagged {
        /// Its constructors.
        constructors: Vec<Constructor>,
        /// How many rooms there are.
        rooms: u32,
    },
}

/// A constructor with, for each field, its rooms and its shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(Vec<u32>, Shape)>,
}

impl Shape {
    /// How many scalars it has.
    pub fn width(&self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Array(element, count) => element.width() * *count as usize,
            Shape::Record(_, fields) => fields.iter().map(|(_, shape)| shape.width()).sum(),
            Shape::Tagged { rooms, .. } => 1 + *rooms as usize,
        }
    }

    /// The value, as a model writes it.
    pub fn show(&self, scalars: &[Scalar], scalar: &dyn Fn(Scalar) -> String) -> String {
        match self {
            Shape::Scalar => scalar(scalars[0]),
            Shape::Array(element, _) => {
                let elements = scalars.chunks(element.width());
                let shown: Vec<String> = elements.map(|e| element.show(e, scalar)).collect();
                format!("[{}]", shown.join(", "))
            }
            Shape::Record(name, fields) => {
                let mut rest = scalars;
                let mut shown = Vec::new();
                for (field, shape) in fields {
                    let (own, others) = rest.split_at(shape.width());
                    shown.push(format!("{field}: {}", shape.show(own, scalar)));
                    rest = others;
                }
                format!("{name}{{{}}}", shown.join(", "))
            }
            Shape::Tagged { constructors, .. } => {
                let Some(constructor) = constructors.get(scalars[0].code() as usize) else {
                    return scalar(scalars[0]);
                };
                let shown: Vec<String> = (constructor.fields.iter())
                    .map(|(rooms, shape)| {
                        let own: Vec<Scalar> = rooms
                            .iter()
                            .map(|room| scalars[1 + *room as usize])
                            .collect();
                        shape.show(&own, scalar)
                    })
                    .collect();
                match shown.as_slice() {
                    [] => constructor.name.clone(),
                    shown => format!("{}({})", constructor.name, shown.join(", ")),
                }
            }
        }
    }

    /// The parts to show if some scalars have changed: of an array the elements, of a record its one field or else
    /// all of it, of a message all of it. Each with what stands behind the name, and where it begins.
    pub fn changed(&self, changed: &[bool], name: String, first: usize, into: &mut Vec<Part>) {
        if !changed.contains(&true) {
            return;
        }
        match self {
            Shape::Array(element, _) => {
                let width = element.width();
                for (i, own) in changed.chunks(width).enumerate() {
                    element.changed(own, format!("{name}[{i}]"), first + i * width, into);
                }
            }
            Shape::Record(_, fields) => {
                let mut rest = changed;
                let mut at = first;
                let mut parts = Vec::new();
                for (field, shape) in fields {
                    let (own, others) = rest.split_at(shape.width());
                    if own.contains(&true) {
                        parts.push((format!("{name}.{field}"), at, shape, own));
                    }
                    at += own.len();
                    rest = others;
                }
                match parts.pop() {
                    Some((name, at, shape, own)) if parts.is_empty() => {
                        shape.changed(own, name, at, into);
                    }
                    _ => into.push(Part {
                        name,
                        first,
                        shape: self.clone(),
                    }),
                }
            }
            Shape::Scalar | Shape::Tagged { .. } => into.push(Part {
                name,
                first,
                shape: self.clone(),
            }),
        }
    }
}

/// A part of a variable: `log[1]`, `e.term`.
pub struct Part {
    /// Its name without the process's.
    pub name: String,
    /// Its first scalar, from that of the variable.
    pub first: usize,
    /// How its scalars belong together.
    pub shape: Shape,
}

impl System {
    /// The variable that a scalar is part of, if it has a shape.
    pub fn shaped(&self, var: VarId) -> Option<&Shaped> {
        let after = self.shapes.variables.partition_point(|s| s.first <= var);
        let found = self.shapes.variables.get(after.checked_sub(1)?)?;
        ((var.0 - found.first.0) < found.shape.width() as u32).then_some(found)
    }

    /// The name and the shape of the part of a variable that begins with a scalar and has so many, if it is more than scalars.
    pub fn part(&self, first: VarId, count: usize) -> Option<(String, &Shape)> {
        let shaped = self.shaped(first)?;
        let (mut at, mut shape) = ((first.0 - shaped.first.0) as usize, &shaped.shape);
        let mut name = shaped.name.clone();
        while at > 0 || shape.width() != count {
            match shape {
                Shape::Array(element, _) => {
                    let width = element.width();
                    name += &format!("[{}]", at / width);
                    (at, shape) = (at % width, &**element);
                }
                Shape::Record(_, fields) => {
                    let mut before = 0;
                    let (field, own) = fields.iter().find(|(_, own)| {
                        before += own.width();
                        at < before
                    })?;
                    name += &format!(".{field}");
                    (at, shape) = (at + own.width() - before, own);
                }
                Shape::Scalar | Shape::Tagged { .. } => return None,
            }
        }
        Some((name, shape))
    }

    /// The fields of a channel's messages, if they have shapes.
    pub fn message_shape(&self, channel: ChannelId) -> Option<&[Shape]> {
        let fields = self.shapes.messages.get(channel.0 as usize)?;
        (!fields.is_empty()).then_some(fields.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Shape {
        let fields = [("term", Shape::Scalar), ("ok", Shape::Scalar)];
        let fields = fields.map(|(name, shape)| (name.to_owned(), shape));
        Shape::Record("Entry".into(), fields.to_vec())
    }

    fn show(shape: &Shape, codes: &[i64]) -> String {
        let scalars: Vec<Scalar> = codes.iter().map(|code| Scalar::Int(*code)).collect();
        shape.show(&scalars, &|scalar| scalar.code().to_string())
    }

    #[test]
    fn values_are_shown_as_a_model_writes_them() {
        let message = Shape::Tagged {
            constructors: vec![
                Constructor {
                    name: "Nack".into(),
                    fields: Vec::new(),
                },
                Constructor {
                    name: "Put".into(),
                    fields: vec![(vec![2], Shape::Scalar), (vec![0, 1], entry())],
                },
            ],
            rooms: 3,
        };
        assert_eq!(show(&message, &[0, 0, 0, 0]), "Nack");
        assert_eq!(
            show(&message, &[1, 7, 8, 9]),
            "Put(9, Entry{term: 7, ok: 8})"
        );
        let array = Shape::Array(Box::new(entry()), 2);
        assert_eq!(
            show(&array, &[1, 2, 3, 4]),
            "[Entry{term: 1, ok: 2}, Entry{term: 3, ok: 4}]"
        );
    }

    #[test]
    fn the_smallest_part_that_has_changed_is_named() {
        let array = Shape::Array(Box::new(entry()), 2);
        let names = |changed: [bool; 4]| {
            let mut parts = Vec::new();
            array.changed(&changed, "log".into(), 0, &mut parts);
            parts
                .iter()
                .map(|part| format!("{}@{}", part.name, part.first))
                .collect::<Vec<_>>()
        };
        assert_eq!(names([false, true, false, false]), ["log[0].ok@1"]);
        assert_eq!(names([false, false, true, true]), ["log[1]@2"]);
        assert_eq!(
            names([true, false, true, true]),
            ["log[0].term@0", "log[1]@2"]
        );
    }
}
