//! Edits that mend what a message is about.
//!
//! A hint says in words what to do; the edits that it may mean are tried on the text, and one is offered only if the message
//! is gone then and there is no new error.

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// An edit that may mend something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in words: the hint.
    pub title: String,
    /// Which bytes are replaced.
    pub range: std::ops::Range<usize>,
    /// By what.
    pub new: String,
}

/// The edits that a message's hint may mean, the likeliest first.
pub fn candidates(diagnostic: &Diagnostic, sources: &Sources) -> Vec<Fix> {
    let Some(hint) = &diagnostic.hint else {
        return Vec::new();
    };
    let text = &sources.file(diagnostic.primary.span.file).text;
    let place = diagnostic.primary.span.range();
    let mut found: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let quoted: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
    let verb = hint.split([' ', ',']).next().unwrap_or("");
    match (verb, quoted.as_slice()) {
        ("did" | "write" | "use" | "spell" | "name" | "name:" | "declare", [first, ..]) => {
            let word = super::word_at(text, place.end);
            let marker = first
                .strip_prefix('@')
                .filter(|_| !text[place.clone()].starts_with('@'));
            let first = marker.unwrap_or(first);
            found.push((place.clone(), first.to_owned()));
            found.push((word, first.to_owned()));
            // A whole statement or entry: up to the end of the line.
            let line = line_of(text, place.start);
            let rest = place.start..line.start + text[line].trim_end().len();
            found.push((rest, first.to_owned()));
            found.push((place.end..place.end, first.to_owned()));
            for other in &quoted[1..] {
                found.push((place.clone(), (*other).to_owned()));
            }
        }
        ("add", [first, ..]) => {
            let line = match first.starts_with("import ") {
                true => 0..0,
                false => place.end..place.end,
            };
            let new = match first.starts_with("import ") {
                true => format!("{first}\n\n"),
                false => (*first).to_owned(),
            };
            found.push((line, new));
            found.push((place.end..place.end, format!(" {first}")));
            found.push((place.start..place.start, format!("{first} ")));
        }
        ("close", [.., closer]) => {
            found.push((place.end..place.end, (*closer).to_owned()));
            found.push((text.len()..text.len(), format!("\n{closer}\n")));
            found.push((place.start..place.start, (*closer).to_owned()));
        }
        _ => {}
    }
    layout(hint, &quoted, text, &place, &mut found);
    if verb == "remove" || hint.contains(" or remove it") {
        let after = text[place.end..].trim_start_matches([' ', '\t']);
        let comma = after.starts_with(',').then(|| text.len() - after.len() + 1);
        let before = text[..place.start].trim_end_matches([' ', '\t']).len();
        if let Some(first) = quoted.first()
            && let Some(at) = text[place.clone()].find(first)
        {
            let start = place.start + at;
            found.push((start..start + first.len(), String::new()));
        }
        found.push((before..place.end, String::new()));
        found.extend(comma.map(|comma| (place.start..comma, String::new())));
        found.push((place.clone(), String::new()));
        let line = line_of(text, place.start);
        found.push((line, String::new()));
    }
    // Whatever else is said with the text that is meant: `compare it: ..`, `for an instance, write ..`.
    if found.is_empty() {
        let line = line_of(text, place.start);
        let rest = place.start..line.start + text[line].trim_end().len();
        for new in &quoted {
            found.push((place.clone(), (*new).to_owned()));
            found.push((rest.clone(), (*new).to_owned()));
        }
    }
    let mut fixes: Vec<Fix> = Vec::new();
    for (range, new) in found {
        let same = text[range.clone()] == new;
        let known = fixes.iter().any(|fix| fix.range == range && fix.new == new);
        if !same && !known {
            fixes.push(Fix {
                title: hint.clone(),
                range,
                new,
            });
        }
    }
    fixes
}

/// The edits of hints about what is between words: line ends, commas, braces.
fn layout(
    hint: &str,
    quoted: &[&str],
    text: &str,
    place: &std::ops::Range<usize>,
    found: &mut Vec<(std::ops::Range<usize>, String)>,
) {
    let start = place.start;
    let before = text[..start].trim_end_matches([' ', '\t']).len();
    let line = line_of(text, start);
    let content = text[line.clone()].trim_end();
    let indent = &content[..content.len() - content.trim_start().len()];
    if hint.contains("on a line of its own") {
        found.push((before..start, format!("\n{indent}")));
    }
    if hint.contains("with a comma") || hint.contains("with commas") {
        found.push((before..before, ",".to_owned()));
    }
    let end = line.start + content.len();
    if hint.contains("in braces") && start < end {
        found.push((start..end, format!("{{ {} }}", &text[start..end])));
    }
    match quoted {
        [sign, ..] if hint.contains("to the end of the line before") => {
            if let Some(at) = text[start..].find(sign).map(|at| start + at) {
                let before = text[..at].trim_end().len();
                found.push((before..at + sign.len(), format!(" {sign}")));
            }
        }
        [new, old, ..] if hint.contains("instead of") => {
            let here = &text[line.start..start];
            if let Some(at) = here.rfind(old).map(|at| line.start + at) {
                found.push((at..at + old.len(), (*new).to_owned()));
            }
        }
        [new, ..] if hint.contains("` after ") => found.push((before..before, (*new).to_owned())),
        _ => {}
    }
}

/// The line around a place, with its line end.
fn line_of(text: &str, offset: usize) -> std::ops::Range<usize> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at + 1);
    start..end
}

/// Whether of the messages about two texts the second ones are the first without one of them, and without new errors.
pub fn mends(of: &Diagnostic, before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let count = |all: &[Diagnostic], code| all.iter().filter(|d| d.code == code).count();
    let errors = |all: &[Diagnostic]| all.iter().filter(|d| d.is_error()).count();
    let fewer = count(after, of.code) < count(before, of.code);
    let no_worse = match of.is_error() {
        true => errors(after) < errors(before),
        false => errors(after) == errors(before) && after.len() < before.len(),
    };
    fewer && no_worse
}
