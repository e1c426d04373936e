//! Whether a space stands between two tokens of one line.

use super::groups::{Groups, Kind};
use super::marks::Marks;
use crate::syntax::token::{Tok, Token};

/// What decides about spaces.
pub struct Spacing<'a> {
    pub tokens: &'a [Token],
    pub groups: &'a Groups,
    pub marks: &'a Marks,
}

impl Spacing<'_> {
    /// Whether a space stands between the tokens at two places; `inside` is what the brackets around the
    /// second hold.
    pub fn between(&self, before: usize, here: usize, inside: Option<Kind>) -> bool {
        let (left, right) = (self.tokens[before], self.tokens[here]);
        match (left.kind, right.kind) {
            (Tok::LBrace, Tok::RBrace) => false,
            (_, Tok::LBrace) if self.marks.begins_literal(right.start) => false,
            (Tok::LBrace, _) if self.marks.begins_literal(left.start) => false,
            (_, Tok::RBrace) if self.closes_literal(here) => false,
            (Tok::LParen | Tok::LBracket | Tok::Dot | Tok::DotDot | Tok::Hash | Tok::At, _) => {
                false
            }
            (_, Tok::RParen | Tok::RBracket | Tok::Comma | Tok::Semi | Tok::Colon) => false,
            (_, Tok::Dot | Tok::DotDot | Tok::Hash) => false,
            (_, Tok::At) => matches!(inside, Some(Kind::Entries | Kind::List)),
            (Tok::Not | Tok::Minus, _) if self.marks.is_prefix(left.start) => false,
            (_, Tok::LBracket | Tok::LParen) => self.before_bracket(left, right, before),
            (Tok::RBracket, _) if self.closes_array_type(before) => false,
            _ if self.is_tight_operator(left) => false,
            _ if self.is_tight_operator(right) => false,
            _ => true,
        }
    }

    fn before_bracket(&self, left: Token, right: Token, before: usize) -> bool {
        if self.is_tight_operator(left) {
            return false;
        }
        if self.marks.begins_type(right.start) {
            // `x [3]int`, `x (n-1)..n`, but `[2][3]int`.
            return !self.closes_array_type(before);
        }
        match left.kind {
            Tok::Ident | Tok::RBracket | Tok::RParen | Tok::Assert | Tok::Any => false,
            kind => !is_operation(kind),
        }
    }

    /// Whether a `]` ends the length of an array type.
    fn closes_array_type(&self, place: usize) -> bool {
        self.tokens[place].kind == Tok::RBracket
            && self
                .groups
                .opener(place)
                .is_some_and(|open| self.marks.begins_type(self.tokens[open].start))
    }

    /// Whether a `}` ends the fields of a literal.
    fn closes_literal(&self, place: usize) -> bool {
        let open = self.groups.opener(place);
        open.is_some_and(|open| self.marks.begins_literal(self.tokens[open].start))
    }

    /// Whether it is an operator in a bound of a range. A sign at its beginning is none.
    fn is_tight_operator(&self, token: Token) -> bool {
        matches!(token.kind, Tok::Plus | Tok::Minus | Tok::Star)
            && !self.marks.is_prefix(token.start)
            && self.marks.is_tight(token.start)
    }
}

/// Whether a token is the word of a channel operation.
fn is_operation(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Send
            | Tok::Recv
            | Tok::Peek
            | Tok::TimeoutSend
            | Tok::NonblockSend
            | Tok::TimeoutRecv
            | Tok::TimeoutPeek
            | Tok::NonblockRecv
            | Tok::NonblockPeek
    )
}
