//! Locations: which of them matter, and what they are called.

use super::names::Taken;
use crate::source::{Sources, Span};
use crate::system::{LocId, LocationKind, Process};

/// Statements that name their location; everything else is an assignment or unknown.
const STATEMENTS: &[&str] = &[
    "assert",
    "break",
    "choice",
    "continue",
    "for",
    "goto",
    "if",
    "nonblock_peek",
    "nonblock_recv",
    "nonblock_send",
    "peek",
    "recv",
    "return",
    "select",
    "send",
    "skip",
    "timeout_peek",
    "timeout_recv",
    "timeout_send",
    "var",
];

/// Which locations some sequence of edges leads to, guards left aside.
pub fn reachable_locations(process: &Process) -> Vec<bool> {
    let mut reached = vec![false; process.locations.len()];
    let mut leaving: Vec<Vec<LocId>> = vec![Vec::new(); process.locations.len()];
    for edge in process.edges.iter().filter(|e| !e.guard.is_no()) {
        leaving[edge.from.0 as usize].push(edge.to);
    }
    let mut pending = vec![process.initial];
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut reached[location.0 as usize], true) {
            continue;
        }
        pending.extend(&leaving[location.0 as usize]);
    }
    reached
}

/// `send_12`, `send_12_wait`, `done`: a name per location, by statement and line; empty if not reachable.
pub fn location_names(
    process: &Process,
    reachable: &[bool],
    sources: &Sources,
    mut taken: Taken,
) -> Vec<String> {
    // The ends first: their names are the same in every process.
    let mut names = vec![String::new(); process.locations.len()];
    for ends in [true, false] {
        for (index, location) in process.locations.iter().enumerate() {
            let wish = match location.kind {
                LocationKind::Done => "done".to_string(),
                LocationKind::Crashed => "crashed".to_string(),
                LocationKind::Failed => "failed".to_string(),
                LocationKind::Idle => "idle".to_string(),
                LocationKind::Statement => statement(location.span, sources, index),
                LocationKind::Inside => statement(location.span, sources, index) + "_wait",
            };
            let is_end = !matches!(
                location.kind,
                LocationKind::Statement | LocationKind::Inside
            );
            if is_end == ends && reachable[index] {
                names[index] = taken.claim(&wish);
            }
        }
    }
    names
}

fn statement(span: Span, sources: &Sources, index: usize) -> String {
    match (word(span, sources), line(span, sources)) {
        (Some(word), Some(line)) => format!("{word}_{line}"),
        (None, Some(line)) => format!("at_{line}"),
        _ => format!("at_{index}"),
    }
}

/// What kind of statement a span covers.
fn word(span: Span, sources: &Sources) -> Option<&'static str> {
    let mut text = source_text(span, sources)?.trim_start();
    loop {
        let end = text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        if let Ok(found) = STATEMENTS.binary_search(&&text[..end]) {
            return Some(STATEMENTS[found]);
        }
        let rest = text[end..].trim_start();
        match rest.strip_prefix(':') {
            // A label: what it labels counts.
            Some(after) if end > 0 => text = after.trim_start(),
            _ if end > 0 && rest.contains('=') => return Some("set"),
            _ => return None,
        }
    }
}

/// The text a span covers, or nothing if there is no such place.
pub fn source_text(span: Span, sources: &Sources) -> Option<&str> {
    let (_, file) = sources.iter().nth(span.file.0 as usize)?;
    file.text.get(span.range()).filter(|text| !text.is_empty())
}

/// The line on which a span begins, or nothing if there is no such file.
pub fn line(span: Span, sources: &Sources) -> Option<usize> {
    let (_, file) = sources.iter().nth(span.file.0 as usize)?;
    Some(file.line(span.start as usize))
}

/// `two_phase.sdl:12  send(ch, Ready)`: a place and the start of its text, for a comment.
pub fn comment(span: Span, sources: &Sources) -> Option<String> {
    line(span, sources)?;
    let mut comment = sources.place(span);
    if let Some(text) = source_text(span, sources) {
        let first = text.lines().next().unwrap_or("").trim();
        let shown: String = first.chars().take(60).collect();
        let more = shown.len() < first.len() || text.trim_end().contains('\n');
        comment += &format!("  {}{}", shown.trim_end(), if more { " ..." } else { "" });
    }
    // A control character could end the comment.
    Some(
        comment
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_known_by_their_first_word() {
        assert!(STATEMENTS.is_sorted());
        let mut sources = Sources::new();
        let texts = [
            ("send(a, 1)", Some("send")),
            ("L: recv(a, x)", Some("recv")),
            ("x = 1", Some("set")),
            ("a[i] += 1", Some("set")),
            ("{ }", None),
            ("", None),
        ];
        for (text, expected) in texts {
            let file = sources.add("m.sdl", text);
            assert_eq!(word(Span::new(file, 0, text.len()), &sources), expected);
        }
    }
}
