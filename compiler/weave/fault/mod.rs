//! The faults, one file each. A fault adds edges; nothing else in the compiler has a case for it.

mod corrupt;
mod drop;
mod duplicate;
mod reorder;
mod restart;
mod shutdown;

use super::draft::Draft;
use crate::program::{Fault, FaultKind, FaultTarget};
use crate::vocabulary::FaultId;

/// Weaves one fault.
pub(super) fn weave(draft: &mut Draft, id: FaultId, fault: &Fault) {
    match (fault.kind, fault.target) {
        (FaultKind::Shutdown, FaultTarget::Process(p)) => shutdown::weave(draft, id, p),
        (FaultKind::Restart, FaultTarget::Process(p)) => restart::weave(draft, id, p),
        (FaultKind::Drop, FaultTarget::Channel(c)) => drop::weave(draft, id, c),
        (FaultKind::Duplicate, FaultTarget::Channel(c)) => duplicate::weave(draft, id, c),
        (FaultKind::Reorder, FaultTarget::Channel(c)) => reorder::weave(draft, id, c),
        (FaultKind::Corrupt, FaultTarget::Channel(c)) => corrupt::weave(draft, id, c),
        (kind, target) => unreachable!("@{} does not go with {target:?}", kind.as_str()),
    }
}
