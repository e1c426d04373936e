//! A chart made short: what does not matter is left out, a message that passes at once is one arrow, and what a process does
//! by itself without anything in between is one mark.

use super::{Chart, Fate, Mark, Row, What};

impl Chart {
    /// The chart made short.
    pub fn folded(&self) -> Chart {
        let mut rows: Vec<Row> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.quiet) {
            let mut row = row.clone();
            match &row.what {
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

    /// Whether something is said between two steps, so that they cannot be one row.
    fn is_cut(&self, earlier: usize, later: usize) -> bool {
        let between = |step: usize| earlier < step && step <= later;
        self.loop_start.is_some_and(between) || self.rules.iter().any(|rule| between(rule.step))
    }
}
