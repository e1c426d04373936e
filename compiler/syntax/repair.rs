//! Which tokens to replace after a failure, and the token stream with the replacements made.

use std::cell::Cell;
use std::ops::Range;

use super::parser::stand_in;
use super::token::{Tok, Token};

/// What stands in for tokens that did not parse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Replacement {
    /// Nothing: the tokens are passed over.
    Nothing,
    /// A missing semicolon.
    Semicolon,
    /// A keyword in the place of a name.
    Name,
    /// The same at the end of a statement.
    LastName,
    /// A statement without its end, before one that begins on the next line.
    Statement,
    /// The head of a block: its statements are still parsed.
    Condition,
    /// The head of a case.
    Case,
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

    /// Whether nothing of what the user wrote is lost.
    pub fn is_mild(&self) -> bool {
        matches!(
            self.with,
            Replacement::Nothing | Replacement::Name | Replacement::LastName
        )
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
    /// Whether its elements are the cases of a `select`.
    cases: bool,
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
    /// How many tokens were looked at.
    work: Cell<usize>,
}

impl<'a> Repair<'a> {
    /// Finds the elements of the declaration `range` around `at`; `patches` have been made already.
    pub fn new(tokens: &'a [Token], range: Range<usize>, at: usize, patches: &[Patch]) -> Self {
        let mut repair = Repair {
            tokens,
            end: range.end,
            at,
            levels: vec![Level {
                open: None,
                commas: false,
                cases: false,
                element: range.start,
                channel: false,
            }],
            work: Cell::new(at - range.start),
        };
        let mut patches = patches.iter().peekable();
        let mut place = range.start;
        while place < at || patches.peek().is_some_and(|patch| patch.end == at) {
            let Some(patch) = patches.next_if(|patch| patch.start <= place && patch.end <= at)
            else {
                repair.read(place);
                place += 1;
                continue;
            };
            place = patch.end;
            let ends = matches!(
                patch.with,
                Replacement::Semicolon | Replacement::Statement | Replacement::LastName
            );
            if let Some(level) = repair.levels.last_mut().filter(|_| ends) {
                level.element = place;
            }
        }
        repair
    }

    /// Takes a token before the failure into account.
    fn read(&mut self, place: usize) {
        let kind = self.tokens[place].kind;
        let top = self.levels.len() - 1;
        let level = &mut self.levels[top];
        if kind.closer().is_some() {
            let first = self.tokens[level.element].kind;
            let commas = kind != Tok::LBrace
                || level.channel
                || matches!(
                    first,
                    Tok::Data | Tok::Limit | Tok::Init | Tok::Inject | Tok::View | Tok::Diagnosable
                )
                || (first == Tok::For && level.commas);
            let replicated = level.cases && kind == Tok::LBrace && first == Tok::For;
            let selects = place > 0 && self.tokens[place - 1].kind == Tok::Select;
            self.levels.push(Level {
                open: Some(place),
                commas,
                cases: selects || replicated,
                element: place + 1,
                channel: false,
            });
        } else if kind.is_closer() && top > 0 {
            self.levels.pop();
            self.levels[top - 1].channel &= kind == Tok::RBracket;
        } else {
            level.channel = kind == Tok::Channel || (level.channel && kind == Tok::Bag);
            match kind {
                Tok::Semi => level.element = place + 1,
                Tok::Comma if level.commas => level.element = place + 1,
                Tok::Case | Tok::Default | Tok::For if level.cases => level.element = place,
                _ => {}
            }
        }
    }

    /// Where the innermost element of a block begins: a statement, an entry, a declaration.
    pub fn element(&self) -> usize {
        let block = self.levels.iter().rev().find(|level| match level.open {
            Some(open) => self.tokens[open].kind == Tok::LBrace,
            None => true,
        });
        block.map_or(0, |level| level.element)
    }

    /// Where the innermost element begins, be it an argument; failures of one are reported once.
    pub fn innermost(&self) -> usize {
        self.levels.last().map_or(0, |level| level.element)
    }

    /// The innermost open bracket.
    pub fn open(&self) -> Option<usize> {
        self.levels.last().and_then(|level| level.open)
    }

    /// All open brackets.
    pub fn open_brackets(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().filter_map(|level| level.open)
    }

    /// The elements before the failure in all blocks around it, but for what `patch` replaces.
    pub fn skips(&self, patch: &Patch) -> Vec<Patch> {
        let blocks = self.levels.iter().filter_map(|level| {
            let open = level.open?;
            (self.tokens[open].kind == Tok::LBrace && open < patch.start)
                .then_some((open + 1, level.element))
        });
        blocks
            .map(|(start, end)| Patch {
                start,
                end,
                with: Replacement::Nothing,
            })
            .collect()
    }

    /// Whether the failure is in no bracket.
    pub fn is_outermost(&self) -> bool {
        self.levels.len() == 1
    }

    /// Ends a statement or entry before a place on the innermost level.
    pub fn cut(&self, end: usize) -> Option<Patch> {
        let level = self.levels.last()?;
        let block = level
            .open
            .is_some_and(|open| self.tokens[open].kind == Tok::LBrace);
        (block && !level.cases && level.element < end).then_some(Patch {
            start: level.element,
            end,
            with: Replacement::Statement,
        })
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
                    Tok::Case | Tok::Default => Replacement::Case,
                    _ => Replacement::Condition,
                };
                let patch = Patch {
                    start,
                    end: block,
                    with,
                };
                // One try for the head; after that the whole.
                if !tried
                    .iter()
                    .any(|old| old.start == start && old.with >= with)
                {
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

    /// The head of `for i = 0; i < n; i++ {`, semicolons and all.
    pub fn counting_loop(&self) -> Option<Patch> {
        let level = self.levels.last()?;
        let rest = &self.tokens[self.at..self.end];
        let head = rest
            .iter()
            .take(40)
            .position(|token| token.kind == Tok::LBrace)?;
        let semicolons = rest[..head]
            .iter()
            .filter(|token| token.kind == Tok::Semi && !token.is_virtual());
        (semicolons.count() == 2).then_some(Patch {
            start: level.element,
            end: self.at + head,
            with: Replacement::Condition,
        })
    }

    /// How many tokens had to be looked at so far.
    pub fn work(&self) -> usize {
        self.work.get()
    }

    /// Where the element of a level ends, and the first block in it after the failure.
    fn extent(&self, level: &Level) -> (usize, Option<usize>) {
        // Between the failure and this level are the brackets that are open there.
        let mut depth = self
            .levels
            .iter()
            .filter(|other| other.open > level.open)
            .count();
        let mut block = None;
        let mut end = self.end;
        for (place, token) in self.tokens.iter().enumerate().take(self.end).skip(self.at) {
            let ends = match token.kind {
                Tok::Semi => true,
                Tok::Comma => level.commas,
                Tok::Case | Tok::Default | Tok::For => level.cases && place > level.element,
                kind => kind.is_closer(),
            };
            if depth == 0 && ends {
                end = place;
                break;
            }
            if token.kind == Tok::LBrace && depth == 0 {
                block.get_or_insert(place);
            }
            depth += usize::from(token.kind.closer().is_some());
            depth -= usize::from(token.kind.is_closer());
        }
        self.work.set(self.work.get() + end - self.at);
        (end, block)
    }
}

/// Patches in order, without those in what is passed over.
pub fn merged(patches: &[Patch], skips: &[Patch]) -> Vec<Patch> {
    let skipped = |patch: &&Patch| {
        !skips
            .iter()
            .any(|skip| skip.start <= patch.start && patch.start < skip.end)
    };
    let mut all: Vec<Patch> = patches.iter().filter(skipped).copied().collect();
    all.extend(skips);
    all.sort_by_key(|patch| (patch.start, patch.end));
    all
}

/// The tokens of a declaration with the patches made.
#[derive(Debug)]
pub struct Feed<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
    patches: std::iter::Peekable<std::vec::IntoIter<Patch>>,
    queue: &'static [Tok],
    region: (u32, u32),
}

impl<'a> Feed<'a> {
    /// `patches` are in order and do not overlap.
    pub fn new(tokens: &'a [Token], range: Range<usize>, patches: Vec<Patch>) -> Self {
        let patches = patches.into_iter().peekable();
        Feed {
            tokens,
            at: range.start,
            end: range.end,
            patches,
            queue: &[],
            region: (0, 0),
        }
    }

    fn apply(&mut self, patch: Patch) {
        self.queue = stand_in(patch.with);
        self.at = patch.end;
        self.region = if patch.start < patch.end {
            (
                self.tokens[patch.start].start,
                self.tokens[patch.end - 1].end,
            )
        } else {
            let before = patch
                .start
                .checked_sub(1)
                .map_or(0, |before| self.tokens[before].end);
            (before, before)
        };
    }
}

impl Iterator for Feed<'_> {
    type Item = (u32, Tok, u32);

    fn next(&mut self) -> Option<Self::Item> {
        while self.queue.is_empty() {
            match self.patches.next_if(|patch| patch.start <= self.at) {
                Some(patch) => self.apply(patch),
                None => break,
            }
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
