//! The workshop's chores: `cargo xtask test` sets up and runs all tests, `cargo xtask nusmv` only fetches
//! the NuSMV that they use.

mod nusmv;
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
        Some("nusmv") => nusmv::set_up(root).map(|_| ()),
        _ => Err("usage: cargo xtask test | nusmv".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
