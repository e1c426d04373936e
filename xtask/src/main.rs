//! The workshop's chores: `cargo xtask test` sets up and runs all tests.

mod test;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace");
    let task = std::env::args().nth(1);
    let result = match task.as_deref() {
        Some("test") => test::run(root),
        _ => Err("usage: cargo xtask test".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
