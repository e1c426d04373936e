//! The formatter: gofmt's habits for models.
//!
//! It works on the tokens and comments of a file that parses, and changes only what is between them: it
//! decides about spaces, indentation and separators, keeps the user's choice between one line and several,
//! and leaves comments where they are. So it cannot change what a model means, and formatting twice is
//! formatting once.
//!
//! - Four spaces per level; at most one empty line in a row, none at the beginning or end of a block.
//! - Braces that are on one line stay on one line; others begin and end with a line break.
//! - Line breaks after operators, commas and opening parentheses stay; others go. A line that goes on with
//!   another stays as far to the right of it as it was written.
//! - Entries of `init`, constructors and the faults of a `limit` end with a comma if they have lines of
//!   their own.
//! - Comments at the ends of neighbouring lines are aligned.

mod align;
mod groups;
mod marks;
mod spacing;

use groups::{Group, Groups, Kind};
use marks::Marks;
use spacing::Spacing;

use super::ast::File;
use super::lexer::Comment;
use super::token::{Tok, Token};
use crate::source::SourceFile;

/// Lays out a file that parses.
pub fn layout(source: &SourceFile, tokens: &[Token], comments: &[Comment], file: &File) -> String {
    let marks = Marks::of(file);
    let groups = Groups::of(tokens, source, &marks);
    let mut printer = Printer {
        source,
        tokens,
        groups: &groups,
        spacing: Spacing {
            tokens,
            groups: &groups,
            marks: &marks,
        },
        text: String::with_capacity(source.text.len() + source.text.len() / 4),
        open: Vec::new(),
        indent: 0,
        first: FirstLine::default(),
        last: Last::Nothing,
        last_token: None,
        end: 0,
        separated: false,
        trailing: Vec::new(),
    };
    let mut comments = comments;
    for (place, token) in tokens.iter().enumerate() {
        let count = comments
            .iter()
            .take_while(|comment| comment.span.start < token.start)
            .count();
        let (before, after) = comments.split_at(count);
        comments = after;
        // A separator goes before the line comments that stand between it and its element.
        let early = matches!(token.kind, Tok::Comma | Tok::Semi)
            && before.iter().any(|comment| !comment.block);
        if early {
            let end = printer.end;
            printer.token(place);
            printer.end = end;
        }
        before
            .iter()
            .for_each(|comment| printer.comment(comment, Some(place)));
        if !early {
            printer.token(place);
        }
    }
    comments
        .iter()
        .for_each(|comment| printer.comment(comment, None));
    printer.finish()
}

/// The columns of a level.
const LEVEL: usize = 4;

/// A line that begins with a statement, an entry, a formula or the like; other lines may go on with it.
#[derive(Clone, Copy, Default, Debug)]
struct FirstLine {
    /// The column in the source of what it begins with.
    written: usize,
    /// Its indentation in the output.
    printed: usize,
}

/// What was printed last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Nothing,
    Token,
    LineComment,
    /// A block comment at the end of what it follows.
    BlockComment,
    /// A block comment that begins a line.
    LeadingComment,
}

impl Last {
    fn is_block(self) -> bool {
        matches!(self, Last::BlockComment | Last::LeadingComment)
    }
}

/// Brackets that are open in the output.
#[derive(Clone, Copy, Debug)]
struct Open {
    group: Group,
    /// Indentation of lines inside.
    inside: usize,
    /// Indentation of the closing bracket, if it begins a line.
    outside: usize,
    /// What lines after the brackets go on with.
    around: FirstLine,
}

struct Printer<'a> {
    source: &'a SourceFile,
    tokens: &'a [Token],
    groups: &'a Groups,
    spacing: Spacing<'a>,
    text: String,
    open: Vec<Open>,
    /// Indentation of the current line.
    indent: usize,
    /// What the current line goes on with, if it is not that line itself.
    first: FirstLine,
    last: Last,
    /// The token printed last.
    last_token: Option<usize>,
    /// Where the last token or comment ends in the source, printed or not.
    end: usize,
    /// Whether an element has ended, so that the next begins a line.
    separated: bool,
    /// Where comments at line ends begin in the output.
    trailing: Vec<usize>,
}

impl Printer<'_> {
    fn kind(&self) -> Option<Kind> {
        self.open.last().map(|open| open.group.kind)
    }

    /// Whether elements of the innermost brackets have lines of their own.
    fn on_lines(&self) -> bool {
        self.open.last().is_none_or(|open| open.group.broken)
    }

    fn inside(&self) -> usize {
        self.open.last().map_or(0, |open| open.inside)
    }

    /// Indentation of a line that goes on with what the line before began, if the source does not say.
    fn continued(&self) -> usize {
        match self.kind() {
            None => LEVEL,
            Some(kind) if kind.has_lines() => self.inside() + LEVEL,
            Some(_) => self.inside(),
        }
    }

    /// How many line ends the source has before a place.
    fn line_ends_before(&self, start: usize) -> usize {
        self.source.text.as_bytes()[self.end..start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    }

    /// The column of a place in the source.
    fn written(&self, place: usize) -> usize {
        let before = &self.source.text[..place];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let widths = before[line..].chars().map(|c| match c {
            '\t' => LEVEL,
            // A byte order mark is no part of the text.
            '\u{FEFF}' => 0,
            _ => 1,
        });
        widths.sum()
    }

    /// Begins a line with something of its own, which is at a place of the source.
    fn first_line(&mut self, place: usize, indent: usize, empty_line: bool) {
        self.first = FirstLine {
            written: self.written(place),
            printed: indent,
        };
        self.new_line(indent, empty_line);
    }

    /// The indentation of a line that goes on with an earlier one: as far to the right of that as the source
    /// has it, if that is at least `least` columns.
    fn kept(&self, place: usize, least: usize) -> Option<usize> {
        let FirstLine { written, printed } = self.first;
        let right = self.written(place).checked_sub(written)?;
        // If the source's levels are not ours, less than one of ours is one of its own.
        let least = if written == printed { least } else { LEVEL };
        (right >= least).then_some(printed + right)
    }

    /// Begins a line that goes on with an earlier one; `indent` is for what the source leaves flush.
    fn next_line(&mut self, place: usize, indent: usize, empty_line: bool) {
        let kept = self.kept(place, 1);
        self.new_line(kept.unwrap_or(indent), empty_line);
    }

    fn new_line(&mut self, indent: usize, empty_line: bool) {
        if self.last == Last::Nothing {
            self.indent = indent;
            return;
        }
        self.text.push('\n');
        if empty_line {
            self.text.push('\n');
        }
        self.indent = indent;
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Whether the last token opened brackets that nothing was printed in yet, comments aside.
    fn just_opened(&self) -> bool {
        self.last_token
            .is_some_and(|last| self.tokens[last].kind.closer().is_some())
    }

    fn token(&mut self, place: usize) {
        let token = self.tokens[place];
        let breaks = self.line_ends_before(token.start as usize);
        if self.is_separator(place) {
            self.separator(place);
        } else if token.kind.is_closer() {
            self.close(place, breaks);
        } else if !self.is_superfluous(place) {
            self.before(place, breaks);
            self.print(place);
            if token.kind.closer().is_some() {
                self.open(place);
            }
        }
        self.end = token.end as usize;
        self.end_list(place);
    }

    fn print(&mut self, place: usize) {
        let token = self.tokens[place];
        self.text
            .push_str(&self.source.text[token.start as usize..token.end as usize]);
        self.last = Last::Token;
        self.last_token = Some(place);
        self.separated = false;
    }

    fn open(&mut self, place: usize) {
        let Some(group) = self.groups.at(place).copied() else {
            return;
        };
        // A block is indented relative to its statement, other brackets to the line they begin on.
        let outside = match self.open.last() {
            _ if !group.kind.has_lines() => self.indent,
            Some(open) => open.inside,
            None => 0,
        };
        self.open.push(Open {
            group,
            inside: outside + LEVEL,
            outside,
            around: self.first,
        });
    }

    fn close(&mut self, place: usize, breaks: usize) {
        let brace = self.tokens[place].kind == Tok::RBrace;
        let Some(open) = self.open.pop() else { return };
        self.first = open.around;
        let own_line = if brace { open.group.broken } else { breaks > 0 };
        if brace && own_line {
            self.new_line(open.outside, false);
        } else if own_line || self.last == Last::LineComment {
            let start = self.tokens[place].start as usize;
            let indent = self.kept(start, 0).unwrap_or(open.outside);
            self.new_line(indent, false);
        } else if self.last.is_block() {
            self.text.push_str(if brace { " " } else { "" });
        } else if let Some(before) = self.last_token
            && self.spacing.between(before, place, None)
        {
            self.text.push(' ');
        }
        self.print(place);
    }

    /// Whether a token separates elements that may have lines of their own.
    fn is_separator(&self, place: usize) -> bool {
        match self.tokens[place].kind {
            Tok::Semi => true,
            Tok::Comma => self.kind() == Some(Kind::Entries),
            _ => false,
        }
    }

    /// Whether a token is a comma directly before a closing bracket on the same line.
    fn is_superfluous(&self, place: usize) -> bool {
        let (token, next) = (self.tokens[place], self.tokens.get(place + 1));
        let braces = self.open.last().is_some_and(|open| open.group.broken);
        token.kind == Tok::Comma
            && !braces
            && next.is_some_and(|next| {
                next.kind.is_closer()
                    && !self.source.text[token.end as usize..next.start as usize].contains('\n')
            })
    }

    /// Whether nothing but separators stands between a token and the closing bracket.
    fn is_last(&self, place: usize) -> bool {
        let rest = self.tokens[place + 1..]
            .iter()
            .find(|token| !matches!(token.kind, Tok::Semi | Tok::Comma));
        rest.is_none_or(|token| token.kind.is_closer())
    }

    fn separator(&mut self, place: usize) {
        let nothing_yet = self.just_opened() || self.last == Last::Nothing;
        let entries = self.kind() == Some(Kind::Entries);
        if nothing_yet || self.separated || self.kind() == Some(Kind::Cases) {
            // Nothing to separate.
        } else if entries && self.on_lines() {
            self.text
                .push_str(if self.ends_replication() { "" } else { "," });
        } else if !self.is_last(place) {
            // A line end is enough, but not after everything.
            let line_end = self
                .last_token
                .is_some_and(|last| self.tokens[last].kind.ends_line());
            self.text.push_str(match self.on_lines() && line_end {
                true => "",
                false if entries => ",",
                false => ";",
            });
        }
        self.separated |= !nothing_yet;
    }

    /// Whether the last token closed the entries of a `for`.
    fn ends_replication(&self) -> bool {
        self.last_token.is_some_and(|last| {
            self.tokens[last].kind == Tok::RBrace
                && self
                    .groups
                    .at(last)
                    .is_some_and(|group| group.kind == Kind::Entries)
        })
    }

    /// Puts a comma behind the last element of a list on several lines.
    fn end_list(&mut self, place: usize) {
        let Some(open) = self.open.last() else { return };
        let wants = matches!(open.group.kind, Kind::Entries | Kind::List | Kind::Literal)
            && open.group.broken;
        let ends = open.group.close == place + 1
            && !self.just_opened()
            && !self.separated
            && self.tokens[place].kind != Tok::Comma
            && !(open.group.kind == Kind::Entries && self.ends_replication());
        if wants && ends {
            self.text.push(',');
        }
    }

    /// Line break or space before a token that is no closing bracket.
    fn before(&mut self, place: usize, breaks: usize) {
        let token = self.tokens[place];
        let start = token.start as usize;
        if self.last == Last::LeadingComment && breaks == 0 {
            return self
                .text
                .push_str(if token.kind == Tok::Comma { "" } else { " " });
        }
        let Some(before) = self.last_token else {
            return self.first_line(start, 0, breaks > 1);
        };
        let element = self.separated
            || (matches!(token.kind, Tok::Case | Tok::Default | Tok::For)
                && self.kind() == Some(Kind::Cases));
        let forced = self.last == Last::LineComment;
        if self.just_opened() {
            let brace = self.tokens[before].kind == Tok::LBrace;
            let broken = match self.open.last() {
                Some(open) if brace => open.group.broken,
                _ => breaks > 0,
            };
            let empty_line = self.last != Last::Token && breaks > 1;
            if brace && (broken || forced) {
                return self.first_line(start, self.inside(), empty_line);
            }
            if broken || forced {
                return self.next_line(start, self.inside(), empty_line);
            }
        } else if element && self.on_lines() {
            return self.first_line(start, self.inside(), breaks > 1);
        } else if token.kind == Tok::Else && !forced && self.last == Last::Token {
            return self.text.push(' ');
        } else if forced || (breaks > 0 && (self.last.is_block() || self.may_break(before))) {
            let flush = token.kind == Tok::Else
                || (self.tokens[before].kind == Tok::Colon && self.kind() == Some(Kind::Block))
                || (self.tokens[before].kind == Tok::Comma && self.lists_elements());
            return match flush {
                true => self.first_line(start, self.inside(), false),
                false => self.next_line(start, self.continued(), false),
            };
        }
        let space = match self.last {
            Last::BlockComment => !matches!(token.kind, Tok::Comma | Tok::Colon),
            _ if element => true,
            _ => self.spacing.between(before, place, self.kind()),
        };
        if space {
            self.text.push(' ');
        }
    }

    /// Whether commas of the innermost brackets separate elements that may have lines of their own.
    fn lists_elements(&self) -> bool {
        matches!(self.kind(), Some(Kind::List | Kind::Fields | Kind::Literal))
    }

    /// Whether the user's line break after a token stays.
    fn may_break(&self, before: usize) -> bool {
        let kind = self.tokens[before].kind;
        match kind {
            Tok::Comma if self.kind() == Some(Kind::Block) => {
                // Between the blocks of a `choice`.
                let block = before
                    .checked_sub(1)
                    .and_then(|block| self.groups.at(block));
                block.is_some_and(|block| !block.broken)
            }
            Tok::Comma | Tok::Colon => true,
            _ => kind.is_infix() || kind.is_assign(),
        }
    }

    fn comment(&mut self, comment: &Comment, next: Option<usize>) {
        let start = comment.span.start as usize;
        let breaks = self.line_ends_before(start);
        let begins = self.last == Last::Nothing || breaks > 0 || self.last == Last::LineComment;
        if begins {
            let next = next.map(|next| self.tokens[next].kind);
            let flush = self.separated
                || self.last_token.is_none()
                || self.just_opened()
                || self.lists_elements()
                || matches!(next, None | Some(Tok::Else | Tok::Case | Tok::Default))
                || next.is_some_and(Tok::is_closer);
            let empty_line = breaks > 1 && !(self.just_opened() && self.last == Last::Token);
            match flush {
                true if self.kind() != Some(Kind::Plain) => {
                    self.first_line(start, self.inside(), empty_line);
                }
                true => self.next_line(start, self.inside(), empty_line),
                false => self.next_line(start, self.continued(), empty_line),
            }
        } else {
            let tight = matches!(self.last, Last::Token)
                && self.last_token.is_some_and(|last| {
                    matches!(self.tokens[last].kind, Tok::LParen | Tok::LBracket)
                });
            if !comment.block {
                self.trailing.push(self.text.len());
            }
            if !tight {
                self.text.push(' ');
            }
        }
        let text = &self.source.text[comment.span.range()];
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.text.push('\n');
            }
            self.text.push_str(line.trim_end());
        }
        self.last = match (comment.block, begins || self.last == Last::LeadingComment) {
            (false, _) => Last::LineComment,
            (true, false) => Last::BlockComment,
            (true, true) => Last::LeadingComment,
        };
        self.end = comment.span.end as usize;
    }

    fn finish(mut self) -> String {
        if self.last != Last::Nothing {
            self.text.push('\n');
        }
        align::align(&self.text, &self.trailing)
    }
}
