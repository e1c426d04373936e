//! What the compiler has to say to a user: a headline, labelled places, a hint that is an edit.
//!
//! Each phase owns its problems (`syntax::problem`, `program::problem`) and turns them into
//! [`Diagnostic`]s; this module only carries and renders them.

mod excerpt;
pub mod render;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The model has no meaning until this is mended.
    Error,
    /// The model has a meaning, probably not the intended one.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A stable code such as `S0301`; `docs/errors.md` has a heading for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A place and what is to be said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What about it; may be empty for the primary label.
    pub message: String,
}

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Its code.
    pub code: Code,
    /// The headline: lower case, one clause, no full stop, the user's names in backticks.
    pub message: String,
    /// Where.
    pub primary: Label,
    /// The other half of a conflict.
    pub secondary: Vec<Label>,
    /// At most one sentence of background.
    pub note: Option<String>,
    /// An edit that mends it; begins with a verb.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, code, message, span)
    }

    /// A warning at a place.
    pub fn warning(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, code, message, span)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>, span: Span) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: Label {
                span,
                message: String::new(),
            },
            secondary: Vec::new(),
            note: None,
            hint: None,
        }
    }

    /// Says something at the primary place.
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// Adds a second place.
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds a sentence of background.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds the edit that mends it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Names that differ in more places are not alike, however long they are.
const MOST_EDITS: usize = 4;

/// The candidate nearest to a misspelt `name`, if one is near enough to be meant.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = (length / 3).clamp(1, MOST_EDITS);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            // `Sendr` may stand for `link.Sender`.
            let compared = match candidate.rsplit_once('.') {
                Some((_, last)) if !name.contains('.') => last,
                _ => candidate,
            };
            let near = compared.chars().count().abs_diff(length) <= limit;
            let distance = near.then(|| edit_distance(name, compared, limit))?;
            Some((distance?, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Damerau-Levenshtein distance (adjacent transpositions), ignoring case; `None` if it is above the limit.
///
/// Only cells near the diagonal can lead to so short a distance (Ukkonen 1985), so long names cost no more
/// than their length times the limit.
fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    // Stands for every distance above the limit.
    let far = limit + 1;
    // Cell `k` of row `i` is the distance of the first `i` characters of `a` and `i + k - limit` of `b`.
    let width = 2 * limit + 1;
    let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(far);
    let mut before = vec![far; width];
    let mut above = vec![far; width];
    let mut row = vec![far; width];
    for i in 0..=a.len() {
        for k in 0..width {
            let Some(j) = (i + k).checked_sub(limit).filter(|j| *j <= b.len()) else {
                row[k] = far;
                continue;
            };
            row[k] = if i == 0 || j == 0 {
                (i + j).min(far)
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let left = k.checked_sub(1).map_or(far, |k| at(&row, k));
                let mut least = (above[k] + change).min(left + 1).min(at(&above, k + 1) + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(before[k] + 1);
                }
                least.min(far)
            };
        }
        if row.iter().all(|distance| *distance == far) {
            return None;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    let last = (b.len() + limit).checked_sub(a.len())?;
    above
        .get(last)
        .copied()
        .filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(did_you_mean("rcv", ["send", "recv", "peek"]), Some("recv"));
        assert_eq!(
            did_you_mean("timeout_rcv", ["timeout_recv", "timeout_send"]),
            Some("timeout_recv")
        );
        assert_eq!(
            did_you_mean("shutdwon", ["shutdown", "restart"]),
            Some("shutdown")
        );
        assert_eq!(did_you_mean("zebra", ["send", "recv"]), None);
        assert_eq!(did_you_mean("x", ["x"]), None);
    }
    /// The whole table, without looking at the limit.
    fn full_distance(a: &[u8], b: &[u8]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let change = usize::from(a[i - 1] != b[j - 1]);
                    let mut least = (table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1)
                        .min(table[i - 1][j - 1] + change);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        least = least.min(table[i - 2][j - 2] + 1);
                    }
                    least
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn the_band_finds_the_same_distances_as_the_whole_table() {
        let words: Vec<String> = (1..=5u32)
            .flat_map(|length| {
                (0..2u32.pow(length)).map(move |bits| {
                    (0..length)
                        .map(|i| if bits >> i & 1 == 0 { 'a' } else { 'b' })
                        .collect()
                })
            })
            .collect();
        for a in &words {
            for b in &words {
                let exact = full_distance(a.as_bytes(), b.as_bytes());
                for limit in 1..=3 {
                    let wanted = (exact <= limit).then_some(exact);
                    assert_eq!(edit_distance(a, b, limit), wanted, "{a} {b} {limit}");
                }
            }
        }
    }

    #[test]
    fn names_as_long_as_a_book_are_compared_at_once() {
        let long = "abcdefghij".repeat(30_000);
        let typo = long.replacen("fg", "gf", 1);
        assert_eq!(did_you_mean(&typo, [long.as_str()]), Some(long.as_str()));
    }
}
