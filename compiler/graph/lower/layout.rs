//! Where variables and messages go: everything becomes scalars.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::graph::{Expr, Leaf, Var};
use crate::program::{Program, Type, Value, VariableId};
use crate::system::expr::List;
use crate::system::{Domain, VarId};
use crate::vocabulary::{BinaryOp, ChannelId};

/// Where the variables and messages of a program went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// For each variable its scalars, elements in order.
    variables: Vec<Vec<VarId>>,
    /// For each channel the scalars of a message.
    messages: Vec<Vec<Domain>>,
    /// For each channel its capacity.
    capacities: Vec<Option<u32>>,
    /// For each channel whether it is a bag, and whether it overflows.
    networks: Vec<(bool, bool)>,
    /// For each data type its number of constructors.
    counts: Vec<u32>,
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
            capacities: program.channels.iter().map(|c| c.capacity).collect(),
            networks: (program.channels.iter())
                .map(|c| (c.bag, c.overflow))
                .collect(),
            ..Layout::default()
        };
        let mut vars = Vec::new();
        for variable in &program.variables {
            let mut scalars = Vec::new();
            layout.flatten(&variable.ty, variable.name.clone(), &mut scalars);
            let mut codes = Vec::new();
            codes_of(&variable.initial, &mut codes);
            let mut starts = Vec::new();
            variable
                .starts
                .iter()
                .for_each(|v| codes_of(v, &mut starts));
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

    /// The domain of a scalar type.
    pub(super) fn domain(&self, ty: &Type) -> Domain {
        match ty {
            Type::Bool => Domain::Bool,
            Type::Int { lo, hi } => Domain::Int { lo: *lo, hi: *hi },
            Type::Data(id) => Domain::Data {
                data: *id,
                count: self.counts[id.0 as usize],
            },
            Type::Array(element, _) => self.domain(element),
        }
    }

    fn flatten(&self, ty: &Type, name: String, into: &mut Vec<(String, Domain)>) {
        match ty {
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
    match ty {
        Type::Array(element, count) => width(element) * *count as usize,
        _ => 1,
    }
}

fn codes_of(value: &Value, into: &mut Vec<i64>) {
    match value {
        Value::Bool(b) => into.push(i64::from(*b)),
        Value::Int(i) => into.push(*i),
        Value::Data(_, index) => into.push(i64::from(*index)),
        Value::Array(items) => items.iter().for_each(|item| codes_of(item, into)),
    }
}
