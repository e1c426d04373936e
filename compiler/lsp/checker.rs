//! What is wrong with the open documents, found out in the background with the code of the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification};
use serde_json::{Value, json};

use super::convert;
use super::documents::Documents;
use super::places::Places;
use super::position::Encoding;
use super::workspace::{Root, Workspace, has_init, roots_of};
use crate::cli::STACK;
use crate::diagnostic::Diagnostic;
use crate::load;
use crate::load::Loaded;
use crate::program;
use crate::source::Sources;
use crate::weave;

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
pub fn check(root: &Root, documents: &Documents) -> Option<Diagnosed> {
    let mut sources = Sources::new();
    let mut loaded = load::load(&root.main, documents, &mut sources).ok()?;
    if let Some(scenario) = &root.scenario {
        let added = loaded.add_scenario(scenario, documents, &mut sources);
        added.ok()?;
    }
    let mut diagnostics = loaded.all_diagnostics();
    let mut program = None;
    if loaded.diagnostics.is_empty() {
        let linked = loaded.link();
        let (main, imported, scenarios) = (&linked.main, &linked.imported, &linked.scenarios);
        let checked = program::check_with(main, imported, scenarios, &[], &weave::FAULTS);
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
                workspace: Workspace::default(),
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
    /// The files of the workspace.
    workspace: Workspace,
}

impl Published {
    /// Checks every open document as far as it is a model of its own, and tells what has changed.
    fn check_all(&mut self, documents: &Documents) {
        self.workspace.refresh(documents);
        let importers = self.workspace.importers(documents);
        let mut roots: BTreeSet<Root> = BTreeSet::new();
        for path in documents.open.keys() {
            let above = roots_of(path, &importers);
            if above.is_empty() || has_init(documents, path) {
                roots.insert(self.workspace.root(path, documents));
            }
            roots.extend(above.into_iter().map(Root::from));
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

    /// The messages about a model; with a scenario those about the scenario, because the model has its own.
    fn messages(&self, root: &Root, documents: &Documents) -> Vec<(String, Value)> {
        let Some(checked) = check(root, documents) else {
            return Vec::new();
        };
        let Diagnosed {
            sources, loaded, ..
        } = &checked;
        let places = Places::new(sources, loaded, documents, self.encoding);
        let about = loaded.scenarios.first().map(|scenario| scenario.id);
        let all = checked.diagnostics.iter();
        let all = all.filter(|said| about.is_none_or(|file| said.primary.span.file == file));
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
