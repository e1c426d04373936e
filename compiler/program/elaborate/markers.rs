//! Markers and `limit`: which faults may happen to what, and how often.

use rustc_hash::FxHashMap;

use super::Checker;
use super::definitions::FrameId;
use super::entities::Entity;
use super::scope::{Place, Scope};
use super::typing::{Capacity, ChannelType};
use crate::program::problem::{EntryProblem, Lint, SizeProblem};
use crate::program::{Fault, FaultKind, FaultTarget, Limit, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::EntryKind;
use crate::vocabulary::{ChannelId, FaultId, ProcessId};

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

/// A marker that has been understood.
struct Marked {
    kind: FaultKind,
    max: Option<u32>,
    span: Span,
}

impl<'a> Checker<'a> {
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

    /// The markers of an entry; `on` says of what.
    fn markers(
        &mut self,
        scope: &mut Scope<'a>,
        markers: &'a [ast::Marker],
        on: &'static str,
        legal: impl Fn(FaultKind) -> bool,
    ) -> Vec<Marked> {
        let mut all: Vec<Marked> = Vec::new();
        for marker in markers {
            let max = match &marker.max {
                None => Some(None),
                Some(max) => self.budget_number(scope, max).map(Some),
            };
            let Some(kind) = self.marker_kind(marker) else {
                continue;
            };
            if !legal(kind) {
                self.report(EntryProblem::WrongMarker {
                    name: marker.name.text.clone(),
                    on,
                    wanted: match kind {
                        FaultKind::Shutdown | FaultKind::Restart => "a process",
                        FaultKind::Reorder => "a buffered channel",
                        _ => "a channel",
                    },
                    span: marker.span,
                });
                continue;
            }
            if let Some(first) = all.iter().find(|other| other.kind == kind) {
                let first = first.span;
                self.report(EntryProblem::MarkerTwice {
                    name: kind.as_str().to_owned(),
                    span: marker.span,
                    first,
                });
                continue;
            }
            let process = |kind| matches!(kind, FaultKind::Shutdown | FaultKind::Restart);
            if process(kind)
                && let Some(first) = all.iter().find(|other| process(other.kind))
            {
                let first = first.span;
                self.report(EntryProblem::MarkersExclude {
                    span: marker.span,
                    first,
                });
                continue;
            }
            if marker.name.text == "reboot" {
                self.report(Lint::AliasResets { span: marker.span });
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

    /// A number of faults.
    fn budget_number(&mut self, scope: &mut Scope<'a>, number: &'a ast::Expr) -> Option<u32> {
        let value = self.constant_int(scope, number, "a number of faults")?;
        match u32::try_from(value) {
            Ok(value) => Some(value),
            Err(_) => {
                self.report_value(EntryProblem::BadBudget {
                    found: value.to_string(),
                    span: number.span,
                });
                None
            }
        }
    }

    /// The markers of a process.
    pub fn process_markers(
        &mut self,
        scope: &mut Scope<'a>,
        markers: &'a [ast::Marker],
        id: ProcessId,
    ) {
        let legal = |kind| matches!(kind, FaultKind::Shutdown | FaultKind::Restart);
        for marked in self.markers(scope, markers, "a process", legal) {
            self.program.faults.push(Fault {
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
        let marked = self.markers(scope, markers, on, |kind| match kind {
            FaultKind::Shutdown | FaultKind::Restart => false,
            FaultKind::Reorder => buffered,
            _ => true,
        });
        for marked in &marked {
            if marked.kind != FaultKind::Corrupt {
                continue;
            }
            let messages = ty
                .fields
                .iter()
                .map(|field| field.count(&self.program.data))
                .fold(1u64, u64::saturating_mul);
            if messages - 1 > limits::CORRUPTIONS {
                let channel = &self.program.channels[ids[0].0 as usize];
                let problem = SizeProblem::Corruptions {
                    channel: channel.name.clone(),
                    count: messages,
                    span: channel.span,
                    marker: marked.span,
                };
                self.report(problem);
            }
            for field in &ty.fields {
                if let crate::program::Type::Data(data) = field.scalar() {
                    self.uses.arbitrary.insert(*data);
                }
            }
        }
        for id in ids {
            for marked in &marked {
                self.program.faults.push(Fault {
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
            let Some(kind) = self.marker_kind(marker) else {
                continue;
            };
            let process = matches!(kind, FaultKind::Shutdown | FaultKind::Restart);
            let mut entries = Vec::new();
            if let Some(init) = self.definitions.scopes[scope].init {
                markable(&init.entries, process, &mut entries);
            }
            self.report(EntryProblem::ModuleMarker {
                module: module.name.text.clone(),
                entries,
                span: marker.span,
                name: marker.name.text.clone(),
            });
        }
    }

    /// `limit k { .. }`
    pub fn limits(&mut self) {
        let by_target: FxHashMap<(FaultTarget, FaultKind), FaultId> = self
            .program
            .faults
            .iter()
            .enumerate()
            .map(|(i, fault)| ((fault.target, fault.kind), FaultId(i as u32)))
            .collect();
        for limit in std::mem::take(&mut self.definitions.limits) {
            let mut scope = Scope::new(FrameId(0), Place::Constant);
            let bound = self.budget_number(&mut scope, &limit.bound);
            let mut seen: FxHashMap<FaultId, Span> = FxHashMap::default();
            let mut faults = Vec::new();
            for item in &limit.items {
                for id in self.limited(&mut scope, item, &by_target) {
                    match seen.insert(id, item.span) {
                        None => faults.push(id),
                        Some(first) => self.report(EntryProblem::LimitTwice {
                            name: self.fault_name(id),
                            span: item.span,
                            first,
                        }),
                    }
                }
            }
            if let Some(bound) = bound {
                self.program.limits.push(Limit {
                    bound,
                    faults,
                    span: limit.keyword,
                });
            }
        }
    }

    fn fault_name(&self, id: FaultId) -> String {
        let fault = &self.program.faults[id.0 as usize];
        format!(
            "{} @{}",
            self.target_name(fault.target),
            fault.kind.as_str()
        )
    }

    fn target_name(&self, target: FaultTarget) -> &str {
        match target {
            FaultTarget::Process(id) => &self.program.processes[id.0 as usize].name,
            FaultTarget::Channel(id) => &self.program.channels[id.0 as usize].name,
        }
    }

    /// The faults that an item of `limit` means.
    fn limited(
        &mut self,
        scope: &mut Scope<'a>,
        item: &'a ast::LimitItem,
        by_target: &FxHashMap<(FaultTarget, FaultKind), FaultId>,
    ) -> Vec<FaultId> {
        if let Some(max) = &item.marker.max {
            self.report(EntryProblem::MaxInLimit { span: max.span });
        }
        let kind = self.marker_kind(&item.marker);
        let entity = self.entity(scope, &item.target, "process or channel");
        let (Some(kind), Some(entity)) = (kind, entity) else {
            return Vec::new();
        };
        let targets: Vec<FaultTarget> = match &entity {
            Entity::Channel(id) => vec![FaultTarget::Channel(*id)],
            Entity::Process(id) => vec![FaultTarget::Process(*id)],
            Entity::Channels(all) => all.iter().map(|id| FaultTarget::Channel(*id)).collect(),
            Entity::Processes(all) => all.iter().map(|id| FaultTarget::Process(*id)).collect(),
            Entity::Module(_) | Entity::Modules(_) | Entity::Broken => {
                self.misplaced(
                    format!("`limit` cannot count the faults of {}", entity.what()),
                    item.target.span,
                    Some("name its entries, as in `m.w`"),
                );
                return Vec::new();
            }
        };
        let mut faults = Vec::with_capacity(targets.len());
        for target in targets {
            match by_target.get(&(target, kind)) {
                Some(id) => faults.push(*id),
                None => {
                    let declared = match target {
                        FaultTarget::Process(id) => self.program.processes[id.0 as usize].span,
                        FaultTarget::Channel(id) => self.program.channels[id.0 as usize].span,
                    };
                    self.report(EntryProblem::NotMarked {
                        target: self.target_name(target).to_owned(),
                        marker: kind.as_str().to_owned(),
                        span: item.span,
                        declared: Some(declared),
                    });
                    return Vec::new();
                }
            }
        }
        faults
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
