//! Procs and modules without instances are checked once, with sample arguments: zero values and channels
//! that exist for this only. Nothing of it stays in the program, and nothing is said that depends on the
//! sample values.

use std::rc::Rc;

use super::Checker;
use super::definitions::FrameId;
use super::scope::{Binding, Local, Place, Role, Scope};
use super::typing::{Capacity, ChannelType, ParameterKind};
use crate::program::Channel;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::TypeKind;
use crate::vocabulary::{ChannelId, ProcessId};

/// How many channels a sample array has.
const SAMPLE_LENGTH: u32 = 2;

impl<'a> Checker<'a> {
    /// Looks into everything that no instance has led to.
    pub fn samples(&mut self) {
        if self.budget.exhausted {
            return;
        }
        for scope in 0..self.definitions.scopes.len() {
            if self.definitions.scopes[scope].cyclic {
                continue;
            }
            let lengths = (
                self.program.channels.len(),
                self.program.processes.len(),
                self.program.variables.len(),
                self.program.faults.len(),
                self.frames.len(),
            );
            self.sampling = true;
            self.sample_scope(scope);
            self.sampling = false;
            self.program.channels.truncate(lengths.0);
            self.program.processes.truncate(lengths.1);
            self.instances.truncate(lengths.1);
            self.program.variables.truncate(lengths.2);
            self.program.faults.truncate(lengths.3);
            self.frames.truncate(lengths.4);
        }
    }

    fn sample_scope(&mut self, scope: usize) {
        let existing = self.frames.iter().position(|frame| frame.scope == scope);
        let frame = match existing {
            Some(frame) => FrameId(frame),
            None => self.sample_module(scope),
        };
        for index in 0..self.definitions.scopes[scope].procs.len() {
            let proc = self.definitions.scopes[scope].procs[index];
            if !self.uses.checked.contains(&proc.name.span) {
                self.sample_process(proc, frame);
            }
        }
    }

    fn sample_module(&mut self, scope: usize) -> FrameId {
        let frame = self.add_frame(scope, "sample.".into());
        let first = self.program.processes.len();
        if let Some(module) = self.definitions.scopes[scope].module {
            let mut callee = Scope::new(frame, Place::Constant);
            for param in &module.params {
                let binding = self.sample_argument(&mut callee, param, ProcessId(0));
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
        }
        self.fill_module(frame, scope);
        self.bind_arguments();
        for id in first..self.program.processes.len() {
            self.process_body(ProcessId(id as u32));
        }
        frame
    }

    fn sample_process(&mut self, proc: &'a ast::Proc, frame: FrameId) {
        let id = self.add_process("sample".into(), proc, frame, proc.name.span);
        let mut callee = Scope::new(frame, Place::Constant);
        let mut arguments = Vec::with_capacity(proc.params.len());
        for param in &proc.params {
            let binding = self.sample_argument(&mut callee, param, id);
            callee.bind(
                &param.name.text,
                binding.clone(),
                Role::Parameter,
                param.name.span,
            );
            arguments.push(Local {
                binding,
                role: Role::Parameter,
                span: param.name.span,
                depth: 0,
            });
        }
        self.instances[id.0 as usize].arguments = arguments;
        self.process_body(id);
    }

    pub fn sample_argument(
        &mut self,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        process: ProcessId,
    ) -> Binding {
        let binding = match ParameterKind::of(&param.ty) {
            ParameterKind::Process => Some(Binding::Process(process)),
            ParameterKind::Value => self
                .value_type(callee, &param.ty)
                .map(|ty| Binding::Value(Rc::new(ty.zero()))),
            ParameterKind::Channel(ty) => self
                .channel_type(callee, ty, true)
                .map(|ty| Binding::Channel(self.sample_channel(&ty, param.name.span))),
            ParameterKind::Channels(array, element) => {
                let length = match &array.kind {
                    TypeKind::Array(Some(length), _) => self.array_length(callee, length),
                    _ => Some(SAMPLE_LENGTH),
                };
                let ty = self.channel_type(callee, element, true);
                match (length, ty) {
                    (Some(length), Some(ty)) => Some(Binding::Channels(
                        (0..length.min(SAMPLE_LENGTH))
                            .map(|_| self.sample_channel(&ty, param.name.span))
                            .collect(),
                    )),
                    _ => None,
                }
            }
        };
        binding.unwrap_or(Binding::Broken)
    }

    fn sample_channel(&mut self, ty: &ChannelType, span: Span) -> ChannelId {
        let id = ChannelId(self.program.channels.len() as u32);
        self.program.channels.push(Channel {
            name: "sample".into(),
            capacity: match ty.capacity {
                Capacity::Rendezvous => None,
                Capacity::Any => Some(1),
                Capacity::Buffered(n) => Some(n),
            },
            fields: ty.fields.clone(),
            span,
        });
        id
    }
}
