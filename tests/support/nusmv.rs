//! Where the tests find NuSMV, and the list of what was left out because there is none.
//!
//! `cargo test` works without NuSMV: what needs it is left out, and `tests/without_nusmv.rs`, which runs last, says so.
//! With `SANDAL_NUSMV_REQUIRED=1`, which `cargo xtask test` sets, a missing NuSMV is a failure instead.

use std::io::Write;
use std::path::{Path, PathBuf};

/// If this variable is set, nothing may be left out.
const REQUIRED: &str = "SANDAL_NUSMV_REQUIRED";

/// The path of NuSMV: that of `SANDAL_NUSMV`, or what `cargo xtask nusmv` has fetched. If there is none, `what` is noted as
/// left out.
///
/// # Panics
/// If there is none and it is required.
pub fn installed(what: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("SANDAL_NUSMV") {
        return Some(path.into());
    }
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/nusmv/NuSMV");
    if fetched.exists() {
        return Some(fetched);
    }
    assert!(
        std::env::var_os(REQUIRED).is_none(),
        "{what} needs NuSMV: run `cargo xtask nusmv`, or set SANDAL_NUSMV to its path"
    );
    note(what);
    None
}

/// Where test programs note what they leave out: beside themselves, so that all of one build share it.
pub fn left_out() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows where it is");
    program.with_file_name("left_out_without_nusmv.txt")
}

pub fn note(what: &str) {
    // Said by `tests/without_nusmv.rs`.
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(left_out());
    // One call, so that lines of several threads do not mix.
    let written = file.and_then(|mut file| file.write_all(format!("{what}\n").as_bytes()));
    written.expect("what is left out can be noted");
}
