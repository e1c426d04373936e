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
use super::balance::Balanced;
use super::builder::Builder;
use super::explain::{self, Failure};
use super::grammar;
use super::habit::Habit;
use super::problem::Problem;
use super::repair::{Feed, Patch, Repair, Replacement, merged};
use super::token::{Tok, Token};
use crate::source::{FileId, Span};

/// Parses the tokens of a file. The answer has the lexer's problems as well.
pub fn parse(file: FileId, text: &str, balanced: Balanced) -> (File, Vec<Problem>) {
    let Balanced {
        tokens,
        unclosed,
        problems,
    } = balanced;
    let mut parser = Parser {
        file,
        text,
        tokens: &tokens,
        unclosed: &unclosed,
        builder: Builder::new(file, text),
        grammar: grammar::DeclParser::new(),
        problems,
        budget: 50_000_000 + 400 * tokens.len(),
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

/// What it costs to parse a token, in tokens looked at.
const PARSING: usize = 50;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: &'a [Token],
    unclosed: &'a [u32],
    builder: Builder<'a>,
    grammar: grammar::DeclParser,
    problems: Vec<Problem>,
    /// How much work recovery may yet do, in tokens looked at: keeps it linear, whatever happens.
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
    ///
    /// After a failure the elements before it are not parsed again: the next attempt passes over them
    /// and finds the next failure. When there is none left, the whole is parsed once more.
    fn declaration(&mut self, start: usize, mut end: usize) -> (Decl, usize) {
        let mut patches: Vec<Patch> = Vec::new();
        let mut skips: Vec<Patch> = Vec::new();
        let mut reported = BTreeSet::new();
        loop {
            self.builder.set_breaks(self.breaks(&patches));
            let feed = Feed::new(self.tokens, start..end, merged(&patches, &skips));
            let outcome = self.grammar.parse(&self.builder, feed);
            let noticed = self.builder.take_problems();
            let error = match outcome {
                Ok(decl) if skips.is_empty() => {
                    self.problems.extend(noticed);
                    return (decl, end);
                }
                Ok(_) => {
                    skips.clear();
                    continue;
                }
                Err(error) => error,
            };
            let (at, kind, expected) = self.locate(start, end, error);
            let repair = Repair::new(self.tokens, start..end, at, &patches);
            let known = self.is_known(at, kind, &repair, &patches)
                || reported.contains(&repair.innermost());
            let mut mend = None;
            if !known {
                let failure = Failure {
                    file: self.file,
                    text: self.text,
                    tokens: self.tokens,
                    start,
                    end,
                    at,
                };
                let problem = explain::explain(&failure, &repair, &expected);
                mend = self
                    .mend(&problem, at, &repair, &expected)
                    .filter(|patch| start <= patch.start && patch.end <= end);
                // A mistake may be met twice, where it is made and where what follows from it does not fit.
                if self.problems.last() != Some(&problem) {
                    self.problems.push(problem);
                }
                // What is mended without loss does not hide other mistakes of the element.
                if !mend.is_some_and(|patch| patch.is_mild()) {
                    reported.insert(repair.innermost());
                }
                if at > start && repair.is_outermost() && begins_declaration(kind) {
                    end = at;
                    continue;
                }
            }
            let patch = mend.or_else(|| repair.next_patch(&patches));
            let parsed = 1 + at - skips.last().map_or(start, |skip| skip.end.min(at));
            let within_budget = self.spend(PARSING * parsed + repair.work());
            let patch = patch.filter(|_| within_budget && self.problems.len() <= MAX_ERRORS);
            let Some(patch) = patch else {
                return (
                    Decl {
                        kind: DeclKind::Error,
                        span: self.span(start, end),
                    },
                    end,
                );
            };
            if patch.with == Replacement::Semicolon {
                reported.insert(at);
            }
            patches.retain(|old| !patch.contains(old));
            let place = patches.partition_point(|old| old.start < patch.start);
            patches.insert(place, patch);
            let repair = Repair::new(self.tokens, start..end, at, &patches);
            skips = repair.skips(&patch);
        }
    }

    /// The patch that mends a problem, if it is plain what was meant.
    fn mend(
        &self,
        problem: &Problem,
        at: usize,
        repair: &Repair<'_>,
        expected: &[String],
    ) -> Option<Patch> {
        let join = |place: usize| Patch {
            start: place,
            end: place + 1,
            with: Replacement::Nothing,
        };
        let token = self.tokens.get(at)?;
        let next = self.tokens.get(at + 1);
        match problem {
            Problem::BrokenLine { line_end, .. } if token.start == line_end.start => Some(join(at)),
            Problem::BrokenLine { .. } => Some(join(at - 1)),
            Problem::KeywordAsName { .. } => {
                let last = next
                    .is_some_and(|next| !next.kind.continues_line() && self.begins_line(at + 1));
                Some(Patch {
                    start: at,
                    end: at + 1,
                    with: if last {
                        Replacement::LastName
                    } else {
                        Replacement::Name
                    },
                })
            }
            Problem::Habit {
                habit: Habit::CountingLoop,
                ..
            } => repair.counting_loop(),
            Problem::Unexpected(unexpected) if unexpected.at.end < token.start => {
                repair.cut(if self.begins_line(at) { at } else { at - 1 })
            }
            _ if token.is_virtual() && next.is_some_and(|next| next.kind == Tok::LBrace) => {
                Some(join(at))
            }
            _ => self.separation(at, repair, expected),
        }
    }

    /// If a statement follows that is not separated from what was read: the patch that separates it.
    fn separation(&self, at: usize, repair: &Repair<'_>, expected: &[String]) -> Option<Patch> {
        let kind = self.tokens.get(at)?.kind;
        if expected.iter().any(|name| name == "\";\"") {
            let begins = kind == Tok::Ident || (kind.is_keyword() && !kind.continues_line());
            return begins.then_some(Patch {
                start: at,
                end: at,
                with: Replacement::Semicolon,
            });
        }
        let cut = kind.begins_statement() && self.begins_line(at);
        repair.cut(at).filter(|_| cut)
    }

    /// Whether a line ends before a token.
    fn begins_line(&self, at: usize) -> bool {
        let end = at
            .checked_sub(1)
            .map_or(0, |before| self.tokens[before].end as usize);
        self.text[end..self.tokens[at].start as usize].contains('\n')
    }

    /// Where semicolons were put in: the end of what is before and the beginning of what follows.
    fn breaks(&self, patches: &[Patch]) -> Vec<(u32, u32)> {
        let semicolons = patches
            .iter()
            .filter(|patch| patch.with == Replacement::Semicolon);
        let around = |patch: &Patch| {
            (
                self.tokens[patch.start - 1].end,
                self.tokens[patch.start].start,
            )
        };
        semicolons.map(around).collect()
    }

    /// Takes from the budget, if there is enough left.
    fn spend(&mut self, work: usize) -> bool {
        let left = self.budget.checked_sub(work);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether a failure follows from something that has been reported.
    fn is_known(
        &self,
        at: usize,
        kind: Option<Tok>,
        repair: &Repair<'_>,
        patches: &[Patch],
    ) -> bool {
        kind == Some(Tok::Bad)
            || self
                .tokens
                .get(at)
                .is_some_and(|token| token.is_virtual() && token.kind.is_closer())
            || patches.iter().any(|patch| patch.covers(at))
            || repair.open_brackets().any(|open| {
                self.unclosed
                    .binary_search(&self.tokens[open].start)
                    .is_ok()
            })
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
                | Tok::Type
                | Tok::Const
                | Tok::Module
                | Tok::Proc
                | Tok::Func
                | Tok::Predicate
                | Tok::Fault
                | Tok::Import
                | Tok::Init
                | Tok::StateSpec
                | Tok::LinearSpec
                | Tok::BranchingSpec
        )
    )
}

/// What the feed replaces a region by; kept here so that the grammar's needs are in one place.
pub fn stand_in(replacement: Replacement) -> &'static [Tok] {
    match replacement {
        Replacement::Nothing => &[],
        Replacement::Element => &[Tok::Bad],
        Replacement::Condition => &[Tok::If, Tok::Bad],
        Replacement::Case => &[Tok::Case, Tok::Bad],
        Replacement::Semicolon => &[Tok::Semi],
        Replacement::Name => &[Tok::Ident],
        Replacement::LastName => &[Tok::Ident, Tok::Semi],
        Replacement::Statement => &[Tok::Bad, Tok::Semi],
    }
}
