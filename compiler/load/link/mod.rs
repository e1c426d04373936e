//! Which definition a name of several files means.
//!
//! Definitions of all files share one top level, in which names are plain. Where two files define the same name, those
//! of imported files get a longer one, `link.Sender`: what comes later sees names that mean one thing. In: the trees as
//! written. Out: trees in which every reference to such a definition, and every reference that is written `link.Sender`,
//! has the name that its definition has. Local names hide those of the top level here as they do later.

mod expr;
mod walk;

use std::collections::HashMap;

use super::{Loaded, problem};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{self, DeclKind};

/// The files of a model with names that mean one thing.
pub struct Linked {
    /// The main file.
    pub main: ast::File,
    /// The imported files.
    pub imported: Vec<ast::File>,
    /// The files of `--with`.
    pub scenarios: Vec<ast::File>,
    /// Names that mean nothing, or several things.
    pub diagnostics: Vec<Diagnostic>,
    names: Names,
}

impl Linked {
    /// What is to be said about names, then what later steps say: nothing about the same place again.
    pub fn and_then(&self, later: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let said = |place: Span| self.diagnostics.iter().any(|d| d.primary.span == place);
        let later = later.into_iter().filter(|d| !said(d.primary.span));
        self.diagnostics.iter().cloned().chain(later).collect()
    }

    /// The name that the definition has which `-D` calls so: `link.N` may be one of `N` alone.
    pub fn defined(&self, name: &str) -> String {
        let Some((module, rest)) = name.split_once('.') else {
            return name.to_owned();
        };
        match self.names.qualified(MAIN, module, rest).as_slice() {
            [only] => self.names.canonical(rest, *only),
            _ => name.to_owned(),
        }
    }
}

/// The main file, and the files of `--with`.
const MAIN: usize = 0;

/// What each file defines.
struct Names {
    files: Vec<File>,
    /// The files that define a name.
    definers: HashMap<String, Vec<usize>>,
}

struct File {
    /// The last part of its path: what stands before the dot.
    alias: String,
    /// Its path.
    path: String,
    /// The same without `.sdl`.
    shown: String,
    /// The files it imports.
    imports: Vec<usize>,
    /// Its definitions.
    spans: HashMap<String, Span>,
    /// What its `init` creates.
    entries: Vec<String>,
}

impl Loaded {
    /// The trees with names that mean one thing.
    pub fn link(&self) -> Linked {
        self.link_with(&self.main.parsed.file)
    }

    /// The same with another text of the main file.
    pub fn link_with(&self, main: &ast::File) -> Linked {
        let mut names = Names {
            files: Vec::new(),
            definers: HashMap::new(),
        };
        let trees = std::iter::once(main).chain(self.imported.iter().map(|m| &m.parsed.file));
        let modules = std::iter::once(&self.main).chain(&self.imported);
        for (tree, module) in trees.zip(modules) {
            names.add(tree, &module.name, module.imports.clone());
        }
        for scenario in &self.scenarios {
            names.define(MAIN, &scenario.parsed.file);
        }
        let mut diagnostics = Vec::new();
        let mut link = |file: usize, tree: &ast::File| {
            let mut tree = tree.clone();
            walk::file(&names, file, &mut tree, &mut diagnostics);
            tree
        };
        let main = link(MAIN, main);
        let imported = self.imported.iter().enumerate();
        let imported = imported
            .map(|(index, module)| link(index + 1, &module.parsed.file))
            .collect();
        let scenarios = self.scenarios.iter();
        let scenarios = scenarios.map(|s| link(MAIN, &s.parsed.file)).collect();
        Linked {
            main,
            imported,
            scenarios,
            diagnostics,
            names,
        }
    }
}

impl Names {
    fn add(&mut self, tree: &ast::File, path: &str, imports: Vec<usize>) {
        let shown = path.strip_suffix(".sdl").unwrap_or(path);
        let last = shown.rsplit(['/', '\\']).next().unwrap_or(shown);
        let index = self.files.len();
        self.files.push(File {
            alias: last.to_owned(),
            path: path.to_owned(),
            shown: shown.to_owned(),
            imports,
            spans: HashMap::new(),
            entries: Vec::new(),
        });
        self.define(index, tree);
    }

    fn define(&mut self, index: usize, tree: &ast::File) {
        for decl in &tree.decls {
            if let DeclKind::Init(init) = &decl.kind {
                walk::entry_names(&init.entries, &mut self.files[index].entries);
            }
            let Some(name) = defined(decl) else {
                continue;
            };
            // A second one in the same file is an error, which `program` reports.
            let spans = &mut self.files[index].spans;
            if spans.insert(name.text.clone(), name.span).is_none() {
                let definers = self.definers.entry(name.text.clone()).or_default();
                definers.push(index);
            }
        }
    }

    /// Whether a name needs a look at all: it is defined by several files, or is that of a file.
    fn is_special(&self, name: &str) -> bool {
        self.definers.get(name).is_some_and(|all| all.len() > 1) || self.is_alias(name)
    }

    fn is_alias(&self, name: &str) -> bool {
        self.files[1..].iter().any(|file| file.alias == name)
    }

    /// The files that may be meant by a name without a prefix: this one, else those it imports, else any.
    fn plain(&self, from: usize, name: &str) -> Vec<usize> {
        let Some(all) = self.definers.get(name) else {
            return Vec::new();
        };
        self.nearest(from, all.iter().copied())
    }

    /// The files that may be meant by `alias.name`.
    fn qualified(&self, from: usize, alias: &str, name: &str) -> Vec<usize> {
        let all = (1..self.files.len()).filter(|index| {
            let file = &self.files[*index];
            file.alias == alias && file.spans.contains_key(name)
        });
        self.nearest(from, all)
    }

    fn nearest(&self, from: usize, all: impl Iterator<Item = usize>) -> Vec<usize> {
        let all: Vec<usize> = all.collect();
        if all.contains(&from) {
            return vec![from];
        }
        let imports = &self.files[from].imports;
        let direct = all.iter().copied().filter(|index| imports.contains(index));
        let direct: Vec<usize> = direct.collect();
        if direct.is_empty() { all } else { direct }
    }

    /// The name of a definition in the trees that come out.
    fn canonical(&self, name: &str, file: usize) -> String {
        let all = self.definers.get(name).map_or(&[][..], Vec::as_slice);
        if file == MAIN || all.len() < 2 {
            return name.to_owned();
        }
        let alias = &self.files[file].alias;
        let same = all.iter().filter(|index| **index != MAIN);
        match same.filter(|i| self.files[**i].alias == *alias).count() {
            1 => format!("{alias}.{name}"),
            _ => format!("{}.{name}", self.files[file].shown),
        }
    }

    /// The message about a name that several files define.
    fn ambiguous(&self, written: &str, name: &str, span: Span, all: &[usize]) -> Diagnostic {
        let places: Vec<(Span, String)> = all
            .iter()
            .map(|index| {
                let file = &self.files[*index];
                (file.spans[name], format!("defined in `{}`", file.path))
            })
            .collect();
        let mut choices: Vec<String> = all
            .iter()
            .filter(|index| **index != MAIN)
            .map(|index| format!("`{}.{name}`", self.files[*index].alias))
            .collect();
        choices.dedup();
        problem::ambiguous(span, written, &places, &choices)
    }

    /// The message about `alias.name` where the file has no such definition.
    fn missing(&self, alias: &str, name: &str, span: Span) -> Diagnostic {
        let files = self.files[1..].iter().filter(|file| file.alias == alias);
        let files: Vec<&File> = files.collect();
        let known = files.iter().flat_map(|file| file.spans.keys());
        let mut known: Vec<&str> = known.map(String::as_str).collect();
        known.sort_unstable();
        let meant = did_you_mean(name, known).map(|near| format!("{alias}.{near}"));
        let file = files.first().map(|file| file.path.as_str());
        problem::missing(span, alias, name, file, meant.as_deref())
    }
}

/// The name that a declaration adds to the top level.
fn defined(decl: &ast::Decl) -> Option<&ast::Name> {
    match &decl.kind {
        DeclKind::Data(data) => Some(&data.name),
        DeclKind::Type(named) => Some(&named.name),
        DeclKind::Const(constant) => Some(&constant.name),
        DeclKind::Proc(proc) => Some(&proc.name),
        DeclKind::Func(func) => Some(&func.proc.name),
        DeclKind::Predicate(predicate) => Some(&predicate.name),
        DeclKind::Module(module) => Some(&module.name),
        DeclKind::Import(_)
        | DeclKind::Init(_)
        | DeclKind::Limit(_)
        | DeclKind::Inject(_)
        | DeclKind::Fault(_)
        | DeclKind::Spec(_)
        | DeclKind::Protocol(_)
        | DeclKind::View(_)
        | DeclKind::Diagnosable(_)
        | DeclKind::Error => None,
    }
}
