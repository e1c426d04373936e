//! The lines of the sources that a message shows, made fit for a terminal.
//!
//! A model may contain anything: a line of ten megabytes, escape sequences, characters that write
//! backwards. An [`Excerpt`] holds only the lines near a message's labels, long ones clipped around
//! the labelled place and unprintable characters replaced, and knows where the labelled bytes went.

use std::collections::BTreeMap;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};

use crate::source::{FileId, Sources, Span, printable, visible};

/// Longer lines are clipped to about this many characters.
const WIDTH: usize = 160;
/// How many characters a clipped line shows before the place it is about.
const BEFORE: usize = 60;
/// How many lines at either end of a long label are kept; the renderer leaves out the rest.
const ENDS: usize = 6;

/// The shown lines of all files that one message speaks of.
pub(super) struct Excerpt<'a> {
    sources: &'a Sources,
    files: Vec<Shown>,
}

/// The shown lines of one file.
struct Shown {
    id: FileId,
    name: String,
    text: String,
    /// By line index, from 0.
    lines: BTreeMap<usize, Line>,
}

/// One line, as it stands in [`Shown::text`].
struct Line {
    range: Range<usize>,
    /// The column (from 0) of the first character shown.
    first_column: usize,
    /// Where each original byte offset (at a character) went.
    moved: Vec<(usize, usize)>,
}

impl<'a> Excerpt<'a> {
    /// The lines around some places.
    pub(super) fn new(sources: &'a Sources, spans: &[Span]) -> Self {
        let mut wanted: Vec<(FileId, BTreeMap<usize, usize>)> = Vec::new();
        for span in spans {
            let file = sources.file(span.file);
            let (start, end) = clamp(file.text.len(), *span);
            let first = file.line(start) - 1;
            let last = file.line(end) - 1;
            let lines = match wanted.iter_mut().find(|(id, _)| *id == span.file) {
                Some((_, lines)) => lines,
                None => {
                    wanted.push((span.file, BTreeMap::new()));
                    &mut wanted.last_mut().expect("just pushed").1
                }
            };
            // The offset is the place that a clipped line must show.
            lines.entry(first).or_insert(start);
            lines.entry(last).or_insert(end);
            let near_first = first.saturating_sub(2)..(first + ENDS).min(last);
            let near_last = last.saturating_sub(ENDS).max(first)..last + 3;
            for line in near_first.chain(near_last) {
                if line < file.line_count() {
                    lines
                        .entry(line)
                        .or_insert_with(|| file.line_range(line + 1).start);
                }
            }
        }
        let files = wanted
            .into_iter()
            .map(|(id, lines)| Shown::new(sources, id, &lines))
            .collect();
        Excerpt { sources, files }
    }

    /// Where a place of the sources is in the excerpt: the file's index and the byte range.
    pub(super) fn locate(&self, span: Span) -> (usize, Range<usize>) {
        let index = self
            .files
            .iter()
            .position(|shown| shown.id == span.file)
            .expect("an excerpt is asked for the places it was made for");
        let file = self.sources.file(span.file);
        let (start, end) = clamp(file.text.len(), span);
        let shown = &self.files[index];
        let start_line = file.line(start) - 1;
        let end_line = file.line(end) - 1;
        let start = shown.lines[&start_line].place(start);
        // A label that reaches just over a line end is shown on the line itself.
        let at_line_start = end == file.line_range(end_line + 1).start;
        let end = if at_line_start && end_line == start_line + 1 {
            shown.lines[&start_line].range.end
        } else {
            shown.lines[&end_line].place(end)
        };
        (index, start..end.max(start))
    }
}

/// A span's bounds within a text of `len` bytes.
fn clamp(len: usize, span: Span) -> (usize, usize) {
    let start = (span.start as usize).min(len);
    (start, (span.end as usize).clamp(start, len))
}

impl Shown {
    fn new(sources: &Sources, id: FileId, wanted: &BTreeMap<usize, usize>) -> Self {
        let file = sources.file(id);
        let mut text = String::new();
        let mut lines = BTreeMap::new();
        for (index, place) in wanted {
            let whole = file.line_range(index + 1);
            let line = &file.text[whole.clone()];
            let line = line.strip_suffix('\n').unwrap_or(line);
            let line = line.strip_suffix('\r').unwrap_or(line);
            let line = Line::copy(line, whole.start, *place - whole.start, &mut text);
            lines.insert(*index, line);
            text.push('\n');
        }
        Shown {
            id,
            name: printable(&file.path),
            text,
            lines,
        }
    }
}

impl Line {
    /// Appends a line to `out`, clipped around the byte `place` if it is long.
    fn copy(line: &str, offset: usize, place: usize, out: &mut String) -> Line {
        let from = out.len();
        let place = line.floor_char_boundary(place.min(line.len()));
        // A line of at most WIDTH bytes has at most WIDTH characters.
        let (start, end) = if line.len() <= WIDTH {
            (0, line.len())
        } else {
            let start = line[..place]
                .char_indices()
                .rev()
                .nth(BEFORE - 1)
                .map_or(0, |(at, _)| at);
            let end = line[start..]
                .char_indices()
                .nth(WIDTH)
                .map_or(line.len(), |(at, _)| start + at);
            (start, end)
        };
        let mut first_column = 0;
        if start > 0 {
            first_column = line[..start].chars().count() - 1;
            out.push('…');
        }
        let mut moved = Vec::new();
        for (at, c) in line[start..end].char_indices() {
            moved.push((offset + start + at, out.len()));
            out.push(if c == '\t' { c } else { visible(c) });
        }
        moved.push((offset + end, out.len()));
        if end < line.len() {
            out.push('…');
        }
        Line {
            range: from..out.len(),
            first_column,
            moved,
        }
    }

    /// Where an original byte offset is shown; the nearest place if it is clipped away.
    fn place(&self, offset: usize) -> usize {
        let after = self.moved.partition_point(|(at, _)| *at <= offset);
        match after.checked_sub(1) {
            Some(index) => self.moved[index].1,
            None => self.range.start,
        }
    }
}

impl<'f> Files<'f> for Excerpt<'_> {
    type FileId = usize;
    type Name = &'f str;
    type Source = &'f str;

    fn name(&'f self, id: usize) -> Result<&'f str, Error> {
        Ok(&self.files[id].name)
    }

    fn source(&'f self, id: usize) -> Result<&'f str, Error> {
        Ok(&self.files[id].text)
    }

    fn line_index(&'f self, id: usize, byte: usize) -> Result<usize, Error> {
        self.files[id]
            .lines
            .iter()
            .find(|(_, line)| line.range.start <= byte && byte <= line.range.end)
            .map(|(index, _)| *index)
            .ok_or(Error::FileMissing)
    }

    fn column_number(&'f self, id: usize, line_index: usize, byte: usize) -> Result<usize, Error> {
        let shown = &self.files[id];
        let line = shown.lines.get(&line_index).ok_or(Error::FileMissing)?;
        let before = shown.text[line.range.start..byte.clamp(line.range.start, line.range.end)]
            .chars()
            .count();
        Ok(line.first_column + before + 1)
    }

    fn line_range(&'f self, id: usize, line_index: usize) -> Result<Range<usize>, Error> {
        // Lines in the middle of a long label are not shown, whatever is in them.
        Ok(self.files[id]
            .lines
            .get(&line_index)
            .map_or(0..0, |line| line.range.clone()))
    }
}
