//! What several test programs share.

#![allow(
    dead_code,
    reason = "each test program uses its own part of what is here"
)]

pub mod expectations;

use std::path::{Path, PathBuf};

use sandalc::cli::load::load;
use sandalc::diagnostic::Diagnostic;
use sandalc::source::{FileId, Sources};

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

/// What the front end makes of a model.
pub struct FrontEnd {
    /// The main file.
    pub main: FileId,
    /// Everything it says.
    pub diagnostics: Vec<Diagnostic>,
}

/// Loads and checks a model.
pub fn front_end(path: &Path, defines: &[String], sources: &mut Sources) -> FrontEnd {
    let loaded = load(path, sources).expect("a file that can be read");
    let _ = defines;
    FrontEnd {
        main: loaded.main.id,
        diagnostics: loaded.all_diagnostics(),
    }
}
