//! The messages that a model expects, written in the model as comments.
//!
//! ```text
//!     send(ch2, true)
//! //       ^^^ error[S0301]: unknown channel `ch2`
//! ```
//!
//! `tests/fixtures/README.md` describes the notation.

use std::fmt::Write;

use sandalc::diagnostic::Diagnostic;
use sandalc::source::{SourceFile, Sources};

/// A message, as expected or as it came.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Message {
    /// Where it is said.
    pub place: Place,
    /// `error[S0301]: headline`
    pub text: String,
}

/// Where a message is said.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Columns (from 1, the second one past the end) of a line.
    Columns(usize, usize, usize),
    /// After the last line of the model.
    End,
    /// In another file: `path:line:column`.
    Elsewhere(String),
}

/// The messages that a text expects.
pub fn expected(text: &str) -> Vec<Message> {
    let mut found = Vec::new();
    let mut line = 0;
    for (index, content) in text.lines().enumerate() {
        match parse(content) {
            Some((columns, words)) => {
                let place = match columns {
                    Written::Columns(from, to) => Place::Columns(line, from, to),
                    Written::End => Place::End,
                    Written::Elsewhere(place) => Place::Elsewhere(place),
                };
                found.push(Message {
                    place,
                    text: words.to_owned(),
                });
            }
            None => line = index + 1,
        }
    }
    found.sort();
    found
}

/// The messages that came, as they would be expected in the file `path`.
pub fn came(diagnostics: &[Diagnostic], sources: &Sources, path: &str) -> Vec<Message> {
    let mut found: Vec<Message> = diagnostics
        .iter()
        .map(|diagnostic| Message {
            place: place(diagnostic, sources, path),
            text: format!(
                "{}[{}]: {}",
                diagnostic.severity.as_str(),
                diagnostic.code,
                diagnostic.message
            ),
        })
        .collect();
    found.sort();
    found
}

fn place(diagnostic: &Diagnostic, sources: &Sources, path: &str) -> Place {
    let span = diagnostic.primary.span;
    let file = sources.file(span.file);
    let start = file.position(span.start as usize);
    if file.path != path {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        return Place::Elsewhere(format!("{name}:{}:{}", start.line, start.column));
    }
    if start.line > last_line(file) {
        return Place::End;
    }
    let line = &file.text[file.line_range(start.line)];
    let line = line.trim_end_matches(['\n', '\r']);
    let end = file.position(span.end as usize);
    let end = if end.line == start.line {
        end.column
    } else {
        line.chars().count() + 1
    };
    Place::Columns(start.line, start.column, end.max(start.column + 1))
}

/// The last line that belongs to the model: neither empty nor an expectation.
fn last_line(file: &SourceFile) -> usize {
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && parse(line).is_none())
        .last()
        .map_or(0, |(index, _)| index + 1)
}

/// What is different, in words; nothing if the messages are the expected ones.
pub fn difference(expected: &[Message], came: &[Message]) -> Option<String> {
    let mut words = String::new();
    let mut missing = expected.to_vec();
    let mut surplus = Vec::new();
    for message in came {
        match missing.iter().position(|other| other == message) {
            Some(index) => {
                missing.remove(index);
            }
            None => surplus.push(message),
        }
    }
    for message in &missing {
        let _ = writeln!(words, "  expected, but did not come: {message}");
    }
    for message in surplus {
        let _ = writeln!(words, "  came, but was not expected: {message}");
    }
    (!words.is_empty()).then_some(words)
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.place {
            Place::Columns(line, from, to) => write!(f, "{line}:{from}-{to} {}", self.text),
            Place::End => write!(f, "end {}", self.text),
            Place::Elsewhere(place) => write!(f, "{place} {}", self.text),
        }
    }
}

/// The text with these messages as its expectations, in place of those it had.
pub fn bless(text: &str, came: &[Message]) -> String {
    let mut blessed = String::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if parse(line.trim_end_matches(['\n', '\r'])).is_some() {
            continue;
        }
        blessed += line;
        let mut here = came.iter().filter_map(|message| match message.place {
            Place::Columns(line, from, to) if line == index + 1 => Some((from, to, message)),
            _ => None,
        });
        for (from, to, message) in &mut here {
            end_line(&mut blessed);
            blessed += &caret_line(line, from, to, &message.text);
        }
    }
    for message in came {
        match &message.place {
            Place::Columns(..) => {}
            Place::End => {
                end_line(&mut blessed);
                let _ = writeln!(blessed, "//! end {}", message.text);
            }
            Place::Elsewhere(place) => {
                end_line(&mut blessed);
                let _ = writeln!(blessed, "//! {place} {}", message.text);
            }
        }
    }
    blessed
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

fn caret_line(line: &str, from: usize, to: usize, text: &str) -> String {
    if from <= 2 {
        return format!("//! {from}-{to} {text}\n");
    }
    // Tabs are repeated so that the carets stand under their place in every editor.
    let indent: String = line
        .chars()
        .chain(std::iter::repeat(' '))
        .skip(2)
        .take(from - 3)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    format!("//{indent}{} {text}\n", "^".repeat(to - from))
}

/// A place as an expectation writes it.
enum Written {
    Columns(usize, usize),
    End,
    Elsewhere(String),
}

/// Reads a line as an expectation.
fn parse(line: &str) -> Option<(Written, &str)> {
    let rest = line.strip_prefix("//")?;
    let (place, words) = if let Some(rest) = rest.strip_prefix("! ") {
        let (place, words) = rest.split_once(' ')?;
        let columns = place
            .split_once('-')
            .and_then(|(from, to)| Some(Written::Columns(from.parse().ok()?, to.parse().ok()?)));
        let place = match columns {
            Some(columns) => columns,
            None if place == "end" => Written::End,
            None => Written::Elsewhere(place.to_owned()),
        };
        (place, words)
    } else {
        let indent = rest.chars().take_while(|c| *c == ' ' || *c == '\t').count();
        let carets = rest[indent..].chars().take_while(|c| *c == '^').count();
        if carets == 0 {
            return None;
        }
        let words = rest[indent + carets..].strip_prefix(' ')?;
        let from = indent + 3;
        (Written::Columns(from, from + carets), words)
    };
    let is_message = words.starts_with("error[") || words.starts_with("warning[");
    is_message.then_some((place, words))
}
