//! Runs a program to its end or its limits, and says what it cost.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use wait4::Wait4;

/// What a program may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds, by [`Cost::seconds`].
    pub seconds: f64,
    /// Bytes of resident memory.
    pub memory: u64,
}

/// What a program used.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cost {
    /// From its start to its end.
    pub wall: f64,
    /// The time it computed, user and system, with its children, on all cores.
    pub cpu: f64,
    /// The most memory that was resident, in bytes.
    pub memory: u64,
}

impl Cost {
    /// The time a run of so many threads took. One thread is charged for what it computed, so that others who use
    /// the machine do not count; several threads for the time that passed, because to wait is their risk.
    pub fn seconds(&self, threads: usize) -> f64 {
        match threads {
            1 => self.cpu,
            _ => self.wall,
        }
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// What it printed, standard error last.
    pub text: String,
    /// Its exit code, unless it was killed.
    pub code: Option<i32>,
    /// The limit it hit, if it was killed for that.
    pub over: Option<Over>,
    /// What it used.
    pub cost: Cost,
}

/// A limit that was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// It took too long.
    Time,
    /// It used too much memory.
    Memory,
}

/// Runs a command of so many threads within limits.
///
/// # Errors
/// If it cannot be started.
pub fn run(command: &mut Command, threads: usize, limits: Limits) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let (used, over) = wait(&mut child, threads, limits)?;
    let wall = start.elapsed().as_secs_f64();
    let text = format!(
        "{}{}",
        out.join().unwrap_or_default(),
        err.join().unwrap_or_default()
    );
    let cost = Cost {
        wall,
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        memory: used.rusage.maxrss,
    };
    // It is looked at every now and then only.
    let late = (cost.seconds(threads) > limits.seconds).then_some(Over::Time);
    let large = (cost.memory > limits.memory).then_some(Over::Memory);
    Ok(Ended {
        text,
        code: used.status.code(),
        over: over.or(late).or(large),
        cost,
    })
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before an error is still of use.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end of a child, and kills it at its limits.
fn wait(
    child: &mut Child,
    threads: usize,
    limits: Limits,
) -> io::Result<(wait4::ResUse, Option<Over>)> {
    let start = Instant::now();
    let mut over = None;
    loop {
        if let Some(used) = child.try_wait4()? {
            return Ok((used, over));
        }
        thread::sleep(PAUSE);
        let wall = start.elapsed().as_secs_f64();
        let seconds = match threads {
            1 => cpu_so_far(child.id()).unwrap_or(wall),
            _ => wall,
        };
        // Whoever waits for something else than a processor is not waited for for ever.
        let now = if seconds > limits.seconds || wall > 30.0 * limits.seconds + 60.0 {
            Over::Time
        } else if resident(child.id()).is_some_and(|bytes| bytes > limits.memory) {
            Over::Memory
        } else {
            continue;
        };
        if over.is_none() {
            over = Some(now);
            child.kill()?;
        }
    }
}

/// How long to sleep before looking again.
const PAUSE: Duration = Duration::from_millis(1);

/// The processor time of a process so far, from `/proc`, where there is one.
fn cpu_so_far(id: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| -> Option<f64> { fields.get(at)?.parse().ok() };
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn resident(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
