//! What the entries of `init` create.

use std::rc::Rc;

use super::FrameId;
use crate::source::Span;
use crate::vocabulary::{ChannelId, DetectorId, FaultId, ProcessId};

/// What an entry of `init` created.
#[derive(Clone, Debug)]
pub enum Entity {
    Channel(ChannelId),
    Channels(Rc<[ChannelId]>),
    Process(ProcessId),
    Processes(Rc<[ProcessId]>),
    Detector(DetectorId),
    Detectors(Rc<[DetectorId]>),
    Module(FrameId),
    Modules(Rc<[FrameId]>),
    Fault(FaultId),
    Faults(Rc<[FaultId]>),
    /// Something faulty that has been reported.
    Broken,
}

/// An entry of `init`.
#[derive(Clone, Debug)]
pub struct Entry {
    pub entity: Entity,
    /// Where its name stands.
    pub span: Span,
}

impl Entity {
    /// As part of a sentence.
    pub fn what(&self) -> &'static str {
        match self {
            Entity::Channel(_) => "a channel",
            Entity::Channels(_) => "an array of channels",
            Entity::Process(_) => "a process",
            Entity::Processes(_) => "an array of processes",
            Entity::Detector(_) => "a detector",
            Entity::Detectors(_) => "an array of detectors",
            Entity::Module(_) => "a module instance",
            Entity::Modules(_) => "an array of module instances",
            Entity::Fault(_) => "a fault",
            Entity::Faults(_) => "an array of faults",
            Entity::Broken => "faulty",
        }
    }

    /// How many elements an array has.
    pub fn length(&self) -> Option<usize> {
        match self {
            Entity::Channels(all) => Some(all.len()),
            Entity::Processes(all) => Some(all.len()),
            Entity::Detectors(all) => Some(all.len()),
            Entity::Modules(all) => Some(all.len()),
            Entity::Faults(all) => Some(all.len()),
            _ => None,
        }
    }

    /// An element of an array.
    pub fn get(&self, index: usize) -> Option<Entity> {
        match self {
            Entity::Channels(all) => all.get(index).map(|id| Entity::Channel(*id)),
            Entity::Processes(all) => all.get(index).map(|id| Entity::Process(*id)),
            Entity::Detectors(all) => all.get(index).map(|id| Entity::Detector(*id)),
            Entity::Modules(all) => all.get(index).map(|id| Entity::Module(*id)),
            Entity::Faults(all) => all.get(index).map(|id| Entity::Fault(*id)),
            _ => None,
        }
    }
}

/// `a process`
pub fn with_article(noun: &'static str) -> &'static str {
    match noun {
        "channel" => "a channel",
        "process" => "a process",
        "module instance" => "a module instance",
        "detector" => "a detector",
        "array of channels" => "an array of channels",
        "array of processes" => "an array of processes",
        "array of detectors" => "an array of detectors",
        "fault" => "a fault",
        _ => "a process or channel",
    }
}
