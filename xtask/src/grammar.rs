//! `cargo xtask grammar`: writes the parser of the grammar for tree-sitter; with `--check` it says whether the one that is there is
//! current. The generator is a crate outside of the workspace, for the sake of which crates it needs.

use std::path::Path;
use std::process::Command;

/// Starts it in the folder of the workspace, with further arguments.
pub fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let status = Command::new("cargo")
        .args([
            "run",
            "--quiet",
            "--locked",
            "--target-dir",
            "target/generator",
        ])
        .args([
            "--manifest-path",
            "editors/tree-sitter/generator/Cargo.toml",
            "--",
        ])
        .args(arguments)
        .current_dir(root)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the generator failed: {status}")),
        Err(error) => Err(format!("cannot start `cargo`: {error}")),
    }
}
