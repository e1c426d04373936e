//! Text to tokens. logos finds them; this pass drops comments, puts in the semicolons that line ends
//! stand for, tells contextual words from names, and hands each token to [`Balance`].
//!
//! In: any text. Out: tokens whose brackets match, the comments in order, and the problems found.
//! Afterwards nothing nests deeper than the limits of [`super`], so the parser needs little stack.

use logos::Logos;

use super::balance::{Balance, Balanced};
use super::habit::Habit;
use super::problem::Problem;
use super::token::{Tok, Token};
use crate::source::{FileId, Span};
use crate::vocabulary::SpecKind;

/// A comment; the formatter puts it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// All of it, without the line end.
    pub span: Span,
    /// Whether it is `/* */`.
    pub block: bool,
}

/// What [`lex`] found.
#[derive(Debug)]
pub struct Lexed {
    /// The tokens, and what was wrong with them.
    pub balanced: Balanced,
    /// The comments.
    pub comments: Vec<Comment>,
}

/// Splits a text into tokens.
pub fn lex(file: FileId, text: &str) -> Lexed {
    let mut lexer = Lexer {
        file,
        text,
        comments: Vec::new(),
        balance: Balance::new(file, text),
        held: None,
        previous: None,
        newline: false,
    };
    lexer.run();
    Lexed {
        balanced: lexer.balance.finish(),
        comments: lexer.comments,
    }
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    comments: Vec<Comment>,
    balance: Balance<'a>,
    /// The last token, held back until its successor is known.
    held: Option<Token>,
    /// The kind of the token before the held one.
    previous: Option<Tok>,
    /// Whether a line ended since the held token.
    newline: bool,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        // A byte order mark is no part of the text.
        let skipped = if self.text.starts_with('\u{FEFF}') {
            3
        } else {
            0
        };
        let mut raw = Tok::lexer(&self.text[skipped..]);
        while let Some(found) = raw.next() {
            let (start, end) = (raw.span().start + skipped, raw.span().end + skipped);
            match found {
                Ok(Tok::Newline) => self.newline = true,
                Ok(kind @ (Tok::LineComment | Tok::BlockComment)) => self.comment(kind, start, end),
                Ok(kind) => self.token(kind, start, end),
                Err(()) => {
                    let end = self.unknown(start);
                    raw.bump(end - skipped - raw.span().end);
                }
            }
        }
        if let Some(held) = self.held.take() {
            self.release(held, None);
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    /// Whether a number with a point is the probability of a fault: after `p =`, in parentheses.
    fn is_probability(&self, number: &str) -> bool {
        self.held.is_some_and(|held| held.kind == Tok::Assign)
            && self.balance.in_parentheses_after("p")
            && number.parse::<f64>().is_ok()
    }

    fn comment(&mut self, kind: Tok, start: usize, end: usize) {
        let text = &self.text[start..end];
        let block = kind == Tok::BlockComment;
        if block && (text.len() < 4 || !text.ends_with("*/")) {
            self.balance.report(Problem::UnterminatedComment {
                at: self.span(start, start + 2),
            });
        }
        self.newline |= block && text.contains('\n');
        let end = start + text.trim_end_matches('\r').len();
        self.comments.push(Comment {
            span: self.span(start, end),
            block,
        });
    }

    fn token(&mut self, kind: Tok, start: usize, end: usize) {
        let at = self.span(start, end);
        let problem = match kind {
            Tok::BadNumber if !self.is_probability(&self.text[start..end]) => {
                Some(Problem::BadNumber { at })
            }
            Tok::Str if end - start == 1 || !self.text[start..end].ends_with('"') => {
                Some(Problem::UnterminatedText { at })
            }
            _ => None,
        };
        let kind = match kind {
            _ if problem.is_some() => Tok::Bad,
            Tok::Ident => {
                let spec = SpecKind::of_word(&self.text[start..end]);
                let reserved = spec.filter(|spec| spec.is_reserved());
                reserved.map_or(Tok::Ident, Tok::of_spec)
            }
            kind => kind,
        };
        problem
            .into_iter()
            .for_each(|problem| self.balance.report(problem));
        self.hold(Token {
            kind,
            start: start as u32,
            end: end as u32,
        });
    }

    /// Releases the token before, and a semicolon if a line ended between.
    fn hold(&mut self, token: Token) {
        let newline = std::mem::replace(&mut self.newline, false);
        if let Some(held) = self.held.replace(token) {
            let released = self.release(held, Some(token.kind));
            if newline && released.ends_line() && !token.kind.continues_line() {
                let semi = Token {
                    kind: Tok::Semi,
                    start: held.end,
                    end: held.end,
                };
                self.balance.push(semi, Some(token.kind));
                self.previous = Some(Tok::Semi);
            }
        }
    }

    /// Decides what a word is, now that its neighbours are known, and passes it on.
    fn release(&mut self, mut token: Token, next: Option<Tok>) -> Tok {
        if token.kind == Tok::Ident {
            let word = &self.text[token.start as usize..token.end as usize];
            let qualified = matches!(self.previous, Some(Tok::Dot | Tok::At | Tok::Is))
                || matches!(next, Some(Tok::Dot | Tok::At));
            if self.previous == Some(Tok::Case) && word == "timeout" {
                token.kind = Tok::Timeout;
            } else if self.previous == Some(Tok::Case)
                && word == "after"
                && matches!(next, Some(Tok::Ident | Tok::Int | Tok::Minus))
            {
                token.kind = Tok::After;
            } else if self.previous == Some(Tok::Channel) && word == "bag" {
                token.kind = Tok::Bag;
            } else if self.previous == Some(Tok::RBrace) && word == "overflow" {
                token.kind = Tok::Overflow;
            } else if let ("func" | "predicate", Some(Tok::Ident), true) =
                (word, next, self.balance.at_declaration())
            {
                token.kind = match word {
                    "func" => Tok::Func,
                    _ => Tok::Predicate,
                };
            } else if word == "protocol"
                && next == Some(Tok::Ident)
                && self.balance.at_declaration()
            {
                token.kind = Tok::Protocol;
            } else if word == "complete"
                && (self.previous, next) == (Some(Tok::Protocol), Some(Tok::Ident))
                && !self.on_follows(token)
            {
                token.kind = Tok::Complete;
            } else if word == "on"
                && !matches!(self.previous, Some(Tok::Protocol | Tok::Complete))
                && self.balance.in_head(Tok::Protocol)
            {
                token.kind = Tok::On;
            } else if self.begins_statement()
                && let Some(begins) = next.and_then(|next| Tok::statement_word(word, next))
            {
                token.kind = begins;
            } else if let ("count" | "sum", true) = (word, self.names_follow(token)) {
                token.kind = match word {
                    "count" => Tok::Count,
                    _ => Tok::Sum,
                };
            } else if let (Some(kind), Some(Tok::Ident | Tok::LBrace | Tok::To), true) =
                (SpecKind::of_word(word), next, self.balance.at_declaration())
            {
                token.kind = Tok::of_spec(kind);
            } else if word == "limit" && self.balance.at_declaration() {
                token.kind = Tok::Limit;
            } else if word == "inject" && self.balance.at_declaration() {
                token.kind = Tok::Inject;
            } else if let ("view" | "diagnosable", Some(Tok::Ident), true) =
                (word, next, self.balance.at_declaration())
            {
                token.kind = match word {
                    "view" => Tok::View,
                    _ => Tok::Diagnosable,
                };
            } else if word == "fault" && next == Some(Tok::Ident) && self.balance.at_declaration() {
                token.kind = Tok::Fault;
            } else if word == "type" && next == Some(Tok::Ident) && self.balance.at_declaration() {
                token.kind = Tok::Type;
            } else if word == "struct" && self.balance.after_type_name() {
                token.kind = Tok::Struct;
            } else if word == "is" && next == Some(Tok::Ident) && self.after_operand() {
                token.kind = Tok::Is;
            } else if !qualified && let Some(letter) = self.balance.letter(word) {
                token.kind = letter;
            }
        }
        self.previous = Some(token.kind);
        self.balance.push(token, next);
        token.kind
    }

    /// Whether a statement may begin here.
    fn begins_statement(&self) -> bool {
        let before = matches!(
            self.previous,
            Some(Tok::LBrace | Tok::Semi | Tok::Colon | Tok::RBrace)
        );
        before && self.balance.in_body()
    }

    /// Whether an operand has just been read, after which no name can stand.
    fn after_operand(&self) -> bool {
        matches!(
            self.previous,
            Some(Tok::Ident | Tok::Int | Tok::RParen | Tok::RBracket)
        )
    }

    /// Whether `on` stands behind a word.
    fn on_follows(&self, word: Token) -> bool {
        let rest = self.text[word.end as usize..].trim_start();
        rest.strip_prefix("on").is_some_and(|after| {
            !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        })
    }

    /// Whether `i in` or `i, j in` stands behind a word: then it counts or adds up.
    fn names_follow(&self, word: Token) -> bool {
        let mut rest = self.text[word.end as usize..].trim_start();
        loop {
            let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            if !rest.starts_with(begins) {
                return false;
            }
            rest = rest[length..].trim_start();
            let Some(more) = rest.strip_prefix(',') else {
                break;
            };
            rest = more.trim_start();
        }
        rest.strip_prefix("in").is_some_and(|after| {
            !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        })
    }

    /// Reports a character that begins no token and says where to go on. Letters outside of ASCII
    /// become a name together with the ASCII letters around them: one message, and the parser goes on.
    fn unknown(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let first = rest.chars().next().unwrap_or_default();
        if first.is_alphabetic() {
            let length = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let end = start + length;
            let begin = match self.held {
                Some(held) if held.kind == Tok::Ident && held.end as usize == start => {
                    self.held = None;
                    held.start as usize
                }
                _ => start,
            };
            self.balance.report(Problem::ForeignLetters {
                at: self.span(begin, end),
            });
            let token = Token {
                kind: Tok::Ident,
                start: begin as u32,
                end: end as u32,
            };
            if begin == start {
                self.hold(token);
            } else {
                self.held = Some(token);
            }
            return end;
        }
        let known =
            |c: char| c.is_ascii_graphic() && !matches!(c, '$' | '?' | '\\' | '`' | '\'' | '~');
        let same =
            |c: char| !(known(c) || c.is_alphanumeric() || matches!(c, ' ' | '\t' | '\r' | '\n'));
        let meant = Tok::meant_by(first);
        let length = match first {
            '~' | '?' => 1,
            _ if meant.is_some() => first.len_utf8(),
            _ => rest
                .find(|c| !same(c))
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let (end, at) = (start + length, self.span(start, start + length));
        self.balance.report(match first {
            '?' => Problem::Habit {
                at,
                habit: Habit::Ternary,
            },
            '~' => Problem::Habit {
                at,
                habit: Habit::Tilde,
            },
            _ => Problem::UnknownCharacter { at },
        });
        // Without `?` what follows makes no sense; other characters are passed over.
        let kind = if first == '?' { Some(Tok::Bad) } else { meant };
        if let Some(kind) = kind {
            self.hold(Token {
                kind,
                start: start as u32,
                end: end as u32,
            });
        }
        end
    }
}
