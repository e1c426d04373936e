//! Source texts and places in them.
//!
//! Every later stage speaks of places as [`Span`]s; only [`Sources`] knows paths, lines and columns.

use std::fmt;

/// A file held by [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A byte range of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        // `Sources::add` refuses files of 4 GiB and more.
        Span {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that covers both; they must be of one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span right after this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// The byte range, for slicing the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A line and a column, both from 1; columns count Unicode scalar values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in Unicode scalar values, from 1.
    pub column: usize,
}

/// One source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user wrote it.
    pub path: String,
    /// The text.
    pub text: String,
    line_starts: Vec<u32>,
    /// How many characters begin before each [`BLOCK`] of bytes: a line may be the whole file, and places in it are
    /// asked for often.
    chars_before: Vec<u32>,
}

/// How many bytes are counted at a time.
const BLOCK: usize = 1024;

/// How many characters begin in these bytes of UTF-8.
fn chars_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// All source texts of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the path the user will see.
    ///
    /// # Panics
    /// If the text has 4 GiB or more; the command line refuses such files before.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        assert!(
            u32::try_from(text.len()).is_ok(),
            "a source text has less than 4 GiB"
        );
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|(_, b)| *b == b'\n')
                    .map(|(i, _)| i as u32 + 1),
            )
            .collect();
        let mut chars_before = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            let so_far = chars_before[chars_before.len() - 1];
            chars_before.push(so_far + chars_in(block) as u32);
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.into(),
            text,
            line_starts,
            chars_before,
        });
        id
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        &self.file(span.file).text[span.range()]
    }

    /// Where a span begins.
    pub fn position(&self, span: Span) -> Position {
        self.file(span.file).position(span.start as usize)
    }

    /// The line (from 1) on which a span begins.
    pub fn line(&self, span: Span) -> usize {
        self.file(span.file).line(span.start as usize)
    }

    /// `path:line`, as traces and comments name places.
    pub fn place(&self, span: Span) -> String {
        let path = printable(&self.file(span.file).path);
        format!("{path}:{}", self.line(span))
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }
}

impl SourceFile {
    /// The line (from 1) of a byte offset.
    pub fn line(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|start| *start as usize <= offset)
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let start = self.line_starts[line - 1] as usize;
        let column = self.chars_before(offset) - self.chars_before(start) + 1;
        Position { line, column }
    }

    /// How many characters begin before a byte offset.
    fn chars_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let block = offset / BLOCK;
        self.chars_before[block] as usize + chars_in(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// The byte range of a line (from 1), with its line end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts[line - 1] as usize;
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |next| *next as usize);
        start..end
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// Whether a character would upset a terminal or deceive its reader: control characters, those that change the direction
/// of writing, and those that cannot be seen.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The character itself, or a visible stand-in of an unprintable one.
pub fn visible(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        c if is_unprintable(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// A text of the user on one line, without unprintable characters.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\t' { ' ' } else { visible(c) })
        .collect()
}

/// JSON in which unprintable characters are escapes; they only occur in its strings.
pub fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_unprintable(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_however_long_the_line() {
        let text = "é".repeat(5000) + "\nab\n" + &"x".repeat(3000);
        let mut sources = Sources::new();
        let id = sources.add("long.sdl", text.clone());
        let file = sources.file(id);
        for (offset, _) in text.char_indices().step_by(7).chain([(text.len(), ' ')]) {
            let line_start = text[..offset].rfind('\n').map_or(0, |i| i + 1);
            let line = text[..offset].matches('\n').count() + 1;
            let column = text[line_start..offset].chars().count() + 1;
            assert_eq!(file.position(offset), Position { line, column });
        }
    }
}
