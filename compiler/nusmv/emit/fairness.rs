//! Fair choices as NuSMV's `COMPASSION (p, q)`: if p holds again and again, so does q.
//!
//! NuSMV 2.6 takes other runs for fair ones if a model with `COMPASSION` has input variables, wherever they are read. So in
//! such a model who moves, and how, is a part of the state: `VAR running` in place of `IVAR running`, and what was a
//! condition on transitions is one on states.

use super::expr::Writer;
use super::scope::Scope;
use crate::system::fairness::roles;
use crate::system::{Event, System};
use crate::vocabulary::{FairId, ProcessId};

/// The constraints, a line each; what is never owed has none.
pub fn compassion(scope: &mut Scope<'_>) -> String {
    let model = scope.model();
    let mut text = String::new();
    for (index, fair) in model.system.fair.iter().enumerate() {
        let id = FairId(index as u32);
        let denied = steps(scope, (id, false));
        let owed = model.prune(&fair.owed);
        let given = match (owed.is_no(), denied.is_empty()) {
            (true, true) => continue,
            (true, false) => denied.join(" | "),
            (false, _) => Writer::new(scope, &[]).condition(&owed),
        };
        let granted = steps(scope, (id, true));
        let then = match granted.is_empty() {
            true => "FALSE".to_string(),
            false => granted.join(" | "),
        };
        text += &format!("COMPASSION ({given}, {then});\n");
    }
    text
}

/// The definitions of the steps that have a role in a fair choice.
fn steps(scope: &mut Scope<'_>, role: (FairId, bool)) -> Vec<String> {
    let model = scope.model();
    let mut found = Vec::new();
    for process in (0..model.system.processes.len() as u32).map(ProcessId) {
        for step in 0..model.steps.of[process.0 as usize].len() {
            if roles(model.edge(process, step)).contains(&role) {
                found.push(scope.step(process, step));
            }
        }
    }
    found
}

/// The same System without fair choices; its states are the same.
pub fn without(system: &System) -> System {
    let mut system = system.clone();
    system.fair.clear();
    for edge in system.processes.iter_mut().flat_map(|p| &mut p.edges) {
        (edge.events).retain(|e| !matches!(e, Event::Denied(_) | Event::Granted(_)));
    }
    system
}
