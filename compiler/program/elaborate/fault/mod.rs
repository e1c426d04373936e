//! Faults: the markers of entries and the budgets they share.

mod idle;
mod limit;
mod marker;

pub use idle::idle_markers;
pub use limit::limits;

use super::expr::Expressions;
use super::log::Log;
use crate::program::FaultKind;
use crate::program::problem::EntryProblem;
use crate::syntax::ast;

/// The names of markers, aliases included.
const MARKERS: [(&str, FaultKind); 8] = [
    ("shutdown", FaultKind::Shutdown),
    ("unstable", FaultKind::Shutdown),
    ("restart", FaultKind::Restart),
    ("reboot", FaultKind::Restart),
    ("drop", FaultKind::Drop),
    ("duplicate", FaultKind::Duplicate),
    ("reorder", FaultKind::Reorder),
    ("corrupt", FaultKind::Corrupt),
];

impl Log {
    /// The fault a marker names.
    fn marker_kind(&mut self, marker: &ast::Marker) -> Option<FaultKind> {
        let name = marker.name.text.as_str();
        if let Some((_, kind)) = MARKERS.iter().find(|(known, _)| *known == name) {
            return Some(*kind);
        }
        let suggestion = self.near(name, MARKERS.iter().map(|(known, _)| *known));
        self.report(EntryProblem::UnknownMarker {
            name: name.to_owned(),
            span: marker.span,
            suggestion,
        });
        None
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
