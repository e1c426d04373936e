//! Tests with a real NuSMV. They are left out when there is none: `cargo xtask nusmv` fetches one.

mod failures;
mod fair;
mod fair_choices;
mod hostile;
mod knowledge;
mod odd;
#[path = "../../../tests/support/nusmv.rs"]
#[allow(dead_code, reason = "the list of what was left out is for another")]
mod place;
mod random;

use super::{Limits, Tool, probe};

/// The NuSMV for tests; without one the test is to return.
fn tool() -> Option<Tool> {
    let thread = std::thread::current();
    let path = place::installed(thread.name().unwrap_or("a test of nusmv"))?;
    Some(
        probe(&path, Limits::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}
