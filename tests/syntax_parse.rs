//! The parser accepts every construct of the language and explains what it does not accept.

use sandalc::source::Sources;
use sandalc::syntax::{self, Parsed};

fn parse(text: &str) -> Parsed {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    syntax::parse(&sources, file)
}

fn messages(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    syntax::parse(&sources, file)
        .diagnostics
        .iter()
        .map(|d| {
            let position = sources.position(d.primary.span);
            let hint = d
                .hint
                .as_deref()
                .map(|hint| format!(" ({hint})"))
                .unwrap_or_default();
            format!(
                "{}:{} {} {}{hint}",
                position.line, position.column, d.code, d.message
            )
        })
        .collect()
}

#[test]
fn every_construct_parses() {
    let text = include_str!("models/constructs.sdl");
    assert_eq!(messages(text), Vec::<String>::new());
    assert_eq!(parse(text).comments.len(), 2);
}
