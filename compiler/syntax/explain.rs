//! From a place where the grammar gave up to the problem a person would name.
//!
//! The grammar's own list of expected tokens is only looked at to tell whether an operand, a name, a type
//! or the end of something was missing.

mod habits;

use super::ast::temporal_hint;
use super::problem::{Expected, Found, Problem, Unexpected};
use super::repair::Repair;
use super::token::{Tok, Token};
use crate::diagnostic::did_you_mean;
use crate::source::{FileId, Span};
use crate::vocabulary::SpecKind;

/// Where the grammar gave up.
#[derive(Debug)]
pub struct Failure<'a> {
    pub file: FileId,
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// The declaration.
    pub start: usize,
    pub end: usize,
    /// The token; `end` if there should have been one more.
    pub at: usize,
}

impl<'a> Failure<'a> {
    fn kind(&self, at: usize) -> Option<Tok> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn found(&self) -> Option<Tok> {
        if self.at < self.end {
            self.kind(self.at)
        } else {
            None
        }
    }

    fn before(&self) -> Option<Tok> {
        if self.at > self.start {
            self.kind(self.at - 1)
        } else {
            None
        }
    }

    fn span(&self, at: usize) -> Span {
        let token = self.tokens[at];
        Span {
            file: self.file,
            start: token.start,
            end: token.end,
        }
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| {
            &self.text[token.start as usize..token.end as usize]
        })
    }
}

/// Says what is wrong.
pub fn explain(failure: &Failure<'_>, repair: &Repair<'_>, expected: &[String]) -> Problem {
    let context = Context {
        failure,
        repair,
        expected,
    };
    let habit = context
        .missing_operand()
        .or_else(|| context.operator_habit())
        .or_else(|| context.word_habit());
    habit.unwrap_or_else(|| context.unexpected())
}

struct Context<'a> {
    failure: &'a Failure<'a>,
    repair: &'a Repair<'a>,
    expected: &'a [String],
}

impl Context<'_> {
    fn has(&self, token: &str) -> bool {
        self.expected
            .iter()
            .any(|name| name.trim_matches('"') == token)
    }

    /// Where the statement, declaration or entry begins.
    fn first_at(&self) -> usize {
        self.repair.element()
    }

    fn first(&self) -> Option<Tok> {
        self.failure.kind(self.first_at())
    }

    /// Whether the failure is on a later line than what was read before it.
    fn on_new_line(&self) -> bool {
        let at = self.failure.at;
        at > self.failure.start && at < self.failure.end && {
            let (before, here) = (self.failure.tokens[at - 1], self.failure.tokens[at]);
            self.failure.text[before.end as usize..here.start as usize].contains('\n')
        }
    }

    fn in_specification(&self) -> bool {
        let first = self.failure.kind(self.failure.start);
        first.is_some_and(Tok::is_spec)
    }

    /// `x =` with the next statement on the next line: the grammar only gives up there, at its second token.
    fn missing_operand(&self) -> Option<Problem> {
        let failure = self.failure;
        let before = failure
            .at
            .checked_sub(2)
            .filter(|before| *before > failure.start)?;
        let goes_on = failure
            .found()
            .is_some_and(|found| found.is_assign() || found == Tok::Colon);
        let (left, right) = (failure.tokens[before], failure.tokens[before + 1]);
        let broken = !left.kind.ends_line()
            && !matches!(left.kind, Tok::Comma | Tok::LBrace | Tok::Semi | Tok::Colon)
            && failure.text[left.end as usize..right.start as usize].contains('\n');
        let expected = match left.kind {
            Tok::Dot | Tok::At | Tok::Goto | Tok::Var | Tok::Const => Expected::Name,
            _ => Expected::Expression,
        };
        (goes_on && broken).then(|| {
            Problem::Unexpected(Unexpected {
                at: failure.span(before).after(),
                found: Found::LineEnd,
                expected,
                because: None,
                hint: None,
            })
        })
    }

    /// Everything else: what was expected, what was found.
    fn unexpected(&self) -> Problem {
        let failure = self.failure;
        let expected = self.expectation();
        let missing = matches!(
            expected,
            Expected::Expression
                | Expected::Type
                | Expected::Name
                | Expected::Label
                | Expected::Path
                | Expected::EntryKind
        );
        let (at, found) = match failure.found() {
            Some(Tok::Semi) if failure.tokens[failure.at].is_virtual() => {
                (failure.span(failure.at), Found::LineEnd)
            }
            Some(_) if missing && self.on_new_line() => {
                (failure.span(failure.at - 1).after(), Found::LineEnd)
            }
            Some(Tok::Str) => (failure.span(failure.at), Found::Text),
            Some(_) => (failure.span(failure.at), Found::Token),
            None => {
                let last = failure.end >= failure.tokens.len();
                (
                    failure.span(failure.end - 1).after(),
                    if last { Found::FileEnd } else { Found::LineEnd },
                )
            }
        };
        let because = match expected {
            Expected::CommaOr(_) | Expected::Token(")" | "]" | "}") => self
                .repair
                .open()
                .map(|open| (failure.span(open), "opened here")),
            _ => None,
        };
        Problem::Unexpected(Unexpected {
            at,
            found,
            expected,
            because,
            hint: self.hint(expected),
        })
    }

    /// What was missing.
    fn expectation(&self) -> Expected {
        if self.failure.before() == Some(Tok::Case) {
            return Expected::CaseOperation;
        }
        if self.has("proc") {
            return Expected::Declaration;
        }
        if self.has("var") && self.has("if") {
            return Expected::Statement;
        }
        if self.has("!") {
            return Expected::Expression;
        }
        if self.has("channel") {
            return match self.failure.before() {
                Some(Tok::Colon) => Expected::EntryKind,
                _ if self.has("=") => Expected::Token("="),
                _ => Expected::Type,
            };
        }
        if self.has("TEXT") {
            return Expected::Path;
        }
        if self.has("case") {
            return Expected::Case;
        }
        if self.has("NAME") {
            return match self.failure.before() {
                Some(Tok::Goto) => Expected::Label,
                _ if self.has("for") => Expected::Entry,
                _ => Expected::Name,
            };
        }
        self.missing_token()
    }

    /// What was missing after something complete. Operators, selections and calls could go on as well:
    /// they are not what a person would name.
    fn missing_token(&self) -> Expected {
        let open = self.repair.open().and_then(|open| self.failure.kind(open));
        let operators = self.has("+") || self.has("<->");
        match open {
            Some(Tok::LParen) if self.has(",") => return Expected::CommaOr(")"),
            Some(Tok::LParen) if self.has(")") => return Expected::Token(")"),
            Some(Tok::LBracket) if self.has(",") => return Expected::CommaOr("]"),
            Some(Tok::LBracket) if self.has("]") => return Expected::Token("]"),
            _ => {}
        }
        if self.has("to") && !self.has("{") {
            return Expected::Token("to");
        }
        // After a name, the fields of a literal could follow as well.
        let literal = self.has(";") || self.has("}") || self.first() == Some(Tok::Const);
        if self.has("{") && !literal {
            return match self.in_specification() || self.first() == Some(Tok::Data) {
                true => Expected::Token("{"),
                false => Expected::Block,
            };
        }
        if self.has(";") {
            return if self.has(",")
                && !self.has("(")
                && self.failure.kind(self.failure.start) == Some(Tok::Init)
            {
                Expected::EndOfEntry
            } else if self.in_specification() {
                Expected::Token("}")
            } else {
                Expected::EndOfStatement
            };
        }
        if self.has(",") && self.has("}") {
            return Expected::CommaOr("}");
        }
        if self.has("}") {
            return Expected::Token("}");
        }
        if !operators {
            for token in ["(", ":", "in", "range", "@", "="] {
                if self.has(token) {
                    return Expected::Token(token);
                }
            }
        }
        if self.repair.is_outermost() {
            return Expected::EndOfDeclaration;
        }
        Expected::Nothing
    }

    /// `G p` or `p U q` where these are names.
    fn misplaced_temporal(&self) -> Option<String> {
        let at = self.failure.at;
        [at, at.wrapping_sub(1)]
            .into_iter()
            .filter(|at| self.failure.kind(*at) == Some(Tok::Ident))
            .find_map(|at| temporal_hint(self.failure.word(at)))
    }

    /// `G == x`: the letter before was meant as a name.
    fn is_letter_as_name(&self) -> bool {
        self.failure.before().is_some_and(Tok::is_temporal)
            && self.failure.found().is_some_and(Tok::is_infix)
    }

    fn hint(&self, expected: Expected) -> Option<String> {
        let failure = self.failure;
        let (first_at, first, found) = (self.first_at(), self.first(), failure.found());
        if found == Some(Tok::Semi) && failure.kind(failure.at + 1) == Some(Tok::LBrace) {
            return Some("move the `{` to the end of the line before".to_owned());
        }
        if self.in_specification()
            && let Some(hint) = self.misplaced_temporal()
        {
            return Some(hint);
        }
        // A misspelt word at the beginning of a declaration or statement.
        if first == Some(Tok::Ident) && failure.at <= first_at + 1 {
            let specs = SpecKind::ALL.into_iter().map(SpecKind::as_str);
            let words: Vec<&str> = match self.repair.is_outermost() {
                true => DECLARATIONS.iter().copied().chain(specs).collect(),
                false => STATEMENTS.to_vec(),
            };
            if let Some(word) = did_you_mean(failure.word(first_at), words) {
                return Some(format!(
                    "write `{word}` instead of `{}`",
                    failure.word(first_at)
                ));
            }
        }
        let hint = match (expected, found) {
            (Expected::CaseOperation, Some(Tok::Ident)) => {
                let word = did_you_mean(
                    failure.word(failure.at),
                    ["recv", "peek", "send", "timeout", "after"],
                )?;
                return Some(format!("write `{word}`"));
            }
            (Expected::Block, _) if first == Some(Tok::Choice) => "write `choice { .. }, { .. }`",
            (Expected::Block, _) if self.in_specification() => {
                "write the formula in braces: `{ .. }`"
            }
            (Expected::Block, _) => "put what follows in braces: `{ .. }`",
            (Expected::EndOfStatement, Some(Tok::LBrace)) if first == Some(Tok::Choice) => {
                "separate the blocks of a `choice` with commas"
            }
            (Expected::EndOfStatement | Expected::Statement, Some(Tok::Else)) => {
                "write `else` directly after the `}` of an `if`"
            }
            (Expected::EndOfStatement, Some(kind)) if !kind.is_closer() => {
                "begin the next statement on a line of its own"
            }
            (Expected::EndOfDeclaration, Some(_)) => {
                "begin the next declaration on a line of its own"
            }
            (Expected::EndOfEntry, Some(_)) => "end the entry with a comma",
            (Expected::Token("("), Some(Tok::LBrace))
                if matches!(first, Some(Tok::Proc | Tok::Module)) =>
            {
                "write `()` after the name"
            }
            (Expected::Token("("), Some(_)) if first.is_some_and(is_messaging) => {
                "put the channel and the values in parentheses"
            }
            (Expected::Token("("), Some(_)) if failure.kind(failure.start) == Some(Tok::Init) => {
                "write the arguments in parentheses, `()` if there are none"
            }
            (Expected::Token("("), Some(_))
                if matches!(failure.before(), Some(Tok::A | Tok::E)) =>
            {
                "write `A (p U q)` or `E (p U q)`"
            }
            (Expected::Token("="), Some(_)) if first == Some(Tok::Type) => {
                "write `type Name = T`, or `type Name struct { field T }`"
            }
            (Expected::Expression, Some(Tok::Range)) if first == Some(Tok::For) => {
                "write `for i in range 0 to n { .. }`"
            }
            (Expected::Expression, Some(Tok::LBrace)) if failure.before() == Some(Tok::Switch) => {
                "name what it looks at, or write `if` and `else if`"
            }
            (Expected::Token("to"), Some(_)) => "write `range 0 to n`",
            (Expected::Token(":"), Some(Tok::Ident)) => "write `:` after the name",
            (Expected::Token("@"), _) if failure.kind(failure.start) == Some(Tok::Limit) => {
                "write the faults it limits, as in `worker @shutdown`"
            }
            (Expected::Token("@"), _) if failure.kind(failure.start) == Some(Tok::Inject) => {
                "write what happens to it, as in `worker @shutdown`"
            }
            (Expected::Expression, Some(letter)) if letter.is_temporal() => {
                return Some(letter_hint(failure.word(failure.at)));
            }
            (Expected::Expression, _) if self.is_letter_as_name() => {
                return Some(letter_hint(failure.word(failure.at - 1)));
            }
            (Expected::Expression, Some(Tok::Str)) => {
                "declare the values as `data D { A, B }` and use a constructor"
            }
            (Expected::Statement, Some(Tok::Case | Tok::Default)) => {
                "write the case inside of `select { .. }`"
            }
            (Expected::Declaration, Some(Tok::Var | Tok::Durable)) => {
                "declare variables inside of a `proc`"
            }
            (Expected::Declaration, Some(_)) => {
                "write statements inside of a `proc`, and processes inside of `init`"
            }
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

/// What to do about a name that is an operator in this specification.
fn letter_hint(letter: &str) -> String {
    format!(
        "`{letter}` is an operator here: rename what is called so; a constructor can be written with its type, \
         as in `D.{letter}`"
    )
}

fn is_messaging(kind: Tok) -> bool {
    (Tok::Send as u8..=Tok::NonblockPeek as u8).contains(&(kind as u8))
}

const DECLARATIONS: &[&str] = &[
    "import",
    "data",
    "const",
    "module",
    "proc",
    "init",
    "limit",
    "inject",
    "fault",
    "view",
    "diagnosable",
];

const STATEMENTS: &[&str] = &[
    "var", "durable", "const", "if", "else", "for", "goto", "break", "continue", "return", "skip",
    "fair", "choice", "select", "case", "default", "assert", "send", "recv", "peek",
];
