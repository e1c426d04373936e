//! Faults: the markers of entries and the budgets they share.

mod anything;
mod argument;
mod idle;
mod limit;
mod loses;
mod mark;
mod marker;
mod never;
mod own;
mod timing;
mod together;

pub use anything::anything;
pub use idle::{idle_detectors, idle_markers};
pub use limit::limits;
pub use loses::check as losses;
pub use mark::mark;
pub use marker::Marked;
pub use never::never_timed;
pub use together::never_together;

use std::sync::Arc;

use super::declare::Declarations;
use super::expr::Expressions;
use super::init::{Entity, Instances};
use super::log::Log;
use super::time::DELAY;
use crate::program::fault::FaultKind;
use crate::program::problem::{EntryProblem, FaultProblem, TimeProblem};
use crate::program::{Fault, FaultTarget};
use crate::syntax::ast;

impl Declarations<'_> {
    /// The fault a marker names: one of the language, one that the model defines, or one of another file, also without its name.
    fn fault_kind(&self, marker: &ast::Marker, log: &mut Log) -> Option<Arc<FaultKind>> {
        let name = marker.name.text.as_str();
        if name == DELAY {
            log.report(TimeProblem::Delay {
                text: "`@delay` is no fault: nothing is injected, so nothing is counted".to_owned(),
                span: marker.span,
                hint: "remove it here",
            });
            return None;
        }
        let mut found = self.faults.iter().find(|kind| kind.is_called(name));
        if found.is_none() {
            let of_file = |kind: &&Arc<FaultKind>| {
                kind.name
                    .rsplit_once('.')
                    .is_some_and(|(_, own)| own == name)
            };
            let mut imported = self.faults.iter().filter(of_file);
            found = imported.next();
            if imported.next().is_some() {
                let (name, span) = (name.to_owned(), marker.name.span);
                log.report(FaultProblem::Ambiguous { name, span });
                return None;
            }
        }
        if found.is_none() && log.lost.declarations {
            return None;
        }
        if found.is_none() {
            let word = name.to_ascii_lowercase();
            let meant = self
                .faults
                .iter()
                .find(|kind| kind.meant_by.contains(&&*word));
            let names = self.faults.iter().flat_map(|kind| kind.names());
            let names = names.chain([DELAY]);
            let suggestion = match meant {
                Some(kind) => Some(kind.name.to_string()),
                None => log.near(name, names),
            };
            log.report(EntryProblem::UnknownMarker {
                name: name.to_owned(),
                known: self
                    .faults
                    .iter()
                    .map(|kind| kind.name.to_string())
                    .collect(),
                span: marker.span,
                suggestion,
            });
        }
        let found = found?;
        if let Some(own) = self.definitions.get(&*found.name) {
            log.uses.instantiated.insert(own.ast.name.span);
        }
        Some(found.clone())
    }
}

impl<'a> Expressions<'_, 'a> {
    /// A number of faults.
    fn budget_number(&mut self, number: &'a ast::Expr) -> Option<u32> {
        let value = self.constant_int(number, "a number of faults")?;
        match u32::try_from(value) {
            Ok(value) => Some(value),
            Err(_) => {
                self.log.report_value(EntryProblem::BadBudget {
                    found: value.to_string(),
                    span: number.span,
                });
                None
            }
        }
    }
}

/// What a fault that is marked on an entity happens to: each element of an array.
fn fault_targets(entity: &Entity) -> Option<Vec<FaultTarget>> {
    Some(match entity {
        Entity::Channel(id) => vec![FaultTarget::Channel(*id)],
        Entity::Process(id) => vec![FaultTarget::Process(*id)],
        Entity::Channels(all) => all.iter().map(|id| FaultTarget::Channel(*id)).collect(),
        Entity::Detector(id) => vec![FaultTarget::Detector(*id)],
        Entity::Detectors(all) => all.iter().map(|id| FaultTarget::Detector(*id)).collect(),
        Entity::Processes(all) => all.iter().map(|id| FaultTarget::Process(*id)).collect(),
        _ => return None,
    })
}

/// `worker1@shutdown`: what a fault is called that has no other name.
fn marked_name(made: &Instances<'_>, fault: &Fault, target: FaultTarget) -> String {
    let entry = match target {
        FaultTarget::Process(id) => &made.processes[id.0 as usize].name,
        FaultTarget::Channel(id) => &made.channels[id.0 as usize].name,
        FaultTarget::Detector(id) => &made.detectors[id.0 as usize].name,
    };
    fault.marked_name(entry)
}
