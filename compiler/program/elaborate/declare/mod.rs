//! The first phase: what the top level and the modules declare, before any of it is looked into.
//!
//! Nothing here has a value or a type yet; what is known is which names there are, in which order constants
//! depend on each other, which modules contain themselves, and the outline of every proc.

mod collect;
mod constants;
mod faults;
mod functions;
mod kinds;
mod modules;
mod order;
mod outline;

pub use constants::{names_in, names_in_type};
pub use faults::{At, OwnFault, OwnJoin, OwnParam};
pub use kinds::{Noun, ParameterKind};
pub use outline::Outline;

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::log::Log;
use crate::program::fault::FaultKind;
use crate::program::problem::FunctionProblem;
use crate::source::{FileId, Span};
use crate::syntax::ast;
use crate::vocabulary::{DataId, DataType, SpecKind};

/// Collects what a model and the files it imports declare.
pub fn declare<'a>(
    main: &'a ast::File,
    imported: &'a [ast::File],
    scenarios: &'a [ast::File],
    faults: &'a [&'static FaultKind],
    log: &mut Log,
) -> Declarations<'a> {
    let mut declarations = collect::collect(main, imported, scenarios, faults, log);
    for unit in &mut declarations.units {
        unit.order = constants::order(unit, log);
    }
    modules::find_cycles(&mut declarations, log);
    // Procs of a module that contains itself have no instances, and nobody looks into them.
    for unit in declarations.units.iter_mut().filter(|unit| !unit.cyclic) {
        for proc in &mut unit.procs {
            proc.outline = outline::outline(proc.ast, log);
        }
        for func in &mut unit.funcs {
            func.proc.outline = outline::outline(func.proc.ast, log);
            let outline = &func.proc.outline;
            if outline.ends && !outline.lost && func.result.is_some() {
                let name = &func.proc.ast.name;
                log.report(FunctionProblem::MissingReturn {
                    name: name.text.clone(),
                    span: name.span,
                });
            }
        }
    }
    functions::find_cycles(&mut declarations, log);
    functions::find_pure(&mut declarations);
    declarations
}

/// A specification as it is written.
#[derive(Clone, Copy)]
pub enum Specification<'a> {
    /// One of formulas.
    Formulas(&'a ast::Spec),
    /// One of messages.
    Protocol(&'a ast::Protocol),
    /// One about who finds out which fault has begun.
    Diagnosable(&'a ast::Diagnosable),
}

impl<'a> Specification<'a> {
    /// Its kind.
    pub fn kind(self) -> SpecKind {
        match self {
            Specification::Formulas(spec) => spec.kind,
            Specification::Protocol(_) => SpecKind::Protocol,
            Specification::Diagnosable(_) => SpecKind::Diagnosable,
        }
    }

    /// Its keyword.
    pub fn keyword(self) -> Span {
        match self {
            Specification::Formulas(spec) => spec.keyword,
            Specification::Protocol(protocol) => protocol.keyword,
            Specification::Diagnosable(asked) => asked.keyword,
        }
    }

    /// Its name, if written.
    pub fn name(self) -> Option<&'a ast::Name> {
        match self {
            Specification::Formulas(spec) => spec.name.as_ref(),
            Specification::Protocol(protocol) => Some(&protocol.name),
            Specification::Diagnosable(_) => None,
        }
    }
}

/// Everything that is declared. Made once by [`declare`]; what comes later borrows it and changes nothing.
pub struct Declarations<'a> {
    /// The kinds of faults that can be marked.
    pub faults: Vec<Arc<FaultKind>>,
    /// The faults that the model itself defines, by the names of their markers.
    pub definitions: IndexMap<&'a str, OwnFault<'a>>,
    /// The top level, then the modules.
    pub units: Vec<Unit<'a>>,
    /// The modules by name, as indices into `units`.
    pub modules: FxHashMap<&'a str, usize>,
    /// The functions as unit and position there, those that are called first; faulty ones are left out.
    pub function_order: Vec<(usize, usize)>,
    /// The data types.
    pub data: Vec<DataType>,
    /// The data types by name.
    pub data_ids: FxHashMap<&'a str, DataId>,
    /// The places of each data type's constructors.
    pub constructor_spans: Vec<Vec<Span>>,
    /// The types that have a constructor of this name, and its index in each.
    pub constructors: FxHashMap<&'a str, Vec<(DataId, u32)>>,
    /// The shared budgets.
    pub limits: Vec<&'a ast::Limit>,
    /// The markers that stand elsewhere.
    pub injects: Vec<&'a ast::Inject>,
    /// What processes see.
    pub views: Vec<&'a ast::View>,
    /// The specifications.
    pub specs: Vec<Specification<'a>>,
    /// Where to speak of the model as a whole.
    pub end: Span,
    /// The file of the model itself, as opposed to imported ones.
    pub main: Option<FileId>,
}

/// What the top level or a module defines.
#[derive(Default)]
pub struct Unit<'a> {
    /// The module; `None` for the top level.
    pub module: Option<&'a ast::Module>,
    /// Its constants.
    pub constants: Vec<&'a ast::Const>,
    /// Its constants by name.
    pub constant_ids: FxHashMap<&'a str, usize>,
    /// Its named types.
    pub types: Vec<&'a ast::TypeDecl>,
    /// Its named types by name.
    pub type_ids: FxHashMap<&'a str, usize>,
    /// The data types whose constructors carry fields.
    pub tagged: Vec<(DataId, &'a ast::Data)>,
    /// Its constants and types in an order in which each needs only earlier ones; faulty ones are left out.
    pub order: Vec<Definition>,
    /// Its procs, in order.
    pub procs: Vec<ProcDecl<'a>>,
    /// Its procs by name.
    pub proc_ids: FxHashMap<&'a str, usize>,
    /// Its functions, in order.
    pub funcs: Vec<FuncDecl<'a>>,
    /// Its functions by name.
    pub func_ids: FxHashMap<&'a str, usize>,
    /// Its predicates by name; only the top level has some.
    pub predicates: FxHashMap<&'a str, &'a ast::Predicate>,
    /// Its `init`.
    pub init: Option<&'a ast::Init>,
    /// Whether it contains itself.
    pub cyclic: bool,
}

/// A constant or a type of a unit, by its position there.
#[derive(Clone, Copy)]
pub enum Definition {
    Constant(usize),
    Type(usize),
    /// A data type whose constructors carry fields.
    Data(usize),
}

/// A proc.
pub struct ProcDecl<'a> {
    /// As written.
    pub ast: &'a ast::Proc,
    /// What all its instances have in common.
    pub outline: Outline<'a>,
}

/// A function.
pub struct FuncDecl<'a> {
    /// Its name, parameters and body.
    pub proc: ProcDecl<'a>,
    /// The type of what it returns.
    pub result: Option<&'a ast::Type>,
    /// Why it cannot stand in an expression: what in it takes a step, and where. `None` if it is pure.
    pub steps: Option<(&'static str, Span)>,
    /// Whether it calls itself.
    pub cyclic: bool,
}

impl<'a> Declarations<'a> {
    /// The function that a name means in a unit, and the unit it is defined in.
    pub fn func(&self, unit: usize, name: &str) -> Option<(usize, &FuncDecl<'a>)> {
        [unit, 0].into_iter().find_map(|unit| {
            let id = self.units[unit].func_ids.get(name)?;
            Some((unit, &self.units[unit].funcs[*id]))
        })
    }
}

impl<'a> Unit<'a> {
    /// A constant with its name.
    pub fn constant(&self, name: &str) -> Option<&'a ast::Const> {
        self.constant_ids
            .get(name)
            .map(|index| self.constants[*index])
    }

    /// A proc with its name.
    pub fn proc(&self, name: &str) -> Option<&ProcDecl<'a>> {
        self.proc_ids.get(name).map(|index| &self.procs[*index])
    }
}
