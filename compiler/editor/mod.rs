//! What an editor asks about a model, answered from plain data: places are spans, texts are strings. Nothing here knows a
//! protocol; `lsp` puts the answers into messages.
//!
//! In: a model as it is loaded, perhaps with mistakes. Everything is answered from its trees and from one table,
//! [`index::Index`], which says what each name means. Nothing is elaborated, so an answer takes as long as reading the text.

pub mod complete;
pub mod fix;
pub mod fold;
pub mod hints;
pub mod hover;
pub mod index;
pub mod lens;
pub mod rename;
pub mod signature;
pub mod symbols;
pub mod tokens;

#[cfg(test)]
mod tests;

use std::path::Path;

use crate::load;
use crate::load::{Files, Loaded, Unreadable};
use crate::program::fault::FaultKind;
use crate::source::{FileId, Sources, Span};
use crate::syntax::Parsed;
use index::{DefId, Definition, Index};

/// A model as an editor sees it.
pub struct Model {
    /// Its texts.
    pub sources: Sources,
    /// Its trees.
    pub loaded: Loaded,
    /// What its names mean.
    pub index: Index,
    /// The kinds of faults that the language has.
    pub faults: &'static [&'static FaultKind],
    /// The file that is looked at: the main file, or the scenario if there is one.
    pub shown: FileId,
}

impl Model {
    /// Reads a model, perhaps with a file as of `--with`, and finds out what its names mean.
    ///
    /// # Errors
    /// If one of these files cannot be read.
    pub fn load(
        main: &Path,
        scenario: Option<&Path>,
        files: &dyn Files,
        faults: &'static [&'static FaultKind],
    ) -> Result<Model, Unreadable> {
        let mut sources = Sources::new();
        let mut loaded = load::load(main, files, &mut sources)?;
        if let Some(scenario) = scenario {
            loaded.add_scenario(scenario, files, &mut sources)?;
        }
        let index = Index::new(&sources, &loaded);
        Ok(Model {
            shown: loaded.scenarios.first().unwrap_or(&loaded.main).id,
            sources,
            loaded,
            index,
            faults,
        })
    }

    /// The file that is looked at, parsed.
    pub fn parsed(&self) -> &Parsed {
        let scenario = self.loaded.scenarios.first();
        &scenario.unwrap_or(&self.loaded.main).parsed
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.sources.file(self.shown).text
    }

    /// The definition that is named at a place of the file that is looked at, and where exactly it is named.
    pub fn named_at(&self, offset: usize) -> Option<(DefId, Span)> {
        self.index.at(self.shown, offset)
    }

    /// A definition.
    pub fn definition(&self, id: DefId) -> &Definition {
        &self.index.definitions[id.0]
    }

    /// Every place that names a definition, in order; its own name is the first if `own` is set.
    pub fn references(&self, id: DefId, own: bool) -> Vec<Span> {
        let definition = self.definition(id);
        let own = own.then_some(definition.span);
        let uses = self.index.uses.iter();
        let uses = uses.filter(|used| used.target == id).map(|used| used.span);
        own.into_iter().chain(uses).collect()
    }
}

/// The name or number around a place of a text.
pub fn word_at(text: &str, offset: usize) -> std::ops::Range<usize> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let offset = offset.min(bytes.len());
    let before = bytes[..offset].iter().rev().take_while(|b| is_word(b));
    let after = bytes[offset..].iter().take_while(|b| is_word(b));
    offset - before.count()..offset + after.count()
}
