//! What stands before and after a `.`: constructors with their type, and the state of a process parameter.

use super::{Expressions, Site, unparenthesised};
use crate::program::elaborate::init::Entity;
use crate::program::elaborate::scope::Binding;
use crate::program::problem::{NameProblem, ProcessProblem};
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::ProcessId;

impl<'a> Expressions<'_, 'a> {
    /// `D.F`, `q.crashed`, and in specifications `p.x`.
    pub fn field(
        &mut self,
        expr: &'a ast::Expr,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Expr> {
        if let Some(result) = self.of_function(expr.span, base, name, number) {
            return result;
        }
        if number.is_none()
            && let Some(result) = self.chosen_state(base, name, expr.span)
        {
            return result;
        }
        if let Ast::Name(owner) = &unparenthesised(base).kind {
            if number.is_none()
                && let Some(result) = self.process_state(owner, base.span, name, expr.span)
            {
                return result;
            }
            if let Some(&data) = self.decls.data_ids.get(owner.as_str())
                && number.is_none()
            {
                let constructors = &self.decls.constructors;
                let found = constructors
                    .get(name.text.as_str())
                    .and_then(|all| all.iter().find(|(id, _)| *id == data));
                if let Some((_, index)) = found {
                    let index = *index;
                    if !self.entry_has_variable(owner, &name.text) {
                        return self.constructor_value(data, index, expr.span);
                    }
                } else if !self.made.frames[self.scope.frame.0]
                    .entries
                    .contains_key(owner.as_str())
                {
                    self.unknown_constructor(data, name);
                    return None;
                }
            }
        }
        if number.is_none() && self.is_value(base) {
            return self.part(expr.span, base, name);
        }
        if self.context.specification {
            self.variable_of(expr.span, base, name, number)
        } else {
            self.field_outside_specification(expr, base, name)
        }
    }

    pub fn field_outside_specification(
        &mut self,
        expr: &'a ast::Expr,
        base: &'a ast::Expr,
        name: &'a ast::Name,
    ) -> Option<Expr> {
        let Ast::Name(owner) = &unparenthesised(base).kind else {
            self.log.misplaced("`.` cannot stand here", expr.span, None);
            return None;
        };
        if let Some(local) = self.lookup(owner) {
            if !matches!(local.binding, Binding::Broken) {
                self.log
                    .misplaced(format!("`{owner}` has no `{}`", name.text), expr.span, None);
            }
            return None;
        }
        if self.made.frames[0].entries.contains_key(owner.as_str()) {
            self.log.misplaced(
                "a process cannot read the variables of another",
                expr.span,
                Some("send the value on a channel; for `.crashed` and `.done` pass the instance as a `process` parameter"),
            );
            return None;
        }
        let suggestion = {
            let types = self.decls.data_ids.keys().copied();
            let locals = self
                .scope
                .locals()
                .filter(|(_, local)| matches!(local.binding, Binding::Process(_)))
                .map(|(name, _)| name);
            self.log
                .near(owner, types.chain(locals).collect::<Vec<_>>())
        };
        let problem = NameProblem::Unknown {
            name: owner.clone(),
            span: base.span,
            suggestion,
            what: "name",
        };
        self.log
            .report_unknown(self.log.lost.declarations || self.scope.lost, problem);
        None
    }

    /// `q.crashed` and `q.done` of a process parameter; `None` if the name is something else.
    pub fn process_state(
        &mut self,
        owner: &str,
        owner_span: Span,
        name: &ast::Name,
        span: Span,
    ) -> Option<Option<Expr>> {
        let local = self.find(owner)?;
        let Binding::Process(id) = local.binding else {
            return match local.binding {
                Binding::Broken => Some(None),
                _ => None,
            };
        };
        self.log.uses.read.insert(local.span);
        let state = self.state_of(id, owner, name, owner_span.to(name.span));
        Some(state.map(|kind| Expr {
            kind,
            ty: Type::Bool,
            span,
        }))
    }

    /// `crashed` or `done` of a process that its parameter, as it is written, names.
    pub fn state_of(
        &mut self,
        process: ProcessId,
        written: &str,
        name: &ast::Name,
        span: Span,
    ) -> Option<ExprKind> {
        match name.text.as_str() {
            "done" => Some(ExprKind::Done(process)),
            "crashed" => Some(ExprKind::Crashed(process)),
            field => {
                self.log.report(ProcessProblem::ProcessState {
                    name: written.to_owned(),
                    field: field.to_owned(),
                    span,
                });
                None
            }
        }
    }

    /// Whether an entry has a variable or parameter of this name, so that `D.F` means that and not a
    /// constructor.
    pub fn entry_has_variable(&self, owner: &str, name: &str) -> bool {
        if !matches!(self.context.site, Site::Spec(_)) {
            return false;
        }
        match self.made.frames[0].entries.get(owner).map(|e| &e.entity) {
            Some(Entity::Process(id)) => {
                let instance = &self.made.instances[id.0 as usize];
                instance.proc.outline.variables.contains_key(name)
                    || instance.proc.ast.params.iter().any(|p| p.name.text == name)
            }
            _ => false,
        }
    }
}
