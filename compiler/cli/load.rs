//! A model with everything it imports.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::files::{self, Failure};
use super::{library, problem};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::{FileId, Sources};
use crate::syntax;
use crate::syntax::{Parsed, ast};

/// A parsed model: its main file, then the imported ones in the order they are first imported.
pub struct Loaded {
    /// The main file.
    pub main: Module,
    /// The imported files.
    pub imported: Vec<Module>,
    /// Files that could not be read. If there are any, names may be missing for no fault of the model,
    /// so there is no point in checking it.
    pub diagnostics: Vec<Diagnostic>,
}

/// One file of a model.
pub struct Module {
    /// Its text.
    pub id: FileId,
    /// Its tree.
    pub parsed: Parsed,
    /// Where it was read from; the library's modules are in no file.
    pub path: Option<PathBuf>,
}

impl Loaded {
    /// The main file and the imported ones.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        std::iter::once(&self.main).chain(&self.imported)
    }

    /// The trees of the imported files.
    pub fn imported_files(&self) -> Vec<ast::File> {
        let trees = self.imported.iter().map(|module| &module.parsed.file);
        trees.cloned().collect()
    }

    /// Unreadable imports and syntax errors.
    pub fn all_diagnostics(&self) -> Vec<Diagnostic> {
        let syntax = self.modules().flat_map(|module| &module.parsed.diagnostics);
        self.diagnostics.iter().chain(syntax).cloned().collect()
    }
}

/// Reads and parses a model and everything it imports, each file once.
pub fn load(path: &Path, sources: &mut Sources) -> Result<Loaded, Failure> {
    let bytes = files::read(path)?;
    let (id, bad) = files::add(sources, files::display(path), bytes);
    let mut loaded = Loaded {
        main: module(sources, id, Some(path.to_owned()), bad.is_none()),
        imported: Vec::new(),
        diagnostics: bad.into_iter().collect(),
    };
    let mut seen = HashSet::from([identity(path)]);
    let mut next = imports(&loaded.main);
    next.reverse();
    while let Some((folder, import)) = next.pop() {
        let wanted = Wanted::new(&folder, &import.path.text);
        if !seen.insert(wanted.identity()) {
            continue;
        }
        match wanted.read(sources) {
            Ok((id, bad)) => {
                let module = module(sources, id, wanted.path(), bad.is_none());
                next.extend(imports(&module).into_iter().rev());
                loaded.imported.push(module);
                loaded.diagnostics.extend(bad);
            }
            Err((why, meant)) => loaded.diagnostics.push(problem::import(
                import.path.span,
                &import.path.text,
                &why,
                meant.and_then(|meant| written(&import, &meant)).as_deref(),
            )),
        }
    }
    Ok(loaded)
}

/// The path that is meant, relative to the importing file as the import is.
fn written(import: &ast::Import, meant: &str) -> Option<String> {
    let name = Path::new(meant).file_name()?;
    let path = Path::new(&import.path.text).with_file_name(name);
    path.to_str().map(str::to_owned)
}

/// Parses a file; one that is no text is like an empty one, because everything has been said about it.
fn module(sources: &Sources, id: FileId, path: Option<PathBuf>, is_text: bool) -> Module {
    let parsed = if is_text {
        syntax::parse(sources, id)
    } else {
        Parsed {
            file: ast::File { decls: Vec::new() },
            comments: Vec::new(),
            diagnostics: Vec::new(),
        }
    };
    Module { id, parsed, path }
}

/// The imports of a file, each with the folder it is relative to.
fn imports(module: &Module) -> Vec<(PathBuf, ast::Import)> {
    let folder = match &module.path {
        Some(path) => path.parent().map(Path::to_owned).unwrap_or_default(),
        None => PathBuf::from(library::PREFIX),
    };
    let decls = &module.parsed.file.decls;
    decls
        .iter()
        .filter_map(|decl| match &decl.kind {
            ast::DeclKind::Import(import) => Some((folder.clone(), import.clone())),
            _ => None,
        })
        .collect()
}

/// What an import names.
enum Wanted {
    Library(String),
    File(PathBuf),
}

/// Why an import cannot be read, and what may be meant.
type Missing = (String, Option<String>);

impl Wanted {
    fn new(folder: &Path, path: &str) -> Self {
        match path.strip_prefix(library::PREFIX) {
            Some(name) => Wanted::Library(name.to_owned()),
            None => Wanted::File(folder.join(path)),
        }
    }

    /// The same for two ways to name one file.
    fn identity(&self) -> PathBuf {
        match self {
            Wanted::Library(name) => Path::new(library::PREFIX).join(name),
            Wanted::File(path) => identity(path),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Wanted::Library(_) => None,
            Wanted::File(path) => Some(path.clone()),
        }
    }

    fn read(&self, sources: &mut Sources) -> Result<(FileId, Option<Diagnostic>), Missing> {
        match self {
            Wanted::Library(name) => match library::find(name) {
                Some(text) => {
                    let path = format!("{}{name}", library::PREFIX);
                    Ok((sources.add(path, text), None))
                }
                None => {
                    let names = library::MODULES.iter().map(|(name, _)| *name);
                    let meant = did_you_mean(name, names);
                    Err((
                        "the library has no such module".to_owned(),
                        meant.map(|meant| format!("{}{meant}", library::PREFIX)),
                    ))
                }
            },
            Wanted::File(path) => match files::read_file(path) {
                Ok(bytes) => Ok(files::add(sources, files::display(path), bytes)),
                Err(failure) => Err((failure.why, failure.meant)),
            },
        }
    }
}

fn identity(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
