//! Which parts of a System look alike: a guess, made from how processes are wired.
//!
//! A *unit* is a process with everything that is its alone: its variables, the channels and budgets that it uses where its
//! double uses others, and the processes at the other ends of those, if they do not serve both. A *family* is
//! several units with the same parts. Whether units can really be exchanged is asked afterwards
//! ([`classes`](super::classes)); a wrong guess here costs a reduction, never an answer.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::system::{ChannelVars, Expr, Leaf, Owner, Process, System, VarId};
use crate::vocabulary::ProcessId;

/// There are at most so many units; further ones stay apart.
pub const MOST_UNITS: usize = 64;

/// After so many steps the search for doubles ends.
const MOST_WORK: usize = 100_000;

/// Where a variable or process belongs: to a unit, or to nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The unit, or [`Place::NOBODY`].
    pub unit: u8,
    /// Its position in the unit, the same in all units of a family; else its number in the System.
    pub slot: u32,
}

impl Place {
    /// No unit.
    pub const NOBODY: u8 = u8::MAX;

    /// The unit as a bit.
    pub fn mentions(self) -> u64 {
        if self.unit == Self::NOBODY {
            0
        } else {
            1 << self.unit
        }
    }

    /// Exchanges two units.
    pub fn swap(&mut self, i: u8, j: u8) {
        if self.unit == i {
            self.unit = j;
        } else if self.unit == j {
            self.unit = i;
        }
    }
}

/// The units of a System.
#[derive(Debug, Default)]
pub struct Units {
    /// The units of each family: consecutive numbers.
    pub families: Vec<std::ops::Range<u8>>,
    /// For each unit its processes, by slot.
    pub processes: Vec<Vec<ProcessId>>,
    /// For each unit its variables, by slot.
    pub vars: Vec<Vec<VarId>>,
    process_places: Vec<Place>,
    var_places: Vec<Place>,
}

impl Units {
    /// The units of a System, none if nothing has a double.
    pub fn find(system: &System) -> Units {
        let nobody = |slot| Place {
            unit: Place::NOBODY,
            slot: slot as u32,
        };
        let mut units = Units {
            process_places: (0..system.processes.len()).map(nobody).collect(),
            var_places: (0..system.vars.len()).map(nobody).collect(),
            ..Units::default()
        };
        if system.processes.len() < 2 {
            return units;
        }
        let mut candidates: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
        let mut shapes = Vec::new();
        for (index, process) in system.processes.iter().enumerate() {
            let alike = candidates.entry(shape(process)).or_default();
            alike.push(index);
            if alike.len() == 2 {
                shapes.push(alike[0]);
            }
        }
        if shapes.is_empty() {
            return units;
        }
        let wiring = Wiring::new(system);
        let mut taken = FxHashSet::default();
        let mut work = 0;
        // In the order of the first processes, so that nothing depends on hashes.
        for first in shapes {
            let alike = &candidates[&shape(&system.processes[first])];
            for (position, leader) in alike.iter().enumerate() {
                if taken.contains(&(*leader as u32)) {
                    continue;
                }
                let room = MOST_UNITS - units.processes.len();
                let rest = alike[position + 1..].iter().copied();
                let family = family(&wiring, *leader, rest, room, &taken, &mut work);
                if family.len() > 1 {
                    taken.extend(family.iter().flatten());
                    units.add(&wiring, &family);
                }
                if work > MOST_WORK || units.processes.len() + 2 > MOST_UNITS {
                    return units;
                }
            }
        }
        units
    }

    /// Where a variable belongs.
    pub fn var(&self, var: VarId) -> Place {
        self.var_places[var.0 as usize]
    }

    /// The variable at the same place in the first unit of the family, or the variable itself if it is in none.
    pub fn first_like(&self, var: VarId) -> VarId {
        let place = self.var(var);
        let family = self
            .families
            .iter()
            .find(|family| family.contains(&place.unit));
        family.map_or(var, |family| {
            self.vars[family.start as usize][place.slot as usize]
        })
    }

    /// Where a process belongs.
    pub fn process(&self, process: ProcessId) -> Place {
        self.process_places[process.0 as usize]
    }

    fn add(&mut self, wiring: &Wiring<'_>, family: &[Vec<u32>]) {
        let start = self.processes.len() as u8;
        for owners in family {
            let unit = self.processes.len() as u8;
            let (mut processes, mut vars) = (Vec::new(), Vec::new());
            for owner in owners {
                if (*owner as usize) < wiring.system.processes.len() {
                    self.process_places[*owner as usize] = Place {
                        unit,
                        slot: processes.len() as u32,
                    };
                    processes.push(ProcessId(*owner));
                }
                for var in &wiring.vars[*owner as usize] {
                    self.var_places[var.0 as usize] = Place {
                        unit,
                        slot: vars.len() as u32,
                    };
                    vars.push(*var);
                }
            }
            self.processes.push(processes);
            self.vars.push(vars);
        }
        self.families.push(start..self.processes.len() as u8);
    }
}

/// What two processes have in common if they are doubles.
fn shape(process: &Process) -> Vec<u32> {
    let sizes = [process.locations.len(), process.edges.len()];
    let sizes = sizes.into_iter().map(|n| n as u32);
    let edges = process.edges.iter().flat_map(|e| [e.from.0, e.to.0]);
    sizes.chain(edges).collect()
}

/// A leader and its doubles: for each the same owners in the same order.
fn family(
    wiring: &Wiring<'_>,
    leader: usize,
    candidates: impl Iterator<Item = usize>,
    room: usize,
    taken: &FxHashSet<u32>,
    work: &mut usize,
) -> Vec<Vec<u32>> {
    let mut family: Vec<Vec<u32>> = Vec::new();
    let mut used: FxHashSet<u32> = FxHashSet::default();
    for other in candidates {
        if family.len() >= room.max(1) || *work > MOST_WORK {
            break;
        }
        if taken.contains(&(other as u32)) || used.contains(&(other as u32)) {
            continue;
        }
        let Some(pairs) = Doubles::of(wiring, leader, other, work) else {
            continue;
        };
        let is_free = |o: &u32| !taken.contains(o) && !used.contains(o);
        if family.is_empty() {
            let own: Vec<u32> = pairs.iter().map(|(a, _)| *a).collect();
            let others: Vec<u32> = pairs.iter().map(|(_, b)| *b).collect();
            if own.iter().chain(&others).all(is_free) {
                used.extend(own.iter().chain(&others));
                family = vec![own, others];
            }
            continue;
        }
        let partner: FxHashMap<u32, u32> = pairs.iter().copied().collect();
        let parts = family[0].iter().map(|o| partner.get(o).copied());
        let Some(parts) = parts.collect::<Option<Vec<u32>>>() else {
            continue;
        };
        if pairs.len() == parts.len() && parts.iter().all(is_free) {
            used.extend(&parts);
            family.push(parts);
        }
    }
    family
}

/// Who owns what and who uses whom. Owners are numbered: processes, channels, faults, limits.
struct Wiring<'a> {
    system: &'a System,
    /// For each owner its variables; a channel's in the order of their meaning.
    vars: Vec<Vec<VarId>>,
    /// For each process the owners of the variables it mentions, in order.
    uses: Vec<Vec<u32>>,
    /// For each owner the processes that mention one of its variables.
    users: Vec<Vec<u32>>,
}

impl<'a> Wiring<'a> {
    fn new(system: &'a System) -> Self {
        let limits = system.vars.iter().filter_map(|v| match v.owner {
            Owner::Shared(k) => Some(k as usize + 1),
            _ => None,
        });
        let owners = system.processes.len()
            + system.channels.len()
            + system.faults.len()
            + limits.max().unwrap_or(0);
        let mut wiring = Wiring {
            system,
            vars: vec![Vec::new(); owners],
            uses: Vec::new(),
            users: vec![Vec::new(); owners],
        };
        for v in (0..system.vars.len() as u32).map(VarId) {
            if !matches!(system.var(v).owner, Owner::Channel(_)) {
                let owner = wiring.owner(v);
                wiring.vars[owner as usize].push(v);
            }
        }
        for (index, channel) in system.channels.iter().enumerate() {
            let vars = &mut wiring.vars[system.processes.len() + index];
            match &channel.vars {
                ChannelVars::Rendezvous {
                    ready,
                    received,
                    values,
                } => {
                    vars.extend([*ready, *received]);
                    vars.extend(values);
                }
                ChannelVars::Buffered { len, slots, ages } => {
                    vars.push(*len);
                    vars.extend(slots.iter().flatten());
                    vars.extend(ages);
                }
            }
        }
        for (index, process) in system.processes.iter().enumerate() {
            let mut uses = Vec::new();
            for edge in &process.edges {
                let values = edge.updates.iter().map(|(_, value)| value);
                for expr in values.chain([&edge.guard]) {
                    expr.leaves(&mut |leaf| match leaf {
                        Leaf::Var(v) => uses.push(wiring.owner(*v)),
                        Leaf::At(p, _) => uses.push(p.0),
                        Leaf::Pick(_) => {}
                    });
                }
                uses.extend(edge.updates.iter().map(|(v, _)| wiring.owner(*v)));
            }
            uses.sort_unstable();
            uses.dedup();
            for owner in &uses {
                wiring.users[*owner as usize].push(index as u32);
            }
            wiring.uses.push(uses);
        }
        wiring
    }

    fn owner(&self, var: VarId) -> u32 {
        let system = self.system;
        let channels = system.processes.len() as u32;
        let faults = channels + system.channels.len() as u32;
        match system.var(var).owner {
            Owner::Process(p) => p.0,
            Owner::Channel(c) => channels + c.0,
            Owner::Fault(f) => faults + f.0,
            Owner::Shared(k) => faults + system.faults.len() as u32 + k,
        }
    }

    fn is_process(&self, owner: u32) -> bool {
        (owner as usize) < self.system.processes.len()
    }

    /// Whether two owners have the same variables and, if processes, the same shape.
    fn alike(&self, a: u32, b: u32) -> bool {
        let system = self.system;
        let (vars, others) = (&self.vars[a as usize], &self.vars[b as usize]);
        let same = |(x, y): (&VarId, &VarId)| {
            let (x, y) = (system.var(*x), system.var(*y));
            x.domain == y.domain && x.derived.is_some() == y.derived.is_some()
        };
        let same_vars = vars.len() == others.len() && vars.iter().zip(others).all(same);
        same_vars
            && match (self.is_process(a), self.is_process(b)) {
                (true, true) => {
                    shape(&system.processes[a as usize]) == shape(&system.processes[b as usize])
                }
                (false, false) => true,
                _ => false,
            }
    }
}

/// What has to be exchanged with what if one process is exchanged with another.
struct Doubles<'w, 'a> {
    wiring: &'w Wiring<'a>,
    /// In the order of discovery, the leader's side first.
    pairs: Vec<(u32, u32)>,
    partner: FxHashMap<u32, u32>,
    /// Used by both sides: never exchanged.
    shared: FxHashSet<u32>,
    work: &'w mut usize,
}

impl<'w, 'a> Doubles<'w, 'a> {
    /// The owners to be exchanged, or none if that does not work out.
    fn of(
        wiring: &'w Wiring<'a>,
        leader: usize,
        other: usize,
        work: &'w mut usize,
    ) -> Option<Vec<(u32, u32)>> {
        let mut doubles = Doubles {
            wiring,
            pairs: Vec::new(),
            partner: FxHashMap::default(),
            shared: FxHashSet::default(),
            work,
        };
        doubles.pair(leader as u32, other as u32).then_some(())?;
        let mut next = 0;
        while next < doubles.pairs.len() {
            let (a, b) = doubles.pairs[next];
            next += 1;
            if wiring.is_process(a) {
                doubles.compare(a, b);
            }
            doubles.follow(a, b);
        }
        Some(doubles.pairs)
    }

    /// Exchanges two owners; false if they cannot be.
    fn pair(&mut self, a: u32, b: u32) -> bool {
        *self.work += 1 + self.wiring.vars[a as usize].len();
        let is_new = !self.partner.contains_key(&a) && !self.partner.contains_key(&b);
        let is_free = !self.shared.contains(&a) && !self.shared.contains(&b);
        let fits = a != b && is_new && is_free && self.wiring.alike(a, b);
        if fits {
            self.pairs.push((a, b));
            self.partner.extend([(a, b), (b, a)]);
        }
        fits
    }

    /// Finds the channels and budgets that one process uses where the other uses others.
    fn compare(&mut self, a: u32, b: u32) {
        let system = self.wiring.system;
        let (p, q) = (&system.processes[a as usize], &system.processes[b as usize]);
        for (e, f) in p.edges.iter().zip(&q.edges) {
            self.exprs(&e.guard, &f.guard);
            for ((x, value), (y, other)) in e.updates.iter().zip(&f.updates) {
                self.vars(*x, *y);
                self.exprs(value, other);
            }
        }
    }

    fn vars(&mut self, x: VarId, y: VarId) {
        *self.work += 1;
        let (a, b) = (self.wiring.owner(x), self.wiring.owner(y));
        if a == b {
            if !self.partner.contains_key(&a) {
                self.shared.insert(a);
            }
        } else if !self.wiring.is_process(a) && !self.wiring.is_process(b) {
            self.pair(a, b);
        }
    }

    fn exprs(&mut self, a: &Expr, b: &Expr) {
        match (a, b) {
            (Expr::Leaf(Leaf::Var(x)), Expr::Leaf(Leaf::Var(y))) => self.vars(*x, *y),
            (Expr::Not(a), Expr::Not(b)) | (Expr::Neg(a), Expr::Neg(b)) => self.exprs(a, b),
            (Expr::And(a), Expr::And(b)) | (Expr::Or(a), Expr::Or(b)) => {
                a.iter().zip(b).for_each(|(a, b)| self.exprs(a, b));
            }
            (Expr::Binary(_, a, b), Expr::Binary(_, c, d)) => {
                self.exprs(a, c);
                self.exprs(b, d);
            }
            (Expr::If(a, b, c), Expr::If(d, e, f)) => {
                self.exprs(a, d);
                self.exprs(b, e);
                self.exprs(c, f);
            }
            (Expr::Select(a, items), Expr::Select(b, others)) => {
                self.exprs(a, b);
                items.iter().zip(others).for_each(|(a, b)| self.exprs(a, b));
            }
            _ => {}
        }
    }

    /// Exchanges those who use one of two exchanged owners and not the other, where they have a double.
    fn follow(&mut self, a: u32, b: u32) {
        let wiring = self.wiring;
        for user in &wiring.users[a as usize] {
            *self.work += 1;
            let serves_both = wiring.uses[*user as usize].binary_search(&b).is_ok();
            if serves_both || self.partner.contains_key(user) {
                continue;
            }
            let partner = wiring.users[b as usize].iter().copied().find(|other| {
                !self.partner.contains_key(other)
                    && wiring.uses[*other as usize].binary_search(&a).is_err()
                    && wiring.alike(*user, *other)
            });
            if let Some(partner) = partner {
                self.pair(*user, partner);
            }
        }
    }
}
