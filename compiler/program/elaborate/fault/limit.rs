//! `limit`: budgets that several faults share.

use rustc_hash::FxHashMap;

use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::expr::{Context, Expressions, Site};
use crate::program::elaborate::init::{Entity, Instances, TOP};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::Scope;
use crate::program::elaborate::stmt::NO_VARIABLES;
use crate::program::fault::FaultKind;
use crate::program::problem::EntryProblem;
use crate::program::{FaultTarget, Limit};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::FaultId;

/// All `limit k { .. }`.
pub fn limits<'a>(decls: &'a Declarations<'a>, made: &Instances<'a>, log: &mut Log) -> Vec<Limit> {
    let by_target: FxHashMap<(FaultTarget, &'static FaultKind), FaultId> = made
        .faults
        .iter()
        .enumerate()
        .map(|(i, fault)| ((fault.target, fault.kind), FaultId(i as u32)))
        .collect();
    let mut limits = Vec::new();
    for limit in &decls.limits {
        let mut exprs = Expressions {
            decls,
            made,
            variables: &NO_VARIABLES,
            log,
            scope: &mut Scope::new(TOP),
            context: Context::new(Site::Constant),
        };
        let bound = exprs.budget_number(&limit.bound);
        let mut seen: FxHashMap<FaultId, Span> = FxHashMap::default();
        let mut faults = Vec::new();
        for item in &limit.items {
            for id in exprs.limited(item, &by_target) {
                match seen.insert(id, item.span) {
                    None => faults.push(id),
                    Some(first) => {
                        let name = exprs.fault_name(id);
                        exprs.log.report(EntryProblem::LimitTwice {
                            name,
                            span: item.span,
                            first,
                        });
                    }
                }
            }
        }
        if let Some(bound) = bound {
            limits.push(Limit {
                bound,
                faults,
                span: limit.keyword,
            });
        }
    }
    limits
}

impl<'a> Expressions<'_, 'a> {
    fn fault_name(&self, id: FaultId) -> String {
        let fault = &self.made.faults[id.0 as usize];
        format!("{} @{}", self.target_name(fault.target), fault.kind.name)
    }

    fn target_name(&self, target: FaultTarget) -> &str {
        match target {
            FaultTarget::Process(id) => &self.made.processes[id.0 as usize].name,
            FaultTarget::Channel(id) => &self.made.channels[id.0 as usize].name,
        }
    }

    /// The faults that an item of `limit` means.
    fn limited(
        &mut self,
        item: &'a ast::LimitItem,
        by_target: &FxHashMap<(FaultTarget, &'static FaultKind), FaultId>,
    ) -> Vec<FaultId> {
        if let Some(max) = &item.marker.max {
            self.log.report(EntryProblem::MaxInLimit { span: max.span });
        }
        let kind = self.decls.fault_kind(&item.marker, self.log);
        let entity = self.entity(&item.target, "process or channel");
        let (Some(kind), Some(entity)) = (kind, entity) else {
            return Vec::new();
        };
        let targets: Vec<FaultTarget> = match &entity {
            Entity::Channel(id) => vec![FaultTarget::Channel(*id)],
            Entity::Process(id) => vec![FaultTarget::Process(*id)],
            Entity::Channels(all) => all.iter().map(|id| FaultTarget::Channel(*id)).collect(),
            Entity::Processes(all) => all.iter().map(|id| FaultTarget::Process(*id)).collect(),
            Entity::Module(_) | Entity::Modules(_) | Entity::Broken => {
                self.log.misplaced(
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
                        FaultTarget::Process(id) => self.made.processes[id.0 as usize].span,
                        FaultTarget::Channel(id) => self.made.channels[id.0 as usize].span,
                    };
                    self.log.report(EntryProblem::NotMarked {
                        target: self.target_name(target).to_owned(),
                        marker: kind.name.to_owned(),
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
