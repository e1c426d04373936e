//! Where variables and messages go: everything becomes scalars.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::graph::{Expr, Leaf, Var};
use crate::program::{FaultVariable, Program, Type, Value, VariableId};
use crate::system::expr::List;
use crate::system::shape::{Constructor, Shape, Shaped, Shapes};
use crate::system::{Domain, Scalar, VarId};
use crate::vocabulary::{BinaryOp, ChannelId, DataType};

/// Where the variables and messages of a program went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// For each variable its scalars, elements in order.
    variables: Vec<Vec<VarId>>,
    /// For each variable its type.
    types: Vec<Type>,
    /// For each channel the scalars of a message.
    messages: Vec<Vec<Domain>>,
    /// For each channel its capacity.
    capacities: Vec<Option<u32>>,
    /// For each channel whether it is a bag, and whether it overflows.
    networks: Vec<(bool, bool)>,
    /// For each channel how many ticks a message is under way.
    delays: Vec<Option<(i64, i64)>>,
    /// For each data type its number of constructors.
    counts: Vec<u32>,
    /// The data types.
    data: Vec<DataType>,
    /// For each channel the types of a message's fields.
    fields: Vec<Vec<Type>>,
    /// The lists that expressions have in common: see [`Layout::common`].
    lists: RefCell<FxHashMap<Listed, List<Leaf>>>,
}

/// A list that many expressions have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Listed {
    /// The elements of an array variable, from which an index selects.
    Elements(VariableId),
    /// The values of a bit operator on operands from one value to another.
    Bits(BinaryOp, (i64, i64), (i64, i64)),
}

impl Layout {
    /// A list that many expressions have in common; made when it is asked for the first time.
    pub(super) fn common(&self, listed: Listed, make: impl FnOnce() -> Vec<Expr>) -> List<Leaf> {
        if let Some(known) = self.lists.borrow().get(&listed) {
            return known.clone();
        }
        let list = List::new(make());
        self.lists.borrow_mut().insert(listed, list.clone());
        list
    }

    pub(super) fn of(program: &Program) -> (Layout, Vec<Var>) {
        let mut layout = Layout {
            counts: program
                .data
                .iter()
                .map(|d| d.constructors.len() as u32)
                .collect(),
            types: program.variables.iter().map(|v| v.ty.clone()).collect(),
            capacities: program.channels.iter().map(|c| c.capacity).collect(),
            networks: (program.channels.iter())
                .map(|c| (c.bag, c.overflow))
                .collect(),
            delays: program.channels.iter().map(|c| c.delay).collect(),
            data: program.data.clone(),
            fields: program.channels.iter().map(|c| c.fields.clone()).collect(),
            ..Layout::default()
        };
        let mut vars = Vec::new();
        for variable in &program.variables {
            let mut scalars = Vec::new();
            layout.flatten(&variable.ty, variable.name.clone(), &mut scalars);
            let codes = variable.initial.flat();
            let codes = codes.iter().map(code_of);
            let starts: Vec<i64> = (variable.starts.iter())
                .flat_map(Value::flat)
                .map(|value| code_of(&value))
                .collect();
            let first = vars.len() as u32;
            layout
                .variables
                .push((first..first + scalars.len() as u32).map(VarId).collect());
            vars.extend(
                scalars
                    .into_iter()
                    .zip(codes)
                    .map(|((name, domain), init)| Var {
                        name,
                        process: variable.process,
                        domain,
                        init: starts.first().copied().unwrap_or(init),
                        starts: match starts.len() {
                            0 | 1 => Vec::new(),
                            _ => starts.clone(),
                        },
                        durable: variable.durable,
                        timer: variable.timer,
                        hidden: variable.counter,
                    }),
            );
        }
        for channel in &program.channels {
            let mut scalars = Vec::new();
            for field in &channel.fields {
                layout.flatten(field, String::new(), &mut scalars);
            }
            layout
                .messages
                .push(scalars.into_iter().map(|(_, domain)| domain).collect());
        }
        (layout, vars)
    }

    /// The scalars of a variable.
    pub(super) fn elements(&self, id: VariableId) -> Vec<Expr> {
        let scalars = self.variable(id).iter();
        scalars.map(|v| Expr::Leaf(Leaf::Var(*v))).collect()
    }

    /// The scalars of a variable.
    pub fn variable(&self, id: VariableId) -> &[VarId] {
        &self.variables[id.0 as usize]
    }

    /// The scalars of what a fault happens to, and its type.
    pub fn part(&self, part: &FaultVariable) -> (&[VarId], &Type) {
        let whole = &self.types[part.variable.0 as usize];
        let (ty, first) = part.part_of(whole);
        (&self.variable(part.variable)[first..][..width(ty)], ty)
    }

    /// The scalars of a channel's message.
    pub fn message(&self, id: ChannelId) -> &[Domain] {
        &self.messages[id.0 as usize]
    }

    /// A channel's capacity; `None` for a rendezvous channel.
    pub fn capacity(&self, id: ChannelId) -> Option<u32> {
        self.capacities[id.0 as usize]
    }

    /// Whether a receive takes any message of a channel.
    pub fn is_bag(&self, id: ChannelId) -> bool {
        self.networks[id.0 as usize].0
    }

    /// Whether a send to a full channel loses the message.
    pub fn overflows(&self, id: ChannelId) -> bool {
        self.networks[id.0 as usize].1
    }

    /// How many ticks a message of a channel is under way, at least and at most.
    pub fn delay(&self, id: ChannelId) -> Option<(i64, i64)> {
        self.delays[id.0 as usize]
    }

    /// The domain of a scalar type.
    pub(super) fn domain(&self, ty: &Type) -> Domain {
        match ty {
            Type::Bool => Domain::Bool,
            Type::Int { lo, hi } => Domain::Int { lo: *lo, hi: *hi },
            Type::Data(id) => Domain::Data {
                data: *id,
                count: self.counts[id.0 as usize],
            },
            Type::Array(..) | Type::Record(_) | Type::Tagged(_) => {
                unreachable!("only scalars have a domain")
            }
        }
    }

    /// How the scalars of variables and messages belong together, for those who print them.
    pub fn shapes(&self, program: &Program) -> Shapes {
        let variables = program.variables.iter().zip(&self.variables);
        let composite = |ty: &Type| ty.is_composite();
        Shapes {
            variables: variables
                .filter(|(variable, _)| composite(&variable.ty))
                .map(|(variable, scalars)| Shaped {
                    first: scalars[0],
                    name: variable.name.clone(),
                    shape: shape(&variable.ty),
                })
                .collect(),
            messages: (program.channels.iter())
                .map(|channel| match channel.fields.iter().any(composite) {
                    true => channel.fields.iter().map(shape).collect(),
                    false => Vec::new(),
                })
                .collect(),
        }
    }

    /// The domains of a type's scalars.
    pub(super) fn domains(&self, ty: &Type) -> Vec<Domain> {
        ty.flat().iter().map(|scalar| self.domain(scalar)).collect()
    }

    /// Any value of a type: its scalars, and the picks they are made of, which are added to those there are. Every
    /// scalar is picked on its own, but for messages with fields: one pick for all its values, by their number.
    pub fn arbitrary(&self, ty: &Type, picks: &mut Vec<Domain>) -> Vec<Expr> {
        let mut pick = |domain| {
            picks.push(domain);
            Expr::Leaf(Leaf::Pick(picks.len() as u32 - 1))
        };
        match ty {
            Type::Bool | Type::Int { .. } | Type::Data(_) => vec![pick(self.domain(ty))],
            Type::Array(element, count) => (0..*count)
                .flat_map(|_| self.arbitrary(element, picks))
                .collect(),
            Type::Record(record) => {
                let fields = record.fields.iter();
                fields
                    .flat_map(|field| self.arbitrary(&field.ty, picks))
                    .collect()
            }
            Type::Tagged(_) => {
                let rows: Vec<Vec<Expr>> = ty.all(&self.data).iter().map(constants).collect();
                let hi = rows.len() as i64 - 1;
                let row = pick(Domain::Int { lo: 0, hi });
                (0..width(ty))
                    .map(|column| {
                        let column = rows.iter().map(|row| row[column].clone()).collect();
                        Expr::select(row.clone(), column)
                    })
                    .collect()
            }
        }
    }

    /// Any message of a channel, as any value of a type.
    pub fn arbitrary_message(&self, id: ChannelId, picks: &mut Vec<Domain>) -> Vec<Expr> {
        let fields = self.fields[id.0 as usize].iter();
        fields
            .flat_map(|field| self.arbitrary(field, picks))
            .collect()
    }

    fn flatten(&self, ty: &Type, name: String, into: &mut Vec<(String, Domain)>) {
        match ty {
            Type::Record(record) => {
                for field in &record.fields {
                    self.flatten(&field.ty, format!("{name}.{}", field.name), into);
                }
            }
            Type::Tagged(tagged) => {
                into.push((name.clone(), self.domain(&Type::Data(tagged.data))));
                // A room is called like the first field that may be in it.
                let rooms = tagged.rooms.iter().enumerate().map(|(room, ty)| {
                    let mut fields = tagged.rooms_of.iter().zip(&tagged.fields);
                    let found = fields.find_map(|(own, field)| {
                        let at = own.iter().position(|own| *own as usize == room)?;
                        Some((own.len(), at, &field.name))
                    });
                    let name = match found {
                        Some((1, _, field)) => format!("{name}.{field}"),
                        Some((_, at, field)) => format!("{name}.{field}.{at}"),
                        None => format!("{name}.{room}"),
                    };
                    (name, self.domain(ty))
                });
                into.extend(rooms);
            }
            Type::Array(element, count) => {
                for i in 0..*count {
                    self.flatten(element, format!("{name}[{i}]"), into);
                }
            }
            scalar => into.push((name, self.domain(scalar))),
        }
    }
}

/// How many scalars a value of a type has.
pub(super) fn width(ty: &Type) -> usize {
    ty.scalars() as usize
}

/// The scalars of a constant.
pub fn constants(value: &Value) -> Vec<Expr> {
    let scalar = |value: &Value| match value {
        Value::Bool(b) => Expr::bool(*b),
        Value::Int(i) => Expr::int(*i),
        Value::Data(data, index) => Expr::Const(Scalar::Data(*data, *index)),
        other => unreachable!("{other:?} is no scalar"),
    };
    value.flat().iter().map(scalar).collect()
}

fn code_of(scalar: &Value) -> i64 {
    match scalar {
        Value::Bool(b) => i64::from(*b),
        Value::Int(i) => *i,
        Value::Data(_, index) => i64::from(*index),
        other => unreachable!("{other:?} is no scalar"),
    }
}

/// How the scalars of a type belong together.
fn shape(ty: &Type) -> Shape {
    match ty {
        Type::Bool | Type::Int { .. } | Type::Data(_) => Shape::Scalar,
        Type::Array(element, count) => Shape::Array(Box::new(shape(element)), *count),
        Type::Record(record) => {
            let fields = record.fields.iter();
            let fields = fields.map(|field| (field.name.clone(), shape(&field.ty)));
            Shape::Record(record.name.clone(), fields.collect())
        }
        Type::Tagged(tagged) => Shape::Tagged {
            constructors: (tagged.constructors.iter())
                .map(|constructor| Constructor {
                    name: constructor.name.clone(),
                    fields: (constructor.fields.iter())
                        .map(|field| {
                            let rooms = tagged.rooms_of[*field as usize].clone();
                            (rooms, shape(&tagged.fields[*field as usize].ty))
                        })
                        .collect(),
                })
                .collect(),
            rooms: tagged.rooms.len() as u32,
        },
    }
}
