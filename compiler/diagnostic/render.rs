//! Messages as text for people and as JSON lines for programs.

use std::io;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::term::{self, WriteStyle};
use serde::Serialize;

use super::excerpt::Excerpt;
use super::{Diagnostic, Label, Severity};
use crate::source::{Sources, escaped_json, printable};

/// A message with its source lines, as it is shown on a terminal.
///
/// With `colour` the text contains ANSI escape sequences. It ends with an empty line.
pub fn text(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let spans: Vec<_> = std::iter::once(&diagnostic.primary)
        .chain(&diagnostic.secondary)
        .map(|label| label.span)
        .collect();
    let excerpt = Excerpt::new(sources, &spans);
    let label = |style, label: &Label| {
        let (file, range) = excerpt.locate(label.span);
        codespan::Label::new(style, file, range).with_message(printable(&label.message))
    };
    let message = codespan::Diagnostic::new(severity(diagnostic.severity))
        .with_code(diagnostic.code.0)
        .with_message(printable(&diagnostic.message))
        .with_label(label(codespan::LabelStyle::Primary, &diagnostic.primary))
        .with_labels_iter(
            diagnostic
                .secondary
                .iter()
                .map(|secondary| label(codespan::LabelStyle::Secondary, secondary)),
        )
        .with_notes(remarks(
            diagnostic.note.as_deref(),
            diagnostic.hint.as_deref(),
        ));
    emit(&message, &excerpt, colour)
}

/// An error that concerns no place in a source text, such as a file that cannot be read.
pub fn bare_text(message: &str, hint: Option<&str>, colour: bool) -> String {
    let sources = Sources::new();
    let excerpt = Excerpt::new(&sources, &[]);
    let message = codespan::Diagnostic::error()
        .with_message(printable(message))
        .with_notes(remarks(None, hint));
    emit(&message, &excerpt, colour)
}

/// `2 errors, 1 warning`, or nothing if there is nothing to count.
pub fn summary(diagnostics: &[&Diagnostic]) -> Option<String> {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let counts = [(errors, "error"), (diagnostics.len() - errors, "warning")];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| format!("{count} {noun}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A message as one line of JSON, without the line end.
///
/// Lines and columns count from 1, columns in Unicode scalar values; `start` and `end` are byte offsets.
/// `end_line` and `end_column` are one past the last character.
pub fn json_line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let primary = Place::of(&diagnostic.primary, sources);
    to_json(&Line {
        severity: diagnostic.severity.as_str(),
        code: Some(diagnostic.code.0),
        message: &diagnostic.message,
        path: Some(primary.path),
        line: Some(primary.line),
        column: Some(primary.column),
        end_line: Some(primary.end_line),
        end_column: Some(primary.end_column),
        start: Some(primary.start),
        end: Some(primary.end),
        label: Some(primary.message).filter(|label| !label.is_empty()),
        related: diagnostic
            .secondary
            .iter()
            .map(|label| Place::of(label, sources))
            .collect(),
        note: diagnostic.note.as_deref(),
        hint: diagnostic.hint.as_deref(),
    })
}

/// An error that concerns no place in a source text, in the format of [`json_line`].
pub fn bare_json_line(message: &str, path: Option<&str>, hint: Option<&str>) -> String {
    to_json(&Line {
        severity: Severity::Error.as_str(),
        code: None,
        message,
        path,
        line: None,
        column: None,
        end_line: None,
        end_column: None,
        start: None,
        end: None,
        label: None,
        related: Vec::new(),
        note: None,
        hint,
    })
}

#[derive(Serialize)]
struct Line<'a> {
    severity: &'static str,
    code: Option<&'static str>,
    message: &'a str,
    path: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    start: Option<u32>,
    end: Option<u32>,
    label: Option<&'a str>,
    related: Vec<Place<'a>>,
    note: Option<&'a str>,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: u32,
    end: u32,
    message: &'a str,
}

impl<'a> Place<'a> {
    fn of(label: &'a Label, sources: &'a Sources) -> Self {
        let file = sources.file(label.span.file);
        let start = file.position(label.span.start as usize);
        let end = file.position(label.span.end as usize);
        Place {
            path: &file.path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start: label.span.start,
            end: label.span.end,
            message: &label.message,
        }
    }
}

fn to_json(line: &Line) -> String {
    let json = serde_json::to_string(line);
    escaped_json(&json.expect("strings and numbers can always be written as JSON"))
}

fn remarks(note: Option<&str>, hint: Option<&str>) -> Vec<String> {
    // An edit may have several lines, so line ends stay; everything else is made printable.
    let lines = |word: &str, text: &str| {
        let text: Vec<String> = text.lines().map(printable).collect();
        format!(
            "{word}: {}",
            text.join(&format!("\n{:1$}", "", word.len() + 2))
        )
    };
    let note = note.map(|text| lines("note", text));
    let hint = hint.map(|text| lines("hint", text));
    note.into_iter().chain(hint).collect()
}

fn severity(severity: Severity) -> codespan::Severity {
    match severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
    }
}

fn emit(message: &codespan::Diagnostic<usize>, excerpt: &Excerpt, colour: bool) -> String {
    let mut writer = Styled {
        text: Vec::new(),
        colour,
    };
    term::emit_to_write_style(&mut writer, &term::Config::default(), excerpt, message)
        .expect("an excerpt knows all places of its message, and a vector can be written to");
    let text = String::from_utf8(writer.text).expect("messages are made of strings");
    // The renderer pads empty lines up to where a source line would begin.
    if colour {
        text
    } else {
        text.split_inclusive('\n')
            .map(|line| line.trim_end_matches([' ', '\n']).to_owned() + "\n")
            .collect()
    }
}

/// Text with ANSI styles, if wanted.
struct Styled {
    text: Vec<u8>,
    colour: bool,
}

impl Styled {
    fn set(&mut self, style: anstyle::Style) -> io::Result<()> {
        if self.colour {
            self.text.extend(format!("{style}").into_bytes());
        }
        Ok(())
    }
}

impl io::Write for Styled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Red for errors, yellow for warnings, blue for the frame.
fn style_of(severity: codespan::Severity) -> anstyle::Style {
    match severity {
        codespan::Severity::Bug | codespan::Severity::Error => anstyle::AnsiColor::BrightRed,
        codespan::Severity::Warning => anstyle::AnsiColor::BrightYellow,
        codespan::Severity::Note | codespan::Severity::Help => anstyle::AnsiColor::BrightCyan,
    }
    .on_default()
    .bold()
}

impl WriteStyle for Styled {
    fn set_header(&mut self, severity: codespan::Severity) -> io::Result<()> {
        self.set(style_of(severity))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.set(anstyle::Style::new().bold())
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.set(FRAME)
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.set(FRAME)
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.set(FRAME)
    }

    fn set_label(
        &mut self,
        severity: codespan::Severity,
        style: codespan::LabelStyle,
    ) -> io::Result<()> {
        self.set(match style {
            codespan::LabelStyle::Primary => style_of(severity),
            codespan::LabelStyle::Secondary => FRAME,
        })
    }

    fn reset(&mut self) -> io::Result<()> {
        self.set_reset()
    }
}

const FRAME: anstyle::Style = anstyle::AnsiColor::BrightBlue.on_default();

impl Styled {
    fn set_reset(&mut self) -> io::Result<()> {
        if self.colour {
            self.text
                .extend(anstyle::Reset.render().to_string().into_bytes());
        }
        Ok(())
    }
}
