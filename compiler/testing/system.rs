//! Random Systems: finite, small, and with everything an engine has to cope with.

use super::random::Random;
use crate::source::{FileId, Span};
use crate::system::Fault;
use crate::system::expr::Scalar;
use crate::system::{
    Check, Domain, Edge, EdgeKind, Event, Expr, Leaf, LocId, Location, LocationKind, Op, Owner,
    Process, Property, PropertyKind, System, Var, VarId,
};
use crate::vocabulary::{DataId, DataType, FaultId, LabelId, ProcessId};

/// How large a random System is; every number is the most there may be.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Processes, at least 1.
    pub processes: usize,
    /// Stored variables, at least 1.
    pub vars: usize,
    /// Derived variables.
    pub derived: usize,
    /// Locations of a process where a statement begins, at least 1.
    pub locations: usize,
    /// Edges out of a location.
    pub edges: usize,
    /// Values of an integer variable, at least 1.
    pub values: i64,
    /// Invariants, and as many `reachable`.
    pub specs: usize,
    /// Whether there are faults.
    pub faults: bool,
    /// Whether edges have picks.
    pub picks: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            processes: 3,
            vars: 5,
            derived: 2,
            locations: 4,
            edges: 3,
            values: 4,
            specs: 3,
            faults: true,
            picks: true,
        }
    }
}

/// The System of a seed: at most some thousand states.
pub fn random_system(seed: u64) -> System {
    random_system_of(seed, Shape::default())
}

/// The System of a seed and a shape.
pub fn random_system_of(seed: u64, shape: Shape) -> System {
    let mut random = Random::new(seed);
    let mut maker = Maker {
        processes: 1 + random
            .below(shape.processes)
            .max(random.below(shape.processes)),
        random,
        shape,
        system: System::default(),
        at: Vec::new(),
    };
    maker.data();
    maker.vars();
    maker.processes();
    maker.properties();
    maker.system
}

/// Lets fault edges say that they inject faults, as woven ones do.
pub fn tell_faults(system: &mut System) {
    let edges = system.processes.iter_mut().flat_map(|p| &mut p.edges);
    for edge in edges {
        if let EdgeKind::Fault(fault) = edge.kind
            && !edge.events.contains(&Event::Injected(fault))
        {
            edge.events.push(Event::Injected(fault));
        }
    }
}

/// Some place in a source text.
pub fn span() -> Span {
    Span::new(FileId(0), 0, 0)
}

struct Maker {
    random: Random,
    shape: Shape,
    system: System,
    processes: usize,
    /// How many locations each process has.
    at: Vec<u32>,
}

impl Maker {
    fn data(&mut self) {
        for d in 0..2 {
            let count = 1 + self.random.below(4);
            self.system.data.push(DataType {
                name: format!("D{d}"),
                constructors: (0..count).map(|c| format!("C{d}{c}")).collect(),
                span: span(),
            });
        }
    }

    fn vars(&mut self) {
        let stored = 1 + self
            .random
            .below(self.shape.vars)
            .max(self.random.below(self.shape.vars));
        for v in 0..stored {
            let domain = self.domain();
            let (lo, hi) = domain.bounds();
            let init = self.random.between(lo, hi);
            self.var(format!("x{v}"), domain, init, None);
        }
        for v in 0..self.random.below(self.shape.derived + 1) {
            let domain = self.domain();
            let expr = self.fitting(domain, &[], 2);
            let mut values = Vec::new();
            values.extend(self.system.vars.iter().map(|v| v.init));
            let init = expr.eval(&|leaf| match leaf {
                Leaf::Var(v) => values[v.0 as usize],
                _ => unreachable!("there are no processes yet"),
            });
            self.var(format!("d{v}"), domain, init, Some(expr));
        }
    }

    fn var(&mut self, name: String, domain: Domain, init: i64, derived: Option<Expr>) {
        let owner = Owner::Process(ProcessId(self.random.below(self.processes) as u32));
        self.system.vars.push(Var {
            name,
            owner,
            domain,
            init,
            derived,
            hidden: false,
        });
    }

    fn domain(&mut self) -> Domain {
        match self.random.below(4) {
            0 => Domain::Bool,
            1 => {
                let data = self.random.below(self.system.data.len());
                Domain::Data {
                    data: DataId(data as u32),
                    count: self.system.data[data].constructors.len() as u32,
                }
            }
            _ => {
                let lo = self.random.between(-3, 2);
                let hi = lo + self.random.between(0, self.shape.values - 1);
                Domain::Int { lo, hi }
            }
        }
    }

    fn processes(&mut self) {
        // Sizes first, so that every process can be asked about by every other.
        for _ in 0..self.processes {
            let statements = 1 + self
                .random
                .below(self.shape.locations)
                .max(self.random.below(self.shape.locations));
            self.at.push(statements as u32 + 3);
        }
        for p in 0..self.processes {
            let process = self.process(ProcessId(p as u32));
            self.system.processes.push(process);
        }
    }

    fn process(&mut self, id: ProcessId) -> Process {
        let statements = self.at[id.0 as usize] - 3;
        let [done, failed, crashed] = [0, 1, 2].map(|k| LocId(statements + k));
        let crashes = self.shape.faults && self.random.chance(1, 2);
        let recovers = crashes && self.random.chance(1, 2);
        let location = |kind, labels| Location {
            kind,
            labels,
            span: span(),
        };
        let mut locations: Vec<Location> = (0..statements)
            .map(|l| {
                let inside = l > 0 && self.random.chance(1, 4);
                let labels = match self.random.below(6) {
                    0 => vec![LabelId(0)],
                    1 => vec![LabelId(1)],
                    _ => Vec::new(),
                };
                let kind = if inside {
                    LocationKind::Inside
                } else {
                    LocationKind::Statement
                };
                location(kind, labels)
            })
            .collect();
        locations.push(location(LocationKind::Done, Vec::new()));
        locations.push(location(LocationKind::Failed, Vec::new()));
        locations.push(location(LocationKind::Crashed, Vec::new()));
        let mut edges = Vec::new();
        for from in 0..statements {
            let none = self.random.chance(1, 10);
            for _ in 0..if none {
                0
            } else {
                1 + self.random.below(self.shape.edges)
            } {
                let to = self.target(from, statements);
                let kind = match self.random.below(5) {
                    0 => EdgeKind::Timeout,
                    _ => EdgeKind::Normal,
                };
                edges.push(self.edge(LocId(from), to, kind));
            }
        }
        if self.random.chance(1, 3) && !edges.is_empty() {
            let check = *self.random.choose(&Check::ALL);
            let from = self.random.choose(&edges).from;
            let mut edge = self.edge(from, failed, EdgeKind::Normal);
            edge.updates.clear();
            edge.events.push(Event::Failed(check));
            if self.shape.faults && self.random.chance(1, 3) {
                edge.kind = EdgeKind::Fault(self.fault(id, "shutdown"));
            }
            edges.push(edge);
        }
        if crashes {
            let kind = if recovers { "restart" } else { "shutdown" };
            let fault = self.fault(id, kind);
            for from in (0..statements).map(LocId) {
                if locations[from.0 as usize].kind == LocationKind::Statement {
                    let mut edge = self.edge(from, crashed, EdgeKind::Fault(fault));
                    edge.updates.clear();
                    edges.push(edge);
                }
            }
            if recovers {
                edges.push(self.edge(crashed, LocId(0), EdgeKind::Recovery(fault)));
            }
        }
        if self.shape.faults && self.random.chance(1, 3) {
            let fault = self.fault(id, "shutdown");
            let from = LocId(self.random.below(statements as usize) as u32);
            let to = LocId(self.random.below(statements as usize + 1) as u32);
            edges.push(self.edge(from, to, EdgeKind::Fault(fault)));
        }
        Process {
            name: format!("p{}", id.0),
            proc_name: format!("P{}", id.0),
            locations,
            edges,
            initial: LocId(0),
            done,
            failed,
            crashed: Some(crashed),
            recovers,
            labels: vec!["end_here".into(), "here".into()],
            span: span(),
        }
    }

    /// Somewhere in a body, more often forwards than not, seldom at its end.
    fn target(&mut self, from: u32, statements: u32) -> LocId {
        LocId(match self.random.below(4) {
            0 => self.random.below(statements as usize + 1) as u32,
            1 if self.random.chance(1, 3) => from,
            _ => (from + 1) % statements,
        })
    }

    fn fault(&mut self, process: ProcessId, marker: &str) -> FaultId {
        self.system.faults.push(Fault {
            phase: None,
            always: false,
            name: format!("p{}@{marker}", process.0),
            span: span(),
        });
        FaultId(self.system.faults.len() as u32 - 1)
    }

    fn edge(&mut self, from: LocId, to: LocId, kind: EdgeKind) -> Edge {
        let picks: Vec<Domain> = match self.random.below(6) {
            0 if self.shape.picks => (0..1 + self.random.below(2))
                .map(|_| self.domain())
                .collect(),
            _ => Vec::new(),
        };
        let guard = if self.random.chance(1, 2) {
            Expr::yes()
        } else {
            self.condition(&picks, 2)
        };
        let stored: Vec<usize> = (0..self.system.vars.len())
            .filter(|v| self.system.vars[*v].derived.is_none())
            .collect();
        let mut updates: Vec<(VarId, Expr)> = Vec::new();
        for _ in 0..self.random.below(4) {
            let var = *self.random.choose(&stored);
            let id = VarId(var as u32);
            if updates.iter().all(|(v, _)| *v != id) {
                let value = self.fitting(self.system.vars[var].domain, &picks, 2);
                updates.push((id, value));
            }
        }
        let events = updates.iter().map(|(v, _)| Event::Wrote(*v)).collect();
        Edge {
            from,
            to,
            guard,
            picks,
            updates,
            kind,
            events,
            span: span(),
        }
    }

    /// An expression whose value is in a domain.
    fn fitting(&mut self, domain: Domain, picks: &[Domain], depth: usize) -> Expr {
        let (lo, hi) = domain.bounds();
        let constant = |code: i64| Expr::Const(domain.scalar(code));
        match domain {
            _ if self.random.chance(1, 3) => constant(self.random.between(lo, hi)),
            Domain::Bool => self.condition(picks, depth),
            Domain::Data { .. } => {
                let leaves: Vec<Expr> = self.leaves(picks, |d| d == domain);
                match self.random.below(3) {
                    0 if depth > 0 => {
                        let index = self.number(picks, depth - 1);
                        let items = (0..1 + self.random.below(3))
                            .map(|_| self.fitting(domain, picks, depth - 1))
                            .collect();
                        Expr::select(index, items)
                    }
                    1 if depth > 0 => Expr::ite(
                        self.condition(picks, depth - 1),
                        self.fitting(domain, picks, depth - 1),
                        self.fitting(domain, picks, depth - 1),
                    ),
                    _ if leaves.is_empty() => constant(self.random.between(lo, hi)),
                    _ => self.random.choose(&leaves).clone(),
                }
            }
            Domain::Int { .. } => {
                let value = self.number(picks, depth);
                let (least, greatest) = value.bounds(&|leaf| self.bounds(leaf, picks));
                if lo <= least && greatest <= hi {
                    return value;
                }
                let low = Expr::binary(Op::Lt, value.clone(), constant(lo));
                let high = Expr::binary(Op::Gt, value.clone(), constant(hi));
                Expr::ite(low, constant(lo), Expr::ite(high, constant(hi), value))
            }
        }
    }

    fn bounds(&self, leaf: &Leaf, picks: &[Domain]) -> (i64, i64) {
        match leaf {
            Leaf::Var(v) => self.system.var(*v).domain.bounds(),
            Leaf::Pick(i) => picks[*i as usize].bounds(),
            Leaf::At(..) => (0, 1),
        }
    }

    fn leaves(&self, picks: &[Domain], fits: impl Fn(Domain) -> bool) -> Vec<Expr> {
        // A derived variable reads stored ones only: while there are no processes derived ones are made.
        let making_derived = self.at.is_empty();
        let vars = self.system.vars.iter().enumerate().filter_map(|(i, v)| {
            let usable = fits(v.domain) && !(making_derived && v.derived.is_some());
            usable.then_some(Expr::Leaf(Leaf::Var(VarId(i as u32))))
        });
        let picks = picks.iter().enumerate();
        let picks = picks.filter(|(_, d)| fits(**d));
        vars.chain(picks.map(|(i, _)| Expr::Leaf(Leaf::Pick(i as u32))))
            .collect()
    }

    /// An integer expression.
    fn number(&mut self, picks: &[Domain], depth: usize) -> Expr {
        let leaves = self.leaves(picks, |d| matches!(d, Domain::Int { .. }));
        let shape = self.random.below(if depth == 0 { 3 } else { 9 });
        match shape {
            0 => Expr::int(self.random.between(-3, 5)),
            1 | 2 if leaves.is_empty() => Expr::int(self.random.between(-1, 1)),
            1 | 2 => self.random.choose(&leaves).clone(),
            3 => self.number(picks, depth - 1).negated(),
            4 => Expr::ite(
                self.condition(picks, depth - 1),
                self.number(picks, depth - 1),
                self.number(picks, depth - 1),
            ),
            5 => {
                let index = self.number(picks, depth - 1);
                let items = (0..1 + self.random.below(3))
                    .map(|_| self.number(picks, depth - 1))
                    .collect();
                Expr::select(index, items)
            }
            _ => {
                let op =
                    *self
                        .random
                        .choose(&[Op::Add, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem]);
                let a = self.number(picks, depth - 1);
                Expr::binary(op, a, self.number(picks, depth - 1))
            }
        }
    }

    /// A boolean expression.
    pub fn condition(&mut self, picks: &[Domain], depth: usize) -> Expr {
        let booleans = self.leaves(picks, |d| d == Domain::Bool);
        let some = |random: &mut Random| 1 + random.below(3);
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0 if !booleans.is_empty() => self.random.choose(&booleans).clone(),
            1 if !self.at.is_empty() => {
                let process = self.random.below(self.at.len());
                let count = self.at[process];
                let mut at: Vec<LocId> = (0..count).map(LocId).collect();
                at.retain(|_| self.random.chance(1, 3));
                if at.is_empty() {
                    at.push(LocId(self.random.below(count as usize) as u32));
                }
                Expr::Leaf(Leaf::At(ProcessId(process as u32), at))
            }
            2 => {
                let data = self.leaves(picks, |d| matches!(d, Domain::Data { .. }));
                if data.is_empty() {
                    return self.comparison(picks, depth);
                }
                let a = self.random.choose(&data).clone();
                let Expr::Leaf(leaf) = &a else {
                    unreachable!("leaves are leaves")
                };
                let domain = match leaf {
                    Leaf::Var(v) => self.system.var(*v).domain,
                    Leaf::Pick(i) => picks[*i as usize],
                    Leaf::At(..) => unreachable!("no data"),
                };
                let op = *self.random.choose(&[Op::Eq, Op::Ne]);
                let b = self.fitting(domain, picks, 0);
                Expr::binary(op, a, b)
            }
            5 => self.condition(picks, depth - 1).not(),
            6 => Expr::and(
                (0..some(&mut self.random))
                    .map(|_| self.condition(picks, depth - 1))
                    .collect::<Vec<_>>(),
            ),
            7 => Expr::or(
                (0..some(&mut self.random))
                    .map(|_| self.condition(picks, depth - 1))
                    .collect::<Vec<_>>(),
            ),
            _ => self.comparison(picks, depth),
        }
    }

    fn comparison(&mut self, picks: &[Domain], depth: usize) -> Expr {
        let ops = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];
        let op = *self.random.choose(&ops);
        let a = self.number(picks, depth.saturating_sub(1));
        let b = match self.random.below(2) {
            0 => Expr::Const(Scalar::Int(self.random.between(-2, 4))),
            _ => self.number(picks, depth.saturating_sub(1)),
        };
        Expr::binary(op, a, b)
    }

    fn properties(&mut self) {
        let mut add = |name: String, kind| {
            self.system.properties.push(Property {
                form: None,
                name,
                kind,
                tolerant: None,
                span: None,
            });
        };
        add("deadlock".into(), PropertyKind::Deadlock);
        for check in Check::ALL {
            add(check.as_str().into(), PropertyKind::Check(check));
        }
        for i in 1..=self.random.below(self.shape.specs + 1) {
            let [a, b] = [0, 1].map(|_| self.condition(&[], 3));
            for (name, kind) in [
                (format!("invariant_{i}"), PropertyKind::Invariant(a.not())),
                (format!("reachable_{i}"), PropertyKind::Reachable(b)),
            ] {
                self.system.properties.push(Property {
                    form: None,
                    name,
                    kind,
                    tolerant: None,
                    span: Some(span()),
                });
            }
        }
    }
}

/// A state formula over the variables and locations of a System.
pub fn random_condition(system: &System, seed: u64) -> Expr {
    let mut maker = Maker {
        random: Random::new(seed),
        shape: Shape::default(),
        system: system.clone(),
        processes: system.processes.len(),
        at: system
            .processes
            .iter()
            .map(|p| p.locations.len() as u32)
            .collect(),
    };
    maker.condition(&[], 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::state;

    #[test]
    fn random_systems_keep_to_their_domains() {
        let mut sizes = Vec::new();
        for seed in 0..300 {
            let system = random_system(seed);
            assert_eq!(system, random_system(seed));
            let Some(states) = state::walk(&system, 20_000) else {
                continue;
            };
            sizes.push(states.len());
            for state in &states {
                for (value, var) in state.values.iter().zip(&system.vars) {
                    let (lo, hi) = var.domain.bounds();
                    assert!(lo <= *value && *value <= hi, "seed {seed}: {}", var.name);
                }
            }
        }
        // Neither trivial nor endless.
        sizes.sort_unstable();
        assert!(sizes.len() > 250, "{sizes:?}");
        assert!(sizes[sizes.len() / 2] > 20, "{sizes:?}");
    }
}
