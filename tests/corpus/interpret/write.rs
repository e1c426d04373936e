//! Steps of the program with what faults put beside them: section 7 of the reference.

use sandalc::program::{FaultTarget, FaultVariable, Place, Step, Type, Within};
use sandalc::system::Check;
use sandalc::vocabulary::ProcessId;

use super::Machine;
use super::state::{State, Value, all_values, product};
use super::step::Move;

/// A scalar or a message that a step writes: its variable and the way to it, and the value, if it could be computed.
#[derive(Clone, Debug)]
pub struct Written {
    pub variable: usize,
    pub path: Vec<u32>,
    pub value: Option<Value>,
}

/// A step of the program, and what faults of channels and of senders put beside it.
pub struct Outcome {
    /// Where it leads, or the check that fails.
    pub to: Result<Move, Check>,
    /// Whether it can go: a channel may be in its way.
    pub possible: bool,
    pub writes: Vec<Written>,
    /// The steps of other faults, with the fault of each.
    pub beside: Vec<(usize, Move)>,
    /// The faults of channels and senders that take the place of the step at every occasion, whether they can go now or not.
    pub replaced_by: Vec<usize>,
}

impl Outcome {
    /// A step that nothing but its own process decides.
    pub fn plain(to: Result<Move, Check>, writes: Vec<Written>) -> Outcome {
        Outcome {
            to,
            possible: true,
            writes,
            beside: Vec::new(),
            replaced_by: Vec::new(),
        }
    }
}

/// The scalars of a target.
pub fn written(
    place: &Place,
    indices: Result<&[i64], Check>,
    value: Option<&Value>,
    state: &State,
) -> Vec<Written> {
    let Ok(indices) = indices else {
        return Vec::new();
    };
    let variable = place.variable.0 as usize;
    let mut indices = indices.iter();
    let mut path = Vec::new();
    let mut at = &state.vars[variable];
    for step in &place.path {
        let index = match step {
            Step::Index(_) => *indices.next().expect("all are evaluated"),
            Step::Field(field) => i64::from(*field),
        };
        let Value::Many(items) = at else {
            panic!("a part of a number")
        };
        if index < 0 || index >= items.len() as i64 {
            return Vec::new();
        }
        at = &items[index as usize];
        path.push(index as u32);
    }
    let mut found = Vec::new();
    scalars(variable, path, &place.ty, value, &mut found);
    found
}

fn scalars(
    variable: usize,
    path: Vec<u32>,
    ty: &Type,
    value: Option<&Value>,
    found: &mut Vec<Written>,
) {
    match ty {
        Type::Array(element, count) => {
            for i in 0..*count {
                let mut path = path.clone();
                path.push(i);
                let value = match value {
                    Some(Value::Many(items)) => Some(&items[i as usize]),
                    _ => None,
                };
                scalars(variable, path, element, value, found);
            }
        }
        Type::Record(record) => {
            for (i, field) in record.fields.iter().enumerate() {
                let mut path = path.clone();
                path.push(i as u32);
                let value = match value {
                    Some(Value::Many(items)) => Some(&items[i]),
                    _ => None,
                };
                scalars(variable, path, &field.ty, value, found);
            }
        }
        _ => found.push(Written {
            variable,
            path,
            value: value.cloned(),
        }),
    }
}

/// The way to what a fault happens to.
pub fn path(place: &FaultVariable) -> Vec<u32> {
    let parts = place.path.iter();
    parts
        .map(|part| match part {
            Within::Element(index) | Within::Field(index) => *index,
        })
        .collect()
}

impl Machine<'_> {
    /// The type of a part of a variable.
    pub fn element_type(&self, variable: usize, path: &[u32]) -> Type {
        let mut ty = &self.program.variables[variable].ty;
        for part in path {
            ty = match ty {
                Type::Array(element, _) => element,
                Type::Record(record) => &record.fields[*part as usize].ty,
                _ => panic!("a part of a single value"),
            };
        }
        ty.clone()
    }

    /// The moves of an outcome: the step of the program, and the faults that may take its place.
    pub fn outcome(&self, before: &State, process: usize, outcome: Outcome) -> Vec<Move> {
        let writes = self.of_writes(before, process, &outcome);
        let always = |fault: &usize| self.program.faults[*fault].timing.always;
        let mut replaced = outcome.replaced_by.clone();
        replaced.extend(writes.iter().map(|(f, _)| *f).filter(always));
        let writes = writes.into_iter().filter(|_| outcome.possible);
        let beside: Vec<(usize, Move)> = outcome.beside.into_iter().chain(writes).collect();
        if replaced.is_empty() {
            let own = match outcome.to {
                Ok(step) => step,
                Err(check) => self.fail(before, process, check),
            };
            let own = Some(own).filter(|_| outcome.possible);
            let faults = beside.into_iter().filter(|(f, _)| !always(f));
            let faults = faults.map(|(fault, step)| Move {
                fault: Some(fault),
                forced: false,
                ..step
            });
            own.into_iter().chain(faults).collect()
        } else {
            let acting = beside.into_iter().filter(|(f, _)| always(f));
            let acts = acting.map(|(fault, step)| Move {
                acting: vec![fault],
                ..step
            });
            acts.collect()
        }
    }

    /// What the faults of variables that may happen make of the writes of a step.
    fn of_writes(&self, before: &State, process: usize, outcome: &Outcome) -> Vec<(usize, Move)> {
        let mut found = Vec::new();
        let target = FaultTarget::Process(ProcessId(process as u32));
        for fault in self.faults_of(&["stuck", "invert", "replace", "random"], target) {
            if !self.ready(before, fault) && !self.always(before, fault) {
                continue;
            }
            let marked = &self.program.faults[fault];
            for (of, place) in marked.targets.iter().zip(&marked.variables) {
                if *of != target {
                    continue;
                }
                // Of two writes to the same scalar the later one counts.
                let path = path(place);
                let mut hit: Vec<&Written> = Vec::new();
                for written in &outcome.writes {
                    if written.variable == place.variable.0 as usize
                        && written.path.starts_with(&path)
                    {
                        hit.retain(|other| other.path != written.path);
                        hit.push(written);
                    }
                }
                if hit.is_empty() {
                    continue;
                }
                for values in self.instead(before, fault, &path, &hit) {
                    let step = match &outcome.to {
                        Err(check) => self.fail(before, process, *check),
                        Ok(step) => {
                            let mut step = step.clone();
                            for (written, value) in hit.iter().zip(values) {
                                let variable = &mut step.state.vars[written.variable];
                                // What cannot be computed fails.
                                *variable.element(&written.path) = value.expect("computed");
                            }
                            step
                        }
                    };
                    found.push((fault, step));
                }
            }
        }
        found.extend(self.own_writes(before, process, outcome));
        found
    }

    /// What a fault stores instead, in every way there is; none if it does not apply.
    fn instead(
        &self,
        before: &State,
        fault: usize,
        path: &[u32],
        hit: &[&Written],
    ) -> Vec<Vec<Option<Value>>> {
        let marked = &self.program.faults[fault];
        let values: Vec<Value> = marked.values.iter().map(Value::of).collect();
        let at_path = |w: &Written, path: &[u32]| {
            let mut variable = before.vars[w.variable].clone();
            variable.element(path).clone()
        };
        let old = |w: &Written| at_path(w, &w.path);
        // What of a value of the whole belongs to what is written.
        let part =
            |whole: &Value, w: &Written| whole.clone().element(&w.path[path.len()..]).clone();
        match &*marked.kind.name {
            "stuck" => {
                let at = marked.at.as_ref().map(Value::of);
                // Of an array the element is compared that the write is in.
                let mut ty = self.element_type(hit[0].variable, path);
                let mut element = path.len();
                while let Type::Array(inner, _) = ty {
                    (ty, element) = (*inner, element + 1);
                }
                let compared = |w: &Written| at_path(w, &w.path[..element]);
                let sticks = |w: &Written| at.as_ref().is_none_or(|at| compared(w) == *at);
                if !hit.iter().any(|w| sticks(w)) {
                    return Vec::new();
                }
                let kept = |w: &&Written| match sticks(w) {
                    true => Some(old(w)),
                    false => w.value.clone(),
                };
                vec![hit.iter().map(kept).collect()]
            }
            "invert" => {
                let opposite = |w: &&Written| {
                    let value = w.value.as_ref()?;
                    Some(Value::One(1 - value.number()))
                };
                vec![hit.iter().map(opposite).collect()]
            }
            "replace" => {
                let is = |v: &Value| hit.iter().all(|w| w.value == Some(part(v, w)));
                match values.as_slice() {
                    [v, _] if !is(v) => Vec::new(),
                    [_, instead] | [instead] => {
                        vec![hit.iter().map(|w| Some(part(instead, w))).collect()]
                    }
                    _ => panic!("@replace has one value or two"),
                }
            }
            "random" => {
                let all: Vec<Vec<Value>> = (hit.iter())
                    .map(|w| all_values(&self.element_type(w.variable, &w.path), self.program))
                    .collect();
                let ways = product(&all).into_iter();
                ways.map(|way| way.into_iter().map(Some).collect())
                    .collect()
            }
            other => panic!("@{other} is no fault of writes"),
        }
    }
}
