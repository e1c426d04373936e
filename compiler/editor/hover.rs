//! What is to be known about a name or marker.

use super::index::{DefId, Definition, Kind, Ty};
use super::{Model, word_at};
use crate::program::fault::{FaultKind, Takes};
use crate::source::{FileId, Span};
use crate::syntax::doc;
use crate::vocabulary::thousands;

/// Declarations with more lines are cut off.
const MOST_LINES: usize = 12;

/// What is to be said about a place of the main file, in Markdown, and what exactly it is about.
pub fn hover(model: &Model, offset: usize) -> Option<(Span, String)> {
    if let Some((id, span)) = model.named_at(offset) {
        return Some((span, describe(model, id)));
    }
    let text = model.text();
    let word = word_at(text, offset);
    let span = Span::new(model.shown, word.start, word.end);
    let name = &text[word.clone()];
    if text[..word.start].ends_with('@') {
        let fault = model.faults.iter().find(|kind| kind.is_called(name))?;
        return Some((span, describe_fault(fault, name)));
    }
    let meaning = super::complete::meaning(name)?;
    Some((span, format!("`{name}`: {meaning}")))
}

/// What a definition is.
pub fn describe(model: &Model, id: DefId) -> String {
    let definition = model.definition(id);
    let mut lines = vec![format!("```sdl\n{}\n```", head(model, definition))];
    let owner = definition.owner.map(|owner| &model.index[owner]);
    let said = match (definition.kind, owner) {
        (Kind::Variable | Kind::Parameter | Kind::Counter | Kind::Field, Some(owner)) => {
            let word = owner.kind.word();
            Some(format!(
                "{} of {word} `{}`",
                definition.kind.word(),
                owner.name
            ))
        }
        (Kind::Constructor, Some(owner)) => Some(format!("constructor of `{}`", owner.name)),
        (Kind::FaultName, _) => Some("name of a fault".to_owned()),
        _ => None,
    };
    let range = values(model, definition);
    let said: Vec<String> = said.into_iter().chain(range).collect();
    if !said.is_empty() {
        lines.push(said.join(", "));
    }
    let about = about(model, definition.span.file, definition.span);
    lines.extend(Some(about).filter(|about| !about.is_empty()));
    if let Some(callee) = definition.callee {
        let callee = &model.index[callee];
        lines.push(format!("```sdl\n{}\n```", head(model, callee)));
    }
    lines.join("\n\n")
}

/// The declaration without its body, and without the indentation that all its lines have.
pub fn head(model: &Model, definition: &Definition) -> String {
    if definition.kind == Kind::Label {
        return format!("{}:", definition.name);
    }
    let text = model.sources.slice(definition.head).trim_end();
    let all: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let rest = all.iter().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(|line| indent(line)).min().unwrap_or(0);
    let mut lines: Vec<&str> = Vec::new();
    for (i, line) in all.iter().enumerate().take(MOST_LINES) {
        lines.push(if i == 0 {
            line
        } else {
            line.get(common..).unwrap_or("")
        });
    }
    if all.len() > MOST_LINES {
        lines.push("..");
    }
    let text = lines.join("\n");
    match definition.kind {
        // Their declaration may be any `const` statement, `for` or pattern.
        Kind::Counter => format!("for {text}"),
        _ => text,
    }
}

/// How many values there are, if that is not plain from the declaration.
fn values(model: &Model, definition: &Definition) -> Option<String> {
    if let Some(value) = definition.value {
        return Some(format!("value {value}"));
    }
    if matches!(
        definition.kind,
        Kind::Const | Kind::Func | Kind::Constructor
    ) {
        return None;
    }
    let ty = model.index.plain(&definition.ty);
    match &ty {
        Ty::Named(id) => {
            let ty = &model.index[*id];
            Some(format!("of {} `{}`", ty.kind.word(), ty.name))
        }
        Ty::Channel(..) | Ty::Unknown | Ty::Process => None,
        _ => {
            let (lo, hi) = definition.ty.range(&model.index)?;
            let count = hi.checked_sub(lo)?.checked_add(1)?;
            let count = thousands(u64::try_from(count).ok()?);
            Some(format!("range {lo}..{hi}, {count} values"))
        }
    }
}

/// The comment above a definition of the top level.
fn about(model: &Model, file: FileId, span: Span) -> String {
    let module = model.loaded.modules().find(|module| module.id == file);
    let Some(module) = module else {
        return String::new();
    };
    let page = doc::page(&model.sources, file, &module.parsed);
    let item = page.items.into_iter().find(|item| item.span == span);
    item.map_or_else(String::new, |item| item.about)
}

/// What a marker does, from the table of faults.
pub fn describe_fault(fault: &FaultKind, written: &str) -> String {
    let mut text = format!(
        "```sdl\n@{written}\n```\n\nmarks {}: {}",
        fault.marks.as_str(),
        fault.does
    );
    if written != fault.name {
        text += &format!("\n\nthe same as `@{}`", fault.name);
    }
    let warning = fault.aliases.iter().find(|alias| alias.name == written);
    if let Some(warning) = warning.and_then(|alias| alias.warning) {
        text += &format!("\n\n{warning}");
    }
    text += match fault.takes {
        Takes::Nothing => "",
        Takes::Losses => "\n\n`loses = [x]`: the durable variables that do not survive it",
        Takes::Variable(about) if about.at => "\n\ntakes a variable of the process, and `at = v`",
        Takes::Variable(_) => "\n\ntakes a variable of the process",
        Takes::Arguments => "\n\ntakes the arguments of its definition",
    };
    text + "\n\n`max = k` bounds how often it happens in a run"
}
