//! Which span means which definition: one table for all who ask (definition, references, rename, hover, colours).
//!
//! Names are resolved as `load::link` and `program` do it, but from the text alone: what is wrong elsewhere does not matter, and a
//! loop is not unrolled. A name whose meaning depends on more than that (a constructor of two types where no type is
//! expected) is left out.

mod collect;
mod entries;
mod expr;
mod resolve;
mod ty;
mod types;

pub use ty::Ty;

use std::collections::HashMap;

use crate::load::Loaded;
use crate::source::{FileId, Sources, Span};

/// A definition of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefId(pub usize);

/// What is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Data,
    Constructor,
    Field,
    Alias,
    Struct,
    Const,
    Proc,
    Func,
    Predicate,
    Module,
    Parameter,
    Variable,
    Counter,
    Label,
    Instance,
    Channel,
    Specification,
    Fault,
    FaultName,
    File,
}

impl Kind {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Data => "data type",
            Kind::Constructor => "constructor",
            Kind::Field => "field",
            Kind::Alias => "type",
            Kind::Struct => "record",
            Kind::Const => "constant",
            Kind::Proc => "proc",
            Kind::Func => "function",
            Kind::Predicate => "predicate",
            Kind::Module => "module",
            Kind::Parameter => "parameter",
            Kind::Variable => "variable",
            Kind::Counter => "loop variable",
            Kind::Label => "label",
            Kind::Instance => "instance",
            Kind::Channel => "channel",
            Kind::Specification => "property",
            Kind::Fault => "fault",
            Kind::FaultName => "name of a fault",
            Kind::File => "file",
        }
    }

    /// Whether it names a type.
    pub fn is_type(self) -> bool {
        matches!(self, Kind::Data | Kind::Alias | Kind::Struct)
    }

    /// Whether the value of such a thing can be read where expressions stand.
    pub fn is_value(self) -> bool {
        matches!(
            self,
            Kind::Const | Kind::Parameter | Kind::Variable | Kind::Counter | Kind::Constructor
        )
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Its declaration without a body.
    pub head: Span,
    /// Of a local name: where it can be used. `None`: everywhere.
    pub scope: Option<Span>,
    /// The proc of a variable, the type of a constructor, the module of an entry.
    pub owner: Option<DefId>,
    /// Its type, if it is a value or a channel; of a function that of its result.
    pub ty: Ty,
    /// The value of a constant, if it is a number.
    pub value: Option<i64>,
    /// Of an instance: the proc or module.
    pub callee: Option<DefId>,
}

/// A place that names a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where.
    pub span: Span,
    /// What is meant.
    pub target: DefId,
    /// Whether something is stored there.
    pub writes: bool,
}

/// What the names of a model mean.
#[derive(Default, Debug)]
pub struct Index {
    /// All definitions, those of a file in the order of their places.
    pub definitions: Vec<Definition>,
    /// All places that name them, by file and place.
    pub uses: Vec<Use>,
    /// What belongs to a definition, in order.
    members: HashMap<DefId, Vec<DefId>>,
    /// Definitions, by file and place of the name.
    declared: Vec<(Span, DefId)>,
    /// Places that are names but whose meaning was not found.
    pub unknown: Vec<Span>,
}

impl Index {
    /// The index of a model.
    pub fn new(sources: &Sources, loaded: &Loaded) -> Index {
        let mut index = resolve::resolve(sources, loaded);
        let key = |span: &Span| (span.file, span.start, span.end);
        index.uses.sort_by_key(|used| key(&used.span));
        index.uses.dedup_by_key(|used| used.span);
        let mut declared: Vec<(Span, DefId)> = index
            .definitions
            .iter()
            .enumerate()
            .map(|(id, definition)| (definition.span, DefId(id)))
            .collect();
        declared.sort_by_key(|(span, _)| key(span));
        index.declared = declared;
        index
    }

    /// What is named at a place (or right before it), and where exactly.
    pub fn at(&self, file: FileId, offset: usize) -> Option<(DefId, Span)> {
        let offset = offset as u32;
        let around = |span: Span| span.file == file && span.start <= offset && offset <= span.end;
        let place = (file, offset);
        let end = (self.uses).partition_point(|used| (used.span.file, used.span.start) <= place);
        let used = self.uses[..end].last().filter(|used| around(used.span));
        let end = (self.declared).partition_point(|(span, _)| (span.file, span.start) <= place);
        let declared = self.declared[..end].last();
        let declared = declared.filter(|(span, id)| around(*span) && self[*id].kind != Kind::File);
        // Of two that touch, the one that begins here is meant.
        match (used, declared) {
            (Some(used), Some((span, id))) if span.start >= used.span.start => Some((*id, *span)),
            (Some(used), _) => Some((used.target, used.span)),
            (None, Some((span, id))) => Some((*id, *span)),
            (None, None) => None,
        }
    }

    /// What belongs to a definition: the names in a proc, the constructors of a type, the entries of a module.
    pub fn members(&self, id: DefId) -> impl Iterator<Item = (DefId, &Definition)> {
        let members = self.members.get(&id).map_or(&[][..], Vec::as_slice);
        members.iter().map(|id| (*id, &self[*id]))
    }

    /// All definitions of a file.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = (DefId, &Definition)> {
        let all = self.definitions.iter().enumerate();
        all.filter(move |(_, definition)| definition.span.file == file)
            .map(|(id, definition)| (DefId(id), definition))
    }

    /// The uses in a file.
    pub fn uses_in(&self, file: FileId) -> &[Use] {
        let start = self.uses.partition_point(|used| used.span.file < file);
        let end = self.uses.partition_point(|used| used.span.file <= file);
        &self.uses[start..end]
    }

    /// A type behind its other names.
    pub fn plain(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        // An alias may stand for itself: a mistake, which is reported elsewhere.
        for _ in 0..32 {
            match ty {
                Ty::Named(id) if self[id].kind == Kind::Alias => ty = self[id].ty.clone(),
                _ => return ty,
            }
        }
        Ty::Unknown
    }
}

impl std::ops::Index<DefId> for Index {
    type Output = Definition;

    fn index(&self, id: DefId) -> &Definition {
        &self.definitions[id.0]
    }
}
