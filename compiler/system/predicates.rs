//! State predicates that both engines need, written once.

use super::expr::Replaced;
use super::{Check, Domain, Edge, Event, Expr, Leaf, LocId, LocationKind, System, VarId};
use crate::vocabulary::ProcessId;

impl System {
    /// Whether a process is at one of the locations that `select`s.
    pub fn at(&self, process: ProcessId, select: impl Fn(LocId) -> bool) -> Expr {
        let count = self.process(process).locations.len() as u32;
        let locations: Vec<LocId> = (0..count).map(LocId).filter(|l| select(*l)).collect();
        if locations.is_empty() {
            Expr::no()
        } else {
            Expr::Leaf(Leaf::At(process, locations))
        }
    }

    /// Whether an edge of `process` can be taken in a state, for some values of its picks.
    pub fn enabled(&self, process: ProcessId, edge: &Edge) -> Expr {
        Expr::and([
            Expr::Leaf(Leaf::At(process, vec![edge.from])),
            exists_picks(&edge.guard, &edge.picks),
        ])
    }

    /// Whether a process can take an edge that is no fault: what weak fairness asks for.
    pub fn can_move_without_fault(&self, process: ProcessId) -> Expr {
        let edges = self.process(process).edges.iter();
        let forced = edges.filter(|e| e.kind.is_forced());
        some_guard(
            process,
            forced.map(|e| (e.from, exists_picks(&e.guard, &e.picks))),
        )
    }

    /// Whether no process can take an edge that is no fault: then the System may stutter.
    pub fn quiescent(&self) -> Expr {
        Expr::and(
            self.processes()
                .map(|(id, _)| self.can_move_without_fault(id).not()),
        )
    }

    /// The process whose step is the tick, if there is a clock.
    pub fn clock(&self) -> Option<ProcessId> {
        let ticks = |edge: &Edge| edge.events.contains(&Event::Ticked);
        let clock = self.processes().find(|(_, p)| p.edges.iter().any(ticks));
        clock.map(|(id, _)| id)
    }

    /// What time counts down.
    pub fn timers(&self) -> Vec<VarId> {
        let edges = self.clock().into_iter();
        let edges = edges.flat_map(|clock| &self.process(clock).edges);
        let mut timers: Vec<VarId> = edges
            .filter(|edge| edge.events.contains(&Event::Ticked))
            .flat_map(|edge| edge.updates.iter().map(|(v, _)| *v))
            .filter(|v| matches!(self.var(*v).domain, Domain::Int { .. }))
            .collect();
        timers.sort_unstable();
        timers
    }

    /// Whether time passes now, or nobody has to move.
    pub fn lets_time_pass(&self) -> Expr {
        let ticks = self.clock().map(|clock| self.can_move_without_fault(clock));
        Expr::or(ticks.into_iter().chain([self.quiescent()]))
    }

    /// Whether a process is neither done nor crashed nor failed nor at a statement labelled `end` or
    /// `end_..`.
    pub fn unfinished(&self, process: ProcessId) -> Expr {
        let p = self.process(process);
        self.at(process, |l| {
            let location = &p.locations[l.0 as usize];
            matches!(
                location.kind,
                LocationKind::Statement | LocationKind::Inside
            ) && !location.labels.iter().any(|label| {
                let name = &p.labels[label.0 as usize];
                name == "end" || name.starts_with("end_")
            })
        })
    }

    /// Whether a process is failed or about to recover: then nobody's waiting is a deadlock.
    pub fn excused(&self, process: ProcessId) -> Expr {
        let p = self.process(process);
        self.at(process, |l| {
            l == p.failed || (p.recovers && Some(l) == p.crashed)
        })
    }

    /// Whether a state is a deadlock: quiescent, no process failed or about to recover, and one of them
    /// neither done nor crashed nor at a statement labelled `end` or `end_..`.
    pub fn deadlock(&self) -> Expr {
        Expr::and([self.deadlock_if_quiescent(), self.quiescent()])
    }

    /// Whether a state is a deadlock, given that no step is forced but those on which a fault begins.
    pub fn deadlock_if_quiescent(&self) -> Expr {
        let begins = |e: &super::Edge| e.kind.is_forced() && e.injection().is_some();
        let quiet = match self.processes.iter().any(|p| p.edges.iter().any(begins)) {
            true => self.quiescent(),
            false => Expr::yes(),
        };
        let stuck = Expr::or(self.processes().map(|(id, _)| self.unfinished(id)));
        let excused = self.processes().map(|(id, _)| self.excused(id).not());
        let ordinary = self.ordinary.clone();
        Expr::and(
            [stuck, Expr::and(excused), quiet]
                .into_iter()
                .chain(ordinary),
        )
    }

    /// Whether some run-time check of this kind can fail in the next step.
    pub fn fails(&self, check: Check) -> Expr {
        Expr::or(self.processes().map(|(id, _)| self.fails_in(id, check)))
    }

    /// Whether a run-time check of this kind can fail in the next step of a process.
    pub fn fails_in(&self, process: ProcessId, check: Check) -> Expr {
        Expr::or(
            self.process(process)
                .edges
                .iter()
                .filter(|e| e.events.contains(&Event::Failed(check)))
                .map(|e| self.enabled(process, e)),
        )
    }
}

/// The same expression with derived variables replaced by their definitions.
pub fn inline(system: &System, expr: &Expr) -> Expr {
    inline_in(system, expr, &mut Replaced::default())
}

/// The same; parts that expressions share are looked at once with the same memo.
pub fn inline_in(system: &System, expr: &Expr, memo: &mut Replaced<Leaf>) -> Expr {
    expr.replace_in(memo, &mut |leaf| match leaf {
        Leaf::Var(v) => system.var(*v).derived.clone(),
        _ => None,
    })
}

/// The same expression, knowing that a process is at a location.
pub fn knowing_at(expr: &Expr, process: ProcessId, location: LocId) -> Expr {
    knowing_at_in(expr, process, location, &mut Replaced::default())
}

/// The same; parts that expressions share are looked at once with the same memo.
pub fn knowing_at_in(
    expr: &Expr,
    process: ProcessId,
    location: LocId,
    memo: &mut Replaced<Leaf>,
) -> Expr {
    expr.replace_in(memo, &mut |leaf| match leaf {
        Leaf::At(p, locations) if *p == process => {
            Some(Expr::bool(locations.binary_search(&location).is_ok()))
        }
        _ => None,
    })
}

/// Whether some values of the picks satisfy a guard.
pub fn exists_picks(guard: &Expr, picks: &[Domain]) -> Expr {
    let mut used = vec![false; picks.len()];
    guard.leaves(&mut |leaf| {
        if let Leaf::Pick(i) = leaf {
            used[*i as usize] = true;
        }
    });
    let Some(pick) = used.iter().rposition(|used| *used) else {
        return guard.clone();
    };
    let domain = picks[pick];
    let (lo, hi) = domain.bounds();
    Expr::or((lo..=hi).map(|code| {
        let fixed = guard.replace(&mut |leaf| match leaf {
            Leaf::Pick(i) if *i as usize == pick => Some(Expr::Const(domain.scalar(code))),
            _ => None,
        });
        exists_picks(&fixed, picks)
    }))
}

/// Whether a process is at a location where one of its guards holds, given guards with their locations.
pub fn some_guard(process: ProcessId, all: impl IntoIterator<Item = (LocId, Expr)>) -> Expr {
    // Per location, so that a location with an unguarded edge is one test.
    let mut guards: indexmap::IndexMap<LocId, Vec<Expr>> = indexmap::IndexMap::new();
    for (location, guard) in all {
        guards.entry(location).or_default().push(guard);
    }
    let mut free = Vec::new();
    let mut guarded = Vec::new();
    for (location, guards) in guards {
        match Expr::or(guards) {
            guard if guard.is_yes() => free.push(location),
            guard if guard.is_no() => {}
            guard => {
                let here = Expr::Leaf(Leaf::At(process, vec![location]));
                guarded.push(Expr::and([here, guard]));
            }
        }
    }
    free.sort_unstable();
    let free = match free.is_empty() {
        true => Expr::no(),
        false => Expr::Leaf(Leaf::At(process, free)),
    };
    Expr::or(std::iter::once(free).chain(guarded))
}
