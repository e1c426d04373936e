//! How fast the embedded engine searches: `cargo bench --bench engine -- [workers] [ring nodes] [threads]`.
//!
//! Two-phase commit with crashes and lost messages, and a ring of processes that pass numbers through buffered
//! channels, both as Systems made by hand.

use std::time::Instant;

use sandalc::engine::{self, Options};
use sandalc::graph::{Domain, EdgeKind, Event, Location, LocationKind, Op, Scalar, VarId};
use sandalc::program::{
    ChannelId, DataId, DataType, Fault, FaultId, FaultKind, FaultTarget, ProcessId,
};
use sandalc::source::{FileId, Span};
use sandalc::weave::{
    Edge, Expr, Leaf, LocId, Owner, Process, Property, PropertyKind, System, Var,
};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let workers = numbers.next().unwrap_or(4);
    let nodes = numbers.next().unwrap_or(5);
    let threads = numbers.next().unwrap_or(1);
    println!(
        "{:<24} {:>11} {:>12} {:>7} {:>6} {:>8} {:>9} {:>8}",
        "model", "states", "transitions", "depth", "bits", "seconds", "M trans/s", "B/state"
    );
    measure(
        &format!("two-phase, {workers} workers"),
        &two_phase(workers),
        threads,
    );
    measure(&format!("ring, {nodes} nodes"), &ring(nodes, 3), threads);
}

fn measure(name: &str, system: &System, threads: usize) {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let options = Options {
        full_space: true,
        threads,
        ..Options::default()
    };
    let (wall, start) = (Instant::now(), cpu_seconds());
    let report = engine::check(system, &wanted, &options, &mut |_| {});
    let seconds = match threads {
        1 => cpu_seconds() - start,
        _ => wall.elapsed().as_secs_f64(),
    };
    let stats = report.stats;
    println!(
        "{name:<24} {:>11} {:>12} {:>7} {:>6} {seconds:>8.2} {:>9.2} {:>8.1}",
        stats.states,
        stats.transitions,
        stats.depth,
        stats.state_bits,
        stats.transitions as f64 / seconds / 1e6,
        stats.memory as f64 / stats.states as f64
    );
    for verdict in report.verdicts {
        let length = verdict.run.map_or(0, |r| r.moves.len());
        println!(
            "    {}: {:?} {length}",
            system.properties[verdict.property].name, verdict.outcome
        );
    }
}

/// The time this thread has spent computing; other work on the machine does not count where that is known.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds: Option<f64> = spent.and_then(|s| s.split(' ').next()?.parse().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn span() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn var(system: &mut System, name: &str, owner: Owner, domain: Domain) -> VarId {
    system.vars.push(Var {
        name: name.into(),
        owner,
        domain,
        init: domain.zero(),
        derived: None,
        hidden: false,
    });
    VarId(system.vars.len() as u32 - 1)
}

fn read(var: VarId) -> Expr {
    Expr::Leaf(Leaf::Var(var))
}

fn yes(var: VarId) -> (VarId, Expr) {
    (var, Expr::yes())
}

fn no(var: VarId) -> (VarId, Expr) {
    (var, Expr::no())
}

/// A process under construction; locations are made as edges need them.
struct Body {
    locations: Vec<LocationKind>,
    edges: Vec<Edge>,
}

impl Body {
    fn new() -> Self {
        Body {
            locations: Vec::new(),
            edges: Vec::new(),
        }
    }

    fn at(&mut self, kind: LocationKind) -> LocId {
        self.locations.push(kind);
        LocId(self.locations.len() as u32 - 1)
    }

    fn edge(&mut self, from: LocId, to: LocId, guard: Expr, updates: Vec<(VarId, Expr)>) {
        self.edges.push(Edge {
            from,
            to,
            guard,
            picks: Vec::new(),
            updates,
            kind: EdgeKind::Normal,
            events: Vec::new(),
            span: span(),
        });
    }

    fn finish(mut self, system: &mut System, name: String, done: LocId, crashes: bool) {
        let process = ProcessId(system.processes.len() as u32);
        let failed = self.at(LocationKind::Failed);
        let crashed = crashes.then(|| self.at(LocationKind::Crashed));
        if let Some(crashed) = crashed {
            let fault = FaultId(system.faults.len() as u32);
            system.faults.push(Fault {
                kind: FaultKind::Shutdown,
                target: FaultTarget::Process(process),
                max: None,
                span: span(),
            });
            for at in 0..self.locations.len() {
                if self.locations[at] == LocationKind::Statement {
                    self.edge(LocId(at as u32), crashed, Expr::yes(), Vec::new());
                    let edge = self.edges.last_mut().expect("just added");
                    edge.kind = EdgeKind::Fault(fault);
                    edge.events.push(Event::Crashed);
                }
            }
        }
        let locations = self.locations.into_iter().map(|kind| Location {
            kind,
            labels: Vec::new(),
            span: span(),
        });
        system.processes.push(Process {
            proc_name: name.clone(),
            name,
            locations: locations.collect(),
            edges: self.edges,
            initial: LocId(0),
            done,
            failed,
            crashed,
            restarts: false,
            labels: Vec::new(),
            span: span(),
        });
    }
}

/// A rendezvous channel that loses messages.
#[derive(Clone, Copy)]
struct Rendezvous {
    ready: VarId,
    received: VarId,
    value: VarId,
    drop: FaultId,
}

const MESSAGE: Domain = Domain::Data {
    data: DataId(0),
    count: 5,
};

fn message(index: u32) -> Expr {
    Expr::Const(Scalar::Data(DataId(0), index))
}

fn rendezvous(system: &mut System, channel: u32) -> Rendezvous {
    let owner = Owner::Channel(ChannelId(channel));
    system.faults.push(Fault {
        kind: FaultKind::Drop,
        target: FaultTarget::Channel(ChannelId(channel)),
        max: None,
        span: span(),
    });
    Rendezvous {
        ready: var(system, "ready", owner, Domain::Bool),
        received: var(system, "received", owner, Domain::Bool),
        value: var(system, "value", owner, MESSAGE),
        drop: FaultId(system.faults.len() as u32 - 1),
    }
}

fn send(body: &mut Body, ch: Rendezvous, from: LocId, to: LocId, when: Expr, value: u32) {
    let inside = body.at(LocationKind::Inside);
    let offer = Expr::and([when.clone(), read(ch.ready).not()]);
    body.edge(
        from,
        inside,
        offer,
        vec![yes(ch.ready), (ch.value, message(value))],
    );
    let complete = Expr::and([read(ch.ready), read(ch.received)]);
    let zero = (ch.value, message(0));
    body.edge(
        inside,
        to,
        complete,
        vec![no(ch.ready), no(ch.received), zero],
    );
    body.edge(from, to, when, Vec::new());
    body.edges.last_mut().expect("just added").kind = EdgeKind::Fault(ch.drop);
}

fn recv(body: &mut Body, ch: Rendezvous, from: LocId, to: LocId, into: VarId) {
    let guard = Expr::and([read(ch.ready), read(ch.received).not()]);
    body.edge(
        from,
        to,
        guard,
        vec![yes(ch.received), (into, read(ch.value))],
    );
}

fn two_phase(workers: usize) -> System {
    let mut system = System::default();
    system.data.push(DataType {
        name: "Msg".into(),
        constructors: ["Prepare", "Ready", "NotReady", "Commit", "Abort"]
            .map(String::from)
            .to_vec(),
        span: span(),
    });
    let req: Vec<Rendezvous> = (0..workers)
        .map(|i| rendezvous(&mut system, i as u32))
        .collect();
    let rep: Vec<Rendezvous> = (0..workers)
        .map(|i| rendezvous(&mut system, (workers + i) as u32))
        .collect();
    let owner = Owner::Process(ProcessId(0));
    let all_ready = var(&mut system, "all_ready", owner, Domain::Bool);
    system.vars[all_ready.0 as usize].init = 1;
    let vote = var(&mut system, "vote", owner, MESSAGE);
    let mut body = Body::new();
    let mut at = body.at(LocationKind::Statement);
    for ch in &req {
        let next = body.at(LocationKind::Statement);
        send(&mut body, *ch, at, next, Expr::yes(), 0);
        at = next;
    }
    let next = body.at(LocationKind::Statement);
    body.edge(at, next, Expr::yes(), vec![yes(all_ready)]);
    at = next;
    for ch in &rep {
        let [declared, got, bad, next] = [0; 4].map(|_| body.at(LocationKind::Statement));
        body.edge(at, declared, Expr::yes(), vec![(vote, message(0))]);
        recv(&mut body, *ch, declared, got, vote);
        let ready = Expr::binary(Op::Eq, read(vote), message(1));
        body.edge(got, bad, ready.clone().not(), Vec::new());
        body.edge(got, next, ready, Vec::new());
        body.edge(bad, next, Expr::yes(), vec![no(all_ready)]);
        at = next;
    }
    for ch in &req {
        let [commit, abort, next] = [0; 3].map(|_| body.at(LocationKind::Statement));
        body.edge(at, commit, read(all_ready), Vec::new());
        body.edge(at, abort, read(all_ready).not(), Vec::new());
        send(&mut body, *ch, commit, next, Expr::yes(), 3);
        send(&mut body, *ch, abort, next, Expr::yes(), 4);
        at = next;
    }
    body.locations[at.0 as usize] = LocationKind::Done;
    body.finish(&mut system, "arbiter".into(), at, true);
    let mut responses = Vec::new();
    for i in 0..workers {
        let owner = Owner::Process(ProcessId(1 + i as u32));
        let resp = var(&mut system, "resp", owner, MESSAGE);
        responses.push(resp);
        let mut body = Body::new();
        let [a, b, c, d, e, f] = [0; 6].map(|_| body.at(LocationKind::Statement));
        body.edge(a, b, Expr::yes(), vec![(resp, message(0))]);
        recv(&mut body, req[i], b, c, resp);
        body.edge(c, d, Expr::yes(), Vec::new());
        body.edge(c, e, Expr::yes(), Vec::new());
        send(&mut body, rep[i], d, f, Expr::yes(), 1);
        send(&mut body, rep[i], e, f, Expr::yes(), 2);
        let done = body.at(LocationKind::Done);
        recv(&mut body, req[i], f, done, resp);
        body.finish(&mut system, format!("worker[{i}]"), done, true);
    }
    let some = |value: u32| {
        let is = |r: &VarId| Expr::binary(Op::Eq, read(*r), message(value));
        Expr::or(responses.iter().map(is))
    };
    let agreement = Expr::and([some(3), some(4)]).not();
    add_properties(&mut system, "agreement", agreement);
    system
}

fn add_properties(system: &mut System, name: &str, invariant: Expr) {
    for (name, kind) in [
        ("deadlock", PropertyKind::Deadlock),
        (name, PropertyKind::Invariant(invariant)),
    ] {
        system.properties.push(Property {
            name: name.into(),
            kind,
            span: None,
        });
    }
}

/// Nodes in a ring pass numbers on, added up, through channels of some capacity.
fn ring(nodes: usize, capacity: usize) -> System {
    let mut system = System::default();
    let number = Domain::Int { lo: 0, hi: 3 };
    let int = |i: usize| Expr::int(i as i64);
    let mut links = Vec::new();
    for i in 0..nodes {
        let owner = Owner::Channel(ChannelId(i as u32));
        let hi = capacity as i64;
        let len = var(&mut system, "len", owner, Domain::Int { lo: 0, hi });
        let slots: Vec<VarId> = (0..capacity)
            .map(|s| var(&mut system, &format!("slot[{s}]"), owner, number))
            .collect();
        links.push((len, slots));
    }
    for i in 0..nodes {
        let owner = Owner::Process(ProcessId(i as u32));
        let own = var(&mut system, "own", owner, number);
        let mut body = Body::new();
        let [receive, pass, end] = [0; 3].map(|_| body.at(LocationKind::Statement));
        let (len, slots) = &links[i];
        let mut updates = vec![(own, read(slots[0]))];
        updates.push((*len, Expr::binary(Op::Sub, read(*len), int(1))));
        for (s, slot) in slots.iter().enumerate() {
            let next = slots.get(s + 1).map_or(int(0), |n| read(*n));
            updates.push((*slot, next));
        }
        let some = Expr::binary(Op::Gt, read(*len), int(0));
        body.edge(receive, pass, some, updates);
        let (len, slots) = &links[(i + 1) % nodes];
        let room = Expr::binary(Op::Lt, read(*len), int(capacity));
        let mut updates = vec![(*len, Expr::binary(Op::Add, read(*len), int(1)))];
        for (s, slot) in slots.iter().enumerate() {
            let here = Expr::binary(Op::Eq, read(*len), int(s));
            updates.push((*slot, Expr::ite(here, read(own), read(*slot))));
        }
        body.edge(pass, receive, room.clone(), updates.clone());
        let next = Expr::binary(Op::Add, read(own), int(1));
        let next = Expr::binary(Op::Rem, next, int(4));
        body.edge(pass, pass, Expr::yes(), vec![(own, next)]);
        // Every other node begins by sending.
        let first = if i % 2 == 0 { pass } else { receive };
        body.finish(&mut system, format!("node[{i}]"), end, false);
        system.processes[i].initial = first;
    }
    let zero = Expr::binary(Op::Ge, read(links[0].0), int(0));
    add_properties(&mut system, "length", zero);
    system
}
