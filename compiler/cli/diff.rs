//! The difference of two texts, line by line, for `fmt --check`.

use crate::source::printable;

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 2;
/// Beyond this many pairs of lines, all that changed is shown as one change.
const MOST_PAIRS: usize = 4_000_000;

/// One line of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line<'a> {
    Same(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// What turns `old` into `new`: changed lines begin with `-` or `+`, unchanged ones around them with a
/// space, and every group with the line number in `old`, like `@@ 12 @@`.
pub fn diff(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let lines = compare(&old, &new);
    let near_change: Vec<bool> = (0..lines.len())
        .map(|at| {
            lines[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())]
                .iter()
                .any(|line| !matches!(line, Line::Same(_)))
        })
        .collect();
    let mut text = String::new();
    let mut number = 1;
    for (at, line) in lines.iter().enumerate() {
        if near_change[at] {
            if at == 0 || !near_change[at - 1] {
                text += &format!("@@ {number} @@\n");
            }
            let (mark, line) = match line {
                Line::Same(line) => (' ', line),
                Line::Old(line) => ('-', line),
                Line::New(line) => ('+', line),
            };
            text += &format!("{mark}{}\n", printable(line));
        }
        if !matches!(line, Line::New(_)) {
            number += 1;
        }
    }
    text
}

/// A longest common subsequence, after the common beginning and end.
fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let end = old[start..]
        .iter()
        .rev()
        .zip(new[start..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let (a, b) = (&old[start..old_end], &new[start..new_end]);
    let mut lines: Vec<Line> = old[..start].iter().map(|line| Line::Same(line)).collect();
    if a.len().saturating_mul(b.len()) > MOST_PAIRS {
        lines.extend(a.iter().map(|line| Line::Old(line)));
        lines.extend(b.iter().map(|line| Line::New(line)));
    } else {
        lines.extend(common(a, b));
    }
    lines.extend(old[old_end..].iter().map(|line| Line::Same(line)));
    lines
}

fn common<'a>(a: &[&'a str], b: &[&'a str]) -> Vec<Line<'a>> {
    // longest[i][j]: how many lines the rests a[i..] and b[j..] have in common.
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push(Line::Same(a[i]));
            i += 1;
            j += 1;
        } else if i < a.len()
            && (j == b.len() || longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            lines.push(Line::Old(a[i]));
            i += 1;
        } else {
            lines.push(Line::New(b[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_with_their_surroundings() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let new = "a\nb\nc\nx\ne\nf\ng\nh\ni\n";
        assert_eq!(
            diff(old, new),
            "@@ 2 @@\n b\n c\n-d\n+x\n e\n f\n g\n h\n+i\n"
        );
        assert_eq!(diff(old, old), "");
        assert_eq!(diff("", "a\n"), "@@ 1 @@\n+a\n");
    }

    #[test]
    fn a_huge_change_is_one_change() {
        let old = "a\n".repeat(3_000);
        let new = "b\n".repeat(3_000);
        assert_eq!(diff(&old, &new).lines().count(), 6_001);
    }
}
