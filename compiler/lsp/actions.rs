//! Edits: quick fixes and other names.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::checker;
use super::convert;
use super::documents::{Document, Documents, plain};
use super::places::{Places, position, range_of};
use super::position::{Encoding, Lines};
use super::workspace::Root;
use crate::editor::fix::{self, Fix};
use crate::editor::rename;
use crate::editor::{Model, index::DefId};
use crate::source::Span;

/// At most so many edits are tried for one request: each means checking the model again.
const MOST_TRIES: usize = 24;

/// The quick fixes for the messages that touch a range of a document.
pub fn fixes(
    document: &Document,
    root: &Root,
    documents: &Documents,
    range: &Value,
    encoding: Encoding,
) -> Vec<Value> {
    let Some((start, end)) = range_of(range) else {
        return Vec::new();
    };
    let Some(checked) = checker::check(root, documents) else {
        return Vec::new();
    };
    let places = Places::new(&checked.sources, &checked.loaded, documents, encoding);
    let scenario = checked.loaded.scenarios.first();
    let file = scenario.unwrap_or(&checked.loaded.main).id;
    let (Some(start), Some(end)) = (places.offset(file, start), places.offset(file, end)) else {
        return Vec::new();
    };
    let text = &checked.sources.file(file).text;
    let path = plain(&super::uri::path(&document.uri));
    let mut tries = 0;
    let mut actions = Vec::new();
    for diagnostic in &checked.diagnostics {
        let place = diagnostic.primary.span;
        let touches = place.start as usize <= end && start <= place.end as usize;
        if place.file != file || !touches {
            continue;
        }
        let mends = |fix: &&Fix| {
            tries += 1;
            if tries > MOST_TRIES {
                return false;
            }
            let new = rename::edited(text, vec![(fix.range.clone(), fix.new.clone())]);
            let mut after = documents.clone();
            if let Some(document) = after.open.get_mut(&path) {
                document.text = std::sync::Arc::new(new);
            }
            checker::check(root, &after).is_some_and(|after| {
                fix::mends(diagnostic, &checked.diagnostics, &after.diagnostics)
            })
        };
        let candidates = fix::candidates(diagnostic, &checked.sources);
        let Some(found) = candidates.iter().find(mends) else {
            continue;
        };
        let span = Span::new(file, found.range.start, found.range.end);
        let Some(range) = places.range(span) else {
            continue;
        };
        let said = convert::diagnostic(diagnostic, &places).map(|(_, message)| message);
        let edit = json!({ "range": range, "newText": found.new });
        actions.push(json!({
            "title": found.title,
            "kind": "quickfix",
            "diagnostics": said.into_iter().collect::<Vec<_>>(),
            "isPreferred": true,
            "edit": { "changes": { document.uri.clone(): [edit] } },
        }));
    }
    actions
}

/// The edits that give a definition another name, in all models of the workspace that know it.
///
/// # Errors
/// Why it cannot be called so.
pub fn rename(
    models: &[Model],
    target: (&Path, std::ops::Range<usize>),
    name: &str,
    documents: &Documents,
    encoding: Encoding,
) -> Result<Value, String> {
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for model in models {
        let Some(id) = same_definition(model, &target) else {
            continue;
        };
        let spans = rename::rename(model, id, name, documents);
        let spans = spans.map_err(|refused| refused.reason(name))?;
        let places = Places::new(&model.sources, &model.loaded, documents, encoding);
        for span in spans {
            let (Some(uri), Some(range)) = (places.uri(span.file), places.range(span)) else {
                continue;
            };
            let edit = json!({ "range": range, "newText": name });
            let edits = changes.entry(uri.to_owned()).or_default();
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
    }
    Ok(json!({ "changes": changes }))
}

/// The definition whose name stands at a place of a file.
pub fn same_definition(model: &Model, target: &(&Path, std::ops::Range<usize>)) -> Option<DefId> {
    let mut modules = model.loaded.modules();
    let module = modules.find(|module| {
        let path = module.path.as_deref().map(super::documents::plain);
        path.as_deref() == Some(target.0)
    })?;
    let mut all = model.index.of_file(module.id);
    let found = all.find(|(_, definition)| definition.span.range() == target.1);
    found.map(|(id, _)| id)
}

/// The edits that make one text of another: the lines that differ, as one edit.
pub fn difference(old: &str, new: &str, encoding: Encoding) -> Vec<Value> {
    if old == new {
        return Vec::new();
    }
    let same = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let start = old[..floor(old, same)].rfind('\n').map_or(0, |at| at + 1);
    let rest = old.len().min(new.len()) - start;
    let back = old.bytes().rev().zip(new.bytes().rev()).take(rest);
    let back = back.take_while(|(a, b)| a == b).count();
    // Up to a line end, which both have.
    let tail = &old[ceil(old, old.len() - back)..];
    let kept = tail.find('\n').map_or(0, |at| tail.len() - at - 1);
    let lines = Lines::new(old);
    let at = |offset: usize| position(lines.position(old, offset, encoding));
    let range = json!({ "start": at(start), "end": at(old.len() - kept) });
    vec![json!({ "range": range, "newText": new[start..new.len() - kept] })]
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
