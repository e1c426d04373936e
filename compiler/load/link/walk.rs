//! Walks through a tree and gives its names those of their definitions: in declarations, types and statements.

use super::{MAIN, Names, defined};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::*;

/// Gives the names of one file those of their definitions.
pub fn file(names: &Names, file: usize, tree: &mut File, diagnostics: &mut Vec<Diagnostic>) {
    let mut walk = Walk {
        names,
        file,
        local: Vec::new(),
        module: Vec::new(),
        diagnostics,
    };
    for decl in &mut tree.decls {
        walk.decl(decl, true);
    }
}

/// The names of what `init` creates.
pub fn entry_names(entries: &[Entry], found: &mut Vec<String>) {
    for entry in entries {
        match &entry.kind {
            EntryKind::Instance { name, .. } | EntryKind::Channel { name, .. } => {
                found.push(name.name.text.clone());
            }
            EntryKind::For { entries, .. } => entry_names(entries, found),
            EntryKind::Error => {}
        }
    }
}

pub struct Walk<'w> {
    pub names: &'w Names,
    pub file: usize,
    /// Local names that hide special ones.
    pub local: Vec<String>,
    /// Special names that the module around defines: they hide those of the top level also where local names do not.
    pub module: Vec<String>,
    pub diagnostics: &'w mut Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Makes a local name known.
    pub fn bind(&mut self, name: &str) {
        if self.names.is_special(name) {
            self.local.push(name.to_owned());
        }
    }

    pub fn is_local(&self, name: &str) -> bool {
        self.local.iter().any(|other| other == name)
    }

    /// Does something with names that are forgotten afterwards.
    pub fn scoped(&mut self, inner: impl FnOnce(&mut Self)) {
        let depth = self.local.len();
        inner(self);
        self.local.truncate(depth);
    }

    /// The name of what a name without a prefix means; itself if it is not special.
    pub fn plain(&mut self, name: &str, span: Span) -> String {
        let definers = self.names.definers.get(name);
        if definers.is_none_or(|all| all.len() <= 1) {
            return name.to_owned();
        }
        let found = self.names.plain(self.file, name);
        if found.len() > 1 {
            let message = self.names.ambiguous(name, name, span, &found);
            self.diagnostics.push(message);
        }
        self.names.canonical(name, found[0])
    }

    /// The name of what `alias.name` means; `None` if the file has no such definition.
    pub fn qualified(&mut self, alias: &str, name: &str, span: Span) -> Option<String> {
        let found = self.names.qualified(self.file, alias, name);
        if found.len() > 1 {
            let written = format!("{alias}.{name}");
            let message = self.names.ambiguous(&written, name, span, &found);
            self.diagnostics.push(message);
        }
        let first = found.first()?;
        Some(self.names.canonical(name, *first))
    }

    pub fn missing(&mut self, alias: &str, name: &str, span: Span) {
        let message = self.names.missing(alias, name, span);
        self.diagnostics.push(message);
    }

    /// A name that cannot be local: of a type, a proc, a module, a function. It may have a prefix.
    pub fn definition(&mut self, name: &mut Name) {
        if let Some((alias, rest)) = name.text.split_once('.') {
            match self.qualified(alias, rest, name.span) {
                Some(found) => name.text = found,
                None => {
                    let (alias, rest) = (alias.to_owned(), rest.to_owned());
                    self.missing(&alias, &rest, name.span);
                }
            }
        } else if !self.module.contains(&name.text) {
            name.text = self.plain(&name.text.clone(), name.span);
        }
    }

    fn decl(&mut self, decl: &mut Decl, top: bool) {
        // A definition of the top level is renamed, one of a module is not.
        let renamed = match (top, defined(decl)) {
            (true, Some(name)) => Some(self.names.canonical(&name.text, self.file)),
            _ => None,
        };
        let rename = |name: &mut Name| {
            if let Some(renamed) = renamed {
                name.text = renamed;
            }
        };
        match &mut decl.kind {
            DeclKind::Import(_) | DeclKind::Error => {}
            DeclKind::Data(data) => {
                rename(&mut data.name);
                for constructor in &mut data.constructors {
                    self.params(&mut constructor.fields, false);
                }
            }
            DeclKind::Type(named) => {
                rename(&mut named.name);
                match &mut named.kind {
                    TypeDeclKind::Alias(ty) => self.ty(ty),
                    TypeDeclKind::Struct(fields) => self.params(fields, false),
                }
            }
            DeclKind::Const(constant) => {
                rename(&mut constant.name);
                self.constant(constant);
            }
            DeclKind::Proc(proc) => {
                rename(&mut proc.name);
                self.proc(proc, None);
            }
            DeclKind::Func(func) => {
                rename(&mut func.proc.name);
                self.proc(&mut func.proc, func.result.as_mut());
            }
            DeclKind::Predicate(predicate) => {
                rename(&mut predicate.name);
                self.scoped(|walk| {
                    walk.bind_entries();
                    walk.params(&mut predicate.params, true);
                    walk.expr(&mut predicate.body);
                });
            }
            DeclKind::Module(module) => {
                rename(&mut module.name);
                self.scoped(|walk| walk.module(module));
                self.module.clear();
            }
            DeclKind::Init(init) => self.scoped(|walk| {
                let mut names = Vec::new();
                entry_names(&init.entries, &mut names);
                names.iter().for_each(|name| walk.bind(name));
                walk.entries(&mut init.entries);
            }),
            DeclKind::Limit(limit) => self.scoped(|walk| {
                walk.expr(&mut limit.bound);
                walk.bind_entries();
                for item in &mut limit.items {
                    walk.target(&mut item.target);
                    walk.markers(item.marker.as_mut_slice());
                }
            }),
            DeclKind::Inject(inject) => self.scoped(|walk| {
                walk.bind_entries();
                for item in &mut inject.items {
                    item.targets.iter_mut().for_each(|t| walk.target(t));
                    walk.markers(std::slice::from_mut(&mut item.marker));
                }
            }),
            DeclKind::Fault(fault) => {
                // Markers have names of their own: those of another file begin with the name of that.
                if self.file != MAIN {
                    let alias = &self.names.files[self.file].alias;
                    fault.name.text = format!("{alias}.{}", fault.name.text);
                }
                self.scoped(|walk| {
                    walk.params(&mut fault.params, true);
                    for join in &mut fault.joins {
                        walk.join(join);
                    }
                });
            }
            DeclKind::Spec(spec) => self.scoped(|walk| {
                walk.bind_entries();
                let tolerated = spec.tolerated.iter_mut();
                let faults = tolerated.flat_map(|tolerated| &mut tolerated.faults);
                faults.for_each(|fault| walk.expr(fault));
                spec.lines.iter_mut().for_each(|line| walk.expr(line));
            }),
            DeclKind::View(view) => self.scoped(|walk| {
                walk.bind_entries();
                walk.expr(&mut view.of);
                for seen in &mut view.seen {
                    // Names are variables of the process, but not those in brackets and parentheses.
                    match &mut seen.kind {
                        ExprKind::Call(..) => walk.expr(seen),
                        _ => walk.target(seen),
                    }
                }
            }),
            DeclKind::Diagnosable(asked) => self.scoped(|walk| {
                walk.bind_entries();
                walk.expr(&mut asked.fault);
                walk.expr(&mut asked.process);
                let among = asked.among.iter_mut().flatten();
                among.for_each(|fault| walk.expr(fault));
            }),
            DeclKind::Protocol(protocol) => self.scoped(|walk| {
                walk.bind_entries();
                if let Some((var, from, to)) = &mut protocol.over {
                    walk.expr(from);
                    walk.expr(to);
                    walk.bind(&var.text);
                }
                protocol.on.iter_mut().for_each(|on| walk.target(on));
                walk.block(&mut protocol.body);
            }),
        }
    }

    fn join(&mut self, join: &mut Join) {
        self.scoped(|walk| {
            let names = join
                .trigger
                .iter()
                .filter_map(|trigger| trigger.names.as_ref());
            names.flatten().for_each(|name| walk.bind(&name.text));
            join.condition.iter_mut().for_each(|e| walk.expr(e));
            walk.block(&mut join.body);
        });
    }

    /// Specifications see what the model's `init` creates.
    fn bind_entries(&mut self) {
        for name in &self.names.files[MAIN].entries {
            self.bind(name);
        }
    }

    fn module(&mut self, module: &mut Module) {
        for decl in &module.decls {
            if let Some(name) = defined(decl) {
                self.bind(&name.text);
                self.module.push(name.text.clone());
            }
        }
        self.params(&mut module.params, true);
        for decl in &mut module.decls {
            self.decl(decl, false);
        }
    }

    fn proc(&mut self, proc: &mut Proc, result: Option<&mut Type>) {
        self.scoped(|walk| {
            walk.params(&mut proc.params, true);
            if let Some(result) = result {
                walk.ty(result);
            }
            walk.block(&mut proc.body);
        });
    }

    fn params(&mut self, params: &mut [Param], bind: bool) {
        for param in params {
            self.ty(&mut param.ty);
            if bind {
                self.bind(&param.name.text);
            }
        }
    }

    fn constant(&mut self, constant: &mut Const) {
        if let Some(ty) = &mut constant.ty {
            self.ty(ty);
        }
        self.expr(&mut constant.value);
    }

    fn entries(&mut self, entries: &mut [Entry]) {
        for entry in entries {
            match &mut entry.kind {
                EntryKind::Instance {
                    name,
                    callee,
                    args,
                    markers,
                } => {
                    name.index.iter_mut().for_each(|e| self.expr(e));
                    self.definition(callee);
                    args.iter_mut().for_each(|e| self.expr(e));
                    self.markers(markers);
                }
                EntryKind::Channel { name, ty, markers } => {
                    name.index.iter_mut().for_each(|e| self.expr(e));
                    self.ty(ty);
                    self.markers(markers);
                }
                EntryKind::For {
                    var,
                    from,
                    to,
                    entries,
                } => {
                    self.expr(from);
                    self.expr(to);
                    self.scoped(|walk| {
                        walk.bind(&var.text);
                        walk.entries(entries);
                    });
                }
                EntryKind::Error => {}
            }
        }
    }

    fn markers(&mut self, markers: &mut [Marker]) {
        let args = markers.iter_mut().flat_map(|marker| &mut marker.args);
        for arg in args {
            self.expr(&mut arg.value);
        }
    }

    /// The name of an entry: only indices have names of definitions.
    fn target(&mut self, target: &mut Expr) {
        match &mut target.kind {
            ExprKind::Index(base, index) => {
                self.target(base);
                self.expr(index);
            }
            ExprKind::Field(base, ..) => self.target(base),
            _ => {}
        }
    }

    pub fn ty(&mut self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Range(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
            }
            TypeKind::Named(name) => self.definition(name),
            TypeKind::Array(length, element) => {
                length.iter_mut().for_each(|length| self.expr(length));
                self.ty(element);
            }
            TypeKind::Channel(capacity, fields) => {
                match capacity {
                    Capacity::Buffered(length)
                    | Capacity::Network {
                        length: Some(length),
                        ..
                    } => self.expr(length),
                    Capacity::Rendezvous | Capacity::Any | Capacity::Network { .. } => {}
                }
                fields.iter_mut().for_each(|field| self.ty(&mut field.ty));
            }
            TypeKind::Bool | TypeKind::Int | TypeKind::Bit | TypeKind::Process => {}
            TypeKind::Error => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.scoped(|walk| block.stmts.iter_mut().for_each(|stmt| walk.stmt(stmt)));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.kind.parts_mut(&mut |part| match part {
            PartMut::Const(constant) => {
                self.constant(constant);
                self.bind(&constant.name.text);
            }
            PartMut::Type(ty) => self.ty(ty),
            PartMut::Expr(e) => self.expr(e),
            PartMut::Declares(name) => self.bind(&name.text),
            PartMut::Block(block) | PartMut::Else(Else::Block(block)) => self.block(block),
            PartMut::Loop(var, body) => self.scoped(|walk| {
                walk.bind(&var.text);
                walk.block(body);
            }),
            PartMut::Stmt(stmt) => self.stmt(stmt),
            PartMut::Else(Else::If(stmt)) => self.stmt(stmt),
            PartMut::Message(message) => self.message(message),
            PartMut::Case(item) => self.cases(std::slice::from_mut(item)),
            PartMut::SwitchCase(case) => self.switch_case(case),
        });
    }

    fn cases(&mut self, cases: &mut [CaseItem]) {
        for item in cases {
            match item {
                CaseItem::Case(case) => {
                    match &mut case.kind {
                        CaseKind::Message(message) => self.message(message),
                        CaseKind::After(deadline) => self.expr(deadline),
                        _ => {}
                    }
                    case.condition.iter_mut().for_each(|e| self.expr(e));
                    self.block(&mut case.body);
                }
                CaseItem::For {
                    var, over, cases, ..
                } => {
                    match over {
                        Over::Array(array) => self.expr(array),
                        Over::Range(from, to) => {
                            self.expr(from);
                            self.expr(to);
                        }
                    }
                    self.scoped(|walk| {
                        walk.bind(&var.text);
                        walk.cases(cases);
                    });
                }
            }
        }
    }

    /// Names in the parentheses of a constructor that mean nothing else stand for its fields.
    fn switch_case(&mut self, case: &mut SwitchCase) {
        self.scoped(|walk| {
            for value in case.values.iter_mut().flatten() {
                let mut fields = Vec::new();
                if let ExprKind::Call(_, args) | ExprKind::CallOf(_, _, args) = &value.kind {
                    fields.extend(args.iter().filter_map(|arg| match &arg.kind {
                        ExprKind::Name(name) => Some(name.clone()),
                        _ => None,
                    }));
                }
                let known = |name: &String| {
                    let definers = walk.names.definers.get(name);
                    definers.is_some_and(|all| all.contains(&walk.file))
                };
                fields.retain(|name| !known(name));
                fields.iter().for_each(|name| walk.bind(name));
                walk.expr(value);
            }
            walk.block(&mut case.body);
        });
    }
}
