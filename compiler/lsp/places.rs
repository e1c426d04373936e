//! Spans as ranges of the protocol, and back.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::documents::{Documents, plain};
use super::position::{Encoding, Lines, Position};
use super::uri;
use crate::load::Loaded;
use crate::source::{FileId, Sources, Span};

/// A place as the protocol writes it.
pub fn position_of(value: &Value) -> Option<Position> {
    let number = |key: &str| value.get(key)?.as_u64().map(|n| n as usize);
    Some(Position {
        line: number("line")?,
        character: number("character")?,
    })
}

/// A range as the protocol writes it.
pub fn range_of(value: &Value) -> Option<(Position, Position)> {
    let start = position_of(value.get("start")?)?;
    let end = position_of(value.get("end")?)?;
    Some((start, end))
}

/// A place, to be sent.
pub fn position(position: Position) -> Value {
    object([
        ("line", position.line.into()),
        ("character", position.character.into()),
    ])
}

/// An object of these parts, which `json!` would copy.
pub fn object<const N: usize>(parts: [(&str, Value); N]) -> Value {
    let parts = parts
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value));
    Value::Object(parts.collect())
}

/// The texts of a model, with what is needed to say where something is.
pub struct Places {
    encoding: Encoding,
    files: FxHashMap<FileId, Place>,
}

struct Place {
    uri: String,
    lines: Lines,
    text: String,
    /// The line of the last place that was asked for: the next is often in it, or in one of the next.
    last: Cell<usize>,
    /// Whether the text in the editor begins with a byte order mark, which the compiler does not see.
    mark: bool,
}

impl Places {
    /// The places of a model.
    pub fn new(
        sources: &Sources,
        loaded: &Loaded,
        documents: &Documents,
        encoding: Encoding,
    ) -> Places {
        let mut files = FxHashMap::default();
        for module in loaded.modules() {
            // The library is in no file.
            let Some(path) = &module.path else { continue };
            let path = plain(path);
            let text = &sources.file(module.id).text;
            let open = documents.open.get(&path);
            let place = Place {
                uri: open.map_or_else(|| uri::of(&path), |document| document.uri.clone()),
                mark: open.is_some_and(|document| document.text.starts_with('\u{feff}')),
                lines: Lines::new(text),
                text: text.clone(),
                last: Cell::new(0),
            };
            files.insert(module.id, place);
        }
        Places { encoding, files }
    }

    /// Where a byte of a file is.
    pub fn position(&self, file: FileId, offset: usize) -> Option<Position> {
        let place = self.files.get(&file)?;
        let line = place
            .lines
            .line(offset.min(place.text.len()), place.last.get());
        place.last.set(line);
        let mut position = (place.lines).position_in(line, &place.text, offset, self.encoding);
        if place.mark && position.line == 0 {
            position.character += self.mark();
        }
        Some(position)
    }

    /// The byte at a place.
    pub fn offset(&self, file: FileId, mut position: Position) -> Option<usize> {
        let place = self.files.get(&file)?;
        if place.mark && position.line == 0 {
            position.character = position.character.saturating_sub(self.mark());
        }
        Some(place.lines.offset(&place.text, position, self.encoding))
    }

    fn mark(&self) -> usize {
        match self.encoding {
            Encoding::Utf8 => 3,
            Encoding::Utf16 | Encoding::Utf32 => 1,
        }
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Option<Value> {
        let start = self.position(span.file, span.start as usize)?;
        let end = self.position(span.file, span.end as usize)?;
        Some(object([("start", position(start)), ("end", position(end))]))
    }

    /// The address of a file.
    pub fn uri(&self, file: FileId) -> Option<&str> {
        self.files.get(&file).map(|place| place.uri.as_str())
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> Option<PathBuf> {
        self.uri(file).map(uri::path)
    }

    /// Address and range of a span.
    pub fn location(&self, span: Span) -> Option<Value> {
        let uri = self.uri(span.file)?;
        Some(object([("uri", uri.into()), ("range", self.range(span)?)]))
    }

    /// The file with a path.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let mut files = self.files.iter();
        let found = files.find(|(_, place)| uri::path(&place.uri) == path);
        found.map(|(file, _)| *file)
    }
}
