//! From a place where the grammar gave up to the problem a person would name.
//!
//! The grammar's own list of expected tokens is only looked at to tell whether an operand, a name, a type
//! or the end of something was missing.

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
    habit(failure, repair, expected).unwrap_or_else(|| unexpected(failure, repair, expected))
}

fn has(expected: &[String], token: &str) -> bool {
    expected.iter().any(|name| name.trim_matches('"') == token)
}

/// Mistakes that have a name of their own.
fn habit(failure: &Failure<'_>, repair: &Repair<'_>, expected: &[String]) -> Option<Problem> {
    let at = failure.at;
    let found = failure.found()?;
    let first_at = repair.element();
    let first = failure.kind(first_at)?;
    let here = failure.span(at);
    let habit = |habit: Habit| Some(Problem::Habit { at: here, habit });
    match found {
        Tok::ColonAssign => {
            let in_init = failure.kind(failure.start) == Some(Tok::Init);
            return habit(if in_init {
                Habit::DeclareEntry
            } else {
                Habit::Declare
            });
        }
        Tok::PlusPlus => return habit(Habit::Increment),
        Tok::FatArrow => return habit(Habit::FatArrow),
        Tok::EqEqEq => return habit(Habit::TripleEquals),
        Tok::Assign if first == Tok::Var && at == first_at + 2 => {
            return Some(Problem::MissingType {
                at: here,
                name: failure.span(at - 1),
            });
        }
        Tok::Assign if first == Tok::Durable && at == first_at + 3 => {
            return Some(Problem::MissingType {
                at: here,
                name: failure.span(at - 1),
            });
        }
        Tok::Assign if first == Tok::For => return habit(Habit::CountingLoop),
        Tok::Assign
            if matches!(first, Tok::If | Tok::Assert | Tok::Case) || first == Tok::Invariant =>
        {
            return habit(Habit::AssignInCondition);
        }
        Tok::Assign if failure.before().is_some_and(Tok::ends_operand) && spec_at(failure) => {
            return habit(Habit::AssignInCondition);
        }
        Tok::Colon if has(expected, "channel") => return habit(Habit::TypeColon),
        Tok::Semi if failure.tokens[at].is_virtual() => {
            let next = failure.kind(at + 1)?;
            if (next.is_infix() || next == Tok::Dot) && !matches!(next, Tok::Minus)
                || next.is_assign()
            {
                return Some(Problem::BrokenLine {
                    operator: failure.span(at + 1),
                    line_end: here,
                });
            }
        }
        _ => {}
    }
    let decremented = at >= 2
        && failure.kind(at - 1) == Some(Tok::Minus)
        && failure.kind(at - 2) == Some(Tok::Minus);
    if decremented && matches!(found, Tok::Semi | Tok::RBrace) {
        let habit = Habit::Decrement;
        return Some(Problem::Habit {
            at: failure.span(at - 2).to(failure.span(at - 1)),
            habit,
        });
    }
    // A word at the beginning, where the grammar gave up right behind it.
    if first == Tok::Ident
        && (at == first_at + 1 || at == first_at)
        && let Some(habit) = Habit::word(failure.word(first_at))
    {
        return Some(Problem::Habit {
            at: failure.span(first_at),
            habit,
        });
    }
    if found == Tok::Ident
        && failure
            .before()
            .is_some_and(|before| before.ends_operand() || before == Tok::Not)
        && let Some(habit) = Habit::word(failure.word(at))
    {
        return Some(Problem::Habit { at: here, habit });
    }
    if failure.before() == Some(Tok::Ident)
        && let Some(habit) = Habit::word(failure.word(at - 1))
        && !found.is_closer()
        && found != Tok::Semi
    {
        return Some(Problem::Habit {
            at: failure.span(at - 1),
            habit,
        });
    }
    if found.is_keyword()
        && has(expected, "NAME")
        && !has(expected, "INT")
        && !has(expected, "channel")
        && !has(expected, "for")
    {
        return Some(Problem::KeywordAsName { at: here });
    }
    None
}

/// Whether the failure is in a specification.
fn spec_at(failure: &Failure<'_>) -> bool {
    matches!(
        failure.kind(failure.start),
        Some(Tok::Ltl | Tok::Ctl | Tok::Invariant | Tok::Reachable | Tok::Assume)
    )
}

fn unexpected(failure: &Failure<'_>, repair: &Repair<'_>, list: &[String]) -> Problem {
    let (at, found) = match failure.found() {
        Some(Tok::Semi) if failure.tokens[failure.at].is_virtual() => {
            (failure.span(failure.at), Found::LineEnd)
        }
        Some(Tok::Str) => (failure.span(failure.at), Found::Text),
        Some(_) => (failure.span(failure.at), Found::Token),
        None => {
            let after = failure.span(failure.end - 1).after();
            let last = failure.end >= failure.tokens.len();
            (after, if last { Found::FileEnd } else { Found::LineEnd })
        }
    };
    let expected = expectation(failure, repair, list);
    let because = because(failure, repair, expected);
    let hint = hint(failure, repair, expected);
    Problem::Unexpected(Unexpected {
        at,
        found,
        expected,
        because,
        hint,
    })
}

/// What was missing.
fn expectation(failure: &Failure<'_>, repair: &Repair<'_>, list: &[String]) -> Expected {
    let has = |token: &str| has(list, token);
    let first = failure.kind(repair.element());
    let open = repair.open().and_then(|open| failure.kind(open));
    if has("var") && has("if") {
        return Expected::Statement;
    }
    if has("proc") {
        return Expected::Declaration;
    }
    if failure.before() == Some(Tok::Case) {
        return Expected::CaseOperation;
    }
    if has("!") && has("INT") {
        return Expected::Expression;
    }
    if has("channel") && has("NAME") {
        let entry = failure.before() == Some(Tok::Colon);
        return if entry {
            Expected::EntryKind
        } else {
            Expected::Type
        };
    }
    if has("TEXT") {
        return Expected::Path;
    }
    if has("case") && has("default") {
        return Expected::Case;
    }
    let entries = first.is_some_and(|first| !matches!(first, Tok::Init))
        && failure.kind(failure.start) == Some(Tok::Init)
        && open == Some(Tok::LBrace);
    if entries && has("NAME") {
        return Expected::Entry;
    }
    if has("NAME") {
        return if failure.before() == Some(Tok::Goto) {
            Expected::Label
        } else {
            Expected::Name
        };
    }
    match open {
        Some(Tok::LParen) if has(",") => return Expected::CommaOr(")"),
        Some(Tok::LParen) if has(")") => return Expected::Token(")"),
        Some(Tok::LBracket) if has(",") => return Expected::CommaOr("]"),
        Some(Tok::LBracket) if has("]") => return Expected::Token("]"),
        _ => {}
    }
    if has("{") {
        return Expected::Block;
    }
    for token in ["(", "=", ":", "in", "range", "to", "@", ")", "]", "..", "#"] {
        if has(token)
            && !(token == "=" && has(";"))
            && !(token == "@" && has(";"))
            && !(token == ".." && has(";"))
        {
            return Expected::Token(token);
        }
    }
    if has(",") && has("}") && !has(";") {
        return Expected::CommaOr("}");
    }
    if entries {
        return Expected::EndOfEntry;
    }
    if repair.is_outermost() {
        return Expected::EndOfDeclaration;
    }
    if has(";") {
        return Expected::EndOfStatement;
    }
    if has("}") {
        return Expected::Token("}");
    }
    Expected::Nothing
}

fn because(
    failure: &Failure<'_>,
    repair: &Repair<'_>,
    expected: Expected,
) -> Option<(Span, &'static str)> {
    match expected {
        Expected::CommaOr(_) | Expected::Token(")" | "]" | "}") => repair
            .open()
            .map(|open| (failure.span(open), "opened here")),
        _ => None,
    }
}

fn hint(failure: &Failure<'_>, repair: &Repair<'_>, expected: Expected) -> Option<String> {
    let first_at = repair.element();
    let first = failure.kind(first_at);
    let found = failure.found();
    let say = |text: &str| Some(text.to_owned());
    if found == Some(Tok::Semi) && failure.kind(failure.at + 1) == Some(Tok::LBrace) {
        return say("move the `{` to the end of the line before");
    }
    // A misspelt word at the beginning of a declaration or statement.
    if first == Some(Tok::Ident) && failure.at <= first_at + 1 {
        let words: &[&str] = if repair.is_outermost() {
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
    match (expected, found) {
        (Expected::CaseOperation, Some(Tok::Ident)) => {
            let word = did_you_mean(
                failure.word(failure.at),
                ["recv", "peek", "send", "timeout"],
            )?;
            Some(format!("write `{word}`"))
        }
        (Expected::Block, Some(Tok::LBrace)) => None,
        (Expected::Block, _) if first == Some(Tok::Choice) => say("write `choice { .. }, { .. }`"),
        (Expected::Block, _) => say("put what follows in braces: `{ .. }`"),
        (Expected::EndOfStatement, Some(Tok::LBrace)) if first == Some(Tok::Choice) => {
            say("separate the blocks of a `choice` with commas")
        }
        (Expected::EndOfStatement, Some(_)) => say("begin the next statement on a line of its own"),
        (Expected::EndOfDeclaration, Some(_)) => {
            say("begin the next declaration on a line of its own")
        }
        (Expected::EndOfEntry, Some(_)) => say("end the entry with a comma"),
        (Expected::Token("("), Some(Tok::LBrace))
            if first == Some(Tok::Proc) || first == Some(Tok::Module) =>
        {
            say("write `()` after the name")
        }
        (Expected::Expression, Some(Tok::Str)) => {
            say("declare the values as `data D { A, B }` and use a constructor")
        }
        (Expected::Statement, Some(Tok::Else)) => {
            say("write `else` directly after the `}` of an `if`")
        }
        (Expected::Statement, Some(Tok::Case)) => say("write the case inside of `select { .. }`"),
        (Expected::Declaration, Some(Tok::Var)) => say("declare variables inside of a `proc`"),
        _ => None,
    }
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
