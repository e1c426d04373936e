//! Procs and modules without instances are checked once, with sample arguments: zero values and channels
//! that exist for this only. Nothing of it stays, and nothing is said that depends on the sample values.

use std::rc::Rc;

use super::{Creator, FrameId, Instances};
use crate::program::Channel;
use crate::program::elaborate::declare::{Declarations, Noun, ParameterKind, ProcDecl};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::{Binding, Local, Role, Scope};
use crate::program::elaborate::stmt::{self, Variables};
use crate::program::elaborate::types::{Capacity, ChannelType};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, ProcessId};

/// How many channels a sample array has.
const SAMPLE_LENGTH: u32 = 2;

/// Looks into everything that no instance has led to.
pub fn samples<'a>(
    decls: &'a Declarations<'a>,
    made: &mut Instances<'a>,
    variables: &mut Variables,
    log: &mut Log,
) {
    if log.budget.exhausted {
        return;
    }
    log.sampling = true;
    for (unit, declared) in decls.units.iter().enumerate() {
        if declared.cyclic {
            continue;
        }
        let real = made.lengths();
        let real_variables = variables.list.len();
        let frame = match made.frames.iter().position(|frame| frame.unit == unit) {
            Some(frame) => FrameId(frame),
            None => sample_module(decls, made, variables, log, unit),
        };
        for proc in &declared.procs {
            if !log.uses.checked.contains(&proc.ast.name.span) {
                let id = Creator::new(decls, made, log).sample_process(proc, frame);
                stmt::body(decls, made, variables, log, id, None);
            }
        }
        for func in declared.funcs.iter().filter(|func| !func.cyclic) {
            if !log.uses.checked.contains(&func.proc.ast.name.span) {
                let id = Creator::new(decls, made, log).sample_process(&func.proc, frame);
                stmt::body(decls, made, variables, log, id, Some(func));
            }
        }
        made.truncate(real);
        variables.truncate(real.processes, real_variables);
    }
    log.sampling = false;
}

fn sample_module<'a>(
    decls: &'a Declarations<'a>,
    made: &mut Instances<'a>,
    variables: &mut Variables,
    log: &mut Log,
    unit: usize,
) -> FrameId {
    let first = made.processes.len();
    let frame = Creator::new(decls, made, log).sample_instance(unit);
    for id in first..made.processes.len() {
        stmt::body(decls, made, variables, log, ProcessId(id as u32), None);
    }
    frame
}

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Lengths {
    channels: usize,
    processes: usize,
    detectors: usize,
    faults: usize,
    frames: usize,
}

impl Instances<'_> {
    fn lengths(&self) -> Lengths {
        Lengths {
            channels: self.channels.len(),
            processes: self.processes.len(),
            detectors: self.detectors.len(),
            faults: self.faults.len(),
            frames: self.frames.len(),
        }
    }

    fn truncate(&mut self, to: Lengths) {
        self.channels.truncate(to.channels);
        self.processes.truncate(to.processes);
        self.detectors.truncate(to.detectors);
        self.instances.truncate(to.processes);
        self.faults.truncate(to.faults);
        self.frames.truncate(to.frames);
    }
}

impl<'a> Creator<'_, 'a> {
    fn sample_instance(&mut self, unit: usize) -> FrameId {
        let frame = self.made.add_frame(unit, "sample.".into());
        if let Some(module) = self.decls.units[unit].module {
            let mut callee = Scope::new(frame);
            for param in &module.params {
                let binding = self.sample_argument(&mut callee, param, ProcessId(0));
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
        }
        self.fill_module(frame, unit);
        self.bind_arguments();
        frame
    }

    fn sample_process(&mut self, proc: &'a ProcDecl<'a>, frame: FrameId) -> ProcessId {
        let id = self.add_process("sample".into(), proc, frame, proc.ast.name.span);
        let mut callee = Scope::new(frame);
        let mut arguments = Vec::with_capacity(proc.ast.params.len());
        for param in &proc.ast.params {
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
        self.made.instances[id.0 as usize].arguments = arguments;
        id
    }

    pub fn sample_argument(
        &mut self,
        callee: &mut Scope<'a>,
        param: &'a ast::Param,
        process: ProcessId,
    ) -> Binding {
        let binding = match self.kind(callee.frame, param) {
            ParameterKind::One(noun) => Some(self.sample_noun(noun, process, param.name.span)),
            ParameterKind::Many(noun, _) => {
                let one = self.sample_noun(noun, process, param.name.span);
                noun.all(&vec![one; SAMPLE_LENGTH as usize])
            }
            ParameterKind::Value => self
                .exprs(callee)
                .value_type(&param.ty)
                .map(|ty| Binding::Value(Rc::new(ty.zero()))),
            ParameterKind::Channel(ty) => self
                .exprs(callee)
                .channel_type(ty, true)
                .map(|ty| Binding::Channel(self.sample_channel(&ty, param.name.span))),
            ParameterKind::Channels(ty) => {
                let array = self.exprs(callee).channels_type(ty);
                array.map(|(length, ty)| {
                    let length = length.unwrap_or(SAMPLE_LENGTH).min(SAMPLE_LENGTH);
                    let channels = (0..length).map(|_| self.sample_channel(&ty, param.name.span));
                    Binding::Channels(channels.collect())
                })
            }
        };
        binding.unwrap_or(Binding::Broken)
    }

    fn sample_noun(&mut self, noun: Noun, process: ProcessId, span: Span) -> Binding {
        match noun {
            Noun::Process => Binding::Process(process),
            Noun::Detector => {
                let name = "sample".to_owned();
                Binding::Detector(self.made.add_detector(name, process, span))
            }
        }
    }

    fn sample_channel(&mut self, ty: &ChannelType, span: Span) -> ChannelId {
        let id = ChannelId(self.made.channels.len() as u32);
        self.made.channels.push(Channel {
            name: "sample".into(),
            capacity: match ty.capacity {
                Capacity::Rendezvous => None,
                Capacity::Any => Some(1),
                Capacity::Buffered(n) => Some(n),
            },
            bag: ty.bag,
            overflow: ty.overflow,
            delay: None,
            fields: ty.fields.clone(),
            field_names: ty.names.clone(),
            span,
        });
        id
    }
}
