//! Tokens to declarations, with recovery.
//!
//! The grammar parses one declaration. Where it fails, the smallest list element around the failure (an
//! argument, a statement, an entry, the head of a block) is replaced by a stand-in and the declaration is
//! parsed again; if the stand-in does not fit, the next larger element is. Because brackets match
//! ([`super::balance`]), what is replaced is always whole, and an error in one statement does not hide
//! those in the next. Failures of one element are reported once.

use std::collections::BTreeSet;

use lalrpop_util::ParseError;

use super::MAX_ERRORS;
use super::ast::{Decl, DeclKind, File};
use super::builder::Builder;
use super::explain::{self, Failure};
use super::grammar;
use super::problem::Problem;
use super::repair::{Feed, Patch, Repair, Replacement};
use super::token::{Tok, Token};
use crate::source::{FileId, Span};

/// Parses the tokens of a file. `problems` are those of the lexer; the answer has all of them.
pub fn parse(
    file: FileId,
    text: &str,
    tokens: &[Token],
    problems: Vec<Problem>,
) -> (File, Vec<Problem>) {
    let mut parser = Parser {
        file,
        text,
        tokens,
        builder: Builder::new(file, text),
        grammar: grammar::DeclParser::new(),
        problems,
        budget: 1_000_000 + 8 * tokens.len(),
    };
    let mut decls = Vec::new();
    let mut start = 0;
    while start < tokens.len() && parser.problems.len() <= MAX_ERRORS {
        let end = parser.end_of_declaration(start);
        if start == end {
            start += 1;
            continue;
        }
        let (decl, next) = parser.declaration(start, end);
        decls.push(decl);
        start = next;
    }
    (File { decls }, parser.problems)
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: &'a [Token],
    builder: Builder<'a>,
    grammar: grammar::DeclParser,
    problems: Vec<Problem>,
    /// How many tokens may yet be parsed again: keeps recovery linear.
    budget: usize,
}

impl Parser<'_> {
    /// The semicolon that ends the declaration, or the end of the file.
    fn end_of_declaration(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(start) {
            match token.kind {
                Tok::Semi if depth == 0 => return at,
                kind if kind.closer().is_some() => depth += 1,
                kind if kind.is_closer() => depth -= 1,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Parses one declaration, and says where the next begins.
    fn declaration(&mut self, start: usize, mut end: usize) -> (Decl, usize) {
        let mut patches: Vec<Patch> = Vec::new();
        let mut reported = BTreeSet::new();
        loop {
            let feed = Feed::new(self.tokens, start, end, &patches);
            let failed = self.grammar.parse(&self.builder, feed);
            let noticed = self.builder.take_problems();
            let error = match failed {
                Ok(decl) => {
                    self.problems.extend(noticed);
                    return (decl, end);
                }
                Err(error) => error,
            };
            let (at, kind, expected) = self.locate(start, end, error);
            let repair = Repair::new(self.tokens, start, end, at);
            let known = kind == Some(Tok::Bad)
                || self
                    .tokens
                    .get(at)
                    .is_some_and(|token| token.is_virtual() && token.kind.is_closer())
                || patches.iter().any(|patch| patch.covers(at))
                || reported.contains(&repair.element());
            if !known {
                let failure = Failure {
                    file: self.file,
                    text: self.text,
                    tokens: self.tokens,
                    start,
                    end,
                    at,
                };
                self.problems
                    .push(explain::explain(&failure, &repair, &expected));
                reported.insert(repair.element());
            }
            if !known && at > start && repair.is_outermost() && begins_declaration(kind) {
                end = at;
                continue;
            }
            let cost = end - start;
            let separate =
                !known && expected.iter().any(|name| name == "\";\"") && begins_statement(kind);
            let patch = if self.budget < cost {
                None
            } else if separate {
                Some(Patch {
                    start: at,
                    end: at,
                    with: Replacement::Semicolon,
                })
            } else {
                repair.next_patch(&patches)
            };
            let Some(patch) = patch.filter(|_| self.problems.len() <= MAX_ERRORS) else {
                return (
                    Decl {
                        kind: DeclKind::Error,
                        span: self.span(start, end),
                    },
                    end,
                );
            };
            self.budget -= cost;
            patches.retain(|old| !patch.contains(old));
            let place = patches.partition_point(|old| old.start < patch.start);
            patches.insert(place, patch);
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let (first, last) = (self.tokens[start], self.tokens[end - 1]);
        Span {
            file: self.file,
            start: first.start,
            end: last.end,
        }
    }

    /// The token at which the grammar gave up (`end` if it wanted more), and what it would have taken.
    fn locate(
        &self,
        start: usize,
        end: usize,
        error: ParseError<u32, Tok, std::convert::Infallible>,
    ) -> (usize, Option<Tok>, Vec<String>) {
        let ((offset, kind, _), expected) = match error {
            ParseError::UnrecognizedToken { token, expected } => (token, expected),
            ParseError::ExtraToken { token } => (token, Vec::new()),
            ParseError::UnrecognizedEof { expected, .. } => return (end, None, expected),
            ParseError::InvalidToken { .. } => return (end, None, Vec::new()),
            ParseError::User { error } => match error {},
        };
        let tokens = &self.tokens[start..end];
        let mut at = tokens.partition_point(|token| token.start < offset);
        // Tokens that were put in are empty, so several may begin here.
        while let Some(next) = tokens.get(at + 1)
            && tokens[at].kind != kind
            && next.start == offset
        {
            at += 1;
        }
        (start + at, Some(kind), expected)
    }
}

/// Whether a token where a declaration should have ended begins another.
fn begins_declaration(kind: Option<Tok>) -> bool {
    matches!(
        kind,
        Some(
            Tok::Data
                | Tok::Const
                | Tok::Module
                | Tok::Proc
                | Tok::Import
                | Tok::Init
                | Tok::Ltl
                | Tok::Ctl
                | Tok::Invariant
                | Tok::Reachable
                | Tok::Assume
        )
    )
}

/// Whether a token where a statement should have ended begins another.
fn begins_statement(kind: Option<Tok>) -> bool {
    kind.is_some_and(|kind| kind == Tok::Ident || (kind.is_keyword() && !kind.continues_line()))
}

/// What the feed replaces a region by; kept here so that the grammar's needs are in one place.
pub fn stand_in(replacement: Replacement) -> &'static [Tok] {
    match replacement {
        Replacement::Element => &[Tok::Bad],
        Replacement::Condition => &[Tok::If, Tok::Bad],
        Replacement::Default => &[Tok::Default],
        Replacement::Semicolon => &[Tok::Semi],
    }
}
