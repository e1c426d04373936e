//! What a file says about itself: its definitions, each with the comment right above it.

use super::Parsed;
use super::ast::{Decl, DeclKind, EntryKind, FaultOn, Param, TypeDeclKind, TypeKind};
use super::print;
use crate::source::{FileId, Sources, Span};

/// A file, as somebody who wants to use it sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The comment at the top of the file: paragraphs and what is indented stay as they are.
    pub about: String,
    /// Its definitions and named specifications, in order.
    pub items: Vec<Item>,
}

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// `proc`, `module`, `data`, ..
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// How it is written, without a body.
    pub signature: String,
    /// The comment above it.
    pub about: String,
    /// Of a module, what an instance consists of: names, with what each is.
    pub parts: Vec<(String, String)>,
    /// Where its name stands.
    pub span: Span,
}

/// The page of a file.
pub fn page(sources: &Sources, file: FileId, parsed: &Parsed) -> Page {
    let comments = Comments::new(sources, file, parsed);
    let items = parsed.file.decls.iter();
    let items: Vec<Item> = items
        .filter_map(|decl| item(sources, decl, &comments))
        .collect();
    let first = items.first().map(|item| comments.above(item.span));
    Page {
        about: match comments.groups.first() {
            // A comment right above the first definition is about that.
            Some((lines, text)) if lines.0 == 1 && first.as_ref() != Some(text) => text.clone(),
            _ => String::new(),
        },
        items,
    }
}

/// Comments that stand alone on lines, each row of them as one text with its first and last line.
struct Comments<'s> {
    sources: &'s Sources,
    groups: Vec<((usize, usize), String)>,
}

impl<'s> Comments<'s> {
    fn new(sources: &'s Sources, file: FileId, parsed: &Parsed) -> Self {
        let source = sources.file(file);
        let mut groups: Vec<((usize, usize), String)> = Vec::new();
        for comment in &parsed.comments {
            let first = source.line(comment.span.start as usize);
            let last = source.line(comment.span.end as usize);
            let before = source.line_range(first).start..comment.span.start as usize;
            if !source.text[before].trim().is_empty() {
                continue;
            }
            let text = match comment.block {
                true => block_text(sources.slice(comment.span)),
                false => line_text(sources.slice(comment.span)).to_owned(),
            };
            match groups.last_mut() {
                Some((lines, group)) if lines.1 + 1 == first => {
                    lines.1 = last;
                    group.push('\n');
                    group.push_str(&text);
                }
                _ => groups.push(((first, last), text)),
            }
        }
        for (_, text) in &mut groups {
            *text = text.trim_matches('\n').trim_end().to_owned();
        }
        Comments { sources, groups }
    }

    /// The comment that ends on the line before a place.
    fn above(&self, span: Span) -> String {
        let line = self.sources.line(span);
        let found = self.groups.iter().find(|((_, last), _)| last + 1 == line);
        found.map_or_else(String::new, |(_, text)| text.clone())
    }
}

/// A line comment without its slashes and the space behind them.
fn line_text(comment: &str) -> &str {
    let text = comment.trim_start_matches('/');
    text.strip_prefix(' ').unwrap_or(text).trim_end()
}

/// A block comment without its signs, and without the stars at the beginnings of lines.
fn block_text(comment: &str) -> String {
    let inner = comment.trim_start_matches("/*").trim_end_matches("*/");
    let lines = inner.lines().map(|line| {
        let line = line.trim();
        let bare = line.trim_start_matches('*');
        bare.strip_prefix(' ').unwrap_or(bare).trim_end()
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn item(sources: &Sources, decl: &Decl, comments: &Comments<'_>) -> Option<Item> {
    let whole = || sources.slice(decl.span).trim_end().to_owned();
    let mut parts = Vec::new();
    let (kind, name, signature) = match &decl.kind {
        DeclKind::Data(data) => ("data", &data.name, whole()),
        DeclKind::Type(named) => {
            let kind = match named.kind {
                TypeDeclKind::Alias(_) => "type",
                TypeDeclKind::Struct(_) => "struct",
            };
            (kind, &named.name, whole())
        }
        DeclKind::Const(constant) => ("const", &constant.name, whole()),
        DeclKind::Proc(proc) => (
            "proc",
            &proc.name,
            signature("proc", &proc.name.text, &proc.params),
        ),
        DeclKind::Func(func) => {
            let name = &func.proc.name;
            let head = signature("func", &name.text, &func.proc.params);
            let result = func.result.as_ref().map(|ty| format!(" {}", print::ty(ty)));
            ("func", name, head + &result.unwrap_or_default())
        }
        DeclKind::Predicate(predicate) => (
            "predicate",
            &predicate.name,
            signature("predicate", &predicate.name.text, &predicate.params),
        ),
        DeclKind::Fault(fault) => {
            let on = match fault.on {
                FaultOn::Process => "process",
                FaultOn::Channel => "channel",
            };
            let head = signature("fault", &fault.name.text, &fault.params);
            ("fault", &fault.name, format!("{head} on {on}"))
        }
        DeclKind::Module(module) => {
            let inits = module.decls.iter().filter_map(|decl| match &decl.kind {
                DeclKind::Init(init) => Some(init),
                _ => None,
            });
            for init in inits {
                entries(&init.entries, &mut parts);
            }
            let head = signature("module", &module.name.text, &module.params);
            ("module", &module.name, head)
        }
        DeclKind::Spec(spec) => {
            let name = spec.name.as_ref()?;
            (spec.kind.as_str(), name, whole())
        }
        DeclKind::Protocol(protocol) => ("protocol", &protocol.name, whole()),
        DeclKind::Import(_)
        | DeclKind::Init(_)
        | DeclKind::Limit(_)
        | DeclKind::Inject(_)
        | DeclKind::View(_)
        | DeclKind::Diagnosable(_)
        | DeclKind::Error => return None,
    };
    Some(Item {
        kind,
        name: name.text.clone(),
        signature,
        about: comments.above(decl.span),
        parts,
        span: name.span,
    })
}

/// The head of a definition; a long one has a line for each parameter.
fn signature(kind: &str, name: &str, params: &[Param]) -> String {
    let params: Vec<String> = params
        .iter()
        .map(|param| format!("{} {}", param.name.text, print::ty(&param.ty)))
        .collect();
    let line = format!("{kind} {name}({})", params.join(", "));
    if line.chars().count() <= WIDTH {
        return line;
    }
    format!("{kind} {name}(\n    {},\n)", params.join(",\n    "))
}

/// No head is longer on one line.
const WIDTH: usize = 96;

/// The entries of a module's `init`, with what each is.
fn entries(list: &[super::ast::Entry], parts: &mut Vec<(String, String)>) {
    for entry in list {
        let (name, what) = match &entry.kind {
            EntryKind::Instance { name, callee, .. } => (name, callee.text.clone()),
            EntryKind::Channel { name, ty, .. } => (name, entry_type(ty)),
            EntryKind::For { entries: inner, .. } => {
                entries(inner, parts);
                continue;
            }
            EntryKind::Error => continue,
        };
        let index = name.index.as_ref().map(print::expr);
        let index = index.map_or_else(String::new, |index| format!("[{index}]"));
        parts.push((format!("{}{index}", name.name.text), what));
    }
}

fn entry_type(ty: &super::ast::Type) -> String {
    match &ty.kind {
        TypeKind::Named(name) => name.text.clone(),
        _ => print::ty(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_belong_to_what_stands_right_below_them() {
        let text = "// About\n// the file.\n//\n//     import \"x\"\n\n// Lost.\n\n// One\n// two.\nproc P(a channel [] { bit }, n 0..3) { skip } // not this\n/* Block. */\nconst N = 2\ndata D { A, B }\nmodule M() {\n    init {\n        c: channel { bit }\n        for i in range 0 to 2 {\n            p[i]: P(c, i)\n        }\n    }\n}\n";
        let mut sources = Sources::new();
        let file = sources.add("x.sdl", text);
        let parsed = super::super::parse(&sources, file);
        let page = page(&sources, file, &parsed);
        assert_eq!(page.about, "About\nthe file.\n\n    import \"x\"");
        let found: Vec<_> = page
            .items
            .iter()
            .map(|item| {
                (
                    item.kind,
                    item.name.as_str(),
                    item.signature.as_str(),
                    item.about.as_str(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (
                    "proc",
                    "P",
                    "proc P(a channel [] { bit }, n 0..3)",
                    "One\ntwo."
                ),
                ("const", "N", "const N = 2", "Block."),
                ("data", "D", "data D { A, B }", ""),
                ("module", "M", "module M()", ""),
            ]
        );
        assert_eq!(
            page.items[3].parts,
            [
                ("c".to_owned(), "channel { bit }".to_owned()),
                ("p[i]".to_owned(), "P".to_owned())
            ]
        );
    }

    #[test]
    fn a_comment_above_the_first_definition_is_not_about_the_file() {
        let mut sources = Sources::new();
        let file = sources.add("x.sdl", "// Only this.\nconst N = 2\n");
        let parsed = super::super::parse(&sources, file);
        let page = page(&sources, file, &parsed);
        assert_eq!(page.about, "");
        assert_eq!(page.items[0].about, "Only this.");
    }
}
