//! Modules that contain themselves.

use super::Declarations;
use super::order::dependency_order;
use crate::program::elaborate::log::Log;
use crate::program::limits;
use crate::program::problem::{NameProblem, SizeProblem};
use crate::syntax::ast;

/// Marks the modules that contain themselves, and limits how deep the others nest.
pub fn find_cycles(declarations: &mut Declarations<'_>, log: &mut Log) {
    let count = declarations.units.len();
    let inner: Vec<Vec<usize>> = declarations
        .units
        .iter()
        .map(|unit| {
            let mut names = Vec::new();
            if let Some(init) = unit.init {
                callees(&init.entries, &mut names);
            }
            let mut ids: Vec<usize> = names
                .iter()
                .filter(|name| !unit.proc_ids.contains_key(name.text.as_str()))
                .filter_map(|name| declarations.modules.get(name.text.as_str()).copied())
                .collect();
            ids.dedup();
            ids
        })
        .collect();
    let order = dependency_order(count, &inner);
    for cycle in &order.cycles {
        let modules: Vec<&ast::Module> = cycle
            .iter()
            .filter_map(|id| declarations.units[*id].module)
            .collect();
        let Some(first) = modules.first() else {
            continue;
        };
        log.report(NameProblem::ModuleCycle {
            names: modules.iter().map(|m| m.name.text.clone()).collect(),
            span: first.name.span,
        });
    }
    let mut depth = vec![0usize; count];
    for id in &order.order {
        depth[*id] = inner[*id].iter().map(|i| depth[*i] + 1).max().unwrap_or(0);
        if depth[*id] == limits::MODULE_DEPTH
            && let Some(module) = declarations.units[*id].module
        {
            log.report(SizeProblem::ModuleDepth {
                span: module.name.span,
            });
        }
    }
    for (id, depth) in depth.into_iter().enumerate() {
        declarations.units[id].cyclic = order.faulty[id] || depth >= limits::MODULE_DEPTH;
    }
}
/// The procs and modules that entries create.
fn callees<'a>(entries: &'a [ast::Entry], names: &mut Vec<&'a ast::Name>) {
    for entry in entries {
        match &entry.kind {
            ast::EntryKind::Instance { callee, .. } => names.push(callee),
            ast::EntryKind::For { entries, .. } => callees(entries, names),
            ast::EntryKind::Channel { .. } | ast::EntryKind::Error => {}
        }
    }
}
