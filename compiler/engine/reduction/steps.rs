//! The edges of a System as the reduction looks at them: what each reads and writes, and which others touch that.

use super::order::{keeps, parts};
use crate::system::predicates::{inline, knowing_at};
use crate::system::{Edge, Event, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// An edge, derived variables replaced by what they are derived from.
pub struct Step {
    /// Whose it is.
    pub process: ProcessId,
    /// From here.
    pub from: LocId,
    /// To here.
    pub to: LocId,
    /// When it can be taken.
    pub guard: Expr,
    /// What changes.
    pub updates: Vec<(VarId, Expr)>,
    /// Whether its absence makes a System quiescent.
    pub forced: bool,
    /// Whether it injects a fault.
    pub fault: bool,
    /// Whether it chooses nothing and no run-time check fails on it.
    pub is_plain: bool,
    /// The variables it reads, in order.
    pub reads: Vec<VarId>,
    /// The other processes whose locations it reads, in order.
    pub looks_at: Vec<ProcessId>,
}

impl Step {
    fn new(system: &System, process: ProcessId, edge: &Edge) -> Step {
        let mut updates: Vec<(VarId, Expr)> = Vec::new();
        for (var, value) in &edge.updates {
            // Of two updates of one variable the later wins.
            updates.retain(|(v, _)| v != var);
            updates.push((*var, inline(system, value)));
        }
        updates.retain(|(var, value)| *value != Expr::Leaf(Leaf::Var(*var)));
        let guard = inline(system, &edge.guard);
        let fails = |event: &Event| matches!(event, Event::Failed(_));
        let (mut reads, mut looks_at) = (Vec::new(), Vec::new());
        let values = updates.iter().map(|(_, value)| value);
        for expr in std::iter::once(&guard).chain(values) {
            expr.leaves(&mut |leaf| match leaf {
                Leaf::Var(v) => reads.push(*v),
                Leaf::At(p, _) if *p != process => looks_at.push(*p),
                Leaf::At(..) | Leaf::Pick(_) => {}
            });
        }
        reads.sort();
        reads.dedup();
        looks_at.sort();
        looks_at.dedup();
        Step {
            process,
            from: edge.from,
            to: edge.to,
            guard,
            updates,
            forced: edge.kind.is_forced(),
            fault: edge.injection().is_some(),
            is_plain: edge.picks.is_empty() && !edge.events.iter().any(fails),
            reads,
            looks_at,
        }
    }

    /// The variables it writes.
    pub fn writes(&self) -> impl Iterator<Item = VarId> {
        self.updates.iter().map(|(var, _)| *var)
    }

    /// Whether its guard chooses among the values of its picks.
    pub fn is_picky(&self) -> bool {
        let mut picks = false;
        self.guard
            .leaves(&mut |leaf| picks |= matches!(leaf, Leaf::Pick(_)));
        picks
    }

    /// Whether it can be taken at all while another process is somewhere.
    pub fn is_possible_while(&self, process: ProcessId, at: LocId) -> bool {
        if !self.looks_at.contains(&process) {
            return true;
        }
        !knowing_at(&self.guard, process, at).is_no()
    }
}

/// All steps, by process and in the order of its edges, and who touches what.
pub struct Steps {
    /// The steps of each process.
    pub of: Vec<Vec<Step>>,
    /// For each variable the steps that write it.
    writers: Vec<Vec<(u32, u32)>>,
    /// For each variable the steps that read it.
    readers: Vec<Vec<(u32, u32)>>,
    /// For each process the steps of others that look where it is.
    watchers: Vec<Vec<(u32, u32)>>,
}

impl Steps {
    /// Those of a System.
    pub fn new(system: &System) -> Steps {
        let mut steps = Steps {
            of: Vec::new(),
            writers: vec![Vec::new(); system.vars.len()],
            readers: vec![Vec::new(); system.vars.len()],
            watchers: vec![Vec::new(); system.processes.len()],
        };
        for (id, process) in system.processes() {
            let own: Vec<Step> = process
                .edges
                .iter()
                .map(|edge| Step::new(system, id, edge))
                .collect();
            for (index, step) in own.iter().enumerate() {
                let place = (id.0, index as u32);
                step.writes()
                    .for_each(|v| steps.writers[v.0 as usize].push(place));
                for v in &step.reads {
                    steps.readers[v.0 as usize].push(place);
                }
                for p in &step.looks_at {
                    steps.watchers[p.0 as usize].push(place);
                }
            }
            steps.of.push(own);
        }
        steps
    }

    /// Whether only steps of a process write a variable.
    pub fn is_written_only_by(&self, var: VarId, process: ProcessId) -> bool {
        self.writers[var.0 as usize]
            .iter()
            .all(|(p, _)| *p == process.0)
    }

    /// Those that can stand in for a step: others of its process, from and to the same locations.
    pub fn siblings(&self, step: &Step, by_faults: bool) -> Vec<&Step> {
        let fits = |other: &&Step| {
            let other: &Step = other;
            !std::ptr::eq(other, step)
                && (other.from, other.to) == (step.from, step.to)
                && other.is_plain
                && (step.fault || !other.fault || !by_faults)
        };
        match step.is_plain {
            true => self.of[step.process.0 as usize]
                .iter()
                .filter(fits)
                .collect(),
            false => Vec::new(),
        }
    }

    /// The parts of a step's guard that others write to and that no other process can make false.
    pub fn lasting(&self, system: &System, step: &Step, work: &mut u64) -> Vec<Expr> {
        let mut lasting = Vec::new();
        for part in parts(&step.guard) {
            let (mut vars, mut is_stored) = (Vec::new(), true);
            part.leaves(&mut |leaf| match leaf {
                Leaf::Var(v) => vars.push(*v),
                Leaf::At(..) | Leaf::Pick(_) => is_stored = false,
            });
            let writers = vars.iter().flat_map(|v| &self.writers[v.0 as usize]);
            let mut others: Vec<_> = writers.filter(|(p, _)| *p != step.process.0).collect();
            others.sort_unstable();
            others.dedup();
            let keeps = |(p, index): &&(u32, u32)| {
                keeps(system, &self.of[*p as usize][*index as usize], part, work)
            };
            if is_stored && !others.is_empty() && others.iter().all(keeps) {
                lasting.push(part.clone());
            }
        }
        lasting
    }

    /// The steps of other processes that may get in the way of a step, or it in theirs, in order.
    pub fn neighbours(&self, step: &Step) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = self.watchers[step.process.0 as usize].clone();
        for var in step.writes() {
            found.extend(&self.writers[var.0 as usize]);
            found.extend(&self.readers[var.0 as usize]);
        }
        for var in &step.reads {
            found.extend(&self.writers[var.0 as usize]);
        }
        for p in &step.looks_at {
            let count = self.of[p.0 as usize].len() as u32;
            found.extend((0..count).map(|index| (p.0, index)));
        }
        found.retain(|(p, _)| *p != step.process.0);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The steps of others that are impossible while a process is somewhere, in order.
    pub fn impossible_while(&self, process: ProcessId, at: LocId) -> Vec<(u32, u32)> {
        let watchers = self.watchers[process.0 as usize].iter().copied();
        let mut found: Vec<(u32, u32)> = watchers
            .filter(|(p, index)| {
                !self.of[*p as usize][*index as usize].is_possible_while(process, at)
            })
            .collect();
        found.sort_unstable();
        found
    }
}
