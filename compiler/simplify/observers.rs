//! What others can tell about a process: the expressions of other processes and of the properties that read its
//! variables or its location.

use std::collections::BTreeMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHasher};

use super::leaves::{Writer, at, reads, spec_exprs, timeliness};
use crate::system::LocationKind;
use crate::system::expr::{List, Replaced, Seen, Shared};
use crate::system::predicates::inline_in;
use crate::system::{Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// What everybody reads of everybody else.
pub(super) struct Readings {
    /// For each process what is read of it, by whom.
    of: Vec<BTreeMap<Reader, Read>>,
    /// For each process whom it reads.
    by: Vec<Vec<usize>>,
}

/// What somebody reads of a process.
#[derive(Default)]
struct Read {
    /// What depends on the process, derived variables replaced by their definitions.
    exprs: Vec<Rc<Expr>>,
    /// Those of its variables that are read themselves, not through a derived variable.
    direct: Vec<VarId>,
}

/// Who reads: a process, or the properties and assumptions if none.
type Reader = Option<ProcessId>;

impl Readings {
    /// Those in a System.
    pub(super) fn of(system: &System, writers: &[Writer]) -> Readings {
        let mut readings = Readings {
            of: system.processes.iter().map(|_| BTreeMap::new()).collect(),
            by: vec![Vec::new(); system.processes.len()],
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
        for read in std::mem::take(&mut self.by[process.0 as usize]) {
            self.of[read].remove(&Some(process));
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
        let mut vars = IndexSet::new();
        let mut seen = Seen::default();
        for expr in exprs {
            expr.leaves_in(&mut seen, &mut |leaf| {
                if let Leaf::Var(v) = leaf {
                    vars.insert(*v);
                }
            });
        }
        for var in vars {
            if let Writer::Only(p) = writers[var.0 as usize]
                && reader != Some(p)
            {
                self.read(p, reader).direct.push(var);
            }
        }
        let mut memo = Replaced::default();
        let mut whom = Whom {
            writers,
            known: FxHashMap::default(),
        };
        let exprs = exprs.iter().map(|e| inline_in(system, e, &mut memo));
        // All of them stay until the end, so that no other comes to be where they were.
        let exprs: Vec<Rc<Expr>> = exprs.map(Rc::new).collect();
        for expr in &exprs {
            let about = whom.is_read(expr);
            for p in about.iter().filter(|p| reader != Some(**p)) {
                self.read(*p, reader).exprs.push(Rc::clone(expr));
            }
        }
    }

    /// What somebody reads of a process.
    fn read(&mut self, process: ProcessId, reader: Reader) -> &mut Read {
        let index = process.0 as usize;
        let known = self.of[index].contains_key(&reader);
        if let (Some(reader), false) = (reader, known) {
            self.by[reader.0 as usize].push(index);
        }
        self.of[index].entry(reader).or_default()
    }
}

/// Which processes expressions are about.
struct Whom<'a> {
    writers: &'a [Writer],
    /// Those that shared parts are about.
    known: FxHashMap<usize, Rc<[ProcessId]>>,
}

impl Whom<'_> {
    /// The processes whose variables or locations an expression reads, in order.
    fn is_read(&mut self, expr: &Expr) -> Rc<[ProcessId]> {
        let mut found = Vec::new();
        match expr {
            Expr::Const(_) => {}
            Expr::Leaf(leaf) => found.extend(self.process(leaf)),
            Expr::Not(e) | Expr::Neg(e) => return self.part(e),
            Expr::And(parts) | Expr::Or(parts) => return self.parts(parts),
            Expr::Binary(_, a, b) => {
                found.extend_from_slice(&self.part(a));
                found.extend_from_slice(&self.part(b));
            }
            Expr::If(c, a, b) => {
                for e in [c, a, b] {
                    found.extend_from_slice(&self.part(e));
                }
            }
            Expr::Select(index, items) => {
                found.extend_from_slice(&self.part(index));
                found.extend_from_slice(&self.parts(items));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    fn process(&self, leaf: &Leaf) -> Option<ProcessId> {
        match leaf {
            Leaf::Var(v) => match self.writers[v.0 as usize] {
                Writer::Only(p) => Some(p),
                Writer::Nobody | Writer::Several => None,
            },
            Leaf::At(p, _) => Some(*p),
            Leaf::Pick(_) => None,
        }
    }

    fn part(&mut self, part: &Shared<Leaf>) -> Rc<[ProcessId]> {
        if let Some(known) = self.known.get(&part.place()) {
            return Rc::clone(known);
        }
        let found = self.is_read(part);
        self.known.insert(part.place(), Rc::clone(&found));
        found
    }

    fn parts(&mut self, parts: &List<Leaf>) -> Rc<[ProcessId]> {
        if let Some(known) = self.known.get(&parts.place()) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        for part in parts {
            match part {
                Expr::Const(_) => {}
                Expr::Leaf(leaf) => found.extend(self.process(leaf)),
                part => found.extend_from_slice(&self.is_read(part)),
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[ProcessId]> = found.into();
        self.known.insert(parts.place(), Rc::clone(&found));
        found
    }
}

/// A set that keeps its order, and is quick.
type FxIndexSet<T> = IndexSet<T, BuildHasherDefault<FxHasher>>;

/// What others read of one process.
pub(super) struct Observers {
    process: ProcessId,
    /// Everything that others evaluate and that depends on the process, derived variables replaced by their
    /// definitions.
    exprs: Vec<Rc<Expr>>,
    /// Those that ask where the process is.
    located: Vec<usize>,
    /// Those that read a variable of the process.
    reading: IndexMap<VarId, Vec<usize>>,
    /// The variables of the process that others read wherever it is.
    everywhere: IndexSet<VarId>,
}

impl Observers {
    /// What the other processes, the properties and the assumptions read of a process, and what deadlock freedom asks
    /// about it.
    pub(super) fn of(
        system: &System,
        process: ProcessId,
        writers: &[Writer],
        readings: &Readings,
    ) -> Observers {
        let read = || readings.of[process.0 as usize].values();
        let exprs = read().flat_map(|read| read.exprs.iter().cloned());
        let mut exprs: FxIndexSet<Rc<Expr>> = exprs.collect();
        let ends = ends(system, process).into_iter();
        exprs.extend(ends.filter(|e| is_located(e, process)).map(Rc::new));
        let own = |v: &VarId| writers[v.0 as usize] == Writer::Only(process);
        let mut observers = Observers {
            process,
            exprs: exprs.into_iter().collect(),
            located: Vec::new(),
            reading: IndexMap::new(),
            everywhere: read()
                .flat_map(|read| read.direct.iter().copied())
                .collect(),
        };
        for (index, expr) in observers.exprs.iter().enumerate() {
            let mut vars = IndexSet::new();
            reads(expr, &mut vars);
            vars.retain(own);
            if is_located(expr, process) {
                observers.located.push(index);
            } else {
                observers.everywhere.extend(vars.iter().copied());
            }
            for var in vars {
                observers.reading.entry(var).or_default().push(index);
            }
        }
        observers.everywhere.retain(own);
        observers
    }

    /// The variables that others may read while the process is at a location; those of other processes may be among them.
    pub(super) fn read_at(&self, location: LocId) -> IndexSet<VarId> {
        let mut found = self.everywhere.clone();
        for index in &self.located {
            let expr = &self.exprs[*index];
            reads(&at(expr, self.process, location), &mut found);
        }
        found
    }

    /// Whether others cannot tell that the process takes an edge, given what variables are known to be before.
    pub(super) fn cannot_see(&self, edge: &Edge, known: impl Fn(VarId) -> Option<Expr>) -> bool {
        let before = |leaf: &Leaf| match leaf {
            Leaf::Var(v) => known(*v),
            _ => None,
        };
        let written: FxHashMap<VarId, &Expr> = edge.updates.iter().map(|(v, e)| (*v, e)).collect();
        let after = |leaf: &Leaf| match leaf {
            Leaf::Var(v) => match written.get(v) {
                Some(value) => Some(unpicked(value)),
                None => before(leaf),
            },
            _ => None,
        };
        // What neither asks where the process is nor reads what changes stays the same.
        let written = edge.updates.iter().filter_map(|(v, _)| self.reading.get(v));
        let mut asked: Vec<usize> = written.chain([&self.located]).flatten().copied().collect();
        asked.sort_unstable();
        asked.dedup();
        asked.into_iter().all(|index| {
            let expr = &self.exprs[index];
            let then = at(expr, self.process, edge.from).replace(&mut |l| before(l));
            let now = at(expr, self.process, edge.to).replace(&mut |l| after(l));
            then == now
        })
    }
}

/// Whether an expression asks where a process is.
fn is_located(expr: &Expr, process: ProcessId) -> bool {
    !expr.all_leaves(&mut |leaf| !matches!(leaf, Leaf::At(p, _) if *p == process))
}

/// An update that has picks of its own must not be taken for one with an observer's pick of the same number.
fn unpicked(value: &Expr) -> Expr {
    value.replace(&mut |leaf| match leaf {
        Leaf::Pick(i) => Some(Expr::Leaf(Leaf::Pick(u32::MAX - i))),
        _ => None,
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
    let excuses = |l: LocId| l == p.failed || (p.recovers && Some(l) == p.crashed);
    [system.at(process, waits), system.at(process, excuses)]
}
