//! The markers of entries, as they are written: on an entry of `init`, or in `inject`.

use std::rc::Rc;

use crate::program::FaultTarget;
use crate::program::elaborate::init::{Creator, Entries, FrameId};
use crate::program::fault::Marks;
use crate::program::problem::EntryProblem;
use crate::syntax::ast::{self, EntryKind};

/// A marker, and what it marks. What its arguments mean is known only when the bodies of the processes are.
pub struct Marked<'a> {
    pub marker: &'a ast::Marker,
    /// What suffers the fault; several entries of a list.
    pub targets: Vec<FaultTarget>,
    /// Its position, if an array or a replicated entry is marked.
    pub index: Option<i64>,
    /// Where its arguments are evaluated, and to whose names its own belongs.
    pub frame: FrameId,
    /// The variables of the `for`s around the entry.
    pub loops: Rc<[(&'a ast::Name, i64)]>,
}

impl<'a> Creator<'_, 'a> {
    /// Notes the markers of an entry.
    pub fn add_markers(
        &mut self,
        entries: &Entries<'a>,
        markers: &'a [ast::Marker],
        target: FaultTarget,
        index: Option<i64>,
    ) {
        let loops: Rc<[_]> = entries.loops.as_slice().into();
        for marker in markers {
            self.made.markers.push(Marked {
                marker,
                targets: vec![target],
                index,
                frame: entries.frame,
                loops: loops.clone(),
            });
        }
    }

    /// A module instance cannot be marked; its entries can.
    pub fn module_markers(
        &mut self,
        module: &ast::Module,
        scope: usize,
        markers: &'a [ast::Marker],
    ) {
        for marker in markers {
            let Some(kind) = self.decls.fault_kind(marker, self.log) else {
                continue;
            };
            let mut entries = Vec::new();
            if let Some(init) = self.decls.units[scope].init {
                markable(&init.entries, kind.marks, &mut entries);
            }
            self.log.report(EntryProblem::ModuleMarker {
                module: module.name.text.clone(),
                entries,
                span: marker.span,
                name: marker.name.text.clone(),
            });
        }
    }
}

/// The entries of a module that a fault of a process, a detector or a channel can happen to.
fn markable(entries: &[ast::Entry], marks: Marks, names: &mut Vec<String>) {
    let channel = !matches!(marks, Marks::Process | Marks::Detector);
    for entry in entries {
        match &entry.kind {
            EntryKind::Instance { name, callee, .. }
                if (callee.text == "detector") == (marks == Marks::Detector) && !channel =>
            {
                names.push(name.name.text.clone());
            }
            EntryKind::Channel { name, .. } if channel => names.push(name.name.text.clone()),
            EntryKind::For { entries, .. } => markable(entries, marks, names),
            _ => {}
        }
    }
}
