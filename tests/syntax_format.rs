//! The formatter keeps meaning and comments, and formatting twice is formatting once.

use sandalc::source::Sources;
use sandalc::syntax::{self, dump};

fn format(text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    match syntax::format(&sources, file) {
        Ok(formatted) => formatted,
        Err(diagnostics) => panic!("{text}\n{diagnostics:#?}"),
    }
}

/// Meaning and comments of a text.
fn contents(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    let parsed = syntax::parse(&sources, file);
    assert_eq!(parsed.diagnostics, vec![], "{text}");
    let comments = parsed
        .comments
        .iter()
        .map(|comment| sources.slice(comment.span));
    let comments = comments.map(|comment| {
        comment
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    });
    (dump::shape(&parsed.file), comments.collect())
}

/// Formats, and checks what must hold of every file.
fn checked(text: &str) -> String {
    let formatted = format(text);
    assert_eq!(
        contents(text),
        contents(&formatted),
        "{text}\n---\n{formatted}"
    );
    let again = format(&formatted);
    assert_eq!(formatted, again, "not stable:\n{text}");
    formatted
}

#[test]
fn every_construct() {
    checked(include_str!("models/constructs.sdl"));
}
