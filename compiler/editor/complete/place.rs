//! Where in a model a place is, from the tokens before it: the text around a cursor is seldom correct.

use std::ops::Range;

use logos::Logos;

use crate::syntax::token::Tok;
use crate::vocabulary::{Logic, MessageOp, SpecKind};

/// What stands in a pair of brackets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Around {
    /// No brackets: the top level, or a module.
    Top,
    /// The constructors of a `data` type.
    Constructors,
    /// Parameters.
    Parameters,
    /// Fields of a record or of messages.
    Fields,
    /// Statements.
    Body,
    /// Entries of `init`.
    Init,
    /// A formula.
    Formula(Logic),
    /// Cases of `select`.
    Select,
    /// Cases of `switch`.
    Switch,
    /// Faults: of `limit`, `inject`.
    Faults,
    /// The arguments of something: where its name stands.
    Arguments(Range<usize>),
    /// The arguments of a marker: where its name stands.
    Marker(Range<usize>),
    /// Parentheses, an index, an array.
    Group,
}

/// Open brackets around a place.
#[derive(Clone, Debug)]
pub struct Open {
    /// What stands in them.
    pub around: Around,
    /// How many commas stand before the place.
    pub commas: usize,
    /// The tokens of the line, entry or statement so far.
    line: Vec<(Tok, Range<usize>)>,
}

/// Where a place is.
#[derive(Debug)]
pub struct Place {
    /// The brackets around it, the innermost last.
    pub open: Vec<Open>,
    /// Whether it is in a comment.
    pub comment: bool,
    /// Whether it is in a text in quotes, and where that begins.
    pub quotes: Option<usize>,
}

impl Open {
    fn new(around: Around) -> Open {
        Open {
            around,
            commas: 0,
            line: Vec::new(),
        }
    }
}

impl Place {
    /// Where a place of a text is; the word that ends there does not count.
    pub fn of(text: &str, offset: usize) -> Place {
        let mut place = Place {
            open: vec![Open::new(Around::Top)],
            comment: false,
            quotes: None,
        };
        let before = &text[..offset];
        let mut words = Tok::lexer(before);
        while let Some(found) = words.next() {
            let kind = found.unwrap_or(Tok::Bad);
            place.take(text, kind, words.span());
        }
        let last = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        place.comment |= last.contains("//") && place.quotes.is_none();
        place
    }

    /// What stands around the place.
    pub fn around(&self) -> &Around {
        &self.open[self.open.len() - 1].around
    }

    /// The same, looking through parentheses and arguments.
    pub fn nature(&self) -> &Around {
        let mut all = self.open.iter().rev().map(|open| &open.around);
        let is_nature = |around: &&Around| !matches!(around, Around::Group | Around::Arguments(_));
        all.find(is_nature).unwrap_or(&Around::Top)
    }

    /// The last tokens of the line before the place, the last one first.
    pub fn before(&self) -> impl Iterator<Item = (Tok, Range<usize>)> + '_ {
        self.open[self.open.len() - 1].line.iter().rev().cloned()
    }

    /// Whether something begins at the place: a declaration, an entry, a statement.
    pub fn is_beginning(&self) -> bool {
        self.open[self.open.len() - 1].line.is_empty()
    }

    fn take(&mut self, text: &str, kind: Tok, span: Range<usize>) {
        self.quotes = None;
        self.comment = false;
        let depth = self.open.len() - 1;
        let separates = !matches!(
            self.open[depth].around,
            Around::Group | Around::Arguments(_) | Around::Parameters
        );
        let in_body = self.open[depth].around == Around::Body;
        let line = &mut self.open[depth].line;
        match kind {
            Tok::Newline => {
                let ends = line.last().is_some_and(|(last, _)| last.ends_line());
                if ends && separates {
                    self.open[depth].line.clear();
                }
            }
            Tok::LineComment => {}
            Tok::BlockComment => self.comment = !text[span].ends_with("*/"),
            Tok::Str => {
                let closed = text[span.clone()].len() > 1 && text[span.clone()].ends_with('"');
                self.quotes = (!closed).then_some(span.start + 1);
                line.push((kind, span));
            }
            Tok::Semi => line.clear(),
            Tok::Comma => {
                self.open[depth].commas += 1;
                self.open[depth].line.clear();
            }
            Tok::LBrace | Tok::LParen | Tok::LBracket => {
                let around = self.opened(text, kind);
                self.open[depth].line.push((kind, span));
                self.open.push(Open::new(around));
            }
            Tok::RBrace | Tok::RParen | Tok::RBracket => {
                if depth > 0 {
                    self.open.pop();
                }
                let line = &mut self.open[depth.saturating_sub(1)].line;
                line.push((kind, span));
            }
            // Before the statement behind a label.
            Tok::Colon if in_body => line.clear(),
            _ => line.push((kind, span)),
        }
    }

    /// What stands in the bracket that follows the line so far.
    fn opened(&self, text: &str, bracket: Tok) -> Around {
        let open = &self.open[self.open.len() - 1];
        let word = |at: usize| open.line.get(at).map(|(_, span)| &text[span.clone()]);
        let first = word(0).unwrap_or("");
        let last = open.line.last();
        let has = |kind: Tok| open.line.iter().any(|(other, _)| *other == kind);
        match bracket {
            Tok::LParen => {
                let Some((kind, span)) = last else {
                    return Around::Group;
                };
                let before = open.line.len().checked_sub(2).map(|at| open.line[at].0);
                let declares = matches!(first, "proc" | "func" | "module" | "predicate" | "fault");
                let operation = MessageOp::ALL
                    .iter()
                    .any(|op| op.as_str() == &text[span.clone()]);
                match (kind, before) {
                    (Tok::Ident, Some(Tok::At)) => Around::Marker(span.clone()),
                    (Tok::Ident, _) if declares && open.line.len() == 2 => Around::Parameters,
                    (Tok::Ident, _) => Around::Arguments(span.clone()),
                    _ if operation => Around::Arguments(span.clone()),
                    _ => Around::Group,
                }
            }
            Tok::LBracket => Around::Group,
            _ => {
                // `channel [2] {` opens fields wherever it stands.
                let of_channel = {
                    let after = open
                        .line
                        .iter()
                        .rposition(|(kind, _)| *kind == Tok::Channel);
                    after.is_some_and(|at| {
                        let rest = open.line[at + 1..].iter().map(|(kind, _)| *kind);
                        rest.clone().all(|kind| kind != Tok::LBrace)
                    })
                };
                if of_channel {
                    return Around::Fields;
                }
                let spec = SpecKind::of_word(first);
                match &open.around {
                    Around::Top => match (first, spec) {
                        (_, Some(kind)) => Around::Formula(kind.logic()),
                        ("data", _) => Around::Constructors,
                        ("type", _) => Around::Fields,
                        ("init", _) => Around::Init,
                        ("limit" | "inject", _) => Around::Faults,
                        ("predicate", _) => Around::Formula(Logic::State),
                        ("module" | "fault", _) => Around::Top,
                        ("protocol", _) => Around::Formula(Logic::State),
                        ("at" | "anytime" | "proc" | "func", _) => Around::Body,
                        _ => Around::Body,
                    },
                    Around::Init => Around::Init,
                    Around::Select if first == "for" => Around::Select,
                    Around::Select | Around::Switch => Around::Body,
                    Around::Body if has(Tok::Select) => Around::Select,
                    Around::Body if first == "switch" => Around::Switch,
                    Around::Body => Around::Body,
                    other => match self.nature() {
                        Around::Formula(logic) => Around::Formula(*logic),
                        _ => other.clone(),
                    },
                }
            }
        }
    }
}

impl Place {
    /// The tokens of the line in which the brackets after `depth` were opened.
    pub fn line_of(&self, depth: usize) -> &[(Tok, Range<usize>)] {
        &self.open[depth].line
    }
}
