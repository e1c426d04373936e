//! The workshop's chores: `cargo xtask nusmv` fetches a NuSMV for the tests.

mod nusmv;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace");
    let task = std::env::args().nth(1);
    let result = match task.as_deref() {
        Some("nusmv") => nusmv::set_up(root).map(|_| ()),
        _ => Err("usage: cargo xtask nusmv".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
