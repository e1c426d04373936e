//! Ctrl-C and its relatives: the work ends soon, with what is known so far.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use super::Exit;

/// Set once somebody wants us to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// By which signal.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Watches for signals from now on; what is true once there was one.
///
/// The first one only sets this, and whoever works looks at it. If that takes too long, a second one ends everything
/// at once. If watching is impossible, a signal does what it does by default.
pub fn watch() -> &'static AtomicBool {
    static WATCHING: AtomicBool = AtomicBool::new(false);
    if !WATCHING.swap(true, Ordering::Relaxed) {
        start();
    }
    &INTERRUPTED
}

/// How to end if work has ended so, unless there was a signal.
pub fn or(exit: Exit) -> Exit {
    match INTERRUPTED.load(Ordering::Acquire) {
        true => exit.and(of(SIGNAL.load(Ordering::Relaxed))),
        false => exit,
    }
}

/// Ends the process in the middle of its work. Destructors do not run, but nothing is left behind.
pub fn leave(exit: Exit) -> ! {
    crate::tool::abandon_all();
    std::process::exit(or(exit) as i32)
}

#[cfg(unix)]
fn of(signal: i32) -> Exit {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    match signal {
        SIGTERM => Exit::Terminated,
        SIGHUP => Exit::HungUp,
        _ => Exit::Interrupted,
    }
}

#[cfg(not(unix))]
fn of(_: i32) -> Exit {
    Exit::Interrupted
}

#[cfg(unix)]
fn start() {
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Signals that come as fast are one: `timeout` for example sends its twice.
    const AT_ONCE: Duration = Duration::from_millis(500);

    let watching = std::thread::Builder::new().name("signals".into());
    // Only the thread that waits for signals takes them over: without it they would be lost.
    let _ = watching.spawn(|| {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            match first {
                None => {
                    first = Some(Instant::now());
                    SIGNAL.store(signal, Ordering::Relaxed);
                    INTERRUPTED.store(true, Ordering::Release);
                }
                Some(first) if first.elapsed() < AT_ONCE => {}
                Some(_) => leave(Exit::Ok),
            }
        }
    });
}

#[cfg(not(unix))]
fn start() {
    use std::sync::Arc;
    let flag = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag));
    let watching = std::thread::Builder::new().name("signals".into());
    let _ = watching.spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        INTERRUPTED.store(true, Ordering::Release);
    });
}
