//! Comments at the ends of neighbouring lines begin in the same column.

/// Aligns the comments that begin at the places `trailing` of a text, each behind the code of its line.
/// Lines are neighbours if they follow each other with the same indentation
/// and open no block.
pub fn align(text: &str, trailing: &[usize]) -> String {
    let mut aligned = String::with_capacity(text.len());
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut trailing = trailing.iter().peekable();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let split = trailing
            .next_if(|place| **place < end)
            .map(|place| place - start);
        let Some(split) = split else {
            flush(&mut aligned, &mut lines);
            aligned.push_str(line);
            start = end;
            continue;
        };
        let next = Line::new(line, split);
        let ends = |last: &Line<'_>| last.indent != next.indent || last.opens || next.opens;
        if lines.last().is_some_and(ends) {
            flush(&mut aligned, &mut lines);
        }
        lines.push(next);
        start = end;
    }
    flush(&mut aligned, &mut lines);
    aligned
}

struct Line<'a> {
    code: &'a str,
    comment: &'a str,
    indent: usize,
    width: usize,
    /// Whether a block begins here: its comment is about the block.
    opens: bool,
}

impl<'a> Line<'a> {
    fn new(line: &'a str, split: usize) -> Self {
        let (code, comment) = line.split_at(split);
        Line {
            code,
            comment: comment.trim_start_matches(' '),
            indent: code.len() - code.trim_start().len(),
            width: code.chars().count(),
            opens: code.ends_with('{'),
        }
    }
}

fn flush(text: &mut String, lines: &mut Vec<Line<'_>>) {
    let width = lines.iter().map(|line| line.width).max().unwrap_or(0);
    for line in lines.drain(..) {
        text.push_str(line.code);
        text.extend(std::iter::repeat_n(' ', width - line.width + 1));
        text.push_str(line.comment);
    }
}
