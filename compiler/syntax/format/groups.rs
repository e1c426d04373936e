//! What each pair of brackets holds, and whether it is laid out on several lines.

use super::marks::Marks;
use crate::source::SourceFile;
use crate::syntax::token::{Tok, Token};

/// What brackets hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Statements.
    Block,
    /// Declarations of a module.
    Decls,
    /// Entries of `init`.
    Entries,
    /// Cases of `select`.
    Cases,
    /// Constructors, or the faults of a `limit`.
    List,
    /// Fields of a channel.
    Fields,
    /// Fields of a literal.
    Literal,
    /// A formula.
    Formula,
    /// Whatever stands in parentheses or square brackets.
    Plain,
}

impl Kind {
    /// Whether its elements are statements or the like, each on a line of its own.
    pub fn has_lines(self) -> bool {
        matches!(
            self,
            Kind::Block | Kind::Decls | Kind::Entries | Kind::Cases
        )
    }
}

/// A pair of brackets.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What it holds.
    pub kind: Kind,
    /// Where it opens.
    pub open: usize,
    /// Where it closes.
    pub close: usize,
    /// Whether it is on several lines (braces only).
    pub broken: bool,
}

/// The groups of a file, found by the place of either bracket.
#[derive(Debug)]
pub struct Groups {
    groups: Vec<Group>,
    /// For each token that is a bracket, its group.
    at: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Groups {
    /// Finds the groups. The tokens parse, so brackets match.
    pub fn of(tokens: &[Token], source: &SourceFile, marks: &Marks) -> Groups {
        let mut groups = Vec::new();
        let mut at = vec![NONE; tokens.len()];
        let mut open: Vec<Open> = vec![Open::new(None, NONE)];
        for (place, token) in tokens.iter().enumerate() {
            let top = open.len() - 1;
            if token.kind.closer().is_some() {
                let kind = match token.kind {
                    Tok::LBrace if marks.begins_literal(token.start) => Kind::Literal,
                    Tok::LBrace => open[top].brace_kind(tokens, place),
                    _ => Kind::Plain,
                };
                at[place] = groups.len() as u32;
                open.push(Open::new(Some(kind), at[place]));
                groups.push(Group {
                    kind,
                    open: place,
                    close: place,
                    broken: token.kind == Tok::LBrace,
                });
            } else if token.kind.is_closer() && top > 0 {
                let group = open[top].group;
                open.pop();
                let after_channel =
                    token.kind == Tok::RBracket && std::mem::take(&mut open[top - 1].channel);
                open[top - 1].channel = after_channel;
                at[place] = group;
                groups[group as usize].close = place;
            } else {
                open[top].token(token.kind);
            }
        }
        let mut found = Groups { groups, at };
        found.break_lines(tokens, source);
        found
    }

    /// The group a bracket belongs to.
    pub fn at(&self, place: usize) -> Option<&Group> {
        self.groups.get(*self.at.get(place)? as usize)
    }

    /// Where the group of a closing bracket opens.
    pub fn opener(&self, close: usize) -> Option<usize> {
        self.at(close).map(|group| group.open)
    }

    fn break_lines(&mut self, tokens: &[Token], source: &SourceFile) {
        for (place, token) in tokens.iter().enumerate() {
            if token.kind == Tok::LBrace && self.at[place] != NONE {
                let group = &mut self.groups[self.at[place] as usize];
                let inside = token.end as usize..tokens[group.close].start as usize;
                let empty =
                    group.close == place + 1 && source.text[inside.clone()].trim().is_empty();
                group.broken = !empty && source.line(inside.start) != source.line(inside.end);
            }
        }
    }
}

/// An open bracket while groups are found.
struct Open {
    kind: Option<Kind>,
    group: u32,
    /// The first token of the current element.
    first: Option<Tok>,
    /// Quantifiers whose brace has not come yet.
    quantifiers: usize,
    /// Whether `channel` or `channel [..]` was just read.
    channel: bool,
    /// Whether the brace of a `switch` has not come yet.
    switch: bool,
}

impl Open {
    fn new(kind: Option<Kind>, group: u32) -> Open {
        Open {
            kind,
            group,
            first: None,
            quantifiers: 0,
            channel: false,
            switch: false,
        }
    }

    fn token(&mut self, kind: Tok) {
        self.channel = kind == Tok::Channel || (self.channel && kind == Tok::Bag);
        match kind {
            Tok::Semi => {
                self.first = None;
                self.quantifiers = 0;
                self.switch = false;
            }
            Tok::Switch => self.switch = true,
            Tok::Comma if self.kind == Some(Kind::Entries) => self.first = None,
            Tok::Forall | Tok::Exists | Tok::Count | Tok::Sum => self.quantifiers += 1,
            Tok::Case | Tok::Default | Tok::For if self.kind == Some(Kind::Cases) => {
                self.first = None;
            }
            _ => {}
        }
        if kind != Tok::Semi && kind != Tok::Comma {
            self.first.get_or_insert(kind);
        }
    }

    fn brace_kind(&mut self, tokens: &[Token], place: usize) -> Kind {
        if std::mem::take(&mut self.channel) {
            return Kind::Fields;
        }
        if self.quantifiers > 0 {
            self.quantifiers -= 1;
            return Kind::Formula;
        }
        if std::mem::take(&mut self.switch) {
            return Kind::Cases;
        }
        let before = place.checked_sub(1).map(|before| tokens[before].kind);
        match (self.kind, self.first) {
            (None | Some(Kind::Decls), first) => match first {
                Some(Tok::Module) => Kind::Decls,
                Some(Tok::Init | Tok::Inject) => Kind::Entries,
                Some(Tok::Data | Tok::Limit | Tok::View | Tok::Diagnosable) => Kind::List,
                Some(Tok::Proc | Tok::Func | Tok::Type | Tok::Fault | Tok::Protocol) => Kind::Block,
                _ => Kind::Formula,
            },
            (Some(Kind::Entries), _) => Kind::Entries,
            (Some(Kind::Block | Kind::Cases), _) if before == Some(Tok::Select) => Kind::Cases,
            (Some(Kind::Cases), Some(Tok::For)) => Kind::Cases,
            (Some(Kind::Block | Kind::Cases), _) => Kind::Block,
            _ => Kind::Formula,
        }
    }
}
