//! Lines and columns as the protocol counts them: from 0, columns in UTF-16 code units unless something else was agreed on.

/// How columns are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// In bytes.
    Utf8,
    /// In 16-bit units: what every client knows.
    #[default]
    Utf16,
    /// In characters.
    Utf32,
}

impl Encoding {
    /// As the protocol calls it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line, from 0.
    pub line: usize,
    /// The column, from 0.
    pub character: usize,
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`, as the protocol says.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                starts.push(at as u32 + 1);
            }
        }
        Lines { starts }
    }

    /// The line of a byte, looked for first in a line and those after it.
    pub fn line(&self, offset: usize, near: usize) -> usize {
        let begins = |line: usize| self.starts.get(line).map(|start| *start as usize);
        for line in near..near + 4 {
            let from = begins(line).is_some_and(|start| start <= offset);
            if from && begins(line + 1).is_none_or(|end| offset < end) {
                return line;
            }
        }
        let after = |start: &u32| *start as usize <= offset;
        self.starts.partition_point(after) - 1
    }

    /// The place of a byte.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let line = self.line(offset.min(text.len()), 0);
        self.position_in(line, text, offset, encoding)
    }

    /// The place of a byte whose line is known.
    pub fn position_in(
        &self,
        line: usize,
        text: &str,
        offset: usize,
        encoding: Encoding,
    ) -> Position {
        let offset = offset.min(text.len());
        let before = text.get(self.starts[line] as usize..offset).unwrap_or("");
        let character = match before.is_ascii() {
            true => before.len(),
            false => before.chars().map(|c| encoding.units(c)).sum(),
        };
        Position { line, character }
    }

    /// The byte of a place. Behind the end of a line is its end, behind the last line the end of the text; the middle of a
    /// character is its beginning.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let Some(start) = self.starts.get(position.line) else {
            return text.len();
        };
        let start = *start as usize;
        let end = self.starts.get(position.line + 1);
        let end = end.map_or(text.len(), |end| *end as usize);
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            column += encoding.units(c);
            if column > position.character {
                return start + at;
            }
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_and_found_again_in_every_encoding() {
        let text = "a\tb\r\né\u{301} 😀x\rlast\n\n";
        let lines = Lines::new(text);
        assert_eq!(lines.starts.len(), 5);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, c) in text.char_indices().chain([(text.len(), ' ')]) {
                let position = lines.position(text, offset, encoding);
                let found = lines.offset(text, position, encoding);
                // Between `\r` and `\n` there is no place.
                if c != '\n' || !text[..offset].ends_with('\r') {
                    assert_eq!(found, offset, "{encoding:?} {position:?}");
                }
            }
        }
        for offset in 0..=text.len() {
            let line = lines.line(offset, 0);
            assert!(
                (0..6).all(|near| lines.line(offset, near) == line),
                "{offset}"
            );
        }
        let x = text.find('x').expect("there is one");
        let at = |encoding| lines.position(text, x, encoding).character;
        assert_eq!(at(Encoding::Utf8), 2 + 2 + 1 + 4);
        assert_eq!(at(Encoding::Utf16), 1 + 1 + 1 + 2);
        assert_eq!(at(Encoding::Utf32), 1 + 1 + 1 + 1);
        let middle = Position {
            line: 1,
            character: 4,
        };
        assert_eq!(lines.offset(text, middle, Encoding::Utf16), x - 4);
        let far = Position {
            line: 0,
            character: 99,
        };
        assert_eq!(lines.offset(text, far, Encoding::Utf16), 3);
        let below = Position {
            line: 99,
            character: 0,
        };
        assert_eq!(lines.offset(text, below, Encoding::Utf16), text.len());
    }
}
