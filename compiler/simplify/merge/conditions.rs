//! The conditions for merging, one function each; [`merge`](super) says why.

use indexmap::IndexSet;

use super::flow::Flow;
use crate::simplify::leaves::{Writer, at, conjuncts, inline, reads, timeliness};
use crate::simplify::live_variables::Liveness;
use crate::simplify::observers::Observers;
use crate::simplify::ranges::Ranges;
use crate::system::expr::Replaced;
use crate::system::fairness::roles;
use crate::system::predicates::{exists_picks, inline_in, knowing_at_in};
use crate::system::{Edge, EdgeKind, Event, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// An edge with larger expressions is not merged: to look at them costs more than that would save.
const MOST_NODES: usize = 1 << 14;

/// What the conditions are checked against.
pub(super) struct Conditions<'a> {
    pub system: &'a System,
    pub flow: &'a Flow,
    pub process: ProcessId,
    pub writers: &'a [Writer],
    pub ranges: &'a Ranges,
    pub observers: &'a Observers,
    pub liveness: &'a Liveness<'a>,
}

/// Which of the two steps nobody can tell the time of.
pub(super) enum Silent<'a> {
    /// The first: the process waits in front of it.
    First {
        /// What leaves the location and has to be merged with it; the other edges are faults that strike in front of
        /// the first step just as well.
        merged: Vec<(usize, &'a Edge)>,
        /// Whether a process in front of the first step has no other.
        decided: bool,
    },
    /// The second.
    Second,
}

impl<'a> Conditions<'a> {
    /// Whether an edge may be merged with those that leave where it leads, and how.
    pub(super) fn silent(&self, first: &Edge, leaving: &[(usize, &'a Edge)]) -> Option<Silent<'a>> {
        let forced: Vec<&Edge> = leaving
            .iter()
            .map(|(_, e)| *e)
            .filter(|e| e.kind.is_forced())
            .collect();
        // Steps that a fault has a part in are told one by one.
        let special = |e: &Edge| {
            let began = e.kind.is_forced() && e.injection().is_some();
            began || matches!(e.kind, EdgeKind::Acting(_) | EdgeKind::Moment(_))
        };
        if forced.is_empty() || special(first) || leaving.iter().any(|(_, e)| special(e)) {
            return None;
        }
        let decided = self.is_only_step(first);
        let unguarded = self.cannot_be_prevented(&forced);
        let one = unguarded && self.exclude_each_other(&forced);
        if (decided || one) && first.kind.is_forced() && self.is_silent(first) {
            let merged = leaving
                .iter()
                .copied()
                .filter(|(_, e)| e.kind.is_forced() || !self.strikes_as_well(e, first, first.from))
                .collect();
            return Some(Silent::First { merged, decided });
        }
        let no_fault_differs = || {
            let faults = || leaving.iter().filter(|(_, e)| !e.kind.is_forced());
            forced
                .iter()
                .all(|second| faults().all(|(_, f)| self.strikes_as_well(f, second, second.to)))
        };
        let second_silent = (decided || one)
            && unguarded
            && forced.iter().all(|e| self.is_silent(e))
            && no_fault_differs();
        second_silent.then_some(Silent::Second)
    }

    /// Condition 1 for the first edge: whoever can take it can take no other that is no fault, and chooses nothing.
    fn is_only_step(&self, edge: &Edge) -> bool {
        let siblings = self.flow.leaving(edge.from).filter(|e| e.kind.is_forced());
        let mut others = siblings.filter(|e| !std::ptr::eq(*e, edge));
        edge.kind.is_forced()
            && edge.picks.is_empty()
            && others.all(|other| {
                self.exclusive(
                    edge.from,
                    &edge.guard,
                    &exists_picks(&other.guard, &other.picks),
                )
            })
    }

    /// Condition 1 for the second edges: at any time at least one of them can be taken.
    fn cannot_be_prevented(&self, edges: &[&Edge]) -> bool {
        let location = edges[0].from;
        let guards: Vec<Expr> = edges
            .iter()
            .map(|e| exists_picks(&e.guard, &e.picks))
            .collect();
        if guards
            .iter()
            .enumerate()
            .any(|(i, g)| guards[..i].contains(&g.clone().not()))
        {
            return true;
        }
        let some = Expr::or(guards);
        !self
            .ranges
            .condition(self.process, location, &some)
            .can_be_false()
    }

    /// Condition 1 for the second edges: at any time at most one of them can be taken.
    fn exclude_each_other(&self, edges: &[&Edge]) -> bool {
        let guards: Vec<Expr> = edges
            .iter()
            .map(|e| exists_picks(&e.guard, &e.picks))
            .collect();
        (0..guards.len())
            .all(|i| (0..i).all(|j| self.exclusive(edges[0].from, &guards[i], &guards[j])))
    }

    fn exclusive(&self, location: LocId, a: &Expr, b: &Expr) -> bool {
        let opposite = conjuncts(a)
            .iter()
            .any(|part| conjuncts(b).contains(&part.clone().not()));
        opposite || {
            let both = Expr::and([a.clone(), b.clone()]);
            !self
                .ranges
                .condition(self.process, location, &both)
                .can_be_true()
        }
    }

    /// Conditions 2 and 3: nobody else can tell when an edge is taken, nor does it depend on anybody else when.
    fn is_silent(&self, edge: &Edge) -> bool {
        let own = |v: VarId| self.writers[v.0 as usize] == Writer::Only(self.process);
        let fixed = |v: VarId| own(v) || self.writers[v.0 as usize] == Writer::Nobody;
        let mut alone = edge.updates.iter().all(|(v, _)| own(*v));
        let values = edge.updates.iter().map(|(_, value)| value);
        let (mut inlined, mut located) = (Replaced::default(), Replaced::default());
        let mut exprs = values.chain([&edge.guard]).chain(timeliness(edge));
        alone = alone
            && exprs.all(|expr| {
                let expr = inline_in(self.system, expr, &mut inlined);
                let expr = knowing_at_in(&expr, self.process, edge.from, &mut located);
                expr.size() <= MOST_NODES
                    && expr.all_leaves(&mut |leaf| match leaf {
                        Leaf::Var(v) => fixed(*v),
                        Leaf::Pick(_) => true,
                        Leaf::At(..) => false,
                    })
            });
        let fails = edge.events.iter().any(|e| matches!(e, Event::Failed(_)));
        let known = |v: VarId| {
            let code = self.ranges.constant_at(self.process, edge.from, v)?;
            Some(Expr::Const(self.system.var(v).domain.scalar(code)))
        };
        let counts = !roles(edge).is_empty();
        alone && !fails && !counts && self.observers.cannot_see(edge, known)
    }

    /// Condition 4: whether a fault can strike at another location just as well, before or after a silent edge.
    fn strikes_as_well(&self, fault: &Edge, silent: &Edge, there: LocId) -> bool {
        let written: Vec<VarId> = silent.updates.iter().map(|(v, _)| *v).collect();
        let live = |v: VarId| {
            self.writers[v.0 as usize] != Writer::Only(self.process)
                || self.liveness.is_live(fault.to, v)
        };
        let known = |e: &Expr, from: LocId| at(&inline(self.system, e), self.process, from);
        let independent = |e: &Expr| {
            let mut read = IndexSet::new();
            reads(e, &mut read);
            written.iter().all(|v| !read.contains(v))
        };
        let effect = |edge: &Edge| -> Vec<(VarId, Expr)> {
            let mut updates: Vec<(VarId, Expr)> = edge
                .updates
                .iter()
                .filter(|(v, _)| live(*v))
                .map(|(v, e)| (*v, known(e, edge.from)))
                .collect();
            updates.sort_by_key(|(v, _)| *v);
            updates
        };
        let guard = known(&fault.guard, fault.from);
        let updates = effect(fault);
        // What the silent edge changed does not matter, or is overwritten.
        let forgotten = written
            .iter()
            .all(|v| !live(*v) || updates.iter().any(|(w, _)| w == v));
        forgotten
            && independent(&guard)
            && updates.iter().all(|(_, e)| independent(e))
            && self.flow.leaving(there).any(|e| {
                e.kind == fault.kind
                    && e.to == fault.to
                    && roles(e) == roles(fault)
                    && e.picks == fault.picks
                    && known(&e.guard, e.from) == guard
                    && effect(e) == updates
            })
    }
}
