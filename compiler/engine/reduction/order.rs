//! Whether the order of two steps of different processes matters.
//!
//! Both are tried in either order, symbolically: for each combination of values of the small variables that the two
//! share and decide on, guards and results are compared as expressions. So a send and a receive at the two ends of a
//! buffer are found to commute wherever both can go, and two faults that share a budget are found to be possible in
//! either order if they are in one. What cannot be shown is taken to matter.

use super::steps::Step;
use crate::system::{Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// What is known about a step `e` and a step `f` of another process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// Wherever `f` and then `e` can be taken, so can `e` and then `f`, with the same result.
    pub e_may_go_first: bool,
    /// Wherever both can be taken, neither keeps the other from being taken afterwards, and the result is the same.
    pub commute: bool,
}

impl Order {
    /// What is known by one comparison or by another.
    pub fn or(self, other: Order) -> Order {
        Order {
            e_may_go_first: self.e_may_go_first || other.e_may_go_first,
            commute: self.commute || other.commute,
        }
    }
}

/// At most so many combinations of values are tried.
const MOST_CASES: u64 = 256;

/// The picks of `f` are numbered from here, to tell them from those of `e`.
const PICKS_OF_F: u32 = 1 << 16;

/// What is known when two steps are compared.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// Conditions that hold before either is taken, and that no process but that of `e` can make false.
    pub lasting: &'a [Expr],
    /// Steps that may be taken for `f` after `e`, if they do the same.
    pub stand_ins: &'a [&'a Step],
}

/// Compares the orders of two steps; adds to `work` how much there was to do.
pub fn order(system: &System, e: &Step, f: &Step, known: Known<'_>, work: &mut u64) -> Order {
    let mut order = Order {
        e_may_go_first: true,
        commute: true,
    };
    let split = decisive(system, e, f, !known.stand_ins.is_empty());
    each_case(system, &split, &mut |case| {
        *work += 1;
        try_case(e, f, known, case, &mut order);
        order.e_may_go_first || order.commute
    });
    order
}

/// Whether a step leaves a condition true wherever it is.
pub fn keeps(system: &System, step: &Step, condition: &Expr, work: &mut u64) -> bool {
    let mut read = Vec::new();
    decisions(condition, true, &mut read);
    read.sort();
    read.dedup();
    let split = few(system, read);
    let mut keeps = true;
    each_case(system, &split, &mut |case| {
        *work += 1;
        let before = View {
            case,
            written: &[],
            at: [(step.process, step.from); 2],
            picks: 0,
        };
        let updates = before.updates(step);
        let after = View {
            written: &updates,
            ..before
        };
        let holds = before.of(condition);
        keeps = holds.is_no()
            || before.of(&step.guard).is_no()
            || follows(&after.of(condition), &[&holds]);
        keeps
    });
    keeps
}

/// Calls `each` with every combination of values of some variables, the last varying fastest, until it says stop.
fn each_case(system: &System, split: &[VarId], each: &mut dyn FnMut(&[(VarId, Expr)]) -> bool) {
    let bounds = |v: &VarId| system.var(*v).domain.bounds();
    let mut values: Vec<i64> = split.iter().map(|v| bounds(v).0).collect();
    loop {
        let case: Vec<(VarId, Expr)> = split
            .iter()
            .zip(&values)
            .map(|(v, code)| (*v, Expr::Const(system.var(*v).domain.scalar(*code))))
            .collect();
        if !each(&case) {
            return;
        }
        let next = split.iter().zip(&mut values).rev().find_map(|(v, code)| {
            let (lo, hi) = bounds(v);
            if *code < hi {
                *code += 1;
                Some(())
            } else {
                *code = lo;
                None
            }
        });
        if next.is_none() {
            return;
        }
    }
}

/// The variables whose values are tried one by one: those that one step writes and the other uses, and that a guard or
/// another decision depends on. Where others may stand in for `f`, those too on which it depends whether `f` can be taken.
fn decisive(system: &System, e: &Step, f: &Step, stand_ins: bool) -> Vec<VarId> {
    let shared = |v: &VarId| {
        let touches = |s: &Step| s.reads.contains(v) || s.writes().any(|w| w == *v);
        let writes = e.writes().chain(f.writes()).any(|w| w == *v);
        writes && touches(e) && touches(f)
    };
    let mut found = Vec::new();
    for step in [e, f] {
        decisions(&step.guard, true, &mut found);
        for (_, value) in &step.updates {
            decisions(value, false, &mut found);
        }
    }
    found.retain(shared);
    if stand_ins {
        decisions(&f.guard, true, &mut found);
    }
    found.sort();
    found.dedup();
    few(system, found)
}

/// As many of some variables as there are not too many combinations of their values for, small ones first.
fn few(system: &System, mut vars: Vec<VarId>) -> Vec<VarId> {
    vars.sort_by_key(|v| system.var(*v).domain.size());
    let mut cases = 1;
    vars.into_iter()
        .take_while(|v| {
            cases = system.var(*v).domain.size().saturating_mul(cases);
            cases <= MOST_CASES
        })
        .collect()
}

/// The variables on which a decision within an expression depends.
fn decisions(expr: &Expr, decides: bool, found: &mut Vec<VarId>) {
    match expr {
        Expr::Const(_) => {}
        Expr::Leaf(Leaf::Var(v)) if decides => found.push(*v),
        Expr::Leaf(_) => {}
        Expr::Not(e) | Expr::Neg(e) => decisions(e, decides, found),
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().for_each(|e| decisions(e, true, found));
        }
        Expr::Binary(op, a, b) => {
            // A counter that both count is no decision, but only numbers can be added up in either order.
            let decides = decides || op.is_comparison();
            decisions(a, decides, found);
            decisions(b, decides, found);
        }
        Expr::If(c, a, b) => {
            decisions(c, true, found);
            decisions(a, decides, found);
            decisions(b, decides, found);
        }
        Expr::Select(index, items) => {
            decisions(index, true, found);
            items.iter().for_each(|e| decisions(e, decides, found));
        }
    }
}

/// What is known before anything is taken, or after one of the steps.
struct View<'a> {
    case: &'a [(VarId, Expr)],
    /// What one of the steps has written.
    written: &'a [(VarId, Expr)],
    /// Where the two processes are.
    at: [(ProcessId, LocId); 2],
    /// How far the picks are renumbered.
    picks: u32,
}

impl View<'_> {
    fn of(&self, expr: &Expr) -> Expr {
        expr.map(&mut |leaf| match leaf {
            Leaf::Var(v) => self
                .written
                .iter()
                .chain(self.case)
                .find(|(known, _)| known == v)
                .map_or_else(|| Expr::Leaf(leaf.clone()), |(_, value)| value.clone()),
            Leaf::Pick(i) => Expr::Leaf(Leaf::Pick(i + self.picks)),
            Leaf::At(p, locations) => match self.at.iter().find(|(known, _)| known == p) {
                Some((_, at)) => Expr::bool(locations.contains(at)),
                None => Expr::Leaf(leaf.clone()),
            },
        })
    }

    fn updates(&self, step: &Step) -> Vec<(VarId, Expr)> {
        let values = step.updates.iter();
        values.map(|(var, value)| (*var, self.of(value))).collect()
    }
}

fn try_case(e: &Step, f: &Step, known: Known<'_>, case: &[(VarId, Expr)], order: &mut Order) {
    let view = |e_at: LocId, f_at: LocId, picks: u32| View {
        case,
        written: &[],
        at: [(e.process, e_at), (f.process, f_at)],
        picks,
    };
    let f_before = view(e.from, f.from, PICKS_OF_F);
    let f_first = f_before.of(&f.guard);
    if f_first.is_no() {
        return;
    }
    let e_before = view(e.from, f.from, 0);
    if known.lasting.iter().any(|part| e_before.of(part).is_no()) {
        return;
    }
    let e_first = e_before.of(&e.guard);
    let f_updates = f_before.updates(f);
    let e_after = View {
        written: &f_updates,
        ..view(e.from, f.to, 0)
    };
    let e_second = e_after.of(&e.guard);
    if e_first.is_no() && e_second.is_no() {
        return;
    }
    let e_updates = e_before.updates(e);
    let e_later = e_after.updates(e);
    let f_after = View {
        written: &e_updates,
        ..view(e.to, f.from, PICKS_OF_F)
    };
    // Whether `f`, or what stands in for it, can be taken after `e`, and leads where `f` and then `e` does.
    let can_follow = |given: &[&Expr]| {
        std::iter::once(&f).chain(known.stand_ins).any(|second| {
            follows(&f_after.of(&second.guard), given)
                && same_result(&e_updates, &e_later, &f_updates, &f_after.updates(second))
        })
    };
    if !e_second.is_no() {
        let given = [&f_first, &e_second];
        order.e_may_go_first &= follows(&e_first, &given) && can_follow(&given);
    }
    if !e_first.is_no() {
        let given = [&e_first, &f_first];
        order.commute &= follows(&e_second, &given) && can_follow(&given);
    }
}

/// Whether every part of a conjunction is among the parts of others.
fn follows(expr: &Expr, given: &[&Expr]) -> bool {
    parts(expr)
        .iter()
        .all(|part| part.is_yes() || given.iter().any(|g| parts(g).contains(part)))
}

/// The parts of a conjunction.
pub fn parts(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::And(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// Whether `e` and then `f` leads where `f` and then `e` does; the second of two writes stays.
fn same_result(
    e_first: &[(VarId, Expr)],
    e_second: &[(VarId, Expr)],
    f_first: &[(VarId, Expr)],
    f_second: &[(VarId, Expr)],
) -> bool {
    fn value<'a>(
        first: &'a [(VarId, Expr)],
        second: &'a [(VarId, Expr)],
        v: VarId,
    ) -> Option<&'a Expr> {
        let mut both = second.iter().chain(first);
        both.find(|(w, _)| *w == v).map(|(_, value)| value)
    }
    let mut written = e_first.iter().chain(f_first).chain(f_second);
    written.all(|(v, _)| value(e_first, f_second, *v) == value(f_first, e_second, *v))
}
