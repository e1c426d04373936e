//! Where the tests find ABC, and CaDiCaL, which checks ABC's proofs again; and the list of what was left out because they are missing.
//!
//! With `SANDAL_ABC_REQUIRED=1`, which `cargo xtask test` sets, one that is missing is a failure instead.

use std::io::Write;
use std::path::PathBuf;

/// If this variable is set, nothing may be left out.
const REQUIRED: &str = "SANDAL_ABC_REQUIRED";

/// The path of ABC: that of `SANDAL_ABC`, or of Debian's or Yosys's on the `PATH`. If there is none, `what` is noted as left out.
///
/// # Panics
/// If there is none and it is required.
pub fn installed(what: &str) -> Option<PathBuf> {
    look(what, "SANDAL_ABC", &["berkeley-abc", "yosys-abc"])
}

/// The same for CaDiCaL: that of `SANDAL_CADICAL`, or the one on the `PATH`.
///
/// # Panics
/// If there is none and it is required.
pub fn cadical(what: &str) -> Option<PathBuf> {
    look(what, "SANDAL_CADICAL", &["cadical"])
}

fn look(what: &str, variable: &str, programs: &[&str]) -> Option<PathBuf> {
    let asked = std::env::var_os(variable).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = programs.iter();
    let mut all = all.flat_map(|program| folders.iter().map(move |folder| folder.join(program)));
    let found = asked.or_else(|| all.find(|path| path.is_file()));
    let advice = format!("install `{}`, or set {variable} to its path", programs[0]);
    assert!(
        found.is_some() || std::env::var_os(REQUIRED).is_none(),
        "{what} needs it: {advice}"
    );
    if found.is_none() {
        note(&format!("{what} (needs {})", programs[0]));
    }
    found
}

/// Where test programs note what they leave out: beside themselves, so that all of one build share it.
pub fn left_out() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows where it is");
    program.with_file_name("left_out_without_abc.txt")
}

fn note(what: &str) {
    // Said by `tests/without_nusmv.rs`.
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(left_out());
    // One call, so that lines of several threads do not mix.
    let written = file.and_then(|mut file| file.write_all(format!("{what}\n").as_bytes()));
    written.expect("what is left out can be noted");
}
