//! Why nothing bad can happen: conditions that hold at the start, that every step keeps, and that nothing bad satisfies.
//!
//! ABC writes them as combinations of bits that never occur. [`Proof`] says them in the model's own names: of each combination, the bits of
//! one variable are the values that it then has, `x in {2, 3}`; combinations that differ in one variable only are one. Places of a process to
//! which no step leads are left out.
//!
//! ```text
//! never  x.bit1 && y.bit0        becomes   never  x in {2, 3} && y == 1
//! never  x.bit1 && !y.bit0                 and with this one  never x in {2, 3}
//! ```

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::bits::{Bits, Part};
use super::model::{Model, Owner};
use crate::source::Sources;
use crate::system::state::State;
use crate::system::{Domain, LocationKind, System};
use crate::vocabulary::ProcessId;

/// Latches with the values that they never have all at once.
pub type Cube = Vec<(usize, bool)>;

/// With more values than this a variable's bits are not taken for values.
const MANY: i64 = 1 << 14;

/// With more conditions than this they are not compared with each other.
const COMPARED: usize = 3_000;

/// Conditions that prove a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// As they were found.
    pub cubes: Vec<Cube>,
    /// What is never all so at once; `None` if a variable has too many values to say so.
    pub conditions: Option<Vec<Condition>>,
}

/// What is never all so at once: something has one of some values, and something else, ...
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// In the order of the model, each once; values in order.
    pub never: Vec<(Owner, Vec<i64>)>,
}

impl Condition {
    /// Whether it is kept in a state.
    pub fn holds(&self, state: &State) -> bool {
        let is = |(owner, values): &(Owner, Vec<i64>)| {
            let value = match owner {
                Owner::Var(var) => state.values[var.0 as usize],
                Owner::Location(process) => i64::from(state.locations[process.0 as usize].0),
                Owner::Started => 1,
            };
            values.binary_search(&value).is_ok()
        };
        !self.never.iter().all(is)
    }

    /// Whether it follows from another one.
    fn follows(&self, other: &Condition) -> bool {
        let mut others = other.never.iter();
        others.all(|(owner, values)| {
            let mine = self.never.iter().find(|(o, _)| o == owner);
            mine.is_some_and(|(_, mine)| mine.iter().all(|v| values.binary_search(v).is_ok()))
        })
    }
}

impl Proof {
    /// In terms of the model.
    pub fn new(system: &System, model: &Model, cubes: Vec<Cube>) -> Proof {
        let mut known = Values {
            system,
            known: FxHashMap::default(),
        };
        let conditions: Option<Vec<Option<Condition>>> = cubes
            .iter()
            .map(|cube| condition(model, &mut known, cube))
            .collect();
        let conditions = conditions.map(|all| simplified(&mut known, all.into_iter().flatten()));
        Proof { cubes, conditions }
    }

    /// The conditions in words.
    pub fn show(&self, system: &System, sources: &Sources) -> Option<Vec<String>> {
        let known = Values {
            system,
            known: FxHashMap::default(),
        };
        let mut writer = Writer { sources, known };
        let conditions = self.conditions.as_ref()?.iter();
        Some(conditions.map(|c| writer.condition(c)).collect())
    }
}

/// The values that something can have: of a process the places that it begins at or that a step leads to.
fn values(system: &System, owner: Owner) -> Vec<i64> {
    match owner {
        Owner::Var(var) => {
            let (lo, hi) = system.var(var).domain.bounds();
            (lo..=hi).collect()
        }
        Owner::Location(process) => {
            let p = system.process(process);
            let targets = p.edges.iter().map(|edge| edge.to);
            let places = targets.chain([p.initial]).map(|place| i64::from(place.0));
            let mut places: Vec<i64> = places.collect();
            places.sort_unstable();
            places.dedup();
            places
        }
        Owner::Started => vec![0, 1],
    }
}

fn bits_of(model: &Model, owner: Owner) -> Option<&Bits> {
    match owner {
        Owner::Var(var) => model.vars[var.0 as usize].as_ref(),
        Owner::Location(process) => model.locations.get(process.0 as usize),
        Owner::Started => None,
    }
}

/// A combination of bits as values; the inner `None` if no state has it anyway, the outer one if there are too many values.
fn condition(model: &Model, known: &mut Values<'_>, cube: &Cube) -> Option<Option<Condition>> {
    let mut bits: IndexMap<Owner, Vec<(usize, bool)>> = IndexMap::new();
    for (latch, value) in cube {
        let owner = model.latches[*latch].of;
        bits.entry(owner).or_default().push((*latch, *value));
    }
    bits.sort_unstable_keys();
    let mut never = Vec::new();
    for (owner, wanted) in bits {
        if owner == Owner::Started {
            // What is said about the time before the start is of no interest.
            if wanted.iter().any(|(_, value)| !value) {
                return Some(None);
            }
            continue;
        }
        let bits = bits_of(model, owner)?;
        if bits.bounds.1 - bits.bounds.0 >= MANY {
            return None;
        }
        let fits = |value: &i64| {
            let mut free = bits
                .parts
                .iter()
                .enumerate()
                .filter_map(|(bit, p)| match p {
                    Part::Free(latch) => Some((bit, *latch)),
                    Part::Known(_) => None,
                });
            free.all(|(bit, latch)| {
                let is = (value >> bit & 1 != 0) != model.latches[latch].flipped;
                !wanted.contains(&(latch, !is))
            })
        };
        let all = known.of(owner);
        let values: Vec<i64> = all.iter().copied().filter(fits).collect();
        match values.len() {
            0 => return Some(None),
            count if count == all.len() => {}
            _ => never.push((owner, values)),
        }
    }
    Some(Some(Condition { never }))
}

/// The same in fewer conditions.
fn simplified(
    known: &mut Values<'_>,
    conditions: impl Iterator<Item = Condition>,
) -> Vec<Condition> {
    let mut all: Vec<Condition> = conditions.collect();
    loop {
        let before = all.len();
        let owners: Vec<Owner> = {
            let names = all
                .iter()
                .flat_map(|c| c.never.iter().map(|(owner, _)| *owner));
            let mut owners: Vec<Owner> = names.collect();
            owners.sort_unstable();
            owners.dedup();
            owners
        };
        for owner in owners {
            all = merged(known.of(owner).len(), owner, all);
        }
        if all.len() <= COMPARED {
            without_implied(&mut all);
        }
        if all.len() == before {
            break;
        }
    }
    all.sort_by(|a, b| (a.never.len(), &a.never).cmp(&(b.never.len(), &b.never)));
    all
}

/// Those that differ only in what one thing is are one.
fn merged(size: usize, owner: Owner, all: Vec<Condition>) -> Vec<Condition> {
    let mut by_rest: IndexMap<Vec<(Owner, Vec<i64>)>, Vec<i64>> = IndexMap::new();
    let mut others = Vec::new();
    for condition in all {
        let Some(place) = condition.never.iter().position(|(o, _)| *o == owner) else {
            others.push(condition);
            continue;
        };
        let mut rest = condition.never;
        let (_, values) = rest.remove(place);
        let known = by_rest.entry(rest).or_default();
        known.extend(values);
        known.sort_unstable();
        known.dedup();
    }

    others.extend(by_rest.into_iter().map(|(mut never, values)| {
        if values.len() < size {
            let place = never.partition_point(|(o, _)| *o < owner);
            never.insert(place, (owner, values));
        }
        Condition { never }
    }));
    others
}

/// Leaves out what follows from another one.
fn without_implied(all: &mut Vec<Condition>) {
    // Those that say most come first, so that of two equal ones one stays.
    all.sort_by_cached_key(|c| {
        (
            c.never.len(),
            std::cmp::Reverse(c.never.iter().map(|(_, v)| v.len()).sum::<usize>()),
        )
    });
    let mut kept: Vec<Condition> = Vec::new();
    for condition in all.drain(..) {
        if !kept.iter().any(|other| condition.follows(other)) {
            kept.push(condition);
        }
    }
    *all = kept;
}

/// The values that things can have.
struct Values<'a> {
    system: &'a System,
    known: FxHashMap<Owner, Vec<i64>>,
}

impl Values<'_> {
    fn of(&mut self, owner: Owner) -> &[i64] {
        let system = self.system;
        (self.known.entry(owner)).or_insert_with(|| values(system, owner))
    }
}

/// Says conditions in the model's names.
struct Writer<'a> {
    sources: &'a Sources,
    known: Values<'a>,
}

impl Writer<'_> {
    /// `a == 1 -> b >= 2`, or `!(a && b)`.
    fn condition(&mut self, condition: &Condition) -> String {
        let parts = condition.never.iter().enumerate();
        let short = parts
            .map(|(place, (owner, values))| {
                let others = self.known.of(*owner).iter();
                let others = others.filter(|v| values.binary_search(v).is_err()).copied();
                (place, *owner, others.collect::<Vec<i64>>(), values.len())
            })
            .filter(|(_, _, others, count)| others.len() < *count || condition.never.len() == 1)
            .min_by_key(|(_, _, others, _)| others.len());
        let Some((place, owner, others, _)) = short else {
            let parts = condition.never.iter();
            let parts: Vec<String> = parts.map(|(o, v)| self.says(*o, v)).collect();
            return match parts.is_empty() {
                true => "false".to_owned(),
                false => format!("!({})", parts.join(" && ")),
            };
        };
        let then = self.says(owner, &others);
        let given = condition.never.iter().enumerate();
        let given = given.filter(|(i, _)| *i != place);
        let given: Vec<String> = given.map(|(_, (o, v))| self.says(*o, v)).collect();
        match given.is_empty() {
            true => then,
            false => format!("{} -> {then}", given.join(" && ")),
        }
    }

    /// That something has one of some values.
    fn says(&mut self, owner: Owner, values: &[i64]) -> String {
        let all = self.known.of(owner).iter();
        let others = all.filter(|v| values.binary_search(v).is_err()).copied();
        let others: Vec<i64> = others.collect();
        let system = self.known.system;
        match owner {
            Owner::Location(process) => self.place(process, values, &others),
            Owner::Started => "started".to_owned(),
            Owner::Var(var) => {
                let name = system.var_name(var);
                match system.var(var).domain {
                    Domain::Bool if values == [1] => name,
                    Domain::Bool => format!("!{name}"),
                    domain => self.is_one_of(&name, domain, values, &others),
                }
            }
        }
    }

    fn is_one_of(&self, name: &str, domain: Domain, values: &[i64], others: &[i64]) -> String {
        let code = |value: i64| match domain {
            Domain::Data { data, .. } => {
                let data = &self.known.system.data[data.0 as usize];
                data.constructors[value as usize].clone()
            }
            _ => value.to_string(),
        };
        let (first, last) = (values[0], values[values.len() - 1]);
        let is_row = last - first + 1 == values.len() as i64;
        let (lo, hi) = domain.bounds();
        let is_number = matches!(domain, Domain::Int { .. });
        match (values, others) {
            ([value], _) => format!("{name} == {}", code(*value)),
            (_, [value]) => format!("{name} != {}", code(*value)),
            _ if is_number && is_row && first == lo => format!("{name} <= {last}"),
            _ if is_number && is_row && last == hi => format!("{name} >= {first}"),
            _ => {
                let mut shown: Vec<String> = Vec::new();
                let mut rest = values;
                while let Some(first) = rest.first() {
                    let row = rest.iter().zip(*first..).take_while(|(a, b)| *a == b);
                    let count = if is_number { row.count() } else { 1 };
                    let count = if count < 3 { 1 } else { count };
                    shown.push(match count {
                        1 => code(*first),
                        _ => format!("{first}..{}", rest[count - 1]),
                    });
                    rest = &rest[count..];
                }
                format!("{name} in {{{}}}", shown.join(", "))
            }
        }
    }

    /// `node[1] at line 12`, `node[1] not at {line 12, the end}`
    fn place(&self, process: ProcessId, values: &[i64], others: &[i64]) -> String {
        let (word, values) = match others.len() < values.len() {
            true => ("not at", others),
            false => ("at", values),
        };
        let words: Vec<String> = values.iter().map(|v| self.location(process, *v)).collect();
        let name = &self.known.system.process(process).name;
        match words.as_slice() {
            [one] => format!("{name} {word} {one}"),
            words => format!("{name} {word} {{{}}}", words.join(", ")),
        }
    }

    /// `line 12`, `done`; with the number that `dump simplified` gives it if there are several on a line.
    fn location(&self, process: ProcessId, number: i64) -> String {
        let all = &self.known.system.process(process).locations;
        let location = &all[number as usize];
        let is_here = |kind: LocationKind| match kind {
            LocationKind::Statement | LocationKind::Inside => "line",
            LocationKind::Done => "the end",
            LocationKind::Crashed => "crashed",
            LocationKind::Failed => "failed",
            LocationKind::Idle => "rest",
        };
        let word = is_here(location.kind);
        if word != "line" {
            return word.to_owned();
        }
        let line = self.sources.line(location.span);
        let same = all.iter().filter(|l| {
            is_here(l.kind) == "line"
                && l.span.file == location.span.file
                && self.sources.line(l.span) == line
        });
        match same.count() {
            1 => format!("line {line}"),
            _ => format!("line {line} (s{number})"),
        }
    }
}
