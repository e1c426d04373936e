//! A chart for a terminal: characters, as many columns as there are, and colours if they are wanted.

use super::grid::{Line, cut_start, width, wrap};
use super::signs::{ASCII, Signs, UNICODE};
use super::{Chart, Fate, Life, Mark, Message, Row, Rule, Tone, What};
use crate::report::Style;
use crate::source::Sources;

/// How a chart is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// How many columns there are.
    pub columns: usize,
    /// Whether only characters are used that every terminal has.
    pub ascii: bool,
    /// Whether even a very long chart is shown from its beginning to its end.
    pub whole: bool,
    /// Colours, or none.
    pub style: Style,
}

/// A lane has at least so many columns.
const NARROWEST: usize = 10;
/// And at most so many: farther apart they are hard to follow.
const WIDEST: usize = 30;
/// A mark has at most so many lines.
const TALLEST: usize = 6;
/// More processes that are left out are counted.
const NAMED: usize = 8;

/// Draws a chart.
pub fn draw(chart: &Chart, sources: &Sources, paper: &Paper) -> String {
    Drawing::new(chart, sources, paper).draw()
}

struct Drawing<'a> {
    chart: &'a Chart,
    sources: &'a Sources,
    paper: &'a Paper,
    signs: Signs,
    /// Columns of the numbers of steps, and of the places.
    digits: usize,
    places: usize,
    /// Whether a place is shown with its file.
    files: bool,
    /// The column of each lane; those without have no room.
    columns: Vec<Option<usize>>,
    /// The column of the first lane, and how many columns a lane has.
    first: usize,
    lane: usize,
    out: String,
}

impl<'a> Drawing<'a> {
    fn new(chart: &'a Chart, sources: &'a Sources, paper: &'a Paper) -> Self {
        let mut places = chart.rows.iter().filter_map(|row| row.place);
        let file = places.next().map(|place| place.file);
        let mut drawing = Drawing {
            chart,
            sources,
            paper,
            signs: if paper.ascii { ASCII } else { UNICODE },
            digits: chart.steps.to_string().len().max(4),
            places: 4,
            files: places.any(|place| Some(place.file) != file),
            columns: vec![None; chart.lanes.len()],
            first: 0,
            lane: 0,
            out: String::new(),
        };
        let widths = chart.rows.iter().map(|row| width(&drawing.place(row)));
        drawing.places = widths.max().unwrap_or(0).clamp(4, 16);
        // Two for the left edge, one between the numbers, then the bracket of a loop with a space on each side.
        drawing.first = 2 + drawing.digits + 1 + drawing.places + 3;
        let room = paper.columns.saturating_sub(drawing.first).max(NARROWEST);
        let fit = (room / NARROWEST).min(chart.lanes.len()).max(1);
        drawing.lane = (room / fit).min(WIDEST);
        for (place, lane) in drawing.busiest(fit).into_iter().enumerate() {
            drawing.columns[lane] = Some(drawing.first + place * drawing.lane);
        }
        drawing
    }

    /// The lanes in which most happens, in the order of the model.
    fn busiest(&self, count: usize) -> Vec<usize> {
        let mut rows = vec![0_usize; self.chart.lanes.len()];
        for row in &self.chart.rows {
            for lane in self.touched(row) {
                // What is remarkable must be seen.
                rows[lane] += match row.tone(self.chart) {
                    Tone::Bad => 1000,
                    _ => 1,
                };
            }
        }
        let mut lanes: Vec<usize> = (0..rows.len()).collect();
        lanes.sort_by_key(|lane| std::cmp::Reverse(rows[*lane]));
        lanes.truncate(count);
        lanes.sort_unstable();
        lanes
    }

    fn touched(&self, row: &Row) -> Vec<usize> {
        match &row.what {
            What::Sent(m) | What::Received(m) | What::Passed(m) | What::Lost(m) => {
                let message = &self.chart.messages[*m];
                message.to.into_iter().chain([message.from]).collect()
            }
            What::Mark { lane, .. } => vec![*lane],
            What::Note(_) => Vec::new(),
        }
    }

    fn draw(mut self) -> String {
        let room = self.paper.columns.saturating_sub(4);
        for text in &self.chart.opening {
            for line in wrap(text, room, TALLEST, self.signs.cut) {
                let mut out = Line::default();
                out.put(4, &line, Tone::Plain);
                self.end(&out);
            }
        }
        self.heading();
        let rows = &self.chart.rows;
        let shown = self.shown();
        let mut said = None;
        for (index, row) in rows.iter().enumerate() {
            if !shown[index] {
                continue;
            }
            if let Some(steps) = self.chart.left_out_before(index, &shown) {
                self.gap(&steps, row.step);
            }
            let before = index.checked_sub(1).map(|earlier| &rows[earlier]);
            self.between(before, row.step);
            let number = (said != Some(row.step) && row.step < self.chart.steps).then_some(row);
            said = Some(row.step);
            self.row(row, number);
        }
        self.between(rows.last(), usize::MAX);
        self.notes();
        self.out
    }

    /// Which rows are shown: all, or of a long chart the ends and what is remarkable.
    fn shown(&self) -> Vec<bool> {
        match self.paper.whole {
            true => vec![true; self.chart.rows.len()],
            false => self.chart.remarkable(),
        }
    }

    fn gap(&mut self, steps: &str, step: usize) {
        let mut line = self.lanes(step, self.signs.gap);
        let text = format!(" {steps} left out; --full-trace shows all ");
        line.put(self.first + 1, &text, Tone::Faint);
        self.end(&line);
    }

    fn end(&mut self, line: &Line) {
        self.out += &line.paint(self.paper.style);
    }

    fn heading(&mut self) {
        let mut line = Line::default();
        line.put(2 + self.digits - 4, "step", Tone::Faint);
        line.put(2 + self.digits + 1 + self.places - 4, "line", Tone::Faint);
        for (lane, column) in self.chart.lanes.iter().zip(&self.columns) {
            if let Some(column) = column {
                let name = cut_start(&lane.name, self.lane - 1, self.signs.cut);
                line.put(*column, &name, Tone::Strong);
            }
        }
        self.end(&line);
    }

    /// What is said before the rows of a step that did not come before the row before it.
    fn between(&mut self, before: Option<&Row>, step: usize) {
        let after = before.map_or(0, |row| row.last + 1);
        let is_next = |at: usize| (after..=step).contains(&at);
        let steps = self.chart.steps;
        let start = self.chart.loop_start;
        // The loop ends with the last step, whatever is said about the end of the run.
        if start.is_some() && is_next(steps) {
            let mut line = self.lanes(steps, self.signs.line);
            let bracket = self.first - 2;
            line.set(bracket, self.signs.bottom, Tone::Odd);
            line.set(bracket + 1, self.signs.broken, Tone::Odd);
            self.end(&line);
        }
        // What is said about the step that begins the loop, or an earlier one, stands above its bracket.
        let rules = self.chart.rules.iter().filter(|rule| is_next(rule.step));
        let (inside, before): (Vec<&Rule>, Vec<&Rule>) =
            rules.partition(|rule| start.is_some_and(|start| rule.step > start));
        for rule in before {
            self.rule(rule);
        }
        if let Some(start) = start.filter(|start| is_next(*start)) {
            let mut line = self.lanes(start, self.signs.line);
            let bracket = self.first - 2;
            line.set(bracket, self.signs.top, Tone::Odd);
            line.set(bracket + 1, self.signs.broken, Tone::Odd);
            line.put(self.first, " from here on for ever ", Tone::Odd);
            self.end(&line);
        }
        for rule in inside {
            self.rule(rule);
        }
    }

    /// A line across all lanes, with what is said there.
    fn rule(&mut self, rule: &Rule) {
        let room = self.paper.columns.saturating_sub(self.first + 3);
        for text in wrap(&rule.text, room, TALLEST, self.signs.cut) {
            let mut line = Line::default();
            if self.chart.loop_start.is_some_and(|start| rule.step > start)
                && rule.step < self.chart.steps
            {
                line.set(self.first - 2, self.signs.side, Tone::Odd);
            }
            let end = self.first + self.lane * self.drawn();
            for column in self.first..end.min(self.paper.columns) {
                line.set(column, self.signs.across, rule.tone);
            }
            line.put(self.first + 1, &format!(" {text} "), rule.tone);
            self.end(&line);
        }
    }

    /// How many lanes are drawn.
    fn drawn(&self) -> usize {
        self.columns.iter().flatten().count()
    }

    /// A line with nothing but the lanes, as they are before a step.
    fn lanes(&self, step: usize, running: char) -> Line {
        let mut line = Line::default();
        for (lane, column) in self.chart.lanes.iter().zip(&self.columns) {
            let sign = match lane.before(step) {
                Life::Running => running,
                Life::Ended => self.signs.ended,
                Life::Crashed | Life::Failed => ' ',
            };
            if let Some(column) = column {
                line.set(*column, sign, Tone::Faint);
            }
        }
        line
    }

    /// `23`, or `link:23` if there are several files.
    fn place(&self, row: &Row) -> String {
        let Some(place) = row.place else {
            return String::new();
        };
        let path = &self.sources.file(place.file).path;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        match self.files {
            true => format!("{}:{}", name.trim_end_matches(".sdl"), place.line),
            false => place.line.to_string(),
        }
    }

    /// The lines of a row: lanes, number and place; the caller adds what happens.
    fn lines(&self, row: &Row, number: Option<&Row>, count: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for index in 0..count {
            // Below a crash there is nothing.
            let step = row.step + usize::from(index > 0 && row.step < self.chart.steps);
            let mut line = self.lanes(step, self.signs.line);
            if let Some(number) = number.filter(|_| index == 0) {
                let text = (number.step + 1).to_string();
                line.put(2 + self.digits - text.len(), &text, Tone::Faint);
            }
            if index == 0 {
                let place = self.place(row);
                let place = cut_start(&place, self.places, self.signs.cut);
                let column = 2 + self.digits + 1 + self.places - width(&place);
                line.put(column, &place, Tone::Faint);
            }
            if self.chart.is_in_loop(row) {
                line.set(self.first - 2, self.signs.side, Tone::Odd);
            }
            lines.push(line);
        }
        lines
    }

    fn row(&mut self, row: &Row, number: Option<&Row>) {
        let lines = match &row.what {
            What::Mark { lane, kind, text } => match self.columns[*lane] {
                Some(column) => self.mark(row, number, column, *kind, text),
                None => {
                    let name = &self.chart.lanes[*lane].name;
                    self.note(row, number, &format!("{name} {text}"), kind.tone())
                }
            },
            What::Note(text) => self.note(row, number, text, Tone::Plain),
            What::Sent(m) | What::Received(m) | What::Passed(m) | What::Lost(m) => {
                self.message(row, number, &self.chart.messages[*m])
            }
        };
        for line in &lines {
            self.end(line);
        }
    }

    fn mark(
        &self,
        row: &Row,
        number: Option<&Row>,
        column: usize,
        kind: Mark,
        text: &str,
    ) -> Vec<Line> {
        let sign = match kind {
            Mark::Local => self.signs.local,
            Mark::Timeout { .. } => self.signs.timeout,
            Mark::Fault | Mark::Failure => self.signs.fault,
            Mark::Crash => self.signs.crash,
            Mark::Recovery => self.signs.recovery,
            Mark::Waiting => self.signs.waiting,
        };
        let texts = wrap(text, self.lane - 3, TALLEST, self.signs.cut);
        let mut lines = self.lines(row, number, texts.len());
        lines[0].set(column, sign, kind.tone());
        for (line, text) in lines.iter_mut().zip(&texts) {
            line.put(column + 2, text, kind.tone());
        }
        lines
    }

    /// A text across the lanes.
    fn note(&self, row: &Row, number: Option<&Row>, text: &str, tone: Tone) -> Vec<Line> {
        let room = self.paper.columns.saturating_sub(self.first + 2);
        let texts = wrap(text, room, TALLEST, self.signs.cut);
        let mut lines = self.lines(row, number, texts.len());
        for (line, text) in lines.iter_mut().zip(&texts) {
            line.put(self.first + 1, &format!(" {text} "), tone);
        }
        lines
    }

    fn message(&self, row: &Row, number: Option<&Row>, message: &Message) -> Vec<Line> {
        let tone = match message.fate {
            Fate::Waiting | Fate::Withdrawn(_) if message.tone() == Tone::Plain => Tone::Odd,
            _ => message.tone(),
        };
        let names = |lane: usize| self.chart.lanes[lane].name.as_str();
        let from = self.columns[message.from];
        let to = message.to.and_then(|to| self.columns[to]);
        let arrives = matches!(row.what, What::Received(_) | What::Passed(_));
        match (from, to) {
            (Some(from), _) if message.to == Some(message.from) => {
                let text = format!("{} to itself", message.label());
                let texts = wrap(&text, self.lane - 3, TALLEST, self.signs.cut);
                let mut lines = self.lines(row, number, texts.len());
                lines[0].set(from, self.signs.itself, tone);
                for (line, text) in lines.iter_mut().zip(&texts) {
                    line.put(from + 2, text, tone);
                }
                lines
            }
            (Some(from), Some(to)) => self.arrow(row, number, message, (from, to), tone),
            // Nobody in particular would have received it.
            (Some(from), None) if !arrives && message.to.is_none() => {
                let end = from + self.lane;
                self.arrow(row, number, message, (from, end), tone)
            }
            // An end has no lane here.
            _ => {
                let to = message.to.map(|to| format!(" to {}", names(to)));
                let verb = match row.what {
                    What::Received(_) => "gets through",
                    What::Lost(_) => "is lost",
                    What::Sent(_) => "is sent",
                    _ => "passes",
                };
                let text = format!(
                    "{} {verb} from {}{}",
                    message.label(),
                    names(message.from),
                    to.unwrap_or_default()
                );
                self.note(row, number, &text, tone)
            }
        }
    }

    fn arrow(
        &self,
        row: &Row,
        number: Option<&Row>,
        message: &Message,
        (from, to): (usize, usize),
        tone: Tone,
    ) -> Vec<Line> {
        let signs = &self.signs;
        let rightwards = from < to;
        let (left, right) = (from.min(to), from.max(to));
        // A space and a line on each side of the label, and the head.
        let span = match row.what {
            // One that is only on its way does not touch another lane.
            What::Sent(_) => self.lane.min(right - left),
            _ => right - left,
        };
        let room = (span - 1).saturating_sub(5);
        let (label, above) = match message.label() {
            label if width(&label) <= room => (label, None),
            _ if width(&message.text) <= room => (message.text.clone(), None),
            label => (String::new(), Some(label)),
        };
        let texts = above.map_or_else(Vec::new, |text| {
            wrap(&text, span.saturating_sub(3), TALLEST - 1, signs.cut)
        });
        let mut lines = self.lines(row, number, texts.len() + 1);
        for (line, text) in lines.iter_mut().zip(&texts) {
            let column = if rightwards {
                left + 2
            } else {
                right - span + 2
            };
            line.put(column, text, tone);
        }
        let line = lines.last_mut().expect("there is one");
        let dash = match row.what {
            What::Lost(_) => signs.broken,
            _ => signs.across,
        };
        // What does not arrive ends before the lane: a message on its way as soon as it is named, a lost one halfway.
        let inner = right - left - 1;
        let named = width(&label) + if label.is_empty() { 6 } else { 5 };
        let length = match row.what {
            What::Sent(_) => named.min(inner),
            What::Lost(_) => named.max(inner.saturating_sub(4)).min(inner),
            _ => inner,
        };
        let cells: Vec<usize> = match rightwards {
            true => (left + 1..left + 1 + length).collect(),
            false => (right - length..right).rev().collect(),
        };
        for column in &cells {
            let lane = self.columns.iter().flatten().any(|lane| lane == column);
            let sign = if lane && dash == signs.across {
                signs.cross
            } else {
                dash
            };
            line.set(*column, sign, tone);
        }
        let head = match (&row.what, rightwards) {
            (What::Lost(_), _) => signs.lost,
            (What::Sent(_), true) => signs.open_right,
            (What::Sent(_), false) => signs.open_left,
            (_, true) => signs.right,
            (_, false) => signs.left,
        };
        if let Some(end) = cells.last() {
            line.set(*end, head, tone);
        }
        let tail = match rightwards {
            true => signs.from_left,
            false => signs.from_right,
        };
        line.set(from, tail, tone);
        if !label.is_empty() {
            // The label is where the arrow begins, unless it is read from its head.
            let start = match rightwards {
                true => left + 2,
                false => right - 3 - width(&label),
            };
            line.put(start, &format!(" {label} "), tone);
        }
        lines
    }

    /// Who is not in the picture.
    fn notes(&mut self) {
        let narrow: Vec<&str> = (self.chart.lanes.iter().zip(&self.columns))
            .filter(|(_, column)| column.is_none())
            .map(|(lane, _)| lane.name.as_str())
            .collect();
        let left_out: Vec<&str> = self.chart.left_out.iter().map(String::as_str).collect();
        let wanted = self.first + NARROWEST * self.chart.lanes.len();
        let why = format!("without a lane: a wider terminal has room, {wanted} columns for all");
        for (names, why) in [
            (left_out, "do nothing that matters here".to_owned()),
            (narrow, why),
        ] {
            if names.is_empty() {
                continue;
            }
            let mut text = names[..names.len().min(NAMED)].join(", ");
            if names.len() > NAMED {
                text += &format!(" and {} others", names.len() - NAMED);
            }
            let verb = match names.len() {
                1 => why.replace("do ", "does "),
                _ => why,
            };
            let text = format!("({text} {verb})");
            for line in wrap(
                &text,
                self.paper.columns.saturating_sub(4),
                8,
                self.signs.cut,
            ) {
                let mut out = Line::default();
                out.put(4, &line, Tone::Faint);
                self.end(&out);
            }
        }
    }
}
