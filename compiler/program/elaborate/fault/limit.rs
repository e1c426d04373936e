//! `limit`: budgets that several faults share.

use rustc_hash::FxHashMap;

use super::argument::{TIMING, word};
use super::fault_targets;
use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::expr::{Context, Expressions, Site};
use crate::program::elaborate::init::{Entity, Instances, TOP};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::Scope;
use crate::program::elaborate::stmt::NO_VARIABLES;
use crate::program::problem::EntryProblem;
use crate::program::{FaultTarget, Limit};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::FaultId;

/// All `limit k { .. }`.
pub fn limits<'a>(decls: &'a Declarations<'a>, made: &Instances<'a>, log: &mut Log) -> Vec<Limit> {
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
            for id in exprs.limited(item) {
                match seen.insert(id, item.span) {
                    None => faults.push(id),
                    Some(first) => {
                        let fault = &exprs.made.faults[id.0 as usize];
                        exprs.log.report(EntryProblem::LimitTwice {
                            name: fault.name.replacen('@', " @", 1),
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
    /// The faults that an item of `limit` means.
    fn limited(&mut self, item: &'a ast::LimitItem) -> Vec<FaultId> {
        let Some(marker) = &item.marker else {
            return self.named_faults(&item.target).unwrap_or_default();
        };
        if let Some(alias) = &marker.alias {
            let span = alias.span;
            self.log.report(EntryProblem::MisplacedAlias { span });
        }
        let is_timing = |arg: &&ast::MarkerArg| {
            let word = word(arg).unwrap_or_default();
            arg.name.is_some() || TIMING.iter().any(|(timing, _)| *timing == word)
        };
        if let Some(arg) = marker.args.iter().find(is_timing) {
            let span = arg.value.span;
            self.log.report(EntryProblem::MaxInLimit { span });
            return Vec::new();
        }
        let args = marker.args.iter().map(|arg| &arg.value);
        let shown: Vec<String> = args.map(crate::syntax::print::expr).collect();
        let kind = self.decls.fault_kind(marker, self.log);
        let entity = self.entity(&item.target, "process or channel");
        let (Some(kind), Some(entity)) = (kind, entity) else {
            return Vec::new();
        };
        let Some(targets) = fault_targets(&entity) else {
            self.log.misplaced(
                format!("`limit` cannot count the faults of {}", entity.what()),
                item.target.span,
                Some("name its entries, as in `m.w`"),
            );
            return Vec::new();
        };
        let mut faults = Vec::with_capacity(targets.len());
        for target in targets {
            let all = self.made.faults.iter().enumerate();
            let found = all.filter(|(_, f)| {
                f.kind == kind && f.targets.contains(&target) && f.takes_also(&shown)
            });
            let before = faults.len();
            for (id, _) in found {
                let id = FaultId(id as u32);
                if !faults.contains(&id) {
                    faults.push(id);
                }
            }
            if faults.len() == before {
                let (name, declared) = match target {
                    FaultTarget::Process(id) => {
                        let process = &self.made.processes[id.0 as usize];
                        (&process.name, process.span)
                    }
                    FaultTarget::Channel(id) => {
                        let channel = &self.made.channels[id.0 as usize];
                        (&channel.name, channel.span)
                    }
                    FaultTarget::Detector(id) => {
                        let detector = &self.made.detectors[id.0 as usize];
                        (&detector.name, detector.span)
                    }
                };
                self.log.report(EntryProblem::NotMarked {
                    target: name.clone(),
                    marker: kind.name.to_string(),
                    span: item.span,
                    declared: Some(declared),
                });
                return Vec::new();
            }
        }
        faults
    }

    /// The faults that a name after `as` stands for.
    pub fn named_faults(&mut self, name: &'a ast::Expr) -> Option<Vec<FaultId>> {
        match self.entity(name, "fault")? {
            Entity::Fault(id) => Some(vec![id]),
            Entity::Faults(all) => Some(all.to_vec()),
            other => {
                self.log.misplaced(
                    format!("{} is no fault", other.what()),
                    name.span,
                    Some("write which fault of it, `@` and its marker after the name"),
                );
                None
            }
        }
    }
}
