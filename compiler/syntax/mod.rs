//! From text to [`ast::File`], and back again.
//!
//! - There: [`token`] has the words; `lexer` finds them, puts in semicolons and hands each token to `balance`, which makes brackets
//!   match; `parser` gives the tokens of one declaration after another to the grammar (`grammar.lalrpop`), whose actions (`builder`)
//!   make the tree.
//! - Where the grammar gives up: `repair` finds what to replace, so that parsing can go on; `explain` finds what a person would call
//!   the mistake, with what people are used to from other languages ([`habit`]); [`problem`] has the words.
//! - Back: `format` lays out the tokens of a file and keeps what the user decided; `print` writes single nodes, for messages.

pub mod ast;
mod balance;
mod lexer;
mod operator;
pub mod token;
lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, missing_docs, unused, unreachable_pub)]
    grammar
);
mod builder;
pub mod doc;
pub mod dump;
mod explain;
mod format;
pub mod habit;
mod parser;
pub mod print;
pub mod problem;
mod repair;
mod words;

pub use lexer::Comment;
pub use words::{signs, words};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};

/// How deep brackets may nest.
pub const MAX_BRACKETS: usize = 256;

/// How high an expression may be, and how long a row of labels or of `else if`: later walks are recursive,
/// and must fit on the stack of a thread in a debug build.
pub const MAX_HEIGHT: usize = 500;

/// After this many errors a file is given up.
pub const MAX_ERRORS: usize = 100;

/// What [`parse`] found: always a tree, with `Error` nodes where it could not make sense of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The tree.
    pub file: ast::File,
    /// The comments, in order.
    pub comments: Vec<Comment>,
    /// What was wrong, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. Any text gives a tree; a text that is no model gives diagnostics as well. Names are not
/// looked at: that is what `program` does.
pub fn parse(sources: &Sources, file: FileId) -> Parsed {
    let text = &sources.file(file).text;
    let lexed = lexer::lex(file, text);
    let (tree, problems) = parser::parse(file, text, lexed.balanced);
    Parsed {
        file: tree,
        comments: lexed.comments,
        diagnostics: problem::report(sources, problems),
    }
}

/// The tokens of a file as the parser sees them: contextual words told apart, semicolons put in, comments left out.
pub fn tokens(sources: &Sources, file: FileId) -> Vec<token::Token> {
    lexer::lex(file, &sources.file(file).text).balanced.tokens
}

/// Formats a file: one style, comments kept. A file with errors is refused, with its diagnostics.
pub fn format(sources: &Sources, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let source = sources.file(file);
    let lexed = lexer::lex(file, &source.text);
    let tokens = lexed.balanced.tokens.clone();
    let (tree, problems) = parser::parse(file, &source.text, lexed.balanced);
    if problems.is_empty() {
        Ok(format::layout(source, &tokens, &lexed.comments, &tree))
    } else {
        Err(problem::report(sources, problems))
    }
}

/// Whether a word is a keyword, so that nothing can be called that.
pub fn is_keyword(word: &str) -> bool {
    use logos::Logos;
    let mut tokens = token::Tok::lexer(word);
    matches!(tokens.next(), Some(Ok(kind)) if kind.is_keyword()) && tokens.next().is_none()
}
