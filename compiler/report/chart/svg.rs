//! A chart as a picture: a file of its own, and what a page prints.

use super::{Chart, Fate, Life, Mark, Message, Row, Tone, What};
use crate::report::drawing::{Canvas, LINE, text_width};

/// Left of the lanes: the numbers of lines, and the bracket of a loop.
const MARGIN: f64 = 74.0;
/// Above the first row.
const TOP: f64 = 40.0;
/// A lane has at least and at most so much room.
const LANE: (f64, f64) = (150.0, 250.0);

/// An arrow over more rows is hard to follow: it is drawn as its two ends.
const NEAR: usize = 6;

/// The chart as an SVG file.
pub fn write(chart: &Chart, title: &str) -> String {
    Picture::new(chart).draw().file(title)
}

/// The chart as a part of a page.
pub fn part(chart: &Chart, title: &str) -> String {
    Picture::new(chart).draw().part(title)
}

struct Picture<'a> {
    chart: &'a Chart,
    lane: f64,
    /// The middle of each row, and of the lines above rows: where a loop begins and ends, and the rules.
    rows: Vec<f64>,
    loop_begins: Option<f64>,
    loop_ends: f64,
    rules: Vec<f64>,
    height: f64,
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain | Tone::Strong => "",
        Tone::Faint => " faint",
        Tone::Odd => " odd",
        Tone::Bad => " bad",
    }
}

fn text_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Faint => "faint",
        Tone::Strong => "t-strong",
        Tone::Odd => "t-odd",
        Tone::Bad => "t-bad",
    }
}

impl<'a> Picture<'a> {
    fn new(chart: &'a Chart) -> Self {
        let names = chart.lanes.iter().map(|lane| text_width(&lane.name) + 20.0);
        let labels = chart.messages.iter().map(|m| text_width(&m.label()) + 44.0);
        let wanted = names.chain(labels).fold(LANE.0, f64::max);
        let mut picture = Picture {
            chart,
            lane: wanted.min(LANE.1),
            rows: Vec::new(),
            loop_begins: None,
            loop_ends: 0.0,
            rules: vec![0.0; chart.rules.len()],
            height: 0.0,
        };
        picture.heights();
        picture
    }

    fn heights(&mut self) {
        let mut y = TOP + self.chart.opening.len() as f64 * LINE;
        let mut next = 0;
        let rows = &self.chart.rows;
        for index in 0..=rows.len() {
            let step = rows.get(index).map_or(usize::MAX, |row| row.step);
            let is_next = |at: usize| (next..=step).contains(&at);
            if self.chart.loop_start.is_some() && is_next(self.chart.steps) {
                self.loop_ends = y + 4.0;
                y += 14.0;
            }
            // What is said about the step that begins the loop, or an earlier one, stands above its bracket.
            for inside in [false, true] {
                let begins = self.chart.loop_start.filter(|start| is_next(*start));
                if inside && begins.is_some() {
                    self.loop_begins = Some(y + 10.0);
                    y += 22.0;
                }
                for (place, rule) in self.rules.iter_mut().zip(&self.chart.rules) {
                    let later = self.chart.loop_start.is_some_and(|start| rule.step > start);
                    if is_next(rule.step) && later == inside {
                        *place = y + 12.0;
                        y += 26.0;
                    }
                }
            }
            if let Some(row) = rows.get(index) {
                let lines = self.lines(row).len().max(1);
                let height = 14.0 + lines as f64 * LINE;
                self.rows.push(y + 7.0 + LINE / 2.0);
                y += height;
                next = row.last + 1;
            }
        }
        self.height = y + 10.0;
    }

    /// The lines of a mark.
    fn lines(&self, row: &Row) -> Vec<String> {
        let columns = ((self.lane - 26.0) / text_width("m")) as usize;
        match &row.what {
            What::Mark { text, .. } => super::grid::wrap(text, columns, 6, "…"),
            _ => Vec::new(),
        }
    }

    fn x(&self, lane: usize) -> f64 {
        MARGIN + 24.0 + self.lane * lane as f64
    }

    fn draw(&self) -> Canvas {
        let chart = self.chart;
        let count = chart.lanes.len().max(1) as f64;
        let notes = if chart.left_out.is_empty() { 0.0 } else { 24.0 };
        let mut canvas = Canvas::new(MARGIN + 24.0 + self.lane * count, self.height + notes);
        for (index, line) in chart.opening.iter().enumerate() {
            let y = TOP + index as f64 * LINE;
            canvas.lines(std::slice::from_ref(line), (MARGIN, y), "start", "faint");
        }
        for (index, lane) in chart.lanes.iter().enumerate() {
            let x = self.x(index);
            let name = std::slice::from_ref(&lane.name);
            canvas.lines(name, (x - 8.0, 16.0), "start", "name");
            self.life(&mut canvas, index);
        }
        if let Some(begins) = self.loop_begins {
            let (left, right) = (MARGIN - 6.0, MARGIN + 4.0);
            let path = format!(
                "M{right:.1} {begins:.1}H{left:.1}V{:.1}H{right:.1}",
                self.loop_ends
            );
            canvas.path(&path, "loop");
            let text = ["from here on for ever".to_owned()];
            canvas.lines(&text, (right + 6.0, begins), "start", "t-odd");
        }
        for (rule, y) in chart.rules.iter().zip(&self.rules) {
            let end = MARGIN + 24.0 + self.lane * count - 10.0;
            let width = text_width(&rule.text) + 12.0;
            canvas.line(
                (MARGIN + 10.0, *y),
                (end, *y),
                &format!("rule{}", class(rule.tone)),
            );
            canvas.block(
                (MARGIN + 26.0 + width / 2.0, *y),
                (width, LINE),
                0.0,
                "back",
            );
            let text = std::slice::from_ref(&rule.text);
            canvas.lines(text, (MARGIN + 32.0, *y), "start", text_class(rule.tone));
        }
        for (index, row) in chart.rows.iter().enumerate() {
            self.row(&mut canvas, index, row);
        }
        if notes > 0.0 {
            let text = format!(
                "not shown, for they do nothing that matters: {}",
                chart.left_out.join(", ")
            );
            let columns = (self.lane * count / text_width("m")) as usize;
            let text = [super::grid::cut(&text, columns, "…")];
            canvas.lines(&text, (MARGIN, self.height + 6.0), "start", "faint");
        }
        canvas
    }

    /// Where a step is in the picture: its first row.
    fn at(&self, step: usize) -> f64 {
        let row = self.chart.rows.iter().position(|row| row.last >= step);
        row.map_or(self.height - 10.0, |row| self.rows[row])
    }

    fn life(&self, canvas: &mut Canvas, index: usize) {
        let lane = &self.chart.lanes[index];
        let x = self.x(index);
        let mut top = 26.0;
        for (place, (_, life)) in lane.life.iter().enumerate() {
            let bottom = match lane.life.get(place + 1) {
                // A change shows where the step is that makes it.
                Some((step, _)) => self.at(step - 1),
                None => self.height - 8.0,
            };
            match life {
                Life::Running => canvas.line((x, top), (x, bottom), "lane"),
                Life::Ended => canvas.line((x, top), (x, bottom), "lane ended"),
                Life::Crashed | Life::Failed => {}
            }
            top = bottom;
        }
    }

    fn row(&self, canvas: &mut Canvas, index: usize, row: &Row) {
        let y = self.rows[index];
        if let Some(place) = row.place {
            let line = [place.line.to_string()];
            canvas.lines(&line, (MARGIN - 16.0, y), "end", "faint");
        }
        match &row.what {
            What::Note(text) => {
                let width = text_width(text) + 12.0;
                canvas.block((MARGIN + 30.0 + width / 2.0, y), (width, LINE), 0.0, "back");
                let text = std::slice::from_ref(text);
                canvas.lines(text, (MARGIN + 36.0, y), "start", "faint");
            }
            What::Mark { lane, kind, .. } => {
                let x = self.x(*lane);
                let tone = kind.tone();
                match kind {
                    Mark::Crash | Mark::Failure => {
                        let path = format!(
                            "M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}",
                            x - 5.0,
                            y - 5.0,
                            x + 5.0,
                            y + 5.0,
                            x - 5.0,
                            y + 5.0,
                            x + 5.0,
                            y - 5.0
                        );
                        canvas.path(&path, "cross");
                    }
                    Mark::Timeout { .. } | Mark::Waiting | Mark::Recovery => {
                        canvas.raw(&format!("<g class=\"ring{}\">", class(tone)));
                        canvas.circle((x, y), 5.0);
                        canvas.raw("</g>\n");
                    }
                    Mark::Local | Mark::Fault => {
                        canvas.raw(&format!("<g class=\"mark{}\">", class(tone)));
                        canvas.circle((x, y), 4.0);
                        canvas.raw("</g>\n");
                    }
                }
                let lines = self.lines(row);
                let middle = y + (lines.len() as f64 - 1.0) * LINE / 2.0;
                canvas.lines(&lines, (x + 12.0, middle), "start", text_class(tone));
            }
            What::Passed(m) => self.arrow(canvas, &self.chart.messages[*m], y, y),
            What::Sent(m) => {
                let message = &self.chart.messages[*m];
                let arrival = self.chart.rows[index..].iter();
                let arrival = arrival
                    .take(NEAR + 1)
                    .any(|row| row.what == What::Received(*m));
                if matches!(message.fate, Fate::Waiting | Fate::Withdrawn(_)) {
                    self.stub(canvas, message, y, "arrow odd");
                } else if !arrival {
                    self.stub(
                        canvas,
                        message,
                        y,
                        &format!("arrow{}", class(message.tone())),
                    );
                } else {
                    self.label(canvas, message, y, text_class(message.tone()));
                }
            }
            What::Received(m) => {
                let message = &self.chart.messages[*m];
                let before = &self.chart.rows[..index];
                let sent = before.iter().rposition(|row| row.what == What::Sent(*m));
                match sent.filter(|sent| index - sent <= NEAR) {
                    Some(sent) => self.slope(canvas, message, self.rows[sent], y),
                    None => self.arrow(canvas, message, y, y),
                }
            }
            What::Lost(m) => self.stub(canvas, &self.chart.messages[*m], y, "arrow bad lost"),
        }
    }

    /// Whether a message goes to the right.
    fn rightwards(&self, message: &Message) -> bool {
        message.to.is_none_or(|to| to >= message.from)
    }

    fn label(&self, canvas: &mut Canvas, message: &Message, y: f64, class: &str) {
        let (x, anchor) = match self.rightwards(message) {
            true => (self.x(message.from) + 10.0, "start"),
            false => (self.x(message.from) - 10.0, "end"),
        };
        canvas.lines(&[message.label()], (x, y - 8.0), anchor, class);
    }

    fn arrow(&self, canvas: &mut Canvas, message: &Message, from_y: f64, y: f64) {
        self.slope(canvas, message, from_y, y);
        self.label(canvas, message, from_y, text_class(message.tone()));
    }

    fn slope(&self, canvas: &mut Canvas, message: &Message, from_y: f64, y: f64) {
        let x = self.x(message.from);
        let Some(to) = message.to.map(|to| self.x(to)) else {
            return;
        };
        let class = format!("arrow{}", class(message.tone()));
        if to == x {
            // To itself.
            let path = format!(
                "M{x:.1} {from_y:.1}C{:.1} {from_y:.1} {:.1} {:.1} {:.1} {:.1}",
                x + 34.0,
                x + 34.0,
                y + 8.0,
                x + 2.0,
                y + 8.0
            );
            canvas.path(&path, &class);
            canvas.head((x, y + 8.0), (-1.0, 0.0), &class);
            return;
        }
        let (dx, dy) = (to - x, y - from_y);
        let length = dx.hypot(dy);
        canvas.line((x, from_y), (to, y), &class);
        canvas.head((to, y), (dx / length, dy / length), &class);
    }

    /// A message that does not arrive.
    fn stub(&self, canvas: &mut Canvas, message: &Message, y: f64, class: &str) {
        let sign = if self.rightwards(message) { 1.0 } else { -1.0 };
        let x = self.x(message.from);
        let end = x + sign * (self.lane - 34.0);
        canvas.line((x, y), (end, y), class);
        let lost = message.fate == Fate::Lost;
        match lost {
            true => {
                let path = format!(
                    "M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}",
                    end - 5.0,
                    y - 5.0,
                    end + 5.0,
                    y + 5.0,
                    end - 5.0,
                    y + 5.0,
                    end + 5.0,
                    y - 5.0
                );
                canvas.path(&path, "cross");
            }
            false => {
                let (back, side) = (end - sign * 7.0, 4.0);
                let path = format!(
                    "M{back:.1} {:.1}L{end:.1} {y:.1}L{back:.1} {:.1}",
                    y - side,
                    y + side
                );
                canvas.path(&path, class);
            }
        }
        let tone = match message.fate {
            Fate::Lost => "t-bad",
            Fate::Received(_) => text_class(message.tone()),
            Fate::Waiting | Fate::Withdrawn(_) => "t-odd",
        };
        self.label(canvas, message, y, tone);
    }
}
