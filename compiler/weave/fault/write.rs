//! What faults of written variables have in common: each write to the variable gets a sibling in which something else is stored.

use petgraph::graph::NodeIndex;

use super::Slot;
use crate::graph::{Edge, Expr, Leaf};
use crate::program::Type;
use crate::system::event::{Act, Event, Word};
use crate::system::{Check, Domain, Op, VarId};
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, Sibling, fault_edge, var};

/// A write to a part of the variable: what is written at once. Of arrays that is an element, of records all of it or a field.
pub(super) struct Write<'a> {
    pub ty: &'a Type,
    /// Its first scalar, from that of the variable.
    pub first: usize,
    pub scalars: &'a [VarId],
    /// What the program stores.
    pub values: Vec<Expr>,
    /// Whether it is written at all: with a computed index only one element is.
    pub written: Expr,
}

impl Write<'_> {
    /// What belongs to it of something that belongs to the whole variable.
    pub fn own<'t, T>(&self, all: &'t [T]) -> &'t [T] {
        &all[self.first..][..self.scalars.len()]
    }

    /// Its scalars with what is stored in them.
    pub fn store(&self, values: impl IntoIterator<Item = Expr>) -> Vec<(VarId, Expr)> {
        self.scalars.iter().copied().zip(values).collect()
    }

    /// A value of it, in a sentence.
    pub fn shows(&self, values: impl IntoIterator<Item = Expr>) -> Word<Leaf> {
        Word::Value(self.scalars[0], values.into_iter().collect())
    }

    /// `p.x`, in a sentence.
    pub fn name(&self) -> Word<Leaf> {
        Word::Part(self.scalars[0], self.scalars.len() as u32)
    }

    /// `p.x becomes 1 instead of 0`
    pub fn becomes(&self, values: impl IntoIterator<Item = Expr>) -> [Word<Leaf>; 5] {
        [
            self.name(),
            Word::Plain("becomes"),
            self.shows(values),
            Word::Plain("instead of"),
            self.shows(self.values.clone()),
        ]
    }

    /// Whether one of the two is written at most: elements of one array at a computed index.
    pub fn excludes(&self, other: &Write<'_>) -> bool {
        let is_at = |e: &Expr| match e {
            Expr::Binary(Op::Eq, index, at) => Some(((**index).clone(), at.as_const()?)),
            _ => None,
        };
        let places = |e: &Expr| match e {
            Expr::And(all) => all.iter().filter_map(is_at).collect::<Vec<_>>(),
            one => is_at(one).into_iter().collect(),
        };
        let others = places(&other.written);
        (places(&self.written).iter())
            .any(|(index, at)| others.iter().any(|(i, other)| i == index && other != at))
    }
}

/// Adds siblings to the writes of a variable: `effect` yields, for the writes of an edge, when the fault applies, the picks it needs
/// in addition, what is stored instead, and how that is told.
pub(super) fn weave(
    draft: &mut Draft,
    fault: FaultId,
    slot: &Slot,
    effect: impl Fn(&[Write], &Edge) -> Effect,
) {
    let process = slot.process.0 as usize;
    draft.alternative_of(process, |edge: &Edge, to: NodeIndex| {
        let mut writes = Vec::new();
        collect(edge, (&slot.ty, 0, &slot.scalars), &mut writes);
        if writes.is_empty() {
            return Vec::new();
        }
        let Effect {
            applies,
            picks,
            stored,
            others,
            checks,
            crashed,
            sentence,
        } = effect(&writes, edge);
        let written = Expr::or(writes.iter().map(|w| w.written.clone()));
        let mut updates = edge.updates.clone();
        for (scalar, value) in stored {
            let old = updates.iter_mut().rfind(|(v, _)| *v == scalar);
            let Some((_, update)) = old else { continue };
            let written = writes.iter().find(|w| w.scalars.contains(&scalar));
            let written = written.map_or_else(Expr::yes, |w| w.written.clone());
            *update = Expr::ite(written, value, var(scalar));
        }
        updates.retain(|(v, e)| *e != var(*v) && !others.iter().any(|(other, _)| other == v));
        // Who crashes does nothing else, and only where the operation could go; but a message that was taken is gone, and so is an
        // offer that was over.
        if crashed.is_some() {
            updates.clear();
        }
        updates.extend(others);
        let kept = edge.events.iter().filter(|e| match e {
            Event::Wrote(_) => false,
            Event::Received(..) | Event::Peeked(..) => true,
            Event::Completed(_) | Event::Withdrew(_) => true,
            _ => crashed.is_none(),
        });
        let room = edge.events.iter().filter_map(|e| match e {
            Event::Sent(c, _) if crashed.is_some() && !edge.checked => {
                Some(Expr::Leaf(Leaf::CanSend(*c)))
            }
            _ => None,
        });
        let guard = [edge.guard.clone(), written, applies]
            .into_iter()
            .chain(room);
        let told = Event::Acted(sentence);
        let sibling = Edge {
            guard: Expr::and(guard),
            picks: edge.picks.iter().copied().chain(picks).collect(),
            updates,
            checks: edge.checks.iter().cloned().chain(checks).collect(),
            exit: edge.exit.clone().filter(|_| crashed.is_none()),
            ..fault_edge(
                fault,
                std::iter::once(told).chain(kept.cloned()).collect(),
                edge.span,
            )
        };
        let to = crashed.unwrap_or(to);
        vec![Sibling { to, edge: sibling }]
    });
}

/// How it is told: with the variable and its values if one is written, else in general.
pub(super) fn told<const N: usize>(
    verb: &'static str,
    writes: &[Write],
    one: impl Fn(&Write) -> [Word<Leaf>; N],
    general: &'static str,
) -> Act<Leaf> {
    let sentence = match writes {
        [write] => one(write).into(),
        _ => vec![Word::Actor, Word::Plain(general)],
    };
    Act {
        verb,
        sentence,
        passage: None,
    }
}

/// What a fault makes of the writes of an edge.
pub(super) struct Effect {
    pub applies: Expr,
    /// The picks it has in addition.
    pub picks: Vec<Domain>,
    /// What is stored in what would be written.
    pub stored: Vec<(VarId, Expr)>,
    /// What is stored elsewhere.
    pub others: Vec<(VarId, Expr)>,
    /// The checks that this makes after those of the write.
    pub checks: Vec<(Check, Expr)>,
    /// Where the process is then, if it has crashed.
    pub crashed: Option<NodeIndex>,
    pub sentence: Act<Leaf>,
}

impl Effect {
    /// Nothing is stored.
    pub fn new(applies: Expr, sentence: Act<Leaf>) -> Effect {
        Effect {
            applies,
            picks: Vec::new(),
            stored: Vec::new(),
            others: Vec::new(),
            checks: Vec::new(),
            crashed: None,
            sentence,
        }
    }
}

/// The parts of a part of the variable that an edge writes.
fn collect<'a>(
    edge: &Edge,
    (ty, first, scalars): (&'a Type, usize, &'a [VarId]),
    into: &mut Vec<Write<'a>>,
) {
    let update = |v: &VarId| edge.updates.iter().rfind(|(other, _)| other == v);
    if !scalars.iter().any(|v| update(v).is_some()) {
        return;
    }
    let split = |v: &VarId| update(v).map(|(v, value)| split(*v, value));
    match ty {
        Type::Array(element, _) => {
            let width = element.scalars() as usize;
            for (i, own) in scalars.chunks(width).enumerate() {
                collect(edge, (element, first + i * width, own), into);
            }
            return;
        }
        Type::Record(record) => {
            let written = |v: &VarId| split(v).map(|(_, written)| written);
            let one = written(&scalars[0]);
            let whole = one.is_some() && scalars.iter().all(|v| written(v) == one);
            if !whole || record.fields.iter().any(|field| has_array(&field.ty)) {
                for (index, field) in record.fields.iter().enumerate() {
                    let own = record.scalars_of(index as u32);
                    let field = (&field.ty, first + own.start, &scalars[own]);
                    collect(edge, field, into);
                }
                return;
            }
        }
        Type::Bool | Type::Int { .. } | Type::Data(_) | Type::Tagged(_) => {}
    }
    let parts = scalars
        .iter()
        .map(|v| split(v).unwrap_or((var(*v), Expr::no())));
    let (values, written): (Vec<Expr>, Vec<Expr>) = parts.unzip();
    into.push(Write {
        ty,
        first,
        scalars,
        values,
        written: written
            .into_iter()
            .find(|w| !w.is_no())
            .unwrap_or(Expr::no()),
    });
}

/// What is stored in a scalar, and whether something is: with computed indices every element is updated, to the new value if it is the
/// one, else to what it is. (That what is stored anyway is not taken for that, the lowering of assignments sees to.)
fn split(scalar: VarId, update: &Expr) -> (Expr, Expr) {
    let Expr::If(condition, value, otherwise) = update else {
        return (update.clone(), Expr::yes());
    };
    if **otherwise == var(scalar) {
        return ((**value).clone(), (**condition).clone());
    }
    let (_, before) = split(scalar, otherwise);
    (update.clone(), Expr::or([(**condition).clone(), before]))
}

fn has_array(ty: &Type) -> bool {
    match ty {
        Type::Array(..) => true,
        Type::Record(record) => record.fields.iter().any(|field| has_array(&field.ty)),
        _ => false,
    }
}
