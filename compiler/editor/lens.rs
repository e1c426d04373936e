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

/// The places of the main file where the engine can be asked.
pub fn lenses(model: &Model) -> Vec<Lens> {
    let decls = &model.loaded.main.parsed.file.decls;
    if !decls.iter().any(|d| matches!(d.kind, DeclKind::Init(_))) {
        return Vec::new();
    }
    let mut counts = [0; SpecKind::ALL.len()];
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
                let position = SpecKind::ALL.iter().position(|kind| *kind == spec.kind);
                let count = &mut counts[position.unwrap_or(0)];
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
