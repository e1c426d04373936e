//! Another name for a definition, everywhere.

use std::path::Path;

use super::Model;
use super::index::{DefId, Index, Kind};
use crate::load::{Files, Module, Unreadable};
use crate::source::Span;
use crate::syntax;

/// Why a definition cannot have a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It can never be a name.
    NoName(&'static str),
    /// The definition is not in a file that can be changed.
    Library,
    /// Another definition would be meant somewhere.
    Clash,
}

impl Refused {
    /// Why not, in words.
    pub fn reason(&self, name: &str) -> String {
        match self {
            Refused::NoName(why) => format!("`{name}` cannot be a name: {why}"),
            Refused::Library => "the library cannot be changed".to_owned(),
            Refused::Clash => format!("with the name `{name}` something else would be meant"),
        }
    }
}

/// The places that have to be changed so that a definition is called otherwise, in the texts of one model.
///
/// # Errors
/// If the model would not mean the same afterwards.
pub fn rename(
    model: &Model,
    id: DefId,
    name: &str,
    files: &dyn Files,
) -> Result<Vec<Span>, Refused> {
    check_name(model, id, name)?;
    let places = model.references(id, true);
    let in_library = |span: &Span| {
        let module = model.loaded.modules().find(|module| module.id == span.file);
        module.is_none_or(|module| module.path.is_none())
    };
    if places.iter().any(in_library) {
        return Err(Refused::Library);
    }
    // The names of the changed texts are looked up again: each must mean what it did.
    let changed = Changed {
        model,
        places: &places,
        name,
        files,
    };
    let path = |module: &Module| module.path.clone();
    let main = path(&model.loaded.main).ok_or(Refused::Library)?;
    let scenario = model.loaded.scenarios.first().and_then(path);
    let after = Model::load(&main, scenario.as_deref(), &changed, model.faults);
    let after = after.map_err(|_| Refused::Clash)?;
    let errors = |model: &Model| model.loaded.all_diagnostics().len();
    match same(&model.index, &after.index, id, name) && errors(model) == errors(&after) {
        true => Ok(places),
        false => Err(Refused::Clash),
    }
}

/// Whether something may be called so at all.
fn check_name(model: &Model, id: DefId, name: &str) -> Result<(), Refused> {
    let mut letters = name.chars();
    let first = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !first || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(Refused::NoName("a name has letters, digits and `_`"));
    }
    if syntax::is_keyword(name) {
        return Err(Refused::NoName("it is a keyword"));
    }
    let variable = matches!(model.definition(id).kind, Kind::Variable | Kind::Parameter);
    if variable && matches!(name, "done" | "crashed" | "failed") {
        return Err(Refused::NoName(
            "specifications use it for the state of the process",
        ));
    }
    if name.starts_with("__") || name == "_" {
        return Err(Refused::NoName(
            "names that begin with `__` are kept for the compiler",
        ));
    }
    Ok(())
}

/// Whether two indices are the same but for one name.
fn same(before: &Index, after: &Index, id: DefId, name: &str) -> bool {
    let targets =
        |index: &Index| -> Vec<DefId> { index.uses.iter().map(|used| used.target).collect() };
    let names = before
        .definitions
        .iter()
        .zip(&after.definitions)
        .enumerate();
    before.definitions.len() == after.definitions.len()
        && before.unknown.len() == after.unknown.len()
        && targets(before) == targets(after)
        && { names }.all(|(at, (old, new))| match DefId(at) == id {
            true => new.name == name && old.kind == new.kind,
            false => new.name == old.name && old.kind == new.kind,
        })
        && !doubled(after, id)
}

/// Whether two definitions of one place have the same name: one hides the other.
fn doubled(index: &Index, id: DefId) -> bool {
    let renamed = &index[id];
    let mut others = index.definitions.iter().enumerate();
    others.any(|(at, other)| {
        let alike = other.name == renamed.name && other.owner == renamed.owner;
        let local = |kind: Kind| matches!(kind, Kind::Variable | Kind::Counter | Kind::Const);
        // Variables of two blocks may have one name, but then specifications cannot tell them apart.
        let apart = match (local(renamed.kind), local(other.kind)) {
            (true, true) => renamed.scope.is_none() != other.scope.is_none(),
            _ => (renamed.kind == Kind::Label) != (other.kind == Kind::Label),
        };
        DefId(at) != id && alike && !apart && renamed.span.file == other.span.file
    })
}

/// The files of a model, with another name at some places.
struct Changed<'a> {
    model: &'a Model,
    places: &'a [Span],
    name: &'a str,
    files: &'a dyn Files,
}

impl Files for Changed<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let mut modules = self.model.loaded.modules();
        let Some(module) = modules.find(|module| module.path.as_deref() == Some(path)) else {
            return self.files.read(path);
        };
        let text = &self.model.sources.file(module.id).text;
        let places = self.places.iter().filter(|span| span.file == module.id);
        let edits = places.map(|span| (span.range(), self.name.to_owned()));
        Ok(edited(text, edits.collect()).into_bytes())
    }

    fn identity(&self, path: &Path) -> std::path::PathBuf {
        self.files.identity(path)
    }

    fn display(&self, path: &Path) -> String {
        self.files.display(path)
    }

    fn project(&self, main: &Path) -> std::path::PathBuf {
        self.files.project(main)
    }
}

/// A text with some of its parts replaced.
pub fn edited(text: &str, mut edits: Vec<(std::ops::Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        if range.start < at {
            continue;
        }
        out += &text[at..range.start];
        out += &new;
        at = range.end;
    }
    out + &text[at..]
}
