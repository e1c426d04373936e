//! From a place where the grammar gave up to the problem a person would name.
//!
//! The grammar's own list of expected tokens is only looked at to tell whether an operand, a name, a type
//! or the end of something was missing.

use super::ast::temporal_hint;
use super::habit::Habit;
use super::problem::{Expected, Found, Problem, Unexpected};
use super::repair::Repair;
use super::token::{Tok, Token};
use crate::diagnostic::did_you_mean;
use crate::source::{FileId, Span};

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

    /// Operators of other languages, and `=` in places where it is one.
    fn operator_habit(&self) -> Option<Problem> {
        let failure = self.failure;
        let at = failure.at;
        let here = failure.found().map(|_| failure.span(at))?;
        let first_at = self.first_at();
        let declared = match self.first() {
            Some(Tok::Var) => first_at + 2,
            Some(Tok::Durable) => first_at + 3,
            _ => usize::MAX,
        };
        let habit = match failure.found()? {
            Tok::ColonAssign if failure.kind(failure.start) == Some(Tok::Init) => {
                Habit::DeclareEntry
            }
            Tok::ColonAssign => Habit::Declare,
            Tok::PlusPlus => Habit::Increment,
            Tok::FatArrow => Habit::FatArrow,
            Tok::EqEqEq => Habit::TripleEquals,
            Tok::Assign if at == declared => {
                return Some(Problem::MissingType {
                    at: here,
                    name: failure.span(at - 1),
                });
            }
            Tok::Assign if self.first() == Some(Tok::For) => Habit::CountingLoop,
            Tok::Assign if failure.before().is_some_and(Tok::ends_operand) && self.compares() => {
                Habit::AssignInCondition
            }
            Tok::Colon if self.has("channel") => Habit::TypeColon,
            _ => return self.decrement().or_else(|| self.broken_line()),
        };
        Some(Problem::Habit { at: here, habit })
    }

    /// Whether an expression that is a condition is being read.
    fn compares(&self) -> bool {
        matches!(self.first(), Some(Tok::If | Tok::Assert | Tok::Case))
            || self.in_specification()
            || self.repair.open().and_then(|open| self.failure.kind(open)) == Some(Tok::LParen)
    }

    fn in_specification(&self) -> bool {
        matches!(
            self.failure.kind(self.failure.start),
            Some(Tok::Ltl | Tok::Ctl | Tok::Invariant | Tok::Reachable | Tok::Assume)
        )
    }

    /// `x--`
    fn decrement(&self) -> Option<Problem> {
        let at = self.failure.at;
        let minus = |at: usize| self.failure.kind(at) == Some(Tok::Minus);
        let ends =
            matches!(self.failure.found(), Some(Tok::Semi | Tok::RBrace)) || self.on_new_line();
        (ends && at >= 2 && minus(at - 1) && minus(at - 2)).then(|| Problem::Habit {
            at: self.failure.span(at - 2).to(self.failure.span(at - 1)),
            habit: Habit::Decrement,
        })
    }

    /// A line that begins with an operator: either the line end was refused, or it ended a statement.
    fn broken_line(&self) -> Option<Problem> {
        let failure = self.failure;
        let line_end = [failure.at, failure.at.wrapping_sub(1)]
            .into_iter()
            .find(|at| {
                failure
                    .tokens
                    .get(*at)
                    .is_some_and(|token| token.kind == Tok::Semi && token.is_virtual())
            })?;
        let next = failure.kind(line_end + 1)?;
        let goes_on = next.is_infix() || next.is_assign() || matches!(next, Tok::Dot | Tok::Colon);
        (goes_on && next != Tok::Minus).then(|| Problem::BrokenLine {
            operator: failure.span(line_end + 1),
            line_end: failure.span(line_end),
        })
    }

    /// Words of other languages, and keywords used as names.
    fn word_habit(&self) -> Option<Problem> {
        let failure = self.failure;
        let at = failure.at;
        let first_at = self.first_at();
        let problem = |at: usize, habit: Option<Habit>| {
            let is_name = failure.kind(at) == Some(Tok::Ident);
            habit.filter(|_| is_name).map(|habit| Problem::Habit {
                at: failure.span(at),
                habit,
            })
        };
        if at <= first_at + 1
            && let found @ Some(_) = problem(first_at, Habit::beginning(failure.word(first_at)))
        {
            return found;
        }
        if let found @ Some(_) = problem(at, Habit::joining(failure.word(at))) {
            return found;
        }
        if let Some(before) = at.checked_sub(1).filter(|before| *before >= failure.start) {
            let word = failure.word(before);
            let habit = Habit::typing(word)
                .or_else(|| Habit::joining(word).filter(|_| failure.found() != Some(Tok::Semi)));
            if let found @ Some(_) = problem(before, habit) {
                return found;
            }
        }
        self.is_keyword_as_name().then(|| Problem::KeywordAsName {
            at: failure.span(at),
        })
    }

    fn is_keyword_as_name(&self) -> bool {
        let failure = self.failure;
        let next_at = failure.at + 1;
        if !failure.found().is_some_and(Tok::is_keyword) || self.has("case") {
            return false;
        }
        let next = failure.kind(next_at).filter(|_| next_at < failure.end);
        if self.has("for") {
            // At the beginning of a statement or an entry.
            return next.is_some_and(|next| next == Tok::Colon || next.is_assign());
        }
        if self.on_new_line() {
            return false;
        }
        if self.has("!") {
            // Among operands: only if it stands where a name would, alone.
            let last = next.is_none_or(|next| !next.continues_line()) && self.ends_line(failure.at);
            let alone = |next: Tok| {
                next.is_infix()
                    || next.is_closer()
                    || matches!(next, Tok::Comma | Tok::Semi | Tok::Dot | Tok::LBracket)
            };
            return last || next.is_some_and(alone);
        }
        self.has("NAME") && !self.has("INT")
    }

    /// Whether a line ends after a token.
    fn ends_line(&self, at: usize) -> bool {
        let tokens = self.failure.tokens;
        let next = tokens
            .get(at + 1)
            .map_or(self.failure.text.len(), |next| next.start as usize);
        self.failure.text[tokens[at].end as usize..next].contains('\n')
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
        if self.has("to") {
            return Expected::Token("to");
        }
        if self.has("{") {
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
            let words: &[&str] = if self.repair.is_outermost() {
                DECLARATIONS
            } else {
                STATEMENTS
            };
            if let Some(word) = did_you_mean(failure.word(first_at), words.iter().copied()) {
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
                    ["recv", "peek", "send", "timeout"],
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
            (Expected::Token(":"), Some(Tok::Ident)) => "write `:` after the name",
            (Expected::Token("@"), _) if failure.kind(failure.start) == Some(Tok::Limit) => {
                "write the faults it limits, as in `worker @shutdown`"
            }
            (Expected::Expression, Some(letter)) if letter.is_temporal() => {
                let letter = failure.word(failure.at);
                return Some(format!(
                    "write a constructor of this name with its type, as in `D.{letter}`"
                ));
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
    "ltl",
    "ctl",
    "invariant",
    "reachable",
    "assume",
];

const STATEMENTS: &[&str] = &[
    "var", "durable", "const", "if", "else", "for", "goto", "break", "continue", "return", "skip",
    "choice", "select", "case", "default", "assert", "send", "recv", "peek",
];
