//! The line on a terminal that shows how far a search has come.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::args::Format;
use super::shell::Shell;
use crate::engine::Progress;
use crate::report::thousands;

/// A quick search shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(150);

/// A line on standard error that is written over and over, if that is a terminal.
pub struct ProgressLine {
    start: Instant,
    next: Instant,
    wanted: bool,
    shown: bool,
}

impl ProgressLine {
    /// Nothing shown yet.
    pub fn new(shell: &Shell) -> Self {
        let start = Instant::now();
        ProgressLine {
            start,
            next: start + PATIENCE,
            wanted: shell.format() == Format::Text && io::stderr().is_terminal(),
            shown: false,
        }
    }

    /// Shows how far the search is, if it is time for that.
    pub fn show(&mut self, progress: &Progress) {
        if !self.is_time() {
            return;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        self.write(&format!(
            "{} states, depth {}, {} queued, {} states/s, {:.0} MiB",
            thousands(progress.states),
            progress.depth,
            thousands(progress.queue),
            thousands((progress.states as f64 / seconds) as u64),
            progress.memory as f64 / f64::from(1 << 20),
        ));
    }

    /// Shows a few words, if it is time for that.
    pub fn say(&mut self, words: &str) {
        if self.is_time() {
            self.write(words);
        }
    }

    fn is_time(&self) -> bool {
        self.wanted && Instant::now() >= self.next
    }

    fn write(&mut self, words: &str) {
        self.next = Instant::now() + INTERVAL;
        self.shown = true;
        let _ = io::stderr().write_all(format!("\r\x1b[K{words}").as_bytes());
    }

    /// Removes the line, so that something else can be written.
    pub fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
