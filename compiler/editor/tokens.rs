//! What the words of a text are, for colours: the names by their meaning, and the rest for editors that have no grammar of
//! the language.

use super::Model;
use super::index::{Definition, Kind};
use crate::source::Span;
use crate::syntax;
use crate::syntax::token::Tok;

/// A coloured word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Where.
    pub span: Span,
    /// What it is.
    pub what: What,
    /// Whether it is defined here.
    pub declares: bool,
    /// Whether it cannot change.
    pub fixed: bool,
    /// Whether something is stored there.
    pub writes: bool,
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A name, of this.
    Name(Kind),
    /// A word of the language.
    Keyword,
    /// A temporal operator.
    Temporal,
    /// A marker that the language has.
    Marker,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
}

/// The words of the main file, in order.
pub fn tokens(model: &Model) -> Vec<Token> {
    let file = model.shown;
    let fixed = |definition: &Definition| {
        matches!(
            definition.kind,
            Kind::Const | Kind::Parameter | Kind::Constructor | Kind::Counter
        )
    };
    let plain = |span: Span, what: What| Token {
        span,
        what,
        declares: false,
        fixed: false,
        writes: false,
    };
    let declared = model.index.of_file(file).map(|(_, definition)| Token {
        declares: true,
        fixed: fixed(definition),
        ..plain(definition.span, What::Name(definition.kind))
    });
    let used = model.index.uses_in(file).iter().map(|used| {
        let definition = &model.index[used.target];
        Token {
            fixed: fixed(definition),
            writes: used.writes,
            ..plain(used.span, What::Name(definition.kind))
        }
    });
    // Names first: of two at one place the meaning counts.
    let mut tokens: Vec<Token> = declared.chain(used).collect();
    let comments = &model.parsed().comments;
    tokens.extend(
        comments
            .iter()
            .map(|comment| plain(comment.span, What::Comment)),
    );
    let mut before = None;
    for token in syntax::tokens(&model.sources, file) {
        let span = Span::new(file, token.start as usize, token.end as usize);
        let what = match token.kind {
            Tok::Int => Some(What::Number),
            Tok::Str => Some(What::Text),
            Tok::Ident if before == Some(Tok::At) => {
                let name = model.sources.slice(span);
                let known = model.faults.iter().any(|fault| fault.is_called(name));
                known.then_some(What::Marker)
            }
            kind if kind.is_temporal() || kind.is_temporal_infix() => Some(What::Temporal),
            kind if kind.is_word() => Some(What::Keyword),
            _ => None,
        };
        tokens.extend(what.map(|what| plain(span, what)));
        before = Some(token.kind);
    }
    tokens.retain(|token| token.span.start < token.span.end && !is_file(token));
    tokens.sort_by_key(|token| token.span.start);
    tokens.dedup_by_key(|token| token.span.start);
    tokens
}

fn is_file(token: &Token) -> bool {
    token.what == What::Name(Kind::File)
}
