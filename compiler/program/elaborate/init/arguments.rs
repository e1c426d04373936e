//! Arguments: what processes and modules are given.

use std::rc::Rc;

use super::entity::{Entity, with_article};
use super::{Creator, FrameId};
use crate::program::Value;
use crate::program::elaborate::declare::{Noun, ParameterKind};
use crate::program::elaborate::expr::unparenthesised;
use crate::program::elaborate::scope::{Binding, Free, Local, Role, Scope};
use crate::program::elaborate::types::ChannelType;
use crate::program::problem::{EntryProblem, TypeProblem};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, TypeKind};
use crate::vocabulary::{ChannelId, DetectorId, ProcessId};

/// A process or module whose arguments are not bound yet.
pub struct Pending<'a> {
    /// Where the arguments are evaluated.
    pub frame: FrameId,
    /// The variables of the `for`s around the entry.
    pub loops: Rc<[(&'a ast::Name, i64)]>,
    pub args: &'a [ast::Expr],
    pub created: Created,
}

/// What a pending entry created.
#[derive(Clone, Copy)]
pub enum Created {
    Process(ProcessId),
    Module(FrameId),
    Detector(DetectorId),
}

impl<'a> Creator<'_, 'a> {
    /// What a parameter takes of what is defined in a frame.
    pub fn kind(&self, frame: FrameId, param: &'a ast::Param) -> ParameterKind<'a> {
        let unit = self.made.frames[frame.0].unit;
        self.decls.parameter_kind(unit, &param.ty)
    }

    /// Binds the arguments of all processes and modules, outer ones first.
    pub fn bind_arguments(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            if self.log.budget.exhausted {
                return;
            }
            let mut scope = Scope::new(pending.frame);
            for (name, value) in pending.loops.iter() {
                scope.bind(
                    &name.text,
                    Binding::Value(Rc::new(Value::Int(*value))),
                    Role::Loop,
                    name.span,
                );
            }
            match pending.created {
                Created::Process(id) => {
                    let arguments = self.process_arguments(&mut scope, id, pending.args);
                    self.made.instances[id.0 as usize].arguments = arguments;
                }
                Created::Module(frame) => self.module_arguments(&mut scope, frame, &pending),
                Created::Detector(id) => self.watched(&mut scope, id, &pending.args[0]),
            }
        }
    }

    /// The process that a detector watches.
    fn watched(&mut self, scope: &mut Scope<'a>, detector: DetectorId, arg: &'a ast::Expr) {
        let entity = self.exprs(scope).entity(arg, "process");
        match entity {
            Some(Entity::Process(id)) => self.made.detectors[detector.0 as usize].process = id,
            Some(other) => self.log.report(TypeProblem::Mismatch {
                wanted: "a process".to_owned(),
                found: other.what().to_owned(),
                span: arg.span,
                because: None,
                hint: match other {
                    Entity::Processes(_) => Some(
                        "write a detector for each: `for i in range 0 to n { d[i]: detector(w[i]) }`"
                            .to_owned(),
                    ),
                    _ => Some("a detector watches a process".to_owned()),
                },
            }),
            None => {}
        }
    }

    /// Values first: the types of the channels may depend on them.
    fn process_arguments(
        &mut self,
        scope: &mut Scope<'a>,
        process: ProcessId,
        args: &'a [ast::Expr],
    ) -> Vec<Local> {
        let instance = &self.made.instances[process.0 as usize];
        let (proc, frame) = (instance.proc, instance.frame);
        let mut callee = Scope::new(frame);
        let mut locals: Vec<Local> = Vec::with_capacity(args.len());
        for (param, arg) in proc.ast.params.iter().zip(args) {
            let mut local = Local::parameter(&param.name, Binding::Broken);
            if matches!(self.kind(frame, param), ParameterKind::Value) {
                local.binding = self.value_argument_in(scope, &mut callee, param, arg, true);
            }
            callee.bind(
                &param.name.text,
                local.binding.clone(),
                Role::Parameter,
                param.name.span,
            );
            locals.push(local);
        }
        for (i, (param, arg)) in proc.ast.params.iter().zip(args).enumerate() {
            if let Some(binding) = self.entity_argument(scope, &mut callee, param, arg) {
                locals[i].binding = match (binding, self.kind(frame, param)) {
                    // So that the body is looked at all the same.
                    (Binding::Broken, ParameterKind::Channel(_) | ParameterKind::One(_)) => {
                        self.sample_argument(&mut callee, param, process)
                    }
                    (binding, _) => binding,
                };
            }
        }
        locals
    }

    fn module_arguments(&mut self, scope: &mut Scope<'a>, frame: FrameId, pending: &Pending<'a>) {
        let module = self.decls.units[self.made.frames[frame.0].unit].module;
        let Some(module) = module else { return };
        let mut callee = Scope::new(frame);
        for (param, arg) in module.params.iter().zip(pending.args) {
            if let Some(binding) = self.entity_argument(scope, &mut callee, param, arg)
                && let Some(local) = self.made.frames[frame.0]
                    .parameters
                    .get_mut(param.name.text.as_str())
            {
                local.binding = binding;
            }
        }
    }

    /// The argument for a value parameter of a module.
    pub fn value_argument(
        &mut self,
        scope: &mut Scope<'a>,
        callee: FrameId,
        param: &'a ast::Param,
        arg: &'a ast::Expr,
    ) -> Binding {
        let mut callee = Scope::new(callee);
        self.value_argument_in(scope, &mut callee, param, arg, false)
    }

    fn value_argument_in(
        &mut self,
        scope: &mut Scope<'a>,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        arg: &'a ast::Expr,
        free: bool,
    ) -> Binding {
        let Some(ty) = self.exprs(callee).value_type(&param.ty) else {
            return Binding::Broken;
        };
        let because = (
            param.name.span,
            format!("`{}` declared here", param.name.text),
        );
        if self.exprs(scope).names_entity(arg)
            && let Some(entity) = self.exprs(scope).entity(arg, "value")
        {
            self.log.report(TypeProblem::Mismatch {
                wanted: self.decls.describe(&ty),
                found: entity.what().to_owned(),
                span: arg.span,
                because: Some(because),
                hint: None,
            });
            return Binding::Broken;
        }
        if let ast::ExprKind::Any(set) = &unparenthesised(arg).kind {
            if !free {
                self.log.misplaced(
                    "`any` cannot be the argument of a module",
                    arg.span,
                    Some("give it to a process of the module instead"),
                );
                return Binding::Broken;
            }
            let values = self.exprs(scope).free_values(set, &ty, because, arg.span);
            let free = values.map(|values| Free {
                ty,
                values,
                span: arg.span,
            });
            return free.map_or(Binding::Broken, |free| Binding::Free(Rc::new(free)));
        }
        match self.exprs(scope).constant_of_type(arg, &ty, because) {
            Some(value) => Binding::Value(Rc::new(value)),
            None => Binding::Broken,
        }
    }

    /// The argument for a parameter that is a channel, an array of channels or a process; `None` for a
    /// value.
    fn entity_argument(
        &mut self,
        scope: &mut Scope<'a>,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        arg: &'a ast::Expr,
    ) -> Option<Binding> {
        if matches!(self.kind(callee.frame, param), ParameterKind::Value) {
            return None;
        }
        let binding = self.entity_binding(scope, callee, param, arg);
        Some(binding.unwrap_or(Binding::Broken))
    }

    fn entity_binding(
        &mut self,
        scope: &mut Scope<'a>,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        arg: &'a ast::Expr,
    ) -> Option<Binding> {
        match self.kind(callee.frame, param) {
            ParameterKind::Value => None,
            ParameterKind::One(noun) => {
                let entity = self.entity_of_kind(scope, arg, noun.as_str(), param)?;
                noun.binding(&entity)
            }
            ParameterKind::Many(noun, ty) => {
                self.many_argument(scope, callee, param, (noun, ty), arg)
            }
            ParameterKind::Channel(ty) => {
                let ty = self.exprs(callee).channel_type(ty, true);
                match self.entity_of_kind(scope, arg, "channel", param)? {
                    Entity::Channel(id) => self
                        .channel_fits(id, &ty?, param, arg.span)
                        .then_some(Binding::Channel(id)),
                    _ => None,
                }
            }
            ParameterKind::Channels(ty) => self.channels_argument(scope, callee, param, ty, arg),
        }
    }

    /// The argument for an array of processes or detectors.
    fn many_argument(
        &mut self,
        scope: &mut Scope<'a>,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        (noun, ty): (Noun, &'a ast::Type),
        arg: &'a ast::Expr,
    ) -> Option<Binding> {
        let elements = match &unparenthesised(arg).kind {
            ExprKind::Array(elements) => {
                let all: Vec<Option<Binding>> = (elements.iter())
                    .map(|e| {
                        let entity = self.entity_of_kind(scope, e, noun.as_str(), param)?;
                        noun.binding(&entity)
                    })
                    .collect();
                all.into_iter().collect::<Option<Vec<_>>>()?
            }
            _ => {
                let entity = self.entity_of_kind(scope, arg, noun.array(), param)?;
                noun.elements(&entity)?
            }
        };
        if elements.is_empty() {
            self.log.report(TypeProblem::EmptyArray { span: arg.span });
            return None;
        }
        let unit = self.made.frames[callee.frame.0].unit;
        if let TypeKind::Array(Some(length), _) = &self.decls.written(unit, ty).1.kind {
            let wanted = self.exprs(callee).array_length(length)?;
            if elements.len() != wanted as usize {
                self.log.report_value(EntryProblem::ElementCount {
                    what: noun.as_str(),
                    found: elements.len(),
                    wanted,
                    span: arg.span,
                    declared: param.name.span,
                });
                return None;
            }
        }
        noun.all(&elements)
    }

    fn channels_argument(
        &mut self,
        scope: &mut Scope<'a>,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        ty: &'a ast::Type,
        arg: &'a ast::Expr,
    ) -> Option<Binding> {
        let ty = self.exprs(callee).channels_type(ty);
        let channels: Rc<[ChannelId]> = match &unparenthesised(arg).kind {
            ExprKind::Array(elements) => {
                if elements.is_empty() {
                    self.log.report(TypeProblem::EmptyArray { span: arg.span });
                    return None;
                }
                let all: Vec<Option<ChannelId>> = elements
                    .iter()
                    .map(|e| match self.entity_of_kind(scope, e, "channel", param)? {
                        Entity::Channel(id) => Some(id),
                        _ => None,
                    })
                    .collect();
                all.into_iter().collect::<Option<Vec<_>>>()?.into()
            }
            _ => match self.entity_of_kind(scope, arg, "array of channels", param)? {
                Entity::Channels(all) => all,
                _ => return None,
            },
        };
        if channels.is_empty() {
            self.log.report(TypeProblem::EmptyArray { span: arg.span });
            return None;
        }
        let (length, ty) = ty?;
        for id in channels.iter() {
            if !self.channel_fits(*id, &ty, param, arg.span) {
                return None;
            }
        }
        if let Some(length) = length
            && channels.len() != length as usize
        {
            self.log.report_value(EntryProblem::ElementCount {
                what: "channel",
                found: channels.len(),
                wanted: length,
                span: arg.span,
                declared: param.name.span,
            });
            return None;
        }
        Some(Binding::Channels(channels))
    }

    fn entity_of_kind(
        &mut self,
        scope: &mut Scope<'a>,
        arg: &'a ast::Expr,
        wanted: &'static str,
        param: &ast::Param,
    ) -> Option<Entity> {
        let entity = self.exprs(scope).entity(arg, wanted)?;
        let fits = matches!(
            (&entity, wanted),
            (Entity::Process(_), "process")
                | (Entity::Channel(_), "channel")
                | (Entity::Channels(_), "array of channels")
                | (Entity::Processes(_), "array of processes")
                | (Entity::Detector(_), "detector")
                | (Entity::Detectors(_), "array of detectors")
        );
        if fits {
            return Some(entity);
        }
        self.log.report(TypeProblem::Mismatch {
            wanted: with_article(wanted).to_owned(),
            found: entity.what().to_owned(),
            span: arg.span,
            because: Some((
                param.name.span,
                format!("`{}` declared here", param.name.text),
            )),
            hint: None,
        });
        None
    }

    fn channel_fits(
        &mut self,
        id: ChannelId,
        wanted: &ChannelType,
        param: &ast::Param,
        span: Span,
    ) -> bool {
        let channel = &self.made.channels[id.0 as usize];
        match self.decls.channel_fits(channel, wanted, param, span) {
            Ok(()) => true,
            Err(problem) => {
                self.log.report(problem);
                false
            }
        }
    }
}
