//! Running NuSMV as a child process that never outlives us.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::nusmv::error::Error;

/// How often to look at the clock and at `cancel`.
const TICK: Duration = Duration::from_millis(20);

/// Most of its output that is kept.
const KEPT: usize = 1 << 20;

/// What bounds a run of NuSMV.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How much memory it may use, in bytes.
    pub memory: Option<u64>,
    /// Set to true to end it, from a handler of Ctrl-C for instance.
    pub cancel: Option<&'a AtomicBool>,
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status; none if it ran out of time and was ended.
    pub status: Option<ExitStatus>,
    /// What it wrote, standard output and error in the order they were written.
    pub output: String,
}

/// Runs a program in a folder and calls `line` for each line it writes, as it does.
///
/// The child has its own process group, which is ended as a whole: when time is up, when `cancel` is set,
/// and when this function is left in any other way.
pub fn run(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    limits: Limits<'_>,
    line: &mut dyn FnMut(&str),
) -> Result<Ended, Error> {
    let io = |e: std::io::Error| Error::Io(e.to_string());
    let (reader, writer) = std::io::pipe().map_err(io)?;
    let mut command = command(program, limits.memory);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(io)?)
        .stderr(writer);
    let child = command
        .spawn()
        .map_err(|e| Error::CannotStart(program.to_path_buf(), e.to_string()))?;
    // It holds our ends of the pipe for writing.
    drop(command);
    let mut child = Group(child);

    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
            if sender.send(text).is_err() {
                break;
            }
            bytes.clear();
        }
    });

    let started = Instant::now();
    let mut output = String::new();
    loop {
        if limits.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Error::Cancelled);
        }
        if limits.time.is_some_and(|limit| started.elapsed() >= limit) {
            return Ok(Ended {
                status: None,
                output,
            });
        }
        match lines.recv_timeout(TICK) {
            Ok(text) => {
                line(&text);
                if output.len() < KEPT {
                    output += &text;
                    output.push('\n');
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The pipe is closed: it has ended or is about to.
            Err(RecvTimeoutError::Disconnected) => match child.0.try_wait().map_err(io)? {
                Some(status) => {
                    return Ok(Ended {
                        status: Some(status),
                        output,
                    });
                }
                None => thread::sleep(Duration::from_millis(1)),
            },
        }
    }
}

/// The signal that ended a process, if one did.
#[cfg(unix)]
pub fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

/// The signal that ended a process, if one did.
#[cfg(not(unix))]
pub fn signal(_: ExitStatus) -> Option<i32> {
    None
}

#[cfg(unix)]
fn command(program: &Path, memory: Option<u64>) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = match memory {
        Some(bytes) => {
            // The limit is inherited; NuSMV says so itself when it cannot allocate.
            let mut shell = Command::new("/bin/sh");
            let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes.div_ceil(1024));
            shell.arg("-c").arg(script).arg(program);
            shell
        }
        None => Command::new(program),
    };
    command.process_group(0);
    command
}

#[cfg(not(unix))]
fn command(program: &Path, _: Option<u64>) -> Command {
    Command::new(program)
}

/// A child whose process group ends with this value.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
