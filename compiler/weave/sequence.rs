//! `reachable { e1; e2; e3 }`: how many of the lines have been met, one after the other.
//!
//! ```text
//! before   s0 --send m--> s1
//! after    s0 --send m, line := (line = 0 ? 1 : line)--> s1          of `reachable { sent(c, m); .. }`
//! ```
//!
//! It is enough to meet each line as early as possible: what can follow later can follow then. A line without events is looked
//! at in the states between the steps, one with events while a step is taken. The messages of an atomic step come one after the
//! other; a line that asks for several of them at once is met by the whole step. So the counter after a step is a function of
//! the counter before it, of the state before it and of the step.

use petgraph::graph::EdgeIndex;
use rustc_hash::FxHashMap;

use super::draft::{Draft, var};
use super::happening::{Moment, Taken};
use crate::graph::{self, Expr, Leaf};
use crate::program::{self, EventId, ExprKind, Happening, Program, Says};
use crate::system::{Domain, Op, VarId};
use crate::vocabulary::ProcessId;

/// A line of a sequence.
struct Line<'p> {
    condition: Expr,
    events: FxHashMap<EventId, &'p Happening>,
}

/// Counts the lines that have been met.
pub(super) fn weave(draft: &mut Draft, program: &Program) {
    for (index, property) in program.properties.iter().enumerate() {
        let Says::Sequence(lines) = &property.says else {
            continue;
        };
        let lines: Vec<Line<'_>> = lines.iter().map(|line| read(draft, line)).collect();
        let domain = Domain::Int {
            lo: 0,
            hi: lines.len() as i64,
        };
        let name = format!("{} line", property.name);
        let counter = draft.keep(name, domain, 0);
        for process in 0..draft.processes.len() {
            for edge in (0..draft.processes[process].graph.edge_count()).map(EdgeIndex::new) {
                let update = Step::new(draft, &lines, process, edge).update(counter);
                let edge = &mut draft.processes[process].graph[edge];
                edge.updates.extend(update.map(|value| (counter, value)));
            }
        }
        let met = met(&lines, counter);
        draft.kept.insert(index, met);
    }
}

fn read<'p>(draft: &Draft, line: &'p program::Expr) -> Line<'p> {
    let mut events = FxHashMap::default();
    line.visit(&mut |e| {
        if let ExprKind::Event(id, event) = &e.kind {
            events.insert(*id, &**event);
        }
    });
    Line {
        condition: graph::spec_value(&draft.layout, &draft.written, line),
        events,
    }
}

impl Line<'_> {
    /// A condition that is, or stems from, that of the line, given what is to be said about its events.
    fn with(&self, condition: &Expr, mut event: impl FnMut(&Happening) -> Expr) -> Expr {
        condition.map(&mut |leaf| match leaf {
            Leaf::Event(id) => match self.events.get(id) {
                Some(happening) => event(happening),
                None => Expr::no(),
            },
            other => Expr::Leaf(other.clone()),
        })
    }
}

fn is(counter: VarId, line: usize) -> Expr {
    Expr::binary(Op::Eq, var(counter), Expr::int(line as i64))
}

/// Whether all lines have been met: those that the counter has not got to yet are met by this state, or, where nothing has to
/// happen, by staying in it.
fn met(lines: &[Line<'_>], counter: VarId) -> Expr {
    // No process has this number: nobody is left out.
    let quiet = Expr::Leaf(Leaf::Quiet(ProcessId(u32::MAX)));
    let ways = (0..=lines.len()).map(|from| {
        let rest = lines[from..]
            .iter()
            .map(|line| match line.events.is_empty() {
                true => line.condition.clone(),
                false => Expr::and([line.with(&line.condition, |_| Expr::no()), quiet.clone()]),
            });
        Expr::and(std::iter::once(is(counter, from)).chain(rest))
    });
    Expr::or(ways)
}

/// A step, and the lines it may meet.
struct Step<'a, 'd> {
    taken: Taken<'d>,
    moments: Vec<Moment<'d>>,
    lines: &'a [Line<'a>],
}

impl<'a, 'd> Step<'a, 'd> {
    fn new(draft: &'d Draft, lines: &'a [Line<'a>], process: usize, edge: EdgeIndex) -> Self {
        let taken = Taken::new(draft, process, edge);
        Step {
            moments: taken.moments(),
            taken,
            lines,
        }
    }

    /// The counter after the step, if it may change.
    fn update(&self, counter: VarId) -> Option<Expr> {
        let mut value = var(counter);
        let mut changes = false;
        for from in (0..self.lines.len()).rev() {
            let next = self.before(from);
            if next != Expr::int(from as i64) {
                changes = true;
                value = Expr::ite(is(counter, from), next, value);
            }
        }
        changes.then_some(value)
    }

    /// The lines met after the step if so many have been met before: first those that the state before it meets.
    fn before(&self, line: usize) -> Expr {
        match self.lines.get(line) {
            Some(next) if next.events.is_empty() => Expr::ite(
                next.condition.clone(),
                self.before(line + 1),
                Expr::int(line as i64),
            ),
            Some(_) => self.during(line, 0, true),
            None => Expr::int(line as i64),
        }
    }

    /// The lines met after the step if so many have been met before one of its messages; `fresh` if none in this step.
    fn during(&self, line: usize, moment: usize, fresh: bool) -> Expr {
        let stays = Expr::int(line as i64);
        let Some(next) = self.lines.get(line).filter(|next| !next.events.is_empty()) else {
            return stays;
        };
        // What else a line with events says is read after the step.
        let condition = self.taken.after(&next.condition);
        let Some(message) = self.moments.get(moment) else {
            if !fresh || self.moments.len() == 1 {
                return stays;
            }
            let whole = next.with(&condition, |event| self.taken.is(event));
            return Expr::ite(whole, Expr::int(line as i64 + 1), stays);
        };
        let here = next.with(&condition, |event| self.taken.is_at(event, message));
        if here.is_no() {
            return self.during(line, moment + 1, fresh);
        }
        let met = self.during(line + 1, moment + 1, false);
        match here.is_yes() {
            true => met,
            false => Expr::ite(here, met, self.during(line, moment + 1, fresh)),
        }
    }
}
