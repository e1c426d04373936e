//! Fair choices: when each is owed something.
//!
//! A case of `fair select` is owed to be taken whenever it can go. An operation whose fault is `fair` is owed to be
//! performed whenever the fault takes its place although it could go, so of a fault that needs less than the operation
//! (a full channel may lose messages, too) there are two edges:
//!
//! ```text
//! before   s0 --len < 2, send (granted)--> s1,  s0 --drop (denied)--> s1
//! after    s0 --len < 2, send (granted)--> s1,  s0 --len < 2, drop (denied)--> s1,  s0 --!(len < 2), drop--> s1
//! ```

use super::draft::FairChoice;
use crate::system::predicates::{exists_picks, some_guard};
use crate::system::{Edge, Event, Expr, Fair, Process};
use crate::vocabulary::{FairId, ProcessId};

/// Finishes fair choices, once all guards are known.
pub(super) fn finish(choices: &[FairChoice], processes: &mut [Process]) -> Vec<Fair> {
    let mut fair: Vec<Fair> = (choices.iter())
        .map(|choice| Fair {
            name: choice.name.clone(),
            owed: Expr::no(),
            span: choice.span,
        })
        .collect();
    if choices.is_empty() {
        return fair;
    }
    for (index, process) in processes.iter_mut().enumerate() {
        let mut granting: Vec<Vec<&Edge>> = vec![Vec::new(); choices.len()];
        for edge in process.edges.iter().filter(|e| e.kind.is_forced()) {
            for event in &edge.events {
                if let Event::Granted(id) = event {
                    granting[id.0 as usize].push(edge);
                }
            }
        }
        let possible = |edge: &&Edge| exists_picks(&edge.guard, &edge.picks);
        let could: Vec<Expr> = (granting.iter())
            .map(|edges| Expr::or(edges.iter().map(possible)))
            .collect();
        for (id, edges) in granting.iter().enumerate() {
            if choices[id].by_state && !edges.is_empty() {
                let edges = edges.iter().map(|e| (e.from, possible(e)));
                fair[id].owed = some_guard(ProcessId(index as u32), edges);
                fair[id].name = format!("{} of {}", choices[id].name, process.name);
            }
        }
        process.edges = (process.edges.iter())
            .flat_map(|edge| match denied(edge) {
                Some(id) => split(edge, id, &could[id.0 as usize]),
                None => vec![edge.clone()],
            })
            .collect();
    }
    fair
}

fn denied(edge: &Edge) -> Option<FairId> {
    edge.events.iter().find_map(|event| match event {
        Event::Denied(id) => Some(*id),
        _ => None,
    })
}

/// The edge of a fault where the operation could go, and where it could not.
fn split(edge: &Edge, id: FairId, could: &Expr) -> Vec<Edge> {
    let parts = |e: &Expr| match e {
        Expr::And(parts) => parts.to_vec(),
        other => vec![other.clone()],
    };
    let needed = parts(&edge.guard);
    let wanted = parts(could);
    let with = |condition: Expr, denies: bool| {
        let mut edge = edge.clone();
        edge.guard = Expr::and([edge.guard, condition]);
        edge.events
            .retain(|event| denies || *event != Event::Denied(id));
        edge
    };
    if could.is_yes() || wanted.iter().all(|part| needed.contains(part)) {
        return vec![edge.clone()];
    }
    if could.is_no() || wanted.iter().any(|p| needed.contains(&p.clone().not())) {
        return vec![with(Expr::yes(), false)];
    }
    vec![with(could.clone(), true), with(could.clone().not(), false)]
}
