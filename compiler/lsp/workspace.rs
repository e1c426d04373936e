//! The files of the workspace: who imports whom, and which model a file is part of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::documents::{Documents, plain};
use crate::cli::files;
use crate::editor::Model;
use crate::load;
use crate::load::Files;
use crate::source::Sources;
use crate::syntax::ast::DeclKind;
use crate::vocabulary::SpecKind;
use crate::weave;

/// More files of the workspace are not searched for imports, and no more folders and files are looked at to find them.
const MOST_FILES: usize = 2_000;
const MOST_ENTRIES: usize = 50_000;

/// Who looks for a name looks in no more scenarios.
const MOST_SCENARIOS: usize = 200;

/// What is checked: a model, perhaps with a file as of `--with`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Root {
    /// The main file.
    pub main: PathBuf,
    /// The scenario, which is then the file that is shown.
    pub scenario: Option<PathBuf>,
}

impl From<PathBuf> for Root {
    fn from(main: PathBuf) -> Root {
        Root {
            main,
            scenario: None,
        }
    }
}

impl Root {
    fn with(main: PathBuf, scenario: &Path) -> Root {
        Root {
            main,
            scenario: Some(scenario.to_owned()),
        }
    }

    /// The model as an editor sees it.
    pub fn model(&self, documents: &Documents) -> Option<Model> {
        let scenario = self.scenario.as_deref();
        Model::load(&self.main, scenario, documents, &weave::FAULTS).ok()
    }
}

/// What a file is, as far as the first words of its lines tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// It has an `init`.
    Model,
    /// It has what a file of `--with` may have, and nothing else.
    Scenario,
    /// It is there to be imported.
    Part,
}

impl Shape {
    fn of(text: &str) -> Shape {
        let first = |line: &'_ str| -> Option<String> {
            let end = line.find(|c: char| !c.is_ascii_alphabetic());
            let word = &line[..end.unwrap_or(line.len())];
            (!word.is_empty()).then(|| word.to_owned())
        };
        let words: BTreeSet<String> = text.lines().filter_map(first).collect();
        let has = |all: &[&str]| all.iter().any(|word| words.contains(*word));
        if has(&["init"]) {
            return Shape::Model;
        }
        let part = has(&[
            "import",
            "data",
            "type",
            "proc",
            "func",
            "predicate",
            "module",
        ]);
        let specs = SpecKind::ALL.map(SpecKind::as_str);
        match !part && (has(&["inject", "limit"]) || has(&specs)) {
            true => Shape::Scenario,
            false => Shape::Part,
        }
    }
}

/// Whether a document is a model of its own.
pub fn has_init(documents: &Documents, path: &Path) -> bool {
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

/// A file of the workspace, as it is on the disk.
struct Seen {
    path: PathBuf,
    imports: Vec<PathBuf>,
    shape: Shape,
    /// Of a model, what it could have names for.
    words: BTreeSet<String>,
}

impl Seen {
    fn new(path: &Path, text: &str) -> Seen {
        Seen {
            path: path.to_owned(),
            imports: imports(path, text),
            shape: Shape::of(text),
            words: match Shape::of(text) {
                Shape::Model => words(text),
                Shape::Scenario | Shape::Part => BTreeSet::new(),
            },
        }
    }
}

/// The words of a text.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let names = words.filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()));
    names.map(str::to_owned).collect()
}

/// The files of the workspace.
#[derive(Default)]
pub struct Workspace {
    seen: Vec<Seen>,
    /// When they were looked at.
    scanned: Option<u64>,
}

impl Workspace {
    /// Looks at the models in the folders of the workspace again, if they may have changed.
    pub fn refresh(&mut self, documents: &Documents) {
        if self.scanned != Some(documents.disk) {
            self.seen = scan(documents);
            self.scanned = Some(documents.disk);
        }
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
        for seen in &self.seen {
            if !documents.open.contains_key(&seen.path) {
                note(&seen.path, &seen.imports);
            }
        }
        importers
    }

    /// The files of a shape with their words, open documents as they are now.
    fn of_shape(&self, shape: Shape, documents: &Documents) -> BTreeMap<PathBuf, BTreeSet<String>> {
        let open = documents.open.iter();
        let open = open.filter(|(_, document)| Shape::of(&document.text) == shape);
        let open = open.map(|(path, document)| (path.clone(), words(&document.text)));
        let seen = self.seen.iter().filter(|seen| seen.shape == shape);
        let closed = seen.filter(|seen| !documents.open.contains_key(&seen.path));
        let closed = closed.map(|seen| (seen.path.clone(), seen.words.clone()));
        open.chain(closed).collect()
    }

    /// The models that have the most of the words of a scenario, those in its folder first.
    fn models_of(&self, scenario: &Path, text: &str, documents: &Documents) -> Vec<PathBuf> {
        let spoken = words(text);
        let models = self.of_shape(Shape::Model, documents).into_iter();
        let mut scored: Vec<(usize, PathBuf)> = models
            .map(|(path, words)| (spoken.intersection(&words).count(), path))
            .collect();
        let best = scored.iter().map(|(score, _)| *score).max();
        scored.retain(|(score, _)| *score > 0 && Some(*score) == best);
        let mut models: Vec<PathBuf> = scored.into_iter().map(|(_, path)| path).collect();
        models.sort_by_key(|main| (main.parent() != scenario.parent(), main.clone()));
        models
    }

    /// The model that is meant by a file: itself, or of a scenario the model that it fits best, with it.
    pub fn root(&self, path: &Path, documents: &Documents) -> Root {
        let document = documents.open.get(path);
        let scenario = document.filter(|document| Shape::of(&document.text) == Shape::Scenario);
        let models = scenario.map(|document| self.models_of(path, &document.text, documents));
        match models.and_then(|models| models.into_iter().next()) {
            Some(main) => Root::with(main, path),
            None => Root::from(path.to_owned()),
        }
    }

    /// A model with each scenario of the workspace that may be one of its own.
    pub fn with_scenarios(&self, main: &Path, documents: &Documents) -> Vec<Root> {
        let scenarios = self.of_shape(Shape::Scenario, documents).into_keys();
        let belongs = |scenario: &PathBuf| {
            let text = documents.read(scenario).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let models = self.models_of(scenario, &text, documents);
            models.iter().any(|model| model == main)
        };
        scenarios
            .take(MOST_SCENARIOS)
            .filter(belongs)
            .map(|scenario| Root::with(main.to_owned(), &scenario))
            .collect()
    }
}

/// Looks at the models in the folders of the workspace.
fn scan(documents: &Documents) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut folders = documents.folders.clone();
    let mut left = MOST_ENTRIES;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            if left == 0 || all.len() >= MOST_FILES {
                return all;
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
                all.push(Seen::new(&path, &String::from_utf8_lossy(&bytes)));
            }
        }
    }
    all
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
