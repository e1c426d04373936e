//! Writes `src/` of tree-sitter's grammar from `grammar.js`, as `tree-sitter generate` does; with `--check` it says whether that
//! is what is there.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// What is generated, in `src`.
const FILES: [&str; 6] = [
    "parser.c",
    "grammar.json",
    "node-types.json",
    "tree_sitter/alloc.h",
    "tree_sitter/array.h",
    "tree_sitter/parser.h",
];

/// The version of tree-sitter's interface that editors of today understand.
const INTERFACE: usize = 15;

fn main() -> ExitCode {
    let grammar = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let check = std::env::args().any(|argument| argument == "--check");
    match run(&grammar, check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(grammar: &Path, check: bool) -> Result<(), String> {
    let src = grammar.join("src");
    let new = std::env::temp_dir().join(format!("sandal-grammar-{}", std::process::id()));
    let out = if check { &new } else { &src };
    let mut notes = Vec::new();
    let made = generate_parser_in_directory(
        grammar,
        Some(out),
        None::<PathBuf>,
        INTERFACE,
        None,
        None,
        true,
        OptLevel::default(),
        &mut notes,
    );
    for note in &notes {
        eprintln!("{note}");
    }
    made.map_err(|error| error.to_string())?;
    if !check {
        return Ok(());
    }
    let read = |folder: &Path, name: &str| std::fs::read(folder.join(name)).ok();
    let old = FILES
        .into_iter()
        .filter(|name| read(&src, name) != read(&new, name));
    let old: Vec<&str> = old.collect();
    let _ = std::fs::remove_dir_all(&new);
    match old.is_empty() && notes.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "editors/tree-sitter/src is not what grammar.js says ({}): run `cargo xtask grammar`",
            old.join(", ")
        )),
    }
}
