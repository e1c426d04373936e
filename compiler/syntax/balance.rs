//! Makes brackets match and keeps nesting within bounds, token by token.
//!
//! A missing bracket is put in (as an empty token), a stray one is dropped, and what nests too deep
//! becomes one [`Tok::Bad`]; each is reported once. A keyword that only begins a declaration closes
//! whatever an earlier declaration left open, so one forgotten `}` does not spoil the rest of a file.

use super::problem::Problem;
use super::token::{Tok, Token};
use super::{MAX_BRACKETS, MAX_ERRORS, MAX_HEIGHT};
use crate::source::{FileId, Span};

/// How many operators an expression may have without a comma: a chain that is
/// refused in the end need not be parsed first.
const MAX_OPERATORS: usize = MAX_HEIGHT * MAX_HEIGHT / 4;

/// Which temporal letters are operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letters {
    None,
    Ltl,
    Ctl,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
struct Group {
    open: Token,
    closer: Tok,
    letters: Letters,
    /// Whether it is the body of a module.
    module: bool,
    /// The first token of the declaration or statement it is in.
    first: Option<Tok>,
    /// How much of the height limit was used up before it.
    height: usize,
    /// Consecutive `[..]` before it, itself included.
    row: usize,
    /// The first line end in it, of parentheses and square brackets: where they should have ended.
    line_end: Option<Token>,
}

/// What [`Balance`] collected.
#[derive(Debug)]
pub struct Balanced {
    /// The tokens; brackets match.
    pub tokens: Vec<Token>,
    /// Where parentheses and square brackets begin that were not closed, in order.
    pub unclosed: Vec<u32>,
    /// What was wrong, at most one more than [`MAX_ERRORS`].
    pub problems: Vec<Problem>,
}

/// Collects tokens; see the module's documentation.
pub struct Balance<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    problems: Vec<Problem>,
    groups: Vec<Group>,
    /// Where parentheses and square brackets begin that are not closed.
    unclosed: Vec<u32>,
    /// The kind of the first token of the current declaration or statement.
    first: Option<Tok>,
    /// Prefix operators, right-associative operators, labels and `else if`s in the current piece and
    /// around it: what the parser has to keep on its stack.
    height: usize,
    /// Operators between operands in the current piece, brackets included.
    operators: usize,
    /// Consecutive `[..]` up to here.
    row: usize,
    /// Brackets open beyond the limit.
    ignored: usize,
    /// Whether the rest of the current piece is dropped, because it is too high.
    dropping: bool,
}

impl<'a> Balance<'a> {
    pub fn new(file: FileId, text: &'a str) -> Self {
        Balance {
            file,
            text,
            tokens: Vec::new(),
            problems: Vec::new(),
            groups: Vec::new(),
            unclosed: Vec::new(),
            first: None,
            height: 0,
            operators: 0,
            row: 0,
            ignored: 0,
            dropping: false,
        }
    }

    /// Notes a problem, unless there are too many.
    pub fn report(&mut self, problem: Problem) {
        // One more than is shown, so that the parser knows there were more.
        if self.problems.len() <= MAX_ERRORS {
            self.problems.push(problem);
        }
    }

    /// Whether a declaration begins with the next token.
    pub fn at_declaration(&self) -> bool {
        self.ignored == 0
            && self.groups.last().is_none_or(|group| group.module)
            && self
                .tokens
                .last()
                .is_none_or(|last| matches!(last.kind, Tok::Semi | Tok::LBrace))
    }

    /// Whether this word has just been read, in parentheses.
    pub fn in_parentheses_after(&self, word: &str) -> bool {
        let is_word = |token: &Token| {
            token.kind == Tok::Ident && &self.text[token.start as usize..token.end as usize] == word
        };
        (self.groups.last()).is_some_and(|group| group.closer == Tok::RParen)
            && self.tokens.last().is_some_and(is_word)
    }

    /// Whether statements may stand here: not in `init`, not in a formula, not in a list of names.
    pub fn in_body(&self) -> bool {
        let outermost = self.groups.iter().find(|group| !group.module);
        self.groups
            .last()
            .is_some_and(|group| group.closer == Tok::RBrace)
            && outermost.is_some_and(|group| {
                matches!(group.first, Some(Tok::Proc | Tok::Func | Tok::Protocol))
            })
    }

    /// Whether this is a declaration that begins with a word, before its first bracket.
    pub fn in_head(&self, word: Tok) -> bool {
        self.ignored == 0
            && self.groups.last().is_none_or(|group| group.module)
            && self.first == Some(word)
    }

    /// Whether a name of a type has just been declared.
    pub fn after_type_name(&self) -> bool {
        let mut last = self.tokens.iter().rev().map(|token| token.kind);
        self.ignored == 0 && last.next() == Some(Tok::Ident) && last.next() == Some(Tok::Type)
    }

    /// The temporal operator that a word is here.
    pub fn letter(&self, word: &str) -> Option<Tok> {
        match self.groups.last()?.letters {
            Letters::None => None,
            Letters::Ltl => Tok::ltl_letter(word),
            Letters::Ctl => Tok::ctl_letter(word),
        }
    }

    /// Takes the next token.
    pub fn push(&mut self, token: Token, next: Option<Tok>) {
        if begins_declaration(token.kind, next) {
            self.close_declaration(token);
        }
        if self.ignored > 0 {
            self.ignored += usize::from(token.kind.closer().is_some());
            self.ignored -= usize::from(token.kind.is_closer());
            return;
        }
        if token.kind.closer().is_some() {
            self.open(token);
        } else if token.kind.is_closer() {
            self.close(token);
        } else {
            if token.kind == Tok::Semi {
                self.line_end(token, next);
            }
            self.plain(token, next);
        }
    }

    /// A semicolon inside of parentheses is always wrong. If a statement follows, a bracket is missing.
    fn line_end(&mut self, semi: Token, next: Option<Tok>) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        if group.closer == Tok::RBrace {
            return;
        }
        group.line_end.get_or_insert(semi);
        if next.is_some_and(Tok::begins_statement) {
            let block = self
                .groups
                .iter()
                .rposition(|group| group.closer == Tok::RBrace);
            self.close_down_to(block.map_or(0, |block| block + 1), semi);
        }
    }

    /// Closes what is open.
    pub fn finish(mut self) -> Balanced {
        let end = self.text.len() as u32;
        self.ignored = 0;
        self.close_down_to(
            0,
            Token {
                kind: Tok::Bad,
                start: end,
                end,
            },
        );
        self.unclosed.sort_unstable();
        Balanced {
            tokens: self.tokens,
            unclosed: self.unclosed,
            problems: self.problems,
        }
    }

    fn span(&self, token: Token) -> Span {
        Span {
            file: self.file,
            start: token.start,
            end: token.end,
        }
    }

    fn emit(&mut self, token: Token) {
        let begins = self.tokens.last().is_none_or(|last| {
            matches!(last.kind, Tok::Semi | Tok::LBrace)
                || (last.kind == Tok::RBrace && self.groups.is_empty())
        });
        if begins {
            self.first = Some(token.kind);
        }
        self.tokens.push(token);
    }

    fn open(&mut self, token: Token) {
        if self.dropping {
            self.ignored += 1;
            return;
        }
        if self.groups.len() >= MAX_BRACKETS {
            self.report(Problem::TooManyBrackets {
                at: self.span(token),
            });
            self.emit(Token {
                kind: Tok::Bad,
                ..token
            });
            self.ignored = 1;
            return;
        }
        let row = match self.tokens.last() {
            Some(last) if last.kind == Tok::RBracket && token.kind == Tok::LBracket => self.row + 1,
            _ => 0,
        };
        if row > MAX_HEIGHT {
            self.too_high(token);
            self.ignored += 1;
            return;
        }
        let letters = match self.groups.last() {
            Some(group) if group.letters != Letters::None => group.letters,
            _ if token.kind == Tok::LBrace => self.spec_letters(),
            _ => Letters::None,
        };
        let module = token.kind == Tok::LBrace
            && self.first == Some(Tok::Module)
            && self.groups.last().is_none_or(|group| group.module);
        self.groups.push(Group {
            open: token,
            closer: token.kind.closer().unwrap_or(Tok::RBrace),
            letters,
            module,
            first: self.first,
            height: self.height,
            row,
            line_end: None,
        });
        self.emit(token);
    }

    /// The letters of the block that a `{` opens: of `ltl {` and `ltl name {`.
    fn spec_letters(&self) -> Letters {
        let mut before = self.tokens.iter().rev().map(|token| token.kind);
        let keyword = match before.next() {
            Some(Tok::Ident) => before.next(),
            other => other,
        };
        match keyword {
            Some(Tok::LinearSpec) => Letters::Ltl,
            Some(Tok::BranchingSpec) => Letters::Ctl,
            _ => Letters::None,
        }
    }

    fn close(&mut self, token: Token) {
        self.dropping = false;
        match self
            .groups
            .iter()
            .rposition(|group| group.closer == token.kind)
        {
            // `( .. }`: the `(` was forgotten, unless a `}` inside of parentheses is the slip.
            Some(at) => {
                self.close_down_to(at + 1, token);
                if let Some(group) = self.groups.pop() {
                    self.leave(group, token);
                }
            }
            None => {
                self.report(Problem::StrayCloser {
                    at: self.span(token),
                });
                // In the place of an operand it stands for one, or its absence would be another error.
                if !self
                    .tokens
                    .last()
                    .is_some_and(|last| last.kind.ends_operand())
                {
                    self.emit(Token {
                        kind: Tok::Bad,
                        ..token
                    });
                }
            }
        }
    }

    /// Puts in the brackets that are missing before `at`; the innermost is reported.
    fn close_down_to(&mut self, depth: usize, at: Token) {
        let mut reported = false;
        let last = self.tokens.last().map_or(0, |last| last.end);
        let on_new_line = self.text[last as usize..at.start as usize].contains('\n');
        let line_end = Token {
            kind: Tok::Semi,
            start: last,
            end: last,
        };
        while self.groups.len() > depth {
            let Some(group) = self.groups.pop() else {
                break;
            };
            if !std::mem::replace(&mut reported, true) {
                let mut at = group.line_end.unwrap_or(at);
                if group.closer != Tok::RBrace {
                    self.unclosed.push(group.open.start);
                    if on_new_line && group.line_end.is_none() {
                        at = line_end;
                    }
                }
                self.report(Problem::Unclosed {
                    open: self.span(group.open),
                    at: self.span(at),
                    closer: group.closer.text().unwrap_or_default(),
                });
            }
            let end = self.tokens.last().map_or(0, |last| last.end);
            self.leave(
                group,
                Token {
                    kind: group.closer,
                    start: end,
                    end,
                },
            );
        }
    }

    fn leave(&mut self, group: Group, closer: Token) {
        self.emit(closer);
        self.first = group.first;
        self.height = group.height;
        self.row = group.row;
    }

    /// At a keyword that begins a declaration on a line of its own: nothing but modules can be open.
    fn close_declaration(&mut self, token: Token) {
        let modules = self.groups.iter().take_while(|group| group.module).count();
        let end = self.tokens.last().map_or(0, |last| last.end);
        if self.groups.len() == modules
            || !self.text[end as usize..token.start as usize].contains('\n')
        {
            return;
        }
        self.ignored = 0;
        self.dropping = false;
        self.close_down_to(modules, token);
        self.emit(Token {
            kind: Tok::Semi,
            start: end,
            end,
        });
        self.height = self.groups.last().map_or(0, |group| group.height);
    }

    fn plain(&mut self, token: Token, next: Option<Tok>) {
        if matches!(token.kind, Tok::Semi | Tok::Comma) {
            self.dropping = false;
            self.height = self.groups.last().map_or(0, |group| group.height);
            self.operators = 0;
        }
        if self.dropping {
            return;
        }
        let prefix = || {
            !self
                .tokens
                .last()
                .is_some_and(|last| last.kind.ends_operand())
        };
        let rises = match token.kind {
            Tok::Not | Tok::Implies | Tok::Colon => true,
            Tok::Minus => prefix(),
            Tok::Else => next == Some(Tok::If),
            kind => kind.is_temporal(),
        };
        self.height += usize::from(rises);
        self.operators += usize::from(token.kind.is_infix());
        if self.height > MAX_HEIGHT || self.operators > MAX_OPERATORS {
            self.too_high(token);
        } else {
            self.emit(token);
        }
    }

    fn too_high(&mut self, token: Token) {
        self.report(Problem::TooHigh {
            at: self.span(token),
        });
        self.emit(Token {
            kind: Tok::Bad,
            ..token
        });
        self.dropping = true;
    }
}

/// Whether a token and its successor can only be the beginning of a declaration.
fn begins_declaration(kind: Tok, next: Option<Tok>) -> bool {
    match kind {
        Tok::Data
        | Tok::Type
        | Tok::Module
        | Tok::Proc
        | Tok::Func
        | Tok::Predicate
        | Tok::Fault
        | Tok::View
        | Tok::Diagnosable => next == Some(Tok::Ident),
        Tok::Protocol => matches!(next, Some(Tok::Ident | Tok::Complete)),
        Tok::Import => next == Some(Tok::Str),
        Tok::Init => next == Some(Tok::LBrace),
        kind => kind.is_spec() && matches!(next, Some(Tok::LBrace | Tok::Ident)),
    }
}
