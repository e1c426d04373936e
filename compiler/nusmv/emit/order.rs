//! The order of declarations. NuSMV's decision diagrams follow it, and are smallest where what depends on
//! each other is near each other: each process stands next to its channels.

use rustc_hash::FxHashSet;

use crate::system::{Leaf, Owner, System, VarId};
use crate::vocabulary::{ChannelId, ProcessId};

/// Something declared in `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A process.
    Process(ProcessId),
    /// A channel.
    Channel(ChannelId),
    /// A budget.
    Budget(VarId),
}

/// The order in which the parts of a System are declared: depth first along shared channels from the process
/// that has most of them, each channel right before the last process that uses it.
pub fn order(system: &System) -> Vec<Item> {
    let uses: Vec<Vec<Owner>> = system.processes().map(|(id, _)| uses(system, id)).collect();
    let channels = |p: usize| {
        uses[p]
            .iter()
            .filter(|o| matches!(o, Owner::Channel(_)))
            .count()
    };
    let count = system.processes.len();
    let mut placed = vec![false; count];
    let mut sequence = Vec::new();
    let mut starts: Vec<usize> = (0..count).collect();
    // Stable: of equals the first declared.
    starts.sort_by_key(|p| std::cmp::Reverse(channels(*p)));
    for start in starts {
        let mut pending = vec![start];
        while let Some(p) = pending.pop() {
            if std::mem::replace(&mut placed[p], true) {
                continue;
            }
            sequence.push(p);
            let near = |q: &usize| uses[*q].iter().any(|owner| uses[p].contains(owner));
            pending.extend((0..count).rev().filter(|q| !placed[*q]).filter(near));
        }
    }

    let mut items = Vec::new();
    let mut done: FxHashSet<Owner> = FxHashSet::default();
    for (position, p) in sequence.iter().enumerate() {
        let later = &sequence[position + 1..];
        for owner in &uses[*p] {
            let last = !later.iter().any(|q| uses[*q].contains(owner));
            if last && done.insert(*owner) {
                items.extend(declared(system, *owner));
            }
        }
        items.push(Item::Process(ProcessId(*p as u32)));
    }
    // What no process uses.
    let owners = (0..system.channels.len() as u32)
        .map(|c| Owner::Channel(ChannelId(c)))
        .chain(system.vars.iter().map(|v| v.owner));
    for owner in owners {
        if !matches!(owner, Owner::Process(_)) && done.insert(owner) {
            items.extend(declared(system, owner));
        }
    }
    items
}

fn declared(system: &System, owner: Owner) -> Vec<Item> {
    match owner {
        Owner::Channel(c) => vec![Item::Channel(c)],
        Owner::Process(_) => Vec::new(),
        Owner::Fault(_) | Owner::Shared(_) => (0..system.vars.len() as u32)
            .map(VarId)
            .filter(|v| system.var(*v).owner == owner)
            .map(Item::Budget)
            .collect(),
    }
}

/// The channels and budgets that the edges of a process read or change, in that order.
fn uses(system: &System, process: ProcessId) -> Vec<Owner> {
    let mut found = Vec::new();
    let mut add = |var: VarId| {
        let owner = system.var(var).owner;
        if !matches!(owner, Owner::Process(_)) && !found.contains(&owner) {
            found.push(owner);
        }
    };
    for edge in &system.process(process).edges {
        let values = edge.updates.iter().map(|(_, e)| e);
        for expr in std::iter::once(&edge.guard).chain(values) {
            expr.leaves(&mut |leaf| {
                if let Leaf::Var(v) = leaf {
                    add(*v);
                }
            });
        }
        edge.updates.iter().for_each(|(v, _)| add(*v));
    }
    // A derived variable belongs to whom it is derived from.
    for (index, var) in system.vars.iter().enumerate() {
        if let Some(expr) = &var.derived {
            expr.leaves(&mut |leaf| {
                if matches!(leaf, Leaf::At(p, _) if *p == process) {
                    add(VarId(index as u32));
                }
            });
        }
    }
    found
}
