//! A model with everything it imports.
//!
//! Texts come from [`Files`], whoever that is: the file system, the open buffers of an editor, a test.

pub mod library;
pub mod problem;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::{FileId, Sources, Span};
use crate::syntax;
use crate::syntax::{Parsed, ast};

/// Where texts come from.
pub trait Files {
    /// The contents of a file.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable>;

    /// The same path for all ways to name one file.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// A path as messages show it.
    fn display(&self, path: &Path) -> String {
        path.display().to_string()
    }
}

/// Texts by a function: the contents of a path, or nothing if there is no such file.
impl<F: Fn(&Path) -> Option<String>> Files for F {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let text = self(path).ok_or_else(|| Unreadable {
            why: "no such file".to_owned(),
            meant: None,
        })?;
        Ok(text.into_bytes())
    }
}

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Why not, in few words.
    pub why: String,
    /// A file that may be meant.
    pub meant: Option<String>,
}

/// A parsed model: its main file, then the imported ones in the order they are first imported.
pub struct Loaded {
    /// The main file.
    pub main: Module,
    /// The imported files.
    pub imported: Vec<Module>,
    /// The files of `--with`.
    pub scenarios: Vec<Module>,
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
    /// The main file, the imported ones and those of `--with`.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        std::iter::once(&self.main)
            .chain(&self.imported)
            .chain(&self.scenarios)
    }

    /// The trees of the files of `--with`.
    pub fn scenario_files(&self) -> Vec<ast::File> {
        let trees = self.scenarios.iter().map(|module| &module.parsed.file);
        trees.cloned().collect()
    }

    /// Reads and parses a file of `--with`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn add_scenario(
        &mut self,
        path: &Path,
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<(), Unreadable> {
        let bytes = files.read(path)?;
        let (id, bad) = add(sources, files.display(path), bytes);
        let scenario = module(sources, id, Some(path.to_owned()), bad.is_none());
        self.scenarios.push(scenario);
        self.diagnostics.extend(bad);
        Ok(())
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
///
/// # Errors
/// If the main file cannot be read.
pub fn load(path: &Path, files: &dyn Files, sources: &mut Sources) -> Result<Loaded, Unreadable> {
    let bytes = files.read(path)?;
    let (id, bad) = add(sources, files.display(path), bytes);
    let mut loaded = Loaded {
        main: module(sources, id, Some(path.to_owned()), bad.is_none()),
        imported: Vec::new(),
        scenarios: Vec::new(),
        diagnostics: bad.into_iter().collect(),
    };
    let mut seen = HashSet::from([files.identity(path)]);
    let mut next = imports(&loaded.main);
    next.reverse();
    while let Some((folder, import)) = next.pop() {
        let wanted = Wanted::new(&folder, &import.path.text);
        if !seen.insert(wanted.identity(files)) {
            continue;
        }
        match wanted.read(files, sources) {
            Ok((id, bad)) => {
                let module = module(sources, id, wanted.path(), bad.is_none());
                next.extend(imports(&module).into_iter().rev());
                loaded.imported.push(module);
                loaded.diagnostics.extend(bad);
            }
            Err(Unreadable { why, meant }) => loaded.diagnostics.push(problem::import(
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

impl Wanted {
    fn new(folder: &Path, path: &str) -> Self {
        match path.strip_prefix(library::PREFIX) {
            Some(name) => Wanted::Library(name.to_owned()),
            None => Wanted::File(folder.join(path)),
        }
    }

    /// The same for two ways to name one file.
    fn identity(&self, files: &dyn Files) -> PathBuf {
        match self {
            Wanted::Library(name) => Path::new(library::PREFIX).join(name),
            Wanted::File(path) => files.identity(path),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Wanted::Library(_) => None,
            Wanted::File(path) => Some(path.clone()),
        }
    }

    fn read(
        &self,
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<(FileId, Option<Diagnostic>), Unreadable> {
        match self {
            Wanted::Library(name) => match library::find(name) {
                Some(text) => {
                    let path = format!("{}{name}", library::PREFIX);
                    Ok((sources.add(path, text), None))
                }
                None => {
                    let names = library::MODULES.iter().map(|(name, _)| *name);
                    let meant = did_you_mean(name, names);
                    Err(Unreadable {
                        why: "the library has no such module".to_owned(),
                        meant: meant.map(|meant| format!("{}{meant}", library::PREFIX)),
                    })
                }
            },
            Wanted::File(path) => {
                let bytes = files.read(path)?;
                Ok(add(sources, files.display(path), bytes))
            }
        }
    }
}

/// Adds what was read to the sources. A byte order mark is dropped; bytes that are not UTF-8 are
/// replaced, and the first of them is the message.
pub fn add(sources: &mut Sources, path: String, bytes: Vec<u8>) -> (FileId, Option<Diagnostic>) {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    match String::from_utf8(bytes) {
        Ok(text) => (sources.add(path, text), None),
        Err(error) => {
            let start = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let end = match error.utf8_error().error_len() {
                Some(length) => start + length,
                None => bytes.len(),
            };
            let bad = bytes[start..end].to_vec();
            let file = sources.add(path, String::from_utf8_lossy(bytes));
            let place = Span::new(file, start, start + char::REPLACEMENT_CHARACTER.len_utf8());
            (file, Some(problem::not_utf8(place, &bad)))
        }
    }
}
