//! The workshop's chores: `cargo xtask test` sets up and runs all tests, `cargo xtask nusmv` only fetches
//! the NuSMV that they use, `cargo xtask tools` what reads our formats, `cargo xtask browser` what opens our reports, `cargo xtask grammar`
//! writes the parser of the grammar for tree-sitter, `cargo xtask soak` runs the tests that take long: the ignored ones, and the engines on many random models.

mod browser;
mod grammar;
mod nusmv;
mod soak;
mod test;
mod tools;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("test") => test::run(root),
        Some("nusmv") => nusmv::set_up(root).map(|_| ()),
        Some("tools") => tools::set_up(root),
        Some("browser") => browser::set_up(root),
        Some("grammar") => grammar::run(root, &arguments[1..]),
        Some("soak") => soak::run(root, &arguments[1..]),
        _ => Err("usage: cargo xtask test | nusmv | tools | browser | grammar | soak".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
