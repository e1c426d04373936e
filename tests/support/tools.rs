//! Where the tests find what others have written to read our formats, and the list of what was left out without it.
//!
//! `cargo xtask tools` fetches it into `target/tools`. Without it, `cargo test` leaves out what needs it and
//! says so at its end; with `SANDAL_TOOLS_REQUIRED=1`, which `cargo xtask test` sets, that is a failure.

use std::io::Write;
use std::path::{Path, PathBuf};

/// If this variable is set, nothing may be left out.
const REQUIRED: &str = "SANDAL_TOOLS_REQUIRED";

/// The folder with the tools, or nothing if they have not been fetched; then `what` is noted as left out.
///
/// # Panics
/// If there are none and they are required.
pub fn installed(what: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools");
    if folder.join("complete").exists() {
        return Some(folder);
    }
    assert!(
        std::env::var_os(REQUIRED).is_none(),
        "{what} needs tools: run `cargo xtask tools`"
    );
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(left_out());
    // One call, so that lines of several threads do not mix.
    let written = file.and_then(|mut file| file.write_all(format!("{what}\n").as_bytes()));
    written.expect("what is left out can be noted");
    None
}

/// Where test programs note what they leave out: beside themselves, so that all of one build share it.
pub fn left_out() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows where it is");
    program.with_file_name("left_out_without_tools.txt")
}
