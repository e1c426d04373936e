//! Steps: the edges of a process as they are emitted, one definition each.
//!
//! Edges that differ only in where they start are one step (a crash, say). Where several steps can be taken
//! in one state the input variable `choice` decides; steps that exclude each other share a number.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::locations::{line, reachable_locations};
use super::names::{Names, Taken, identifier};
use crate::source::Sources;
use crate::system::event::Expiry;
use crate::system::fairness::{Roles, roles};
use crate::system::{
    Domain, Edge, EdgeKind, Event, Expr, Leaf, LocId, Op, Owner, Process, System, VarId,
};
use crate::vocabulary::ProcessId;

/// One step of a process.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of its definition, true when it is taken: `offers_12`.
    pub name: String,
    /// The edges it stands for; the first speaks for all but their start.
    pub edges: Vec<usize>,
    /// Where they start.
    pub from: Vec<LocId>,
    /// The value of `choice` it needs, if other steps compete with it.
    pub choice: Option<u32>,
}

/// The steps of all processes, and the inputs they need.
pub struct Steps {
    /// By process.
    pub of: Vec<Vec<Step>>,
    /// How many values `choice` needs; 0 or 1: none.
    pub choices: u32,
    /// The input variables for picks, with their domains.
    pub picks: IndexMap<(Domain, u32), String>,
}

impl Steps {
    /// Finds the steps of a System.
    pub fn new(system: &System, names: &Names, sources: &Sources) -> Steps {
        let mut of = Vec::new();
        for (id, process) in system.processes() {
            let mut taken = names.in_module(system, Owner::Process(id));
            let mut steps = group(process, sources, &mut taken);
            number(process, &mut steps);
            of.push(steps);
        }
        let choices = of
            .iter()
            .flatten()
            .filter_map(|s| s.choice)
            .max()
            .map_or(0, |c| c + 1);
        let mut taken = names.in_main();
        let mut picks = IndexMap::new();
        for (process, steps) in system.processes.iter().zip(&of) {
            for step in steps {
                for key in pick_keys(&process.edges[step.edges[0]].picks) {
                    picks
                        .entry(key)
                        .or_insert_with(|| taken.claim(&pick_name(system, key)));
                }
            }
        }
        Steps { of, choices, picks }
    }

    /// The value of `choice` that each edge of a process needs, if any.
    pub fn choices_of(&self, process: ProcessId, edges: usize) -> Vec<Option<u32>> {
        let mut choices = vec![None; edges];
        for step in &self.of[process.0 as usize] {
            for edge in &step.edges {
                choices[*edge] = step.choice;
            }
        }
        choices
    }

    /// The input variable for a pick of an edge; none if its domain has one value only.
    pub fn pick(&self, picks: &[Domain], index: u32) -> Option<&str> {
        let key = pick_keys(picks)[index as usize];
        self.picks
            .get(&key)
            .filter(|_| key.0.size() > 1)
            .map(String::as_str)
    }
}

/// Picks of different edges share input variables; those of one edge that have the same domain do not.
fn pick_keys(picks: &[Domain]) -> Vec<(Domain, u32)> {
    let key = |(i, domain): (usize, &Domain)| {
        let before = picks[..i].iter().filter(|d| *d == domain).count();
        (*domain, before as u32)
    };
    picks.iter().enumerate().map(key).collect()
}

fn pick_name(system: &System, (domain, number): (Domain, u32)) -> String {
    let base = format!("any_{}", domain_name(system, domain));
    if number == 0 {
        base
    } else {
        format!("{base}_{}", number + 1)
    }
}

/// `bool`, `0_3`, `Response`: a domain as a part of a name.
pub fn domain_name(system: &System, domain: Domain) -> String {
    match domain {
        Domain::Bool => "bool".into(),
        Domain::Int { lo, hi } => identifier(&format!("n{lo}_{hi}"))[1..].to_string(),
        Domain::Data { data, .. } => identifier(&system.data[data.0 as usize].name),
    }
}

fn group(process: &Process, sources: &Sources, taken: &mut Taken) -> Vec<Step> {
    let reachable = reachable_locations(process);
    let mut steps: IndexMap<Likeness<'_>, Step> = IndexMap::new();
    for (index, edge) in process.edges.iter().enumerate() {
        if !reachable[edge.from.0 as usize] || edge.guard.is_no() {
            continue;
        }
        let step = steps.entry(Likeness::of(edge)).or_insert_with(|| Step {
            name: String::new(),
            edges: Vec::new(),
            from: Vec::new(),
            choice: None,
        });
        step.edges.push(index);
        if !step.from.contains(&edge.from) {
            step.from.push(edge.from);
        }
    }
    for (likeness, step) in &mut steps {
        let edge = &process.edges[step.edges[0]];
        let several = step
            .edges
            .iter()
            .any(|e| process.edges[*e].span != edge.span);
        let wish = match line(edge.span, sources).filter(|_| !several) {
            Some(line) => format!("{}_{line}", likeness.verb),
            None => likeness.verb.clone(),
        };
        step.name = taken.claim(&wish);
    }
    steps.into_values().collect()
}

/// What edges have in common that differ only in where they start.
#[derive(PartialEq, Eq, Hash)]
struct Likeness<'a> {
    verb: String,
    to: LocId,
    kind: EdgeKind,
    picks: &'a [Domain],
    guard: &'a Expr,
    updates: &'a [(VarId, Expr)],
    fair: Roles,
}

impl<'a> Likeness<'a> {
    fn of(edge: &'a Edge) -> Self {
        Likeness {
            verb: verb(edge),
            to: edge.to,
            kind: edge.kind,
            picks: &edge.picks,
            guard: &edge.guard,
            updates: &edge.updates,
            fair: roles(edge),
        }
    }
}

/// What an edge does, in a word: of several events the one that tells most.
fn verb(edge: &Edge) -> String {
    let rank = |event: &Event| -> (u8, String) {
        let (rank, word) = match event {
            Event::Failed(check) => return (0, format!("fails_{}", check.as_str())),
            Event::Acted(act) => (1, act.verb),
            Event::Offered(..) => (2, "offers"),
            Event::Completed(_) => (2, "completes"),
            Event::Withdrew(_) => (2, "withdraws"),
            Event::Sent(..) => (2, "sends"),
            Event::Overflowed(..) => (2, "overflows"),
            Event::Received(..) => (2, "receives"),
            Event::Peeked(..) => (2, "peeks"),
            Event::Expired(Expiry::Sleep) => (1, "wakes_up"),
            Event::Expired(_) => (1, "expires"),
            Event::Slept(_) => (2, "sleeps"),
            Event::Ticked => (2, "ticks"),
            Event::TimedOut(_) => (2, "times_out"),
            Event::Declined(_) => (3, "declines"),
            Event::Decided(true, _) | Event::Looped(true) => (3, "holds"),
            Event::Decided(false, _) | Event::Looped(false) => (3, "not"),
            Event::Switched(..) => (3, "switches"),
            Event::Chose(block) => return (3, format!("chooses{}", block + 1)),
            Event::Asserted => (4, "asserts"),
            Event::Wrote(_) => (5, "sets"),
            Event::Injected(_) | Event::Delivered(..) => (6, "suffers"),
            Event::Began(_) => (5, "begins"),
            Event::Denied(_) | Event::Granted(_) => (7, "steps"),
        };
        (rank, word.to_string())
    };
    edge.events
        .iter()
        .map(rank)
        .min_by_key(|(rank, _)| *rank)
        .map_or_else(|| "steps".into(), |(_, word)| word)
}

/// Gives a number to each step that competes with another one.
fn number(process: &Process, steps: &mut [Step]) {
    let mut starting: Vec<Vec<usize>> = vec![Vec::new(); process.locations.len()];
    for (index, step) in steps.iter().enumerate() {
        for location in &step.from {
            starting[location.0 as usize].push(index);
        }
    }
    let guard = |step: &Step| &process.edges[step.edges[0]].guard;
    for i in 0..steps.len() {
        let near: BTreeSet<usize> = (steps[i].from.iter())
            .flat_map(|l| &starting[l.0 as usize])
            .copied()
            .filter(|j| *j != i && !exclusive(guard(&steps[i]), guard(&steps[*j])))
            .collect();
        if !near.is_empty() {
            let used: Vec<u32> = near.iter().filter_map(|j| steps[*j].choice).collect();
            steps[i].choice = (0..).find(|c| !used.contains(c));
        }
    }
}

/// Whether two guards plainly exclude each other: a condition of one denies one of the other.
fn exclusive(a: &Expr, b: &Expr) -> bool {
    let others = parts(b);
    parts(a)
        .iter()
        .filter(|p| !has_picks(p))
        .any(|p| others.iter().any(|q| deny(p, q)))
}

fn parts(e: &Expr) -> &[Expr] {
    match e {
        Expr::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

fn deny(p: &Expr, q: &Expr) -> bool {
    if let (Expr::Binary(f, a, b), Expr::Binary(g, c, d)) = (p, q) {
        let opposite = matches!(
            (f, g),
            (Op::Eq, Op::Ne)
                | (Op::Ne, Op::Eq)
                | (Op::Lt, Op::Ge)
                | (Op::Ge, Op::Lt)
                | (Op::Le, Op::Gt)
                | (Op::Gt, Op::Le)
        );
        let other_constant = *f == Op::Eq
            && *g == Op::Eq
            && matches!((b.as_const(), d.as_const()), (Some(x), Some(y)) if x != y);
        return a == c && (other_constant || (opposite && b == d));
    }
    // `!(p && r)` denies a conjunction only as a whole, so comparing whole parts is enough.
    p.clone().not() == *q
}

/// Whether an expression reads a pick.
pub fn has_picks(expr: &Expr) -> bool {
    let mut found = false;
    expr.leaves(&mut |leaf| found |= matches!(leaf, Leaf::Pick(_)));
    found
}
