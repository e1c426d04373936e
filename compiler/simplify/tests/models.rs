//! Random Systems that look like models: processes with variables of their own, channels, loops, faults.

use crate::system::Fault;
use crate::system::{
    Check, Domain, Edge, EdgeKind, Event, Expr, Formula, Leaf, LocId, Location, LocationKind, Op,
    Owner, Process, Property, PropertyKind, System, Var, VarId,
};
use crate::testing::formulas::{random_ctl, random_formula};
use crate::testing::random::Random;
use crate::testing::system::span;
use crate::vocabulary::{FaultId, LabelId, ProcessId};

struct Channel {
    ready: VarId,
    received: VarId,
    value: VarId,
    drop: Option<FaultId>,
}

struct Maker {
    random: Random,
    system: System,
    channels: Vec<Channel>,
    shared: VarId,
    budget: Option<VarId>,
}

const SMALL: Domain = Domain::Int { lo: 0, hi: 2 };

fn read(var: VarId) -> Expr {
    Expr::Leaf(Leaf::Var(var))
}

/// The model of a seed.
pub fn random_model(seed: u64) -> System {
    let mut maker = Maker {
        random: Random::new(seed),
        system: System::default(),
        channels: Vec::new(),
        shared: VarId(0),
        budget: None,
    };
    maker.shared = maker.var("shared", Domain::Bool, 0, Owner::Process(ProcessId(0)));
    for c in 0..1 + maker.random.below(2) {
        maker.channel(c);
    }
    let count = 1 + maker.random.below(3).max(1);
    for p in 0..count {
        maker.process(ProcessId(p as u32));
    }
    maker.properties();
    maker.system
}

impl Maker {
    fn var(&mut self, name: &str, domain: Domain, init: i64, owner: Owner) -> VarId {
        self.system.vars.push(Var {
            name: name.into(),
            owner,
            domain,
            init,
            derived: None,
            hidden: false,
        });
        VarId(self.system.vars.len() as u32 - 1)
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

    fn channel(&mut self, index: usize) {
        let owner = Owner::Process(ProcessId(0));
        let ready = self.var(&format!("c{index}.ready"), Domain::Bool, 0, owner);
        let received = self.var(&format!("c{index}.received"), Domain::Bool, 0, owner);
        let value = self.var(&format!("c{index}.value"), SMALL, 0, owner);
        let drop = self
            .random
            .chance(1, 3)
            .then(|| self.fault(ProcessId(0), "drop"));
        self.channels.push(Channel {
            ready,
            received,
            value,
            drop,
        });
        if index == 0 && self.random.chance(1, 3) {
            let domain = Domain::Int { lo: 0, hi: 1 };
            self.budget = Some(self.var("used", domain, 0, Owner::Shared(0)));
        }
    }

    fn process(&mut self, id: ProcessId) {
        let statements = 2 + self.random.below(5) as u32;
        let owner = Owner::Process(id);
        let own: Vec<VarId> = (0..1 + self.random.below(2))
            .map(|v| {
                let init = self.random.between(0, 2);
                self.var(&format!("p{}.x{v}", id.0), SMALL, init, owner)
            })
            .collect();
        let mut body = Body {
            id,
            locations: Vec::new(),
            edges: Vec::new(),
            own: own.clone(),
        };
        for _ in 0..statements {
            let kind = if !body.locations.is_empty() && self.random.chance(1, 6) {
                LocationKind::Inside
            } else {
                LocationKind::Statement
            };
            body.location(kind, &mut self.random);
        }
        let done = body.location(LocationKind::Done, &mut self.random);
        let failed = body.location(LocationKind::Failed, &mut self.random);
        let crashes = self.random.chance(1, 3);
        let recovers = crashes && self.random.chance(1, 2);
        for l in 0..statements {
            let next = match self.random.below(5) {
                0 => LocId(self.random.below(statements as usize + 1) as u32),
                _ => LocId(l + 1),
            };
            let next = if next.0 == statements { done } else { next };
            self.statement(&mut body, LocId(l), next, failed, done);
        }
        let mut crashed = None;
        if crashes {
            let kind = if recovers { "restart" } else { "shutdown" };
            let fault = self.fault(id, kind);
            let to = body.location(LocationKind::Crashed, &mut self.random);
            crashed = Some(to);
            for l in 0..body.locations.len() {
                let kind = body.locations[l].kind;
                if kind == LocationKind::Statement || (recovers && kind == LocationKind::Done) {
                    let edge = body.edge(LocId(l as u32), to);
                    self.inject(edge, fault, Vec::new());
                }
            }
            if recovers {
                let durable = self.random.chance(1, 2);
                let reset = &own[usize::from(durable)..];
                let updates = reset
                    .iter()
                    .map(|v| (*v, Expr::int(self.system.var(*v).init)))
                    .collect();
                let edge = body.edge(to, LocId(0));
                edge.kind = EdgeKind::Recovery(fault);
                edge.updates = updates;
            }
        }
        self.system.processes.push(Process {
            name: format!("p{}", id.0),
            proc_name: "P".into(),
            locations: body.locations,
            edges: body.edges,
            initial: LocId(0),
            done,
            failed,
            crashed,
            recovers,
            labels: vec!["end".into(), "here".into()],
            span: span(),
        });
    }

    /// Makes an edge the injection of a fault.
    fn inject(&mut self, edge: &mut Edge, fault: FaultId, mut events: Vec<Event>) {
        events.push(Event::Injected(fault));
        edge.kind = EdgeKind::Fault(fault);
        edge.events = events;
        if let Some(used) = self.budget {
            let left = Expr::binary(Op::Lt, read(used), Expr::int(1));
            edge.guard = Expr::and([edge.guard.clone(), left]);
            let more = Expr::binary(Op::Add, read(used), Expr::int(1));
            edge.updates.push((used, more));
        }
    }

    fn value(&mut self, body: &Body) -> Expr {
        let v = read(*self.random.choose(&body.own));
        match self.random.below(4) {
            0 => v,
            1 => Expr::binary(
                Op::Rem,
                Expr::binary(Op::Add, v, Expr::int(1)),
                Expr::int(3),
            ),
            _ => Expr::int(self.random.between(0, 2)),
        }
    }

    fn condition(&mut self, body: &Body) -> Expr {
        let v = read(*self.random.choose(&body.own));
        let k = Expr::int(self.random.between(0, 2));
        let op = *self.random.choose(&[Op::Eq, Op::Lt, Op::Ge]);
        Expr::binary(op, v, k)
    }

    fn statement(&mut self, body: &mut Body, from: LocId, to: LocId, failed: LocId, done: LocId) {
        let target = *self.random.choose(&body.own);
        match self.random.below(12) {
            0..=2 => {
                let value = self.value(body);
                body.edge(from, to).updates = vec![(target, value)];
            }
            3 => {
                let edge = body.edge(from, to);
                edge.picks = vec![SMALL];
                edge.updates = vec![(target, Expr::Leaf(Leaf::Pick(0)))];
            }
            4 | 5 => {
                let c = self.condition(body);
                let other = self.random.below(from.0 as usize + 2) as u32;
                let other = if self.random.chance(1, 4) {
                    done
                } else {
                    LocId(other)
                };
                body.edge(from, to).guard = c.clone();
                body.edge(from, other).guard = c.not();
            }
            6 => {
                let other = LocId(self.random.below(from.0 as usize + 2) as u32);
                body.edge(from, to).events = vec![Event::Chose(0)];
                body.edge(from, other).events = vec![Event::Chose(1)];
            }
            7 => {
                let value = Expr::bool(self.random.chance(1, 2));
                let shared = self.shared;
                if self.random.chance(1, 2) {
                    body.edge(from, to).updates = vec![(shared, value)];
                } else {
                    body.edge(from, to).guard = Expr::binary(Op::Eq, read(shared), value);
                }
            }
            8 | 9 => self.send(body, from, to),
            10 => self.receive(body, from, to, target),
            _ => {
                let c = self.condition(body);
                body.edge(from, to).guard = c.clone();
                let edge = body.edge(from, failed);
                edge.guard = c.not();
                edge.events = vec![Event::Failed(Check::Assert)];
            }
        }
    }

    fn send(&mut self, body: &mut Body, from: LocId, to: LocId) {
        let c = self.random.below(self.channels.len());
        let Channel {
            ready,
            received,
            value,
            drop,
        } = self.channels[c];
        let message = self.value(body);
        let offered = body.location(LocationKind::Inside, &mut self.random);
        let edge = body.edge(from, offered);
        edge.guard = read(ready).not();
        edge.updates = vec![(ready, Expr::yes()), (value, message)];
        let edge = body.edge(offered, to);
        edge.guard = Expr::and([read(ready), read(received)]);
        let gone = vec![
            (ready, Expr::no()),
            (received, Expr::no()),
            (value, Expr::int(0)),
        ];
        edge.updates = gone.clone();
        if self.random.chance(1, 4) {
            let edge = body.edge(offered, to);
            edge.kind = EdgeKind::Timeout;
            edge.guard = Expr::and([read(ready), read(received).not()]);
            edge.updates = gone;
            edge.updates.remove(1);
            edge.events = vec![Event::TimedOut(Expr::no())];
        }
        if let Some(fault) = drop {
            let edge = body.edge(from, to);
            self.inject(edge, fault, Vec::new());
        }
    }

    fn receive(&mut self, body: &mut Body, from: LocId, to: LocId, target: VarId) {
        let c = self.random.below(self.channels.len());
        let Channel {
            ready,
            received,
            value,
            ..
        } = self.channels[c];
        let can = Expr::and([read(ready), read(received).not()]);
        let edge = body.edge(from, to);
        edge.guard = can.clone();
        edge.updates = vec![(received, Expr::yes()), (target, read(value))];
        if self.random.chance(1, 3) {
            let edge = body.edge(from, to);
            edge.kind = EdgeKind::Timeout;
            edge.events = vec![Event::TimedOut(can)];
        }
    }

    fn properties(&mut self) {
        let mut kinds = vec![PropertyKind::Deadlock];
        kinds.extend(Check::ALL.map(PropertyKind::Check));
        for _ in 0..2 {
            kinds.push(PropertyKind::Invariant(self.atom().not()));
            let both = Expr::and([self.atom(), self.atom()]);
            kinds.push(PropertyKind::Reachable(both));
        }
        let properties = kinds.into_iter().enumerate().map(|(i, kind)| Property {
            tolerant: None,
            form: None,
            name: format!("property_{i}"),
            kind,
            span: None,
        });
        self.system.properties = properties.collect();
    }

    /// Something about one variable or one location.
    fn atom(&mut self) -> Expr {
        let process = self.random.below(self.system.processes.len());
        match self.random.below(3) {
            0 => {
                let count = self.system.processes[process].locations.len();
                let location = LocId(self.random.below(count) as u32);
                Expr::Leaf(Leaf::At(ProcessId(process as u32), vec![location]))
            }
            1 => {
                let done = self.system.processes[process].done;
                Expr::Leaf(Leaf::At(ProcessId(process as u32), vec![done]))
            }
            _ => {
                let var = self.random.below(self.system.vars.len());
                let domain = self.system.vars[var].domain;
                let (lo, hi) = domain.bounds();
                let code = self.random.between(lo, hi);
                Expr::binary(
                    Op::Eq,
                    read(VarId(var as u32)),
                    Expr::Const(domain.scalar(code)),
                )
            }
        }
    }
}

/// State formulas about a model, for its temporal properties.
pub fn random_atoms(system: &System, seed: u64, count: usize) -> Vec<Expr> {
    let mut maker = Maker {
        random: Random::new(seed ^ 0xa70),
        system: system.clone(),
        channels: Vec::new(),
        shared: VarId(0),
        budget: None,
    };
    (0..count).map(|_| maker.atom()).collect()
}

/// A random formula without next over the given state formulas.
pub fn random_ltl(random: &mut Random, atoms: &[Expr]) -> Formula {
    loop {
        let size = 1 + random.below(5);
        let past = random.chance(1, 4);
        let formula = random_formula(random, size, atoms.len(), past);
        if !formula.counts_steps() {
            return over(formula, atoms);
        }
    }
}

/// A random branching formula over the given state formulas.
pub fn random_ctl_over(random: &mut Random, atoms: &[Expr]) -> Formula {
    let size = 1 + random.below(4);
    over(random_ctl(random, size, atoms.len()), atoms)
}

/// A formula about variables 0, 1, .. as one about the given state formulas.
fn over(mut formula: Formula, atoms: &[Expr]) -> Formula {
    formula.rewrite(&mut |leaf| match leaf {
        Leaf::Var(v) => Some(atoms[v.0 as usize].clone()),
        _ => unreachable!("atoms are variables"),
    });
    formula
}

struct Body {
    id: ProcessId,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    own: Vec<VarId>,
}

impl Body {
    fn location(&mut self, kind: LocationKind, random: &mut Random) -> LocId {
        let stops = !matches!(kind, LocationKind::Statement | LocationKind::Inside);
        let labels = match random.below(8) {
            _ if stops => Vec::new(),
            0 => vec![LabelId(0)],
            1 => vec![LabelId(1)],
            _ => Vec::new(),
        };
        self.locations.push(Location {
            kind,
            labels,
            span: span(),
        });
        LocId(self.locations.len() as u32 - 1)
    }

    fn edge(&mut self, from: LocId, to: LocId) -> &mut Edge {
        let _ = self.id;
        self.edges.push(Edge {
            from,
            to,
            guard: Expr::yes(),
            picks: Vec::new(),
            updates: Vec::new(),
            kind: EdgeKind::Normal,
            events: Vec::new(),
            span: span(),
        });
        self.edges.last_mut().expect("just added")
    }
}
