//! The atoms of specifications: variables, locations and buffers of the system.

use std::rc::Rc;

use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::init::Entity;
use crate::program::elaborate::scope::Binding;
use crate::program::problem::{NameProblem, PropertyProblem};
use crate::program::{Expr, ExprKind, Type, Value, VariableId};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::ProcessId;

impl<'a> Expressions<'_, 'a> {
    /// The process that an expression in a specification names.
    pub fn process_of(&mut self, base: &'a ast::Expr, suffix: &str) -> Option<ProcessId> {
        match self.entity(base, "process")? {
            Entity::Process(id) => Some(id),
            other => {
                self.log.misplaced(
                    format!("{} has no {suffix}", other.what()),
                    base.span,
                    match other {
                        Entity::Processes(_) | Entity::Modules(_) => {
                            Some("name one of its elements, as in `w[0]`")
                        }
                        Entity::Module(_) => Some("name one of its processes, as in `m.w`"),
                        _ => None,
                    },
                );
                None
            }
        }
    }

    /// `p.x`, `p.x#2`, `p.done`
    pub fn variable_of(
        &mut self,
        span: Span,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Expr> {
        if let Some(ticked) = self.of_clock(base, name) {
            return ticked.then_some(Expr {
                kind: ExprKind::Ticked,
                ty: Type::Bool,
                span,
            });
        }
        if self.is_module(base) {
            // `m.w` alone.
            return match self.module_entry(base, name)? {
                what @ ("a process" | "a channel" | "a detector") => {
                    let hint = match what {
                        "a process" => format!("name one of its variables, or `.{}`", "done"),
                        "a detector" => "write `suspects(..)` around it".to_owned(),
                        _ => "write `len(..)`, `full(..)` or `empty(..)` around it".to_owned(),
                    };
                    self.log.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint,
                        span,
                    });
                    None
                }
                what => {
                    self.log.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint: "name one of its elements".to_owned(),
                        span,
                    });
                    None
                }
            };
        }
        let process = self.process_of(base, "variables")?;
        if number.is_none() {
            let state = match name.text.as_str() {
                "done" => Some(ExprKind::Done(process)),
                "crashed" => Some(ExprKind::Crashed(process)),
                "failed" => Some(ExprKind::Failed(process)),
                // Not reserved: a variable of this name hides it.
                "waiting"
                    if matches!(self.find_variable(process, "waiting", None), Named::Nothing) =>
                {
                    Some(ExprKind::Waiting(process))
                }
                _ => None,
            };
            if let Some(kind) = state {
                return Some(Expr {
                    kind,
                    ty: Type::Bool,
                    span,
                });
            }
        }
        self.variable_in(process, span, &name.text, name.span, number)
    }

    /// The variable or parameter of a process with this name, which stands at `place`.
    pub fn variable_in(
        &mut self,
        process: ProcessId,
        span: Span,
        name: &str,
        place: Span,
        number: Option<u32>,
    ) -> Option<Expr> {
        let shown = &self.made.processes[process.0 as usize].name;
        match self.find_variable(process, name, number) {
            Named::Variable(id, declared) => {
                self.log.uses.read.insert(declared);
                Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: self.variables.get(id).ty.clone(),
                    span,
                })
            }
            Named::Value(value, declared) => {
                self.log.uses.read.insert(declared);
                Some(Expr::constant((*value).clone(), span))
            }
            Named::Faulty => {
                if self.log.problems.errors() == 0 && !self.log.incomplete {
                    let problem = NameProblem::NeverDeclared {
                        process: shown.clone(),
                        name: name.to_owned(),
                        span,
                    };
                    self.log.report(problem);
                }
                None
            }
            Named::NoValue(what, declared) => {
                let problem = NameProblem::NotReadable {
                    process: shown.clone(),
                    name: name.to_owned(),
                    span,
                    what,
                    declared,
                };
                self.log.report(problem);
                None
            }
            Named::Several(declared) => {
                let problem = NameProblem::AmbiguousVariable {
                    process: shown.clone(),
                    name: name.to_owned(),
                    span,
                    declared,
                };
                self.log.report(problem);
                None
            }
            Named::TooFew(count) => {
                let problem = NameProblem::NoSuchDeclaration {
                    process: shown.clone(),
                    name: name.to_owned(),
                    number: number.unwrap_or(0),
                    count,
                    span,
                };
                self.log.report(problem);
                None
            }
            Named::Nothing => {
                let instance = &self.made.instances[process.0 as usize];
                let values = instance
                    .proc
                    .ast
                    .params
                    .iter()
                    .zip(&instance.arguments)
                    .filter(|(_, local)| matches!(local.binding, Binding::Value(_)))
                    .map(|(param, _)| param.name.text.as_str());
                let candidates: Vec<&str> = instance
                    .proc
                    .outline
                    .variables
                    .keys()
                    .copied()
                    .chain(values)
                    .chain(["done", "crashed", "failed"])
                    .collect();
                let problem = NameProblem::UnknownVariable {
                    process: shown.clone(),
                    name: name.to_owned(),
                    span: place,
                    suggestion: self.log.near(name, candidates),
                };
                let lost = instance.proc.outline.lost;
                self.log.report_unknown(lost, problem);
                None
            }
        }
    }

    /// `p.quorum.x` and `p@quorum.L`: what belongs to a function that a process calls; `None` if it is something else.
    pub fn of_function(
        &mut self,
        span: Span,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Option<Expr>> {
        if !self.context.specification {
            return None;
        }
        let (owner, function, label) = match &unparenthesised(base).kind {
            Ast::Field(owner, function, None) => (owner, function, false),
            Ast::At(owner, function) => (owner, function, true),
            _ => return None,
        };
        let Some(Entity::Process(process)) = self.probe_entity(owner) else {
            return None;
        };
        let instance = &self.made.instances[process.0 as usize];
        let unit = self.made.frames[instance.frame.0].unit;
        let (_, func) = self.decls.func(unit, &function.text)?;
        if !label
            && !matches!(
                self.find_variable(process, &function.text, None),
                Named::Nothing
            )
        {
            return None;
        }
        // The probe looks at one element of an array only.
        let process = match self.process_of(owner, "functions") {
            Some(process) => process,
            None => return Some(None),
        };
        if label {
            return Some(self.label_of(
                process,
                &format!("{}.{}", function.text, name.text),
                span,
                name,
            ));
        }
        let outline = &func.proc.outline;
        let declared = outline.variables.get(name.text.as_str()).map(Vec::as_slice);
        let place = match (declared, number) {
            (Some([only]), None) => Some(*only),
            (Some(all), Some(number)) => {
                let index = (number as usize).checked_sub(1);
                index.and_then(|index| all.get(index)).copied()
            }
            (Some(all), None) => {
                self.log.report(NameProblem::AmbiguousVariable {
                    process: format!(
                        "{}.{}",
                        self.made.processes[process.0 as usize].name, function.text
                    ),
                    name: name.text.clone(),
                    span,
                    declared: all.to_vec(),
                });
                return Some(None);
            }
            (None, _) => None,
        };
        let found =
            place.and_then(|place| Some((self.variables.declared_at(process, place)?, place)));
        let Some((id, place)) = found else {
            let known = outline.variables.keys().copied();
            let problem = NameProblem::UnknownVariable {
                process: format!(
                    "{}.{}",
                    self.made.processes[process.0 as usize].name, function.text
                ),
                name: name.text.clone(),
                span: name.span,
                suggestion: self.log.near(&name.text, known),
            };
            self.log
                .report_unknown(outline.lost || func.cyclic, problem);
            return Some(None);
        };
        self.log.uses.read.insert(place);
        Some(Some(Expr {
            kind: ExprKind::Variable(id),
            ty: self.variables.get(id).ty.clone(),
            span,
        }))
    }

    pub fn find_variable(&self, process: ProcessId, name: &str, number: Option<u32>) -> Named {
        let instance = &self.made.instances[process.0 as usize];
        let declared = instance.proc.outline.variables.get(name).map(Vec::as_slice);
        let parameter = instance
            .proc
            .ast
            .params
            .iter()
            .position(|param| param.name.text == name);
        let span = match (declared, number, parameter) {
            (Some([only]), None, None) => *only,
            (Some(all), None, _) => return Named::Several(all.to_vec()),
            (Some(all), Some(number), _) => {
                match (number as usize).checked_sub(1).and_then(|i| all.get(i)) {
                    Some(span) => *span,
                    None => return Named::TooFew(all.len()),
                }
            }
            (None, _, Some(index)) => {
                let Some(local) = instance.arguments.get(index) else {
                    return Named::Faulty;
                };
                if let Binding::Free(_) = local.binding {
                    return match self.variables.declared_at(process, local.span) {
                        Some(id) => Named::Variable(id, local.span),
                        None => Named::Faulty,
                    };
                }
                return match &local.binding {
                    Binding::Value(value) => Named::Value(value.clone(), local.span),
                    Binding::Broken => Named::Faulty,
                    other => Named::NoValue(other.what().unwrap_or("no value"), local.span),
                };
            }
            (None, _, None) => return Named::Nothing,
        };
        match self.variables.declared_at(process, span) {
            Some(id) => Named::Variable(id, span),
            None => Named::Faulty,
        }
    }

    /// The type of `p.x`, without complaints.
    pub fn probe_variable(
        &self,
        base: &ast::Expr,
        name: &str,
        number: Option<u32>,
    ) -> Option<Type> {
        let process = match &self.probe_entity(base)? {
            Entity::Process(id) => *id,
            _ => return None,
        };
        if matches!(name, "done" | "crashed" | "failed") {
            return Some(Type::Bool);
        }
        match self.find_variable(process, name, number) {
            Named::Variable(id, _) => Some(self.variables.get(id).ty.clone()),
            Named::Value(value, _) => Some(value.type_of()),
            _ => None,
        }
    }

    /// The entity that a name without indices, or any element of an array, denotes: all elements of an
    /// array have alike variables as a rule.
    pub fn probe_entity(&self, expr: &ast::Expr) -> Option<Entity> {
        match &unparenthesised(expr).kind {
            Ast::Name(name) => {
                let entries = &self.made.frames[self.scope.frame.0].entries;
                entries.get(name.as_str()).map(|e| e.entity.clone())
            }
            Ast::Index(base, _) => match self.probe_entity(base)? {
                Entity::Processes(all) => all.first().map(|id| Entity::Process(*id)),
                Entity::Modules(all) => all.first().map(|id| Entity::Module(*id)),
                _ => None,
            },
            Ast::Field(base, name, None) => match self.probe_entity(base)? {
                Entity::Module(frame) => self.made.frames[frame.0]
                    .entries
                    .get(name.text.as_str())
                    .map(|e| e.entity.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn is_module(&self, base: &ast::Expr) -> bool {
        matches!(self.probe_entity(base), Some(Entity::Module(_)))
    }

    pub fn module_entry(&mut self, base: &'a ast::Expr, name: &ast::Name) -> Option<&'static str> {
        let Entity::Module(frame) = self.entity(base, "module instance")? else {
            return None;
        };
        let frame = &self.made.frames[frame.0];
        match frame.entries.get(name.text.as_str()) {
            Some(entry) => Some(entry.entity.what()),
            None => {
                let suggestion = self.log.near(&name.text, frame.entries.keys().copied());
                let problem = NameProblem::UnknownEntry {
                    name: name.text.clone(),
                    what: "process or channel",
                    owner: Some(frame.prefix.trim_end_matches('.').to_owned()),
                    span: name.span,
                    suggestion,
                };
                self.log.report(problem);
                None
            }
        }
    }
}

/// What `p.x` is.
pub enum Named {
    Variable(VariableId, Span),
    Value(Rc<Value>, Span),
    NoValue(&'static str, Span),
    Several(Vec<Span>),
    TooFew(usize),
    /// Its declaration has been complained about.
    Faulty,
    Nothing,
}
