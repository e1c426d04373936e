//! The entries of `init`, one after the other.

use std::rc::Rc;

use indexmap::IndexMap;

use super::arguments::{Created, Pending};
use super::entity::Entity;
use super::entries::Entries;
use super::{Creator, FrameId, Instance, TOP};
use crate::program::elaborate::declare::{Noun, ParameterKind, ProcDecl};
use crate::program::elaborate::scope::{Binding, Local, Role, Scope};
use crate::program::problem::EntryProblem;
use crate::program::{FaultTarget, Process, limits};
use crate::source::Span;
use crate::syntax::ast::{self, EntryKind};
use crate::vocabulary::{ChannelId, DetectorId, ProcessId};

impl<'a> Creator<'_, 'a> {
    /// Creates everything `init` asks for.
    pub fn create_instances(&mut self) {
        let Some(init) = self.decls.units[0].init else {
            if !self.log.incomplete {
                let span = self.decls.end;
                self.log.report(EntryProblem::NoInit { span });
            }
            return;
        };
        let before = self.log.problems.errors();
        self.create_entries(TOP, init);
        // Instances of what is lost, or of a module that contains itself, are not created, and that has been said.
        let lost = self.log.incomplete || self.log.lost.declarations;
        let cyclic = self.decls.units.iter().any(|scope| scope.cyclic);
        let sound = self.log.problems.errors() == before && !lost && !cyclic;
        if self.made.processes.is_empty() && sound {
            self.log
                .report(EntryProblem::NoProcess { span: init.keyword });
        }
    }

    /// Creates the entries of an `init`.
    pub fn create_entries(&mut self, frame: FrameId, init: &'a ast::Init) {
        let mut entries = Entries {
            frame,
            scope: Scope::new(frame),
            loops: Vec::new(),
            building: IndexMap::new(),
        };
        for entry in &init.entries {
            self.create_entry(&mut entries, entry);
        }
        for (name, building) in entries.building {
            let entity = self.finish_array(name, building);
            if let Some(entry) = self.made.frames[frame.0].entries.get_mut(name) {
                entry.entity = entity;
            }
        }
    }

    fn create_entry(&mut self, entries: &mut Entries<'a>, entry: &'a ast::Entry) {
        if self.log.budget.exhausted {
            return;
        }
        match &entry.kind {
            EntryKind::Error => self.lost_entry(),
            EntryKind::For {
                var,
                from,
                to,
                entries: inner,
            } => {
                if self.log.enter_entries(entry.span) {
                    self.replicate(entries, var, (from, to), inner);
                    self.log.leave_entries();
                }
            }
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

    fn replicate(
        &mut self,
        entries: &mut Entries<'a>,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        inner: &'a [ast::Entry],
    ) {
        let what = "the bound of a replicated entry";
        let from = self.exprs(&mut entries.scope).constant_int(from, what);
        let to = self.exprs(&mut entries.scope).constant_int(to, what);
        let (Some(from), Some(to)) = (from, to) else {
            for entry in inner {
                self.broken_entry(entries, entry);
            }
            return;
        };
        for i in from..to {
            self.log.count_round(var.span);
            if self.log.budget.exhausted {
                return;
            }
            entries.scope.enter();
            entries.scope.declare(
                self.log,
                var,
                Binding::Value(Rc::new(crate::program::Value::Int(i))),
                Role::Loop,
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

    fn create_instance(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        callee: &'a ast::Name,
        args: &'a [ast::Expr],
        markers: &'a [ast::Marker],
    ) {
        let named = self.entry_name(entries, name);
        let scope = self.made.frames[entries.frame.0].unit;
        let local = self.decls.units[scope].proc(&callee.text);
        let top = self.decls.units[0].proc(&callee.text);
        let found = local
            .map(|proc| (entries.frame, proc))
            .or(top.map(|proc| (TOP, proc)));
        if let Some((frame, proc)) = found {
            self.log.uses.instantiated.insert(proc.ast.name.span);
            let counted = self.argument_count(&proc.ast.name, &proc.ast.params, args, callee.span);
            let (Ok((index, shown)), true) = (named, counted) else {
                self.mark_broken(entries, name);
                return;
            };
            self.create_process(entries, name, index, shown, proc, frame, args, markers);
            return;
        }
        if let Some(&module) = self.decls.modules.get(callee.text.as_str()) {
            let ast = self.decls.units[module].module;
            let ast = ast.expect("only the top level is no module");
            self.log.uses.instantiated.insert(ast.name.span);
            let counted = self.argument_count(&ast.name, &ast.params, args, callee.span);
            self.module_markers(ast, module, markers);
            let cyclic = self.decls.units[module].cyclic;
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
        if callee.text == Noun::Detector.as_str() {
            self.create_detector(entries, name, named, callee, args, markers);
            return;
        }
        self.unknown_callee(scope, callee);
        self.mark_broken(entries, name);
    }

    /// `d: detector(worker1)`
    fn create_detector(
        &mut self,
        entries: &mut Entries<'a>,
        name: &'a ast::EntryName,
        named: Result<(Option<i64>, String), ()>,
        callee: &'a ast::Name,
        args: &'a [ast::Expr],
        markers: &'a [ast::Marker],
    ) {
        if args.len() != 1 {
            let given = args.iter().map(|arg| arg.span).reduce(Span::to);
            self.log.misplaced(
                "a detector watches one process",
                given.unwrap_or(callee.span),
                Some("name it: `detector(worker)`; for several processes write several detectors"),
            );
        }
        let (Ok((index, shown)), [_]) = (named, args) else {
            self.mark_broken(entries, name);
            return;
        };
        if self.made.detectors.len() >= limits::INSTANCES {
            self.log.too_many("detectors", name.name.span);
            return;
        }
        self.log.count_state(1, name.name.span);
        // Whom it watches is found in the second round.
        let id = (self.made).add_detector(shown, ProcessId(u32::MAX), name.name.span);
        self.add_markers(entries, markers, FaultTarget::Detector(id), index);
        self.pending.push(Pending {
            frame: entries.frame,
            loops: entries.loops.as_slice().into(),
            args,
            created: Created::Detector(id),
        });
        self.add_entry(entries, &name.name, index, Entity::Detector(id));
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
        self.log.report(EntryProblem::ArgumentCount {
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
        proc: &'a ProcDecl<'a>,
        frame: FrameId,
        args: &'a [ast::Expr],
        markers: &'a [ast::Marker],
    ) {
        if self.made.processes.len() >= limits::INSTANCES {
            self.log.too_many("processes", name.name.span);
            return;
        }
        let id = self.add_process(shown, proc, frame, name.name.span);
        self.add_markers(entries, markers, FaultTarget::Process(id), index);
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
        proc: &'a ProcDecl<'a>,
        frame: FrameId,
        span: Span,
    ) -> ProcessId {
        let id = ProcessId(self.made.processes.len() as u32);
        let body = proc.ast.body.span;
        self.made.processes.push(Process {
            name,
            proc_name: proc.ast.name.text.clone(),
            labels: Vec::new(),
            body: Vec::new(),
            end: Span {
                start: body.end.saturating_sub(1).max(body.start),
                ..body
            },
            span,
        });
        self.made.instances.push(Instance {
            proc,
            frame,
            arguments: Vec::new(),
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
        if self.made.frames.len() > limits::INSTANCES {
            self.log.too_many("module instances", name.name.span);
            return None;
        }
        let frame = self.made.add_frame(module, format!("{shown}."));
        self.pending.push(Pending {
            frame: entries.frame,
            loops: entries.loops.as_slice().into(),
            args,
            created: Created::Module(frame),
        });
        let ast = self.decls.units[module].module?;
        for (param, arg) in ast.params.iter().zip(args) {
            let binding = match self.kind(frame, param) {
                ParameterKind::Value => self.value_argument(&mut entries.scope, frame, param, arg),
                // These stand for the kind only, until they are bound in the second round.
                ParameterKind::Channel(_) => Binding::Channel(ChannelId(u32::MAX)),
                ParameterKind::Channels(..) => Binding::Channels(Rc::new([])),
                ParameterKind::One(Noun::Process) => Binding::Process(ProcessId(u32::MAX)),
                ParameterKind::One(Noun::Detector) => Binding::Detector(DetectorId(u32::MAX)),
                ParameterKind::Many(noun, _) => noun.all(&[]).unwrap_or(Binding::Broken),
            };
            self.made.frames[frame.0].parameters.insert(
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

    /// Computes the constants and creates the entries of a module instance whose value parameters are
    /// bound.
    pub fn fill_module(&mut self, frame: FrameId, module: usize) {
        if let Some(ast) = self.decls.units[module].module {
            self.log.uses.checked.insert(ast.name.span);
        }
        self.constants(frame);
        if let Some(init) = self.decls.units[module].init
            && self.log.enter_entries(init.keyword)
        {
            self.create_entries(frame, init);
            self.log.leave_entries();
        }
    }
}
