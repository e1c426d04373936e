//! Requests and their answers.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, PoisonError, atomic::AtomicBool};

use lsp_server::RequestId;
use serde_json::{Value, json};

use super::documents::{Document, Documents, plain};
use super::places::{Places, position, position_of};
use super::position::Encoding;
use super::runner::{Job, Question, Runner, Verdict};
use super::settings::Settings;
use super::view::View;
use super::workspace::{Root, Workspace, roots_of};
use super::{actions, convert, uri};
use crate::editor::hints::hints;
use crate::editor::index::Kind;
use crate::editor::lens::{About, lenses};
use crate::editor::symbols::outline;
use crate::editor::{Model, fold, hover};
use crate::source::{Sources, Span};
use crate::syntax;

/// A longer text is checked, but nothing else is answered about it: nobody edits such a model by hand.
const LARGEST: usize = 2 << 20;

/// A workspace has at most so many symbols to choose from.
const MOST_SYMBOLS: usize = 500;

/// What becomes of a request.
pub enum Reply {
    /// An answer.
    Value(Value),
    /// It is answered when it is known.
    Later,
    /// There is no such request.
    Unknown,
    /// It is not as the protocol says.
    Wrong(String),
    /// It cannot be done; why.
    Refused(String),
}

/// All that is needed to answer requests.
pub struct Desk {
    /// The open documents.
    pub documents: Documents,
    /// How columns are counted.
    pub encoding: Encoding,
    /// The settings.
    pub settings: Settings,
    /// How many changes there have been.
    pub revision: u64,
    /// Asks the engine.
    pub runner: Runner,
    /// Models as they were at the last revision.
    views: HashMap<PathBuf, Rc<View>>,
    viewed: u64,
    workspace: Workspace,
}

impl Desk {
    /// Nothing open yet.
    pub fn new(encoding: Encoding, runner: Runner) -> Desk {
        Desk {
            documents: Documents::default(),
            encoding,
            settings: Settings::default(),
            revision: 0,
            runner,
            views: HashMap::new(),
            viewed: 0,
            workspace: Workspace::default(),
        }
    }

    /// Answers a request.
    pub fn answer(&mut self, id: &RequestId, method: &str, params: &Value) -> Reply {
        if method == "workspace/executeCommand" {
            return self.command(id, params);
        }
        if method == "workspace/symbol" {
            return Reply::Value(self.workspace_symbols(params));
        }
        let Some(rest) = method.strip_prefix("textDocument/") else {
            return Reply::Unknown;
        };
        let Some(uri) = params["textDocument"]["uri"].as_str() else {
            return match is_known(rest) {
                true => Reply::Wrong("`textDocument.uri` is missing".to_owned()),
                false => Reply::Unknown,
            };
        };
        let path = plain(&uri::path(uri));
        let Some(document) = self.documents.open.get(&path).cloned() else {
            return match is_known(rest) {
                true => Reply::Value(Value::Null),
                false => Reply::Unknown,
            };
        };
        if document.text.len() > LARGEST {
            return match is_known(rest) {
                true => Reply::Value(Value::Null),
                false => Reply::Unknown,
            };
        }
        match rest {
            "formatting" => return Reply::Value(self.format(&document)),
            "foldingRange" => return Reply::Value(folds(&document, self.encoding)),
            "codeAction" => {
                let range = &params["range"];
                let root = self.root(&path);
                let documents = &self.documents;
                let found = actions::fixes(&document, &root, documents, range, self.encoding);
                return Reply::Value(json!(found));
            }
            _ if !is_known(rest) => return Reply::Unknown,
            _ => {}
        }
        let Some(view) = self.view(&path, &document) else {
            return Reply::Value(Value::Null);
        };
        match rest {
            "documentSymbol" => {
                let symbols = outline(&view.model, view.model.shown);
                let symbols = symbols
                    .iter()
                    .filter_map(|s| convert::symbol(s, &view.places));
                return Reply::Value(symbols.collect());
            }
            "semanticTokens/full" => return Reply::Value(view.tokens()),
            "inlayHint" => return Reply::Value(self.hints(&view)),
            "codeLens" => return Reply::Value(self.lenses(&view, &path)),
            _ => {}
        }
        let Some(offset) = position_of(&params["position"])
            .and_then(|position| view.places.offset(view.model.shown, position))
        else {
            return Reply::Wrong("`position` is missing".to_owned());
        };
        match rest {
            "hover" => Reply::Value(self.hover(&view, &path, offset)),
            "completion" => Reply::Value(view.completion(offset)),
            "signatureHelp" => Reply::Value(view.signature(offset)),
            "definition" => Reply::Value(view.definition(offset)),
            "documentHighlight" => Reply::Value(view.highlights(offset)),
            "references" => Reply::Value(self.references(&view, &path, offset, params)),
            "prepareRename" => match view.model.named_at(offset) {
                Some((_, span)) => Reply::Value(json!(view.places.range(span))),
                None => Reply::Value(Value::Null),
            },
            "rename" => self.rename(&view, &path, offset, params),
            _ => Reply::Unknown,
        }
    }

    /// The model that a document is part of.
    fn root(&mut self, path: &Path) -> Root {
        self.workspace.refresh(&self.documents);
        self.workspace.root(path, &self.documents)
    }

    /// The model of a document as it is now.
    fn view(&mut self, path: &Path, document: &Document) -> Option<Rc<View>> {
        if self.viewed != self.revision {
            self.views.clear();
            self.viewed = self.revision;
        }
        if let Some(view) = self.views.get(path) {
            return Some(view.clone());
        }
        let model = self.root(path).model(&self.documents)?;
        let places = Places::new(
            &model.sources,
            &model.loaded,
            &self.documents,
            self.encoding,
        );
        let view = Rc::new(View {
            model,
            places,
            document: document.clone(),
        });
        self.views.insert(path.to_owned(), view.clone());
        Some(view)
    }

    fn format(&self, document: &Document) -> Value {
        let mut sources = Sources::new();
        let text = document
            .text
            .strip_prefix('\u{feff}')
            .unwrap_or(&document.text);
        let file = sources.add("m.sdl", text);
        // What is wrong is in the messages already.
        match syntax::format(&sources, file) {
            Ok(new) => json!(actions::difference(&document.text, &new, self.encoding)),
            Err(_) => Value::Null,
        }
    }

    fn hints(&self, view: &View) -> Value {
        if !self.settings.inlay_hints {
            return json!([]);
        }
        let all = hints(&view.model).into_iter().filter_map(|hint| {
            let at = view.places.position(view.model.shown, hint.at)?;
            Some(match hint.parameter {
                true => json!({ "position": position(at), "label": hint.text, "kind": 2, "paddingRight": true }),
                false => json!({ "position": position(at), "label": format!(" {}", hint.text), "kind": 1 }),
            })
        });
        all.collect()
    }

    /// The last verdict about a property of a model.
    fn verdict(&self, path: &Path, name: &str) -> Option<Verdict> {
        let verdicts = &self.runner.verdicts;
        let verdicts = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = verdicts.iter().filter(|((main, known), _)| {
            let element = name.ends_with('[') && known.starts_with(name);
            main == path && (known == name || element)
        });
        // Of several elements the worst is said.
        let order = |word: &str| {
            ["violated", "unknown", "checking"]
                .iter()
                .position(|w| *w == word)
        };
        let worst = found.min_by_key(|(_, verdict)| order(&verdict.word).unwrap_or(9));
        worst.map(|(_, verdict)| verdict.clone())
    }

    fn in_words(&self, verdict: &Verdict) -> String {
        let detail = match verdict.detail.is_empty() {
            true => String::new(),
            false => format!(": {}", verdict.detail),
        };
        let sign = match verdict.word.as_str() {
            "holds" => "\u{2713} ",
            "violated" => "\u{2717} ",
            _ => "",
        };
        match verdict.revision == self.revision {
            true => format!("{sign}{}{detail}", verdict.word),
            false => format!("check (before the last change: {})", verdict.word),
        }
    }

    fn lenses(&self, view: &View, path: &Path) -> Value {
        if !self.settings.code_lens {
            return json!([]);
        }
        let uri = &view.document.uri;
        let found = lenses(&view.model);
        let marked = (found.iter()).any(|lens| matches!(lens.about, About::Faults(_)));
        let injects = view.model.text().contains("inject");
        let mut all = Vec::new();
        for lens in found {
            let Some(range) = view.places.range(lens.span) else {
                continue;
            };
            let mut add = |title: &str, command: &str, name: Option<&str>| {
                let arguments = match (name, &lens.about) {
                    (Some(name), _) => json!([uri, name]),
                    (None, About::Faults(entry)) => json!([uri, null, entry]),
                    (None, _) => json!([uri]),
                };
                let command = json!({ "title": title, "command": command, "arguments": arguments });
                all.push(json!({ "range": range, "command": command }));
            };
            let name = match &lens.about {
                About::Model => {
                    add("check all properties", "sandal.check", None);
                    if marked || injects {
                        add("tolerance", "sandal.tolerance", None);
                    }
                    continue;
                }
                About::Faults(entry) => {
                    let title = format!("tolerance to faults of {entry}");
                    add(&title, "sandal.tolerance", None);
                    continue;
                }
                About::Property(name) => name.clone(),
                About::Properties(name) => format!("{name}["),
            };
            let verdict = self.verdict(path, &name);
            let title = verdict.map_or("check".to_owned(), |verdict| self.in_words(&verdict));
            add(&title, "sandal.check", Some(&name));
            add("show run", "sandal.showRun", Some(&name));
            if marked || injects {
                add("tolerance", "sandal.tolerance", Some(&name));
            }
        }
        json!(all)
    }

    fn hover(&self, view: &View, path: &Path, offset: usize) -> Value {
        let Some((span, mut text)) = hover::hover(&view.model, offset) else {
            return Value::Null;
        };
        if let Some((id, _)) = view.model.named_at(offset) {
            let definition = view.model.definition(id);
            let verdict = match definition.kind {
                Kind::Specification => self.verdict(path, &definition.name),
                _ => None,
            };
            if let Some(verdict) = verdict {
                text += &format!("\n\n{}", self.in_words(&verdict));
            }
        }
        json!({
            "contents": { "kind": "markdown", "value": text },
            "range": view.places.range(span),
        })
    }

    /// The models of the workspace in which a file of a model takes part, that model itself among them, and those with scenarios.
    fn models_with(&mut self, path: &Path, file: &Path) -> Vec<Model> {
        let own = self.root(path);
        let importers = self.workspace.importers(&self.documents);
        let mut mains = BTreeSet::from([own.main.clone(), file.to_owned()]);
        mains.extend(roots_of(file, &importers));
        let mut roots = BTreeSet::from([own]);
        for main in mains {
            roots.extend(self.workspace.with_scenarios(&main, &self.documents));
            roots.insert(Root::from(main));
        }
        let models = roots.iter().filter_map(|root| root.model(&self.documents));
        models.collect()
    }

    fn references(&mut self, view: &View, path: &Path, offset: usize, params: &Value) -> Value {
        let Some((id, _)) = view.model.named_at(offset) else {
            return Value::Null;
        };
        let own = params["context"]["includeDeclaration"]
            .as_bool()
            .unwrap_or(true);
        let span = view.model.definition(id).span;
        let Some(file) = view.places.path(span.file) else {
            // In the library: only this model.
            return json!(locations(view, &view.model.references(id, false)));
        };
        let mut found: Vec<Value> = Vec::new();
        for model in self.models_with(path, &file) {
            let places = Places::new(
                &model.sources,
                &model.loaded,
                &self.documents,
                self.encoding,
            );
            let target = (file.as_path(), span.range());
            let Some(id) = actions::same_definition(&model, &target) else {
                continue;
            };
            for span in model.references(id, own) {
                if let Some(location) = places.location(span)
                    && !found.contains(&location)
                {
                    found.push(location);
                }
            }
        }
        json!(found)
    }

    fn rename(&mut self, view: &View, path: &Path, offset: usize, params: &Value) -> Reply {
        let Some(name) = params["newName"].as_str() else {
            return Reply::Wrong("`newName` is missing".to_owned());
        };
        let Some((id, _)) = view.model.named_at(offset) else {
            return Reply::Refused("there is no name here".to_owned());
        };
        let span = view.model.definition(id).span;
        let Some(file) = view.places.path(span.file) else {
            return Reply::Refused("the library cannot be changed".to_owned());
        };
        let models = self.models_with(path, &file);
        let target = (file.as_path(), span.range());
        match actions::rename(&models, target, name, &self.documents, self.encoding) {
            Ok(edit) => Reply::Value(edit),
            Err(why) => Reply::Refused(why),
        }
    }

    fn workspace_symbols(&mut self, params: &Value) -> Value {
        let wanted = params["query"].as_str().unwrap_or_default().to_lowercase();
        let open: Vec<(PathBuf, Document)> = (self.documents.open.iter())
            .filter(|(_, document)| document.text.len() <= LARGEST)
            .map(|(path, document)| (path.clone(), document.clone()))
            .collect();
        let mut found: Vec<Value> = Vec::new();
        for (path, document) in open {
            let Some(view) = self.view(&path, &document) else {
                continue;
            };
            for definition in &view.model.index.definitions {
                let top = definition.scope.is_none() && definition.kind != Kind::Field;
                if !top || !definition.name.to_lowercase().contains(&wanted) {
                    continue;
                }
                let Some(location) = view.places.location(definition.span) else {
                    continue;
                };
                let symbol = json!({
                    "name": definition.name,
                    "kind": convert::symbol_kind(definition.kind),
                    "location": location,
                });
                if !found.contains(&symbol) {
                    found.push(symbol);
                }
                if found.len() >= MOST_SYMBOLS {
                    return json!(found);
                }
            }
        }
        json!(found)
    }

    fn command(&mut self, id: &RequestId, params: &Value) -> Reply {
        let question = match params["command"].as_str() {
            Some("sandal.check") => Question::Check,
            Some("sandal.showRun") => Question::Show,
            Some("sandal.tolerance") => Question::Tolerance,
            Some("sandal.properties") => return self.properties(params),
            Some(other) => return Reply::Wrong(format!("there is no command `{other}`")),
            None => return Reply::Wrong("`command` is missing".to_owned()),
        };
        let Some(uri) = params["arguments"][0].as_str() else {
            return Reply::Wrong("the first argument is the address of a document".to_owned());
        };
        let main = plain(&uri::path(uri));
        if !self.documents.open.contains_key(&main) {
            return Reply::Refused("open the model first".to_owned());
        }
        let job = Job {
            id: id.clone(),
            question,
            root: self.root(&main),
            main,
            uri: uri.to_owned(),
            property: params["arguments"][1].as_str().map(str::to_owned),
            entry: params["arguments"][2].as_str().map(str::to_owned),
            documents: self.documents.clone(),
            revision: self.revision,
            settings: self.settings.clone(),
            stop: Arc::new(AtomicBool::new(false)),
        };
        match self.runner.ask(job) {
            true => Reply::Later,
            false => Reply::Refused("nobody is there to check it".to_owned()),
        }
    }

    /// The properties of an open document, for those who list them as tests.
    fn properties(&mut self, params: &Value) -> Reply {
        let Some(uri) = params["arguments"][0].as_str() else {
            return Reply::Wrong("the first argument is the address of a document".to_owned());
        };
        let path = plain(&uri::path(uri));
        let Some(document) = self.documents.open.get(&path).cloned() else {
            return Reply::Value(json!([]));
        };
        if document.text.len() > LARGEST {
            return Reply::Value(json!([]));
        }
        let Some(view) = self.view(&path, &document) else {
            return Reply::Value(json!([]));
        };
        let all = lenses(&view.model).into_iter().filter_map(|lens| {
            let (name, label) = match lens.about {
                About::Property(name) => (name.clone(), name),
                About::Properties(name) => (format!("{name}["), name),
                About::Model | About::Faults(_) => return None,
            };
            let range = view.places.range(lens.span)?;
            Some(json!({ "name": name, "label": label, "range": range }))
        });
        Reply::Value(all.collect())
    }
}

fn is_known(method: &str) -> bool {
    const KNOWN: &[&str] = &[
        "formatting",
        "foldingRange",
        "codeAction",
        "documentSymbol",
        "semanticTokens/full",
        "inlayHint",
        "codeLens",
        "hover",
        "completion",
        "signatureHelp",
        "definition",
        "documentHighlight",
        "references",
        "prepareRename",
        "rename",
    ];
    KNOWN.contains(&method)
}

fn locations(view: &View, spans: &[Span]) -> Vec<Value> {
    let all = spans.iter();
    all.filter_map(|span| view.places.location(*span)).collect()
}

fn folds(document: &Document, encoding: Encoding) -> Value {
    let line = |offset: usize| {
        let at = document.lines.position(&document.text, offset, encoding);
        at.line
    };
    let all = fold::folds(&document.text).into_iter().filter_map(|fold| {
        let (start, end) = (line(fold.start), line(fold.end));
        let mut value = json!({ "startLine": start, "endLine": end });
        if let Some(kind) = convert::fold_kind(fold.kind) {
            value["kind"] = json!(kind);
        }
        (start < end).then_some(value)
    });
    all.collect()
}
