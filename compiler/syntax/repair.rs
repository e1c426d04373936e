//! Which tokens to replace after a failure, and the token stream with the replacements made.

use super::parser::stand_in;
use super::token::{Tok, Token};

/// What stands in for tokens that did not parse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Replacement {
    /// A missing semicolon.
    Semicolon,
    /// The head of a block: its statements are still parsed.
    Condition,
    /// The head of a case.
    Default,
    /// An element of a list.
    Element,
}

/// Tokens `start..end` are replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patch {
    pub start: usize,
    pub end: usize,
    pub with: Replacement,
}

impl Patch {
    /// Whether a token belongs to what was replaced.
    pub fn covers(&self, at: usize) -> bool {
        self.start <= at && at < self.end
    }

    /// Whether the other is part of this one.
    pub fn contains(&self, other: &Patch) -> bool {
        self.start <= other.start && other.end <= self.end && self.with >= other.with
    }
}

/// A bracket that is open where the grammar failed; the first stands for the whole declaration.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The opening bracket's place.
    open: Option<usize>,
    /// Whether commas separate its elements.
    commas: bool,
    /// Where the current element begins.
    element: usize,
    /// Whether the last token was `channel`, or `channel [..]`.
    channel: bool,
}

/// The elements around a failure.
#[derive(Debug)]
pub struct Repair<'a> {
    tokens: &'a [Token],
    end: usize,
    at: usize,
    levels: Vec<Level>,
}

impl<'a> Repair<'a> {
    /// Finds the elements of the declaration `start..end` around `at`.
    pub fn new(tokens: &'a [Token], start: usize, end: usize, at: usize) -> Self {
        let mut levels = vec![Level {
            open: None,
            commas: false,
            element: start,
            channel: false,
        }];
        for (place, token) in tokens.iter().enumerate().take(at).skip(start) {
            let top = levels.len() - 1;
            let level = levels[top];
            if token.kind.closer().is_some() {
                let commas = match token.kind {
                    Tok::LBrace => {
                        let first = tokens[level.element].kind;
                        level.channel
                            || matches!(first, Tok::Data | Tok::Limit | Tok::Init)
                            || (first == Tok::For && level.commas)
                    }
                    _ => true,
                };
                levels.push(Level {
                    open: Some(place),
                    commas,
                    element: place + 1,
                    channel: false,
                });
            } else if token.kind.is_closer() && top > 0 {
                levels.pop();
                let below = &mut levels[top - 1];
                below.channel &= token.kind == Tok::RBracket;
            } else {
                let level = &mut levels[top];
                level.channel = token.kind == Tok::Channel;
                match token.kind {
                    Tok::Semi => level.element = place + 1,
                    Tok::Comma if level.commas => level.element = place + 1,
                    Tok::Case | Tok::Default => level.element = place,
                    _ => {}
                }
            }
        }
        Repair {
            tokens,
            end,
            at,
            levels,
        }
    }

    /// Where the innermost element of a block begins; failures of one element are reported once.
    pub fn element(&self) -> usize {
        let block = self.levels.iter().rev().find(|level| match level.open {
            Some(open) => self.tokens[open].kind == Tok::LBrace,
            None => true,
        });
        block.map_or(0, |level| level.element)
    }

    /// The innermost open bracket.
    pub fn open(&self) -> Option<usize> {
        self.levels.last().and_then(|level| level.open)
    }

    /// Whether the failure is in no bracket.
    pub fn is_outermost(&self) -> bool {
        self.levels.len() == 1
    }

    /// The smallest replacement that has not been tried.
    pub fn next_patch(&self, tried: &[Patch]) -> Option<Patch> {
        for level in self.levels.iter().rev() {
            let (element_end, block) = self.extent(level);
            let start = level.element;
            if let Some(block) = block
                && level
                    .open
                    .is_some_and(|open| self.tokens[open].kind == Tok::LBrace)
                && !level.commas
            {
                let with = match self.tokens[start].kind {
                    Tok::Case | Tok::Default => Replacement::Default,
                    _ => Replacement::Condition,
                };
                let patch = Patch {
                    start,
                    end: block,
                    with,
                };
                if !tried.iter().any(|old| old.contains(&patch)) {
                    return Some(patch);
                }
            }
            let patch = Patch {
                start,
                end: element_end,
                with: Replacement::Element,
            };
            if !tried.iter().any(|old| old.contains(&patch)) {
                return Some(patch);
            }
        }
        None
    }

    /// Where the element of a level ends, and the first block in it after the failure.
    fn extent(&self, level: &Level) -> (usize, Option<usize>) {
        // Between the failure and this level are the brackets that are open there.
        let inner = self
            .levels
            .iter()
            .filter(|other| other.open > level.open)
            .count();
        let mut depth = inner;
        let mut block = None;
        for (place, token) in self.tokens.iter().enumerate().take(self.end).skip(self.at) {
            match token.kind {
                Tok::LBrace if depth == 0 => {
                    block.get_or_insert(place);
                    depth += 1;
                }
                kind if kind.closer().is_some() => depth += 1,
                kind if kind.is_closer() => {
                    if depth == 0 {
                        return (place, block);
                    }
                    depth -= 1;
                }
                Tok::Semi if depth == 0 => return (place, block),
                Tok::Comma if depth == 0 && level.commas => return (place, block),
                Tok::Case | Tok::Default if depth == 0 && place > level.element => {
                    return (place, block);
                }
                _ => {}
            }
        }
        (self.end, block)
    }
}

/// The tokens of a declaration with the patches made.
#[derive(Debug)]
pub struct Feed<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
    patches: &'a [Patch],
    queue: &'static [Tok],
    region: (u32, u32),
}

impl<'a> Feed<'a> {
    /// `patches` are in order and do not overlap.
    pub fn new(tokens: &'a [Token], start: usize, end: usize, patches: &'a [Patch]) -> Self {
        Feed {
            tokens,
            at: start,
            end,
            patches,
            queue: &[],
            region: (0, 0),
        }
    }
}

impl Iterator for Feed<'_> {
    type Item = (u32, Tok, u32);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((patch, rest)) = self.patches.split_first()
            && self.queue.is_empty()
            && patch.start == self.at
        {
            self.patches = rest;
            self.queue = stand_in(patch.with);
            self.at = patch.end;
            self.region = if patch.start < patch.end {
                (
                    self.tokens[patch.start].start,
                    self.tokens[patch.end - 1].end,
                )
            } else {
                let place = self
                    .tokens
                    .get(patch.start)
                    .map_or_else(|| self.tokens.last().map_or(0, |t| t.end), |t| t.start);
                (place, place)
            };
        }
        if let Some((kind, rest)) = self.queue.split_first() {
            self.queue = rest;
            return Some((self.region.0, *kind, self.region.1));
        }
        if self.at >= self.end {
            return None;
        }
        let token = self.tokens[self.at];
        self.at += 1;
        Some((token.start, token.kind, token.end))
    }
}
