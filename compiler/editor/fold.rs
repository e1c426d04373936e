//! What can be folded: what stands in brackets on several lines, comments, rows of imports.

use logos::Logos;

use crate::syntax::token::Tok;

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// What stands in brackets.
    Region,
    /// A comment, or several in a row.
    Comment,
    /// Imports.
    Imports,
}

/// From the line of one place to that of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// What it is.
    pub kind: FoldKind,
    /// A place on the first line, which stays.
    pub start: usize,
    /// A place on the last line that vanishes.
    pub end: usize,
}

/// Everything in a text that can be folded.
pub fn folds(text: &str) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // A row of comments or imports: its kind, first and last place.
    let mut row: Option<Fold> = None;
    let mut line_is_empty = true;
    let several_lines = |from: usize, to: usize| text[from..to].contains('\n');
    let mut words = Tok::lexer(text);
    while let Some(found) = words.next() {
        let span = words.span();
        let kind = found.unwrap_or(Tok::Bad);
        let in_row = match kind {
            Tok::LineComment | Tok::BlockComment if line_is_empty => Some(FoldKind::Comment),
            Tok::Import => Some(FoldKind::Imports),
            _ => None,
        };
        let goes_on = match (&row, kind) {
            (Some(row), Tok::Str | Tok::Semi) => row.kind == FoldKind::Imports,
            (_, Tok::Newline) => !line_is_empty || row.is_none(),
            (Some(row), _) => in_row == Some(row.kind),
            (None, _) => true,
        };
        if !goes_on {
            folds.extend(row.take().filter(|row| several_lines(row.start, row.end)));
        }
        match (&mut row, in_row) {
            (Some(row), _) if kind != Tok::Newline => row.end = span.end,
            (None, Some(kind)) => {
                row = Some(Fold {
                    kind,
                    start: span.start,
                    end: span.end,
                });
            }
            _ => {}
        }
        line_is_empty = kind == Tok::Newline;
        match kind {
            Tok::LBrace | Tok::LBracket | Tok::LParen => open.push(span.start),
            Tok::RBrace | Tok::RBracket | Tok::RParen => {
                // The line of the closing bracket stays.
                let before = text[..span.start].trim_end().len();
                if let Some(start) = open.pop()
                    && several_lines(start, span.start)
                    && several_lines(start, before)
                {
                    folds.push(Fold {
                        kind: FoldKind::Region,
                        start,
                        end: before,
                    });
                }
            }
            _ => {}
        }
    }
    folds.extend(row.filter(|row| several_lines(row.start, row.end)));
    folds.sort_by_key(|fold| (fold.start, fold.end));
    folds
}
