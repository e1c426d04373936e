//! One document, as it is at one moment: what is answered from it alone.

use std::path::Path;

use serde_json::{Value, json};

use super::documents::{Document, plain};
use super::places::{Places, object};
use super::{convert, uri};
use crate::editor::Model;
use crate::editor::complete::complete;
use crate::editor::signature::signature;
use crate::editor::tokens::tokens;
use crate::source::Span;
use crate::syntax;

/// A model with its places.
pub struct View {
    /// The model.
    pub model: Model,
    /// Where things are.
    pub places: Places,
    /// The document that is its main file.
    pub document: Document,
}

impl View {
    pub fn completion(&self, offset: usize) -> Value {
        let (range, items) = complete(&self.model, offset);
        let span = Span::new(self.model.shown, range.start, range.end);
        let range = self.places.range(span);
        let items = items.iter().map(|item| {
            let edit = [
                ("range", json!(range)),
                ("newText", item.snippet.as_str().into()),
            ];
            object([
                ("label", item.label.as_str().into()),
                ("kind", convert::item_kind(item.kind).into()),
                ("detail", item.detail.as_str().into()),
                ("sortText", format!("{}{}", item.rank, item.label).into()),
                ("insertTextFormat", 2.into()),
                ("textEdit", object(edit)),
            ])
        });
        object([("isIncomplete", false.into()), ("items", items.collect())])
    }

    pub fn signature(&self, offset: usize) -> Value {
        let Some(found) = signature(&self.model, offset) else {
            return Value::Null;
        };
        let parameters = found
            .parameters
            .iter()
            .map(|label| json!({ "label": label }));
        json!({
            "signatures": [{
                "label": found.label,
                "documentation": { "kind": "markdown", "value": found.about },
                "parameters": parameters.collect::<Vec<_>>(),
            }],
            "activeSignature": 0,
            "activeParameter": found.active,
        })
    }

    pub fn definition(&self, offset: usize) -> Value {
        // The path of an import leads to the file.
        let imports = self.model.parsed().file.decls.iter();
        for decl in imports {
            let syntax::ast::DeclKind::Import(import) = &decl.kind else {
                continue;
            };
            if import.path.span.range().contains(&offset) {
                let here = uri::path(&self.document.uri);
                let folder = here.parent().unwrap_or(Path::new(""));
                let file = self.places.file(&plain(&folder.join(&import.path.text)));
                let location = file.and_then(|file| self.places.location(Span::new(file, 0, 0)));
                return json!(location);
            }
        }
        let Some((id, _)) = self.model.named_at(offset) else {
            return Value::Null;
        };
        json!(self.places.location(self.model.definition(id).span))
    }

    pub fn highlights(&self, offset: usize) -> Value {
        let Some((id, _)) = self.model.named_at(offset) else {
            return Value::Null;
        };
        let main = self.model.shown;
        let writes = |span: Span| {
            let uses = self.model.index.uses_in(main).iter();
            let mut here = uses.filter(|used| used.span == span);
            here.any(|used| used.writes) || span == self.model.definition(id).span
        };
        let spans = self.model.references(id, true).into_iter();
        let all = spans.filter(|span| span.file == main).filter_map(|span| {
            let range = self.places.range(span)?;
            Some(json!({ "range": range, "kind": if writes(span) { 3 } else { 2 } }))
        });
        all.collect()
    }

    pub fn tokens(&self) -> Value {
        let main = self.model.shown;
        let mut data: Vec<Value> = Vec::new();
        let mut before = (0, 0);
        for token in tokens(&self.model) {
            let start = self.places.position(main, token.span.start as usize);
            let end = self.places.position(main, token.span.end as usize);
            let (Some(start), Some(end)) = (start, end) else {
                continue;
            };
            if start.line != end.line {
                continue;
            }
            let (line, column) = before;
            let from = match start.line == line {
                true => start.character - column,
                false => start.character,
            };
            let (kind, bits) = convert::token(&token);
            let numbers = [
                start.line - line,
                from,
                end.character - start.character,
                kind,
            ];
            data.extend(numbers.map(Value::from));
            data.push(bits.into());
            before = (start.line, start.character);
        }
        object([("data", data.into())])
    }
}
