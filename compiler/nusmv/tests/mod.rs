//! Tests with a real NuSMV. They fail when there is none: `cargo xtask nusmv` fetches one.

mod failures;
mod fair;
mod hostile;
mod odd;
mod random;

use std::path::{Path, PathBuf};

use super::{Limits, Tool, VARIABLE, probe};

/// The NuSMV for tests.
fn tool() -> Tool {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/nusmv/NuSMV");
    let path = std::env::var_os(VARIABLE).map_or(fetched, PathBuf::from);
    probe(&path, Limits::default()).unwrap_or_else(|error| {
        panic!(
            "this test needs NuSMV ({error}): run `cargo xtask nusmv`, or set {VARIABLE} to its path"
        )
    })
}
