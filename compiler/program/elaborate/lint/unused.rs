//! Variables, procs, modules and parameters that nobody uses.

use super::Lints;
use crate::program::problem::Lint;
use crate::syntax::ast;

impl<'a> Lints<'_, 'a> {
    /// What an imported proc remembers may be for specifications of others.
    pub fn unused_variables(&mut self) {
        for (name, span) in std::mem::take(&mut self.log.uses.variables) {
            if Some(span.file) != self.decls.main {
                continue;
            }
            if !name.starts_with('_') && !self.log.uses.read.contains(&span) {
                let written = self.log.uses.written.contains(&span);
                self.log.report(Lint::UnusedVariable {
                    name,
                    written,
                    span,
                });
            }
        }
    }

    /// Procs, modules and parameters. What an imported file defines need not be used.
    pub fn unused_definitions(&mut self) {
        let main = self.decls.main;
        for scope in 0..self.decls.units.len() {
            let definition = &self.decls.units[scope];
            let mut unused: Vec<(&'a ast::Name, &'static str)> = Vec::new();
            let mut params: Vec<&'a ast::Param> = Vec::new();
            if let Some(module) = definition.module {
                unused.push((&module.name, "module"));
                params.extend(&module.params);
            }
            for proc in &definition.procs {
                unused.push((&proc.ast.name, "proc"));
                params.extend(&proc.ast.params);
            }
            for func in &definition.funcs {
                unused.push((&func.proc.ast.name, "function"));
                params.extend(&func.proc.ast.params);
            }
            if scope == 0 {
                let faults = self.decls.definitions.values();
                unused.extend(faults.map(|own| (&own.ast.name, "fault")));
            }
            unused.retain(|(name, _)| {
                Some(name.span.file) == main
                    && !name.text.starts_with('_')
                    && !self.log.uses.instantiated.contains(&name.span)
            });
            params.retain(|param| {
                !param.name.text.starts_with('_') && !self.log.uses.read.contains(&param.name.span)
            });
            for (name, what) in unused {
                self.log.report(Lint::UnusedProc {
                    name: name.text.clone(),
                    what,
                    span: name.span,
                });
            }
            for param in params {
                self.log.report(Lint::UnusedParameter {
                    name: param.name.text.clone(),
                    span: param.name.span,
                });
            }
        }
    }
}
