//! What is defined where: the outline of a file.

use super::Model;
use super::index::{DefId, Kind};
use crate::source::{FileId, Span};

/// A definition in an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// All of it.
    pub span: Span,
    /// Its name.
    pub selection: Span,
    /// What belongs to it.
    pub children: Vec<Symbol>,
}

/// The outline of a file of a model.
pub fn outline(model: &Model, file: FileId) -> Vec<Symbol> {
    let module = model.loaded.modules().find(|module| module.id == file);
    let decls = module.map_or(&[][..], |module| &module.parsed.file.decls);
    let tops = model.index.of_file(file);
    let mut tops: Vec<Symbol> = tops
        .filter(|(_, definition)| definition.owner.is_none() && definition.scope.is_none())
        .filter(|(_, definition)| definition.kind != Kind::File)
        .map(|(id, _)| symbol(model, id))
        .collect();
    for top in &mut tops {
        // The head of a definition ends before its body. Declarations are in order.
        let at = decls.partition_point(|decl| decl.span.end < top.selection.end);
        let around = decls.get(at);
        if let Some(decl) = around.filter(|decl| decl.span.start <= top.selection.start)
            && !matches!(top.kind, Kind::Instance | Kind::Channel | Kind::FaultName)
        {
            top.span = decl.span;
        }
    }
    tops.sort_by_key(|symbol| symbol.selection.start);
    tops
}

fn symbol(model: &Model, id: DefId) -> Symbol {
    let definition = model.definition(id);
    let mut children: Vec<Symbol> = (model.index.members(id))
        .map(|(id, _)| symbol(model, id))
        .collect();
    children.sort_by_key(|child| child.selection.start);
    let ends = children.iter().map(|child| child.span.end);
    let end = ends.chain([definition.head.end]).max();
    Symbol {
        name: definition.name.clone(),
        kind: definition.kind,
        span: Span {
            start: definition.head.start.min(definition.span.start),
            end: end.unwrap_or(definition.head.end).max(definition.span.end),
            ..definition.span
        },
        selection: definition.span,
        children,
    }
}
