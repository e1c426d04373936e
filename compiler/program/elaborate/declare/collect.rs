//! Collects declarations, with all that can be wrong about their names.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::{Declarations, FuncDecl, Outline, ProcDecl, Specification, Unit};
use crate::program::elaborate::log::Log;
use crate::program::fault::FaultKind;
use crate::program::problem::{EntryProblem, NameProblem, TypeProblem};
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, DeclKind};
use crate::vocabulary::{DataId, DataType};

struct Collector<'a, 'l> {
    out: Declarations<'a>,
    log: &'l mut Log,
}

/// Collects all declarations. What depends on several of them is still missing.
pub fn collect<'a>(
    main: &'a ast::File,
    imported: &'a [ast::File],
    scenarios: &'a [ast::File],
    faults: &'a [&'static FaultKind],
    log: &mut Log,
) -> Declarations<'a> {
    let out = Declarations {
        faults: faults
            .iter()
            .map(|kind| Arc::new((*kind).clone()))
            .collect(),
        definitions: IndexMap::new(),
        units: vec![Unit::default()],
        modules: FxHashMap::default(),
        function_order: Vec::new(),
        data: Vec::new(),
        data_ids: FxHashMap::default(),
        constructor_spans: Vec::new(),
        constructors: FxHashMap::default(),
        limits: Vec::new(),
        injects: Vec::new(),
        views: Vec::new(),
        specs: Vec::new(),
        // Right after the last declaration.
        end: main
            .decls
            .last()
            .map_or(Span::new(FileId(0), 0, 0), |decl| decl.span.after()),
        main: main.decls.first().map(|decl| decl.span.file),
    };
    let mut collector = Collector { out, log };
    let mut names = FxHashMap::default();
    for decl in &main.decls {
        collector.top_declaration(decl, true, &mut names);
    }
    for decl in imported.iter().flat_map(|file| &file.decls) {
        collector.top_declaration(decl, false, &mut names);
    }
    for decl in scenarios.iter().flat_map(|file| &file.decls) {
        match &decl.kind {
            DeclKind::Const(_)
            | DeclKind::Limit(_)
            | DeclKind::Inject(_)
            | DeclKind::Fault(_)
            | DeclKind::Spec(_)
            | DeclKind::Protocol(_)
            | DeclKind::View(_)
            | DeclKind::Diagnosable(_)
            | DeclKind::Error => collector.top_declaration(decl, true, &mut names),
            other => collector.misplaced_declaration(other, "a file given with `--with`"),
        }
    }
    collector.out
}

impl<'a> Collector<'a, '_> {
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
                    self.data(data, names);
                }
            }
            DeclKind::Type(named) => {
                if self.defined_once(&named.name, "definition", names) {
                    self.builtin_type(&named.name);
                    add_type(&mut self.out.units[0], named);
                }
            }
            DeclKind::Const(constant) => {
                if self.defined_once(&constant.name, "definition", names) {
                    self.constructor_clash(&constant.name);
                    add_constant(&mut self.out.units[0], constant);
                }
            }
            DeclKind::Proc(proc) => {
                if self.defined_once(&proc.name, "definition", names) {
                    add_proc(&mut self.out.units[0], proc);
                }
            }
            DeclKind::Func(func) => {
                if self.defined_once(&func.proc.name, "definition", names) {
                    self.builtin_function(&func.proc.name);
                    add_func(&mut self.out.units[0], func);
                }
            }
            DeclKind::Predicate(predicate) => {
                if self.defined_once(&predicate.name, "definition", names) {
                    self.builtin_function(&predicate.name);
                    let unit = &mut self.out.units[0];
                    unit.predicates.insert(&predicate.name.text, predicate);
                }
            }
            DeclKind::Module(module) => {
                if self.defined_once(&module.name, "definition", names) {
                    self.module(module);
                }
            }
            DeclKind::Init(init) if main => match self.out.units[0].init {
                None => self.out.units[0].init = Some(init),
                Some(first) => self.log.report(EntryProblem::TwoInits {
                    span: init.keyword,
                    first: first.keyword,
                }),
            },
            DeclKind::Fault(fault) => {
                let known = self.out.definitions.get(fault.name.text.as_str());
                match known.map(|own| own.ast.name.span) {
                    Some(first) => self.log.report(NameProblem::Duplicate {
                        name: fault.name.text.clone(),
                        what: "fault",
                        span: fault.name.span,
                        first,
                    }),
                    None => self.out.add_fault(fault, self.log),
                }
            }
            DeclKind::Limit(limit) if main => self.out.limits.push(limit),
            DeclKind::Inject(inject) if main => self.out.injects.push(inject),
            DeclKind::Spec(spec) if main => self.out.specs.push(Specification::Formulas(spec)),
            DeclKind::Protocol(protocol) if main => {
                self.out.specs.push(Specification::Protocol(protocol));
            }
            DeclKind::View(view) if main => self.out.views.push(view),
            DeclKind::Diagnosable(asked) if main => {
                self.out.specs.push(Specification::Diagnosable(asked));
            }
            DeclKind::Init(_)
            | DeclKind::Limit(_)
            | DeclKind::Inject(_)
            | DeclKind::Spec(_)
            | DeclKind::Protocol(_)
            | DeclKind::View(_)
            | DeclKind::Diagnosable(_) => {
                self.misplaced_declaration(&decl.kind, "an imported file");
            }
            DeclKind::Error => self.lost_declaration(),
        }
    }

    fn lost_declaration(&mut self) {
        self.log.incomplete = true;
        self.log.lost.declarations = true;
    }

    fn misplaced_declaration(&mut self, decl: &DeclKind, place: &'static str) {
        let (what, span) = match decl {
            DeclKind::Import(import) => ("`import`", import.path.span),
            DeclKind::Data(data) => ("`data`", data.name.span),
            DeclKind::Type(named) => ("`type`", named.name.span),
            DeclKind::Const(constant) => ("`const`", constant.name.span),
            DeclKind::Proc(proc) => ("`proc`", proc.name.span),
            DeclKind::Func(func) => ("`func`", func.proc.name.span),
            DeclKind::Predicate(predicate) => ("`predicate`", predicate.name.span),
            DeclKind::Module(module) => ("`module`", module.name.span),
            DeclKind::Init(init) => ("`init`", init.keyword),
            DeclKind::Limit(limit) => ("`limit`", limit.keyword),
            DeclKind::Inject(inject) => ("`inject`", inject.keyword),
            DeclKind::Fault(fault) => ("`fault`", fault.name.span),
            DeclKind::Spec(spec) => ("a specification", spec.keyword),
            DeclKind::Protocol(protocol) => ("a specification", protocol.keyword),
            DeclKind::View(view) => ("`view`", view.keyword),
            DeclKind::Diagnosable(asked) => ("a specification", asked.keyword),
            DeclKind::Error => return,
        };
        self.log
            .report(EntryProblem::MisplacedDeclaration { what, place, span });
        // What it defines is not there, but not unknown either.
        self.log.lost.declarations = true;
    }

    fn defined_once(
        &mut self,
        name: &'a ast::Name,
        what: &'static str,
        names: &mut FxHashMap<&'a str, Span>,
    ) -> bool {
        self.log.legal_name(name, false);
        match names.get(name.text.as_str()) {
            Some(first) => {
                let first = *first;
                self.log.report(NameProblem::Duplicate {
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

    /// `bool`, `int` and `bit` are no words of the language, but a type of that name could not be named.
    fn builtin_type(&mut self, name: &ast::Name) {
        if matches!(name.text.as_str(), "bool" | "int" | "bit") {
            self.log.report(NameProblem::Reserved {
                name: name.text.clone(),
                span: name.span,
                why: "it is a type of the language",
            });
        }
    }

    /// The functions of the language keep their names.
    fn builtin_function(&mut self, name: &ast::Name) {
        if BUILT_IN.contains(&name.text.as_str()) {
            self.log.report(NameProblem::Reserved {
                name: name.text.clone(),
                span: name.span,
                why: "it is a function of the language",
            });
        }
    }

    fn data(&mut self, data: &'a ast::Data, names: &FxHashMap<&'a str, Span>) {
        let id = DataId(self.out.data.len() as u32);
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let (mut constructors, mut spans) = (Vec::new(), Vec::new());
        for constructor in &data.constructors {
            let name = &constructor.name;
            self.log.legal_name(name, false);
            if let Some(first) = seen.insert(&name.text, name.span) {
                self.log.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what: "constructor",
                    span: name.span,
                    first,
                });
                continue;
            }
            if let Some(index) = self.out.units[0].constant_ids.get(name.text.as_str()) {
                let first = self.out.units[0].constants[*index].name.span;
                debug_assert!(names.contains_key(name.text.as_str()));
                self.log.report(NameProblem::Duplicate {
                    name: name.text.clone(),
                    what: "value",
                    span: name.span,
                    first,
                });
            }
            self.out
                .constructors
                .entry(&name.text)
                .or_default()
                .push((id, constructors.len() as u32));
            constructors.push(name.text.clone());
            spans.push(name.span);
        }
        if constructors.is_empty() {
            self.log.report(TypeProblem::EmptyData {
                name: data.name.text.clone(),
                span: data.name.span,
            });
            // Later steps count on a zero value.
            constructors.push("_".to_owned());
            spans.push(data.name.span);
        }
        if data.constructors.iter().any(|c| !c.fields.is_empty()) {
            self.out.units[0].tagged.push((id, data));
        }
        self.out.data_ids.insert(&data.name.text, id);
        self.out.constructor_spans.push(spans);
        self.out.data.push(DataType {
            name: data.name.text.clone(),
            constructors,
            span: data.name.span,
        });
    }

    fn constructor_clash(&mut self, name: &'a ast::Name) {
        if let Some((data, index)) = self
            .out
            .constructors
            .get(name.text.as_str())
            .and_then(|all| all.first())
        {
            let first = self.out.constructor_spans[data.0 as usize][*index as usize];
            self.log.report(NameProblem::Duplicate {
                name: name.text.clone(),
                what: "value",
                span: name.span,
                first,
            });
        }
    }

    fn module(&mut self, module: &'a ast::Module) {
        let mut unit = Unit {
            module: Some(module),
            ..Unit::default()
        };
        let mut names: FxHashMap<&'a str, Span> = FxHashMap::default();
        for param in &module.params {
            self.defined_once(&param.name, "parameter", &mut names);
        }
        for decl in &module.decls {
            match &decl.kind {
                DeclKind::Type(named) => {
                    if self.defined_once(&named.name, "definition", &mut names) {
                        self.builtin_type(&named.name);
                        add_type(&mut unit, named);
                    }
                }
                DeclKind::Const(constant) => {
                    if self.defined_once(&constant.name, "definition", &mut names) {
                        add_constant(&mut unit, constant);
                    }
                }
                DeclKind::Proc(proc) => {
                    if self.defined_once(&proc.name, "definition", &mut names) {
                        add_proc(&mut unit, proc);
                    }
                }
                DeclKind::Func(func) => {
                    if self.defined_once(&func.proc.name, "definition", &mut names) {
                        self.builtin_function(&func.proc.name);
                        add_func(&mut unit, func);
                    }
                }
                DeclKind::Init(init) => match unit.init {
                    None => unit.init = Some(init),
                    Some(first) => self.log.report(EntryProblem::TwoInits {
                        span: init.keyword,
                        first: first.keyword,
                    }),
                },
                DeclKind::Error => self.lost_declaration(),
                other => self.misplaced_declaration(other, "a module"),
            }
        }
        let id = self.out.units.len();
        self.out.modules.insert(&module.name.text, id);
        self.out.units.push(unit);
    }
}

/// The functions of the language.
const BUILT_IN: &[&str] = &[
    "max",
    "min",
    "count",
    "sum",
    "len",
    "full",
    "empty",
    "sent",
    "received",
    "crashed_now",
    "K",
    "everybody",
    "common",
    "distributed",
    "faulty",
    "injecting",
    "injected",
    "happened",
    "stopped",
    "begun",
];

fn add_func<'a>(unit: &mut Unit<'a>, func: &'a ast::Func) {
    unit.func_ids.insert(&func.proc.name.text, unit.funcs.len());
    unit.funcs.push(FuncDecl {
        proc: ProcDecl {
            ast: &func.proc,
            outline: Outline::default(),
        },
        result: func.result.as_ref(),
        steps: None,
        cyclic: false,
    });
}

fn add_type<'a>(unit: &mut Unit<'a>, named: &'a ast::TypeDecl) {
    unit.type_ids.insert(&named.name.text, unit.types.len());
    unit.types.push(named);
}

fn add_constant<'a>(unit: &mut Unit<'a>, constant: &'a ast::Const) {
    unit.constant_ids
        .insert(&constant.name.text, unit.constants.len());
    unit.constants.push(constant);
}

fn add_proc<'a>(unit: &mut Unit<'a>, proc: &'a ast::Proc) {
    unit.proc_ids.insert(&proc.name.text, unit.procs.len());
    unit.procs.push(ProcDecl {
        ast: proc,
        outline: Outline::default(),
    });
}
