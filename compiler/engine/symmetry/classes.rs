//! Which units can be exchanged at all: what the processes of units and the conditions allow.
//!
//! Two units are interchangeable here if exchanging them maps every edge of a process of the one onto an edge of
//! the other's, from and to the same locations, the edges of every other unit's processes onto themselves, and every
//! condition onto itself. This is an equivalence, since such exchanges are closed under composition. What the
//! processes that belong to no unit allow depends on where they are ([`moves`](super::moves)).

use super::TooMuch;
use super::terms::{Term, Terms};
use super::units::Units;
use crate::system::{Expr, System};
use crate::vocabulary::ProcessId;

/// A number for each unit: the least unit that it can be exchanged with.
pub type Partition = Vec<u8>;

/// The edges out of a location: what they do and where they lead, in order, each once.
pub type Steps = Vec<(Term, u32)>;

/// The edges of all processes as terms.
pub struct Graph {
    /// For each process and location.
    pub steps: Vec<Vec<Steps>>,
    /// For each process the units its edges mention, a bit each.
    pub mentions: Vec<u64>,
}

impl Graph {
    /// The edges of a System.
    pub fn new(system: &System, terms: &mut Terms<'_>) -> Result<Graph, TooMuch> {
        let mut graph = Graph {
            steps: Vec::with_capacity(system.processes.len()),
            mentions: Vec::with_capacity(system.processes.len()),
        };
        for process in &system.processes {
            let mut steps = vec![Steps::new(); process.locations.len()];
            let mut mentions = 0;
            for edge in &process.edges {
                let action = terms.action(edge);
                mentions |= terms.mentions(action);
                steps[edge.from.0 as usize].push((action, edge.to.0));
            }
            for steps in &mut steps {
                steps.sort_unstable();
                steps.dedup();
            }
            TooMuch::check(terms.work)?;
            graph.steps.push(steps);
            graph.mentions.push(mentions);
        }
        Ok(graph)
    }

    fn steps(&self, process: ProcessId) -> &[Steps] {
        &self.steps[process.0 as usize]
    }
}

/// The units that can be exchanged as far as processes of units and conditions are concerned.
pub fn interchangeable(
    units: &Units,
    graph: &Graph,
    conditions: &[Expr],
    terms: &mut Terms<'_>,
) -> Result<Partition, TooMuch> {
    let conditions: Vec<Term> = conditions.iter().map(|c| terms.expr(c)).collect();
    let mut partition: Partition = (0..units.processes.len() as u8).collect();
    for family in &units.families {
        for unit in family.clone() {
            for other in family.start..unit {
                if partition[other as usize] != other {
                    continue;
                }
                TooMuch::check(terms.work)?;
                if conditions.iter().all(|c| terms.swap(*c, other, unit) == *c)
                    && same_processes(units, graph, terms, other, unit)
                {
                    partition[unit as usize] = other;
                    break;
                }
            }
        }
    }
    Ok(partition)
}

/// Whether exchanging two units exchanges their processes and keeps those of all other units.
fn same_processes(units: &Units, graph: &Graph, terms: &mut Terms<'_>, i: u8, j: u8) -> bool {
    let mut maps = |p: ProcessId, q: ProcessId| {
        let pairs = graph.steps(p).iter().zip(graph.steps(q));
        let mut all = pairs.into_iter();
        graph.steps(p).len() == graph.steps(q).len()
            && all.all(|(from, to)| swapped(terms, from, i, j) == *to)
    };
    let pair = units.processes[i as usize]
        .iter()
        .zip(&units.processes[j as usize]);
    let both = 1 << i | 1 << j;
    pair.into_iter().all(|(p, q)| maps(*p, *q))
        && units
            .processes
            .iter()
            .enumerate()
            .filter(|(unit, _)| *unit != i as usize && *unit != j as usize)
            .flat_map(|(_, processes)| processes)
            .filter(|p| graph.mentions[p.0 as usize] & both != 0)
            .all(|p| maps(*p, *p))
}

/// The edges with two units exchanged.
pub fn swapped(terms: &mut Terms<'_>, steps: &Steps, i: u8, j: u8) -> Steps {
    let mut steps: Steps = steps
        .iter()
        .map(|(action, to)| (terms.swap(*action, i, j), *to))
        .collect();
    steps.sort_unstable();
    steps
}

/// The pairs that both partitions allow.
pub fn meet(a: &Partition, b: &Partition) -> Partition {
    let mut met: Partition = Vec::with_capacity(a.len());
    for u in 0..a.len() {
        let earlier = (a[u].max(b[u]) as usize..u).find(|v| a[*v] == a[u] && b[*v] == b[u]);
        met.push(earlier.unwrap_or(u) as u8);
    }
    met
}
