//! What is shown between the words: names of parameters, and the numbers behind names in types.

use super::Model;
use super::index::{DefId, Kind, Ty};
use crate::syntax::ast::{DeclKind, Entry, EntryKind, Expr, ExprKind};

/// Something shown at a place that is not in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Before which byte.
    pub at: usize,
    /// What.
    pub text: String,
    /// Whether it is the name of a parameter; else a range.
    pub parameter: bool,
}

/// The hints of the main file, in order.
pub fn hints(model: &Model) -> Vec<Hint> {
    let mut hints = Vec::new();
    for decl in &model.parsed().file.decls {
        match &decl.kind {
            DeclKind::Init(init) => entries(model, &init.entries, &mut hints),
            DeclKind::Module(module) => {
                for decl in &module.decls {
                    if let DeclKind::Init(init) = &decl.kind {
                        entries(model, &init.entries, &mut hints);
                    }
                }
            }
            _ => {}
        }
    }
    for (_, definition) in model.index.of_file(model.shown) {
        let written = model.sources.slice(definition.head);
        let named = written.contains("..") && written.bytes().any(|b| b.is_ascii_uppercase());
        let plain = matches!(model.index.plain(&definition.ty), Ty::Int(_));
        if !matches!(definition.kind, Kind::Variable | Kind::Parameter) || !plain || !named {
            continue;
        }
        if let Some((lo, hi)) = definition.ty.range(&model.index)
            && !written.contains(&format!("{lo}..{hi}"))
        {
            hints.push(Hint {
                at: definition.span.end as usize,
                text: format!("{lo}..{hi}"),
                parameter: false,
            });
        }
    }
    hints.sort_by_key(|hint| hint.at);
    hints
}

fn entries(model: &Model, all: &[Entry], hints: &mut Vec<Hint>) {
    for entry in all {
        match &entry.kind {
            EntryKind::Instance { callee, args, .. } => {
                let found = model.index.at(callee.span.file, callee.span.end as usize);
                if let Some((id, _)) = found {
                    arguments(model, id, args, hints);
                }
            }
            EntryKind::For { entries: inner, .. } => entries(model, inner, hints),
            EntryKind::Channel { .. } | EntryKind::Error => {}
        }
    }
}

fn arguments(model: &Model, id: DefId, args: &[Expr], hints: &mut Vec<Hint>) {
    let members = model.index.members(id);
    let params = members.filter(|(_, member)| member.kind == Kind::Parameter);
    for (arg, (_, param)) in args.iter().zip(params) {
        // A name that says it already needs no hint.
        let same = matches!(&arg.kind, ExprKind::Name(name) if *name == param.name);
        if !same {
            hints.push(Hint {
                at: arg.span.start as usize,
                text: format!("{}:", param.name),
                parameter: true,
            });
        }
    }
}
