//! What several test programs share.

#![allow(
    dead_code,
    reason = "each test program uses its own part of what is here"
)]

pub mod abc;
pub mod expectations;
pub mod header;
pub mod nusmv;
pub mod tools;
pub mod two_phase;
pub mod verdicts;

use std::path::{Path, PathBuf};

use sandalc::cli::args::ModelArgs;

/// The root of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether expectations are to be rewritten (`BLESS=1`).
pub fn bless() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value != "0" && !value.is_empty())
}

/// All files under a folder with an extension, in order; a missing folder has none.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A path relative to the package, with `/` between its parts.
pub fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

/// SCRAM, which solves fault trees: that of `SANDAL_SCRAM`, or `scram` on the `PATH`. If there is none, `what` is left out.
///
/// # Panics
/// If there is none and it is required.
pub fn scram(what: &str) -> Option<PathBuf> {
    let asked = std::env::var_os("SANDAL_SCRAM").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&paths).map(|folder| folder.join("scram"));
    let found = asked.or_else(|| folders.find(|path| path.exists()));
    assert!(
        found.is_some() || std::env::var_os("SANDAL_SCRAM_REQUIRED").is_none(),
        "{what} needs SCRAM: install the package `scram`, or set SANDAL_SCRAM to its path"
    );
    if found.is_none() {
        nusmv::note(&format!("{what} (needs scram)"));
    }
    found
}

/// Whether Spin is there, and a compiler for what it writes. If not, `what` is left out.
///
/// # Panics
/// If it is not there and is required.
pub fn spin(what: &str) -> bool {
    let starts = |program: &str, argument: &str| {
        let output = std::process::Command::new(program).arg(argument).output();
        output.is_ok_and(|output| output.status.success())
    };
    let there = starts("spin", "-V") && starts("cc", "--version");
    assert!(
        there || std::env::var_os("SANDAL_SPIN_REQUIRED").is_none(),
        "{what} needs Spin and a C compiler: install the packages `spin` and `gcc`"
    );
    if !there {
        nusmv::note(&format!("{what} (needs spin and cc)"));
    }
    there
}

/// The arguments of a model.
#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    model: ModelArgs,
}

/// The arguments of a model, as on the command line.
///
/// # Errors
/// If they cannot be read.
pub fn model_args(path: &Path, flags: &[String]) -> Result<ModelArgs, String> {
    let program = ["sandalc".into(), path.as_os_str().to_owned()];
    let words = program
        .into_iter()
        .chain(flags.iter().map(std::ffi::OsString::from));
    let flags = <Flags as clap::Parser>::try_parse_from(words);
    flags
        .map(|flags| flags.model)
        .map_err(|error| error.to_string())
}

/// Runs something with a stack as large as the command's.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, work)
            .expect("a thread")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
