//! States, and how a run begins.

use sandalc::program::{Channel, FaultAspect, Program, Type, Value as Constant, Variable};
use sandalc::weave::Options;

use super::Machine;
use super::code::{Code, Control};
use super::fault::{Phase, asked_by_some};

/// A value: numbers stand for truth values and constructors too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    One(i64),
    Many(Vec<Value>),
}

impl Value {
    pub fn number(&self) -> i64 {
        match self {
            Value::One(n) => *n,
            Value::Many(_) => panic!("an array where a number is expected"),
        }
    }

    /// A part of an array or a record, by positions.
    pub fn element(&mut self, path: &[u32]) -> &mut Value {
        let mut at = self;
        for index in path {
            let Value::Many(items) = at else {
                panic!("a part of a number")
            };
            at = &mut items[*index as usize];
        }
        at
    }

    /// A constructor and its fields.
    pub fn message(constructor: i64, mut fields: Vec<Value>) -> Value {
        fields.insert(0, Value::One(constructor));
        Value::Many(fields)
    }

    /// The constructor of a value of a data type, and its fields.
    pub fn parts(&self) -> (i64, &[Value]) {
        match self {
            Value::One(n) => (*n, &[]),
            Value::Many(items) => (items[0].number(), &items[1..]),
        }
    }

    pub fn of(constant: &Constant) -> Value {
        match constant {
            Constant::Bool(b) => Value::One(i64::from(*b)),
            Constant::Int(n) => Value::One(*n),
            Constant::Data(_, n) => Value::One(i64::from(*n)),
            Constant::Array(items) | Constant::Record(_, items) => {
                Value::Many(items.iter().map(Value::of).collect())
            }
            Constant::Tagged(_, n, items) => {
                Value::message(i64::from(*n), items.iter().map(Value::of).collect())
            }
        }
    }
}

/// What is in a channel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Contents {
    /// What is on offer, and whether it has been taken.
    Meeting(Option<(Vec<Value>, bool)>),
    /// The messages, oldest first.
    Buffer(Vec<Vec<Value>>),
}

/// A state of the system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub control: Vec<Control>,
    pub vars: Vec<Value>,
    /// For each process the results of the messaging expressions of the statement it is inside, a bit each.
    pub results: Vec<u64>,
    pub channels: Vec<Contents>,
    /// How much of each budget is used.
    pub used: Vec<u32>,
    /// How far each fault is.
    pub phases: Vec<Phase>,
    /// Which faults have happened, and which did in the last step, if a specification asks.
    pub happened: Vec<bool>,
    pub injected: Vec<bool>,
    /// Which detectors suspect their processes.
    pub suspects: Vec<bool>,
    /// For each process that several faults restart, the one of them that crashed it.
    pub crashed_by: Vec<Option<usize>>,
}

/// How often some faults may happen together.
pub struct Budget {
    pub most: u32,
    /// The fault whose marker it stands in.
    pub own: Option<usize>,
    pub faults: Vec<usize>,
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, options: &Options) -> Self {
        let never = |f: usize| {
            program.faults[f].max == Some(0)
                || (program.limits.iter())
                    .any(|l| l.bound == 0 && l.faults.iter().any(|x| x.0 as usize == f))
        };
        let chosen = |f: usize| {
            (options.faults.as_ref()).is_none_or(|list| list.iter().any(|x| x.0 as usize == f))
        };
        let faults: Vec<usize> = (0..program.faults.len())
            .filter(|f| chosen(*f) && !never(*f))
            .collect();
        let mut budgets = Vec::new();
        for f in &faults {
            if let Some(most) = program.faults[*f].max {
                budgets.push(Budget {
                    most,
                    own: Some(*f),
                    faults: vec![*f],
                });
            }
        }
        for limit in &program.limits {
            let counted: Vec<usize> = limit.faults.iter().map(|f| f.0 as usize).collect();
            budgets.push(Budget {
                most: limit.bound,
                own: None,
                faults: counted,
            });
        }
        let mut remembers = asked_by_some(program, &[FaultAspect::Happened, FaultAspect::Stopped]);
        // Whether a fault that is always there has begun is known from its phase.
        let begun = asked_by_some(program, &[FaultAspect::Begun]);
        for ((remembers, begun), fault) in remembers.iter_mut().zip(begun).zip(&program.faults) {
            *remembers |= begun && !fault.timing.always;
        }
        Machine {
            program,
            code: program.processes.iter().map(Code::new).collect(),
            faults,
            budgets,
            timely: options.timely,
            chosen: asked_by_some(program, &[FaultAspect::Faulty]),
            remembers,
            remembers_last: asked_by_some(program, &[FaultAspect::Injected]),
        }
    }

    /// The initial states: one per value of what starts with several, and per choice whether a fault may happen.
    pub fn initials(&self) -> Vec<State> {
        let mut states = vec![self.initial()];
        for (index, variable) in self.program.variables.iter().enumerate() {
            if variable.starts.is_empty() {
                continue;
            }
            let values = starts(variable);
            let each = |state: State| {
                let values = values.clone().into_iter();
                values.map(move |value| {
                    let mut state = state.clone();
                    state.vars[index] = value;
                    state
                })
            };
            states = states.into_iter().flat_map(each).collect();
        }
        let mut ways = vec![vec![true; self.program.faults.len()]];
        for fault in self.faults.iter().filter(|f| self.chosen[**f]) {
            let without = ways.clone().into_iter().map(|mut way| {
                way[*fault] = false;
                way
            });
            ways = without.chain(ways.clone()).collect();
        }
        let begun = |state: &State, way: &[bool]| {
            let mut state = state.clone();
            self.begin(&mut state, way);
            state
        };
        (states.iter())
            .flat_map(|state| ways.iter().map(|way| begun(state, way)))
            .collect()
    }

    fn initial(&self) -> State {
        let contents = |channel: &Channel| match channel.capacity {
            None => Contents::Meeting(None),
            Some(_) => Contents::Buffer(Vec::new()),
        };
        State {
            control: self.code.iter().map(Code::start).collect(),
            vars: (self.program.variables.iter())
                .map(|v| Value::of(&v.initial))
                .collect(),
            results: vec![0; self.program.processes.len()],
            channels: self.program.channels.iter().map(contents).collect(),
            used: vec![0; self.budgets.len()],
            phases: vec![Phase::Never; self.program.faults.len()],
            happened: vec![false; self.program.faults.len()],
            injected: vec![false; self.program.faults.len()],
            suspects: vec![false; self.program.detectors.len()],
            crashed_by: vec![None; self.program.processes.len()],
        }
    }
}

/// The values that a variable may start with.
pub fn starts(variable: &Variable) -> Vec<Value> {
    let scalars: Vec<Value> = variable.starts.iter().map(Value::of).collect();
    with_elements(&variable.ty, &scalars)
}

/// Every value of a type whose elements are among these.
fn with_elements(ty: &Type, scalars: &[Value]) -> Vec<Value> {
    match ty {
        Type::Array(element, count) => {
            let elements = vec![with_elements(element, scalars); *count as usize];
            product(&elements).into_iter().map(Value::Many).collect()
        }
        _ => scalars.to_vec(),
    }
}

/// Every value of a type.
pub fn all_values(ty: &Type, program: &Program) -> Vec<Value> {
    match ty {
        Type::Bool => (0..2).map(Value::One).collect(),
        Type::Int { lo, hi } => (*lo..=*hi).map(Value::One).collect(),
        Type::Data(id) => {
            let count = program.data[id.0 as usize].constructors.len() as i64;
            (0..count).map(Value::One).collect()
        }
        Type::Array(element, count) => {
            let elements = vec![all_values(element, program); *count as usize];
            product(&elements).into_iter().map(Value::Many).collect()
        }
        Type::Record(record) => {
            let fields: Vec<_> = (record.fields.iter())
                .map(|field| all_values(&field.ty, program))
                .collect();
            product(&fields).into_iter().map(Value::Many).collect()
        }
        Type::Tagged(tagged) => (0..tagged.constructors.len() as u32)
            .flat_map(|constructor| {
                let fields: Vec<_> = (tagged.fields_of(constructor))
                    .map(|field| all_values(&field.ty, program))
                    .collect();
                let all = product(&fields).into_iter();
                all.map(move |fields| Value::message(i64::from(constructor), fields))
            })
            .collect(),
    }
}

/// Every way to take one of each.
pub fn product(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    choices.iter().fold(vec![Vec::new()], |done, choice| {
        done.iter()
            .flat_map(|taken| {
                choice.iter().map(move |value| {
                    let mut taken = taken.clone();
                    taken.push(value.clone());
                    taken
                })
            })
            .collect()
    })
}
