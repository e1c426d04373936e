//! Random Systems with replicated processes.

use crate::system::{
    Edge, Expr, Leaf, LocId, Location, LocationKind, Owner, Process, System, VarId,
};
use crate::testing::random::Random;
use crate::testing::system::{Shape, random_condition, random_system_of};
use crate::vocabulary::ProcessId;

/// A random System whose first process exists several times, with its variables, and conditions that do not
/// tell the copies apart, unless one of them is named.
pub struct Replicas {
    /// The System.
    pub system: System,
    /// The conditions.
    pub conditions: Vec<Expr>,
}

struct Maker {
    random: Random,
    template: System,
    copies: u32,
    /// For each variable of the template, if it is replicated, its numbers; else its only number.
    vars: Vec<Vec<VarId>>,
}

/// The System of a seed.
pub fn replicas(seed: u64, copies: u32) -> Replicas {
    let mut random = Random::new(seed ^ 0x5eed);
    let shape = Shape {
        processes: 2,
        vars: 3,
        derived: 2,
        locations: 3,
        edges: 2,
        values: 2,
        specs: 0,
        faults: random.chance(1, 2),
        picks: random.chance(1, 3),
    };
    let template = random_system_of(seed, shape);
    let mut maker = Maker {
        vars: Vec::new(),
        copies,
        template,
        random,
    };
    let mut system = System {
        data: maker.template.data.clone(),
        faults: maker.template.faults.clone(),
        properties: maker.template.properties.clone(),
        ..System::default()
    };
    maker.vars(&mut system);
    for copy in 0..copies {
        let process = &maker.template.processes[0];
        let edges: Vec<Edge> = process.edges.clone();
        let mut copied = process.clone();
        copied.edges = edges.iter().map(|e| maker.rename_edge(e, copy)).collect();
        if seed.is_multiple_of(3) {
            maker.mutual(&mut copied, copy);
        }
        system.processes.push(copied);
    }
    for index in 1..maker.template.processes.len() {
        let process = maker.outside(index);
        system.processes.push(process);
    }
    let conditions = maker.conditions(seed);
    Replicas { system, conditions }
}

impl Maker {
    fn belongs(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.leaves(&mut |leaf| {
            found |= match leaf {
                Leaf::Var(v) => self.is_replicated(*v),
                Leaf::At(p, _) => p.0 == 0,
                Leaf::Pick(_) => false,
            }
        });
        found
    }

    fn is_replicated(&self, var: VarId) -> bool {
        let var = self.template.var(var);
        match &var.derived {
            Some(definition) => self.belongs(definition),
            None => var.owner == Owner::Process(ProcessId(0)),
        }
    }

    fn vars(&mut self, system: &mut System) {
        for v in (0..self.template.vars.len() as u32).map(VarId) {
            let copies = if self.is_replicated(v) {
                self.copies
            } else {
                1
            };
            let numbers = (0..copies).map(|copy| VarId(system.vars.len() as u32 + copy));
            self.vars.push(numbers.collect());
            for copy in 0..copies {
                let mut var = self.template.var(v).clone();
                var.owner = match (self.is_replicated(v), var.owner) {
                    (true, _) => Owner::Process(ProcessId(copy)),
                    // What is shared belongs to nobody that is replicated.
                    (false, _) => Owner::Shared(0),
                };
                var.derived = var.derived.map(|d| self.rename(&d, copy));
                system.vars.push(var);
            }
        }
    }

    /// An expression of the template as a copy says it.
    fn rename(&self, expr: &Expr, copy: u32) -> Expr {
        expr.map(&mut |leaf| {
            Expr::Leaf(match leaf {
                Leaf::Var(v) => Leaf::Var(self.rename_var(*v, copy)),
                Leaf::Pick(i) => Leaf::Pick(*i),
                Leaf::At(ProcessId(0), at) => Leaf::At(ProcessId(copy), at.clone()),
                Leaf::At(p, at) => Leaf::At(ProcessId(p.0 + self.copies - 1), at.clone()),
            })
        })
    }

    fn rename_var(&self, var: VarId, copy: u32) -> VarId {
        let numbers = &self.vars[var.0 as usize];
        numbers[copy as usize % numbers.len()]
    }

    fn rename_edge(&self, edge: &Edge, copy: u32) -> Edge {
        let mut edge = edge.clone();
        edge.guard = self.rename(&edge.guard, copy);
        for (var, value) in &mut edge.updates {
            *value = self.rename(value, copy);
            *var = self.rename_var(*var, copy);
        }
        edge.events
            .retain(|e| matches!(e, crate::system::Event::Failed(_)));
        edge
    }

    /// Lets a copy wait for all others.
    fn mutual(&self, process: &mut Process, copy: u32) {
        let wish = random_condition(&self.template, 77 + self.vars.len() as u64);
        let others = (0..self.copies).filter(|other| *other != copy);
        let others = others.map(|other| self.rename(&wish, other));
        if let Some(edge) = process.edges.first_mut() {
            let all = Expr::and(others.collect::<Vec<_>>());
            edge.guard = Expr::and([edge.guard.clone(), all]);
        }
    }

    /// A process that talks to the copies: to one of them, to all in turn, to any, or to any and then to the same
    /// again.
    fn outside(&mut self, index: usize) -> Process {
        let mut process = self.template.processes[index].clone();
        let mut edges = std::mem::take(&mut process.edges);
        let waits = self.random.chance(1, 2);
        for edge in &mut edges {
            if waits && self.random.chance(2, 3) {
                edge.guard = Expr::and([edge.guard.clone(), self.somewhere()]);
            }
        }
        for edge in &edges {
            let touches = self.belongs(&edge.guard)
                || edge
                    .updates
                    .iter()
                    .any(|(v, value)| self.is_replicated(*v) || self.belongs(value));
            let way = if touches { self.random.below(6) } else { 0 };
            match way {
                // One of them only.
                0 => process.edges.push(self.rename_edge(edge, 0)),
                // One after the other.
                1 | 5 => {
                    let mut from = edge.from;
                    for copy in 0..self.copies {
                        let mut step = self.rename_edge(edge, copy);
                        step.from = from;
                        if copy + 1 < self.copies && edge.to != process.failed {
                            step.to = self.location(&mut process);
                            from = step.to;
                        }
                        process.edges.push(step);
                    }
                }
                // Any, and the same again.
                2 | 3 if edge.to != process.failed => {
                    let again = self.random.choose(&edges).clone();
                    for copy in 0..self.copies {
                        let mut step = self.rename_edge(edge, copy);
                        let mut next = self.rename_edge(&again, copy);
                        step.to = self.location(&mut process);
                        next.from = step.to;
                        next.to = edge.to;
                        process.edges.extend([step, next]);
                    }
                }
                _ => {
                    for copy in 0..self.copies {
                        process.edges.push(self.rename_edge(edge, copy));
                    }
                }
            }
        }
        process
    }

    /// The replicated process is at one of some locations.
    fn somewhere(&mut self) -> Expr {
        let count = self.template.processes[0].locations.len();
        let mut set: Vec<LocId> = (0..count as u32).map(LocId).collect();
        set.retain(|_| self.random.chance(1, 3));
        if set.is_empty() {
            set.push(LocId(self.random.below(count) as u32));
        }
        Expr::Leaf(Leaf::At(ProcessId(0), set))
    }

    fn location(&self, process: &mut Process) -> LocId {
        process.locations.push(Location {
            kind: LocationKind::Inside,
            labels: Vec::new(),
            span: crate::testing::system::span(),
        });
        LocId(process.locations.len() as u32 - 1)
    }

    fn conditions(&mut self, seed: u64) -> Vec<Expr> {
        let mut conditions = Vec::new();
        for k in 0..3 {
            let one = random_condition(&self.template, seed * 11 + k);
            let copies: Vec<Expr> = (0..self.copies).map(|c| self.rename(&one, c)).collect();
            conditions.push(match self.random.below(8) {
                0 => copies[0].clone(),
                1..4 => Expr::and(copies),
                _ => Expr::or(copies),
            });
        }
        conditions
    }
}
