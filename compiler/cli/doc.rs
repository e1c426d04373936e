//! `sandalc doc`: what a module of the library, or a file, says about itself.

use std::path::Path;

use serde_json::json;

use super::Exit;
use super::args::{Doc, Format};
use super::files;
use super::shell::Shell;
use crate::diagnostic::did_you_mean;
use crate::load::{self, library};
use crate::source::{FileId, Sources, printable, visible};
use crate::syntax;
use crate::syntax::doc::{Item, Page, page};

/// Prints the page of a module or file, or the list of the library's modules.
pub fn run(args: &Doc, shell: &mut Shell) -> Exit {
    let mut sources = Sources::new();
    let wanted = args.name.as_deref().map(Path::to_string_lossy);
    let Some(name) = wanted.filter(|name| name.trim_end_matches('/') != "std") else {
        return list(shell);
    };
    let file = match name.strip_prefix(library::PREFIX) {
        Some(module) => match library::find(module) {
            Some(text) => sources.add(name.as_ref(), text),
            None => return unknown(module, shell),
        },
        None => {
            let path = Path::new(name.as_ref());
            let bytes = match files::read(path) {
                Ok(bytes) => bytes,
                // `sandalc doc link` probably means the library's.
                Err(_) if library::find(&name).is_some() => {
                    let text = format!("there is no file `{name}`");
                    let hint = format!("run `sandalc doc {}{name}`", library::PREFIX);
                    shell.complain(&text, None, Some(&hint));
                    return Exit::BadInput;
                }
                Err(failure) => {
                    shell.fail("read", &failure);
                    return Exit::BadInput;
                }
            };
            let (file, bad) = load::add(&mut sources, files::display(path), bytes);
            if let Some(bad) = bad {
                shell.report(&[bad], &sources);
                return Exit::BadInput;
            }
            file
        }
    };
    let parsed = syntax::parse(&sources, file);
    if !parsed.diagnostics.is_empty() {
        shell.report(&parsed.diagnostics, &sources);
        return Exit::BadInput;
    }
    let page = page(&sources, file, &parsed);
    let text = match shell.format() {
        Format::Json => format!("{}\n", object(&sources, file, &page)),
        Format::Text => text(&sources.file(file).path, &page, shell),
    };
    shell.print(&text);
    shell.done()
}

/// The library's modules, each with the first sentence of what it says about itself.
fn list(shell: &mut Shell) -> Exit {
    let width = library::MODULES.iter().map(|(name, _)| name.len());
    let width = width.max().unwrap_or(0);
    let mut modules = Vec::new();
    let mut lines = String::new();
    for (name, text) in library::MODULES {
        let mut sources = Sources::new();
        let path = format!("{}{name}", library::PREFIX);
        let file = sources.add(path.as_str(), *text);
        let parsed = syntax::parse(&sources, file);
        let about = first_sentence(&page(&sources, file, &parsed).about);
        let padding = " ".repeat(width - name.len());
        lines += &format!("{}{padding}  {about}\n", shell.bold(&path));
        modules.push(json!({ "name": path, "about": about }));
    }
    let text = match shell.format() {
        Format::Json => format!("{}\n", json!({ "format": 1, "modules": modules })),
        Format::Text => lines + "\nRead more with `sandalc doc std/NAME`.\n",
    };
    shell.print(&text);
    shell.done()
}

fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or("").replace('\n', " ");
    match paragraph.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => paragraph,
    }
}

fn unknown(module: &str, shell: &mut Shell) -> Exit {
    let names = library::MODULES.iter().map(|(name, _)| *name);
    let hint = match did_you_mean(module, names) {
        Some(near) => format!("run `sandalc doc {}{near}`", library::PREFIX),
        None => "run `sandalc doc` for the list of all modules".to_owned(),
    };
    let text = format!("the library has no module `{}`", printable(module));
    shell.complain(&text, None, Some(&hint));
    Exit::BadInput
}

fn text(name: &str, page: &Page, shell: &Shell) -> String {
    let mut text = format!("{}\n", shell.bold(&printable(name)));
    if !page.about.is_empty() {
        text += &format!("\n{}\n", clean(&page.about));
    }
    for item in &page.items {
        text += &format!("\n{}\n", shell.bold(&clean(&item.signature)));
        for line in clean(&item.about).lines() {
            text += match line.is_empty() {
                true => "\n".to_owned(),
                false => format!("    {line}\n"),
            }
            .as_str();
        }
        text += &parts(item);
    }
    if page.items.is_empty() {
        text += "\nIt defines nothing that others can use.\n";
    }
    text
}

/// A text of several lines without unprintable characters.
fn clean(text: &str) -> String {
    let kept = |c: char| matches!(c, '\n' | '\t');
    (text.chars())
        .map(|c| if kept(c) { c } else { visible(c) })
        .collect()
}

/// What an instance of a module consists of, so that faults can be put there.
fn parts(item: &Item) -> String {
    if item.parts.is_empty() {
        return String::new();
    }
    let width = item.parts.iter().map(|(name, _)| name.chars().count());
    let width = width.max().unwrap_or(0);
    let mut text = "    Consists of:\n".to_owned();
    for (name, what) in &item.parts {
        let padding = " ".repeat(width - name.chars().count());
        text += &format!("        {name}{padding}  {what}\n");
    }
    text
}

fn object(sources: &Sources, file: FileId, page: &Page) -> serde_json::Value {
    let items: Vec<_> = page
        .items
        .iter()
        .map(|item| {
            let parts: Vec<_> = item
                .parts
                .iter()
                .map(|(name, what)| json!({ "name": name, "is": what }))
                .collect();
            json!({
                "kind": item.kind,
                "name": item.name,
                "signature": item.signature,
                "about": item.about,
                "line": sources.line(item.span),
                "parts": parts,
            })
        })
        .collect();
    json!({
        "format": 1,
        "file": sources.file(file).path,
        "about": page.about,
        "items": items,
    })
}
