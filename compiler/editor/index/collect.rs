//! The definitions of all files, before any name is looked up.

use std::collections::HashMap;

use super::resolve::{Frame, Resolver};
use super::{DefId, Definition, Kind, Ty};
use crate::source::Span;
use crate::syntax::ast::*;

impl Resolver<'_> {
    /// Adds a definition.
    pub fn define(
        &mut self,
        kind: Kind,
        name: &Name,
        head: Span,
        owner: Option<DefId>,
        ty: Ty,
    ) -> DefId {
        let id = DefId(self.index.definitions.len());
        self.index.definitions.push(Definition {
            kind,
            name: name.text.clone(),
            span: name.span,
            head,
            scope: None,
            owner,
            ty,
            value: None,
            callee: None,
        });
        if let Some(owner) = owner {
            self.index.members.entry(owner).or_default().push(id);
        }
        id
    }

    /// Adds what a list of declarations defines to a frame.
    pub fn collect(&mut self, decls: &[Decl], file: usize, module: Option<DefId>) -> Frame {
        let mut frame = Frame {
            names: HashMap::new(),
            entries: HashMap::new(),
        };
        for decl in decls {
            self.collect_decl(decl, file, module, &mut frame);
        }
        frame
    }

    fn collect_decl(&mut self, decl: &Decl, file: usize, module: Option<DefId>, frame: &mut Frame) {
        let to = |last: Span| Span {
            end: last.start.max(decl.span.start),
            ..decl.span
        };
        match &decl.kind {
            DeclKind::Data(data) => {
                let id = self.define(Kind::Data, &data.name, decl.span, module, Ty::Unknown);
                frame.add(&data.name, id);
                for constructor in &data.constructors {
                    let name = &constructor.name;
                    let of = Ty::Named(id);
                    let made = self.define(Kind::Constructor, name, name.span, Some(id), of);
                    let known = self.constructors.entry(name.text.clone()).or_default();
                    known.push(made);
                    for field in &constructor.fields {
                        let head = field.name.span.to(field.ty.span);
                        self.define(Kind::Field, &field.name, head, Some(made), Ty::Unknown);
                    }
                }
            }
            DeclKind::Type(named) => {
                let kind = match named.kind {
                    TypeDeclKind::Alias(_) => Kind::Alias,
                    TypeDeclKind::Struct(_) => Kind::Struct,
                };
                let id = self.define(kind, &named.name, decl.span, module, Ty::Unknown);
                frame.add(&named.name, id);
                if let TypeDeclKind::Struct(fields) = &named.kind {
                    for field in fields {
                        let head = field.name.span.to(field.ty.span);
                        self.define(Kind::Field, &field.name, head, Some(id), Ty::Unknown);
                    }
                }
            }
            DeclKind::Const(constant) => {
                let id = self.define(Kind::Const, &constant.name, decl.span, module, Ty::Unknown);
                frame.add(&constant.name, id);
            }
            DeclKind::Proc(proc) => {
                let head = to(proc.body.span);
                let id = self.define(Kind::Proc, &proc.name, head, module, Ty::Unknown);
                frame.add(&proc.name, id);
                self.parameters(&proc.params, id, decl.span);
            }
            DeclKind::Func(func) => {
                let head = to(func.proc.body.span);
                let id = self.define(Kind::Func, &func.proc.name, head, module, Ty::Unknown);
                frame.add(&func.proc.name, id);
                self.parameters(&func.proc.params, id, decl.span);
            }
            DeclKind::Predicate(predicate) => {
                let name = &predicate.name;
                let id = self.define(Kind::Predicate, name, decl.span, module, Ty::Bool);
                frame.add(name, id);
                self.parameters(&predicate.params, id, decl.span);
            }
            DeclKind::Module(inner) => {
                let head = match inner.params.last() {
                    Some(param) => decl.span.start_to(param.ty.span),
                    None => decl.span.start_to(inner.name.span),
                };
                let id = self.define(Kind::Module, &inner.name, head, module, Ty::Unknown);
                frame.add(&inner.name, id);
                self.parameters(&inner.params, id, decl.span);
                let mut made = self.collect(&inner.decls, file, Some(id));
                let params: Vec<(String, DefId)> = (self.index.members(id))
                    .filter(|(_, definition)| definition.kind == Kind::Parameter)
                    .map(|(id, definition)| (definition.name.clone(), id))
                    .collect();
                made.names.extend(params);
                self.modules.insert(id, made);
            }
            DeclKind::Init(init) => self.entries_of(&init.entries, module, frame),
            DeclKind::Inject(inject) => {
                for item in &inject.items {
                    self.fault_name(&item.marker, module);
                }
            }
            DeclKind::Fault(fault) => {
                let head = fault.joins.first().map_or(decl.span, |join| to(join.span));
                let id = self.define(Kind::Fault, &fault.name, head, module, Ty::Unknown);
                self.faults
                    .entry((file, fault.name.text.clone()))
                    .or_insert(id);
                self.parameters(&fault.params, id, decl.span);
            }
            DeclKind::Spec(spec) => {
                if let Some(name) = &spec.name {
                    let ty = Ty::Unknown;
                    self.define(Kind::Specification, name, decl.span, module, ty);
                }
            }
            DeclKind::Protocol(protocol) => {
                let head = to(protocol.body.span);
                let name = &protocol.name;
                self.define(Kind::Specification, name, head, module, Ty::Unknown);
            }
            DeclKind::Import(_) | DeclKind::Limit(_) | DeclKind::View(_) => {}
            DeclKind::Diagnosable(_) | DeclKind::Error => {}
        }
    }

    fn parameters(&mut self, params: &[Param], owner: DefId, scope: Span) {
        for param in params {
            let head = param.name.span.to(param.ty.span);
            let ty = Ty::Unknown;
            let id = self.define(Kind::Parameter, &param.name, head, Some(owner), ty);
            self.index.definitions[id.0].scope = Some(scope);
        }
    }

    fn entries_of(&mut self, entries: &[Entry], module: Option<DefId>, frame: &mut Frame) {
        for entry in entries {
            let (name, kind, markers) = match &entry.kind {
                EntryKind::Instance { name, markers, .. } => (name, Kind::Instance, markers),
                EntryKind::Channel { name, markers, .. } => (name, Kind::Channel, markers),
                EntryKind::For { entries, .. } => {
                    self.entries_of(entries, module, frame);
                    continue;
                }
                EntryKind::Error => continue,
            };
            let id = self.define(kind, &name.name, entry.span, module, Ty::Unknown);
            frame.entries.entry(name.name.text.clone()).or_insert(id);
            for marker in markers {
                self.fault_name(marker, module);
            }
        }
    }

    fn fault_name(&mut self, marker: &Marker, module: Option<DefId>) {
        let Some(alias) = &marker.alias else { return };
        let head = marker.span.to(alias.span);
        let id = self.define(Kind::FaultName, alias, head, module, Ty::Unknown);
        self.fault_names.entry(alias.text.clone()).or_insert(id);
    }
}

impl Frame {
    fn add(&mut self, name: &Name, id: DefId) {
        // A second one is an error, which `program` reports.
        self.names.entry(name.text.clone()).or_insert(id);
    }
}

impl Span {
    /// From the beginning of this span to the end of another.
    fn start_to(self, last: Span) -> Span {
        Span {
            end: last.end.max(self.start),
            ..self
        }
    }
}
