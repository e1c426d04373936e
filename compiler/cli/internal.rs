//! Bugs of ours: caught, said to be ours, and never mistaken for an answer.

use std::sync::Mutex;

use super::Exit;
use super::shell::Shell;

/// What the last panic said and where, for [`report`].
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the words of a panic for [`report`] instead of printing them.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let words = panic
            .payload_as_str()
            .unwrap_or("something went wrong that cannot be said in words");
        let place = panic
            .location()
            .map(|place| format!(" ({}:{})", place.file(), place.line()))
            .unwrap_or_default();
        // A lost connection makes the threads of timely panic, which is how it says so.
        if place.contains("timely") {
            return;
        }
        if let Ok(mut last) = LAST.lock() {
            // A panic while another unwinds is not the cause.
            last.get_or_insert(format!("{words}{place}"));
        }
    }));
}

/// Says that the panic was our fault.
pub fn report(shell: &mut Shell) -> Exit {
    let words = LAST.lock().ok().and_then(|mut last| last.take());
    say(words.as_deref().unwrap_or("a thread died"), shell)
}

/// Says that something is our fault.
pub fn say(what: &str, shell: &mut Shell) -> Exit {
    shell.complain(
        &format!("internal error: {what}"),
        None,
        Some(&format!(
            "report this, please, with the model: it is a bug in sandalc {}, not in your model",
            env!("CARGO_PKG_VERSION")
        )),
    );
    Exit::Internal
}
