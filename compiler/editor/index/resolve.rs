//! Looks up every name: declarations, entries, statements.

use std::collections::HashMap;

use super::{DefId, Index, Kind, Ty, Use};
use crate::load::Loaded;
use crate::source::{Sources, Span};
use crate::syntax::ast::*;

/// What a file or a module defines.
pub struct Frame {
    pub names: HashMap<String, DefId>,
    /// What its `init` creates.
    pub entries: HashMap<String, DefId>,
}

pub struct Resolver<'a> {
    pub index: Index,
    pub sources: &'a Sources,
    /// One for each file; files of `--with` share that of the main file.
    pub frames: Vec<Frame>,
    pub modules: HashMap<DefId, Frame>,
    pub constructors: HashMap<String, Vec<DefId>>,
    /// Faults that the model defines, by file and name.
    pub faults: HashMap<(usize, String), DefId>,
    pub fault_names: HashMap<String, DefId>,
    /// What stands before the dot in `link.Sender`, for each file.
    pub aliases: Vec<String>,
    pub imports: Vec<Vec<usize>>,
    /// The file at hand.
    pub file: usize,
    /// The modules around.
    pub inside: Vec<DefId>,
    pub locals: Vec<(String, DefId)>,
    /// Whether entries of `init` can be named.
    pub entries: bool,
    /// The proc or function around, or whose instance is marked.
    pub proc: Option<DefId>,
    /// What is returned there.
    result: Ty,
    /// Where the innermost block ends.
    block_end: u32,
}

/// The index of a model, unsorted.
pub fn resolve(sources: &Sources, loaded: &Loaded) -> Index {
    let files = || std::iter::once(&loaded.main).chain(&loaded.imported);
    let mut resolver = Resolver {
        index: Index::default(),
        sources,
        frames: Vec::new(),
        modules: HashMap::new(),
        constructors: HashMap::new(),
        faults: HashMap::new(),
        fault_names: HashMap::new(),
        aliases: Vec::new(),
        imports: files().map(|module| module.imports.clone()).collect(),
        file: 0,
        inside: Vec::new(),
        locals: Vec::new(),
        entries: false,
        proc: None,
        result: Ty::Unknown,
        block_end: 0,
    };
    for (file, module) in files().enumerate() {
        let shown = module.name.strip_suffix(".sdl").unwrap_or(&module.name);
        let last = shown.rsplit(['/', '\\']).next().unwrap_or(shown);
        resolver.aliases.push(last.to_owned());
        let frame = resolver.collect(&module.parsed.file.decls, file, None);
        resolver.frames.push(frame);
    }
    for scenario in &loaded.scenarios {
        let frame = resolver.collect(&scenario.parsed.file.decls, 0, None);
        resolver.frames[0].names.extend(frame.names);
        resolver.frames[0].entries.extend(frame.entries);
    }
    let files: Vec<(usize, &[Decl])> = files()
        .enumerate()
        .chain(loaded.scenarios.iter().map(|scenario| (0, scenario)))
        .map(|(file, module)| (file, module.parsed.file.decls.as_slice()))
        .collect();
    // Types of fields, parameters and constants; then bodies; then who speaks of variables of bodies.
    for pass in [Pass::Types, Pass::Bodies, Pass::Entries, Pass::Rest] {
        for (file, decls) in &files {
            resolver.file = *file;
            for decl in *decls {
                resolver.decl(decl, pass);
            }
        }
    }
    resolver.index
}

/// What is looked at, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    Types,
    Bodies,
    Entries,
    Rest,
}

impl<'a> Resolver<'a> {
    /// Notes that a place names a definition.
    pub fn note(&mut self, span: Span, target: DefId, writes: bool) {
        // Of `link.Sender` in one piece, only the last part is its name.
        let text = self.sources.slice(span);
        let start = span.start + text.rfind('.').map_or(0, |at| at as u32 + 1);
        let name = &self.index[target].name;
        if self.sources.slice(Span { start, ..span }).trim() != name {
            return;
        }
        let used = Use {
            span: Span { start, ..span },
            target,
            writes,
        };
        self.index.uses.push(used);
    }

    /// The definition of an own declaration: that with this place of its name.
    fn own(&self, name: &Name) -> Option<DefId> {
        let frame = match self.inside.last() {
            Some(module) => &self.modules[module],
            None => &self.frames[self.file],
        };
        let found = frame.names.get(&name.text).copied();
        found.filter(|id| self.index[*id].span == name.span)
    }

    fn decl(&mut self, decl: &Decl, pass: Pass) {
        let depth = self.locals.len();
        self.block_end = decl.span.end;
        match &decl.kind {
            DeclKind::Module(module) => {
                let Some(id) = self.own(&module.name) else {
                    return;
                };
                self.inside.push(id);
                if pass == Pass::Types {
                    self.param_types(&module.params, id);
                }
                for decl in &module.decls {
                    self.decl(decl, pass);
                }
                self.inside.pop();
            }
            DeclKind::Data(data) if pass == Pass::Types => {
                let Some(id) = self.own(&data.name) else {
                    return;
                };
                let made: Vec<DefId> = self.index.members(id).map(|(id, _)| id).collect();
                for (constructor, id) in data.constructors.iter().zip(made) {
                    self.param_types(&constructor.fields, id);
                }
            }
            DeclKind::Type(named) if pass == Pass::Types => {
                let id = self.own(&named.name);
                match (&named.kind, id) {
                    (TypeDeclKind::Alias(ty), Some(id)) => {
                        let ty = self.ty(ty);
                        self.index.definitions[id.0].ty = ty;
                    }
                    (TypeDeclKind::Struct(fields), Some(id)) => self.param_types(fields, id),
                    (_, None) => {}
                }
            }
            DeclKind::Const(constant) if pass == Pass::Types => {
                let id = self.own(&constant.name);
                self.constant(constant, id);
            }
            DeclKind::Proc(proc) => {
                let Some(id) = self.own(&proc.name) else {
                    return;
                };
                match pass {
                    Pass::Types => self.param_types(&proc.params, id),
                    Pass::Bodies => self.body(&proc.body, id),
                    _ => {}
                }
            }
            DeclKind::Func(func) => {
                let Some(id) = self.own(&func.proc.name) else {
                    return;
                };
                match pass {
                    Pass::Types => {
                        self.param_types(&func.proc.params, id);
                        if let Some(result) = &func.result {
                            let result = self.ty(result);
                            self.index.definitions[id.0].ty = result;
                        }
                    }
                    Pass::Bodies => {
                        self.result = self.index[id].ty.clone();
                        self.body(&func.proc.body, id);
                        self.result = Ty::Unknown;
                    }
                    _ => {}
                }
            }
            DeclKind::Predicate(predicate) => {
                let Some(id) = self.own(&predicate.name) else {
                    return;
                };
                match pass {
                    Pass::Types => self.param_types(&predicate.params, id),
                    Pass::Rest => {
                        self.bind_parameters(id);
                        self.specification(|r| {
                            r.expr(&predicate.body, &Ty::Bool);
                        });
                    }
                    _ => {}
                }
            }
            DeclKind::Init(init) => match pass {
                Pass::Types => self.entry_types(&init.entries),
                Pass::Entries => self.specification(|r| r.init(&init.entries)),
                _ => {}
            },
            DeclKind::Limit(limit) if pass == Pass::Rest => self.specification(|r| {
                r.expr(&limit.bound, &Ty::Unknown);
                for item in &limit.items {
                    let entity = r.entity(&item.target, true);
                    if entity.is_none() {
                        r.expr(&item.target, &Ty::Unknown);
                    }
                    let callee = entity.and_then(|id| r.index[id].callee);
                    if let Some(marker) = &item.marker {
                        r.marker(marker, callee);
                    }
                }
            }),
            DeclKind::Inject(inject) if pass == Pass::Rest => self.specification(|r| {
                for item in &inject.items {
                    let mut callee = None;
                    for target in &item.targets {
                        let entity = r.entity(target, true);
                        callee = callee.or(entity.and_then(|id| r.index[id].callee));
                    }
                    r.marker(&item.marker, callee);
                }
            }),
            DeclKind::Fault(fault) if pass == Pass::Bodies => self.fault(fault),
            DeclKind::Spec(spec) if pass == Pass::Rest => self.specification(|r| {
                if let Some(tolerated) = &spec.tolerated {
                    for fault in &tolerated.faults {
                        r.expr(fault, &Ty::Unknown);
                    }
                }
                for line in &spec.lines {
                    r.expr(line, &Ty::Bool);
                }
            }),
            DeclKind::View(view) if pass == Pass::Rest => self.specification(|r| {
                let entity = r.entity(&view.of, true);
                let callee = entity.and_then(|id| r.index[id].callee);
                let proc = callee.or_else(|| match &view.of.kind {
                    ExprKind::Name(name) => r.top_or_inside(name),
                    _ => None,
                });
                if entity.is_none() {
                    r.expr(&view.of, &Ty::Unknown);
                }
                r.with_variables(proc, |r| r.named(&view.seen));
            }),
            DeclKind::Diagnosable(asked) if pass == Pass::Rest => self.specification(|r| {
                r.named(&[asked.fault.clone(), asked.process.clone()]);
                r.named(asked.among.as_deref().unwrap_or_default());
            }),
            DeclKind::Protocol(protocol) if pass == Pass::Rest => self.specification(|r| {
                if let Some((var, from, to)) = &protocol.over {
                    r.expr(from, &Ty::Unknown);
                    r.expr(to, &Ty::Unknown);
                    r.local(Kind::Counter, var, var.span, Ty::Int(None));
                }
                for on in &protocol.on {
                    r.entity(on, true);
                }
                r.block(&protocol.body);
            }),
            _ => {}
        }
        self.locals.truncate(depth);
    }

    /// Does something where entries of `init` can be named.
    fn specification(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.entries, true);
        inner(self);
        self.entries = before;
    }

    fn param_types(&mut self, params: &[Param], owner: DefId) {
        let made: Vec<DefId> = self.index.members(owner).map(|(id, _)| id).collect();
        for (param, id) in params.iter().zip(made) {
            let ty = self.ty(&param.ty);
            self.index.definitions[id.0].ty = ty;
        }
    }

    fn bind_parameters(&mut self, owner: DefId) {
        let params: Vec<(String, DefId)> = (self.index.members(owner))
            .filter(|(_, definition)| definition.kind == Kind::Parameter)
            .map(|(id, definition)| (definition.name.clone(), id))
            .collect();
        self.locals.extend(params);
    }

    fn constant(&mut self, constant: &Const, id: Option<DefId>) {
        let written = constant.ty.as_ref().map(|ty| self.ty(ty));
        let found = self.expr(&constant.value, written.as_ref().unwrap_or(&Ty::Unknown));
        let value = self.number(&constant.value);
        if let Some(id) = id {
            let definition = &mut self.index.definitions[id.0];
            definition.ty = written.unwrap_or(found);
            definition.value = value;
        }
    }

    fn body(&mut self, body: &Block, owner: DefId) {
        let depth = self.locals.len();
        self.bind_parameters(owner);
        self.proc = Some(owner);
        for stmt in &body.stmts {
            self.labels(stmt, owner);
        }
        self.block(body);
        self.proc = None;
        self.locals.truncate(depth);
    }

    /// Labels can be named before they are written.
    fn labels(&mut self, stmt: &Stmt, owner: DefId) {
        if let StmtKind::Labelled(name, _) = &stmt.kind {
            self.define(Kind::Label, name, stmt.span, Some(owner), Ty::Unknown);
        }
        stmt.kind.parts(&mut |part| match part {
            Part::Block(block) | Part::Loop(_, block) | Part::Else(Else::Block(block)) => {
                block.stmts.iter().for_each(|stmt| self.labels(stmt, owner));
            }
            Part::Stmt(stmt) => self.labels(stmt, owner),
            Part::Else(Else::If(stmt)) => self.labels(stmt, owner),
            Part::Case(item) => {
                for case in written(std::slice::from_ref(item)) {
                    let stmts = &case.body.stmts;
                    stmts.iter().for_each(|stmt| self.labels(stmt, owner));
                }
            }
            Part::SwitchCase(case) => {
                let stmts = &case.body.stmts;
                stmts.iter().for_each(|stmt| self.labels(stmt, owner));
            }
            _ => {}
        });
    }

    /// Makes a local name known until the end of the block.
    pub fn local(&mut self, kind: Kind, name: &Name, head: Span, ty: Ty) {
        if name.text == "_" {
            return;
        }
        let id = self.define(kind, name, head, self.proc, ty);
        self.index.definitions[id.0].scope = Some(Span {
            start: name.span.start,
            end: self.block_end.max(name.span.end),
            ..name.span
        });
        self.locals.push((name.text.clone(), id));
    }

    /// Does something with names that are forgotten afterwards.
    fn scoped(&mut self, span: Span, inner: impl FnOnce(&mut Self)) {
        let depth = self.locals.len();
        let end = std::mem::replace(&mut self.block_end, span.end);
        inner(self);
        self.block_end = end;
        self.locals.truncate(depth);
    }

    fn block(&mut self, block: &Block) {
        self.scoped(block.span, |r| {
            block.stmts.iter().for_each(|stmt| r.stmt(stmt));
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Var { name, ty, init, .. } => {
                let resolved = self.ty(ty);
                if let Some(init) = init {
                    self.expr(init, &resolved);
                }
                self.local(Kind::Variable, name, stmt.span, resolved);
            }
            StmtKind::Assign { target, value, .. } => {
                let ty = self.target(target);
                self.expr(value, &ty);
            }
            StmtKind::AssignAll {
                targets, values, ..
            } => {
                let types: Vec<Ty> = targets.iter().map(|target| self.target(target)).collect();
                for (i, value) in values.iter().enumerate() {
                    self.expr(value, types.get(i).unwrap_or(&Ty::Unknown));
                }
            }
            StmtKind::Goto(label) => {
                let found = self.proc.and_then(|proc| self.label_of(proc, &label.text));
                if let Some(id) = found {
                    self.note(label.span, id, false);
                }
            }
            StmtKind::Return(Some(value)) => {
                let result = self.result.clone();
                self.expr(value, &result);
            }
            StmtKind::Switch { subject, cases } => {
                let ty = self.expr(subject, &Ty::Unknown);
                cases.iter().for_each(|case| self.switch_case(case, &ty));
            }
            StmtKind::ForIn { var, array, body } => {
                let ty = self.expr(array, &Ty::Unknown).element();
                self.scoped(body.span, |r| {
                    r.local(Kind::Counter, var, var.span.to(array.span), ty);
                    r.block(body);
                });
            }
            StmtKind::ForRange {
                var,
                from,
                to,
                body,
            } => {
                let ty = self.counted(from, to);
                self.scoped(body.span, |r| {
                    r.local(Kind::Counter, var, var.span.to(to.span), ty);
                    r.block(body);
                });
            }
            kind => kind.parts(&mut |part| self.part(part, stmt.span)),
        }
    }

    fn part(&mut self, part: Part<'_>, span: Span) {
        match part {
            Part::Const(constant) => {
                self.constant(constant, None);
                let ty = match &constant.ty {
                    Some(_) => Ty::Unknown,
                    None => self.type_of_value(&constant.value),
                };
                self.local(Kind::Const, &constant.name, span, ty);
                let value = self.number(&constant.value);
                if let Some((_, id)) = self.locals.last() {
                    self.index.definitions[id.0].value = value;
                }
            }
            Part::Type(ty) => {
                self.ty(ty);
            }
            Part::Expr(e) => {
                self.expr(e, &Ty::Unknown);
            }
            Part::Declares(name) => self.local(Kind::Variable, name, span, Ty::Unknown),
            Part::Block(block) | Part::Else(Else::Block(block)) => self.block(block),
            Part::Loop(var, body) => self.scoped(body.span, |r| {
                r.local(Kind::Counter, var, var.span, Ty::Unknown);
                r.block(body);
            }),
            Part::Stmt(stmt) => self.stmt(stmt),
            Part::Else(Else::If(stmt)) => self.stmt(stmt),
            Part::Message(message) => self.message(message),
            Part::Case(item) => self.cases(std::slice::from_ref(item)),
            Part::SwitchCase(case) => self.switch_case(case, &Ty::Unknown),
        }
    }

    fn cases(&mut self, cases: &[CaseItem]) {
        for item in cases {
            match item {
                CaseItem::Case(case) => {
                    match &case.kind {
                        CaseKind::Message(message) => self.message(message),
                        CaseKind::After(deadline) => {
                            self.expr(deadline, &Ty::Unknown);
                        }
                        _ => {}
                    }
                    if let Some(condition) = &case.condition {
                        self.expr(condition, &Ty::Bool);
                    }
                    self.block(&case.body);
                }
                CaseItem::For {
                    var,
                    over,
                    cases,
                    span,
                } => {
                    let ty = match over {
                        Over::Array(array) => self.expr(array, &Ty::Unknown).element(),
                        Over::Range(from, to) => self.counted(from, to),
                    };
                    self.scoped(*span, |r| {
                        r.local(Kind::Counter, var, var.span, ty);
                        r.cases(cases);
                    });
                }
            }
        }
    }

    fn switch_case(&mut self, case: &SwitchCase, ty: &Ty) {
        self.scoped(case.span, |r| {
            for value in case.values.iter().flatten() {
                let (constructor, args) = match &value.kind {
                    ExprKind::Call(name, args) => (r.constructor(&name.text, name.span, ty), args),
                    ExprKind::CallOf(base, name, args) => (r.constructor_of(base, name), args),
                    _ => {
                        r.expr(value, ty);
                        continue;
                    }
                };
                let fields = constructor.map_or_else(Vec::new, |id| r.field_types(id));
                for (i, arg) in args.iter().enumerate() {
                    let ExprKind::Name(text) = &arg.kind else {
                        continue;
                    };
                    let name = Name {
                        text: text.clone(),
                        span: arg.span,
                    };
                    let ty = fields.get(i).cloned().unwrap_or_default();
                    r.local(Kind::Variable, &name, arg.span, ty);
                }
            }
            r.block(&case.body);
        });
    }

    fn fault(&mut self, fault: &FaultDecl) {
        let Some(id) = self.faults.get(&(self.file, fault.name.text.clone())) else {
            return;
        };
        let id = *id;
        for param in &fault.params {
            self.ty(&param.ty);
        }
        self.bind_parameters(id);
        for join in &fault.joins {
            self.scoped(join.span, |r| {
                let names = join.trigger.iter().flat_map(|trigger| &trigger.names);
                for name in names.flatten() {
                    match r.locals.iter().rev().find(|(known, _)| *known == name.text) {
                        Some((_, id)) => r.note(name.span, *id, false),
                        None => r.local(Kind::Variable, name, name.span, Ty::Unknown),
                    }
                }
                if let Some(condition) = &join.condition {
                    r.expr(condition, &Ty::Bool);
                }
                r.block(&join.body);
            });
        }
    }
}
