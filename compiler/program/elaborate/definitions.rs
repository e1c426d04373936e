//! What the top level and the modules define, before any of it is looked into.

use rustc_hash::FxHashMap;

use super::{Checker, Frame};
use crate::program::limits;
use crate::program::problem::{EntryProblem, NameProblem, SizeProblem, TypeProblem};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::DeclKind;
use crate::vocabulary::{DataId, DataType};

/// An index into `Checker::frames`; 0 is the top level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FrameId(pub usize);

/// All definitions.
#[derive(Default)]
pub struct Definitions<'a> {
    /// The top level, then the modules.
    pub scopes: Vec<Definition<'a>>,
    /// The modules by name, as indices into `scopes`.
    pub modules: FxHashMap<&'a str, usize>,
    /// The data types by name.
    pub data: FxHashMap<&'a str, DataId>,
    /// The places of each data type's constructors.
    pub constructor_spans: Vec<Vec<Span>>,
    /// The types that have a constructor of this name, and its index in each.
    pub constructors: FxHashMap<&'a str, Vec<(DataId, u32)>>,
    /// The shared budgets.
    pub limits: Vec<&'a ast::Limit>,
    /// The specifications.
    pub specs: Vec<&'a ast::Spec>,
    /// Where to speak of the model as a whole.
    pub end: Option<Span>,
    /// The file of the model itself, as opposed to imported ones.
    pub main: Option<crate::source::FileId>,
}

/// What the top level or a module defines.
#[derive(Default)]
pub struct Definition<'a> {
    /// The module; `None` for the top level.
    pub module: Option<&'a ast::Module>,
    /// Its constants.
    pub constants: Vec<&'a ast::Const>,
    /// Its constants by name.
    pub constant_ids: FxHashMap<&'a str, usize>,
    /// Its constants in an order in which each needs only earlier ones; faulty ones are left out.
    pub constant_order: Vec<usize>,
    /// Its procs, in order.
    pub procs: Vec<&'a ast::Proc>,
    /// Its procs by name.
    pub proc_ids: FxHashMap<&'a str, usize>,
    /// Its `init`.
    pub init: Option<&'a ast::Init>,
    /// Whether it contains itself.
    pub cyclic: bool,
}

impl<'a> Checker<'a> {
    /// Collects all definitions.
    pub fn define(&mut self, main: &'a ast::File, imported: &'a [ast::File]) {
        self.definitions.end = Some(self.end_of(main));
        self.definitions.main = main.decls.first().map(|decl| decl.span.file);
        self.definitions.scopes.push(Definition::default());
        let mut names = FxHashMap::default();
        for decl in &main.decls {
            self.top_declaration(decl, true, &mut names);
        }
        for file in imported {
            for decl in &file.decls {
                self.top_declaration(decl, false, &mut names);
            }
        }
        self.frames.push(Frame {
            scope: 0,
            prefix: String::new(),
            constants: FxHashMap::default(),
            parameters: FxHashMap::default(),
            entries: indexmap::IndexMap::new(),
        });
    }

    fn top_declaration(
        &mut self,
        decl: &'a ast::Decl,
        main: bool,
        names: &mut FxHashMap<&'a str, Span>,
    ) {
        match &decl.kind {
            DeclKind::Import(_) => {}
            DeclKind::Data(data) => {
                if self.defined_once(&data.name, "definition", names) {
                    self.data(data, decl.span, names);
                }
            }
            DeclKind::Const(constant) => {
                if self.defined_once(&constant.name, "definition", names) {
                    self.constructor_clash(&constant.name);
                    add_constant(&mut self.definitions.scopes[0], constant);
                }
            }
            DeclKind::Proc(proc) => {
                if self.defined_once(&proc.name, "definition", names) {
                    add_proc(&mut self.definitions.scopes[0], proc);
                }
            }
            DeclKind::Module(module) => {
                if self.defined_once(&module.name, "definition", names) {
                    self.module(module);
                }
            }
            DeclKind::Init(init) if main => match self.definitions.scopes[0].init {
                None => self.definitions.scopes[0].init = Some(init),
                Some(first) => self.report(EntryProblem::TwoInits {
                    span: init.keyword,
                    first: first.keyword,
                }),
            },
            DeclKind::Limit(limit) if main => self.definitions.limits.push(limit),
            DeclKind::Spec(spec) if main => self.definitions.specs.push(spec),
            DeclKind::Init(_) | DeclKind::Limit(_) | DeclKind::Spec(_) => {
                self.misplaced_declaration(&decl.kind, "an imported file");
            }
            DeclKind::Error => self.lost_declaration(),
        }
    }

    fn lost_declaration(&mut self) {
        self.incomplete = true;
        self.lost.declarations = true;
    }

    fn misplaced_declaration(&mut self, decl: &DeclKind, place: &'static str) {
        let (what, span) = match decl {
            DeclKind::Import(import) => ("`import`", import.path.span),
            DeclKind::Data(data) => ("`data`", data.name.span),
            DeclKind::Const(constant) => ("`const`", constant.name.span),
            DeclKind::Proc(proc) => ("`proc`", proc.name.span),
            DeclKind::Module(module) => ("`module`", module.name.span),
            DeclKind::Init(init) => ("`init`", init.keyword),
            DeclKind::Limit(limit) => ("`limit`", limit.keyword),
            DeclKind::Spec(spec) => ("a specification", spec.keyword),
            DeclKind::Error => return,
        };
        self.report(EntryProblem::MisplacedDeclaration { what, place, span });
        // What it defines is not there, but not unknown either.
        self.lost.declarations = true;
    }

    fn defined_once(
        &mut self,
        name: &'a ast::Name,
        what: &'static str,
        names: &mut FxHashMap<&'a str, Span>,
    ) -> bool {
        self.check_name(name, false);
        match names.get(name.text.as_str()) {
            Some(first) => {
                let first = *first;
                self.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what,
                    span: name.span,
                    first,
                });
                false
            }
            None => {
                names.insert(&name.text, name.span);
                true
            }
        }
    }

    fn data(&mut self, data: &'a ast::Data, all: Span, names: &FxHashMap<&'a str, Span>) {
        let id = DataId(self.program.data.len() as u32);
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let (mut constructors, mut spans) = (Vec::new(), Vec::new());
        for name in &data.constructors {
            self.check_name(name, false);
            if let Some(first) = seen.insert(&name.text, name.span) {
                self.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what: "constructor",
                    span: name.span,
                    first,
                });
                continue;
            }
            if let Some(index) = self.definitions.scopes[0]
                .constant_ids
                .get(name.text.as_str())
            {
                let first = self.definitions.scopes[0].constants[*index].name.span;
                debug_assert!(names.contains_key(name.text.as_str()));
                self.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what: "value",
                    span: name.span,
                    first,
                });
            }
            self.definitions
                .constructors
                .entry(&name.text)
                .or_default()
                .push((id, constructors.len() as u32));
            constructors.push(name.text.clone());
            spans.push(name.span);
        }
        if constructors.is_empty() {
            // Between braces that are further apart stood something that is no name; that has been
            // reported.
            if all.end - data.name.span.end > 6 {
                self.lost_declaration();
            } else {
                self.report(TypeProblem::EmptyData {
                    name: data.name.text.clone(),
                    span: data.name.span,
                });
            }
            // Later steps count on a zero value.
            constructors.push("_".to_owned());
            spans.push(data.name.span);
        }
        self.definitions.data.insert(&data.name.text, id);
        self.definitions.constructor_spans.push(spans);
        self.program.data.push(DataType {
            name: data.name.text.clone(),
            constructors,
            span: data.name.span,
        });
    }

    fn constructor_clash(&mut self, name: &'a ast::Name) {
        if let Some((data, index)) = self
            .definitions
            .constructors
            .get(name.text.as_str())
            .and_then(|all| all.first())
        {
            let first = self.definitions.constructor_spans[data.0 as usize][*index as usize];
            self.report(NameProblem::Duplicate {
                name: name.text.clone(),
                what: "value",
                span: name.span,
                first,
            });
        }
    }

    fn module(&mut self, module: &'a ast::Module) {
        let mut definition = Definition {
            module: Some(module),
            ..Definition::default()
        };
        let mut names: FxHashMap<&'a str, Span> = FxHashMap::default();
        for param in &module.params {
            self.defined_once(&param.name, "parameter", &mut names);
        }
        for decl in &module.decls {
            match &decl.kind {
                DeclKind::Const(constant) => {
                    if self.defined_once(&constant.name, "definition", &mut names) {
                        add_constant(&mut definition, constant);
                    }
                }
                DeclKind::Proc(proc) => {
                    if self.defined_once(&proc.name, "definition", &mut names) {
                        add_proc(&mut definition, proc);
                    }
                }
                DeclKind::Init(init) => match definition.init {
                    None => definition.init = Some(init),
                    Some(first) => self.report(EntryProblem::TwoInits {
                        span: init.keyword,
                        first: first.keyword,
                    }),
                },
                DeclKind::Error => self.lost_declaration(),
                other => self.misplaced_declaration(other, "a module"),
            }
        }
        let id = self.definitions.scopes.len();
        self.definitions.modules.insert(&module.name.text, id);
        self.definitions.scopes.push(definition);
    }

    /// Marks the modules that contain themselves, and limits how deep the others nest.
    pub fn module_cycles(&mut self) {
        let count = self.definitions.scopes.len();
        let inner: Vec<Vec<usize>> = self
            .definitions
            .scopes
            .iter()
            .map(|definition| {
                let mut names = Vec::new();
                if let Some(init) = definition.init {
                    callees(&init.entries, &mut names);
                }
                let mut ids: Vec<usize> = names
                    .iter()
                    .filter(|name| !definition.proc_ids.contains_key(name.text.as_str()))
                    .filter_map(|name| self.definitions.modules.get(name.text.as_str()).copied())
                    .collect();
                ids.dedup();
                ids
            })
            .collect();
        let order = super::constants::dependency_order(count, &inner);
        for cycle in &order.cycles {
            let modules: Vec<&'a ast::Module> = cycle
                .iter()
                .filter_map(|id| self.definitions.scopes[*id].module)
                .collect();
            let Some(first) = modules.first() else {
                continue;
            };
            self.report(NameProblem::ModuleCycle {
                names: modules.iter().map(|m| m.name.text.clone()).collect(),
                span: first.name.span,
            });
        }
        let mut depth = vec![0usize; count];
        for id in &order.order {
            depth[*id] = inner[*id].iter().map(|i| depth[*i] + 1).max().unwrap_or(0);
            if depth[*id] == limits::MODULE_DEPTH
                && let Some(module) = self.definitions.scopes[*id].module
            {
                self.report(SizeProblem::ModuleDepth {
                    span: module.name.span,
                });
            }
        }
        for (id, depth) in depth.into_iter().enumerate() {
            self.definitions.scopes[id].cyclic = order.faulty[id] || depth >= limits::MODULE_DEPTH;
        }
    }
}

fn add_constant<'a>(definition: &mut Definition<'a>, constant: &'a ast::Const) {
    definition
        .constant_ids
        .insert(&constant.name.text, definition.constants.len());
    definition.constants.push(constant);
}

fn add_proc<'a>(definition: &mut Definition<'a>, proc: &'a ast::Proc) {
    definition
        .proc_ids
        .insert(&proc.name.text, definition.procs.len());
    definition.procs.push(proc);
}

/// The procs and modules that entries create.
fn callees<'a>(entries: &'a [ast::Entry], names: &mut Vec<&'a ast::Name>) {
    for entry in entries {
        match &entry.kind {
            ast::EntryKind::Instance { callee, .. } => names.push(callee),
            ast::EntryKind::For { entries, .. } => callees(entries, names),
            ast::EntryKind::Channel { .. } | ast::EntryKind::Error => {}
        }
    }
}
