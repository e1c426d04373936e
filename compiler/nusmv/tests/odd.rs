//! Systems that are hard to name and that have channels and budgets.

use crate::system::Fault;
use crate::system::{Assumption, Channel, ChannelVars, Formula, Owner, System, VarId};
use crate::testing::random::Random;
use crate::testing::system::span;
use crate::vocabulary::FaultId;
use crate::vocabulary::{ChannelId, ProcessId};

/// Names that NuSMV refuses, that the emitter uses itself, or that clash with one another.
const NAMES: &[&str] = &[
    "A", "F", "next", "pc", "running", "choice", "moves", "x", "x#1", "x#2", "x_2", "a[0]", "a[1]",
    "a_1", "main", "nobody", "done_", "deadlock", "can_move", "word1", "self", "any_bool", "term",
    "ch_1", "run_p", "next_x", "TRUE", "Commit", "p.q", "p_q",
];

/// Gives everything in a System an odd name, and some variables to channels and budgets. What it does is
/// not changed.
pub fn make_odd(system: &mut System, seed: u64) {
    let mut random = Random::new(seed ^ 0x0dd);
    let mut constructors: Vec<&str> = NAMES
        .iter()
        .copied()
        .filter(|n| n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect();
    for data in &mut system.data {
        // Two types may share constructors, one may not have two of the same name.
        rotate(&mut constructors, &mut random);
        for (name, odd) in data.constructors.iter_mut().zip(&constructors) {
            *name = (*odd).to_string();
        }
    }
    let mut names = NAMES.to_vec();
    rotate(&mut names, &mut random);
    let mut instances = names.iter();
    let same_proc = random.chance(1, 2);
    for process in &mut system.processes {
        process.name = (*instances.next().expect("enough names")).to_string();
        if same_proc {
            process.proc_name = "main".into();
        }
    }
    for _ in 0..2 {
        let any = VarId(random.below(system.vars.len()) as u32);
        let vars = if random.chance(1, 2) {
            ChannelVars::Rendezvous {
                ready: any,
                received: any,
                values: vec![any],
            }
        } else {
            ChannelVars::Buffered {
                len: any,
                slots: vec![vec![any, any], vec![any, any]],
                ages: Vec::new(),
            }
        };
        system.channels.push(Channel {
            name: (*instances.next().expect("enough names")).to_string(),
            vars,
            span: span(),
        });
    }
    let budget = FaultId(system.faults.len() as u32);
    system.faults.push(Fault {
        phase: None,
        always: false,
        name: "budget".to_string(),
        span: span(),
    });
    let owners = system.processes.len();
    for var in &mut system.vars {
        rotate(&mut names, &mut random);
        var.owner = match random.below(6) {
            0 => Owner::Channel(ChannelId(0)),
            1 => Owner::Channel(ChannelId(1)),
            2 if random.chance(1, 2) => Owner::Fault(budget),
            2 => Owner::Shared(0),
            _ => Owner::Process(ProcessId(random.below(owners) as u32)),
        };
    }
    // Names are unique for each owner.
    for index in 0..system.vars.len() {
        let owner = system.vars[index].owner;
        let earlier: Vec<String> = system.vars[..index]
            .iter()
            .filter(|v| v.owner == owner)
            .map(|v| v.name.clone())
            .collect();
        rotate(&mut names, &mut random);
        let free = names.iter().find(|n| !earlier.iter().any(|e| e == *n));
        system.vars[index].name = (*free.expect("enough names")).to_string();
    }
    for (property, name) in system.properties[5..].iter_mut().zip(&constructors) {
        property.name = (*name).to_string();
    }
}

/// Adds assumptions.
pub fn assume(system: &mut System, formulas: Vec<Formula>) {
    for (index, formula) in formulas.into_iter().enumerate() {
        system.assumptions.push(Assumption {
            name: format!("assume_{index}"),
            formula,
            span: span(),
        });
    }
}

fn rotate(names: &mut [&str], random: &mut Random) {
    let by = random.below(names.len());
    names.rotate_left(by);
}
