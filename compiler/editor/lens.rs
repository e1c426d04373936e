//! What can be asked about a model from within its text.

use super::Model;
use crate::source::Span;
use crate::syntax::ast::{DeclKind, Entry, EntryKind};
use crate::vocabulary::SpecKind;

/// A place where the engine can be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The place.
    pub span: Span,
    /// What it is about.
    pub about: About,
}

/// What is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// All properties of the model.
    Model,
    /// A property, by its name.
    Property(String),
    /// A protocol for each number of a range, by the name before the index.
    Properties(String),
    /// The faults of an entry, by its name.
    Faults(String),
}

/// The places of the file that is looked at where the engine can be asked.
pub fn lenses(model: &Model) -> Vec<Lens> {
    let main = &model.loaded.main.parsed.file.decls;
    if !main.iter().any(|d| matches!(d.kind, DeclKind::Init(_))) {
        return Vec::new();
    }
    let decls = &model.parsed().file.decls;
    let position = |kind: SpecKind| SpecKind::ALL.iter().position(|other| *other == kind);
    let mut counts = [0; SpecKind::ALL.len()];
    // Specifications without a name are numbered, those of a scenario after those of the model.
    for decl in main.iter().filter(|_| !model.loaded.scenarios.is_empty()) {
        if let DeclKind::Spec(spec) = &decl.kind {
            counts[position(spec.kind).unwrap_or(0)] += 1;
        }
    }
    let mut lenses = Vec::new();
    for decl in decls {
        match &decl.kind {
            DeclKind::Init(init) => {
                lenses.push(Lens {
                    span: init.keyword,
                    about: About::Model,
                });
                marked(&init.entries, &mut lenses);
            }
            DeclKind::Spec(spec) => {
                let count = &mut counts[position(spec.kind).unwrap_or(0)];
                *count += 1;
                if spec.kind == SpecKind::Assume {
                    continue;
                }
                let name = match &spec.name {
                    Some(name) => name.text.clone(),
                    None => format!("{}_{count}", spec.kind.as_str()),
                };
                lenses.push(Lens {
                    span: spec.keyword,
                    about: About::Property(name),
                });
            }
            DeclKind::Protocol(protocol) => lenses.push(Lens {
                span: protocol.keyword,
                about: match protocol.over {
                    None => About::Property(protocol.name.text.clone()),
                    Some(_) => About::Properties(protocol.name.text.clone()),
                },
            }),
            _ => {}
        }
    }
    lenses
}

/// The entries that are marked.
fn marked(entries: &[Entry], lenses: &mut Vec<Lens>) {
    for entry in entries {
        match &entry.kind {
            EntryKind::Instance { name, markers, .. }
            | EntryKind::Channel { name, markers, .. } => {
                if !markers.is_empty() {
                    lenses.push(Lens {
                        span: entry.span,
                        about: About::Faults(name.name.text.clone()),
                    });
                }
            }
            EntryKind::For { entries, .. } => marked(entries, lenses),
            EntryKind::Error => {}
        }
    }
}
