//! A line of a terminal as cells, each a character with its tone.

use unicode_width::UnicodeWidthChar;

use super::Tone;
use crate::report::Style;
use crate::source::printable;

/// A line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// `None` is the right half of a wide character.
    cells: Vec<(Option<char>, Tone)>,
}

impl Line {
    /// Puts one character at a column.
    pub fn set(&mut self, column: usize, character: char, tone: Tone) {
        if self.cells.len() <= column {
            self.cells.resize(column + 1, (Some(' '), Tone::Plain));
        }
        self.cells[column] = (Some(character), tone);
    }

    /// Puts a text at a column, and says where it ends.
    pub fn put(&mut self, column: usize, text: &str, tone: Tone) -> usize {
        let mut at = column;
        for c in printable(text).chars() {
            match c.width().unwrap_or(0) {
                // What joins the character before it would need room of its own here.
                0 => {}
                1 => {
                    self.set(at, c, tone);
                    at += 1;
                }
                _ => {
                    self.set(at, c, tone);
                    self.set(at + 1, ' ', tone);
                    self.cells[at + 1].0 = None;
                    at += 2;
                }
            }
        }
        at
    }

    /// The line as text, without spaces at its end.
    pub fn paint(&self, style: Style) -> String {
        let end = self.cells.iter().rposition(|(c, _)| *c != Some(' '));
        let cells = &self.cells[..end.map_or(0, |end| end + 1)];
        let mut out = String::new();
        for run in cells.chunk_by(|a, b| a.1 == b.1) {
            let text: String = run.iter().filter_map(|(c, _)| *c).collect();
            // A colour for spaces only would be for nobody.
            match text.trim().is_empty() {
                true => out += &text,
                false => out += &style.tone(run[0].1, &text),
            }
        }
        out.push('\n');
        out
    }
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    let text = printable(text);
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// A text cut to some columns, with a sign that it was.
pub fn cut(text: &str, columns: usize, sign: &str) -> String {
    if width(text) <= columns {
        return printable(text);
    }
    let room = columns.saturating_sub(width(sign));
    let mut out = String::new();
    for c in printable(text).chars() {
        if width(&out) + c.width().unwrap_or(0) > room {
            break;
        }
        out.push(c);
    }
    out + sign
}

/// The same for names, of which the end tells more: `…orker[12]`.
pub fn cut_start(text: &str, columns: usize, sign: &str) -> String {
    if width(text) <= columns {
        return printable(text);
    }
    let backwards: String = printable(text).chars().rev().collect();
    let kept = cut(&backwards, columns.saturating_sub(width(sign)), "");
    let kept: String = kept.chars().rev().collect();
    format!("{sign}{kept}")
}

/// A text in lines of at most so many columns, broken at spaces if possible; more than `most` lines are cut.
pub fn wrap(text: &str, columns: usize, most: usize, sign: &str) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines: Vec<String> = vec![String::new()];
    for word in printable(text).split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let last = lines.last_mut().expect("there is one");
            let gap = usize::from(!last.is_empty());
            if width(last) + gap + width(&word) <= columns {
                if gap == 1 {
                    last.push(' ');
                }
                *last += &word;
                break;
            }
            if !last.is_empty() {
                lines.push(String::new());
                continue;
            }
            // A word longer than a line.
            let head = cut(&word, columns, "");
            if head.is_empty() {
                break;
            }
            word = word[head.len()..].to_owned();
            *last = head;
            lines.push(String::new());
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        let last = lines.last_mut().expect("there is one");
        *last = cut(last, columns.saturating_sub(width(sign)), "") + sign;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_to_their_columns() {
        assert_eq!(
            wrap("times out, untimely", 10, 4, "…"),
            ["times out,", "untimely"]
        );
        assert_eq!(wrap("abcdefghij", 4, 4, "…"), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("a b c d e", 1, 2, "…"), ["a", "…"]);
        assert_eq!(wrap("", 5, 2, "…"), [""]);
        assert_eq!(cut("worker[12]", 7, "…"), "worker…");
        assert_eq!(cut_start("worker[12]", 7, "…"), "…er[12]");
        assert_eq!(width("日本"), 4);
        for columns in 1..12 {
            for line in wrap("日本語 a long\u{1b}[31m word and some", columns, 9, "~") {
                // A wide character has no place in a narrow column.
                assert!(width(&line) <= columns, "{line:?} in {columns}");
                assert!(!line.contains('\u{1b}'));
            }
        }
    }

    #[test]
    fn a_wide_character_takes_two_cells() {
        let mut line = Line::default();
        let end = line.put(1, "日x", Tone::Plain);
        assert_eq!(end, 4);
        line.set(4, '|', Tone::Plain);
        assert_eq!(line.paint(Style::plain()), " 日x|\n");
    }
}
