//! The entries of `init` become channels, processes and module frames.
//!
//! Names first: arguments may refer to entries that are written later, so they are bound in a second round
//! ([`super::arguments`]). Only the value arguments of modules are needed here, because they may decide
//! how many entries a module has.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::definitions::FrameId;
use super::entities::Entity;
use super::entries::Entries;
use super::scope::{Binding, Local, Place, Role, Scope};
use super::typing::{Capacity, ParameterKind};
use super::{Checker, Frame, Instance};
use crate::program::problem::{EntryProblem, SizeProblem, TypeProblem};
use crate::program::{Channel, Process, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{EntryKind, TypeKind};
use crate::vocabulary::{ChannelId, ProcessId};

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
}

impl<'a> Checker<'a> {
    /// Creates everything `init` asks for.
    pub fn create_instances(&mut self) {
        let Some(init) = self.definitions.scopes[0].init else {
            if !self.incomplete {
                let span = self.definitions.end.expect("definitions are collected");
                self.report(EntryProblem::NoInit { span });
            }
            return;
        };
        let before = self.problems.errors();
        self.create_entries(FrameId(0), init);
        // Instances of what is lost, or of a module that contains itself, are not created, and that has been said.
        let lost = self.incomplete || self.lost.declarations;
        let cyclic = self.definitions.scopes.iter().any(|scope| scope.cyclic);
        let sound = self.problems.errors() == before && !lost && !cyclic;
        if self.program.processes.is_empty() && sound {
            self.report(EntryProblem::NoProcess { span: init.keyword });
        }
    }

    /// Creates the entries of an `init`.
    pub fn create_entries(&mut self, frame: FrameId, init: &'a ast::Init) {
        let mut entries = Entries {
            frame,
            scope: Scope::new(frame, Place::Constant),
            loops: Vec::new(),
            building: IndexMap::new(),
        };
        for entry in &init.entries {
            self.create_entry(&mut entries, entry);
        }
        for (name, building) in entries.building {
            let entity = self.finish_array(name, building);
            if let Some(entry) = self.frames[frame.0].entries.get_mut(name) {
                entry.entity = entity;
            }
        }
    }

    fn create_entry(&mut self, entries: &mut Entries<'a>, entry: &'a ast::Entry) {
        if self.budget.exhausted {
            return;
        }
        match &entry.kind {
            EntryKind::Error => self.lost_entry(),
            EntryKind::For {
                var,
                from,
                to,
                entries: inner,
            } => self.nested(entry.span, |checker| {
                checker.replicate(entries, var, (from, to), inner);
            }),
            EntryKind::Channel { name, ty, markers } => {
                self.create_channels(entries, name, ty, markers);
            }
            EntryKind::Instance {
                name,
                callee,
                args,
                markers,
            } => self.create_instance(entries, name, callee, args, markers),
        }
    }

    /// Goes one level deeper, but not too deep.
    fn nested(&mut self, span: Span, f: impl FnOnce(&mut Self)) {
        if self.budget.nesting >= limits::ENTRY_DEPTH {
            self.budget.exhausted = true;
            self.report(SizeProblem::EntryDepth { span });
            return;
        }
        self.budget.nesting += 1;
        f(self);
        self.budget.nesting -= 1;
    }

    fn replicate(
        &mut self,
        entries: &mut Entries<'a>,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        inner: &'a [ast::Entry],
    ) {
        let what = "the bound of a replicated entry";
        let from = self.constant_int(&mut entries.scope, from, what);
        let to = self.constant_int(&mut entries.scope, to, what);
        let (Some(from), Some(to)) = (from, to) else {
            for entry in inner {
                self.broken_entry(entries, entry);
            }
            return;
        };
        for i in from..to {
            if self.budget.exhausted {
                return;
            }
            entries.scope.enter();
            self.declare(
                &mut entries.scope,
                var,
                Binding::Value(Rc::new(crate::program::Value::Int(i))),
                Role::Loop,
                "variable in this block",
            );
            entries.loops.push((var, i));
            for entry in inner {
                self.create_entry(entries, entry);
            }
            entries.loops.pop();
            entries.scope.leave();
        }
        if from >= to {
            for entry in inner {
                self.empty_entry(entries, entry);
            }
        }
    }

    fn create_channels(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        ty: &'a ast::Type,
        markers: &'a [ast::Marker],
    ) {
        let named = self.entry_name(entries, name);
        let (length, element) = match &ty.kind {
            TypeKind::Array(length, element) => {
                let length = match length {
                    Some(length) => self.array_length(&mut entries.scope, length),
                    None => {
                        self.report(TypeProblem::MisplacedType {
                            text: "an array of channels needs a length here",
                            span: ty.span,
                            hint: Some("write it between the brackets, as in `[3]channel { .. }`"),
                        });
                        None
                    }
                };
                if named.as_ref().is_ok_and(|(index, _)| index.is_some())
                    || matches!(element.kind, TypeKind::Array(..))
                {
                    self.report(EntryProblem::NestedChannels { span: ty.span });
                    self.mark_broken(entries, name);
                    return;
                }
                match length {
                    Some(length) => (Some(length), &**element),
                    None => {
                        self.mark_broken(entries, name);
                        return;
                    }
                }
            }
            _ => (None, ty),
        };
        let channel = self.channel_type(&mut entries.scope, element, false);
        let (Some(channel), Ok((index, shown))) = (channel, named) else {
            self.mark_broken(entries, name);
            return;
        };
        let capacity = match channel.capacity {
            Capacity::Buffered(n) => Some(n),
            _ => None,
        };
        let count = length.unwrap_or(1);
        if self.program.channels.len() + count as usize > limits::CHANNELS {
            self.too_many("channels", name.name.span);
            return;
        }
        let scalars: u64 = channel.fields.iter().map(|field| field.scalars()).sum();
        self.count_state(
            (scalars * u64::from(capacity.unwrap_or(1)) + 1) * u64::from(count),
            name.name.span,
        );
        let mut ids = Vec::with_capacity(count as usize);
        for k in 0..count {
            let id = ChannelId(self.program.channels.len() as u32);
            self.program.channels.push(Channel {
                name: match length {
                    None => shown.clone(),
                    Some(_) => format!("{shown}[{k}]"),
                },
                capacity,
                fields: channel.fields.clone(),
                span: name.name.span,
            });
            ids.push(id);
        }
        self.channel_markers(&mut entries.scope, markers, &ids, &channel);
        let entity = match length {
            None => Entity::Channel(ids[0]),
            Some(_) => Entity::Channels(ids.into()),
        };
        self.add_entry(entries, &name.name, index, entity);
    }

    fn too_many(&mut self, what: &'static str, span: Span) {
        self.budget.exhausted = true;
        self.report(SizeProblem::Instances { what, span });
    }

    fn create_instance(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        callee: &'a ast::Name,
        args: &'a [ast::Expr],
        markers: &'a [ast::Marker],
    ) {
        let named = self.entry_name(entries, name);
        let scope = self.frames[entries.frame.0].scope;
        let local = self.definitions.scopes[scope]
            .proc_ids
            .get(callee.text.as_str())
            .map(|index| (entries.frame, scope, *index));
        let top = self.definitions.scopes[0]
            .proc_ids
            .get(callee.text.as_str())
            .map(|index| (FrameId(0), 0, *index));
        if let Some((frame, scope, index)) = local.or(top) {
            let proc = self.definitions.scopes[scope].procs[index];
            self.uses.instantiated.insert(proc.name.span);
            let counted = self.argument_count(&proc.name, &proc.params, args, callee.span);
            let (Ok((index, shown)), true) = (named, counted) else {
                self.mark_broken(entries, name);
                return;
            };
            self.create_process(entries, name, index, shown, proc, frame, args, markers);
            return;
        }
        if let Some(&module) = self.definitions.modules.get(callee.text.as_str()) {
            let ast = self.definitions.scopes[module].module;
            let ast = ast.expect("only the top level is no module");
            self.uses.instantiated.insert(ast.name.span);
            let counted = self.argument_count(&ast.name, &ast.params, args, callee.span);
            self.module_markers(ast, module, markers);
            let cyclic = self.definitions.scopes[module].cyclic;
            let (Ok((index, shown)), true, false) = (named, counted, cyclic) else {
                self.mark_broken(entries, name);
                return;
            };
            let frame = self.create_module(entries, shown, module, args, name);
            if let Some(frame) = frame {
                self.add_entry(entries, &name.name, index, Entity::Module(frame));
            } else {
                self.mark_broken(entries, name);
            }
            return;
        }
        self.unknown_callee(scope, callee);
        self.mark_broken(entries, name);
    }

    fn argument_count(
        &mut self,
        callee: &ast::Name,
        params: &[ast::Param],
        args: &[ast::Expr],
        span: Span,
    ) -> bool {
        if params.len() == args.len() {
            return true;
        }
        self.report(EntryProblem::ArgumentCount {
            callee: callee.text.clone(),
            wanted: params.len(),
            found: args.len(),
            span: args
                .iter()
                .map(|arg| arg.span)
                .reduce(Span::to)
                .unwrap_or(span),
            declared: callee.span,
        });
        false
    }

    #[allow(clippy::too_many_arguments)]
    fn create_process(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        index: Option<i64>,
        shown: String,
        proc: &'a ast::Proc,
        frame: FrameId,
        args: &'a [ast::Expr],
        markers: &'a [ast::Marker],
    ) {
        if self.program.processes.len() >= limits::INSTANCES {
            self.too_many("processes", name.name.span);
            return;
        }
        let id = self.add_process(shown, proc, frame, name.name.span);
        self.process_markers(&mut entries.scope, markers, id);
        self.pending.push(Pending {
            frame: entries.frame,
            loops: entries.loops.as_slice().into(),
            args,
            created: Created::Process(id),
        });
        self.add_entry(entries, &name.name, index, Entity::Process(id));
    }

    /// Adds a process without arguments and body.
    pub fn add_process(
        &mut self,
        name: String,
        proc: &'a ast::Proc,
        frame: FrameId,
        span: Span,
    ) -> ProcessId {
        let id = ProcessId(self.program.processes.len() as u32);
        let body = proc.body.span;
        self.program.processes.push(Process {
            name,
            proc_name: proc.name.text.clone(),
            labels: Vec::new(),
            body: Vec::new(),
            end: Span {
                start: body.end.saturating_sub(1).max(body.start),
                ..body
            },
            span,
        });
        let outline = self.outline(proc);
        self.instances.push(Instance {
            proc,
            frame,
            arguments: Vec::new(),
            outline,
            variables: FxHashMap::default(),
        });
        id
    }

    fn create_module(
        &mut self,
        entries: &mut Entries<'a>,
        shown: String,
        module: usize,
        args: &'a [ast::Expr],
        name: &'a ast::EntryName,
    ) -> Option<FrameId> {
        if self.frames.len() > limits::INSTANCES {
            self.too_many("module instances", name.name.span);
            return None;
        }
        let frame = self.add_frame(module, format!("{shown}."));
        self.pending.push(Pending {
            frame: entries.frame,
            loops: entries.loops.as_slice().into(),
            args,
            created: Created::Module(frame),
        });
        let ast = self.definitions.scopes[module].module?;
        for (param, arg) in ast.params.iter().zip(args) {
            let binding = match ParameterKind::of(&param.ty) {
                ParameterKind::Value => self.value_argument(&mut entries.scope, frame, param, arg),
                // These stand for the kind only, until they are bound in the second round.
                ParameterKind::Channel(_) => Binding::Channel(ChannelId(u32::MAX)),
                ParameterKind::Channels(..) => Binding::Channels(Rc::new([])),
                ParameterKind::Process => Binding::Process(ProcessId(u32::MAX)),
            };
            self.frames[frame.0].parameters.insert(
                &param.name.text,
                Local {
                    binding,
                    role: Role::Parameter,
                    span: param.name.span,
                    depth: 0,
                },
            );
        }
        self.fill_module(frame, module);
        Some(frame)
    }

    /// Adds the frame of a module instance.
    pub fn add_frame(&mut self, module: usize, prefix: String) -> FrameId {
        let frame = FrameId(self.frames.len());
        self.frames.push(Frame {
            scope: module,
            prefix,
            constants: FxHashMap::default(),
            parameters: FxHashMap::default(),
            entries: IndexMap::new(),
        });
        frame
    }

    /// Computes the constants and creates the entries of a module instance whose value parameters are
    /// bound.
    pub fn fill_module(&mut self, frame: FrameId, module: usize) {
        if let Some(ast) = self.definitions.scopes[module].module {
            self.uses.checked.insert(ast.name.span);
        }
        self.constants(frame);
        if let Some(init) = self.definitions.scopes[module].init {
            self.nested(init.keyword, |checker| checker.create_entries(frame, init));
        }
    }
}
