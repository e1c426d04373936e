//! Which sets of events a single message can be.
//!
//! Patterns may overlap: `sent(c, any(A, B))` and `sent(c, A)` are both what sending A is. The events are the rows of a table
//! whose columns are the fields of a message; fixing the values of one column after the other leaves the rows that match
//! (as compilers of pattern matching do, Maranget 2008). What is compared with `== e` may match or not.

use indexmap::IndexSet;

use super::Subject;
use crate::program::{Happening, Pattern, Transfer, Type, Value};
use crate::vocabulary::{ChannelId, DataType, ProcessId};

/// As many sets there are at most.
const MOST: usize = 4_096;

/// The sets of events that a message can be, nothing at all among them; `None` if there are too many.
pub(super) fn classes(subject: &Subject<'_>, events: &[&Happening]) -> Option<Vec<Vec<u32>>> {
    let mut found: IndexSet<Vec<u32>> = IndexSet::new();
    let mut tables: IndexSet<(ChannelId, Vec<u32>)> = IndexSet::new();
    let receives = (events.iter()).any(|event| matches!(event, Happening::Received(_)));
    for sent in [true, false] {
        for channel in (0..subject.all.len() as u32).map(ChannelId) {
            for process in (0..subject.count as u32).map(ProcessId) {
                let listed = subject.channels.contains(&channel);
                let read = match sent {
                    true => listed || subject.processes.contains(&process),
                    false => listed && receives,
                };
                if !read {
                    continue;
                }
                let concerns = |event: &&Happening| match event {
                    Happening::Sent(p) => sent && p.concerns(process, channel),
                    Happening::Received(p) => !sent && p.concerns(process, channel),
                    _ => false,
                };
                let rows = (0..).zip(events).filter(|(_, event)| concerns(event));
                tables.insert((channel, rows.map(|(id, _)| id).collect()));
            }
        }
    }
    for (channel, ids) in tables {
        let fields = &subject.all[channel.0 as usize].fields;
        let row = |id: &u32| {
            let (Happening::Sent(Transfer { patterns, .. })
            | Happening::Received(Transfer { patterns, .. })) = events[*id as usize]
            else {
                unreachable!("only messages are letters")
            };
            let columns = match patterns.is_empty() {
                true => vec![Pattern::Any; fields.len()],
                false => patterns.clone(),
            };
            Row {
                event: *id,
                columns,
                open: false,
            }
        };
        let types: Vec<Type> = fields.clone();
        let mut table = Table {
            data: subject.data,
            found: &mut found,
        };
        table.split(ids.iter().map(row).collect(), types)?;
    }
    let mut classes: Vec<Vec<u32>> = found.into_iter().collect();
    classes.sort();
    Some(classes)
}

/// An event, and what is left of its patterns.
#[derive(Clone)]
struct Row {
    event: u32,
    columns: Vec<Pattern>,
    /// Whether something is compared with what is not constant.
    open: bool,
}

/// Finds sets of rows.
struct Table<'a> {
    data: &'a [DataType],
    found: &'a mut IndexSet<Vec<u32>>,
}

impl Table<'_> {
    /// Adds the sets of rows that some message matches.
    fn split(&mut self, rows: Vec<Row>, mut types: Vec<Type>) -> Option<()> {
        if self.found.len() > MOST {
            return None;
        }
        if types.is_empty() {
            return add(&rows, self.found);
        }
        let ty = types.remove(0);
        let rows: Vec<(Row, Pattern)> = rows.into_iter().flat_map(alternatives).collect();
        if rows.iter().all(|(_, first)| matches!(first, Pattern::Any)) {
            return self.split(rows.into_iter().map(|(row, _)| row).collect(), types);
        }
        for (shape, parts) in shapes(self.data, &ty, &rows) {
            let inner = parts.len();
            let matching = rows.iter().filter_map(|(row, first)| {
                let first = matched(first, &shape, inner)?;
                Some(Row {
                    columns: first.into_iter().chain(row.columns.clone()).collect(),
                    ..row.clone()
                })
            });
            let rest = parts.into_iter().chain(types.clone()).collect();
            self.split(matching.collect(), rest)?;
        }
        Some(())
    }
}

/// A row for each way to match its first column, which is taken off. What is not constant may match anything.
fn alternatives(mut row: Row) -> Vec<(Row, Pattern)> {
    match row.columns.remove(0) {
        Pattern::Either(all) => all
            .into_iter()
            .flat_map(|pattern| {
                let mut one = row.clone();
                one.columns.insert(0, pattern);
                alternatives(one)
            })
            .collect(),
        Pattern::Equal(value) if value.as_const().is_none() => {
            row.open = true;
            vec![(row, Pattern::Any)]
        }
        pattern => vec![(row, pattern)],
    }
}

/// What the value of a column looks like.
enum Shape {
    /// This value, and others that match the same patterns.
    Value(Value),
    /// A constructor with fields.
    Constructor(u32),
    /// An array or a record.
    Whole,
}

/// The shapes of a column that patterns tell apart, each with the types of its parts.
fn shapes(data: &[DataType], ty: &Type, rows: &[(Row, Pattern)]) -> Vec<(Shape, Vec<Type>)> {
    match ty {
        Type::Tagged(tagged) => (0..tagged.constructors.len() as u32)
            .map(|index| {
                let parts = tagged.fields_of(index).map(|field| field.ty.clone());
                (Shape::Constructor(index), parts.collect())
            })
            .collect(),
        Type::Array(element, count) => {
            vec![(Shape::Whole, vec![(**element).clone(); *count as usize])]
        }
        Type::Record(record) => {
            let parts = record.fields.iter().map(|field| field.ty.clone());
            vec![(Shape::Whole, parts.collect())]
        }
        Type::Bool => [false, true]
            .map(|b| (Shape::Value(Value::Bool(b)), Vec::new()))
            .into(),
        // Where patterns begin and end, and where the type begins.
        Type::Int { lo, hi } => {
            let mut starts = vec![*lo];
            for (_, pattern) in rows {
                match pattern {
                    Pattern::Between(a, b) => starts.extend([*a, b.saturating_add(1)]),
                    Pattern::Equal(value) => {
                        let at = value.as_int();
                        starts.extend(at.into_iter().flat_map(|v| [v, v.saturating_add(1)]));
                    }
                    _ => {}
                }
            }
            starts.retain(|start| lo <= start && start <= hi);
            starts.sort_unstable();
            starts.dedup();
            let value = |start| (Shape::Value(Value::Int(start)), Vec::new());
            starts.into_iter().map(value).collect()
        }
        Type::Data(id) => {
            let mut mentioned: Vec<Value> = Vec::new();
            for (_, pattern) in rows {
                if let Pattern::Equal(value) = pattern
                    && let Some(value) = value.as_const()
                    && !mentioned.contains(value)
                {
                    mentioned.push(value.clone());
                }
            }
            // One that nobody mentions stands for all of those.
            let count = data[id.0 as usize].constructors.len() as u32;
            let other = (0..count)
                .map(|index| Value::Data(*id, index))
                .find(|value| !mentioned.contains(value));
            let all = mentioned.into_iter().chain(other);
            all.map(|value| (Shape::Value(value), Vec::new())).collect()
        }
    }
}

/// The patterns of the parts, if a pattern matches a shape.
fn matched(pattern: &Pattern, shape: &Shape, parts: usize) -> Option<Vec<Pattern>> {
    match (pattern, shape) {
        (Pattern::Any, _) => Some(vec![Pattern::Any; parts]),
        (Pattern::Constructor(own, fields), Shape::Constructor(index)) => {
            (own == index).then(|| fields.clone())
        }
        (Pattern::Between(lo, hi), Shape::Value(Value::Int(value))) => {
            (lo <= value && value <= hi).then(Vec::new)
        }
        (Pattern::Equal(constant), shape) => {
            let part = |value: &Value| {
                let mut part = constant.clone();
                part.ty = value.type_of();
                part.kind = crate::program::ExprKind::Const(value.clone());
                Pattern::Equal(part)
            };
            match (constant.as_const()?, shape) {
                (Value::Tagged(_, own, values), Shape::Constructor(index)) => {
                    (own == index).then(|| values.iter().map(part).collect())
                }
                (Value::Array(values) | Value::Record(_, values), Shape::Whole) => {
                    Some(values.iter().map(part).collect())
                }
                (value, Shape::Value(own)) => (value == own).then(Vec::new),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Adds what is left: rows that certainly match, with every choice of those that may.
fn add(rows: &[Row], found: &mut IndexSet<Vec<u32>>) -> Option<()> {
    let certain: IndexSet<u32> = (rows.iter().filter(|row| !row.open))
        .map(|row| row.event)
        .collect();
    let open: IndexSet<u32> = (rows.iter().filter(|row| row.open))
        .map(|row| row.event)
        .filter(|event| !certain.contains(event))
        .collect();
    if open.len() > 12 {
        return None;
    }
    for chosen in 0..1u32 << open.len() {
        let with = (open.iter().enumerate()).filter(|(bit, _)| chosen & (1 << bit) != 0);
        let mut set: Vec<u32> = with
            .map(|(_, event)| *event)
            .chain(certain.iter().copied())
            .collect();
        set.sort_unstable();
        found.insert(set);
    }
    (found.len() <= MOST).then_some(())
}
