//! What is wrong with the open documents, found out in the background with the code of the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification};
use serde_json::{Value, json};

use super::convert;
use super::documents::{Documents, plain};
use super::places::Places;
use super::position::Encoding;
use crate::cli::{STACK, files};
use crate::diagnostic::Diagnostic;
use crate::load;
use crate::load::Loaded;
use crate::program;
use crate::source::Sources;
use crate::syntax::ast::DeclKind;
use crate::weave;

/// More files of the workspace are not searched for imports, and no more folders and files are looked at to find them.
const MOST_FILES: usize = 2_000;
const MOST_ENTRIES: usize = 50_000;

/// How long nothing must have changed before a check begins, and after how long it begins all the same.
const QUIET: Duration = Duration::from_millis(80);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What waits to be checked: always the newest, whatever was asked before.
#[derive(Default)]
struct Waiting {
    documents: Option<Documents>,
    over: bool,
}

/// The checker, as the main thread sees it.
pub struct Checker {
    shared: Arc<(Mutex<Waiting>, Condvar)>,
}

/// A model that has been read and checked, with all that there is to say about it.
pub struct Diagnosed {
    /// Its texts.
    pub sources: Sources,
    /// Its trees.
    pub loaded: Loaded,
    /// What it says, if there are no errors.
    pub program: Option<program::Program>,
    /// Errors and warnings, in the order of the command line.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks a model as the command line does; `None` if it cannot be read.
pub fn check(main: &Path, documents: &Documents) -> Option<Diagnosed> {
    let mut sources = Sources::new();
    let loaded = load::load(main, documents, &mut sources).ok()?;
    let mut diagnostics = loaded.all_diagnostics();
    let mut program = None;
    if loaded.diagnostics.is_empty() {
        let linked = loaded.link();
        let checked = program::check(&linked.main, &linked.imported, &[], &weave::FAULTS);
        diagnostics.extend(linked.and_then(checked.diagnostics));
        program = checked.program;
    }
    Some(Diagnosed {
        sources,
        program: program.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)),
        loaded,
        diagnostics,
    })
}

impl Checker {
    /// Starts the thread.
    pub fn new(to: Sender<Message>, encoding: Encoding) -> Checker {
        let shared: Arc<(Mutex<Waiting>, Condvar)> = Arc::default();
        let mine = shared.clone();
        let work = move || {
            let mut published = Published {
                to,
                encoding,
                of: BTreeMap::new(),
                disk: Disk::default(),
                scanned: None,
            };
            while let Some(documents) = next(&mine) {
                published.check_all(&documents);
            }
        };
        // Without a thread there are no messages, but everything else goes on.
        let _ = std::thread::Builder::new().stack_size(STACK).spawn(work);
        Checker { shared }
    }

    /// Asks for a check; what still waits is forgotten.
    pub fn ask(&self, documents: &Documents) {
        let (waiting, bell) = &*self.shared;
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.documents = Some(documents.clone());
        bell.notify_all();
    }

    /// Ends the thread as soon as it is done with what it does.
    pub fn end(&self) {
        let (waiting, bell) = &*self.shared;
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.over = true;
        bell.notify_all();
    }
}

fn next(shared: &(Mutex<Waiting>, Condvar)) -> Option<Documents> {
    let (waiting, bell) = shared;
    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if waiting.over {
            return None;
        }
        if waiting.documents.is_some() {
            // Whoever types gets answers first: a check begins when nothing has changed for a moment.
            let start = Instant::now();
            loop {
                let result = bell.wait_timeout(waiting, QUIET);
                let (guard, time) = result.unwrap_or_else(PoisonError::into_inner);
                waiting = guard;
                if waiting.over || time.timed_out() || start.elapsed() > LONGEST_WAIT {
                    break;
                }
            }
            let documents = waiting.documents.take();
            return documents.filter(|_| !waiting.over);
        }
        waiting = bell.wait(waiting).unwrap_or_else(PoisonError::into_inner);
    }
}

/// What the client has been told.
struct Published {
    to: Sender<Message>,
    encoding: Encoding,
    /// The messages about each document.
    of: BTreeMap<String, Vec<Value>>,
    /// What the files of the workspace import, and when they were looked at.
    disk: Disk,
    scanned: Option<u64>,
}

impl Published {
    /// Checks every open document as far as it is a model of its own, and tells what has changed.
    fn check_all(&mut self, documents: &Documents) {
        if self.scanned != Some(documents.disk) {
            self.disk = Disk::scan(documents);
            self.scanned = Some(documents.disk);
        }
        let importers = self.disk.importers(documents);
        let mut roots: BTreeSet<PathBuf> = BTreeSet::new();
        for path in documents.open.keys() {
            let above = roots_of(path, &importers);
            let own = above.is_empty() || has_init(documents, path);
            roots.extend(above);
            if own {
                roots.insert(path.clone());
            }
        }
        let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for document in documents.open.values() {
            found.insert(document.uri.clone(), Vec::new());
        }
        for root in roots {
            // A bug of ours in one model should not end the service for the others.
            let work = || self.messages(&root, documents);
            let work = std::panic::AssertUnwindSafe(work);
            let messages: Vec<(String, Value)> = std::panic::catch_unwind(work).unwrap_or_default();
            for (uri, message) in messages {
                let all = found.entry(uri).or_default();
                // Two models may import one file.
                if !all.contains(&message) {
                    all.push(message);
                }
            }
        }
        let gone: Vec<String> = (self.of.keys())
            .filter(|uri| !found.contains_key(*uri))
            .cloned()
            .collect();
        for uri in gone {
            self.tell(&uri, None, Vec::new());
            self.of.remove(&uri);
        }
        for (uri, messages) in found {
            let version = documents.get(&uri).map(|document| document.version);
            // Of an open document the client learns that its newest text has been looked at.
            if version.is_some() || self.of.get(&uri) != Some(&messages) {
                self.tell(&uri, version, messages.clone());
                self.of.insert(uri, messages);
            }
        }
    }

    fn messages(&self, root: &Path, documents: &Documents) -> Vec<(String, Value)> {
        let Some(checked) = check(root, documents) else {
            return Vec::new();
        };
        let Diagnosed {
            sources, loaded, ..
        } = &checked;
        let places = Places::new(sources, loaded, documents, self.encoding);
        let all = checked.diagnostics.iter();
        all.filter_map(|diagnostic| convert::diagnostic(diagnostic, &places))
            .collect()
    }

    fn tell(&self, uri: &str, version: Option<i64>, diagnostics: Vec<Value>) {
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        let method = "textDocument/publishDiagnostics".to_owned();
        let _ = self
            .to
            .send(Message::Notification(Notification { method, params }));
    }
}

/// Whether a document is a model of its own.
fn has_init(documents: &Documents, path: &Path) -> bool {
    let mut sources = Sources::new();
    let Some(document) = documents.open.get(path) else {
        return false;
    };
    let file = sources.add("m.sdl", document.text.as_str());
    let tree = crate::syntax::parse(&sources, file).file;
    tree.decls
        .iter()
        .any(|decl| matches!(decl.kind, DeclKind::Init(_)))
}

/// The files that import a file.
pub type Importers = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// What the files of the workspace import, as they are on the disk.
#[derive(Default)]
pub struct Disk {
    imports: Vec<(PathBuf, Vec<PathBuf>)>,
}

impl Disk {
    /// Looks at the models in the folders of the workspace.
    pub fn scan(documents: &Documents) -> Disk {
        let mut disk = Disk::default();
        let mut folders = documents.folders.clone();
        let mut left = MOST_ENTRIES;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                left = left.saturating_sub(1);
                if left == 0 || disk.imports.len() >= MOST_FILES {
                    return disk;
                }
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                let name = entry.file_name();
                let hidden = name.as_encoded_bytes().starts_with(b".");
                let path = entry.path();
                // What tools put there is no model.
                if kind.is_dir() && !hidden && name != "node_modules" && name != "target" {
                    folders.push(path);
                } else if kind.is_file()
                    && path.extension().is_some_and(|extension| extension == "sdl")
                    && let Ok(bytes) = files::read_file(&path)
                {
                    let imports = imports(&path, &String::from_utf8_lossy(&bytes));
                    disk.imports.push((path, imports));
                }
            }
        }
        disk
    }

    /// Who imports whom: open documents as they are now, other files as they were.
    pub fn importers(&self, documents: &Documents) -> Importers {
        let mut importers = Importers::new();
        let mut note = |path: &Path, imports: &[PathBuf]| {
            for imported in imports {
                let all = importers.entry(imported.clone()).or_default();
                all.insert(path.to_owned());
            }
        };
        for (path, document) in &documents.open {
            note(path, &imports(path, &document.text));
        }
        for (path, imports) in &self.imports {
            if !documents.open.contains_key(path) {
                note(path, imports);
            }
        }
        importers
    }
}

/// The files that a text imports.
fn imports(path: &Path, text: &str) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("import"));
    let names = lines.filter_map(|rest| rest.split('"').nth(1));
    let own = names.filter(|name| !name.starts_with(load::library::PREFIX));
    own.map(|name| plain(&folder.join(name))).collect()
}

/// The files that import a file, directly or not, and are imported by none.
pub fn roots_of(path: &Path, importers: &Importers) -> BTreeSet<PathBuf> {
    let mut roots = BTreeSet::new();
    let mut seen = BTreeSet::from([path.to_owned()]);
    let mut open = vec![path.to_owned()];
    while let Some(at) = open.pop() {
        let above = importers.get(&at);
        let above: Vec<&PathBuf> = above.into_iter().flatten().collect();
        if above.is_empty() && at != path {
            roots.insert(at);
            continue;
        }
        for next in above {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    roots
}
