//! A chart made short: what does not matter is left out, a message that passes at once is one arrow, and what a process does
//! by itself without anything in between is one mark. Of a long one the ends are kept, and what is remarkable between.

use super::{Chart, Fate, Mark, Row, Tone, What};
use crate::report::thousands;
use crate::trace::words;

/// A chart with more rows is shown by its beginning, its end and what is remarkable between.
const LONG: usize = 240;
/// How much of its beginning and of its end.
const ENDS: usize = 80;
/// How much around what is remarkable.
const AROUND: usize = 3;

impl Chart {
    /// The chart made short.
    pub fn folded(&self) -> Chart {
        let mut rows: Vec<Row> = Vec::new();
        let tick = What::Note(words::passing(1));
        // How many ticks the last row stands for.
        let mut ticks = 0;
        for row in self.rows.iter().filter(|row| !row.quiet) {
            let mut row = row.clone();
            let earlier = std::mem::replace(&mut ticks, usize::from(row.what == tick));
            match &row.what {
                What::Note(_) if ticks > 0 && earlier > 0 => {
                    if let Some(last) = rows.last_mut()
                        && !self.is_cut(last.last, row.step)
                    {
                        ticks += earlier;
                        last.what = What::Note(words::passing(ticks));
                        last.last = row.last;
                        continue;
                    }
                }
                // Its sender waits meanwhile, so that it might as well be sent when it is received.
                What::Sent(m)
                    if self.messages[*m].rendezvous
                        && matches!(self.messages[*m].fate, Fate::Received(_)) =>
                {
                    continue;
                }
                What::Received(m) if self.messages[*m].rendezvous => row.what = What::Passed(*m),
                What::Received(m) => {
                    let sent = rows.last().is_some_and(|last| last.what == What::Sent(*m));
                    if sent && !self.is_cut(rows[rows.len() - 1].last, row.step) {
                        rows.pop();
                        row.what = What::Passed(*m);
                    }
                }
                What::Mark {
                    lane,
                    kind: Mark::Local,
                    text,
                } => {
                    if let Some(last) = rows.last_mut()
                        && !self.is_cut(last.last, row.step)
                        && let What::Mark {
                            lane: same,
                            kind: Mark::Local,
                            text: before,
                        } = &mut last.what
                        && same == lane
                    {
                        *before += "; ";
                        *before += text;
                        last.last = row.last;
                        continue;
                    }
                }
                _ => {}
            }
            rows.push(row);
        }
        Chart {
            rows,
            ..self.clone()
        }
    }

    /// Which rows of a long chart are shown: the ends and what is remarkable; of one that is not long, all.
    pub fn remarkable(&self) -> Vec<bool> {
        let rows = &self.rows;
        if rows.len() <= LONG {
            return vec![true; rows.len()];
        }
        let start = self.loop_start.unwrap_or(usize::MAX);
        let mut shown = vec![false; rows.len()];
        let mut between = 0;
        for (index, row) in rows.iter().enumerate() {
            let at_an_end = index < ENDS || index + ENDS >= rows.len();
            let remarkable = row.tone(self) == Tone::Bad
                || (row.step..=row.last).contains(&start)
                || self.rules.iter().any(|rule| rule.step == row.step);
            between += usize::from(remarkable && !at_an_end);
            if at_an_end || remarkable && between <= ENDS {
                let around = index.saturating_sub(AROUND)..(index + AROUND + 1).min(rows.len());
                shown[around].fill(true);
            }
        }
        shown
    }

    /// A long chart with what is remarkable only, for paper; in between it is said which steps are left out.
    pub fn abridged(&self) -> Chart {
        let mut rows: Vec<Row> = Vec::new();
        let shown = self.remarkable();
        for (index, row) in self.rows.iter().enumerate() {
            if !shown[index] {
                continue;
            }
            if let Some(steps) = self.left_out_before(index, &shown) {
                rows.push(Row {
                    step: row.step,
                    last: row.step,
                    place: None,
                    quiet: false,
                    what: What::Note(format!(
                        "({steps} left out here; the page on a screen has the whole run)"
                    )),
                });
            }
            rows.push(row.clone());
        }
        Chart {
            rows,
            ..self.clone()
        }
    }

    /// The steps of the rows right before one that are not shown, in words; none if the row before it is.
    pub fn left_out_before(&self, index: usize, shown: &[bool]) -> Option<String> {
        let before = shown[..index].iter().rposition(|shown| *shown);
        let left_out = &self.rows[before.map_or(0, |before| before + 1)..index];
        let (first, last) = (left_out.first()?.step + 1, left_out.last()?.last + 1);
        Some(match first == last {
            true => format!("step {} is", thousands(first as u64)),
            false => format!(
                "steps {} to {} are",
                thousands(first as u64),
                thousands(last as u64)
            ),
        })
    }

    /// The last rows, and how many there are above them.
    pub fn tail(&self, most: usize) -> (Chart, usize) {
        let above = self.rows.len().saturating_sub(most);
        let rows = self.rows[above..].to_vec();
        let opening = match above {
            0 => self.opening.clone(),
            _ => Vec::new(),
        };
        let first = rows.first().map_or(0, |row| row.step);
        let rules = self.rules.iter().filter(|rule| rule.step >= first);
        let chart = Chart {
            opening,
            rules: rules.cloned().collect(),
            rows,
            ..self.clone()
        };
        (chart, above)
    }

    /// Whether something is said between two steps, so that they cannot be one row.
    fn is_cut(&self, earlier: usize, later: usize) -> bool {
        let between = |step: usize| earlier < step && step <= later;
        self.loop_start.is_some_and(between) || self.rules.iter().any(|rule| between(rule.step))
    }
}
