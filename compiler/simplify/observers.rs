//! What others can tell about a process: the expressions of other processes and of the properties that read its
//! variables or its location.

use std::hash::BuildHasherDefault;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::leaves::{Writer, at, inline, reads, spec_exprs, timeliness};
use crate::system::LocationKind;
use crate::system::{Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// What everybody reads of everybody else.
pub(super) struct Readings {
    /// For each process what others evaluate and that depends on it, derived variables replaced by their definitions,
    /// each with who does.
    exprs: Vec<Vec<(Reader, Expr)>>,
    /// For each process those of its variables that others read themselves, not through a derived variable.
    direct: Vec<Vec<(Reader, VarId)>>,
}

/// Who reads: a process, or the properties and assumptions if none.
type Reader = Option<ProcessId>;

impl Readings {
    /// Those in a System.
    pub(super) fn of(system: &System, writers: &[Writer]) -> Readings {
        let mut readings = Readings {
            exprs: vec![Vec::new(); system.processes.len()],
            direct: vec![Vec::new(); system.processes.len()],
        };
        let mut specs: FxIndexSet<&Expr> = FxIndexSet::default();
        spec_exprs(system, &mut |e| {
            specs.insert(e);
        });
        readings.add(system, writers, None, &specs);
        for (id, _) in system.processes() {
            readings.add_process(system, writers, id);
        }
        readings
    }

    /// Looks again at what a process reads, after its edges have changed.
    pub(super) fn update(&mut self, system: &System, writers: &[Writer], process: ProcessId) {
        for exprs in &mut self.exprs {
            exprs.retain(|(reader, _)| *reader != Some(process));
        }
        for vars in &mut self.direct {
            vars.retain(|(reader, _)| *reader != Some(process));
        }
        self.add_process(system, writers, process);
    }

    fn add_process(&mut self, system: &System, writers: &[Writer], process: ProcessId) {
        let mut found: FxIndexSet<&Expr> = FxIndexSet::default();
        for edge in &system.process(process).edges {
            found.insert(&edge.guard);
            found.extend(edge.updates.iter().map(|(_, value)| value));
            found.extend(timeliness(edge));
        }
        self.add(system, writers, Some(process), &found);
    }

    fn add(
        &mut self,
        system: &System,
        writers: &[Writer],
        reader: Reader,
        exprs: &FxIndexSet<&Expr>,
    ) {
        for expr in exprs {
            let mut vars = IndexSet::new();
            reads(expr, &mut vars);
            for var in vars {
                if let Writer::Only(p) = writers[var.0 as usize]
                    && reader != Some(p)
                {
                    self.direct[p.0 as usize].push((reader, var));
                }
            }
            let expr = inline(system, expr);
            let mut about: Vec<ProcessId> = Vec::new();
            expr.leaves(&mut |leaf| match leaf {
                Leaf::Var(v) => match writers[v.0 as usize] {
                    Writer::Only(p) => about.push(p),
                    Writer::Nobody | Writer::Several => {}
                },
                Leaf::At(p, _) => about.push(*p),
                Leaf::Pick(_) => {}
            });
            about.sort();
            about.dedup();
            for p in about.into_iter().filter(|p| reader != Some(*p)) {
                self.exprs[p.0 as usize].push((reader, expr.clone()));
            }
        }
    }
}

/// A set that keeps its order, and is quick.
type FxIndexSet<T> = IndexSet<T, BuildHasherDefault<FxHasher>>;

/// What others read of one process.
pub(super) struct Observers<'a> {
    process: ProcessId,
    writers: &'a [Writer],
    /// Everything that others evaluate and that depends on the process, derived variables replaced by their
    /// definitions.
    exprs: Vec<Expr>,
    /// The variables of the process that others read themselves, not through a derived variable.
    direct: IndexSet<VarId>,
}

impl<'a> Observers<'a> {
    /// What the other processes, the properties and the assumptions read of a process, and what deadlock freedom asks
    /// about it.
    pub(super) fn of(
        system: &System,
        process: ProcessId,
        writers: &'a [Writer],
        readings: &Readings,
    ) -> Observers<'a> {
        let read = readings.exprs[process.0 as usize].iter();
        let mut exprs: FxIndexSet<Expr> = read.map(|(_, expr)| expr.clone()).collect();
        let about = |expr: &Expr| {
            let mut about = false;
            expr.leaves(&mut |leaf| about |= matches!(leaf, Leaf::At(..)));
            about
        };
        exprs.extend(ends(system, process).into_iter().filter(about));
        Observers {
            process,
            writers,
            exprs: exprs.into_iter().collect(),
            direct: readings.direct[process.0 as usize]
                .iter()
                .map(|(_, var)| *var)
                .collect(),
        }
    }

    /// The variables of the process that others may read while it is at a location.
    pub(super) fn read_at(&self, location: LocId) -> IndexSet<VarId> {
        let mut found = self.direct.clone();
        for expr in &self.exprs {
            reads(&at(expr, self.process, location), &mut found);
        }
        found.retain(|v| self.writers[v.0 as usize] == Writer::Only(self.process));
        found
    }

    /// Whether others cannot tell that the process takes an edge, given what variables are known to be before.
    pub(super) fn cannot_see(&self, edge: &Edge, known: impl Fn(VarId) -> Option<Expr>) -> bool {
        let before = |leaf: &Leaf| match leaf {
            Leaf::Var(v) => known(*v).unwrap_or_else(|| Expr::Leaf(leaf.clone())),
            _ => Expr::Leaf(leaf.clone()),
        };
        let after = |leaf: &Leaf| match leaf {
            Leaf::Var(v) => match edge.updates.iter().find(|(w, _)| w == v) {
                Some((_, value)) => unpicked(value),
                None => before(leaf),
            },
            _ => before(leaf),
        };
        self.exprs.iter().all(|expr| {
            let then = at(expr, self.process, edge.from).map(&mut |l| before(l));
            let now = at(expr, self.process, edge.to).map(&mut |l| after(l));
            then == now
        })
    }
}

/// An update that has picks of its own must not be taken for one with an observer's pick of the same number.
fn unpicked(value: &Expr) -> Expr {
    value.map(&mut |leaf| match leaf {
        Leaf::Pick(i) => Expr::Leaf(Leaf::Pick(u32::MAX - i)),
        _ => Expr::Leaf(leaf.clone()),
    })
}

/// What deadlock freedom asks about a process: whether it is stuck unless it can move, and whether it excuses the
/// others.
fn ends(system: &System, process: ProcessId) -> [Expr; 2] {
    let p = system.process(process);
    let waits = |l: LocId| {
        let location = &p.locations[l.0 as usize];
        let inside = matches!(
            location.kind,
            LocationKind::Statement | LocationKind::Inside
        );
        inside
            && !location.labels.iter().any(|label| {
                let name = &p.labels[label.0 as usize];
                name == "end" || name.starts_with("end_")
            })
    };
    let excuses = |l: LocId| l == p.failed || (p.restarts && Some(l) == p.crashed);
    [system.at(process, waits), system.at(process, excuses)]
}
