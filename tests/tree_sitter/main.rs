//! The grammar for tree-sitter (`editors/tree-sitter`): what it takes, what it makes of it, and its queries.
//!
//! The parser that is compiled here is the one that editors compile. That it is what `grammar.js` says is checked by `cargo xtask
//! grammar --check`.

#[path = "../support/mod.rs"]
mod support;

mod agree;
mod corpus;
mod queries;
mod words;

use tree_sitter::{Parser, Tree};

/// A parser for models.
fn parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_sandal::LANGUAGE.into())
        .expect("the grammar fits the library");
    parser
}

/// A text as tree-sitter sees it.
fn parse(text: &str) -> Tree {
    parser().parse(text, None).expect("nothing cancels it")
}

/// Whether a text is a model to tree-sitter.
fn takes(text: &str) -> bool {
    !parse(text).root_node().has_error()
}

/// The codes of what our parser says about a text.
fn ours(text: &str) -> Vec<&'static str> {
    let mut sources = sandalc::source::Sources::new();
    let file = sources.add("m.sdl", text);
    let parsed = sandalc::syntax::parse(&sources, file);
    parsed.diagnostics.iter().map(|said| said.code.0).collect()
}
