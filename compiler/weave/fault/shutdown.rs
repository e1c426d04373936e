//! `@shutdown`: crash-stop.
//!
//! ```text
//! before   s0 --recv--> s1 --offer--> (inside) --complete--> done
//! after    ... and s0 --crash--> crashed, s1 --crash--> crashed
//! ```
//!
//! A process crashes where a statement begins, also while it is blocked there, never inside one.

use super::anytime::{self, Place};
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, fault_edge};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let span = draft.about[process.0 as usize].span;
    let edge = fault_edge(fault, Vec::new(), span);
    anytime::crash(draft, fault, Place::any(process), &edge);
}
