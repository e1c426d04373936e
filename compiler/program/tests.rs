//! Tests of elaboration on texts.

use super::*;
use crate::source::Sources;
use crate::syntax::parse;

/// Parses and checks a text that has no syntax errors.
pub(super) fn checked(text: &str) -> Checked {
    checked_with(text, &[])
}

fn checked_with(text: &str, defines: &[(&str, &str)]) -> Checked {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    let parsed = parse(&sources, file);
    assert_eq!(parsed.diagnostics, [], "no syntax errors");
    let defines: Vec<Define> = defines
        .iter()
        .map(|(name, value)| Define {
            name: (*name).into(),
            value: (*value).into(),
        })
        .collect();
    check(&parsed.file, &[], &defines)
}

/// The codes of all errors, in order.
fn errors(text: &str) -> Vec<&'static str> {
    checked(text)
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code.0)
        .collect()
}

/// The program of a text without errors.
fn program(text: &str) -> Program {
    let checked = checked(text);
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    checked.program.expect("a program without errors")
}

#[test]
fn the_examples_have_no_errors() {
    for entry in std::fs::read_dir("examples").expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "sdl") {
            let text = std::fs::read_to_string(&path).expect("a readable example");
            let checked = checked(&text);
            assert_eq!(checked.diagnostics, [], "{}", path.display());
        }
    }
}
