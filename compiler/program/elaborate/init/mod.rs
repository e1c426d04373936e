//! The second phase: the entries of `init` become channels, processes and module instances with their
//! arguments and faults.
//!
//! Names first ([`mod@create`]): arguments may refer to entries that are written later, so they are bound in a
//! second round ([`arguments`]). Only the value arguments of modules are needed at once, because they may
//! decide how many entries a module has.

mod arguments;
mod channel;
mod constants;
mod create;
mod entity;
mod entries;
mod samples;

pub use entity::{Entity, Entry, with_article};
pub use entries::Entries;
pub use samples::samples;

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::declare::{Declarations, ProcDecl};
use super::expr::{Context, Expressions, Site};
use super::fault::Marked;
use super::log::Log;
use super::scope::{Local, Scope};
use super::stmt::NO_VARIABLES;
use super::types::NamedType;
use crate::program::data::TaggedType;
use crate::program::{Channel, Define, Detector, Fault, Process, Value};
use crate::source::Span;
use crate::vocabulary::{DataId, DetectorId, ProcessId};

/// Creates what `init` asks for. Afterwards only [`mod@samples`] adds anything, and takes it away again.
pub fn create<'a>(decls: &'a Declarations<'a>, defines: &[Define], log: &mut Log) -> Instances<'a> {
    let mut made = Instances::default();
    made.add_frame(0, String::new());
    let mut creator = Creator::new(decls, &mut made, log);
    creator.top_constants(defines);
    creator.create_instances();
    creator.bind_arguments();
    made
}

/// What `init` creates.
#[derive(Default)]
pub struct Instances<'a> {
    pub channels: Vec<Channel>,
    /// The processes, without labels and bodies.
    pub processes: Vec<Process>,
    /// The failure detectors.
    pub detectors: Vec<Detector>,
    /// The markers of entries, in order; [`fault::mark`](super::fault::mark) makes faults of them.
    pub markers: Vec<Marked<'a>>,
    /// The faults, once the bodies are known.
    pub faults: Vec<Fault>,
    /// The top level and every module instance.
    pub frames: Vec<Frame<'a>>,
    /// One per process.
    pub instances: Vec<Instance<'a>>,
}

/// An index into [`Instances::frames`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameId(pub usize);

/// The top level.
pub const TOP: FrameId = FrameId(0);

/// The top level, or one module instance: where the names of a unit are looked up.
pub struct Frame<'a> {
    /// Which unit of the declarations: 0 for the top level.
    pub unit: usize,
    /// `""`, or what stands before the names of its entries: `m.`.
    pub prefix: String,
    /// Its constants, once known; `None` for a faulty one.
    pub constants: FxHashMap<&'a str, Option<Rc<Value>>>,
    /// Its named types, once known; `None` for a faulty one.
    pub types: FxHashMap<&'a str, Option<NamedType>>,
    /// The data types whose constructors carry fields, at the top level; `None` for a faulty one.
    pub data: FxHashMap<DataId, Option<Arc<TaggedType>>>,
    /// Its parameters.
    pub parameters: FxHashMap<&'a str, Local>,
    /// The entries of its `init`.
    pub entries: IndexMap<&'a str, Entry>,
}

/// Which proc a process is an instance of, and its arguments.
pub struct Instance<'a> {
    pub proc: &'a ProcDecl<'a>,
    /// Where its proc is defined.
    pub frame: FrameId,
    /// One per parameter.
    pub arguments: Vec<Local>,
}

impl Instances<'_> {
    /// Adds a failure detector.
    pub fn add_detector(&mut self, name: String, process: ProcessId, span: Span) -> DetectorId {
        self.detectors.push(Detector {
            name,
            process,
            span,
        });
        DetectorId(self.detectors.len() as u32 - 1)
    }

    /// Adds the frame of a module instance.
    pub fn add_frame(&mut self, unit: usize, prefix: String) -> FrameId {
        let frame = FrameId(self.frames.len());
        self.frames.push(Frame {
            unit,
            prefix,
            constants: FxHashMap::default(),
            types: FxHashMap::default(),
            data: FxHashMap::default(),
            parameters: FxHashMap::default(),
            entries: IndexMap::new(),
        });
        frame
    }
}

/// Adds instances.
pub struct Creator<'c, 'a> {
    pub decls: &'a Declarations<'a>,
    pub made: &'c mut Instances<'a>,
    pub log: &'c mut Log,
    /// Processes and modules in order of creation, until their arguments are bound.
    pending: Vec<arguments::Pending<'a>>,
}

impl<'c, 'a> Creator<'c, 'a> {
    fn new(
        decls: &'a Declarations<'a>,
        made: &'c mut Instances<'a>,
        log: &'c mut Log,
    ) -> Creator<'c, 'a> {
        Creator {
            decls,
            made,
            log,
            pending: Vec::new(),
        }
    }

    /// For the expressions of `init`, all of which are constant.
    pub fn exprs<'s>(&'s mut self, scope: &'s mut Scope<'a>) -> Expressions<'s, 'a> {
        Expressions {
            decls: self.decls,
            made: self.made,
            variables: &NO_VARIABLES,
            log: self.log,
            scope,
            context: Context::new(Site::Constant),
        }
    }
}
