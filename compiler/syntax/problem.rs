//! What can be wrong with a text before anything is known about its meaning: the facts, their codes,
//! and the words for them.

use super::habit::Habit;
use super::token::Tok;
use super::{MAX_BRACKETS, MAX_ERRORS, MAX_HEIGHT};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};

/// Every code of this phase, in order.
pub const CODES: &[Code] = &[
    Code("S0101"),
    Code("S0102"),
    Code("S0103"),
    Code("S0104"),
    Code("S0105"),
    Code("S0201"),
    Code("S0202"),
    Code("S0203"),
    Code("S0204"),
    Code("S0205"),
    Code("S0206"),
    Code("S0207"),
    Code("S0208"),
    Code("S0209"),
    Code("S0210"),
    Code("S0211"),
    Code("S0212"),
    Code("S0213"),
];

/// A lexical or syntactic mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A character, or a run of like ones, that belongs to no token.
    UnknownCharacter {
        /// The characters.
        at: Span,
    },
    /// A name with letters outside of ASCII.
    ForeignLetters {
        /// The whole name.
        at: Span,
    },
    /// `3x`, `1.5`, `0xFF`, `1_000`.
    BadNumber {
        /// The number.
        at: Span,
    },
    /// `/*` without `*/`.
    UnterminatedComment {
        /// The `/*`.
        at: Span,
    },
    /// A `"` without a second one on its line.
    UnterminatedText {
        /// From the quote to the end of the line.
        at: Span,
    },
    /// A number beyond 64 bits.
    NumberTooLarge {
        /// The number.
        at: Span,
    },
    /// A token where the grammar has no place for it.
    Unexpected(Unexpected),
    /// An opening bracket without its closing one.
    Unclosed {
        /// The opening bracket.
        open: Span,
        /// Where the closing one was missed: a token, or the end of the file.
        at: Span,
        /// The bracket that is missing.
        closer: &'static str,
    },
    /// A closing bracket without an opening one.
    StrayCloser {
        /// The bracket.
        at: Span,
    },
    /// Brackets nested beyond [`super::MAX_BRACKETS`].
    TooManyBrackets {
        /// The first bracket that is too deep.
        at: Span,
    },
    /// An expression, a row of labels or a row of `else if` higher than [`super::MAX_HEIGHT`].
    TooHigh {
        /// Where the limit was passed.
        at: Span,
    },
    /// More than [`super::MAX_ERRORS`] errors.
    TooMany {
        /// Where the last one is that is shown.
        at: Span,
    },
    /// A word or an operator of another language.
    Habit {
        /// The word.
        at: Span,
        /// Which.
        habit: Habit,
    },
    /// `var x = 3`.
    MissingType {
        /// The `=`.
        at: Span,
        /// The variable.
        name: Span,
    },
    /// A line that begins with an operator.
    BrokenLine {
        /// The operator at the beginning of the line.
        operator: Span,
        /// The end of the line before.
        line_end: Span,
    },
    /// A keyword where a name belongs.
    KeywordAsName {
        /// The keyword.
        at: Span,
    },
    /// A word other than `on` after the parameters of a fault.
    FaultOn {
        /// The word.
        at: Span,
    },
    /// A word other than `by` or `as` in `diagnosable`.
    DiagnosableWord {
        /// What should stand there.
        wanted: &'static str,
        /// The word.
        at: Span,
    },
    /// A word other than `as` after a marker.
    MarkerAlias {
        /// The word.
        at: Span,
    },
}

/// A token where the grammar has no place for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexpected {
    /// The token; empty at a line end or the end of the file.
    pub at: Span,
    /// What it is.
    pub found: Found,
    /// What could have stood there.
    pub expected: Expected,
    /// An earlier place that explains it, and what is there.
    pub because: Option<(Span, &'static str)>,
    /// An edit that mends it.
    pub hint: Option<String>,
}

/// What was found instead of what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A token; its text is shown.
    Token,
    /// A literal text.
    Text,
    /// A line end.
    LineEnd,
    /// The end of the file.
    FileEnd,
}

/// What could have stood at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Expected {
    Declaration,
    Statement,
    Expression,
    Type,
    Name,
    Label,
    Entry,
    EntryKind,
    Case,
    CaseOperation,
    Path,
    EndOfStatement,
    EndOfDeclaration,
    EndOfEntry,
    CommaOr(&'static str),
    Block,
    Token(&'static str),
    Nothing,
}

impl Expected {
    /// As it stands in a headline after "expected".
    fn phrase(self) -> String {
        match self {
            Expected::Declaration => "a declaration".to_owned(),
            Expected::Statement => "a statement".to_owned(),
            Expected::Expression => "an expression".to_owned(),
            Expected::Type => "a type".to_owned(),
            Expected::Name => "a name".to_owned(),
            Expected::Label => "a label".to_owned(),
            Expected::Entry => "an entry of the form `name: ..`".to_owned(),
            Expected::EntryKind => "a proc with its arguments, or a channel".to_owned(),
            Expected::Case => "`case` or `default`".to_owned(),
            Expected::CaseOperation => "`recv`, `peek`, `send` or `timeout`".to_owned(),
            Expected::Path => "a path in quotes".to_owned(),
            Expected::EndOfStatement => "the end of the statement".to_owned(),
            Expected::EndOfDeclaration => "the end of the declaration".to_owned(),
            Expected::EndOfEntry => "`,` or the end of the line".to_owned(),
            Expected::CommaOr(closer) => format!("`,` or `{closer}`"),
            Expected::Block => "a block in braces".to_owned(),
            Expected::Token(text) => format!("`{text}`"),
            Expected::Nothing => String::new(),
        }
    }
}

/// The problems in words, in order of place.
pub fn report(sources: &Sources, mut problems: Vec<Problem>) -> Vec<Diagnostic> {
    problems.sort_by_key(|problem| problem.at());
    if problems.len() > MAX_ERRORS {
        problems.truncate(MAX_ERRORS);
        if let Some(last) = problems.last() {
            problems.push(Problem::TooMany { at: last.at() });
        }
    }
    problems
        .iter()
        .map(|problem| problem.diagnostic(sources))
        .collect()
}

impl Problem {
    /// Where it is.
    pub fn at(&self) -> Span {
        match self {
            Problem::UnknownCharacter { at }
            | Problem::ForeignLetters { at }
            | Problem::BadNumber { at }
            | Problem::UnterminatedComment { at }
            | Problem::UnterminatedText { at }
            | Problem::NumberTooLarge { at }
            | Problem::Unclosed { at, .. }
            | Problem::StrayCloser { at }
            | Problem::TooManyBrackets { at }
            | Problem::TooHigh { at }
            | Problem::TooMany { at }
            | Problem::Habit { at, .. }
            | Problem::MissingType { at, .. }
            | Problem::KeywordAsName { at }
            | Problem::FaultOn { at }
            | Problem::DiagnosableWord { at, .. }
            | Problem::MarkerAlias { at } => *at,
            Problem::Unexpected(unexpected) => unexpected.at,
            Problem::BrokenLine { operator, .. } => *operator,
        }
    }

    /// The same in words.
    pub fn diagnostic(&self, sources: &Sources) -> Diagnostic {
        let text = |span: Span| shortened(sources.slice(span));
        let error =
            |code: &'static str, message: String| Diagnostic::error(Code(code), message, self.at());
        match self {
            Problem::UnknownCharacter { at } => unknown_character(sources, *at),
            Problem::ForeignLetters { at } => {
                error("S0101", format!("the name `{}` has letters outside of a to z", text(*at)))
                    .note("names consist of the letters A to Z and a to z, digits and `_`")
                    .hint("spell the name with these letters")
            }
            Problem::BadNumber { at } => bad_number(sources, *at),
            Problem::UnterminatedComment { .. } => error("S0103", "comment is never closed".to_owned())
                .label("begins here and goes on to the end of the file")
                .hint("close the comment with `*/`"),
            Problem::UnterminatedText { .. } => error("S0104", "text is not closed on its line".to_owned())
                .label("begins here")
                .hint("close the text with `\"`"),
            Problem::NumberTooLarge { at } => error("S0105", format!("the number {} is too large", text(*at)))
                .note("numbers go up to 2147483647, and a model checks faster with small ones")
                .hint("choose a smaller number"),
            Problem::Unexpected(unexpected) => unexpected.diagnostic(sources),
            Problem::Unclosed { open, at, closer } => {
                let file_end = at.start as usize == sources.file(at.file).text.len();
                let place = match at.start == at.end {
                    true if file_end => "the end of the file".to_owned(),
                    true => "the end of the line".to_owned(),
                    false => format!("`{}`", text(*at)),
                };
                error("S0202", format!("expected `{closer}` before {place}"))
                    .also(*open, format!("this `{}` is not closed", text(*open)))
                    .hint(format!("close the bracket with `{closer}`"))
            }
            Problem::StrayCloser { at } => {
                error("S0203", format!("`{}` closes nothing", text(*at)))
                    .label("no bracket is open here")
                    .hint(format!("remove the `{}`, or open a bracket before it", text(*at)))
            }
            Problem::TooManyBrackets { .. } => {
                error("S0204", format!("brackets nest more than {MAX_BRACKETS} deep"))
                    .hint("split this into smaller parts")
            }
            Problem::TooHigh { .. } => {
                error("S0205", format!("this nests more than {MAX_HEIGHT} levels deep"))
                    .note("each operator, label and `else if` of one chain is a level")
                    .hint("split the chain, for example with `const`, variables or parentheses around its halves")
            }
            Problem::TooMany { .. } => error("S0206", format!("more than {MAX_ERRORS} errors in this file"))
                .label("the rest is not shown")
                .hint("mend the first errors and run again"),
            Problem::Habit { at, habit } => habit.diagnostic(sources, *at),
            Problem::MissingType { name, .. } => {
                error("S0208", format!("the variable `{}` has no type", text(*name)))
                    .also(*name, "its type belongs after the name")
                    .hint(format!("write its type, as in `var {} bool = ..` or `var {} 0..3 = ..`", text(*name), text(*name)))
            }
            Problem::BrokenLine { operator, line_end } => {
                error("S0209", format!("a line cannot begin with `{}`", text(*operator)))
                    .also(*line_end, "the line before ends here, and with it the statement")
                    .hint(format!("move the `{}` to the end of the line before", text(*operator)))
            }
            Problem::KeywordAsName { at } => {
                error("S0210", format!("`{}` is a keyword and cannot be a name", text(*at)))
                    .hint(format!("choose another name, such as `{}_`", text(*at)))
            }
            Problem::FaultOn { at } => error("S0212", format!("`{}` after the parameters of a fault, where only `on` can stand", text(*at)))
                .hint("write what suffers it: `on process` or `on channel`"),
            Problem::DiagnosableWord { at, wanted } => error("S0213", format!("`{}` in `diagnosable`, where only `{wanted}` can stand", text(*at)))
                .hint("write `diagnosable f by p`, or `diagnosable f by p as { f, g }`"),
            Problem::MarkerAlias { at } => error("S0211", format!("`{}` after a marker, where only `as` can stand", text(*at)))
                .hint("write `as` before the name of the fault, as in `@drop as lost`"),
        }
    }
}

impl Unexpected {
    fn diagnostic(&self, sources: &Sources) -> Diagnostic {
        let found = match self.found {
            Found::Token => format!("`{}`", shortened(sources.slice(self.at))),
            Found::Text => "a text in quotes".to_owned(),
            Found::LineEnd => "the end of the line".to_owned(),
            Found::FileEnd => "the end of the file".to_owned(),
        };
        let message = match self.expected {
            Expected::Nothing => format!("unexpected {found}"),
            expected => format!("expected {}, found {found}", expected.phrase()),
        };
        let mut diagnostic = Diagnostic::error(Code("S0201"), message, self.at);
        if let Some((place, what)) = self.because {
            diagnostic = diagnostic.also(place, what);
        }
        diagnostic.hint = self.hint.clone();
        diagnostic
    }
}

/// A text that fits into a headline.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 && line.len() == text.len() {
        return text.to_owned();
    }
    let head: String = line.chars().take(37).collect();
    format!("{head}...")
}

fn unknown_character(sources: &Sources, at: Span) -> Diagnostic {
    let text = sources.slice(at);
    let first = text.chars().next().unwrap_or_default();
    let shown = match first {
        '\0' => "the character NUL".to_owned(),
        c if c.is_control() || c.is_whitespace() || !is_visible(c) => {
            format!("the character U+{:04X}", u32::from(c))
        }
        _ => format!("the character `{first}`"),
    };
    let diagnostic = Diagnostic::error(Code("S0101"), format!("{shown} has no meaning here"), at);
    let instead = match first {
        '“' | '”' | '„' | '\'' | '‘' | '’' | '`' => Some("\""),
        '∀' => Some("forall"),
        '∃' => Some("exists"),
        '□' => Some("G"),
        '◇' => Some("F"),
        _ => Tok::meant_by(first).and_then(Tok::text),
    };
    match instead {
        Some(instead) => diagnostic.hint(format!("write `{instead}`")),
        None => diagnostic.hint("remove it"),
    }
}

/// Whether a character shows in a message; marks that change the direction of text do not.
fn is_visible(c: char) -> bool {
    !matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn bad_number(sources: &Sources, at: Span) -> Diagnostic {
    let text = sources.slice(at);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let error = |message: String| Diagnostic::error(Code("S0102"), message, at);
    if text.contains('.') {
        return error(format!("`{}` is not a whole number", shortened(text)))
            .note("all numbers are integers, so that a model has finitely many states")
            .hint("write an integer, or a range such as `1..5` with two dots");
    }
    let (_, rest) = text.split_at(digits);
    let without = text.replace('_', "");
    if without.bytes().all(|b| b.is_ascii_digit()) {
        return error(format!(
            "`{}` has an underscore in a number",
            shortened(text)
        ))
        .hint(format!("write `{without}`"));
    }
    let radix = match (text.starts_with('0'), rest.chars().next()) {
        (true, Some('x' | 'X')) => Some(16),
        (true, Some('b' | 'B')) => Some(2),
        (true, Some('o' | 'O')) => Some(8),
        _ => None,
    };
    if let Some(value) = radix.and_then(|radix| i64::from_str_radix(&without[2..], radix).ok()) {
        return error(format!("`{}` is not a decimal number", shortened(text)))
            .hint(format!("write `{value}`"));
    }
    error(format!(
        "`{}` is neither a number nor a name",
        shortened(text)
    ))
    .note("a name begins with a letter or `_`")
    .hint("begin the name with a letter, or put an operator after the number")
}
