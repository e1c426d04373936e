//! Models from text.

use crate::program;
use crate::program::Program;
use crate::source::Sources;
use crate::syntax;

/// The program of a correct model.
///
/// # Panics
/// If there is an error in it.
pub fn program(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = syntax::parse(&sources, file);
    let checked = program::check(&parsed.file, &[], &[], &crate::weave::FAULTS);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let errors: Vec<&str> = all
        .filter(|d| d.is_error())
        .map(|d| d.message.as_str())
        .collect();
    match checked.program {
        Some(program) if errors.is_empty() => program,
        _ => panic!("{errors:?} in\n{text}"),
    }
}
