//! The atoms of specifications: variables, locations and buffers of the system.

use std::rc::Rc;

use super::Checker;
use super::entities::Entity;
use super::expressions::unparenthesised;
use super::scope::{Binding, Place, Scope};
use crate::program::problem::{NameProblem, PropertyProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Type, Value, VariableId};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind as Ast;
use crate::vocabulary::ProcessId;

impl<'a> Checker<'a> {
    /// The process that an expression in a specification names.
    pub fn process_of(
        &mut self,
        scope: &mut Scope<'a>,
        base: &'a ast::Expr,
        suffix: &str,
    ) -> Option<ProcessId> {
        match self.entity(scope, base, "process")? {
            Entity::Process(id) => Some(id),
            other => {
                self.misplaced(
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
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Expr> {
        if self.is_module(scope, base) {
            // `m.w` alone.
            return match self.module_entry(scope, base, name)? {
                what @ ("a process" | "a channel") => {
                    let hint = match what {
                        "a process" => format!("name one of its variables, or `.{}`", "done"),
                        _ => "write `len(..)`, `full(..)` or `empty(..)` around it".to_owned(),
                    };
                    self.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint,
                        span,
                    });
                    None
                }
                what => {
                    self.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint: "name one of its elements".to_owned(),
                        span,
                    });
                    None
                }
            };
        }
        let process = self.process_of(scope, base, "variables")?;
        if number.is_none() {
            let state = match name.text.as_str() {
                "done" => Some(ExprKind::Done(process)),
                "crashed" => Some(ExprKind::Crashed(process)),
                "failed" => Some(ExprKind::Failed(process)),
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
        let shown = &self.program.processes[process.0 as usize].name;
        match self.find_variable(process, &name.text, number) {
            Found::Variable(id, declared) => {
                self.uses.read.insert(declared);
                Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: self.program.variables[id.0 as usize].ty.clone(),
                    span,
                })
            }
            Found::Value(value, declared) => {
                self.uses.read.insert(declared);
                Some(Expr::constant((*value).clone(), span))
            }
            Found::Faulty => {
                if self.problems.errors() == 0 && !self.incomplete {
                    let problem = NameProblem::NeverDeclared {
                        process: shown.clone(),
                        name: name.text.clone(),
                        span,
                    };
                    self.report(problem);
                }
                None
            }
            Found::NoValue(what, declared) => {
                let problem = NameProblem::NotReadable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span,
                    what,
                    declared,
                };
                self.report(problem);
                None
            }
            Found::Several(declared) => {
                let problem = NameProblem::AmbiguousVariable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span,
                    declared,
                };
                self.report(problem);
                None
            }
            Found::TooFew(count) => {
                let problem = NameProblem::NoSuchDeclaration {
                    process: shown.clone(),
                    name: name.text.clone(),
                    number: number.unwrap_or(0),
                    count,
                    span,
                };
                self.report(problem);
                None
            }
            Found::Nothing => {
                let instance = &self.instances[process.0 as usize];
                let values = instance
                    .proc
                    .params
                    .iter()
                    .zip(&instance.arguments)
                    .filter(|(_, local)| matches!(local.binding, Binding::Value(_)))
                    .map(|(param, _)| param.name.text.as_str());
                let candidates: Vec<&str> = instance
                    .outline
                    .variables
                    .keys()
                    .copied()
                    .chain(values)
                    .chain(["done", "crashed", "failed"])
                    .collect();
                let problem = NameProblem::UnknownVariable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span: name.span,
                    suggestion: self.near(&name.text, candidates),
                };
                let lost = instance.outline.lost;
                self.report_unknown(lost, problem);
                None
            }
        }
    }

    pub fn find_variable(&self, process: ProcessId, name: &str, number: Option<u32>) -> Found {
        let instance = &self.instances[process.0 as usize];
        let declared = instance.outline.variables.get(name).map(Vec::as_slice);
        let parameter = instance
            .proc
            .params
            .iter()
            .position(|param| param.name.text == name);
        let span = match (declared, number, parameter) {
            (Some([only]), None, None) => *only,
            (Some(all), None, _) => return Found::Several(all.to_vec()),
            (Some(all), Some(number), _) => {
                match (number as usize).checked_sub(1).and_then(|i| all.get(i)) {
                    Some(span) => *span,
                    None => return Found::TooFew(all.len()),
                }
            }
            (None, _, Some(index)) => {
                let Some(local) = instance.arguments.get(index) else {
                    return Found::Faulty;
                };
                return match &local.binding {
                    Binding::Value(value) => Found::Value(value.clone(), local.span),
                    Binding::Broken => Found::Faulty,
                    Binding::Process(_) => Found::NoValue("a process", local.span),
                    Binding::Channels(_) => Found::NoValue("an array of channels", local.span),
                    _ => Found::NoValue("a channel", local.span),
                };
            }
            (None, _, None) => return Found::Nothing,
        };
        match instance.variables.get(&span) {
            Some(id) => Found::Variable(*id, span),
            None => Found::Faulty,
        }
    }

    /// The type of `p.x`, without complaints.
    pub fn probe_variable(
        &self,
        scope: &Scope<'a>,
        base: &ast::Expr,
        name: &str,
        number: Option<u32>,
    ) -> Option<Type> {
        let process = match &self.probe_entity(scope, base)? {
            Entity::Process(id) => *id,
            _ => return None,
        };
        if matches!(name, "done" | "crashed" | "failed") {
            return Some(Type::Bool);
        }
        match self.find_variable(process, name, number) {
            Found::Variable(id, _) => Some(self.program.variables[id.0 as usize].ty.clone()),
            Found::Value(value, _) => Some(value.type_of()),
            _ => None,
        }
    }

    /// The entity that a name without indices, or any element of an array, denotes: all elements of an
    /// array have alike variables as a rule.
    pub fn probe_entity(&self, scope: &Scope<'a>, expr: &ast::Expr) -> Option<Entity> {
        match &unparenthesised(expr).kind {
            Ast::Name(name) => {
                let entries = &self.frames[scope.frame.0].entries;
                entries.get(name.as_str()).map(|e| e.entity.clone())
            }
            Ast::Index(base, _) => match self.probe_entity(scope, base)? {
                Entity::Processes(all) => all.first().map(|id| Entity::Process(*id)),
                Entity::Modules(all) => all.first().map(|id| Entity::Module(*id)),
                _ => None,
            },
            Ast::Field(base, name, None) => match self.probe_entity(scope, base)? {
                Entity::Module(frame) => self.frames[frame.0]
                    .entries
                    .get(name.text.as_str())
                    .map(|e| e.entity.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn is_module(&self, scope: &Scope<'a>, base: &ast::Expr) -> bool {
        matches!(self.probe_entity(scope, base), Some(Entity::Module(_)))
    }

    pub fn module_entry(
        &mut self,
        scope: &mut Scope<'a>,
        base: &'a ast::Expr,
        name: &ast::Name,
    ) -> Option<&'static str> {
        let Entity::Module(frame) = self.entity(scope, base, "module instance")? else {
            return None;
        };
        let frame = &self.frames[frame.0];
        match frame.entries.get(name.text.as_str()) {
            Some(entry) => Some(entry.entity.what()),
            None => {
                let suggestion = self.near(&name.text, frame.entries.keys().copied());
                let problem = NameProblem::UnknownEntry {
                    name: name.text.clone(),
                    what: "process or channel",
                    owner: Some(frame.prefix.trim_end_matches('.').to_owned()),
                    span: name.span,
                    suggestion,
                };
                self.report(problem);
                None
            }
        }
    }

    /// `p@label`
    pub fn at(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        label: &'a ast::Name,
    ) -> Option<Expr> {
        if !matches!(scope.place, Place::Spec(_)) {
            self.misplaced("`p@label` is for specifications", span, None);
            return None;
        }
        let process = self.process_of(scope, base, "labels")?;
        let outline = &self.instances[process.0 as usize].outline;
        match outline.label_ids.get(label.text.as_str()) {
            Some(id) => Some(Expr {
                kind: ExprKind::At(process, *id),
                ty: Type::Bool,
                span,
            }),
            None => {
                let suggestion = self.near(&label.text, outline.label_ids.keys().copied());
                let problem = NameProblem::UnknownLabel {
                    name: label.text.clone(),
                    owner: self.program.processes[process.0 as usize].name.clone(),
                    span: label.span,
                    suggestion,
                };
                let lost = outline.lost;
                self.report_unknown(lost, problem);
                None
            }
        }
    }

    /// `len(ch)`, `full(ch)`, `empty(ch)`
    pub fn buffer_state(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let [argument] = arguments else {
            self.misplaced(format!("`{}` takes one channel", name.text), span, None);
            return None;
        };
        let id = match self.entity(scope, argument, "channel")? {
            Entity::Channel(id) => id,
            other => {
                self.report(TypeProblem::Mismatch {
                    wanted: "a channel".into(),
                    found: other.what().into(),
                    span: argument.span,
                    because: None,
                    hint: match other {
                        Entity::Channels(_) => {
                            Some("name one of its elements, as in `c[0]`".into())
                        }
                        _ => None,
                    },
                });
                return None;
            }
        };
        self.uses.asked.insert(id);
        let channel = &self.program.channels[id.0 as usize];
        let Some(capacity) = channel.capacity else {
            let problem = PropertyProblem::NoBuffer {
                function: match name.text.as_str() {
                    "len" => "len",
                    "full" => "full",
                    _ => "empty",
                },
                channel: channel.name.clone(),
                span: argument.span,
                declared: channel.span,
            };
            self.report(problem);
            return None;
        };
        let (kind, ty) = match name.text.as_str() {
            "len" => (
                ExprKind::Len(id),
                Type::Int {
                    lo: 0,
                    hi: i64::from(capacity),
                },
            ),
            "full" => (ExprKind::Full(id), Type::Bool),
            _ => (ExprKind::Empty(id), Type::Bool),
        };
        Some(Expr { kind, ty, span })
    }
}

/// What `p.x` is.
pub enum Found {
    Variable(VariableId, Span),
    Value(Rc<Value>, Span),
    NoValue(&'static str, Span),
    Several(Vec<Span>),
    TooFew(usize),
    /// Its declaration has been complained about.
    Faulty,
    Nothing,
}
