//! Faults: the markers of entries and the budgets they share.

mod idle;
mod limit;
mod marker;

pub use idle::idle_markers;
pub use limit::limits;

use super::declare::Declarations;
use super::expr::Expressions;
use super::log::Log;
use crate::program::fault::FaultKind;
use crate::program::problem::EntryProblem;
use crate::syntax::ast;

impl Declarations<'_> {
    /// The fault a marker names.
    fn fault_kind(&self, marker: &ast::Marker, log: &mut Log) -> Option<&'static FaultKind> {
        let name = marker.name.text.as_str();
        let found = self.faults.iter().find(|kind| kind.is_called(name));
        if found.is_none() {
            let word = name.to_ascii_lowercase();
            let meant = self
                .faults
                .iter()
                .find(|kind| kind.meant_by.contains(&&*word));
            let names = self.faults.iter().flat_map(|kind| kind.names());
            let suggestion = match meant {
                Some(kind) => Some(kind.name.to_owned()),
                None => log.near(name, names),
            };
            log.report(EntryProblem::UnknownMarker {
                name: name.to_owned(),
                known: self.faults.iter().map(|kind| kind.name).collect(),
                span: marker.span,
                suggestion,
            });
        }
        found.copied()
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
