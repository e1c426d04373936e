//! What is written means what the System means, and what ABC answers is so. Tests with a real ABC are left out when there is none.

mod answers;
mod expressions;
mod failures;
#[path = "../../../tests/support/abc.rs"]
#[allow(dead_code, reason = "the list of what was left out is for another")]
mod place;
mod proofs;
mod steps;

use super::{Limits, Tool, probe};

/// The ABC for tests; without one the test is to return.
fn tool() -> Option<Tool> {
    let thread = std::thread::current();
    let path = place::installed(thread.name().unwrap_or("a test of aiger"))?;
    Some(
        probe(&path, Limits::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}
