//! What must hold of every text. The fuzz target runs this on what the fuzzer finds, the test
//! `syntax_properties` on seeded random texts.

use sandalc::source::Sources;
use sandalc::syntax::{self, MAX_ERRORS, dump};

/// Parses, dumps and formats a text, and checks what the front end promises of every text.
pub fn exercise(text: &str) {
    let mut sources = Sources::new();
    let file = sources.add("fuzz.sdl", text);
    let parsed = syntax::parse(&sources, file);
    assert!(parsed.diagnostics.len() <= MAX_ERRORS + 1);
    for diagnostic in &parsed.diagnostics {
        let others = diagnostic.secondary.iter().map(|label| label.span);
        for span in std::iter::once(diagnostic.primary.span).chain(others) {
            // Panics if the place is not in the text.
            sources.slice(span);
        }
        assert!(!diagnostic.message.is_empty() && !diagnostic.message.ends_with('.'));
        assert!(syntax::problem::CODES.contains(&diagnostic.code));
    }
    dump::tokens(&sources, file);
    dump::ast(&parsed.file, &sources);
    match syntax::format(&sources, file) {
        Ok(formatted) => {
            assert!(parsed.diagnostics.is_empty());
            let again = sources.add("formatted.sdl", formatted.as_str());
            let reparsed = syntax::parse(&sources, again);
            assert_eq!(reparsed.diagnostics, vec![]);
            assert_eq!(dump::shape(&reparsed.file), dump::shape(&parsed.file));
            assert_eq!(reparsed.comments.len(), parsed.comments.len());
            assert_eq!(syntax::format(&sources, again), Ok(formatted));
        }
        Err(diagnostics) => assert_eq!(diagnostics, parsed.diagnostics),
    }
}
