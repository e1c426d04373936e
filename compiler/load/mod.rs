//! A model with everything it imports: [`load()`] reads and parses the files, [`Loaded::link`] makes every name in them mean
//! one thing.
//!
//! Texts come from [`Files`], whoever that is: the file system, the open buffers of an editor, a test.

pub mod library;
mod link;
pub mod problem;

pub use link::Linked;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

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

    /// The folder that imports cannot leave.
    fn project(&self, main: &Path) -> PathBuf {
        main.parent().map(Path::to_owned).unwrap_or_default()
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
    /// Its path as messages show it.
    pub name: String,
    /// The files that it imports: 0 is the main file, then come the imported ones.
    pub imports: Vec<usize>,
}

impl Loaded {
    /// The main file, the imported ones and those of `--with`.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        std::iter::once(&self.main)
            .chain(&self.imported)
            .chain(&self.scenarios)
    }

    fn file(&self, index: usize) -> &Module {
        match index {
            0 => &self.main,
            _ => &self.imported[index - 1],
        }
    }

    fn file_mut(&mut self, index: usize) -> &mut Module {
        match index {
            0 => &mut self.main,
            _ => &mut self.imported[index - 1],
        }
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
    let project = Project::new(path, files);
    let mut seen = HashMap::from([(files.identity(path), 0)]);
    // The imports of the file at hand, of the one that imports it, and so on up to the main file.
    let mut open = vec![Open::new(0, &loaded.main)];
    while let Some(last) = open.last_mut() {
        let (importer, folder) = (last.file, last.folder.clone());
        let Some(import) = last.imports.next() else {
            open.pop();
            continue;
        };
        let wanted = match Wanted::new(&folder, &import.path.text, &project) {
            Ok(wanted) => wanted,
            Err(outside) => {
                let place = import.path.span;
                let problem = problem::outside(place, &import.path.text, &outside);
                loaded.diagnostics.push(problem);
                continue;
            }
        };
        let identity = wanted.identity(files);
        if let Some(known) = seen.get(&identity) {
            let known = *known;
            if let Some(at) = open.iter().position(|file| file.file == known) {
                let chain = open[at..].iter().map(|file| file.file).chain([known]);
                let chain: Vec<&str> = chain.map(|file| loaded.file(file).name.as_str()).collect();
                let problem = problem::cycle(import.path.span, &chain);
                loaded.diagnostics.push(problem);
            }
            loaded.file_mut(importer).imports.push(known);
            continue;
        }
        match wanted.read(files, sources, &project) {
            Ok((id, bad)) => {
                let module = module(sources, id, wanted.path(), bad.is_none());
                let index = loaded.imported.len() + 1;
                seen.insert(identity, index);
                open.push(Open::new(index, &module));
                loaded.imported.push(module);
                loaded.file_mut(importer).imports.push(index);
                loaded.diagnostics.extend(bad);
            }
            Err(Unread::Outside(outside)) => loaded.diagnostics.push(problem::outside(
                import.path.span,
                &import.path.text,
                &outside,
            )),
            Err(Unread::Unreadable(Unreadable { why, meant })) => {
                loaded.diagnostics.push(problem::import(
                    import.path.span,
                    &import.path.text,
                    &why,
                    meant.and_then(|meant| written(&import, &meant)).as_deref(),
                ));
            }
        }
    }
    Ok(loaded)
}

/// A file some of whose imports are still to be read.
struct Open {
    file: usize,
    /// The folder they are relative to.
    folder: PathBuf,
    imports: std::vec::IntoIter<ast::Import>,
}

impl Open {
    fn new(file: usize, module: &Module) -> Self {
        let folder = match &module.path {
            Some(path) => path.parent().map(Path::to_owned).unwrap_or_default(),
            None => PathBuf::from(library::PREFIX),
        };
        let decls = module.parsed.file.decls.iter();
        let imports = decls.filter_map(|decl| match &decl.kind {
            ast::DeclKind::Import(import) => Some(import.clone()),
            _ => None,
        });
        Open {
            file,
            folder,
            imports: imports.collect::<Vec<_>>().into_iter(),
        }
    }
}

/// The folder that imports cannot leave.
struct Project {
    folder: PathBuf,
    /// The same, as every way to name it is.
    identity: PathBuf,
}

impl Project {
    fn new(main: &Path, files: &dyn Files) -> Self {
        let folder = files.project(main);
        let named = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder.as_path(),
        };
        Project {
            identity: plain(&files.identity(named)),
            folder: plain(&folder),
        }
    }
}

impl Project {
    fn shown(&self) -> String {
        match self.folder.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => self.folder.display().to_string(),
        }
    }
}

/// A path without `.`, and with `..` only where it leaves everything that is named before.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match plain.components().next_back() {
                Some(Component::Normal(_)) => {
                    plain.pop();
                }
                _ => plain.push(part),
            },
            _ => plain.push(part),
        }
    }
    plain
}

/// Why a file cannot be imported.
enum Unread {
    Unreadable(Unreadable),
    Outside(Outside),
}

/// Why a path is not one of the project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outside {
    /// It says where in the file system.
    Absolute,
    /// It leaves this folder.
    Leaves(String),
    /// It is a link that leaves this folder.
    Link(String),
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
    Module {
        id,
        parsed,
        path,
        name: sources.file(id).path.clone(),
        imports: Vec::new(),
    }
}

/// What an import names.
enum Wanted {
    Library(String),
    File(PathBuf),
}

impl Wanted {
    fn new(folder: &Path, path: &str, project: &Project) -> Result<Self, Outside> {
        if let Some(name) = path.strip_prefix(library::PREFIX) {
            return Ok(Wanted::Library(name.to_owned()));
        }
        // Drives and backslashes are refused everywhere, so that a model means the same on every machine.
        let drive = path.as_bytes().get(1) == Some(&b':');
        if Path::new(path).has_root() || drive || path.contains('\\') {
            return Err(Outside::Absolute);
        }
        let wanted = plain(&folder.join(path));
        let inside = match project.folder.as_os_str().is_empty() {
            true => !wanted.starts_with(".."),
            false => wanted.starts_with(&project.folder),
        };
        match inside {
            true => Ok(Wanted::File(folder.join(path))),
            false => Err(Outside::Leaves(project.shown())),
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
        project: &Project,
    ) -> Result<(FileId, Option<Diagnostic>), Unread> {
        match self {
            Wanted::Library(name) => match library::find(name) {
                Some(text) => {
                    let path = format!("{}{name}", library::PREFIX);
                    Ok((sources.add(path, text), None))
                }
                None => {
                    let names = library::MODULES.iter().map(|(name, _)| *name);
                    let meant = did_you_mean(name, names);
                    Err(Unread::Unreadable(Unreadable {
                        why: "the library has no such module".to_owned(),
                        meant: meant.map(|meant| format!("{}{meant}", library::PREFIX)),
                    }))
                }
            },
            Wanted::File(path) => {
                let bytes = files.read(path).map_err(Unread::Unreadable)?;
                // Only what is there has an identity: a link that leaves the project is seen now.
                if !plain(&files.identity(path)).starts_with(&project.identity) {
                    return Err(Unread::Outside(Outside::Link(project.shown())));
                }
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
