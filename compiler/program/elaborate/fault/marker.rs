//! The markers of entries.

use crate::program::elaborate::init::Creator;
use crate::program::elaborate::scope::Scope;
use crate::program::elaborate::types::{Capacity, ChannelType};
use crate::program::fault::{FaultKind, Marks};
use crate::program::problem::{EntryProblem, Lint, SizeProblem};
use crate::program::{Fault, FaultTarget, Type, limits};
use crate::source::Span;
use crate::syntax::ast::{self, EntryKind};
use crate::vocabulary::{ChannelId, ProcessId};

/// A marker that has been understood.
struct Marked {
    kind: &'static FaultKind,
    max: Option<u32>,
    span: Span,
}

impl<'a> Creator<'_, 'a> {
    /// The markers of an entry; `on` says of what.
    fn markers(
        &mut self,
        scope: &mut Scope<'a>,
        markers: &'a [ast::Marker],
        on: &'static str,
        legal: impl Fn(Marks) -> bool,
    ) -> Vec<Marked> {
        let mut all: Vec<Marked> = Vec::new();
        for marker in markers {
            let max = match &marker.max {
                None => Some(None),
                Some(max) => self.exprs(scope).budget_number(max).map(Some),
            };
            let Some(kind) = self.decls.fault_kind(marker, self.log) else {
                continue;
            };
            if !legal(kind.marks) {
                self.log.report(EntryProblem::WrongMarker {
                    name: marker.name.text.clone(),
                    on,
                    wanted: kind.marks.as_str(),
                    span: marker.span,
                });
                continue;
            }
            if let Some(first) = all.iter().find(|other| other.kind == kind) {
                let first = first.span;
                self.log.report(EntryProblem::MarkerTwice {
                    name: kind.name.to_owned(),
                    span: marker.span,
                    first,
                });
                continue;
            }
            let clash = all.iter().find_map(|other| {
                let ways = [(kind, other.kind), (other.kind, kind)];
                let including = ways.into_iter().find(|(a, b)| a.can_do_all_of(b));
                including.map(|(more, less)| (more.name, less.name, other.span))
            });
            if let Some((more, less, first)) = clash {
                self.log.report(EntryProblem::MarkersExclude {
                    more,
                    less,
                    span: marker.span,
                    first,
                });
                continue;
            }
            let alias = kind.aliases.iter().find(|a| a.name == marker.name.text);
            if let Some(alias) = alias
                && let Some(warning) = alias.warning
            {
                self.log.report(Lint::SurprisingAlias {
                    alias: alias.name,
                    name: kind.name,
                    warning,
                    span: marker.span,
                });
            }
            if let Some(max) = max {
                all.push(Marked {
                    kind,
                    max,
                    span: marker.span,
                });
            }
        }
        all
    }

    /// The markers of a process.
    pub fn process_markers(
        &mut self,
        scope: &mut Scope<'a>,
        markers: &'a [ast::Marker],
        id: ProcessId,
    ) {
        for marked in self.markers(scope, markers, "a process", Marks::process) {
            self.made.faults.push(Fault {
                kind: marked.kind,
                target: FaultTarget::Process(id),
                max: marked.max,
                span: marked.span,
            });
        }
    }

    /// The markers of a channel, or of each element of an array.
    pub fn channel_markers(
        &mut self,
        scope: &mut Scope<'a>,
        markers: &'a [ast::Marker],
        ids: &[ChannelId],
        ty: &ChannelType,
    ) {
        let buffered = ty.capacity != Capacity::Rendezvous;
        let on = if buffered {
            "a channel"
        } else {
            "a rendezvous channel"
        };
        let marked = self.markers(scope, markers, on, |marks| marks.channel(buffered));
        for marked in marked.iter().filter(|marked| marked.kind.any_message) {
            let messages = ty
                .fields
                .iter()
                .map(|field| field.count(&self.decls.data))
                .fold(1u64, u64::saturating_mul);
            if messages - 1 > limits::OTHER_MESSAGES {
                let channel = &self.made.channels[ids[0].0 as usize];
                let problem = SizeProblem::OtherMessages {
                    fault: marked.kind.name,
                    channel: channel.name.clone(),
                    count: messages,
                    span: channel.span,
                    marker: marked.span,
                };
                self.log.report(problem);
            }
            for field in &ty.fields {
                if let Type::Data(data) = field.scalar() {
                    self.log.uses.arbitrary.insert(*data);
                }
            }
        }
        for id in ids {
            for marked in &marked {
                self.made.faults.push(Fault {
                    kind: marked.kind,
                    target: FaultTarget::Channel(*id),
                    max: marked.max,
                    span: marked.span,
                });
            }
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
            let process = kind.marks.process();
            let mut entries = Vec::new();
            if let Some(init) = self.decls.units[scope].init {
                markable(&init.entries, process, &mut entries);
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

/// The entries of a module that a fault of a process, or of a channel, can happen to.
fn markable(entries: &[ast::Entry], process: bool, names: &mut Vec<String>) {
    for entry in entries {
        match &entry.kind {
            EntryKind::Instance { name, .. } if process => names.push(name.name.text.clone()),
            EntryKind::Channel { name, .. } if !process => names.push(name.name.text.clone()),
            EntryKind::For { entries, .. } => markable(entries, process, names),
            _ => {}
        }
    }
}
