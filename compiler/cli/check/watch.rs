//! The limits, and who sees to it that they hold in every phase.
//!
//! Work that has something to show for itself when it is cut short (simplification, searches) asks [`Watch::is_over`]
//! and ends. Other work (reading a model, weaving, compiling, emission) would have nothing: it is not burdened with
//! questions. A second thread looks at clock and memory meanwhile, and if the work has not ended soon after a limit was
//! reached, tells what is known and ends the process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::many;
use crate::cli::args::Check;
use crate::cli::memory::Size;
use crate::cli::shell::Shell;
use crate::cli::{Exit, interrupt, memory};

/// How often clock and memory are looked at. Memory can grow by a megabyte in a millisecond.
const INTERVAL: Duration = Duration::from_millis(4);

/// How long work may take to end by itself after a limit was reached.
const GRACE: Duration = Duration::from_millis(600);

/// How long telling the answers may take when a limit has been reached.
const TELLING: Duration = Duration::from_secs(1);

/// Memory for the program itself and what it is made of, which nobody would count.
const UNCOUNTED: usize = 24 << 20;

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// `--timeout`
    Time,
    /// `--max-memory`, or what the machine has.
    Memory,
    /// Ctrl-C, or a signal to terminate.
    Interrupted,
}

impl Limit {
    /// What has happened.
    pub fn as_str(self) -> &'static str {
        match self {
            Limit::Time => "the time is up",
            Limit::Memory => "the memory is used up",
            Limit::Interrupted => "interrupted",
        }
    }

    /// What to do about it.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Limit::Time => Some("give it more time with `--timeout`, or make the model smaller"),
            Limit::Memory => {
                Some("give it more memory with `--max-memory`, or make the model smaller")
            }
            Limit::Interrupted => None,
        }
    }
}

/// Says which limit was reached, and `when`, where nothing else is known.
pub fn too_late(shell: &Shell, when: &'static str) -> impl FnOnce(Limit) -> Exit + Send + use<> {
    let mut shell = shell.clone();
    move |limit| {
        let message = format!("{}{when}", limit.as_str());
        shell.complain(&message, None, limit.hint());
        Exit::Undecided
    }
}

/// When to give up.
pub struct Watch {
    /// When it all began.
    pub start: Instant,
    time: Option<Duration>,
    /// In bytes.
    pub memory: usize,
    /// Set by Ctrl-C.
    pub interrupted: &'static AtomicBool,
    /// Set when more memory than allowed is in use.
    full: AtomicBool,
    /// How much work is going on that keeps to the limits by itself.
    trusted: AtomicUsize,
}

impl Watch {
    /// The limits that the arguments set, from now on.
    pub fn new(args: &Check) -> Watch {
        Watch::within(args.timeout, args.max_memory)
    }

    /// The limits on time, in seconds, and memory, from now on.
    pub fn within(timeout: Option<f64>, memory: Option<Size>) -> Watch {
        Watch {
            start: Instant::now(),
            time: timeout.map(Duration::from_secs_f64),
            memory: match memory {
                Some(size) => size.0,
                None => many::share_of_memory().unwrap_or_else(memory::usable),
            },
            interrupted: interrupt::watch(),
            full: AtomicBool::new(false),
            trusted: AtomicUsize::new(0),
        }
    }

    /// How much time is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.time?.saturating_sub(self.start.elapsed()))
    }

    /// Whether to give up.
    pub fn is_over(&self) -> bool {
        self.reached().is_some()
    }

    /// The limit that was reached, if one was.
    pub fn reached(&self) -> Option<Limit> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(Limit::Interrupted)
        } else if self.full.load(Ordering::Relaxed) {
            Some(Limit::Memory)
        } else {
            (self.time_left() == Some(Duration::ZERO)).then_some(Limit::Time)
        }
    }

    /// Does some work. If a limit is reached and the work does not end soon after, `give_up` says what is to be said, and
    /// the process ends.
    pub fn over<R>(
        &self,
        give_up: impl FnOnce(Limit) -> Exit + Send,
        work: impl FnOnce() -> R,
    ) -> R {
        self.guard((GRACE, 0), give_up, work)
    }

    /// The same for telling the answers. The limit may have been reached before: that takes a little time and memory of its own.
    pub fn telling<R>(
        &self,
        give_up: impl FnOnce(Limit) -> Exit + Send,
        work: impl FnOnce() -> R,
    ) -> R {
        let used = memory::resident().unwrap_or(0);
        let room = used.saturating_add((self.memory / 20).max(UNCOUNTED / 2));
        self.guard((TELLING, room), give_up, work)
    }

    /// Does some work, which may take so much time after a limit was reached, and may occupy so much memory in any case.
    fn guard<R>(
        &self,
        allowed: (Duration, usize),
        give_up: impl FnOnce(Limit) -> Exit + Send,
        work: impl FnOnce() -> R,
    ) -> R {
        thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let watching = thread::Builder::new().spawn_scoped(scope, move || {
                let mut since = None;
                while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if let Some(limit) = self.is_overdue(&mut since, allowed) {
                        let exit = give_up(limit);
                        // The work may have come to its end while that was said.
                        interrupt::leave(exit);
                    }
                }
            });
            // Without a thread only the work itself looks at the limits.
            drop(watching);
            let result = work();
            drop(end);
            result
        })
    }

    /// Does work that ends by itself in time when a limit is reached, but has to clean up.
    pub fn trust<R>(&self, work: impl FnOnce() -> R) -> R {
        self.trusted.fetch_add(1, Ordering::Relaxed);
        let result = work();
        self.trusted.fetch_sub(1, Ordering::Relaxed);
        result
    }

    /// Whether work goes on in spite of a limit, `since` being when that was reached.
    fn is_overdue(
        &self,
        since: &mut Option<Instant>,
        (grace, room): (Duration, usize),
    ) -> Option<Limit> {
        let used = memory::resident().unwrap_or(0);
        let beyond = |share: usize, least: usize| {
            used > self.memory.saturating_add((self.memory / share).max(least))
        };
        if beyond(10, UNCOUNTED / 2) {
            self.full.store(true, Ordering::Relaxed);
        }
        let limit = self.reached()?;
        let late = since.get_or_insert_with(Instant::now).elapsed() >= grace;
        let trusted = self.trusted.load(Ordering::Relaxed) > 0;
        (late && !trusted || used > room && beyond(5, UNCOUNTED)).then_some(limit)
    }
}
