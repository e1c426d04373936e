//! What faults of written variables have in common: each write to the variable gets a sibling in which something else is stored.

use petgraph::graph::NodeIndex;

use super::Slot;
use crate::graph::{Edge, Expr, Leaf};
use crate::system::event::{Act, Event, Word};
use crate::system::{Check, Domain, VarId};
use crate::vocabulary::FaultId;
use crate::weave::draft::{Draft, Sibling, fault_edge, var};

/// A write to one scalar of the variable.
pub(super) struct Write {
    pub scalar: VarId,
    /// What the program stores.
    pub value: Expr,
    /// Whether it is written at all: with a computed index only one element is.
    pub written: Expr,
}

/// Adds siblings to the writes of a variable: `effect` yields, for the writes of an edge and its picks, when the fault applies, the
/// picks it needs in addition, what is stored instead, and how that is told.
pub(super) fn weave(
    draft: &mut Draft,
    fault: FaultId,
    slot: &Slot,
    effect: impl Fn(&[Write], &[Domain]) -> Effect,
) {
    let process = slot.process.0 as usize;
    draft.alternative_of(process, |edge: &Edge, to: NodeIndex| {
        let writes: Vec<Write> = (edge.updates.iter())
            .filter(|(v, _)| slot.scalars.contains(v))
            .map(|(v, e)| split(*v, e))
            .collect();
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
        } = effect(&writes, &edge.picks);
        let written = Expr::or(writes.iter().map(|w| w.written.clone()));
        let mut updates = edge.updates.clone();
        for (scalar, value) in stored {
            let old = updates.iter_mut().rfind(|(v, _)| *v == scalar);
            let Some((_, update)) = old else { continue };
            let written = writes.iter().find(|w| w.scalar == scalar);
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

/// With a computed index every element is updated: to the new value if it is the one, else to what it is.
fn split(scalar: VarId, update: &Expr) -> Write {
    if let Expr::If(condition, value, otherwise) = update
        && **otherwise == var(scalar)
    {
        return Write {
            scalar,
            value: (**value).clone(),
            written: (**condition).clone(),
        };
    }
    Write {
        scalar,
        value: update.clone(),
        written: Expr::yes(),
    }
}
