//! Running a program as a child process that never outlives us.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::Error;
use super::workplace::Workplace;

/// How often to look at the clock and at `cancel`.
const TICK: Duration = Duration::from_millis(20);

/// Most of its output that is kept.
const KEPT: usize = 1 << 20;

/// A longer line is taken for several.
const LONGEST: u64 = 1 << 16;

/// How many lines may wait to be looked at.
const WAITING: usize = 64;

/// How long to listen to a program that has ended. Its last words are there at once, but somebody who has left its group
/// may go on for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What bounds a run of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How much memory it may use, in bytes.
    pub memory: Option<u64>,
    /// Set to true to end it, from a handler of Ctrl-C for instance.
    pub cancel: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// What is left of them for somebody who starts so much later.
    pub fn after(self, elapsed: Duration) -> Self {
        Limits {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            ..self
        }
    }

    /// Whether the user wants it to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|c| c.load(Ordering::Relaxed))
    }
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Exit(ExitStatus),
    /// It ran out of time and was ended.
    OutOfTime,
    /// The user wanted it to end.
    Cancelled,
}

/// What came of it.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// What it wrote, standard output and error in the order they were written.
    pub output: String,
}

/// Runs a program and calls `line` for each line it writes, as it does.
///
/// When this function is left, in whatever way, nobody is at work in the workplace any more.
///
/// # Errors
/// If it cannot be started, or its output not be read.
pub fn run(
    program: &Path,
    arguments: &[&str],
    workplace: &Workplace,
    limits: Limits<'_>,
    line: &mut dyn FnMut(&str),
) -> Result<Ended, Error> {
    let io = |e: std::io::Error| Error::Io(e.to_string());
    let (reader, writer) = std::io::pipe().map_err(io)?;
    let mut command = command(program, limits.memory);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(io)?)
        .stderr(writer);
    let started = Instant::now();
    let mut child = workplace
        .start(&mut command)
        .map_err(|e| Error::CannotStart(program.to_path_buf(), e.to_string()))?;
    // It holds our ends of the pipe for writing.
    drop(command);

    let (sender, lines) = mpsc::sync_channel(WAITING);
    let listener = thread::Builder::new().name("listener".into());
    let listening = listener.spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        let mut next = |bytes: &mut Vec<u8>| {
            bytes.clear();
            let read = reader.by_ref().take(LONGEST).read_until(b'\n', bytes);
            read.is_ok_and(|n| n > 0)
        };
        while next(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    listening.map_err(io)?;

    let mut output = String::new();
    let mut hear = |text: String| {
        line(&text);
        if output.len() < KEPT {
            output += &text;
            output.push('\n');
        }
    };
    let end = loop {
        if limits.is_cancelled() {
            break End::Cancelled;
        }
        if limits.time.is_some_and(|limit| started.elapsed() >= limit) {
            break End::OutOfTime;
        }
        match lines.recv_timeout(TICK) {
            Ok(text) => hear(text),
            Err(RecvTimeoutError::Timeout) => {}
            // It has ended or is about to.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(Duration::from_millis(1)),
        }
        if let Some(status) = child.0.try_wait().map_err(io)? {
            break End::Exit(status);
        }
    };
    workplace.end();
    drop(child);
    if matches!(end, End::Exit(_)) {
        let ended = Instant::now();
        while let Some(left) = LAST_WORDS.checked_sub(ended.elapsed())
            && let Ok(text) = lines.recv_timeout(left)
        {
            hear(text);
        }
    }
    Ok(Ended { end, output })
}

/// The exit status of a program that ended by itself, after doing what it does; else why it was ended before its time.
///
/// # Errors
/// If it was killed, or ran out of memory.
pub fn outcome(ended: &Ended) -> Result<Result<ExitStatus, End>, Error> {
    if is_out_of_memory(&ended.output) {
        return Err(Error::OutOfMemory);
    }
    match ended.end {
        End::Exit(status) => match signal(status) {
            Some(signal) => Err(Error::Killed(signal)),
            None => Ok(Ok(status)),
        },
        early => Ok(Err(early)),
    }
}

/// Whether what a program has written says that it ran out of memory: in its own words, or the loader's when there is not even
/// enough to start.
fn is_out_of_memory(output: &str) -> bool {
    let signs = [
        "out of memory",
        "cannot allocate memory",
        "failed to map segment",
        "bad_alloc",
    ];
    let lower = output.to_lowercase();
    signs.iter().any(|sign| lower.contains(sign))
}

/// The signal that ended a process, if one did.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

/// The signal that ended a process, if one did.
#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

#[cfg(unix)]
fn command(program: &Path, memory: Option<u64>) -> Command {
    match memory {
        Some(bytes) => {
            // The limit is inherited; programs say so themselves when they cannot allocate.
            let mut shell = Command::new("/bin/sh");
            let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes.div_ceil(1024));
            shell.arg("-c").arg(script).arg(program);
            shell
        }
        None => Command::new(program),
    }
}

#[cfg(not(unix))]
fn command(program: &Path, _: Option<u64>) -> Command {
    Command::new(program)
}
