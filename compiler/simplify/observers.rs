//! What others can tell about a process: the expressions of other processes and of the properties that read its
//! variables or its location.

use indexmap::IndexSet;

use super::leaves::{Writer, at, inline, reads, spec_exprs, timeliness};
use crate::graph::LocationKind;
use crate::weave::{Edge, Expr, Leaf, LocId, ProcessId, System, VarId};

/// What others read of one process.
pub(super) struct Observers {
    process: ProcessId,
    /// Everything that others evaluate and that depends on the process, derived variables replaced by their
    /// definitions.
    exprs: Vec<Expr>,
    /// The variables that others read themselves, not through a derived variable.
    direct: IndexSet<VarId>,
}

impl Observers {
    /// What the other processes, the properties and the assumptions read of a process, and what deadlock freedom asks
    /// about it.
    pub(super) fn of(system: &System, process: ProcessId, writers: &[Writer]) -> Observers {
        let mut found: IndexSet<&Expr> = IndexSet::new();
        for (id, p) in system.processes() {
            if id == process {
                continue;
            }
            for edge in &p.edges {
                found.insert(&edge.guard);
                found.extend(edge.updates.iter().map(|(_, value)| value));
                found.extend(timeliness(edge));
            }
        }
        spec_exprs(system, &mut |e| {
            found.insert(e);
        });
        let mut direct = IndexSet::new();
        for expr in &found {
            reads(expr, &mut direct);
        }
        let mut exprs: IndexSet<Expr> = found.into_iter().map(|e| inline(system, e)).collect();
        exprs.extend(ends(system, process));
        let depends = |expr: &Expr| {
            let mut found = false;
            expr.leaves(&mut |leaf| {
                found |= match leaf {
                    Leaf::Var(v) => writers[v.0 as usize] == Writer::Only(process),
                    Leaf::At(p, _) => *p == process,
                    Leaf::Pick(_) => false,
                };
            });
            found
        };
        exprs.retain(depends);
        Observers {
            process,
            exprs: exprs.into_iter().collect(),
            direct,
        }
    }

    /// The variables that others may read while the process is at a location.
    pub(super) fn read_at(&self, location: LocId) -> IndexSet<VarId> {
        let mut found = self.direct.clone();
        for expr in &self.exprs {
            reads(&at(expr, self.process, location), &mut found);
        }
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
